//! Chores of the Tandem workspace, as `cargo xtask <command>`.
//!
//! Every command does its own set-up: whatever it needs and can install, it installs, saying so in one line;
//! what cannot be had is reported with its cause and its mend.
//! Results are kept by the hash of their inputs ([`stamp`]), so a second run does only what changed.

mod apt;
mod project;
mod shell;
mod stamp;
mod toolchain;
mod wasm;

use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, Subcommand};
use project::Project;

/// Chores of the Tandem workspace.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Build the wasm library, its bindings, the elements and the site.
    Build,
}

fn main() -> ExitCode {
    match chore(Cli::parse().command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn chore(command: Command) -> Result<()> {
    let project = Project::here()?;
    match command {
        Command::Build => wasm::build(&project).map(drop),
    }
}
