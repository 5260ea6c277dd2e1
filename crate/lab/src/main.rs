//! `tandem-lab`: batches of games and the papers' tables, from the command line.

use std::process::ExitCode;

fn main() -> ExitCode {
    tandem_lab::run(std::env::args_os())
}
