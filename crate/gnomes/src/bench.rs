//! What speed is measured on, the same natively and in the browser. Nothing here reads a clock: the caller does.

use crate::aismctsf::{self, Options};
use crate::belief::Belief;
use crate::maze::Maze;
use crate::{Board, Side, boards};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;

/// Searches one after another on board 9A in the first round: seat 1 plans, does not see the treasure, and plays every
/// rollout to its end. Each search is a turn as the agent makes it: maze, belief, 100 iterations.
pub struct Searches {
    board: Option<Board>,
    chance: Xoshiro256PlusPlus,
}

impl Searches {
    /// Before the first one.
    #[expect(clippy::new_without_default, reason = "nobody wants this by default")]
    pub fn new() -> Self {
        Self { board: boards::named("9A").ok(), chance: Xoshiro256PlusPlus::seed_from_u64(1) }
    }

    /// Makes one search, and says how many iterations it had.
    pub fn run_one(&mut self) -> u32 {
        let Some(board) = &self.board else { return 0 };
        let own: &Side = &board.sides()[1];
        let mut belief = Belief::uniform(board.width(), board.height());
        belief.exclude(board.start());
        let maze = Maze::new(own, |_| 0).with_belief(&belief, board.start());
        aismctsf::search(&maze, maze.index(board.start()), &Options::default(), &mut self.chance, |_| true).iterations()
    }
}
