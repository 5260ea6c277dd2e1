//! Policies for several Followers, one after another, and the papers that go with each: what it was trained on, how, and
//! how well it does.

use super::cli::PolicyTraining;
use super::papers::{self, OfHead};
use super::policy::{Score, Settings, Stage, Trained, Training};
use super::whole::Whole;
use crate::cogrip::sights::Sights;
use crate::failure::{self, bad};
use anyhow::Result;
use burn::tensor::Device;
use rand::RngExt;
use std::fmt::Write as _;
use std::path::Path;
use tandem_cogrip::Split;
use tandem_cogrip::agents::{PHIS, Readings};
use tandem_cogrip::boards::TASKS_SEED;
use tandem_cogrip::eval::Partner;
use tandem_cogrip::tasks::TrainingTasks;
use tandem_core::Seed;
use tandem_guide::agent::weights_name;
use tandem_guide::network::Encoder;
use tandem_guide::weights;

/// What learns.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Learner {
    /// The heads.
    Heads,
    /// Encoder and head of each Follower, end to end.
    Whole,
}

/// Trains for the Followers that are asked for.
pub fn run(asked: &PolicyTraining, learner: Learner, device: &Device) -> Result<String> {
    if learner == Learner::Whole && asked.from.is_none() {
        return Err(bad("end to end goes on from trained heads: --from names their folder"));
    }
    let bytes = failure::read(&asked.encoder)?;
    let encoder_sha256 = papers::sha256(&bytes);
    let encoder: Encoder =
        weights::read(&bytes).map_err(|error| bad(format_args!("{}: {error}", asked.encoder.display())))?;
    let tasks_seed = Seed::new(TASKS_SEED)?;
    let (train, named) = match asked.fresh_tasks {
        Some(count) => {
            let (tasks, mut chance) = (TrainingTasks::new(tasks_seed), Seed::new(asked.run.seed)?.stream("tasks"));
            let mut draw = || {
                let crowded = chance.random_bool(asked.crowded);
                if crowded { tasks.draw_crowded(&mut chance) } else { tasks.draw(&mut chance) }
            };
            let named = papers::Tasks::Fresh { count, crowded: asked.crowded };
            ((0..count).map(|_| draw()).collect(), named)
        }
        None => (Split::Train.tasks(tasks_seed), papers::Tasks::TrainingSet),
    };
    let train = Sights::new(&encoder, train);
    let validation = Sights::new(&encoder, Split::Val.tasks(tasks_seed));
    let settings = settings(asked);
    let mut text = String::new();
    for autonomy in asked.follower.autonomies() {
        for phi in phis(&asked.phi)? {
            let name = weights_name(autonomy, phi);
            let from = asked.from.as_ref().map(|folder| before(folder, &name, &encoder)).transpose()?;
            let stage = match (&from, learner) {
                (Some((from, _)), Learner::Whole) => {
                    Stage::Whole { from, train: train.tasks(), validation: validation.tasks() }
                }
                _ => {
                    let from = from.as_ref().map(|(from, _)| &from.head);
                    Stage::Head { from, train: &train, validation: &validation }
                }
            };
            let training = Training {
                settings: &settings,
                stage,
                partner: Partner { autonomy, phi, readings: Readings::default() },
                seed: Seed::new(asked.run.seed)?.part(&name),
                device,
            };
            let Trained { head, encoder: moved, best, at, steps } =
                training.run(&asked.run.out, &name, asked.run.stop_after)?;
            let mut of_encoder = (encoder.clone(), encoder_sha256.clone());
            if let Some(moved) = moved {
                let bytes = weights::write(&moved)?;
                of_encoder = (weights::read(&bytes)?, papers::sha256(&bytes));
                std::fs::write(asked.run.out.join(format!("{name}.encoder.safetensors")), bytes)?;
            }
            let bytes = weights::write(&head)?;
            let (golden_logits, golden_value) = papers::golden_output(&of_encoder.0, &weights::read(&bytes)?)?;
            let about = OfHead {
                follower: autonomy,
                phi,
                sha256: papers::sha256(&bytes),
                encoder_sha256: of_encoder.1,
                from: from.map(|(_, about)| about),
                commit: papers::commit(&asked.run),
                tasks: named.clone(),
                seed: asked.run.seed,
                settings: settings.clone(),
                steps,
                kept_at: at,
                validation: best,
                golden_logits,
                golden_value,
                test: None,
            };
            std::fs::write(asked.run.out.join(format!("{name}.safetensors")), bytes)?;
            papers::write(&asked.run.out, &name, &about)?;
            let Score { reward, success, length, effort } = best;
            writeln!(text, "{name}: reward {reward:.3}, success {success:.3}, length {length:.2}, effort {effort:.2}")?;
        }
    }
    Ok(text)
}

/// The network to go on from, and what is known of its head.
fn before(folder: &Path, name: &str, encoder: &Encoder) -> Result<(Whole, Box<OfHead>)> {
    let file = folder.join(format!("{name}.safetensors"));
    let bytes = failure::read(&file)?;
    let head = weights::read(&bytes).map_err(|error| bad(format_args!("{}: {error}", file.display())))?;
    Ok((Whole { encoder: encoder.clone(), head }, Box::new(papers::read(folder, name)?)))
}

fn phis(text: &str) -> Result<Vec<f64>> {
    if text == "all" {
        return Ok(PHIS.into());
    }
    let phi = |text: &str| text.parse().ok().filter(|phi| (0.0..=1.0).contains(phi));
    text.split(',')
        .map(|text| phi(text).ok_or_else(|| bad(format_args!("{text:?} is not a number from 0 to 1"))))
        .collect()
}

fn settings(asked: &PolicyTraining) -> Settings {
    Settings {
        learning_rate: asked.learning_rate,
        clip_range: asked.clip_range,
        gamma: asked.gamma,
        gae_lambda: asked.gae_lambda,
        ent_coef: asked.ent_coef,
        vf_coef: 0.5,
        advice_coef: asked.advice_coef,
        max_grad_norm: 0.5,
        n_steps: asked.n_steps,
        n_envs: asked.n_envs,
        batch_size: asked.batch_size,
        n_epochs: asked.n_epochs,
        steps: asked.steps,
        clone_rounds: asked.clone_rounds,
        clone_rate: asked.clone_rate,
        every: asked.every,
        validations: asked.validations,
    }
}
