//! The JSON layout that public follow-up work on the game uses.
//!
//! ```json
//! {"height": 2, "width": 2, "treasures": [{"x": 1, "y": 0}],
//!  "p1-walls": [{"from": {"x": 0, "y": 0}, "to": {"x": 0, "y": 1}}], "p2-walls": []}
//! ```
//!
//! Mind that there `x` is the row and `y` the column. Everywhere else in this library x is the column.

use crate::board::{BoardError, MAX_SIZE, Setup};
use crate::{Action, Board, Cell, Side};
use serde::{Deserialize, Serialize};

/// A board in the public layout. The start, a name and a note are ours and may be left out. Fields that others added
/// to their files are passed over.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Layout {
    height: u16,
    width: u16,
    treasures: Vec<Place>,
    #[serde(rename = "p1-walls")]
    first_walls: Vec<Wall>,
    #[serde(rename = "p2-walls")]
    second_walls: Vec<Wall>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    start: Option<Place>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    note: Option<String>,
}

/// A cell of the layout.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Place {
    /// The row.
    x: u16,
    /// The column.
    y: u16,
}

/// A wall between two neighbouring cells.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Wall {
    from: Place,
    to: Place,
}

/// What is wrong with a layout.
#[derive(Debug, thiserror::Error)]
pub enum LayoutError {
    /// Not JSON, or not of this form.
    #[error("not a board layout: {0}")]
    Form(#[from] serde_json::Error),
    /// A wall that is none.
    #[error("{list}[{index}]: {problem}")]
    Wall {
        /// `p1-walls` or `p2-walls`.
        list: &'static str,
        /// Its place in the list, from 0.
        index: usize,
        /// What is wrong and what would be right.
        problem: String,
    },
    /// A place off the board.
    #[error("{what}: row {row}, column {column} is outside the board")]
    Outside {
        /// What.
        what: String,
        /// The layout's x.
        row: u16,
        /// The layout's y.
        column: u16,
    },
    /// It cannot be played.
    #[error(transparent)]
    Board(#[from] BoardError),
}

/// Reads a board from the JSON text of a layout.
///
/// # Errors
/// What is wrong, with the place in the JSON.
pub fn parse(text: &str) -> Result<Board, LayoutError> {
    serde_json::from_str::<Layout>(text)?.board()
}

impl Layout {
    /// The board, if it can be played.
    ///
    /// # Errors
    /// What is wrong, with the place in the JSON.
    pub fn board(&self) -> Result<Board, LayoutError> {
        let most = u16::from(MAX_SIZE);
        if !(1..=most).contains(&self.width) || !(1..=most).contains(&self.height) {
            let (width, height) = (self.width.into(), self.height.into());
            return Err(BoardError::Size { width, height }.into());
        }
        let sides = [self.side("p1-walls", &self.first_walls)?, self.side("p2-walls", &self.second_walls)?];
        let numbered = self.treasures.iter().enumerate();
        let treasures = numbered.map(|(index, place)| self.cell(*place, || format!("treasures[{index}]")));
        let setup = Setup {
            name: self.name.clone().unwrap_or_else(|| "unnamed".into()),
            note: self.note.clone().unwrap_or_default(),
            start: self.cell(self.start.unwrap_or(Place { x: 0, y: 0 }), || "start".into())?,
            treasures: treasures.collect::<Result<_, _>>()?,
            sides,
        };
        Ok(setup.check()?)
    }

    fn cell(&self, place: Place, what: impl Fn() -> String) -> Result<Cell, LayoutError> {
        if place.x >= self.height || place.y >= self.width {
            return Err(LayoutError::Outside { what: what(), row: place.x, column: place.y });
        }
        Ok(Cell::new(place.y as u8, place.x as u8))
    }

    fn side(&self, list: &'static str, walls: &[Wall]) -> Result<Side, LayoutError> {
        let mut side = Side::without_walls(self.width as u8, self.height as u8);
        for (index, wall) in walls.iter().enumerate() {
            let from = self.cell(wall.from, || format!("{list}[{index}].from"))?;
            let to = self.cell(wall.to, || format!("{list}[{index}].to"))?;
            let towards = Action::MOVES.into_iter().find(|action| from.after(*action) == Some(to));
            let problem = "a wall stands between two neighbouring cells; these are not".to_owned();
            side.add_wall(from, towards.ok_or(LayoutError::Wall { list, index, problem })?);
        }
        Ok(side)
    }
}

impl From<&Board> for Layout {
    fn from(board: &Board) -> Self {
        let place = |cell: Cell| Place { x: cell.y.into(), y: cell.x.into() };
        let walls = |side: &Side| {
            let towards = [Action::Right, Action::Down];
            let wall = |cell: Cell, action| Some(Wall { from: place(cell), to: place(cell.after(action)?) });
            let along = |action| side.walls(action).into_iter().filter_map(move |cell| wall(cell, action));
            towards.into_iter().flat_map(along).collect()
        };
        Self {
            height: board.height().into(),
            width: board.width().into(),
            treasures: board.treasures().iter().map(|cell| place(*cell)).collect(),
            first_walls: walls(&board.sides()[0]),
            second_walls: walls(&board.sides()[1]),
            start: Some(place(board.start())),
            name: Some(board.name().to_owned()),
            note: Some(board.note().to_owned()).filter(|note| !note.is_empty()),
        }
    }
}

/// Writes a board in the public layout.
pub fn write(board: &Board) -> String {
    // A layout is plain data with text keys, which always has a JSON form.
    serde_json::to_string_pretty(&Layout::from(board)).unwrap_or_default()
}
