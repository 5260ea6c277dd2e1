//! A board with its pieces, proven playable.

use crate::Cell;
use crate::symbol::{Area, Color, Shape, Symbol};
use serde::{Deserialize, Serialize};

/// The smallest board's side, in tiles.
pub const SMALLEST: u8 = 12;
/// The largest board's side, in tiles.
pub const LARGEST: u8 = 30;
/// The fewest pieces: a target and a distractor.
pub const FEWEST: usize = 2;
/// The most pieces (Table 1).
pub const MOST: usize = 8;

/// A piece as it is written down: its anchor is the top left tile of a block of 5 x 5 in whose middle it lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Piece {
    /// Its shape.
    pub shape: Shape,
    /// Its colour.
    pub color: Color,
    /// Its anchor, which says its position.
    pub at: Cell,
    /// Quarter turns to the right, 0 to 3. Nobody speaks of it.
    #[serde(default)]
    pub rotation: u8,
}

impl Piece {
    /// Its three properties on a board of `size` x `size`.
    pub fn symbol(&self, size: u8) -> Symbol {
        Symbol { shape: self.shape, color: self.color, area: Area::of(self.at, size) }
    }

    /// Its five tiles, on the board or not.
    pub fn tiles(&self) -> [Cell; 5] {
        let corner = self.at;
        self.shape.tiles(self.rotation).map(|(x, y)| Cell::new(corner.x.saturating_add(x), corner.y.saturating_add(y)))
    }
}

/// What is wrong with a board.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BoardError {
    /// Too small or too large.
    #[error("a board of {0} x {0} tiles; it may have {SMALLEST} to {LARGEST} a side")]
    Size(u8),
    /// Too few or too many pieces.
    #[error("{0} pieces; a board has {FEWEST} to {MOST}")]
    Count(usize),
    /// A piece is turned in a way there is not.
    #[error("piece {0}: rotation {1} is not a number of quarter turns from 0 to 3")]
    Rotation(usize, u8),
    /// A piece hangs over the edge.
    #[error("piece {0}: its tile [{x}, {y}] is not on the board of {2} x {2}", x = .1.x, y = .1.y)]
    OffBoard(usize, Cell, u8),
    /// A piece lies where the gripper starts.
    #[error("piece {0}: its anchor is in the middle area, where no piece may lie")]
    Middle(usize),
    /// Two pieces share a tile.
    #[error("pieces {0} and {1} overlap at [{x}, {y}]", x = .2.x, y = .2.y)]
    Overlap(usize, usize, Cell),
}

/// A board whose pieces lie on it without overlapping.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    size: u8,
    pieces: Vec<Piece>,
    /// For each tile, row by row, the number of its piece from 1; 0 if it is empty.
    tiles: Vec<u8>,
}

impl Board {
    /// Lays the pieces out.
    ///
    /// # Errors
    /// The first thing that is wrong; pieces are counted from 0.
    pub fn new(size: u8, pieces: Vec<Piece>) -> Result<Self, BoardError> {
        if !(SMALLEST..=LARGEST).contains(&size) {
            return Err(BoardError::Size(size));
        }
        if !(FEWEST..=MOST).contains(&pieces.len()) {
            return Err(BoardError::Count(pieces.len()));
        }
        let mut board =
            Self { size, pieces: Vec::with_capacity(pieces.len()), tiles: vec![0; usize::from(size).pow(2)] };
        for piece in pieces {
            board.lay(piece)?;
        }
        Ok(board)
    }

    /// An empty board, for laying pieces one by one. The caller sees to its size and to the number of pieces.
    pub(crate) fn empty(size: u8) -> Self {
        Self { size, pieces: Vec::new(), tiles: vec![0; usize::from(size).pow(2)] }
    }

    /// Lays one more piece; if it does not fit, nothing changes.
    pub(crate) fn lay(&mut self, piece: Piece) -> Result<(), BoardError> {
        let number = self.pieces.len();
        if piece.rotation > 3 {
            return Err(BoardError::Rotation(number, piece.rotation));
        }
        for cell in piece.tiles() {
            if cell.x >= self.size || cell.y >= self.size {
                return Err(BoardError::OffBoard(number, cell, self.size));
            }
            if let Some(other) = self.piece_at(cell) {
                return Err(BoardError::Overlap(other, number, cell));
            }
        }
        if Area::of(piece.at, self.size) == Area::MIDDLE {
            return Err(BoardError::Middle(number));
        }
        for cell in piece.tiles() {
            let index = self.index(cell);
            self.tiles[index] = number as u8 + 1;
        }
        self.pieces.push(piece);
        Ok(())
    }

    /// Tiles along each side.
    pub fn size(&self) -> u8 {
        self.size
    }

    /// The pieces, in the order in which they were laid.
    pub fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    /// The properties of a piece.
    pub fn symbol(&self, piece: usize) -> Symbol {
        self.pieces[piece].symbol(self.size)
    }

    /// The piece on a tile, if there is one.
    pub fn piece_at(&self, cell: Cell) -> Option<usize> {
        usize::from(self.tiles[self.index(cell)]).checked_sub(1)
    }

    /// Where the gripper starts: (10, 10) on a board of 21.
    pub fn start(&self) -> Cell {
        Cell::new(self.size / 2, self.size / 2)
    }

    fn index(&self, cell: Cell) -> usize {
        usize::from(cell.y) * usize::from(self.size) + usize::from(cell.x)
    }
}
