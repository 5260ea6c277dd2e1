//! `cogrip`: the commands about the reference game.

pub mod analysis;
pub mod batch;
pub mod chart;
pub mod cli;
mod csv;
mod eval;
mod figure;
pub mod guides;
mod paper;
mod play;
mod report;
pub mod sights;
mod tasks;

use cli::Command;

/// Does what is asked.
///
/// # Errors
/// Input that cannot be used, or a file that cannot be written.
pub fn run(command: &Command) -> anyhow::Result<String> {
    match command {
        Command::Eval(asked) => eval::run(asked),
        Command::Tasks(asked) => tasks::run(asked),
        Command::Play(asked) => play::run(asked),
    }
}
