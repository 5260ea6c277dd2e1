//! The command line of Tandem: play batches of games between agents, measure them, and check what was recorded.
//!
//! # The tour
//!
//! [`run`] is the whole program. `cli` says what can be asked for; `solve`, `eval`, `intents`, `h1`, `snippets`, `trace`
//! and `bench` answer, one command a module, `cogrip` holds the commands about the reference game, and `model` asks
//! language models. Results go to standard output and nothing else does; words for people go to standard error.
//!
//! Exit codes: 0 done, 1 something failed here, 2 the input is wrong (also an unknown option), with the reason on
//! standard error.

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used))]

mod bench;
mod board;
mod cli;
mod cogrip;
mod eval;
mod failure;
#[cfg(feature = "train")]
mod guide;
mod h1;
mod intents;
mod model;
mod snippets;
mod solve;
mod trace;

use clap::Parser;
use cli::{Cli, Command, GnomesCommand, TraceCommand};
use std::ffi::OsString;
use std::io::{self, ErrorKind, Write};
use std::process::ExitCode;

/// Runs the program with these arguments, the program's name first.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let cli = match Cli::try_parse_from(arguments) {
        Ok(cli) => cli,
        Err(error) => {
            // Help and version are no errors and go to standard output; clap knows which is which.
            let _ = error.print();
            return if error.use_stderr() { ExitCode::from(2) } else { ExitCode::SUCCESS };
        }
    };
    match answer(cli.command).and_then(|text| print(&text)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::from(failure::code(&error))
        }
    }
}

/// What the command has to say on standard output.
fn answer(command: Command) -> anyhow::Result<String> {
    match command {
        Command::Gnomes { command: GnomesCommand::Solve(asked) } => solve::run(&asked),
        Command::Gnomes { command: GnomesCommand::Eval(asked) } => eval::run(&asked),
        Command::Gnomes { command: GnomesCommand::Intents(asked) } => intents::run(&asked),
        Command::Gnomes { command: GnomesCommand::H1(asked) } => h1::run(&asked),
        Command::Gnomes { command: GnomesCommand::Snippets(asked) } => snippets::run(&asked),
        Command::Cogrip { command } => cogrip::run(&command),
        #[cfg(feature = "train")]
        Command::Guide { command } => guide::run(&command),
        Command::Trace { command: TraceCommand::Check { file } } => trace::check(&file),
        Command::Trace { command: TraceCommand::Show { file } } => trace::show(&file),
        Command::Bench(asked) => bench::run(&asked),
    }
}

/// Prints; a reader that has heard enough (`| head`) is no failure.
fn print(text: &str) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(()),
    }
}
