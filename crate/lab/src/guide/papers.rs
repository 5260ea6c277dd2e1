//! The papers beside each weights file: what it was trained on and how, what it came to, and what it must compute.
//!
//! Training writes them when it writes weights; `guide describe` adds how the Guides do on the test tasks.

use super::cli::Run;
use super::policy::{Score, Settings};
use crate::failure::{self, bad};
use anyhow::{Context, Result};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use tandem_cogrip::agents::Autonomy;
use tandem_cogrip::boards::TASKS_SEED;
use tandem_cogrip::{Split, Task};
use tandem_core::Seed;
use tandem_guide::network::{Encoder, Head, INTENTS};
use tandem_guide::vision::Vision;
use tandem_guide::{Cpu, Guide as _};

/// How many of the features are written down.
const FEATURES: usize = 8;

/// Where the tasks came from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Tasks {
    /// The 2,500 of the training set.
    TrainingSet,
    /// A new board for every row of a batch, by the rules of the training set.
    Endless,
    /// So many drawn by the rules of the training set.
    Fresh {
        /// How many.
        count: usize,
        /// The share that had two pieces in one area.
        crowded: f64,
    },
}

/// Figures on the test tasks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Test {
    /// Tasks.
    pub tasks: usize,
    /// How often each was played with each Follower.
    pub repeats: u32,
    /// The seed of the episodes.
    pub seed: u64,
    /// What came of it.
    #[serde(flatten)]
    pub score: Score,
}

/// About an encoder.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OfEncoder {
    /// Of the weights file.
    pub sha256: String,
    /// Of the code that trained it.
    pub commit: String,
    /// The boards.
    pub tasks: Tasks,
    /// Of all chance.
    pub seed: u64,
    /// Adam's rate at the start.
    pub rate: f64,
    /// Boards of a batch.
    pub boards: usize,
    /// Grippers on each board.
    pub grippers: usize,
    /// Batches, those of the run it began with not counted.
    pub steps: u32,
    /// The run it began with.
    pub from: Option<Box<OfEncoder>>,
    /// On the boards of the validation tasks: the loss, and the share of right answers to each question.
    pub validation: BTreeMap<String, f64>,
    /// The first features of the [`golden`] situation.
    pub golden_features: [f32; FEATURES],
    /// All Followers together, each with the Guide of its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub test: Option<Test>,
}

/// About a head.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OfHead {
    /// The Follower it was trained with.
    pub follower: Autonomy,
    /// Its confidence discount.
    pub phi: f64,
    /// Of the weights file.
    pub sha256: String,
    /// Of the file of the encoder it was trained with.
    pub encoder_sha256: String,
    /// The head that the run began with; none if it was a new one. End to end, the encoder is another than before too.
    pub from: Option<Box<OfHead>>,
    /// Of the code that trained it.
    pub commit: String,
    /// The tasks.
    pub tasks: Tasks,
    /// Of all chance.
    pub seed: u64,
    /// How.
    pub settings: Settings,
    /// Steps of training in all.
    pub steps: u64,
    /// After how many of them the kept policy was found.
    pub kept_at: u64,
    /// Of the kept policy, on the validation tasks, drawing from its distribution.
    pub validation: Score,
    /// The logits at the first step in the [`golden`] situation.
    pub golden_logits: [f32; INTENTS],
    /// The value there.
    pub golden_value: f32,
    /// With this Follower.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub test: Option<Test>,
}

/// The situation that the files say the outputs of: the first validation task, the gripper where episodes begin.
pub fn golden() -> Result<Task> {
    let tasks = Split::Val.tasks(Seed::new(TASKS_SEED)?);
    tasks.into_iter().next().context("there is no validation task")
}

/// The first features of the golden situation.
pub fn golden_features(encoder: &Encoder) -> Result<[f32; FEATURES]> {
    let Task { board, target } = golden()?;
    let features = Vision::new(encoder).features_from_nothing(&board, target, board.start());
    let features = features.context("the golden board has another size")?;
    Ok(std::array::from_fn(|at| features[at]))
}

/// Logits and value of the golden situation.
pub fn golden_output(encoder: &Encoder, head: &Head) -> Result<([f32; INTENTS], f32)> {
    let Task { board, target } = golden()?;
    let mut guide = Cpu::new(encoder, head);
    guide.begin(&board, target);
    let output = guide.step(board.start()).context("the golden board has another size")?;
    Ok((output.logits, output.value))
}

/// The SHA-256 of a file's bytes, in hexadecimal digits.
pub fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The commit of the code: as told, or what git says of this directory.
pub fn commit(run: &Run) -> String {
    let asked = || {
        let said = Command::new("git").args(["describe", "--always", "--abbrev=40", "--dirty", "--exclude=*"]).output();
        said.ok().filter(|said| said.status.success()).and_then(|said| String::from_utf8(said.stdout).ok())
    };
    run.commit.clone().or_else(asked).map_or_else(|| "unknown".to_string(), |commit| commit.trim().to_string())
}

/// Reads the papers of `name` in a folder.
///
/// # Errors
/// There are none, or they are not such papers.
pub fn read<P: DeserializeOwned>(folder: &Path, name: &str) -> Result<P> {
    let file = folder.join(format!("{name}.json"));
    serde_json::from_str(&failure::read_text(&file)?).map_err(|error| bad(format_args!("{}: {error}", file.display())))
}

/// Writes the papers of `name` into a folder.
///
/// # Errors
/// The file cannot be written.
pub fn write<P: Serialize>(folder: &Path, name: &str, papers: &P) -> Result<()> {
    let file = folder.join(format!("{name}.json"));
    let text = serde_json::to_string_pretty(papers)? + "\n";
    std::fs::write(&file, text).with_context(|| file.display().to_string())
}
