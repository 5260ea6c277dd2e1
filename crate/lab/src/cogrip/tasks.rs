//! `cogrip tasks`: the three sets of tasks as files.

use super::cli::Tasks;
use crate::failure::bad;
use anyhow::Context;
use std::fmt::Write as _;
use std::fs;
use tandem_cogrip::{Split, tasks};
use tandem_core::Seed;

/// Writes `train.jsonl`, `val.jsonl` and `test.jsonl` and says what is in them.
///
/// # Errors
/// The seed is too large, or a file cannot be written.
pub fn run(asked: &Tasks) -> anyhow::Result<String> {
    let seed = Seed::new(asked.seed).map_err(bad)?;
    fs::create_dir_all(&asked.out).with_context(|| format!("cannot make {}", asked.out.display()))?;
    let mut out = String::new();
    for split in Split::ALL {
        let drawn = split.tasks(seed);
        let file = asked.out.join(format!("{}.jsonl", split.name()));
        fs::write(&file, tasks::write(&drawn)).with_context(|| format!("cannot write {}", file.display()))?;
        writeln!(out, "{}: {} tasks", file.display(), drawn.len())?;
    }
    Ok(out)
}
