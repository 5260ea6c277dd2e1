//! Where things are in the repository.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

/// The version of the workspace; all packages share it.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The repository, with the places the chores read and write.
pub struct Project {
    root: PathBuf,
}

impl Project {
    /// The repository this program was compiled in.
    pub fn here() -> Result<Self> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().context("xtask/ has no parent directory")?.to_owned();
        Ok(Self { root })
    }

    /// The top directory.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// A path below the top directory.
    pub fn path(&self, below: &str) -> PathBuf {
        self.root.join(below)
    }

    /// The npm package: what the build hands to whoever embeds a game.
    pub fn pkg(&self) -> PathBuf {
        self.path("pkg")
    }

    /// What the trained Guides have learned, with the papers of each.
    pub fn weights(&self) -> PathBuf {
        self.path("crate/guide/weights")
    }

    /// The npm project of elements and site.
    pub fn www(&self) -> PathBuf {
        self.path("www")
    }

    /// The finished static site.
    pub fn site(&self) -> PathBuf {
        self.path("www/site")
    }

    /// Cargo's directory for wasm builds: its own, because another compiler may be at work there.
    pub fn wasm_target(&self) -> PathBuf {
        self.path("target-wasm")
    }

    /// What earlier runs found out: stamps by the hash of their inputs, and answers worth remembering.
    pub fn stamps(&self) -> PathBuf {
        self.path("target-wasm/stamps")
    }
}
