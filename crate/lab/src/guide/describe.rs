//! `guide describe`: plays the test tasks with every Guide of a folder and adds the figures to the papers of its weights.

use super::cli::Describe;
use super::papers::{self, OfEncoder, OfHead, Test};
use super::policy::Score;
use crate::cogrip::analysis::{Group, Report};
use crate::cogrip::batch::Batch;
use crate::cogrip::guides::guide;
use crate::failure::{self, bad};
use anyhow::Result;
use std::fmt::Write as _;
use std::path::Path;
use tandem_cogrip::Split;
use tandem_cogrip::agents::{Autonomy, PHIS, Readings};
use tandem_cogrip::boards::TASKS_SEED;
use tandem_core::Seed;
use tandem_guide::agent::weights_name;

/// Adds the figures; says them.
///
/// # Errors
/// The weights or their papers cannot be read, or are not each other's; a file cannot be written.
pub fn run(asked: &Describe) -> Result<String> {
    let folder = &asked.weights;
    let mut encoder: OfEncoder = papers::read(folder, "encoder")?;
    belongs(folder, "encoder", &encoder.sha256)?;
    let followers = Autonomy::ALL.into_iter().flat_map(|autonomy| PHIS.map(|phi| (autonomy, phi)));
    let mut heads = Vec::new();
    for (autonomy, phi) in followers {
        let name = weights_name(autonomy, phi);
        let head: OfHead = papers::read(folder, &name)?;
        belongs(folder, &name, &head.sha256)?;
        if head.encoder_sha256 != encoder.sha256 {
            return Err(bad(format_args!("{name} was trained with another encoder")));
        }
        heads.push((name, head));
    }
    let tasks = Split::Test.tasks(Seed::new(TASKS_SEED)?);
    let batch = Batch {
        makers: guide("ppo", &tasks, folder)?,
        tasks,
        autonomies: Autonomy::ALL.into(),
        phis: PHIS.into(),
        repeats: asked.seeds,
        seed: Seed::new(asked.seed).map_err(bad)?,
        readings: Readings::default(),
    };
    let report = Report::new(&batch, &batch.play(asked.threads)?)?;
    let test = |group: &Group| {
        let [reward, success, length, effort] =
            [&group.reward, &group.success, &group.length, &group.effort].map(|estimate| estimate.mean);
        let score = Score { reward, success, length, effort };
        Test { tasks: batch.tasks.len(), repeats: asked.seeds, seed: asked.seed, score }
    };
    let mut text = String::new();
    let mut say = |name: &str, test: &Test| {
        let Score { reward, success, length, effort } = test.score;
        writeln!(text, "{name}: reward {reward:.3}, success {success:.3}, length {length:.2}, effort {effort:.2}")
    };
    for (name, mut head) in heads {
        let own = |group: &&Group| (group.autonomy, group.phi) == (Some(head.follower), Some(head.phi));
        head.test = report.by_phi.iter().find(own).map(test);
        head.test.iter().try_for_each(|test| say(&name, test))?;
        papers::write(folder, &name, &head)?;
    }
    let overall = test(&report.overall);
    say("overall", &overall)?;
    encoder.test = Some(overall);
    papers::write(folder, "encoder", &encoder)?;
    Ok(text)
}

/// Whether a weights file is the one its papers are about.
fn belongs(folder: &Path, name: &str, sha256: &str) -> Result<()> {
    let file = folder.join(format!("{name}.safetensors"));
    let right = papers::sha256(&failure::read(&file)?) == sha256;
    if right { Ok(()) } else { Err(bad(format_args!("{name}.json is about other weights than {}", file.display()))) }
}
