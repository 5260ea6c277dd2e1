//! `guide train`: the learned Guide of the reference game (sections 3.5 and 5, appendix A.3 and A.4 of its paper).
//!
//! The idea: end to end a million steps are days of work for two cores, nearly all of it the convolutions. So the encoder
//! learns to see first ([`encoder`]), supervised, and is then left alone; what it sees depends only on the task and the
//! gripper's tile, and is kept. The policies learn from that ([`policies`]), a small network for each Follower.
//! From there both can go on together, end to end.

mod cli;
mod curves;
mod describe;
mod encoder;
mod experience;
mod graph;
mod papers;
mod parameters;
mod policies;
mod policy;
mod questions;
#[cfg(test)]
mod tests;
mod views;
mod whole;

pub use cli::Command;

use anyhow::Result;
use burn::tensor::Device;
use cli::{DeviceName, TrainCommand};
use policies::Learner;

/// Does what is asked.
///
/// # Errors
/// Input that cannot be used, or a file that cannot be read or written.
pub fn run(command: &Command) -> Result<String> {
    match command {
        Command::Train { command } => match command.as_ref() {
            TrainCommand::Encoder(asked) => encoder::run(asked, &device(asked.run.device)),
            TrainCommand::Policies(asked) => policies::run(asked, Learner::Heads, &device(asked.run.device)),
            TrainCommand::EndToEnd(asked) => policies::run(asked, Learner::Whole, &device(asked.run.device)),
        },
        Command::Describe(asked) => describe::run(asked),
    }
}

fn device(name: DeviceName) -> Device {
    match name {
        DeviceName::Flex => Device::flex(),
    }
}
