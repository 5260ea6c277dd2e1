//! What can be asked about the reference game.

use clap::{Args, Subcommand, ValueEnum, value_parser};
use std::path::PathBuf;
use tandem_cogrip::Split;
use tandem_cogrip::agents::{Autonomy, PHIS, Readings};
use tandem_cogrip::boards::TASKS_SEED;

/// Where the trained weights lie, seen from the repository's root.
const WEIGHTS: &str = "crate/guide/weights";

/// The commands about CoGRIP-GL.
#[derive(Subcommand)]
pub enum Command {
    /// Play episodes of a Guide with Followers and print the paper's tables.
    Eval(Eval),
    /// Write the three sets of tasks as files.
    Tasks(Tasks),
    /// Play one episode, step by step.
    Play(Play),
}

/// `cogrip eval`.
#[derive(Args)]
pub struct Eval {
    /// The Guide: silent, reference (the mean over the six orders, each fixed for the episode), one order (pcs, psc, cps,
    /// csp, spc, scp), random, heuristic, or ppo: the trained one.
    #[arg(long)]
    pub guide: String,
    /// The folder of the trained Guides' weights.
    #[arg(long, value_name = "DIR", default_value = WEIGHTS)]
    pub weights: PathBuf,
    /// The Follower.
    #[arg(long, value_enum, default_value_t = FollowerName::Both)]
    pub follower: FollowerName,
    /// The Follower's confidence discounts, with commas between, or `all` for 0.75, 0.85, 0.90, 0.95, 0.97, 0.99.
    #[arg(long, default_value = "all", value_parser = phis)]
    pub phi: Phis,
    /// The set of tasks.
    #[arg(long, value_enum, default_value_t = SplitName::Test)]
    pub split: SplitName,
    /// A task file, in place of the set.
    #[arg(long, value_name = "FILE", conflicts_with = "split")]
    pub tasks: Option<PathBuf>,
    /// How often every task is played, each time with chance of its own.
    #[arg(long, default_value_t = 3, value_parser = value_parser!(u32).range(1..=1000))]
    pub seeds: u32,
    /// The seed of all chance in the episodes.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// How many threads play; as many as there are cores if not given. Results do not depend on it.
    #[arg(long, value_parser = value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// How the paper is read where it leaves the Follower open: an object with the readings to change.
    #[arg(long, value_name = "JSON", default_value = "{}", value_parser = readings)]
    pub readings: Readings,
    /// Print a JSON object.
    #[arg(long)]
    pub json: bool,
    /// Draw the paper's Figures 4 to 6 into this directory, with their data as `figures.json`.
    #[arg(long, value_name = "DIR")]
    pub svg: Option<PathBuf>,
    /// Write every episode into this file, one a line.
    #[arg(long, value_name = "FILE")]
    pub csv: Option<PathBuf>,
}

/// `cogrip tasks`.
#[derive(Args)]
pub struct Tasks {
    /// Where train.jsonl, val.jsonl and test.jsonl go.
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
    /// The seed of the sets; the published ones have the default.
    #[arg(long, default_value_t = TASKS_SEED)]
    pub seed: u64,
}

/// `cogrip play`.
#[derive(Args)]
pub struct Play {
    /// Draw the board at every step; without it, each step is one line.
    #[arg(long)]
    pub render: bool,
    /// A level's name, `test-0` (and `val-`, `train-`), `random`, `random-SIZE` or `random-SIZE-PIECES`.
    #[arg(long, default_value = "test-0")]
    pub board: String,
    /// The Guide, as in `eval`; `reference` is `pcs`.
    #[arg(long, default_value = "heuristic")]
    pub guide: String,
    /// The folder of the trained Guides' weights.
    #[arg(long, value_name = "DIR", default_value = WEIGHTS)]
    pub weights: PathBuf,
    /// The Follower.
    #[arg(long, value_enum, default_value_t = OneFollower::Cautious)]
    pub follower: OneFollower,
    /// The Follower's confidence discount.
    #[arg(long, default_value = "0.95", value_parser = phi)]
    pub phi: f64,
    /// The seed of all chance.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
}

/// Followers to average over.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum FollowerName {
    /// Does what it is told.
    Cautious,
    /// Looks for the target by itself.
    Eager,
    /// One after the other.
    Both,
}

impl FollowerName {
    /// Who is meant.
    pub fn autonomies(self) -> Vec<Autonomy> {
        match self {
            Self::Cautious => vec![Autonomy::Cautious],
            Self::Eager => vec![Autonomy::Eager],
            Self::Both => Autonomy::ALL.to_vec(),
        }
    }
}

/// A Follower.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum OneFollower {
    /// Does what it is told.
    Cautious,
    /// Looks for the target by itself.
    Eager,
}

impl From<OneFollower> for Autonomy {
    fn from(name: OneFollower) -> Self {
        match name {
            OneFollower::Cautious => Self::Cautious,
            OneFollower::Eager => Self::Eager,
        }
    }
}

/// The sets of tasks.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum SplitName {
    /// 2,500 tasks on 700 boards.
    Train,
    /// 175 tasks.
    Val,
    /// 420 tasks.
    Test,
}

impl From<SplitName> for Split {
    fn from(name: SplitName) -> Self {
        match name {
            SplitName::Train => Self::Train,
            SplitName::Val => Self::Val,
            SplitName::Test => Self::Test,
        }
    }
}

/// Confidence discounts, rising, none twice.
#[derive(Clone, Debug, PartialEq)]
pub struct Phis(pub Vec<f64>);

fn phis(text: &str) -> Result<Phis, String> {
    if text == "all" {
        return Ok(Phis(PHIS.to_vec()));
    }
    let mut phis = text.split(',').map(phi).collect::<Result<Vec<f64>, _>>()?;
    phis.sort_by(f64::total_cmp);
    phis.dedup();
    Ok(Phis(phis))
}

fn phi(text: &str) -> Result<f64, String> {
    let number = text.trim().parse::<f64>().ok().filter(|number| (0.0..=1.0).contains(number));
    // -0.0 is in the range, and would be a name of its own.
    number.map(f64::abs).ok_or_else(|| format!("{text:?} is not a number from 0 to 1"))
}

fn readings(text: &str) -> Result<Readings, String> {
    serde_json::from_str(text).map_err(|error| error.to_string())
}
