//! The five things a player can do.

use serde::{Deserialize, Serialize};
use std::fmt;

/// A step of the token, or staying put. x grows to the right, y grows downwards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Action {
    /// The token stays where it is; always possible.
    Stay,
    /// One cell to the right.
    Right,
    /// One cell up.
    Up,
    /// One cell to the left.
    Left,
    /// One cell down.
    Down,
}

impl Action {
    /// All actions in their fixed order; an action's place in it is its index.
    pub const ALL: [Self; 5] = [Self::Stay, Self::Right, Self::Up, Self::Left, Self::Down];
    /// The four actions that move the token.
    pub const MOVES: [Self; 4] = [Self::Right, Self::Up, Self::Left, Self::Down];

    /// The action's place in [`Action::ALL`].
    pub fn index(self) -> usize {
        self as usize
    }

    /// The step back; staying is its own.
    pub fn opposite(self) -> Self {
        match self {
            Self::Stay => Self::Stay,
            Self::Right => Self::Left,
            Self::Up => Self::Down,
            Self::Left => Self::Right,
            Self::Down => Self::Up,
        }
    }

    /// The step in cells, `(dx, dy)`.
    pub fn delta(self) -> (i8, i8) {
        match self {
            Self::Stay => (0, 0),
            Self::Right => (1, 0),
            Self::Up => (0, -1),
            Self::Left => (-1, 0),
            Self::Down => (0, 1),
        }
    }

    /// The action's name, as in traces and messages.
    pub fn name(self) -> &'static str {
        match self {
            Self::Stay => "stay",
            Self::Right => "right",
            Self::Up => "up",
            Self::Left => "left",
            Self::Down => "down",
        }
    }

    /// The action of that name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|action| action.name() == name)
    }
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
