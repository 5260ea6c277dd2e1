//! Keeps the repository and its documents true to each other.
//!
//! Each check returns findings: a place, what is wrong there, what would be right.

mod markdown;
mod promises;
mod sources;

use std::fmt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Result, bail};

use crate::project::Project;
use crate::{shell, tree};

/// Something that is not as it should be.
#[derive(Debug, PartialEq, Eq)]
struct Finding {
    file: String,
    /// Counted from 1; 0 means the whole file.
    line: usize,
    what: String,
}

impl Finding {
    fn new(file: impl Into<String>, line: usize, what: impl Into<String>) -> Self {
        Self { file: file.into(), line, what: what.into() }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => write!(f, "{}: {}", self.file, self.what),
            line => write!(f, "{}:{line}: {}", self.file, self.what),
        }
    }
}

/// A text file of the repository.
struct Text {
    /// From the top directory, with slashes.
    path: String,
    content: String,
}

impl Text {
    fn is_markdown(&self) -> bool {
        self.path.ends_with(".md")
    }
}

/// The files that are, or are about to be, committed.
struct Repository {
    root: PathBuf,
    /// From the top directory, with slashes, in order.
    files: Vec<String>,
    texts: Vec<Text>,
}

impl Repository {
    fn read(project: &Project) -> Result<Self> {
        let root = project.root().to_owned();
        let mut files = match listed_by_git(&root) {
            Some(files) => files,
            None => listed_by_hand(&root)?,
        };
        files.retain(|file| root.join(file).is_file());
        files.sort();
        let mut texts = Vec::new();
        for path in &files {
            if let Ok(content) = String::from_utf8(shell::read(&root.join(path))?) {
                texts.push(Text { path: path.clone(), content });
            }
        }
        Ok(Self { root, files, texts })
    }

    /// The text at a path; a missing one is a finding.
    fn text(&self, path: &str, findings: &mut Vec<Finding>) -> Option<&Text> {
        let text = self.texts.iter().find(|text| text.path == path);
        if text.is_none() {
            findings.push(Finding::new(path, 0, "is missing"));
        }
        text
    }
}

/// Committed files and new ones that are not ignored; none outside a git checkout.
fn listed_by_git(root: &Path) -> Option<Vec<String>> {
    let mut git = Command::new("git");
    git.current_dir(root).args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"]);
    let output = git.stderr(Stdio::null()).output().ok()?;
    let list = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| list.split_terminator('\0').map(str::to_owned).collect())
}

/// What lies there, except for products: for a copy of the sources without their history.
fn listed_by_hand(root: &Path) -> Result<Vec<String>> {
    const PRODUCTS: [&str; 8] = [".git", "target", "target-wasm", "dist", "node_modules", "site", "results", "wasm"];
    let files = tree::files(root, &PRODUCTS)?;
    Ok(files.iter().map(|file| file.to_string_lossy().replace('\\', "/")).collect())
}

/// Runs every check; fails with all findings.
pub fn tidy(project: &Project) -> Result<()> {
    let repository = Repository::read(project)?;
    let mut findings = Vec::new();
    sources::check(&repository, &mut findings);
    markdown::check(&repository, &mut findings);
    promises::check(project, &repository, &mut findings)?;
    if findings.is_empty() {
        return Ok(());
    }
    findings.sort_by(|a, b| (&a.file, a.line).cmp(&(&b.file, b.line)));
    let lines: Vec<String> = findings.iter().map(Finding::to_string).collect();
    bail!("{} things are not tidy:\n{}", lines.len(), lines.join("\n"))
}
