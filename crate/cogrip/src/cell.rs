//! Tiles of the board and the steps between them.

use serde::{Deserialize, Serialize};

/// A tile: column and row from the top left. Serialises as `[x, y]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(from = "(u8, u8)", into = "(u8, u8)")]
pub struct Cell {
    /// Column, from 0.
    pub x: u8,
    /// Row, from 0.
    pub y: u8,
}

impl Cell {
    /// The tile in this column and row.
    pub const fn new(x: u8, y: u8) -> Self {
        Self { x, y }
    }

    /// How many steps it is to `other`; pieces are no obstacles.
    pub fn distance(self, other: Self) -> u8 {
        self.x.abs_diff(other.x) + self.y.abs_diff(other.y)
    }

    /// The tile one step on; `None` over the edge of a board of `size` x `size`.
    pub fn after(self, direction: Direction, size: u8) -> Option<Self> {
        let (x, y) = match direction {
            Direction::Left => (self.x.checked_sub(1)?, self.y),
            Direction::Right => (self.x + 1, self.y),
            Direction::Up => (self.x, self.y.checked_sub(1)?),
            Direction::Down => (self.x, self.y + 1),
        };
        (x < size && y < size).then_some(Self { x, y })
    }
}

impl From<(u8, u8)> for Cell {
    fn from((x, y): (u8, u8)) -> Self {
        Self { x, y }
    }
}

impl From<Cell> for (u8, u8) {
    fn from(cell: Cell) -> Self {
        (cell.x, cell.y)
    }
}

/// A step on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "the names are the directions")]
pub enum Direction {
    Left,
    Right,
    Up,
    Down,
}

impl Direction {
    /// All four, in the order of the Guide's directives.
    pub const ALL: [Self; 4] = [Self::Left, Self::Right, Self::Up, Self::Down];

    /// Its name.
    pub fn name(self) -> &'static str {
        ["left", "right", "up", "down"][self as usize]
    }
}
