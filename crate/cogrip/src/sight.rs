//! What the Follower sees: a cut of 11 x 11 tiles around the gripper, as symbols (section 3.5).

use crate::symbol::{Area, Color, Shape};
use crate::{Board, Cell};

/// How far the Follower sees to each side.
pub const REACH: u8 = 5;
/// The side of the cut.
pub const SIDE: usize = 2 * REACH as usize + 1;

/// A tile as the Follower sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Tile {
    /// Beyond the edge (symbol 0).
    Outside,
    /// No piece (symbol 1).
    Empty,
    /// Part of a piece of this colour and shape (symbols from 2).
    Part(Color, Shape),
}

/// The cut, with where the gripper is and how large the board is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sight {
    /// The board's side.
    pub size: u8,
    /// The gripper, in the middle of the cut.
    pub gripper: Cell,
    tiles: [Tile; SIDE * SIDE],
}

impl Sight {
    /// What can be seen from `gripper`.
    pub fn of(board: &Board, gripper: Cell) -> Self {
        let mut tiles = [Tile::Outside; SIDE * SIDE];
        for (index, tile) in tiles.iter_mut().enumerate() {
            if let Some(cell) = cell(gripper, index, board.size()) {
                *tile = match board.piece_at(cell) {
                    None => Tile::Empty,
                    Some(piece) => Tile::Part(board.pieces()[piece].color, board.pieces()[piece].shape),
                };
            }
        }
        Self { size: board.size(), gripper, tiles }
    }

    /// The tiles, row by row.
    pub fn tiles(&self) -> &[Tile] {
        &self.tiles
    }

    /// Every tile with a piece: where it is, and what is seen there.
    pub fn parts(&self) -> impl Iterator<Item = (Cell, Color, Shape)> + '_ {
        self.tiles.iter().enumerate().filter_map(|(index, tile)| match tile {
            Tile::Part(color, shape) => Some((cell(self.gripper, index, self.size)?, *color, *shape)),
            Tile::Empty | Tile::Outside => None,
        })
    }

    /// What is under the gripper.
    pub fn here(&self) -> Tile {
        self.tiles[SIDE * SIDE / 2]
    }

    /// The area the gripper is in.
    pub fn area(&self) -> Area {
        Area::of(self.gripper, self.size)
    }
}

/// The tile of the board at a place of the cut; `None` beyond the edge.
fn cell(gripper: Cell, index: usize, size: u8) -> Option<Cell> {
    let x = (gripper.x + (index % SIDE) as u8).checked_sub(REACH)?;
    let y = (gripper.y + (index / SIDE) as u8).checked_sub(REACH)?;
    (x < size && y < size).then_some(Cell::new(x, y))
}
