//! AISMCTS-F: asymmetric information-set Monte Carlo tree search with flag exchange (Algorithm 1, section 4.1).
//!
//! The idea: two players move one token in turn. The ego player knows its own steps exactly; of its partner's it only
//! knows which ones have been refused, and takes all others to be possible. It searches the game as it knows it: from
//! the present state it tries sequences of own and partner steps, plays each to the end by chance, and comes back to
//! those that have done well. Afterwards it takes the own step it has tried most often, and asks the partner for the
//! reply that it has tried most often after that step.
//!
//! Two trees, one for each player, stand in the paper's listing. Both receive every action and the same, common return,
//! so they are equal node by node; here one arena serves as both. (`tests/planner.rs` of the workspace holds the literal
//! two-tree version; both decide alike.)
//!
//! Nothing leaks: what the ego does not know is not in [`SharedControl`]. Where something is hidden (the treasure), each
//! iteration draws one hypothesis from the ego's belief.
//!
//! *Architecture Invariant:* nothing here knows of mazes, messages or time.

mod decide;
mod tree;

pub use decide::{Decision, decide};
pub use tree::{Branch, Tree};

use rand::{Rng, RngExt};
use serde::{Deserialize, Serialize};
use tree::NodeId;

/// Whose step it is, from the ego's point of view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mover {
    /// The planning player (E in the paper).
    Ego,
    /// The other player (H).
    Partner,
}

impl Mover {
    /// The other one.
    pub fn other(self) -> Self {
        match self {
            Self::Ego => Self::Partner,
            Self::Partner => Self::Ego,
        }
    }
}

/// A set of actions, which are numbered from 0 to 31: bit k stands for action k.
pub type Actions = u32;

/// A shared-control game (Definition 1) as the ego player knows it.
pub trait SharedControl {
    /// A state of the token.
    type State: Copy;
    /// One hypothesis about what the ego does not see.
    type Hypothesis: Copy;

    /// What `mover` can do in `state`: the ego's valid actions, or those of the partner that were not refused. Never
    /// empty.
    fn actions(&self, mover: Mover, state: Self::State) -> Actions;

    /// The state after `action`, one of [`SharedControl::actions`].
    fn after(&self, mover: Mover, state: Self::State, action: u8) -> Self::State;

    /// The common reward of the step that led from `state` by `action` to `after`.
    fn reward(&self, state: Self::State, action: u8, after: Self::State, hypothesis: Self::Hypothesis) -> f64;

    /// Whether the game ends in `state`.
    fn is_final(&self, state: Self::State, hypothesis: Self::Hypothesis) -> bool;

    /// Draws a hypothesis from the ego's belief.
    fn draw(&self, chance: &mut impl Rng) -> Self::Hypothesis;

    /// Plays from `state` by uniformly random steps until the end, for at most `cap` steps; returns the summed reward.
    /// A game that knows a faster way to the same distribution may have its own.
    fn rollout(
        &self,
        mover: Mover,
        state: Self::State,
        hypothesis: Self::Hypothesis,
        cap: u32,
        chance: &mut impl Rng,
    ) -> f64 {
        let (mut mover, mut state, mut total) = (mover, state, 0.0);
        for _ in 0..cap {
            if self.is_final(state, hypothesis) {
                break;
            }
            let action = pick(self.actions(mover, state), chance);
            let after = self.after(mover, state, action);
            total += self.reward(state, action, after, hypothesis);
            (mover, state) = (mover.other(), after);
        }
        total
    }
}

/// How a search goes about it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Options {
    /// Iterations (n in the paper).
    pub iterations: u32,
    /// The weight of exploration in the upper confidence bound (c in the paper).
    pub exploration: f64,
    /// The most steps of one iteration, tree and rollout together. The default is a safety cap: a rollout ends in a
    /// final state long before, or the end is out of reach.
    pub horizon: u32,
}

impl Default for Options {
    fn default() -> Self {
        Self { iterations: 100, exploration: std::f64::consts::SQRT_2, horizon: 10_000 }
    }
}

/// Searches from `root` with the ego to move. `keep_going` is asked before every iteration with the number done so far,
/// for callers that have a clock; give `|_| true` for a search that depends on nothing but its arguments.
pub fn search<G: SharedControl>(
    game: &G,
    root: G::State,
    options: &Options,
    chance: &mut impl Rng,
    mut keep_going: impl FnMut(u32) -> bool,
) -> Tree {
    let mut tree = Tree::new(game.actions(Mover::Ego, root), options.iterations, options.exploration);
    let mut path = Vec::with_capacity(64);
    for iteration in 0..options.iterations {
        if !keep_going(iteration) {
            break;
        }
        let total = iterate(game, root, options.horizon, &mut tree, &mut path, chance);
        tree.back_propagate(&path, total);
    }
    tree
}

/// One iteration: selection, expansion and simulation. Leaves the visited nodes in `path` and returns the sampled
/// return. (Line 28 of the listing would hand the running total up instead; that is taken for a slip.)
fn iterate<G: SharedControl>(
    game: &G,
    root: G::State,
    horizon: u32,
    tree: &mut Tree,
    path: &mut Vec<NodeId>,
    chance: &mut impl Rng,
) -> f64 {
    let hypothesis = game.draw(chance);
    let (mut node, mut state, mut mover) = (Tree::ROOT, root, Mover::Ego);
    let (mut total, mut steps) = (0.0, 0);
    path.clear();
    path.push(node);
    while steps < horizon && !game.is_final(state, hypothesis) {
        let untried = tree.untried(node, || game.actions(mover, state));
        let action = if untried == 0 { tree.best_action(node) } else { pick(untried, chance) };
        let after = game.after(mover, state, action);
        total += game.reward(state, action, after, hypothesis);
        tree.try_out(node, action);
        node = tree.child(node, action);
        path.push(node);
        (state, mover, steps) = (after, mover.other(), steps + 1);
        if untried != 0 {
            return total + game.rollout(mover, state, hypothesis, horizon - steps, chance);
        }
    }
    total
}

/// One of a set of actions, each as likely as the others.
fn pick(actions: Actions, chance: &mut impl Rng) -> u8 {
    let mut rest = actions;
    for _ in 0..chance.random_range(0..actions.count_ones()) {
        rest &= rest - 1;
    }
    rest.trailing_zeros() as u8
}
