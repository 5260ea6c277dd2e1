//! Stage two: a policy for one Follower, by recurrent PPO (section 3.5; Schulman and others, 2017).
//!
//! The idea: a round plays whole episodes with the policy as it is, reckons how much better each intent turned out than
//! expected (generalised advantage estimation), and then goes several times over what it lived, in small batches of whole
//! episodes: intents that turned out well become likelier, but in a batch's gradient no more than the clip allows. The
//! gradient flows back to the start of each episode. The first rounds are another lesson: they clone the hand-written
//! Guide, so that the policy starts from one that plays well and knows how to end an episode.
//!
//! PPO finds nothing that a policy no longer tries. Where episodes fail the teacher may therefore advise: what it would have
//! said at each of their steps is made likelier beside PPO's own gradient ("kickstarting"; Schmitt and others, 2018), less
//! and less up to the middle of the run. What the policy lived stays its own, and its successes are left to PPO.
//!
//! The encoder is left alone ([`Stage::Head`]) or learns too ([`Stage::Whole`], end to end): then what it sees of a board
//! changes from round to round and nothing of it can be kept. Its batch norms go by the running moments, which stay as
//! they are.
//!
//! Every round draws from a stream named by its number and starts episodes anew, so a run that was stopped goes on as if it
//! had not been.

use super::curves::Curves;
use super::encoder::fresh;
use super::experience::{Lived, Speaker, Step, play_all};
use super::graph::{decide, encode};
use super::parameters::{Parameters, flat, numbers};
use super::whole::Whole;
use crate::cogrip::sights::Sights;
use anyhow::Result;
use burn::tensor::activation::log_softmax;
use burn::tensor::{Device, Int, Tensor, TensorData};
use rand::RngExt;
use rand::seq::SliceRandom;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::path::Path;
use std::time::Instant;
use tandem_cogrip::eval::Partner;
use tandem_cogrip::language::Situation;
use tandem_cogrip::observation::{CHANNELS, SIDE, observe};
use tandem_cogrip::rules::MOST_STEPS;
use tandem_cogrip::{Cell, Intent, Task};
use tandem_core::{Seed, Stream};
use tandem_guide::head::Mind;
use tandem_guide::network::{Encoder, Head, WIDTH};

/// How to train: names and meanings are those of the paper's Table 6.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// Adam's rate at the start; it falls in a line to a tenth.
    pub learning_rate: f64,
    /// How far an intent's likelihood may move within a round before its gradient is cut.
    pub clip_range: f32,
    /// Discount of a step.
    pub gamma: f32,
    /// Share of the estimate that looks further ahead.
    pub gae_lambda: f32,
    /// Weight of the entropy.
    pub ent_coef: f32,
    /// Weight of the value's error.
    pub vf_coef: f32,
    /// Weight of the teacher's advice, in episodes that failed, at the start; half way through it has fallen to nothing.
    #[serde(default)]
    pub advice_coef: f32,
    /// Greatest norm of the gradient.
    pub max_grad_norm: f32,
    /// Steps of a round for each environment.
    pub n_steps: u32,
    /// Environments.
    pub n_envs: u32,
    /// Steps of a small batch, at least.
    pub batch_size: usize,
    /// Times a round is gone over.
    pub n_epochs: u32,
    /// Steps in all, without those of cloning.
    pub steps: u64,
    /// Rounds of cloning before.
    pub clone_rounds: u32,
    /// Adam's rate while cloning.
    pub clone_rate: f64,
    /// Rounds between two evaluations.
    pub every: u32,
    /// Times each validation task is played in an evaluation.
    pub validations: u32,
}

/// Figures of an evaluation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Score {
    /// Mean reward (Equation 4).
    pub reward: f64,
    /// Share of episodes that ended with the target.
    pub success: f64,
    /// Mean number of steps.
    pub length: f64,
    /// Mean effort of the Guide (Equation 3).
    pub effort: f64,
}

impl Score {
    /// Of these episodes.
    pub fn of(lived: &[Lived]) -> Self {
        let count = lived.len().max(1) as f64;
        let mean = |of: &dyn Fn(&Lived) -> f64| lived.iter().map(of).sum::<f64>() / count;
        Self {
            reward: mean(&|one| one.ending.reward()),
            success: mean(&|one| f64::from(u8::from(one.ending.success))),
            length: mean(&|one| f64::from(one.ending.steps)),
            effort: mean(&|one| one.ending.effort()),
        }
    }
}

/// What a run ended with.
pub struct Trained {
    /// The best policy of the evaluations.
    pub head: Head,
    /// Its encoder, if that learned too.
    pub encoder: Option<Encoder>,
    /// How it did on the validation tasks.
    pub best: Score,
    /// After how many steps it was reached.
    pub at: u64,
    /// Steps in all.
    pub steps: u64,
}

/// What learns, and on what.
pub enum Stage<'a> {
    /// A head. The encoder is left alone, so what it sees is kept.
    Head {
        /// Where it is; a new one if there is none.
        from: Option<&'a Head>,
        /// Training tasks, seen.
        train: &'a Sights,
        /// Validation tasks, seen.
        validation: &'a Sights,
    },
    /// Encoder and head, from where they are.
    Whole {
        /// Where they are.
        from: &'a Whole,
        /// Training tasks.
        train: &'a [Task],
        /// Validation tasks.
        validation: &'a [Task],
    },
}

/// Which tasks.
#[derive(Clone, Copy)]
enum Set {
    Train,
    Validation,
}

impl Set {
    fn of<T>(self, train: T, validation: T) -> T {
        match self {
            Self::Train => train,
            Self::Validation => validation,
        }
    }
}

impl Stage<'_> {
    /// The network before training, with all chance of its weights from `seed`.
    fn start(&self, seed: Seed, device: &Device) -> Parameters {
        match self {
            Self::Head { from: Some(from), .. } => Parameters::of(*from, device),
            Self::Head { .. } => Parameters::of(&fresh::<Head>(&mut seed.stream("weights")), device),
            Self::Whole { from, .. } => Parameters::of(*from, device),
        }
    }

    /// The encoder, if it learns, and the head.
    fn parts(&self, network: &Parameters) -> (Option<Encoder>, Head) {
        match self {
            Self::Head { .. } => (None, network.part()),
            Self::Whole { .. } => {
                let Whole { encoder, head } = network.part();
                (Some(encoder), head)
            }
        }
    }

    /// Does something with what a network sees of some tasks, and with its head.
    fn look<R>(&self, set: Set, network: &Parameters, act: impl FnOnce(&Sights, &Head) -> R) -> R {
        match self {
            Self::Head { train, validation, .. } => act(set.of(train, validation), &network.part()),
            Self::Whole { train, validation, .. } => {
                let tasks = set.of(train, validation);
                let Whole { encoder, head } = network.part();
                act(&Sights::new(&encoder, tasks.to_vec()), &head)
            }
        }
    }

    /// Episodes that are played at a time in a round: few where each costs the encoder's work.
    fn episodes(&self) -> usize {
        match self {
            Self::Head { .. } => 128,
            Self::Whole { .. } => 16,
        }
    }
}

/// A run for one Follower.
pub struct Training<'a> {
    /// How.
    pub settings: &'a Settings,
    /// What learns.
    pub stage: Stage<'a>,
    /// The Follower.
    pub partner: Partner,
    /// All chance of this run.
    pub seed: Seed,
    /// What computes.
    pub device: &'a Device,
}

/// Where a run stands.
struct State {
    network: Parameters,
    best: Parameters,
    round: u32,
    steps: u64,
    score: Score,
    at: u64,
}

const COLUMNS: [&str; 13] = [
    "round",
    "steps",
    "reward",
    "success",
    "length",
    "effort",
    "loss",
    "entropy",
    "kl",
    "val-reward",
    "val-success",
    "val-effort",
    "steps-per-second",
];

impl Training<'_> {
    /// Trains to the end, or for so many more rounds, writing checkpoints and curves beside `name` in a directory.
    ///
    /// # Errors
    /// Something cannot be read or written.
    pub fn run(&self, directory: &Path, name: &str, more: Option<u32>) -> Result<Trained> {
        std::fs::create_dir_all(directory)?;
        let mut curves = Curves::open(directory.join(format!("{name}.csv")), COLUMNS.map(str::to_string).into())?;
        let mut state = self.start(directory, name)?;
        curves.cut(f64::from(state.round))?;
        let last = more.map(|more| state.round + more);
        while state.steps < self.settings.steps && last.is_none_or(|last| state.round < last) {
            let began = Instant::now();
            let before = state.steps;
            let (lived, lesson) = self.round(&mut state);
            let mut row = vec![f64::from(state.round), state.steps as f64];
            let Score { reward, success, length, effort } = Score::of(&lived);
            row.extend([reward, success, length, effort, lesson.loss, lesson.entropy, lesson.kl]);
            let over = state.steps >= self.settings.steps;
            if state.round.is_multiple_of(self.settings.every) || over || last == Some(state.round) {
                let score = self.validate(&state.network);
                let cloned = state.round >= self.settings.clone_rounds;
                if cloned && score.reward > state.score.reward {
                    (state.score, state.at) = (score, state.steps);
                    state.best = state.network.bare();
                }
                row.extend([score.reward, score.success, score.effort]);
                let played =
                    lived.iter().map(|one| one.steps.len()).sum::<usize>().max((state.steps - before) as usize);
                row.push(played as f64 / began.elapsed().as_secs_f64());
                curves.push(&row)?;
                eprintln!("{name} {}", curves.line(&row));
                self.save(&state, directory, name)?;
            }
        }
        let (encoder, head) = self.stage.parts(&state.best);
        Ok(Trained { head, encoder, best: state.score, at: state.at, steps: state.steps })
    }

    /// From the checkpoint, or new.
    fn start(&self, directory: &Path, name: &str) -> Result<State> {
        let network = self.stage.start(self.seed, self.device);
        let mut state = State {
            best: network.bare(),
            network,
            round: 0,
            steps: 0,
            score: Score { reward: f64::NEG_INFINITY, ..Score::default() },
            at: 0,
        };
        let file = directory.join(format!("{name}.checkpoint"));
        if file.exists() {
            let words = state.network.load(&file)?;
            state.best.load(&directory.join(format!("{name}.best")))?;
            let word = |name: &str| words.get(name).cloned().unwrap_or_default();
            (state.round, state.steps, state.at) =
                (word("round").parse()?, word("steps").parse()?, word("at").parse()?);
            let number = |name: &str| word(name).parse::<f64>();
            state.score = Score {
                reward: number("reward")?,
                success: number("success")?,
                length: number("length")?,
                effort: number("effort")?,
            };
        }
        Ok(state)
    }

    fn save(&self, state: &State, directory: &Path, name: &str) -> Result<()> {
        let State { network, best, round, steps, score, at } = state;
        let words = [
            ("round", round.to_string()),
            ("steps", steps.to_string()),
            ("at", at.to_string()),
            ("reward", score.reward.to_string()),
            ("success", score.success.to_string()),
            ("length", score.length.to_string()),
            ("effort", score.effort.to_string()),
        ];
        best.save(&directory.join(format!("{name}.best")), Default::default())?;
        let words = words.into_iter().map(|(name, word)| (name.to_string(), word)).collect();
        network.save(&directory.join(format!("{name}.checkpoint")), words)
    }

    fn validate(&self, network: &Parameters) -> Score {
        self.stage.look(Set::Validation, network, |sights, head| {
            let count = sights.tasks().len();
            let tasks: Vec<usize> =
                (0..count * self.settings.validations as usize).map(|number| number % count).collect();
            let mind = Mind::new(head);
            let seed = self.seed.part("validation");
            Score::of(&play_all(sights, &tasks, Speaker::Drawing(&mind), self.partner, seed))
        })
    }

    /// Plays and learns.
    fn round(&self, state: &mut State) -> (Vec<Lived>, Lesson) {
        let seed = self.seed.part(&format!("round/{}", state.round));
        let mut chance = seed.stream("lessons");
        let cloning = state.round < self.settings.clone_rounds;
        let wanted = (self.settings.n_steps * self.settings.n_envs) as usize;
        let mut lived: Vec<Lived> = Vec::new();
        let mut steps = 0;
        self.stage.look(Set::Train, &state.network, |sights, head| {
            let mind = Mind::new(head);
            let speaker = if cloning { Speaker::Teacher } else { Speaker::Drawing(&mind) };
            for part in 0.. {
                if steps >= wanted {
                    break;
                }
                let any = |_| chance.random_range(0..sights.tasks().len());
                let tasks: Vec<usize> = (0..self.stage.episodes()).map(any).collect();
                let more = play_all(sights, &tasks, speaker, self.partner, seed.part(&format!("part/{part}")));
                steps += more.iter().map(|one| one.steps.len()).sum::<usize>();
                lived.extend(more);
            }
        });
        let lesson = self.learn(state, &lived, cloning, &mut chance);
        state.round += 1;
        if !cloning {
            state.steps += steps as u64;
        }
        (lived, lesson)
    }

    /// Goes over a round's episodes.
    fn learn(&self, state: &mut State, lived: &[Lived], cloning: bool, chance: &mut Stream) -> Lesson {
        // While cloning nothing was expected; all that counts is what came.
        let lambda = if cloning { 1.0 } else { self.settings.gae_lambda };
        let estimates: Vec<Estimates> = lived.iter().map(|one| estimate(one, self.settings.gamma, lambda)).collect();
        let done = state.steps as f64 / self.settings.steps as f64;
        let rate = if cloning { self.settings.clone_rate } else { self.settings.learning_rate * (1.0 - 0.9 * done) };
        let heed = if cloning { 0.0 } else { self.settings.advice_coef * (1.0 - 2.0 * done as f32).max(0.0) };
        let mut order: Vec<usize> = (0..lived.len()).collect();
        let (mut lesson, mut batches) = (Lesson::default(), 0.0);
        for _ in 0..self.settings.n_epochs {
            order.shuffle(chance);
            for batch in split(&order, lived, self.settings.batch_size) {
                let live = state.network.live();
                let batch = Batch::new(&self.stage, &batch, lived, &estimates, self.device);
                let (loss, found) = batch.loss(&live, self.settings, cloning, heed, self.device);
                state.network.descend(&live, &loss.backward(), rate, self.settings.max_grad_norm);
                lesson.loss += found.loss;
                lesson.entropy += found.entropy;
                lesson.kl += found.kl;
                batches += 1.0;
            }
        }
        Lesson { loss: lesson.loss / batches, entropy: lesson.entropy / batches, kl: lesson.kl / batches }
    }
}

/// What a lesson showed.
#[derive(Clone, Copy, Debug, Default)]
pub struct Lesson {
    loss: f64,
    entropy: f64,
    /// How far the policy moved from the one that played, roughly.
    kl: f64,
}

/// Parts of a list of episodes, each with at least so many steps.
fn split(order: &[usize], lived: &[Lived], steps: usize) -> Vec<Vec<usize>> {
    let mut parts = Vec::new();
    let (mut part, mut size) = (Vec::new(), 0);
    for episode in order {
        part.push(*episode);
        size += lived[*episode].steps.len();
        if size >= steps {
            parts.push(std::mem::take(&mut part));
            size = 0;
        }
    }
    if parts.is_empty() || size * 2 > steps {
        parts.push(part);
    }
    parts
}

/// Of each step of an episode.
struct Estimates {
    advantages: Vec<f32>,
    returns: Vec<f32>,
}

/// Generalised advantage estimation.
fn estimate(lived: &Lived, gamma: f32, lambda: f32) -> Estimates {
    let rewards = rewards(lived);
    let mut advantages = vec![0.0; rewards.len()];
    let (mut ahead, mut next) = (0.0, 0.0);
    for (at, step) in lived.steps.iter().enumerate().rev() {
        ahead = rewards[at] + gamma * next - step.value + gamma * lambda * ahead;
        advantages[at] = ahead;
        next = step.value;
    }
    let returns = advantages.iter().zip(&lived.steps).map(|(advantage, step)| advantage + step.value).collect();
    Estimates { advantages, returns }
}

/// The reward of Equation 4, told apart by step: what each step and each utterance cost is taken where it was spent, and
/// the rest comes with the last step. The sum is the same; it is far easier to see what an utterance was worth.
fn rewards(lived: &Lived) -> Vec<f32> {
    let cost = 0.45 / f64::from(MOST_STEPS);
    let effort = |step: &Step| f64::from(Intent::ALL[step.intent].kind().effort_tenths()) / 10.0;
    let mut rewards: Vec<f64> = lived.steps.iter().map(|step| -cost * (1.0 + effort(step))).collect();
    let last = rewards.len().saturating_sub(1);
    let before: f64 = rewards.iter().take(last).sum();
    if let Some(reward) = rewards.last_mut() {
        *reward = lived.ending.reward() - before;
    }
    rewards.into_iter().map(|reward| reward as f32).collect()
}

/// What was seen in the rows of a batch.
enum Seen {
    /// The features, `[rows, 128]`.
    Features(Box<Tensor<2>>),
    /// The images, each once, `[images, 5, 21, 21]`, and which of them each row saw.
    Images(Box<(Tensor<4>, Tensor<1, Int>)>),
}

/// Images, each once.
struct Images<'a> {
    tasks: &'a [Task],
    numbers: HashMap<(usize, Cell), usize>,
    pixels: Vec<f32>,
    rows: Vec<i64>,
}

impl Images<'_> {
    /// Another row.
    fn push(&mut self, task: usize, gripper: Cell) {
        let next = self.numbers.len();
        let number = *self.numbers.entry((task, gripper)).or_insert(next);
        self.rows.push(number as i64);
        if number == next {
            let Task { board, target } = &self.tasks[task];
            let image = observe(Situation { board, target: *target, gripper });
            // No episode is played on a board of another size than the network's.
            let image = image.unwrap_or([0.0; CHANNELS * SIDE * SIDE]);
            let channel = |channel: usize| image.iter().skip(channel).step_by(CHANNELS);
            self.pixels.extend((0..CHANNELS).flat_map(channel));
        }
    }
}

/// Whole episodes side by side, in the order of [`decide`].
struct Batch {
    /// How many episodes have so many steps and more.
    alive: Vec<usize>,
    seen: Seen,
    intents: Tensor<2, Int>,
    advice: Tensor<2, Int>,
    /// 1 where the episode failed.
    failed: Tensor<1>,
    likelihoods: Tensor<1>,
    advantages: Tensor<1>,
    returns: Tensor<1>,
}

impl Batch {
    fn new(stage: &Stage, episodes: &[usize], lived: &[Lived], estimates: &[Estimates], device: &Device) -> Self {
        let mut episodes = episodes.to_vec();
        episodes.sort_by_key(|episode| std::cmp::Reverse(lived[*episode].steps.len()));
        let longest = episodes.first().map_or(0, |episode| lived[*episode].steps.len());
        let (mut alive, mut features) = (Vec::new(), Vec::new());
        let (mut intents, mut advice) = (Vec::new(), Vec::new());
        let mut images = match stage {
            Stage::Head { .. } => None,
            Stage::Whole { train, .. } => {
                Some(Images { tasks: train, numbers: HashMap::new(), pixels: Vec::new(), rows: Vec::new() })
            }
        };
        let [mut likelihoods, mut advantages, mut returns, mut failed] = [(); 4].map(|()| Vec::new());
        for at in 0..longest {
            let going = episodes.partition_point(|episode| lived[*episode].steps.len() > at);
            alive.push(going);
            for episode in &episodes[..going] {
                let step = &lived[*episode].steps[at];
                match &mut images {
                    Some(images) => images.push(lived[*episode].task, step.gripper),
                    None => features.extend(step.features),
                }
                intents.push(step.intent as i64);
                advice.push(step.advice as i64);
                likelihoods.push(step.likelihood);
                advantages.push(estimates[*episode].advantages[at]);
                returns.push(estimates[*episode].returns[at]);
                failed.push(f32::from(u8::from(!lived[*episode].ending.success)));
            }
        }
        normalise(&mut advantages);
        let rows = intents.len();
        let fixed = |numbers: Vec<f32>| Tensor::from_inner(flat(numbers, device));
        let column = |numbers: Vec<i64>| -> Tensor<2, Int> {
            Tensor::from_data(TensorData::new(numbers, [rows, 1]), device).autodiff()
        };
        let seen = match images {
            Some(Images { numbers, pixels, rows, .. }) => {
                let images = flat(pixels, device).reshape([numbers.len(), CHANNELS, SIDE, SIDE]);
                let count = rows.len();
                let rows: Tensor<1, Int> = Tensor::from_data(TensorData::new(rows, [count]), device);
                Seen::Images(Box::new((Tensor::from_inner(images), rows.autodiff())))
            }
            None => Seen::Features(Box::new(Tensor::from_inner(flat(features, device).reshape([rows, WIDTH])))),
        };
        Self {
            alive,
            seen,
            intents: column(intents),
            advice: column(advice),
            likelihoods: fixed(likelihoods),
            advantages: fixed(advantages),
            returns: fixed(returns),
            failed: fixed(failed),
        }
    }

    /// `heed` weighs the teacher's advice.
    fn loss(
        self,
        live: &[Tensor<1>],
        settings: &Settings,
        cloning: bool,
        heed: f32,
        device: &Device,
    ) -> (Tensor<1>, Lesson) {
        let [rows] = self.returns.dims();
        let (head, features) = match self.seen {
            Seen::Features(features) => (live, *features),
            Seen::Images(images) => {
                let (images, rows) = *images;
                let (encoder, head) = live.split_at(Whole::of_encoder());
                (head, encode(encoder, images).select(0, rows))
            }
        };
        let (logits, values) = decide(head, features, &self.alive, device);
        let logarithms = log_softmax(logits, 1);
        let said = logarithms.clone().gather(1, self.intents).reshape([rows]);
        let advised = logarithms.clone().gather(1, self.advice).reshape([rows]);
        let error = (values - self.returns).powf_scalar(2.0).mean();
        let entropy = (logarithms.clone().exp() * logarithms).sum().div_scalar(rows as f32).neg();
        let moved = said.clone() - self.likelihoods;
        let policy = if cloning {
            said.mean().neg()
        } else {
            let ratio = moved.clone().exp();
            let clipped = ratio.clone().clamp(1.0 - settings.clip_range, 1.0 + settings.clip_range);
            (ratio * self.advantages.clone()).min_pair(clipped * self.advantages).mean().neg()
        };
        let kl = if cloning { 0.0 } else { scalar((moved.clone().exp() - 1.0 - moved).mean()) };
        let loss = policy + error.mul_scalar(settings.vf_coef)
            - entropy.clone().mul_scalar(settings.ent_coef)
            - (advised * self.failed).mean().mul_scalar(heed);
        let lesson = Lesson { loss: scalar(loss.clone()), entropy: scalar(entropy), kl };
        (loss, lesson)
    }
}

fn scalar(tensor: Tensor<1>) -> f64 {
    numbers(tensor.inner()).first().map_or(f64::NAN, |number| f64::from(*number))
}

/// To a mean of 0 and a deviation of 1.
fn normalise(numbers: &mut [f32]) {
    let count = numbers.len() as f32;
    let mean = numbers.iter().sum::<f32>() / count;
    let squares: f32 = numbers.iter().map(|number| (number - mean).powi(2)).sum();
    let deviation = (squares / count).sqrt() + 1e-8;
    numbers.iter_mut().for_each(|number| *number = (*number - mean) / deviation);
}
