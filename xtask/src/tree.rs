//! Directories as wholes.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use walkdir::WalkDir;

/// The files below a directory, relative to it, in order, leaving out what lies below directories named in `skip`.
pub fn files(dir: &Path, skip: &[&str]) -> Result<Vec<PathBuf>> {
    let walk = WalkDir::new(dir).sort_by_file_name().into_iter();
    let kept = walk.filter_entry(|entry| {
        let name = entry.file_name().to_str();
        entry.depth() == 0 || !entry.file_type().is_dir() || !name.is_some_and(|name| skip.contains(&name))
    });
    let mut files = Vec::new();
    for entry in kept {
        let entry = entry.with_context(|| format!("cannot list {}", dir.display()))?;
        if entry.file_type().is_file() {
            files.push(entry.path().strip_prefix(dir)?.to_owned());
        }
    }
    Ok(files)
}

/// Makes `to` a copy of `from`, except for directories named in `skip`.
pub fn replace(from: &Path, to: &Path, skip: &[&str]) -> Result<()> {
    if to.exists() {
        fs::remove_dir_all(to).with_context(|| format!("cannot clear {}", to.display()))?;
    }
    for file in files(from, skip)? {
        let target = to.join(&file);
        if let Some(dir) = target.parent() {
            fs::create_dir_all(dir).with_context(|| format!("cannot make {}", dir.display()))?;
        }
        fs::copy(from.join(&file), &target).with_context(|| format!("cannot write {}", target.display()))?;
    }
    Ok(())
}
