//! `cogrip eval`: the paper's tables and figures for a Guide.

use super::analysis::Report;
use super::batch::Batch;
use super::cli::Eval;
use super::guides::guide;
use super::{csv, figure, report};
use crate::failure::{bad, read_text};
use anyhow::Context;
use std::fs;
use std::path::Path;
use tandem_cogrip::boards::TASKS_SEED;
use tandem_cogrip::tasks;
use tandem_cogrip::{Split, Task};
use tandem_core::Seed;

/// Plays the episodes and reports.
///
/// # Errors
/// Input that cannot be used, or a file that cannot be written.
pub fn run(asked: &Eval) -> anyhow::Result<String> {
    let (tasks, from) = match &asked.tasks {
        Some(file) => (read_tasks(file)?, file.display().to_string()),
        None => {
            let split = Split::from(asked.split);
            (split.tasks(Seed::new(TASKS_SEED)?), format!("the {} set", split.name()))
        }
    };
    let batch = Batch {
        makers: guide(&asked.guide, &tasks, &asked.weights)?,
        tasks,
        autonomies: asked.follower.autonomies(),
        phis: asked.phi.0.clone(),
        repeats: asked.seeds,
        seed: Seed::new(asked.seed).map_err(bad)?,
        readings: asked.readings,
    };
    if let Some(dir) = &asked.svg {
        fs::create_dir_all(dir).with_context(|| format!("cannot make {}", dir.display()))?;
    }
    let games = batch.play(asked.threads)?;
    let found = Report::new(&batch, &games)?;
    if let Some(file) = &asked.csv {
        write(file, csv::lines(&batch, &games))?;
    }
    if let Some(dir) = &asked.svg {
        for (name, drawn) in figure::all(&found, &asked.guide) {
            write(&dir.join(format!("cogrip-{}-{name}.svg", asked.guide)), drawn)?;
        }
        let data = serde_json::to_string_pretty(&report::figures(&found))?;
        write(&dir.join(format!("cogrip-{}-figures.json", asked.guide)), data + "\n")?;
    }
    Ok(if asked.json { format!("{}\n", report::json(&found)) } else { report::text(&found, &batch, asked, &from) })
}

fn read_tasks(file: &Path) -> anyhow::Result<Vec<Task>> {
    let read = tasks::read(&read_text(file)?).map_err(|error| bad(format_args!("{}: {error}", file.display())))?;
    if read.is_empty() { Err(bad(format_args!("{}: there is no task in it", file.display()))) } else { Ok(read) }
}

fn write(file: &Path, content: String) -> anyhow::Result<()> {
    fs::write(file, content).with_context(|| format!("cannot write {}", file.display()))
}
