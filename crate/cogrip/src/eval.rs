//! Episodes between a Guide and a Follower, without a session: for evaluation and training.

use crate::agents::{Autonomy, Follower, Guide, Readings};
use crate::language::verbalise;
use crate::rules::{Ending, Episode};
use crate::sight::Sight;
use crate::{Intent, Task};
use rand::Rng;

/// A Follower to be guided.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Partner {
    /// How much it does by itself.
    pub autonomy: Autonomy,
    /// How fast its confidence falls.
    pub phi: f64,
    /// How the paper is read.
    pub readings: Readings,
}

/// One episode, played to its end.
#[derive(Clone, Debug, PartialEq)]
pub struct Played {
    /// How it ended.
    pub ending: Ending,
    /// What the Guide intended, step by step.
    pub intents: Vec<Intent>,
}

/// Plays one episode. Guide and Follower draw from streams of their own, so that a Guide that draws differently meets the
/// same Follower.
pub fn play(
    task: &Task,
    guide: &mut dyn Guide,
    partner: Partner,
    guides: &mut dyn Rng,
    followers: &mut dyn Rng,
) -> Played {
    let mut follower = Follower::new(partner.autonomy, partner.phi, partner.readings);
    let mut episode = Episode::new(task.clone());
    let mut intents = Vec::with_capacity(crate::rules::MOST_STEPS as usize);
    guide.begin();
    loop {
        let intent = guide.intend(episode.situation(), episode.steps(), guides);
        intents.push(intent);
        let sentence = verbalise(intent, episode.situation());
        episode.speak(intent.kind());
        let sight = Sight::of(&task.board, episode.gripper());
        episode.act(follower.step(&sentence, &sight, followers));
        if let Some(ending) = episode.ending() {
            return Played { ending, intents };
        }
    }
}
