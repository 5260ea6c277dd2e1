//! What a piece looks like and where it lies, as symbols: shape, colour, position (section 3.6, appendix A.1).

use crate::Cell;
use serde::{Deserialize, Serialize};
use std::fmt;

/// One of nine Pentomino shapes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the letters are the shapes")]
pub enum Shape {
    P,
    X,
    T,
    Z,
    W,
    U,
    N,
    F,
    Y,
}

impl Shape {
    /// All shapes, in the order of their symbols.
    pub const ALL: [Self; 9] = [Self::P, Self::X, Self::T, Self::Z, Self::W, Self::U, Self::N, Self::F, Self::Y];

    /// Its number in a Follower's view, from 2 (appendix A.1).
    pub fn symbol(self) -> u8 {
        self as u8 + 2
    }

    /// Its letter.
    pub fn name(self) -> &'static str {
        ["P", "X", "T", "Z", "W", "U", "N", "F", "Y"][self as usize]
    }

    /// The five tiles of the unrotated shape, from its top left corner.
    fn drawn(self) -> [(i8, i8); 5] {
        match self {
            Self::P => [(0, 0), (1, 0), (0, 1), (1, 1), (0, 2)],
            Self::X => [(1, 0), (0, 1), (1, 1), (2, 1), (1, 2)],
            Self::T => [(0, 0), (1, 0), (2, 0), (1, 1), (1, 2)],
            Self::Z => [(0, 0), (1, 0), (1, 1), (1, 2), (2, 2)],
            Self::W => [(0, 0), (0, 1), (1, 1), (1, 2), (2, 2)],
            Self::U => [(0, 0), (2, 0), (0, 1), (1, 1), (2, 1)],
            Self::N => [(1, 0), (1, 1), (0, 2), (1, 2), (0, 3)],
            Self::F => [(1, 0), (2, 0), (0, 1), (1, 1), (1, 2)],
            Self::Y => [(1, 0), (0, 1), (1, 1), (1, 2), (1, 3)],
        }
    }

    /// Its tiles after `quarters` turns to the right, in the middle of a block of 5 x 5.
    pub fn tiles(self, quarters: u8) -> [(u8, u8); 5] {
        let mut tiles = self.drawn();
        for _ in 0..quarters % 4 {
            tiles = tiles.map(|(x, y)| (-y, x));
        }
        let least = tiles.iter().fold((0, 0), |least, tile| (least.0.min(tile.0), least.1.min(tile.1)));
        tiles = tiles.map(|(x, y)| (x - least.0, y - least.1));
        let most = tiles.iter().fold((0, 0), |most, tile| (most.0.max(tile.0), most.1.max(tile.1)));
        tiles.map(|(x, y)| ((x + (4 - most.0) / 2) as u8, (y + (4 - most.1) / 2) as u8))
    }
}

/// One of six colours (Table 4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "the names are the colours")]
pub enum Color {
    Red,
    Green,
    Blue,
    Yellow,
    Brown,
    Purple,
}

impl Color {
    /// All colours, in the order of their symbols.
    pub const ALL: [Self; 6] = [Self::Red, Self::Green, Self::Blue, Self::Yellow, Self::Brown, Self::Purple];

    /// Its number in a Follower's view, from 2 (appendix A.1).
    pub fn symbol(self) -> u8 {
        self as u8 + 2
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        ["red", "green", "blue", "yellow", "brown", "purple"][self as usize]
    }

    /// Red, green and blue, 0 to 255 (Table 4).
    pub fn rgb(self) -> [u8; 3] {
        match self {
            Self::Red => [255, 0, 0],
            Self::Green => [0, 128, 0],
            Self::Blue => [0, 0, 255],
            Self::Yellow => [255, 255, 0],
            Self::Brown => [139, 69, 19],
            Self::Purple => [128, 0, 128],
        }
    }
}

/// One of nine areas of the board, thirds across and along. A piece's *position* is the area of its anchor; the middle
/// area has none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Area(u8);

impl Area {
    /// The eight areas that pieces lie in, row by row.
    pub const AROUND: [Self; 8] = [Self(0), Self(1), Self(2), Self(3), Self(5), Self(6), Self(7), Self(8)];
    /// The middle, where the gripper starts.
    pub const MIDDLE: Self = Self(4);

    /// The area in the given thirds, 0 to 2, across and along.
    pub(crate) fn at(across: u8, along: u8) -> Self {
        Self(along.min(2) * 3 + across.min(2))
    }

    /// The area of a tile on a board of `size` x `size`: thirds, the remainder going to the last ones.
    pub fn of(cell: Cell, size: u8) -> Self {
        let third = |at: u8| (0..3).rfind(|third| at >= Self::start(*third, size)).unwrap_or(0);
        Self::at(third(cell.x), third(cell.y))
    }

    /// Its number, row by row from 0 to 8.
    pub fn index(self) -> u8 {
        self.0
    }

    /// Which third across: 0 left, 1 center, 2 right.
    pub fn across(self) -> u8 {
        self.0 % 3
    }

    /// Which third along: 0 top, 1 center, 2 bottom.
    pub fn along(self) -> u8 {
        self.0 / 3
    }

    /// The first tile of a third.
    pub fn start(third: u8, size: u8) -> u8 {
        (u16::from(third) * u16::from(size) / 3) as u8
    }

    /// The tile in its middle: 3, 10 or 17 on a board of 21.
    pub fn center(self, size: u8) -> Cell {
        let middle = |third: u8| {
            let end = Self::start(third + 1, size);
            Self::start(third, size) + (end - Self::start(third, size)) / 2
        };
        Cell::new(middle(self.across()), middle(self.along()))
    }

    /// Its two words, or the one word of the middle.
    pub fn name(self) -> &'static str {
        [
            "top left",
            "top center",
            "top right",
            "left center",
            "center",
            "right center",
            "bottom left",
            "bottom center",
            "bottom right",
        ][usize::from(self.0)]
    }
}

impl fmt::Display for Area {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Serialize for Area {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// A piece's three properties (section 3.6).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Symbol {
    /// Its shape.
    pub shape: Shape,
    /// Its colour.
    pub color: Color,
    /// Its position.
    pub area: Area,
}

impl fmt::Display for Symbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} at {}", self.color.name(), self.shape.name(), self.area)
    }
}
