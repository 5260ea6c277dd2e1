//! The rules (`gnomes-1`), bare and fast: one token, two sides, five rounds.
//!
//! The two seats take strict turns. A seat moves the token along its own side's open edges; a blocked attempt leaves it
//! where it is, and the turn passes all the same. A round ends when the token is on the round's treasure. The token then
//! returns to the start, and the seat that began the game begins the next round as well.
//!
//! Rewards (section 2 of the paper; common to both seats) are counted in tenths, so that sums are exact.

use crate::{Action, Board, Cell};
use tandem_core::Digest;

/// The reward for reaching the treasure, in tenths: +20.
pub const TREASURE_REWARD: i64 = 200;
/// The reward of a blocked attempt, in tenths: -0.5.
pub const WALL_REWARD: i64 = -5;
/// The reward of every step, in tenths: -0.1.
pub const STEP_REWARD: i64 = -1;

/// What an attempt came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// Where the token was.
    pub from: Cell,
    /// Where it is; the start of the next round is not counted as a step.
    pub to: Cell,
    /// Whether a wall stopped it.
    pub blocked: bool,
    /// Whether it is now on the round's treasure.
    pub found: bool,
    /// Whether the round ended, found or given up at the cap.
    pub round_over: bool,
}

/// One round's result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Round {
    /// Turns taken.
    pub turns: u32,
    /// Common reward, in tenths.
    pub reward: i64,
    /// Whether the treasure was reached.
    pub completed: bool,
}

/// The state of play on a board: token, turn, round, rewards. It allocates nothing while it is played.
///
/// ```
/// use tandem_gnomes::{Action, boards, rules::Game};
///
/// let board = boards::named("9A")?;
/// let mut game = Game::new(&board, 0, None);
/// for action in [Action::Right, Action::Right, Action::Right, Action::Stay, Action::Right] {
///     let (step, round) = game.play(action);
///     assert!(!step.blocked);
///     if let Some(round) = round {
///         assert_eq!((round.turns, round.reward), (5, 195)); // tenths: +20 - 5 x 0.1
///     }
/// }
/// assert_eq!(game.state().round, 1);
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Debug)]
pub struct Game<'a> {
    board: &'a Board,
    state: State,
}

/// The part of a game that changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// Where the token is.
    pub token: Cell,
    /// The seat to move, 0 or 1.
    pub seat: u8,
    /// The seat that begins every round.
    pub first: u8,
    /// The present round, counted from 0; the number of rounds when the game is over.
    pub round: usize,
    /// The present round so far.
    pub now: Round,
    /// The cap on turns a round, if there is one.
    pub max_turns: Option<u32>,
}

impl State {
    /// The state in which a game on `board` begins.
    pub fn new(board: &Board, first: u8, max_turns: Option<u32>) -> Self {
        Self { token: board.start(), seat: first, first, round: 0, now: Round::default(), max_turns }
    }

    /// Whether all rounds are over.
    pub fn over(&self, board: &Board) -> bool {
        self.round >= board.treasures().len()
    }

    /// The seat to move attempts `action`. Returns what it came to, and the round's result if that ended the round.
    /// After the last round nothing moves any more.
    pub fn play(&mut self, board: &Board, action: Action) -> (Step, Option<Round>) {
        let from = self.token;
        let Some(treasure) = board.treasures().get(self.round).copied() else {
            return (Step { from, to: from, blocked: false, found: false, round_over: false }, None);
        };
        let side = &board.sides()[usize::from(self.seat)];
        let blocked = !side.open(from, action);
        let to = side.after(from, action);
        let found = to == treasure;
        self.now.turns += 1;
        self.now.reward += STEP_REWARD;
        if blocked {
            self.now.reward += WALL_REWARD;
        }
        if found {
            self.now.reward += TREASURE_REWARD;
            self.now.completed = true;
        }
        let round_over = found || self.max_turns.is_some_and(|most| self.now.turns >= most);
        let step = Step { from, to, blocked, found, round_over };
        if round_over {
            let finished = std::mem::take(&mut self.now);
            self.round += 1;
            self.token = board.start();
            self.seat = self.first;
            (step, Some(finished))
        } else {
            self.token = to;
            self.seat = 1 - self.seat;
            (step, None)
        }
    }

    /// Adds the state to a digest.
    pub fn add_to(&self, digest: Digest) -> Digest {
        let cell = u64::from(self.token.x) << 8 | u64::from(self.token.y);
        let digest = digest.u64(cell).u64(self.seat.into()).u64(self.first.into()).u64(self.round as u64);
        // No cap is 0, which is not a cap.
        let cap = self.max_turns.unwrap_or_default();
        digest.u64(self.now.turns.into()).u64(self.now.reward as u64).u64(cap.into())
    }
}

impl<'a> Game<'a> {
    /// A game on `board` in which seat `first` begins every round.
    pub fn new(board: &'a Board, first: u8, max_turns: Option<u32>) -> Self {
        Self { board, state: State::new(board, first, max_turns) }
    }

    /// The state of play.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Whether all rounds are over.
    pub fn over(&self) -> bool {
        self.state.over(self.board)
    }

    /// The seat to move attempts `action`.
    pub fn play(&mut self, action: Action) -> (Step, Option<Round>) {
        self.state.play(self.board, action)
    }

    /// Begins anew.
    pub fn restart(&mut self) {
        self.state = State::new(self.board, self.state.first, self.state.max_turns);
    }
}
