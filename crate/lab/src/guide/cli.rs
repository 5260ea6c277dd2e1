//! What can be asked of `guide`.

use clap::{Args, Subcommand, ValueEnum, value_parser};
use std::path::PathBuf;
use tandem_cogrip::agents::Autonomy;

/// The commands about the learned Guide.
#[derive(Subcommand)]
pub enum Command {
    /// Train it.
    Train {
        /// Which part.
        #[command(subcommand)]
        command: Box<TrainCommand>,
    },
    /// Play the test tasks with every trained Guide of a folder and add the figures to the JSON beside each weights file.
    Describe(Describe),
}

/// `guide describe`.
#[derive(Args)]
pub struct Describe {
    /// The folder of the weights.
    #[arg(long, value_name = "DIR", default_value = "crate/guide/weights")]
    pub weights: PathBuf,
    /// How often every task is played, each time with chance of its own.
    #[arg(long, default_value_t = 3, value_parser = value_parser!(u32).range(1..))]
    pub seeds: u32,
    /// The seed of all chance in the episodes.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// How many threads play; as many as there are cores if not given. Results do not depend on it.
    #[arg(long, value_parser = value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
}

/// What is trained.
#[derive(Subcommand)]
pub enum TrainCommand {
    /// Stage one: the vision encoder, supervised.
    Encoder(EncoderTraining),
    /// Stage two: a policy for each Follower, by PPO.
    Policies(PolicyTraining),
    /// Stage three, for those with patience: encoder and head together, from where the first two stages left them
    /// (--encoder and --from). The gradients flow through the convolutions, which on a processor is very slow: a million
    /// steps are days. Every Follower gets an encoder of its own, FOLLOWER-PHI.encoder.safetensors.
    EndToEnd(PolicyTraining),
}

/// What every training run needs.
#[derive(Args)]
pub struct Run {
    /// Where checkpoints, curves and weights go. A run that finds its checkpoint there goes on from it.
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
    /// The seed of all chance.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// What computes.
    #[arg(long, value_enum, default_value_t = DeviceName::Flex)]
    pub device: DeviceName,
    /// Stop after so many more steps, as if the run had been killed.
    #[arg(long, value_name = "STEPS")]
    pub stop_after: Option<u32>,
    /// The commit of the code, for the JSON beside the weights; asked of git if not given.
    #[arg(long)]
    pub commit: Option<String>,
}

/// Devices.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum DeviceName {
    /// The processor, with burn's own kernels.
    Flex,
}

/// `guide train encoder`.
#[derive(Args)]
pub struct EncoderTraining {
    /// Every run has these.
    #[command(flatten)]
    pub run: Run,
    /// Batches.
    #[arg(long, default_value_t = 3000, value_parser = value_parser!(u32).range(1..))]
    pub steps: u32,
    /// Boards of a batch.
    #[arg(long, default_value_t = 16)]
    pub boards: usize,
    /// Grippers on each board.
    #[arg(long, default_value_t = 8)]
    pub grippers: usize,
    /// Adam's rate at the start; it falls in a line to a hundredth.
    #[arg(long, default_value_t = 1e-3)]
    pub rate: f64,
    /// Batches between two checkpoints.
    #[arg(long, default_value_t = 50, value_parser = value_parser!(u32).range(1..))]
    pub every: u32,
    /// Draw a new board each time by the rules of the training tasks, instead of one of their 700.
    #[arg(long)]
    pub fresh_tasks: bool,
    /// Start from what an earlier run left in this directory: its checkpoint, and its encoder.json.
    #[arg(long, value_name = "DIR")]
    pub from: Option<PathBuf>,
}

/// `guide train policies` and `guide train end-to-end`. The defaults are the paper's (Table 6, section 5).
#[derive(Args)]
pub struct PolicyTraining {
    /// Every run has these; here a step is a round.
    #[command(flatten)]
    pub run: Run,
    /// The encoder's weights.
    #[arg(long, value_name = "FILE")]
    pub encoder: PathBuf,
    /// Go on from the heads in this folder, and their JSON, instead of new ones.
    #[arg(long, value_name = "DIR")]
    pub from: Option<PathBuf>,
    /// For which Followers.
    #[arg(long, value_enum, default_value_t = Followers::Both)]
    pub follower: Followers,
    /// For which confidence discounts: `all`, or numbers with commas between.
    #[arg(long, default_value = "all")]
    pub phi: String,
    /// Train on so many tasks drawn anew by the rules of the training tasks, instead of on those 2,500.
    #[arg(long, value_name = "TASKS")]
    pub fresh_tasks: Option<usize>,
    /// The share of them that have two pieces in one area, which words cannot tell where to look for. By the rules alone
    /// they are less than one in a hundred.
    #[arg(long, value_name = "SHARE", default_value_t = 0.0, requires = "fresh_tasks", value_parser = share)]
    pub crowded: f64,
    /// Steps of each policy, without those of cloning.
    #[arg(long, default_value_t = 1_000_000)]
    pub steps: u64,
    /// Steps of a round for each environment.
    #[arg(long, default_value_t = 128)]
    pub n_steps: u32,
    /// Environments.
    #[arg(long, default_value_t = 4)]
    pub n_envs: u32,
    /// Steps of a small batch.
    #[arg(long, default_value_t = 128)]
    pub batch_size: usize,
    /// Times a round is gone over.
    #[arg(long, default_value_t = 10)]
    pub n_epochs: u32,
    /// Adam's rate at the start; it falls in a line to a tenth.
    #[arg(long, default_value_t = 3e-4)]
    pub learning_rate: f64,
    /// Discount of a step.
    #[arg(long, default_value_t = 0.99)]
    pub gamma: f32,
    /// Share of the estimate that looks further ahead.
    #[arg(long, default_value_t = 0.95)]
    pub gae_lambda: f32,
    /// Weight of the entropy.
    #[arg(long, default_value_t = 0.0)]
    pub ent_coef: f32,
    /// Weight of what the hand-written Guide would have said in episodes that failed; half way through it has fallen to
    /// nothing.
    #[arg(long, default_value_t = 0.0)]
    pub advice_coef: f32,
    /// How far an intent's likelihood may move within a round.
    #[arg(long, default_value_t = 0.2)]
    pub clip_range: f32,
    /// Rounds of cloning the hand-written Guide before.
    #[arg(long, default_value_t = 0)]
    pub clone_rounds: u32,
    /// Adam's rate while cloning.
    #[arg(long, default_value_t = 1e-3)]
    pub clone_rate: f64,
    /// Rounds between two evaluations.
    #[arg(long, default_value_t = 195)]
    pub every: u32,
    /// Times each validation task is played in an evaluation.
    #[arg(long, default_value_t = 1)]
    pub validations: u32,
}

fn share(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "not a number from 0 to 1".to_string())
}

/// The Followers to train for.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Followers {
    /// Those that do what they are told.
    Cautious,
    /// Those that look for themselves.
    Eager,
    /// All.
    Both,
}

impl Followers {
    /// How much they do by themselves.
    pub fn autonomies(self) -> Vec<Autonomy> {
        match self {
            Self::Cautious => vec![Autonomy::Cautious],
            Self::Eager => vec![Autonomy::Eager],
            Self::Both => Autonomy::ALL.to_vec(),
        }
    }
}
