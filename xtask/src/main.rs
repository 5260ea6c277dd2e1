//! Chores of the Tandem workspace, as `cargo xtask <command>`.
//!
//! Every command does its own set-up: whatever it needs and can install, it installs, saying so in one line;
//! what cannot be had is reported with its cause and its mend.
//! Results are kept by the hash of their inputs ([`stamp`]), so a second run does only what changed.

mod apt;
mod bench;
mod browser;
mod clients;
mod dist;
mod npm;
mod project;
mod rust;
mod serve;
mod shell;
mod site;
mod stamp;
mod test;
mod tidy;
mod toolchain;
mod tree;
mod wasm;

use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, Subcommand, ValueEnum};
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
    /// Build what changed and open the site at http://127.0.0.1:8080 (or the next free port), with the proxy (scripted
    /// replies) and the data sink beside it.
    Serve {
        /// The port to start looking from.
        #[arg(long, default_value_t = 8080)]
        port: u16,
        /// Do not open the browser.
        #[arg(long)]
        no_open: bool,
    },
    /// Build the wasm library, its bindings, the elements and the site.
    Build {
        /// Build just this.
        part: Option<BuildPart>,
    },
    /// Prove everything: formatting, lints, tests, the site in real browsers.
    Test {
        /// Prove just this part.
        part: Option<test::Part>,
        /// Arguments for Playwright, after `--`.
        #[arg(last = true)]
        playwright: Vec<String>,
    },
    /// Measure sizes and speeds: METRIC lines and bench.json.
    Bench,
    /// Try OpenAI's own client libraries, for Python and Node, on the server with scripted replies.
    Clients,
    /// Write the static site as a folder and a zip into dist/.
    Dist,
    /// Check that sources and documents agree.
    Tidy,
}

/// A part of the build that is of use alone.
#[derive(Clone, Copy, ValueEnum)]
enum BuildPart {
    /// pkg/wasm/: the library and its bindings.
    Wasm,
    /// pkg/gpu/: the Guide on the GPU, which everyday builds leave out (a quarter of an hour the first time).
    Gpu,
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
        Command::Serve { port, no_open } => serve::serve(&project, port, !no_open),
        Command::Build { part: Some(BuildPart::Wasm) } => site::build_library(&project, &wasm::BASE).map(drop),
        Command::Build { part: Some(BuildPart::Gpu) } => site::build_library(&project, &wasm::GPU).map(drop),
        Command::Build { part: None } => site::build(&project).map(drop),
        Command::Test { part, playwright } => test::test(&project, part, &playwright),
        Command::Bench => bench::bench(&project),
        Command::Clients => clients::clients(&project),
        Command::Dist => dist::dist(&project),
        Command::Tidy => tidy::tidy(&project),
    }
}
