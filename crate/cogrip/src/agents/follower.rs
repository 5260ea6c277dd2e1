//! The Follower: a plan, a confidence in it, and more or less autonomy (section 4).
//!
//! The idea: it keeps a plan of at most ten actions. Each step it hears the Guide's sentence, revises the plan, and then
//! does the plan's next action with the confidence it has in it, or waits and keeps it. The confidence falls from action
//! to action until the Guide says something. A reference adds to what it knows of the target; a tile in view that agrees
//! with all it knows is a candidate, and the way there becomes the plan. The cautious Follower does no more than that;
//! the eager one looks for candidates at every step, and takes one when it stands on it.
//!
//! *Architecture Invariant:* nothing here but the sentence, the cut around the gripper and its coordinates comes in.

use super::plan::Plan;
use super::readings::{ApproachedWhen, Readings, WanderWhen};
use crate::language::{self, Descriptor, Meaning, Sentence};
use crate::rules::Act;
use crate::sight::{Sight, Tile};
use crate::symbol::{Color, Shape};
use crate::{Area, Cell, Direction};
use rand::{Rng, RngExt};
use serde::{Deserialize, Serialize};

/// How much a Follower does by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Autonomy {
    /// Does what it is told.
    Cautious,
    /// Looks for the target at every step, and takes it.
    Eager,
}

impl Autonomy {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Cautious, Self::Eager];

    /// Its name.
    pub fn name(self) -> &'static str {
        ["cautious", "eager"][self as usize]
    }
}

/// The confidence discounts of the paper's experiments (phi).
pub const PHIS: [f64; 6] = [0.75, 0.85, 0.90, 0.95, 0.97, 0.99];

/// The hand-written Follower.
#[derive(Clone, Debug)]
pub struct Follower {
    autonomy: Autonomy,
    phi: f64,
    readings: Readings,
    plan: Plan,
    /// What it knows of the target.
    target: Descriptor,
    /// Tiles it has gone for already.
    approached: Vec<Cell>,
    /// The candidate the plan leads to.
    goal: Option<Cell>,
    /// The area whose middle the plan leads to.
    walking: Option<Area>,
}

impl Follower {
    /// A Follower at the start of an episode, `phi` between 0 and 1.
    pub fn new(autonomy: Autonomy, phi: f64, readings: Readings) -> Self {
        let (plan, target) = (Plan::empty(), Descriptor::default());
        Self { autonomy, phi, readings, plan, target, approached: Vec::new(), goal: None, walking: None }
    }

    /// Forgets the episode.
    pub fn reset(&mut self) {
        self.drop_plan();
        self.target = Descriptor::default();
        self.approached.clear();
    }

    /// What it knows of the target so far.
    pub fn target(&self) -> Descriptor {
        self.target
    }

    /// The candidate it is on its way to.
    pub fn goal(&self) -> Option<Cell> {
        self.goal
    }

    /// The plan: each action that is left, with the confidence in it.
    pub fn plan(&self) -> Vec<(Act, f64)> {
        self.plan.actions(self.phi).collect()
    }

    /// Hears a sentence and acts. What is no sentence of the language is taken for silence.
    pub fn step(&mut self, sentence: &Sentence, sight: &Sight, chance: &mut dyn Rng) -> Act {
        match language::parse(sentence).unwrap_or(Meaning::Silence) {
            Meaning::Silence => self.look_by_itself(sight, chance),
            Meaning::Confirm(_) => {
                self.look_by_itself(sight, chance);
                self.plan.confirm();
            }
            Meaning::Decline(_) => {
                self.drop_plan();
                return Act::Wait;
            }
            Meaning::Go(direction) => self.install(Plan::straight(direction), None),
            Meaning::Take(_) => self.install(Plan::take(), None),
            Meaning::Refer(news) => {
                self.target = self.target.with(news);
                self.look(sight, chance);
            }
        }
        self.act(sight, chance)
    }

    /// The plan's next action, with the confidence in it.
    fn act(&mut self, sight: &Sight, chance: &mut dyn Rng) -> Act {
        if self.autonomy == Autonomy::Eager && self.stands_on_candidate(sight) {
            return Act::Take;
        }
        let Some((action, confidence)) = self.plan.head(self.phi) else { return Act::Wait };
        if let Act::Move(direction) = action
            && sight.gripper.after(direction, sight.size).is_none()
        {
            self.drop_plan();
            return Act::Wait;
        }
        if action == Act::Take && self.goal.is_some() && !self.fits_here(sight) {
            // It has heard meanwhile that this is not the target.
            self.drop_plan();
            return Act::Wait;
        }
        if confidence < 1.0 && chance.random::<f64>() >= confidence {
            return Act::Wait;
        }
        self.plan.advance();
        if self.readings.approached == ApproachedWhen::Reached
            && let (Some(goal), Act::Move(direction)) = (self.goal, action)
            && sight.gripper.after(direction, sight.size) == Some(goal)
        {
            self.approached.push(goal);
        }
        action
    }

    fn stands_on_candidate(&self, sight: &Sight) -> bool {
        let passing = self.readings.takes_in_passing && !self.target.is_empty();
        let arrived = self.goal == Some(sight.gripper) && (!self.readings.plans_take || self.plan.is_over());
        (arrived || passing) && self.fits_here(sight)
    }

    /// Whether a piece lies under the gripper that agrees with all that is known.
    fn fits_here(&self, sight: &Sight) -> bool {
        let Tile::Part(color, shape) = sight.here() else { return false };
        self.fits(sight, (sight.gripper, color, shape))
    }

    /// The eager Follower's looking about when it was not told what to look for.
    fn look_by_itself(&mut self, sight: &Sight, chance: &mut dyn Rng) {
        if self.autonomy == Autonomy::Eager {
            self.look(sight, chance);
        }
    }

    /// Looks for the target as far as it is known, and revises the plan (`on_reference` in the paper).
    fn look(&mut self, sight: &Sight, chance: &mut dyn Rng) {
        if self.keeps_goal(sight) {
            return;
        }
        let explores = self.autonomy == Autonomy::Eager && self.target.is_empty();
        let only_area = self.target.area.is_some() && self.target.color.is_none() && self.target.shape.is_none();
        // With nothing but a position known, a piece is gone for once the gripper is there.
        let may_approach = !only_area || self.target.area == Some(sight.area());
        let candidate = if self.target.is_empty() && !explores || !may_approach {
            None
        } else {
            draw(sight.parts().filter(|part| self.agrees(sight, *part)).map(|(cell, ..)| cell), chance)
        };
        if let Some(cell) = candidate {
            return self.approach(cell, sight, chance);
        }
        if let Some(area) = self.target.area.filter(|area| *area != sight.area())
            && (only_area || self.readings.walks_to_known_area)
        {
            if !self.readings.keeps_walk || self.plan.is_over() || self.walking != Some(area) {
                self.install(Plan::way(sight.gripper, area.center(sight.size), chance), None);
                self.walking = Some(area);
            }
            return;
        }
        self.wander(sight, chance);
    }

    /// The eager Follower with neither plan nor candidate walks a few tiles anywhere.
    fn wander(&mut self, sight: &Sight, chance: &mut dyn Rng) {
        let wanders = match self.readings.wander {
            WanderWhen::Never => false,
            WanderWhen::TargetKnown => !self.target.is_empty(),
            WanderWhen::Always => true,
        };
        if self.autonomy == Autonomy::Cautious || !wanders || !self.plan.is_over() {
            return;
        }
        let ways = Direction::ALL.into_iter().filter(|way| sight.gripper.after(*way, sight.size).is_some());
        if let Some(way) = draw(ways, chance) {
            let tiles = chance.random_range(self.readings.wander_tiles.0..=self.readings.wander_tiles.1);
            self.install(Plan::straight(way).cut(tiles), None);
        }
    }

    /// Whether the plan leads to a candidate that is still one.
    fn keeps_goal(&self, sight: &Sight) -> bool {
        let Some(goal) = self.goal.filter(|goal| !self.plan.is_over() || *goal == sight.gripper) else { return false };
        let exploring = self.target.is_empty();
        (if exploring { self.readings.keeps_explored } else { self.readings.keeps_goal })
            && sight.parts().any(|(cell, color, shape)| cell == goal && self.fits(sight, (cell, color, shape)))
    }

    /// A candidate: it agrees with all that is known, and was not gone for before.
    fn agrees(&self, sight: &Sight, part: (Cell, Color, Shape)) -> bool {
        self.fits(sight, part) && self.is_new(part.0)
    }

    fn fits(&self, sight: &Sight, (cell, color, shape): (Cell, Color, Shape)) -> bool {
        self.target.color.is_none_or(|known| known == color)
            && self.target.shape.is_none_or(|known| known == shape)
            && self.target.area.is_none_or(|known| known == Area::of(cell, sight.size))
    }

    fn is_new(&self, cell: Cell) -> bool {
        !self.approached.contains(&cell)
    }

    fn approach(&mut self, cell: Cell, sight: &Sight, chance: &mut dyn Rng) {
        if self.readings.approached == ApproachedWhen::Chosen {
            self.approached.push(cell);
        }
        let way = Plan::way(sight.gripper, cell, chance);
        let takes = self.autonomy == Autonomy::Eager && self.readings.plans_take;
        self.install(if takes { way.then_take() } else { way }, Some(cell));
    }

    fn install(&mut self, plan: Plan, goal: Option<Cell>) {
        (self.plan, self.goal, self.walking) = (plan, goal, None);
    }

    fn drop_plan(&mut self) {
        self.install(Plan::empty(), None);
    }
}

/// One of them, each as likely as the others.
fn draw<T>(items: impl Iterator<Item = T>, chance: &mut dyn Rng) -> Option<T> {
    let mut drawn = None;
    for (number, item) in items.enumerate() {
        if chance.random_range(0..=number) == 0 {
            drawn = Some(item);
        }
    }
    drawn
}
