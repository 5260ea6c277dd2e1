//! What is measured: steps of whole episodes, and sentences.

use crate::agents::{Autonomy, Heuristic, PHIS, Readings};
use crate::boards::TASKS_SEED;
use crate::eval::{Partner, play};
use crate::language::verbalise;
use crate::rules::Episode;
use crate::{Intent, Split, Task};
use tandem_core::{Seed, SeedTooLarge, Stream};

/// Episodes of the heuristic Guide with every Follower on the test tasks, again and again.
pub struct Episodes {
    tasks: Vec<Task>,
    guides: Stream,
    followers: Stream,
    played: usize,
}

impl Episodes {
    /// Ready to play.
    ///
    /// # Errors
    /// None, with the seeds that are used.
    pub fn new() -> Result<Self, SeedTooLarge> {
        let seed = Seed::new(1)?;
        let tasks = Split::Test.tasks(Seed::new(TASKS_SEED)?);
        Ok(Self { tasks, guides: seed.stream("guide"), followers: seed.stream("follower"), played: 0 })
    }

    /// Plays one episode; how many steps it had.
    pub fn play(&mut self) -> u32 {
        let autonomy = Autonomy::ALL[self.played % 2];
        let phi = PHIS[self.played / 2 % PHIS.len()];
        let partner = Partner { autonomy, phi, readings: Readings::default() };
        let task = &self.tasks[self.played % self.tasks.len()];
        self.played += 1;
        let mut guide = Heuristic::default();
        play(task, &mut guide, partner, &mut self.guides, &mut self.followers).ending.steps
    }

    /// Says every intent at the start of every test task; how many sentences, and how many words they have.
    pub fn verbalise(&self) -> (usize, usize) {
        let mut words = 0;
        for task in &self.tasks {
            let episode = Episode::new(task.clone());
            for intent in Intent::ALL {
                words += verbalise(intent, episode.situation()).words().len();
            }
        }
        (self.tasks.len() * Intent::ALL.len(), words)
    }
}
