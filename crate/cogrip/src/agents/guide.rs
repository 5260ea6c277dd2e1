//! What a Guide is, and the simplest ones.

use crate::Intent;
use crate::language::Situation;
use rand::{Rng, RngExt};

/// A Guide: sees the whole board, the target and the gripper, and chooses what to say. It does not see what the Follower
/// intends, only where the gripper goes.
pub trait Guide {
    /// A new episode begins.
    fn begin(&mut self);

    /// What to say now; `step` counts from 0.
    fn intend(&mut self, situation: Situation, step: u32, chance: &mut dyn Rng) -> Intent;
}

/// Never says anything.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Guide for Silent {
    fn begin(&mut self) {}

    fn intend(&mut self, _: Situation, _: u32, _: &mut dyn Rng) -> Intent {
        Intent::Silence
    }
}

/// Always has the same intent: with a reference, the paper's "100% Ref.".
#[derive(Clone, Copy, Debug)]
pub struct Always(pub Intent);

impl Guide for Always {
    fn begin(&mut self) {}

    fn intend(&mut self, _: Situation, _: u32, _: &mut dyn Rng) -> Intent {
        self.0
    }
}

/// Any intent by chance.
#[derive(Clone, Copy, Debug, Default)]
pub struct Random;

impl Guide for Random {
    fn begin(&mut self) {}

    fn intend(&mut self, _: Situation, _: u32, chance: &mut dyn Rng) -> Intent {
        Intent::ALL[chance.random_range(0..Intent::ALL.len())]
    }
}
