//! What a seat may know: its own side's walls, the token, the round, the talk, and how the token has moved.
//!
//! *Architecture Invariant:* a view holds nothing that depends on the other side's walls or on a treasure shown to the
//! other seat. So there is no score in it (a partner's failed attempt would show), and a partner's failed attempt looks
//! the same as its staying put.

use crate::{Action, Cell, Side};
use serde::{Deserialize, Serialize};
use tandem_core::{Millis, Seat};

/// What one seat may know now.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct View {
    /// The world's name, for a page that shows several.
    pub world: &'static str,
    /// Whose view it is.
    pub seat: Seat,
    /// The board's name.
    pub board: String,
    /// Columns.
    pub width: u8,
    /// Rows.
    pub height: u8,
    /// Where the token starts each round.
    pub start: Cell,
    /// The seat's own inner walls.
    pub walls: Walls,
    /// Where the token is.
    pub token: Cell,
    /// The seat to move; none when the game is over.
    pub turn: Option<Seat>,
    /// The round, from 1.
    pub round: usize,
    /// How many rounds there are.
    pub rounds: usize,
    /// Turns taken in this round.
    pub turns: u32,
    /// The round's treasure, for the seat it is shown to.
    pub treasure: Option<Cell>,
    /// The seat that is shown the treasure; everybody knows which.
    pub treasure_seat: Seat,
    /// The actions that no wall of the seat's own stops.
    pub open: Vec<Action>,
    /// What was said.
    pub messages: Vec<Message>,
    /// How the token moved.
    pub history: Vec<Past>,
    /// The rounds that are over.
    pub finished: Vec<Finished>,
    /// The result, when the game is over.
    pub outcome: Option<Outcome>,
}

impl View {
    /// The viewer's own side, from its walls.
    pub fn side(&self) -> Side {
        let mut side = Side::without_walls(self.width, self.height);
        for cell in &self.walls.right {
            side.add_wall(*cell, Action::Right);
        }
        for cell in &self.walls.below {
            side.add_wall(*cell, Action::Down);
        }
        side
    }
}

/// Inner walls: the cells with a wall to the right, and those with a wall below.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Walls {
    /// Wall to the right of these.
    pub right: Vec<Cell>,
    /// Wall below these.
    pub below: Vec<Cell>,
}

/// Something said.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Message {
    /// By whom.
    pub seat: Seat,
    /// The words.
    pub text: String,
    /// In which round, from 1.
    pub round: usize,
    /// After how many turns of the round.
    pub turn: u32,
    /// When.
    pub at: Millis,
}

/// One turn, as a seat may know it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Past {
    /// In which round, from 1.
    pub round: usize,
    /// Which turn of the round, from 1.
    pub turn: u32,
    /// Who moved.
    pub seat: Seat,
    /// What was attempted; only a seat's own attempts are known to it.
    pub attempt: Option<Action>,
    /// How the token moved; none if it did not.
    pub moved: Option<Action>,
    /// Where the token was.
    pub from: Cell,
    /// Where it went.
    pub to: Cell,
    /// When.
    pub at: Millis,
}

/// A round that is over.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finished {
    /// Which, from 1.
    pub round: usize,
    /// Turns taken.
    pub turns: u32,
    /// How long it took.
    pub millis: Millis,
    /// Where the treasure was; none if it was not found.
    pub treasure: Option<Cell>,
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Outcome {
    /// Whether every treasure was found.
    pub completed: bool,
    /// The rounds.
    pub rounds: Vec<RoundOutcome>,
    /// The common reward of all rounds.
    pub reward: f64,
}

/// How a round ended.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RoundOutcome {
    /// Which, from 1.
    pub round: usize,
    /// Turns taken.
    pub turns: u32,
    /// How long it took.
    pub millis: Millis,
    /// The common reward.
    pub reward: f64,
    /// Whether the treasure was found.
    pub completed: bool,
}

/// What happened, as a seat may hear of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum News {
    /// The token moved.
    Moved {
        /// By whom.
        seat: Seat,
        /// Which way.
        action: Action,
        /// From.
        from: Cell,
        /// To.
        to: Cell,
    },
    /// The token stayed: chosen so, or, as the others see it, a failed attempt.
    Stayed {
        /// Whose turn it was.
        seat: Seat,
    },
    /// A wall stopped the attempt. Only who tried hears of it.
    Blocked {
        /// Who tried.
        seat: Seat,
        /// What.
        action: Action,
    },
    /// Somebody talked.
    Said {
        /// Who.
        seat: Seat,
        /// The words.
        text: String,
    },
    /// The treasure was found.
    Found {
        /// The round, from 1.
        round: usize,
        /// Turns taken.
        turns: u32,
        /// How long it took.
        millis: Millis,
        /// Where it was.
        treasure: Cell,
    },
    /// The round was given up at its cap.
    Unfound {
        /// The round, from 1.
        round: usize,
        /// Turns taken.
        turns: u32,
    },
    /// A new round begins.
    Round {
        /// Which, from 1.
        round: usize,
        /// Who is shown its treasure.
        treasure_seat: Seat,
    },
    /// The game is over.
    Over,
}
