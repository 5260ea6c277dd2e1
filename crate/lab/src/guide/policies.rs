//! Policies for several Followers, one after another, and the papers that go with each: what it was trained on, how, and
//! how well it does.

use super::cli::PolicyTraining;
use super::policy::{Score, Settings, Trained, Training};
use crate::cogrip::sights::Sights;
use crate::failure::{self, bad};
use anyhow::Result;
use burn::tensor::Device;
use rand::RngExt;
use serde::Serialize;
use std::fmt::Write as _;
use std::time::Instant;
use tandem_cogrip::Split;
use tandem_cogrip::agents::{PHIS, Readings};
use tandem_cogrip::boards::TASKS_SEED;
use tandem_cogrip::eval::Partner;
use tandem_cogrip::tasks::TrainingTasks;
use tandem_core::Seed;
use tandem_guide::agent::weights_name;
use tandem_guide::network::Encoder;
use tandem_guide::weights;

/// What is written beside a policy's weights.
#[derive(Serialize)]
struct Papers<'a> {
    follower: &'static str,
    phi: f64,
    seed: u64,
    settings: &'a Settings,
    /// Steps of training in all, and after which the kept policy was found.
    steps: u64,
    kept_at: u64,
    /// Of the kept policy, on the validation tasks, drawing from its distribution.
    validation: Score,
    /// Seconds this run took; less than all if it was resumed.
    seconds: f64,
}

/// Trains what is asked for.
pub fn run(asked: &PolicyTraining, device: &Device) -> Result<String> {
    let encoder: Encoder = weights::read(&failure::read(&asked.encoder)?)
        .map_err(|error| bad(format_args!("{}: {error}", asked.encoder.display())))?;
    let tasks_seed = Seed::new(TASKS_SEED)?;
    let train = match asked.fresh_tasks {
        Some(count) => {
            let (tasks, mut chance) = (TrainingTasks::new(tasks_seed), Seed::new(asked.run.seed)?.stream("tasks"));
            let mut draw = || {
                let crowded = chance.random_bool(asked.crowded);
                if crowded { tasks.draw_crowded(&mut chance) } else { tasks.draw(&mut chance) }
            };
            (0..count).map(|_| draw()).collect()
        }
        None => Split::Train.tasks(tasks_seed),
    };
    let train = Sights::new(&encoder, train);
    let validation = Sights::new(&encoder, Split::Val.tasks(tasks_seed));
    let settings = settings(asked);
    let mut text = String::new();
    for autonomy in asked.follower.autonomies() {
        for phi in phis(&asked.phi)? {
            let began = Instant::now();
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
            let beside = |end: &str| asked.run.out.join(format!("{name}.{end}"));
            std::fs::write(beside("safetensors"), weights::write(&head)?)?;
            let papers = Papers {
                follower: autonomy.name(),
                phi,
                seed: asked.run.seed,
                settings: &settings,
                steps,
                kept_at: at,
                validation: best,
                seconds: began.elapsed().as_secs_f64(),
            };
            std::fs::write(beside("json"), serde_json::to_string_pretty(&papers)? + "\n")?;
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
