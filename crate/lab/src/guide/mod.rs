//! `guide train`: the learned Guide of the reference game (sections 3.5 and 5, appendix A.3 and A.4 of its paper).
//!
//! The idea: end to end a million steps are days of work for two cores, nearly all of it the convolutions. So the encoder
//! learns to see first ([`encoder`]), supervised, and is then left alone; what it sees depends only on the task and the
//! gripper's tile, and is kept. The policies learn from that ([`policies`]), a small network for each Follower.

mod cli;
mod curves;
mod encoder;
mod experience;
mod graph;
mod parameters;
mod policies;
mod policy;
mod questions;
#[cfg(test)]
mod tests;
mod views;

pub use cli::Command;

use anyhow::Result;
use burn::tensor::Device;
use cli::{DeviceName, TrainCommand};
use tandem_cogrip::Split;
use tandem_cogrip::boards::TASKS_SEED;
use tandem_cogrip::tasks::TrainingTasks;
use tandem_core::Seed;
use views::Source;

/// Does what is asked.
///
/// # Errors
/// Input that cannot be used, or a file that cannot be read or written.
pub fn run(command: &Command) -> Result<String> {
    let Command::Train { command } = command;
    match command {
        TrainCommand::Encoder(asked) => {
            let device = device(asked.run.device);
            let settings = encoder::Settings {
                rate: asked.rate,
                steps: asked.steps,
                boards: asked.boards,
                grippers: asked.grippers,
                seed: Seed::new(asked.run.seed)?,
                every: asked.every,
                from: asked.from.clone(),
            };
            let seed = Seed::new(TASKS_SEED)?;
            let source = if asked.fresh_tasks {
                Source::Fresh(TrainingTasks::new(seed))
            } else {
                Source::Set(Split::Train.tasks(seed))
            };
            let encoder =
                encoder::Training::new(settings, &device).run(&source, &asked.run.out, asked.run.stop_after)?;
            let file = asked.run.out.join("encoder.safetensors");
            std::fs::write(&file, tandem_guide::weights::write(&encoder)?)?;
            Ok(format!("{}\n", file.display()))
        }
        TrainCommand::Policies(asked) => policies::run(asked, &device(asked.run.device)),
    }
}

fn device(name: DeviceName) -> Device {
    match name {
        DeviceName::Flex => Device::flex(),
    }
}
