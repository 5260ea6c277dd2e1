//! Stage one: the encoder learns to see (supervised).
//!
//! The idea: situations are drawn without end, on the boards of the training tasks or on new ones by the same rules, the
//! features answer [`questions`](super::questions), and Adam goes down the cross-entropy with a rate that falls in a line to
//! a hundredth. Every step draws from a stream named by its number, so a run that was stopped goes on as if it had not been.

use super::cli::EncoderTraining;
use super::curves::Curves;
use super::graph::{MEAN, Moments, Norms, TENSORS, encode_views};
use super::papers::{self, OfEncoder};
use super::parameters::{Parameters, flat, numbers};
use super::questions::{BIT_COUNT, BITS, CHOICES};
use super::views::{self, Batch, Source};
use anyhow::Result;
use burn::tensor::activation::log_softmax;
use burn::tensor::{Device, Int, Tensor, TensorData};
use rand::RngExt;
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::time::Instant;
use tandem_cogrip::Split;
use tandem_cogrip::boards::TASKS_SEED;
use tandem_cogrip::tasks::TrainingTasks;
use tandem_core::{Seed, Stream};
use tandem_guide::network::{Encoder, Part, WIDTH};
use tandem_guide::weights;

/// The share of the running moments that a batch replaces.
const MOMENTUM: f32 = 0.05;
/// The gradient's greatest norm.
const CLIP: f32 = 5.0;
/// The checkpoint of the encoder, and that of what answers the questions.
const ENCODER: &str = "encoder.checkpoint";
const ANSWERS: &str = "answers.checkpoint";

/// How to train.
pub struct Settings {
    /// Adam's rate at the start.
    pub rate: f64,
    /// Batches in all.
    pub steps: u32,
    /// Boards of a batch.
    pub boards: usize,
    /// Grippers on each board.
    pub grippers: usize,
    /// The seed of all chance.
    pub seed: Seed,
    /// Batches between two checkpoints and lines of the curves.
    pub every: u32,
    /// The directory of an earlier run whose checkpoint a new run starts from, its own steps counted from zero.
    pub from: Option<PathBuf>,
}

/// Trains as asked, and writes the weights and their papers.
///
/// # Errors
/// Something cannot be read or written.
pub fn run(asked: &EncoderTraining, device: &Device) -> Result<String> {
    let settings = Settings {
        rate: asked.rate,
        steps: asked.steps,
        boards: asked.boards,
        grippers: asked.grippers,
        seed: Seed::new(asked.run.seed)?,
        every: asked.every,
        from: asked.from.clone(),
    };
    let from = asked.from.as_ref().map(|from| papers::read(from, "encoder").map(Box::new)).transpose()?;
    let tasks = Seed::new(TASKS_SEED)?;
    let (source, named) = if asked.fresh_tasks {
        (Source::Fresh(TrainingTasks::new(tasks)), papers::Tasks::Endless)
    } else {
        (Source::Set(Split::Train.tasks(tasks)), papers::Tasks::TrainingSet)
    };
    let mut training = Training::new(settings, device);
    training.run(&source, &asked.run.out, asked.run.stop_after)?;
    let validation = training.validate(&Source::Set(Split::Val.tasks(tasks)));
    let bytes = weights::write(&training.encoder.part::<Encoder>())?;
    let encoder = weights::read(&bytes)?;
    let about = OfEncoder {
        sha256: papers::sha256(&bytes),
        commit: papers::commit(&asked.run),
        tasks: named,
        seed: asked.run.seed,
        rate: asked.rate,
        boards: asked.boards,
        grippers: asked.grippers,
        steps: training.step,
        from,
        validation,
        golden_features: papers::golden_features(&encoder)?,
        test: None,
    };
    let file = asked.run.out.join("encoder.safetensors");
    std::fs::write(&file, bytes)?;
    papers::write(&asked.run.out, "encoder", &about)?;
    Ok(format!("{}\n", file.display()))
}

/// A run.
pub struct Training {
    settings: Settings,
    encoder: Parameters,
    /// One linear map for all questions.
    answerer: Parameters,
    step: u32,
    device: Device,
}

/// Batches of a validation.
const VALIDATION: usize = 16;

/// How well the questions were answered.
#[derive(Clone, Default)]
struct Score {
    loss: f64,
    /// Share of right answers, choices then kinds of bits.
    right: [f64; CHOICES.len() + BITS.len()],
}

impl Training {
    /// A run at its start. The plain device does not track gradients; training does.
    pub fn new(settings: Settings, device: &Device) -> Self {
        let mut chance = settings.seed.stream("encoder/weights");
        let encoder = Parameters::of(&fresh::<Encoder>(&mut chance), device);
        let outputs = outputs();
        let weight = (0..outputs * WIDTH).map(|_| chance.random_range(-0.05_f32..0.05)).collect();
        let tensors = vec![("answers.weight".into(), weight), ("answers.bias".into(), vec![0.0; outputs])];
        Self { settings, encoder, answerer: Parameters::new(tensors, device), step: 0, device: device.clone() }
    }

    /// Trains to the end, or for so many more steps, writing checkpoints and curves into a directory.
    ///
    /// # Errors
    /// Something cannot be read or written.
    pub fn run(&mut self, source: &Source, directory: &Path, more: Option<u32>) -> Result<Encoder> {
        std::fs::create_dir_all(directory)?;
        let (file, answers) = (directory.join(ENCODER), directory.join(ANSWERS));
        let mut columns = vec!["step".to_string(), "loss".into()];
        columns.extend(CHOICES.iter().map(|choice| choice.name.to_string()));
        columns.extend(BITS.iter().map(|(name, ..)| (*name).to_string()));
        columns.push("seconds".into());
        let mut curves = Curves::open(directory.join("encoder.csv"), columns)?;
        if file.exists() {
            self.step = self.encoder.load(&file)?.get("step").map_or(Ok(0), |step| step.parse())?;
            self.answerer.load(&answers)?;
            curves.cut(f64::from(self.step))?;
        } else if let Some(from) = &self.settings.from {
            self.encoder.load(&from.join(ENCODER))?;
            self.answerer.load(&from.join(ANSWERS))?;
        }
        let end = more.map_or(self.settings.steps, |more| self.settings.steps.min(self.step + more));
        let (mut sum, mut count, mut since) = (Score::default(), 0.0, Instant::now());
        while self.step < end {
            let score = self.step(source);
            sum.loss += score.loss;
            sum.right.iter_mut().zip(score.right).for_each(|(sum, right)| *sum += right);
            count += 1.0;
            if self.step.is_multiple_of(self.settings.every) || self.step == end {
                let mut row = vec![f64::from(self.step), sum.loss / count];
                row.extend(sum.right.map(|right| right / count));
                row.push(since.elapsed().as_secs_f64());
                curves.push(&row)?;
                eprintln!("{}", curves.line(&row));
                // The answers first: a checkpoint of the encoder always has its answers.
                self.answerer.save(&answers, HashMap::new())?;
                self.encoder.save(&file, [("step".to_string(), self.step.to_string())].into())?;
                (sum, count, since) = (Score::default(), 0.0, Instant::now());
            }
        }
        Ok(self.encoder.part())
    }

    /// The loss, and the share of right answers to each question, with the batch norms as they are when it is used.
    fn validate(&self, source: &Source) -> BTreeMap<String, f64> {
        let Settings { boards, grippers, seed, .. } = self.settings;
        let (encoder, answerer) = (self.encoder.live(), self.answerer.live());
        let mut found = BTreeMap::new();
        for number in 0..VALIDATION {
            let mut chance = seed.stream(&format!("encoder/validation/{number}"));
            let Batch { views, answers, .. } = views::draw(source, boards, grippers, &mut chance, &self.device);
            let (features, _) = encode_views(&encoder, views.tracked(), Norms::Running);
            let (_, score) = judge(answer(&answerer, features), &answers, &self.device);
            let names = CHOICES.iter().map(|choice| choice.name).chain(BITS.iter().map(|(name, ..)| *name));
            for (name, value) in [("loss", score.loss)].into_iter().chain(names.zip(score.right)) {
                *found.entry(name.to_string()).or_default() += value / VALIDATION as f64;
            }
        }
        found
    }

    /// One batch.
    fn step(&mut self, source: &Source) -> Score {
        let Settings { rate, steps, boards, grippers, seed, .. } = self.settings;
        let mut chance = seed.stream(&format!("encoder/step/{}", self.step));
        let Batch { views, answers, .. } = views::draw(source, boards, grippers, &mut chance, &self.device);
        let (encoder, answerer) = (self.encoder.live(), self.answerer.live());
        let views = views.tracked();
        let (features, moments) = encode_views(&encoder, views, Norms::Batch);
        let (loss, score) = judge(answer(&answerer, features), &answers, &self.device);
        let gradients = loss.backward();
        let rate = rate * (1.0 - 0.99 * f64::from(self.step) / f64::from(steps));
        self.encoder.descend(&encoder, &gradients, rate, CLIP);
        self.answerer.descend(&answerer, &gradients, rate, CLIP);
        for (layer, Moments { mean, variance }) in moments.into_iter().enumerate() {
            for (at, moment) in [(MEAN, mean), (MEAN + 1, variance)] {
                let at = layer * TENSORS + at;
                let moment = moment.inner().reshape([WIDTH]).mul_scalar(MOMENTUM);
                self.encoder.set(at, self.encoder.value(at).mul_scalar(1.0 - MOMENTUM) + moment);
            }
        }
        self.step += 1;
        score
    }
}

/// What the linear map says of these features.
fn answer(answerer: &[Tensor<1>], features: Tensor<2>) -> Tensor<2> {
    let weight = answerer[0].clone().reshape([outputs(), WIDTH]).transpose();
    features.matmul(weight) + answerer[1].clone().reshape([1, outputs()])
}

/// The numbers of all answers.
fn outputs() -> usize {
    CHOICES.iter().map(|choice| choice.answers).sum::<usize>() + BIT_COUNT
}

/// The loss, and how well the questions were answered.
fn judge(logits: Tensor<2>, answers: &[super::questions::Answers], device: &Device) -> (Tensor<1>, Score) {
    let [rows, _] = logits.dims();
    let mut score = Score::default();
    let mut at = 0;
    let mut losses: Vec<Tensor<1>> = Vec::new();
    for (number, choice) in CHOICES.iter().enumerate() {
        let part = logits.clone().slice([0..rows, at..at + choice.answers]);
        at += choice.answers;
        let right: Vec<i64> = answers.iter().map(|answers| answers.choices[number] as i64).collect();
        let said = numbers(part.clone().inner());
        let best = |row: &[f32]| (0..row.len()).max_by(|one, other| row[*one].total_cmp(&row[*other])).unwrap_or(0);
        let hits = said.chunks(choice.answers).zip(&right).filter(|(row, right)| best(row) as i64 == **right).count();
        score.right[number] = hits as f64 / rows as f64;
        let right: Tensor<2, Int> = Tensor::from_data(TensorData::new(right, [rows, 1]), device);
        let picked = log_softmax(part, 1).gather(1, tracked_int(right));
        losses.push(picked.mean().mul_scalar(-choice.weight));
    }
    let part = logits.slice([0..rows, at..at + BIT_COUNT]);
    let said = numbers(part.clone().inner());
    let signs: Vec<f32> =
        answers.iter().flat_map(|answers| answers.bits.map(|bit| if bit { -1.0 } else { 1.0 })).collect();
    let mut weights = Vec::with_capacity(BIT_COUNT);
    for (kind, (_, count, weight)) in BITS.iter().enumerate() {
        let bits = weights.len()..weights.len() + count;
        weights.extend(vec![*weight as f32; *count]);
        let wrong = (0..rows).flat_map(|row| bits.clone().map(move |bit| row * BIT_COUNT + bit));
        let hits = wrong.filter(|at| said[*at] * signs[*at] < 0.0).count();
        score.right[CHOICES.len() + kind] = hits as f64 / (rows * count) as f64;
    }
    let signs = Tensor::from_inner(flat(signs, device).reshape([rows, BIT_COUNT]));
    let weights = Tensor::from_inner(flat(weights, device).reshape([1, BIT_COUNT]));
    let surprise = burn::tensor::activation::softplus(part * signs, 1.0) * weights;
    losses.push(surprise.sum().div_scalar(rows as f32));
    let loss = losses.into_iter().reduce(|sum, loss| sum + loss).unwrap_or_else(|| Tensor::zeros([1], device));
    score.loss = f64::from(loss.clone().inner().into_scalar::<f32>());
    (loss, score)
}

fn tracked_int(tensor: Tensor<2, Int>) -> Tensor<2, Int> {
    tensor.autodiff()
}

/// A part of the network before training: He's spread for kernels, batch norms that change nothing.
pub fn fresh<P: Part>(chance: &mut Stream) -> P {
    let tensor = |(name, shape): (String, Vec<usize>)| {
        let length = shape.iter().product();
        if name.ends_with("gamma") || name.ends_with("variance") {
            return vec![1.0; length];
        }
        if shape.len() == 1 {
            return vec![0.0; length];
        }
        let inputs: usize = shape[1..].iter().product();
        let convolution = name.starts_with("convolution");
        let spread = if convolution { (6.0 / inputs as f32).sqrt() } else { (1.0 / inputs as f32).sqrt() };
        (0..length).map(|_| chance.random_range(-spread..spread)).collect()
    };
    P::from_tensors(P::shapes().into_iter().map(tensor).collect())
}
