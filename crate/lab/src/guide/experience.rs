//! Episodes that a policy learns from.
//!
//! The idea: the encoder is left alone, so what it sees is kept for the whole run, and a step of an episode costs one step
//! of the small network. Every episode has streams of its own, so neither threads nor other episodes change it.

use crate::cogrip::sights::Sights;
use rand::Rng;
use rayon::prelude::*;
use tandem_cogrip::agents::{Guide, Heuristic};
use tandem_cogrip::eval::{Partner, play};
use tandem_cogrip::language::Situation;
use tandem_cogrip::rules::Ending;
use tandem_cogrip::{Cell, Intent};
use tandem_core::Seed;
use tandem_guide::convolve::Feature;
use tandem_guide::head::{Memory, Mind};

/// A step as the Guide lived it.
#[derive(Clone, PartialEq, Debug)]
pub struct Step {
    /// Where the gripper was.
    pub gripper: Cell,
    /// What it saw.
    pub features: Feature,
    /// The number of what it said.
    pub intent: usize,
    /// The logarithm of how likely that was.
    pub likelihood: f32,
    /// The reward it expected.
    pub value: f32,
    /// The number of what the teacher would have said here.
    pub advice: usize,
}

/// An episode as the Guide lived it.
#[derive(Clone, PartialEq, Debug)]
pub struct Lived {
    /// The task, by its place among the tasks seen.
    pub task: usize,
    /// Step by step.
    pub steps: Vec<Step>,
    /// How it ended.
    pub ending: Ending,
}

/// Who speaks.
#[derive(Clone, Copy)]
pub enum Speaker<'a> {
    /// The network, drawing from its distribution.
    Drawing(&'a Mind),
    /// The hand-written teacher.
    Teacher,
}

/// Plays one episode of each of these tasks; the streams are named by the place in the list.
pub fn play_all(sights: &Sights, tasks: &[usize], speaker: Speaker, partner: Partner, seed: Seed) -> Vec<Lived> {
    let live = |(number, task): (usize, &usize)| {
        let mut guides = seed.stream(&format!("guide/{number}"));
        let mut followers = seed.stream(&format!("follower/{number}"));
        let (memory, teacher) = (Memory::default(), Heuristic::default());
        let mut life = Life { sights, place: *task, speaker, memory, teacher, steps: Vec::new() };
        let played = play(&sights.tasks()[*task], &mut life, partner, &mut guides, &mut followers);
        Lived { task: *task, steps: life.steps, ending: played.ending }
    };
    tasks.par_iter().enumerate().map(live).collect()
}

/// A Guide that writes down what it lives.
struct Life<'a> {
    sights: &'a Sights,
    place: usize,
    speaker: Speaker<'a>,
    memory: Memory,
    teacher: Heuristic,
    steps: Vec<Step>,
}

impl Guide for Life<'_> {
    fn begin(&mut self) {
        self.teacher.begin();
    }

    fn intend(&mut self, situation: Situation, step: u32, chance: &mut dyn Rng) -> Intent {
        let Some(features) = self.sights.features(self.place, situation.gripper) else {
            return Intent::Silence;
        };
        let advice = self.teacher.intend(situation, step, chance).index();
        let (intent, likelihood, value) = match self.speaker {
            Speaker::Teacher => (advice, 0.0, 0.0),
            Speaker::Drawing(mind) => {
                let output = mind.step(&features, &mut self.memory);
                let intent = output.draw(chance).index();
                (intent, output.distribution()[intent].ln() as f32, output.value)
            }
        };
        self.steps.push(Step { gripper: situation.gripper, features, intent, likelihood, value, advice });
        Intent::ALL[intent]
    }
}
