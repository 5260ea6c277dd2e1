//! Boards: one grid, two sides, each with walls of its own.
//!
//! A [`Setup`] is whatever somebody wrote down. A [`Board`] is a setup that has been proven playable: sizes and places
//! fit, and the two players together can reach every treasure. The rules work on boards only.

use crate::{Action, solver};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// A cell; (0, 0) is top left. Its JSON is `[x, y]`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell {
    /// The column, from the left.
    pub x: u8,
    /// The row, from the top.
    pub y: u8,
}

impl Cell {
    /// The cell in column `x`, row `y`.
    pub const fn new(x: u8, y: u8) -> Self {
        Self { x, y }
    }

    /// The cell after `action` on an endless grid; `None` left of or above the first cell.
    pub fn after(self, action: Action) -> Option<Self> {
        let (dx, dy) = action.delta();
        Some(Self { x: self.x.checked_add_signed(dx)?, y: self.y.checked_add_signed(dy)? })
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.x, self.y)
    }
}

impl Serialize for Cell {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        [self.x, self.y].serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Cell {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        <[u8; 2]>::deserialize(deserializer).map(|[x, y]| Self { x, y })
    }
}

/// One side of a board: which of its edges are open to the seat that plays it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Side {
    width: u8,
    height: u8,
    /// For each cell, row by row, one bit an action that is possible there; staying always is.
    open: Vec<u8>,
}

impl Side {
    /// A side without inner walls.
    pub fn without_walls(width: u8, height: u8) -> Self {
        let mut side = Self { width, height, open: vec![0b11111; usize::from(width) * usize::from(height)] };
        for index in 0..side.cells() {
            let cell = side.cell(index);
            for action in Action::MOVES {
                if !cell.after(action).is_some_and(|other| side.contains(other)) {
                    side.open[index] &= !(1 << action.index());
                }
            }
        }
        side
    }

    /// The number of columns.
    pub fn width(&self) -> u8 {
        self.width
    }

    /// The number of rows.
    pub fn height(&self) -> u8 {
        self.height
    }

    /// The number of cells.
    pub fn cells(&self) -> usize {
        self.open.len()
    }

    /// A cell's place, row by row.
    pub fn index(&self, cell: Cell) -> usize {
        usize::from(cell.y) * usize::from(self.width) + usize::from(cell.x)
    }

    /// The cell at a place.
    pub fn cell(&self, index: usize) -> Cell {
        let width = usize::from(self.width);
        Cell { x: (index % width) as u8, y: (index / width) as u8 }
    }

    /// Whether `cell` is on the board.
    pub fn contains(&self, cell: Cell) -> bool {
        cell.x < self.width && cell.y < self.height
    }

    /// Whether the token can go from `cell` by `action`. Always so for staying; never over the border.
    ///
    /// # Panics
    /// If `cell` is not on the board; so do all that look at a cell's edges.
    pub fn open(&self, cell: Cell, action: Action) -> bool {
        self.open[self.index(cell)] & (1 << action.index()) != 0
    }

    /// The cell that `action` leads to; the same cell where it is blocked.
    pub fn after(&self, cell: Cell, action: Action) -> Cell {
        if self.open(cell, action) { cell.after(action).unwrap_or(cell) } else { cell }
    }

    /// The possible actions, in their fixed order.
    pub fn actions(&self, cell: Cell) -> impl Iterator<Item = Action> + '_ {
        Action::ALL.into_iter().filter(move |action| self.open(cell, *action))
    }

    /// Puts a wall on an edge, for both directions. A wall on the border changes nothing.
    pub fn add_wall(&mut self, cell: Cell, towards: Action) {
        self.set(cell, towards, false);
    }

    /// Takes the wall off an inner edge.
    pub fn remove_wall(&mut self, cell: Cell, towards: Action) {
        self.set(cell, towards, true);
    }

    fn set(&mut self, cell: Cell, towards: Action, open: bool) {
        let Some(other) = cell.after(towards).filter(|other| towards != Action::Stay && self.contains(*other)) else {
            return;
        };
        for (cell, action) in [(cell, towards), (other, towards.opposite())] {
            let bit = 1 << action.index();
            let index = self.index(cell);
            if open { self.open[index] |= bit } else { self.open[index] &= !bit }
        }
    }

    /// The cells with an inner wall towards `action` (right or down), row by row.
    pub fn walls(&self, action: Action) -> Vec<Cell> {
        let cells = (0..self.cells()).map(|index| self.cell(index));
        let inner = |cell: &Cell| cell.after(action).is_some_and(|other| self.contains(other));
        cells.filter(inner).filter(|cell| !self.open(*cell, action)).collect()
    }
}

/// A board as somebody wrote it down; it may not be playable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// Its name.
    pub name: String,
    /// One line about it.
    pub note: String,
    /// Where the token starts each round.
    pub start: Cell,
    /// Each round's treasure.
    pub treasures: Vec<Cell>,
    /// Each seat's side.
    pub sides: [Side; 2],
}

/// Why a setup cannot be played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BoardError {
    /// The grid is too small or too large.
    #[error("the board is {width} x {height} cells; each side must be {MIN_SIZE} to {MAX_SIZE}")]
    Size {
        /// Columns.
        width: usize,
        /// Rows.
        height: usize,
    },
    /// A name or note that does not fit on its line of a level file.
    #[error("the {0} must be one line of at most {MAX_TEXT} characters, without spaces around it")]
    Text(&'static str),
    /// The two sides are not of one size.
    #[error("the two sides differ in size")]
    Sides,
    /// No treasure at all.
    #[error("the board has no treasure; it needs one for each round, {MAX_ROUNDS} at most")]
    NoTreasure,
    /// More rounds than anybody plays.
    #[error("the board has {0} treasures; there may be {MAX_ROUNDS} at most")]
    TooManyTreasures(usize),
    /// A place off the board.
    #[error("{what} is at {cell}, outside the board")]
    Outside {
        /// What.
        what: String,
        /// Where.
        cell: Cell,
    },
    /// A round that is over before it begins.
    #[error("the treasure of round {round} lies on the start ({cell})")]
    TreasureOnStart {
        /// Counted from 1.
        round: usize,
        /// Where.
        cell: Cell,
    },
    /// Two rounds with one treasure.
    #[error("the treasure of round {round} lies where an earlier one does ({cell})")]
    SameTreasure {
        /// Counted from 1.
        round: usize,
        /// Where.
        cell: Cell,
    },
    /// A round that nobody can finish.
    #[error(
        "the treasure of round {round} ({cell}) cannot be reached from the start ({start}), not even by both players together"
    )]
    Unreachable {
        /// Counted from 1.
        round: usize,
        /// Where.
        cell: Cell,
        /// From where.
        start: Cell,
    },
}

impl BoardError {
    /// The round whose treasure it is about, counted from 1.
    pub fn round(&self) -> Option<usize> {
        match self {
            Self::TreasureOnStart { round, .. }
            | Self::SameTreasure { round, .. }
            | Self::Unreachable { round, .. } => Some(*round),
            _ => None,
        }
    }
}

/// The fewest rows or columns.
pub const MIN_SIZE: u8 = 2;
/// The most rows or columns.
pub const MAX_SIZE: u8 = 30;
/// The most rounds.
pub const MAX_ROUNDS: usize = 9;
/// The most characters of a name or a note.
pub const MAX_TEXT: usize = 200;

/// A playable board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board(Setup);

impl Setup {
    /// Proves that the board can be played.
    ///
    /// # Errors
    /// What stands in the way.
    pub fn check(self) -> Result<Board, BoardError> {
        let [one, other] = &self.sides;
        let (width, height) = (one.width, one.height);
        if (other.width, other.height) != (width, height) {
            return Err(BoardError::Sides);
        }
        let fits = MIN_SIZE..=MAX_SIZE;
        if !fits.contains(&width) || !fits.contains(&height) {
            return Err(BoardError::Size { width: width.into(), height: height.into() });
        }
        let one_line =
            |text: &str| text.trim() == text && text.chars().count() <= MAX_TEXT && !text.chars().any(char::is_control);
        for (what, text) in [("name", &self.name), ("note", &self.note)] {
            if !one_line(text) {
                return Err(BoardError::Text(what));
            }
        }
        match self.treasures.len() {
            0 => return Err(BoardError::NoTreasure),
            1..=MAX_ROUNDS => {}
            many => return Err(BoardError::TooManyTreasures(many)),
        }
        if !one.contains(self.start) {
            return Err(BoardError::Outside { what: "the start".into(), cell: self.start });
        }
        let turns = solver::turns_from(&self.sides, self.start, 0);
        for (round, cell) in (1..).zip(self.treasures.iter().copied()) {
            if !one.contains(cell) {
                return Err(BoardError::Outside { what: format!("the treasure of round {round}"), cell });
            }
            if cell == self.start {
                return Err(BoardError::TreasureOnStart { round, cell });
            }
            if self.treasures[..round - 1].contains(&cell) {
                return Err(BoardError::SameTreasure { round, cell });
            }
            if turns[one.index(cell)].is_none() {
                return Err(BoardError::Unreachable { round, cell, start: self.start });
            }
        }
        Ok(Board(self))
    }
}

impl Board {
    /// The board's name.
    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// One line about it.
    pub fn note(&self) -> &str {
        &self.0.note
    }

    /// The number of columns.
    pub fn width(&self) -> u8 {
        self.0.sides[0].width
    }

    /// The number of rows.
    pub fn height(&self) -> u8 {
        self.0.sides[0].height
    }

    /// Where the token starts each round.
    pub fn start(&self) -> Cell {
        self.0.start
    }

    /// Each round's treasure.
    pub fn treasures(&self) -> &[Cell] {
        &self.0.treasures
    }

    /// Each seat's side.
    pub fn sides(&self) -> &[Side; 2] {
        &self.0.sides
    }

    /// The board as it would be written down.
    pub fn setup(&self) -> &Setup {
        &self.0
    }
}
