//! A plan of at most ten actions, with falling confidence (Equation 5).

use crate::rules::Act;
use crate::{Cell, Direction};
use rand::{Rng, RngExt};

/// The most actions a plan has: as many as lead to the corner of what is seen.
pub const HORIZON: usize = 10;
/// The least confidence (L in the paper).
pub const LEAST: f64 = 0.5;

/// The actions, and how far they are done.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    actions: [Act; HORIZON],
    length: usize,
    done: usize,
    /// The Guide said yes: all confidence is 1.
    confirmed: bool,
}

impl Plan {
    /// Nothing to do.
    pub fn empty() -> Self {
        Self { actions: [Act::Wait; HORIZON], length: 0, done: 0, confirmed: false }
    }

    /// To take what is under the gripper.
    pub fn take() -> Self {
        Self { actions: [Act::Take; HORIZON], length: 1, ..Self::empty() }
    }

    /// As far as a plan reaches in one direction.
    pub fn straight(direction: Direction) -> Self {
        Self { actions: [Act::Move(direction); HORIZON], length: HORIZON, ..Self::empty() }
    }

    /// A shortest way, the steps across and along mixed by chance; cut where the plan's reach ends.
    pub fn way(from: Cell, to: Cell, chance: &mut dyn Rng) -> Self {
        let across = if to.x < from.x { Direction::Left } else { Direction::Right };
        let along = if to.y < from.y { Direction::Up } else { Direction::Down };
        let (mut x, mut y) = (from.x.abs_diff(to.x), from.y.abs_diff(to.y));
        let mut plan = Self::empty();
        while x + y > 0 && plan.length < HORIZON {
            let step_across = chance.random_range(0..x + y) < x;
            if step_across {
                x -= 1
            } else {
                y -= 1
            }
            plan.actions[plan.length] = Act::Move(if step_across { across } else { along });
            plan.length += 1;
        }
        plan
    }

    /// With taking at its end, if that is within the plan's reach.
    pub fn then_take(mut self) -> Self {
        if self.length < HORIZON {
            self.actions[self.length] = Act::Take;
            self.length += 1;
        }
        self
    }

    /// Its first actions only.
    pub fn cut(self, length: usize) -> Self {
        Self { length: self.length.min(length), ..self }
    }

    /// Whether everything is done.
    pub fn is_over(&self) -> bool {
        self.done == self.length
    }

    /// All confidence becomes 1.
    pub fn confirm(&mut self) {
        self.confirmed = true;
    }

    /// The next action with the confidence in it.
    pub fn head(&self, phi: f64) -> Option<(Act, f64)> {
        self.actions(phi).next()
    }

    /// The next action is done.
    pub fn advance(&mut self) {
        self.done += 1;
    }

    /// The actions that are left, each with its confidence: `max(phi^i, L)`, i counted from the plan's beginning.
    pub fn actions(&self, phi: f64) -> impl Iterator<Item = (Act, f64)> + '_ {
        let mut power = 1.0;
        let all = self.actions[..self.length].iter().map(move |action| {
            let confidence = if self.confirmed { 1.0 } else { f64::max(power, LEAST) };
            power *= phi;
            (*action, confidence)
        });
        all.skip(self.done)
    }
}
