//! Policies for several Followers, one after another, and the papers that go with each: what it was trained on, how, and
//! how well it does.

use super::cli::PolicyTraining;
use super::papers::{self, OfHead};
use super::policy::{Score, Settings, Trained, Training};
use crate::cogrip::sights::Sights;
use crate::failure::{self, bad};
use anyhow::Result;
use burn::tensor::Device;
use rand::RngExt;
use std::fmt::Write as _;
use tandem_cogrip::Split;
use tandem_cogrip::agents::{PHIS, Readings};
use tandem_cogrip::boards::TASKS_SEED;
use tandem_cogrip::eval::Partner;
use tandem_cogrip::tasks::TrainingTasks;
use tandem_core::Seed;
use tandem_guide::agent::weights_name;
use tandem_guide::network::Encoder;
use tandem_guide::weights;

/// Trains what is asked for.
pub fn run(asked: &PolicyTraining, device: &Device) -> Result<String> {
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
            let training = Training {
                settings: &settings,
                train: &train,
                validation: &validation,
                partner: Partner { autonomy, phi, readings: Readings::default() },
                seed: Seed::new(asked.run.seed)?.part(&name),
                device,
            };
            let Trained { head, best, at, steps } = training.run(&asked.run.out, &name, asked.run.stop_after)?;
            let bytes = weights::write(&head)?;
            let (golden_logits, golden_value) = papers::golden_output(&encoder, &weights::read(&bytes)?)?;
            let about = OfHead {
                follower: autonomy,
                phi,
                sha256: papers::sha256(&bytes),
                encoder_sha256: encoder_sha256.clone(),
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
