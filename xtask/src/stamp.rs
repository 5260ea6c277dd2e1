//! Steps are skipped when the hash of their inputs is the one they last ran with.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Result;
use sha2::{Digest, Sha256};

use crate::project::Project;
use crate::{shell, tree};

/// Collects the inputs of a step: words, files, directories.
pub struct Inputs(Sha256);

impl Inputs {
    /// No inputs yet; `step` names the step and its settings.
    pub fn of(step: &str) -> Self {
        let mut hash = Sha256::new();
        hash.update(step.as_bytes());
        Self(hash)
    }

    /// Adds a file: its path and its bytes.
    pub fn file(mut self, path: &Path) -> Result<Self> {
        let bytes = shell::read(path)?;
        self.0.update(path.to_string_lossy().as_bytes());
        self.0.update((bytes.len() as u64).to_le_bytes());
        self.0.update(&bytes);
        Ok(self)
    }

    /// Adds every file below a directory, in path order, except below directories named in `skip`.
    pub fn dir(mut self, dir: &Path, skip: &[&str]) -> Result<Self> {
        for file in tree::files(dir, skip)? {
            self = self.file(&dir.join(file))?;
        }
        Ok(self)
    }

    /// The stamp of these inputs for the step called `name`.
    pub fn stamp(self, project: &Project, name: &str) -> Stamp {
        let hash = self.0.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
        Stamp { path: project.stamps().join(name), hash }
    }
}

/// The hash of a step's inputs, beside the file that holds the hash of its last run.
pub struct Stamp {
    path: PathBuf,
    hash: String,
}

impl Stamp {
    /// Whether the step last ran with these inputs and what it made is still there.
    pub fn is_fresh(&self, made: &[PathBuf]) -> bool {
        fs::read_to_string(&self.path).is_ok_and(|hash| hash == self.hash) && made.iter().all(|path| path.exists())
    }

    /// Notes that the step ran with these inputs.
    pub fn set(&self) -> Result<()> {
        shell::write(&self.path, &self.hash)
    }
}
