//! What can be asked for.

use crate::cogrip::cli as cogrip;
use clap::{Args, Parser, Subcommand, ValueEnum, value_parser};
use std::path::PathBuf;

/// Play batches of games between agents, measure them, and check what was recorded.
#[derive(Parser)]
#[command(name = "tandem-lab", version)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands.
#[derive(Subcommand)]
pub enum Command {
    /// Gnomes at Night.
    Gnomes {
        /// What to do.
        #[command(subcommand)]
        command: GnomesCommand,
    },
    /// CoGRIP-GL, the reference game.
    Cogrip {
        /// What to do.
        #[command(subcommand)]
        command: cogrip::Command,
    },
    /// The learned Guide of the reference game.
    #[cfg(feature = "train")]
    Guide {
        /// What to do.
        #[command(subcommand)]
        command: crate::guide::Command,
    },
    /// Recorded games.
    Trace {
        /// What to do.
        #[command(subcommand)]
        command: TraceCommand,
    },
    /// Measure how fast the rules and the search run on this machine.
    Bench(Bench),
}

/// The commands about Gnomes at Night.
#[derive(Subcommand)]
pub enum GnomesCommand {
    /// The fewest turns of every round.
    Solve(Solve),
    /// Play games between agents and compare the conditions.
    Eval(Eval),
    /// Read messages and say what they mean.
    Intents(Intents),
    /// Hypothesis H1: is a model better at reading intents than at predicting the next step from the same messages?
    H1(H1),
    /// Turn recorded games into lines for `intents` and `h1`: messages, and what their reader did next.
    Snippets(Snippets),
}

/// The commands about traces.
#[derive(Subcommand)]
pub enum TraceCommand {
    /// Play a trace again and check every line of it.
    Check {
        /// The trace.
        file: PathBuf,
    },
    /// Print a trace as a list of what happened.
    Show {
        /// The trace.
        file: PathBuf,
    },
}

/// `gnomes solve`.
#[derive(Args)]
pub struct Solve {
    /// A board's name, or a file with a level or a JSON layout.
    #[arg(long, value_name = "NAME|FILE")]
    pub board: String,
    /// The seat that begins every round.
    #[arg(long, default_value_t = 0, value_parser = value_parser!(u8).range(0..=1))]
    pub first: u8,
    /// Print a JSON object.
    #[arg(long)]
    pub json: bool,
}

/// `gnomes eval`.
#[derive(Args)]
pub struct Eval {
    /// The agents to compare: one, several with commas between, or `all` for comm, mute and random.
    /// `comm-omniscient` and `mute-omniscient` search the true game, with the partner's walls and every treasure.
    #[arg(long, value_delimiter = ',', required = true)]
    pub agent: Vec<String>,
    /// The partner of all of them, at seat 0.
    #[arg(long, default_value = "simulated")]
    pub partner: String,
    /// How many games each agent plays.
    #[arg(long, default_value_t = 100, value_parser = value_parser!(u32).range(1..=1_000_000))]
    pub games: u32,
    /// The seed of all chance.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// A board's name, or a file with a level or a JSON layout.
    #[arg(long, value_name = "NAME|FILE", default_value = "9A")]
    pub board: String,
    /// Iterations of the planners' search; their own default if not given.
    #[arg(long)]
    pub iterations: Option<u32>,
    /// After how many turns a round is given up.
    #[arg(long, default_value_t = 5000, value_parser = value_parser!(u32).range(1..))]
    pub max_turns: u32,
    /// How many threads play; as many as there are cores if not given. Results do not depend on it.
    #[arg(long, value_parser = value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Print a JSON object.
    #[arg(long)]
    pub json: bool,
    /// Draw turns per round into this file.
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
    /// Write the trace of every game into this directory.
    #[arg(long, value_name = "DIR")]
    pub traces: Option<PathBuf>,
}

/// `gnomes intents`.
#[derive(Args)]
pub struct Intents {
    /// Lines of JSON: `id`, `message`, `last_agent_request`, and maybe the right `flag`.
    #[arg(long)]
    pub file: PathBuf,
    /// Who reads.
    #[arg(long, value_enum, default_value_t = ParserName::Embedded)]
    pub parser: ParserName,
    /// The model, where one reads.
    #[command(flatten)]
    pub model: Model,
}

/// `gnomes h1`.
#[derive(Args)]
pub struct H1 {
    /// Lines of JSON: as for `intents`, all with the right `flag`, and with the `next_action` that the reader of the
    /// message took; maybe `open`, the steps that were open to the reader.
    #[arg(long)]
    pub file: PathBuf,
    /// The model.
    #[command(flatten)]
    pub model: Model,
    /// Print a JSON object.
    #[arg(long)]
    pub json: bool,
}

/// `gnomes snippets`.
#[derive(Args)]
pub struct Snippets {
    /// Traces of games, or directories of them.
    #[arg(required = true, value_name = "FILE|DIR")]
    pub traces: Vec<PathBuf>,
    /// The seat whose messages count.
    #[arg(long, default_value_t = 0, value_parser = value_parser!(u8).range(0..=1))]
    pub speaker: u8,
    /// Annotated messages (lines as for `intents`): an agent's message is exchanged for one of them that means the same
    /// in answer to the same request.
    #[arg(long, value_name = "FILE")]
    pub words: Option<PathBuf>,
    /// At most so many lines, drawn from all.
    #[arg(long, value_name = "N")]
    pub most: Option<usize>,
    /// The seed of both draws.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
}

/// Which language model is asked, and where.
#[derive(Args)]
pub struct Model {
    /// A server that speaks the chat-completions form, as http://127.0.0.1:8080/v1.
    #[arg(long, value_name = "URL")]
    pub endpoint: Option<String>,
    /// The model's name there.
    #[arg(long, value_name = "NAME")]
    pub model: Option<String>,
    /// The environment variable that holds the key, if the server wants one.
    #[arg(long, value_name = "VARIABLE")]
    pub key_env: Option<String>,
    /// Milliseconds to wait for one reply.
    #[arg(long, value_name = "MILLIS", default_value_t = 60_000, value_parser = value_parser!(u64).range(1..))]
    pub within: u64,
}

/// The parsers of messages.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ParserName {
    /// The one inside the library.
    Embedded,
    /// A language model: with --endpoint and --model.
    Llm,
}

/// `bench`.
#[derive(Args)]
pub struct Bench {
    /// Print a JSON object.
    #[arg(long)]
    pub json: bool,
}
