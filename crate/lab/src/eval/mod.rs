//! `gnomes eval`: batches of games, and what they say about the agents.
//!
//! Every condition is one agent with the same partner. Game i has the same seed in every condition, made from the
//! batch's seed and i alone, so that neither the number of threads nor the other conditions change a game.

mod analysis;
mod figure;
mod game;
mod report;

use crate::board;
use crate::cli::Eval;
use crate::failure::bad;
use analysis::Condition;
use anyhow::Context;
use game::{Played, Table};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use rayon::prelude::*;
use std::fs;
use tandem_core::Seed;
use tandem_gnomes::solver;

/// The agents that `all` stands for.
const ALL: [&str; 3] = ["comm", "mute", "random"];
/// Fewer games than this are over before a progress bar is of use.
const LONG: u64 = 20;

/// Plays the games and reports.
///
/// # Errors
/// Input that cannot be used, a game that fails, or a file that cannot be written.
pub fn run(asked: &Eval) -> anyhow::Result<String> {
    let (board, source) = board::open(&asked.board)?;
    let table = Table { board: board.clone(), source, max_turns: asked.max_turns, iterations: asked.iterations };
    let names = names(asked, &table)?;
    let seed = Seed::new(asked.seed).map_err(bad)?;
    if let Some(dir) = &asked.traces {
        fs::create_dir_all(dir).with_context(|| format!("cannot make {}", dir.display()))?;
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(asked.threads.map_or(0, usize::from)).build()?;
    let games: Vec<(&str, u32)> =
        names.iter().flat_map(|name| (0..asked.games).map(move |index| (name.as_str(), index))).collect();
    let bar = bar(games.len() as u64);
    let play = |&(agent, index): &(&str, u32)| -> anyhow::Result<Played> {
        let (played, trace) = table
            .play(&asked.partner, agent, seed.part(&format!("game/{index}")))
            .with_context(|| format!("game {index} of {agent}"))?;
        if let Some(dir) = &asked.traces {
            let file = dir.join(format!("{agent}-{index:06}.jsonl"));
            fs::write(&file, trace).with_context(|| format!("cannot write {}", file.display()))?;
        }
        bar.inc(1);
        Ok(played)
    };
    let played = pool.install(|| games.par_iter().map(play).collect::<anyhow::Result<Vec<Played>>>())?;
    bar.finish_and_clear();

    let conditions = names
        .iter()
        .zip(played.chunks(asked.games as usize))
        .map(|(name, games)| Condition::new(name, games.to_vec()))
        .collect::<Result<Vec<Condition>, _>>()?;
    let fewest = solver::solve(&board, 0);
    if let Some(file) = &asked.svg {
        let drawn = figure::draw(&conditions, &fewest, board.name());
        fs::write(file, drawn).with_context(|| format!("cannot write {}", file.display()))?;
    }
    Ok(if asked.json {
        format!("{}\n", report::json(&conditions)?)
    } else {
        report::text(&conditions, &fewest, &format!("board {}, partner {}", board.name(), asked.partner))?
    })
}

/// The agents asked for, each of them and the partner known and well set.
fn names(asked: &Eval, table: &Table) -> anyhow::Result<Vec<String>> {
    let mut names: Vec<String> = Vec::new();
    for name in asked.agent.iter().map(|name| name.trim()) {
        let meant = if name == "all" { &ALL[..] } else { &[name][..] };
        for name in meant {
            if !names.iter().any(|known| known == name) {
                names.push((*name).to_owned());
            }
        }
    }
    for name in names.iter().chain([&asked.partner]) {
        table.make(name, &table.settings(name)).map_err(bad)?;
    }
    Ok(names)
}

/// A progress bar on standard error, if that is a terminal and there is something to wait for.
fn bar(games: u64) -> ProgressBar {
    let target = if games < LONG { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} games, {eta} left");
    ProgressBar::with_draw_target(Some(games), target)
        .with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}
