//! Level files: a board drawn in plain text, both sides next to each other.
//!
//! ```text
//! name: tiny
//! note: Two rooms and a door.
//!
//! +--+--+   +--+--+
//! |S |  |   |S    |
//! +  +  +   +  +--+
//! |   1 |   |     |
//! +--+--+   +--+--+
//! ```
//!
//! Left is seat 0's side, right seat 1's. `--` and `|` are walls, `S` is the start, a figure is that round's treasure.
//! Start and treasures may be drawn on either side or on both. The writer draws the start on both and a treasure on the
//! side of the seat that is shown it.

use crate::board::{BoardError, MAX_ROUNDS, MAX_SIZE, Setup};
use crate::{Action, Board, Cell, Side};

/// What is wrong with a level file, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {problem}")]
pub struct LevelError {
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1.
    pub column: usize,
    /// What is wrong and what would be right.
    pub problem: String,
}

impl LevelError {
    fn at(line: usize, column: usize, problem: impl Into<String>) -> Self {
        Self { line: line + 1, column: column + 1, problem: problem.into() }
    }
}

/// Reads a level file.
///
/// # Errors
/// The first thing that is wrong, with its line and column. For a board that is drawn well but cannot be played, that is
/// the mark of the treasure in question, or the corner of the drawing.
pub fn parse(text: &str) -> Result<Board, LevelError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let lines: Vec<Vec<char>> = text.lines().map(|line| line.trim_end().chars().collect()).collect();
    let mut name = "unnamed".to_owned();
    let mut note = String::new();
    let mut top = None;
    for (number, line) in lines.iter().enumerate() {
        let line: String = line.iter().collect();
        if line.trim_start().starts_with('+') {
            top = Some(number);
            break;
        } else if let Some(given) = line.strip_prefix("name:") {
            name = given.trim().to_owned();
        } else if let Some(given) = line.strip_prefix("note:") {
            note = given.trim().to_owned();
        } else if !line.trim().is_empty() {
            let problem = "expected `name:`, `note:`, an empty line or the drawing's top border `+--+`";
            return Err(LevelError::at(number, 0, problem));
        }
    }
    let Some(top) = top else {
        return Err(LevelError::at(
            lines.len(),
            0,
            "there is no drawing: its top border looks like `+--+--+   +--+--+`",
        ));
    };
    Drawing::new(&lines, top)?.read(name, note)
}

/// A cell that bears a mark, and where in the text the mark is.
#[derive(Clone, Copy)]
struct Mark {
    cell: Cell,
    line: usize,
    column: usize,
}

/// Where the two grids stand in the text.
struct Drawing<'a> {
    lines: &'a [Vec<char>],
    top: usize,
    /// The text columns at which the two grids begin.
    left: [usize; 2],
    width: usize,
    height: usize,
}

impl<'a> Drawing<'a> {
    fn new(lines: &'a [Vec<char>], top: usize) -> Result<Self, LevelError> {
        let border = &lines[top];
        let first = border.iter().position(|char| *char == '+').unwrap_or_default();
        let width = border_width(border, first);
        let problem = "a border must look like `+--+--+`, two dashes a cell";
        if width == 0 {
            return Err(LevelError::at(top, first, problem));
        }
        let end = first + 3 * width + 1;
        let Some(gap) = border.iter().skip(end).position(|char| *char != ' ') else {
            return Err(LevelError::at(top, end, "the second side is missing: draw it to the right of the first"));
        };
        let second = end + gap;
        if gap == 0 || border_width(border, second) != width || border.len() != second + 3 * width + 1 {
            let problem =
                format!("the second side must be {width} cells wide like the first, some spaces to its right");
            return Err(LevelError::at(top, second, problem));
        }
        let rows = lines[top..].iter().take_while(|line| !line.iter().all(|char| *char == ' ')).count();
        if rows % 2 == 0 || rows < 3 {
            let problem = "the drawing must have a border line above and below every row of cells";
            return Err(LevelError::at(top + rows - 1, 0, problem));
        }
        if let Some(extra) = (top + rows..lines.len()).find(|line| !lines[*line].is_empty()) {
            return Err(LevelError::at(extra, 0, "nothing may follow the drawing"));
        }
        let height = rows / 2;
        if width > usize::from(MAX_SIZE) || height > usize::from(MAX_SIZE) {
            return Err(LevelError::at(top, first, BoardError::Size { width, height }.to_string()));
        }
        Ok(Self { lines, top, left: [first, second], width, height })
    }

    fn char(&self, line: usize, column: usize) -> char {
        self.lines[line].get(column).copied().unwrap_or(' ')
    }

    fn read(&self, name: String, note: String) -> Result<Board, LevelError> {
        let mut start = None;
        let mut treasures: [Option<Mark>; MAX_ROUNDS] = [None; MAX_ROUNDS];
        let (width, height) = (self.width as u8, self.height as u8);
        let mut sides = [Side::without_walls(width, height), Side::without_walls(width, height)];
        for (side, left) in sides.iter_mut().zip(self.left) {
            for y in 0..=height {
                self.read_border(side, left, y)?;
                if y < height {
                    self.read_row(side, left, y, &mut start, &mut treasures)?;
                }
            }
        }
        self.check_around()?;
        let here = |problem: String| LevelError::at(self.top, self.left[0], problem);
        let start = start.ok_or_else(|| here("there is no start: mark its cell with S".into()))?;
        let rounds = treasures.iter().rposition(Option::is_some).map_or(0, |last| last + 1);
        let missing = |round: usize| here(format!("treasure {round} is missing though there are later ones"));
        let numbered = treasures[..rounds].iter().zip(1..);
        let marks: Vec<Mark> =
            numbered.map(|(mark, round)| mark.ok_or_else(|| missing(round))).collect::<Result<_, _>>()?;
        let treasures = marks.iter().map(|mark| mark.cell).collect();
        let setup = Setup { name, note, start: start.cell, treasures, sides };
        setup.check().map_err(|error| match error.round().and_then(|round| marks.get(round - 1)) {
            Some(mark) => LevelError::at(mark.line, mark.column, error.to_string()),
            None => here(error.to_string()),
        })
    }

    fn read_border(&self, side: &mut Side, left: usize, y: u8) -> Result<(), LevelError> {
        let line = self.top + 2 * usize::from(y);
        for x in 0..=self.width {
            let post = left + 3 * x;
            if self.char(line, post) != '+' {
                return Err(LevelError::at(line, post, "expected a corner `+`"));
            }
            if x == self.width {
                break;
            }
            match (self.char(line, post + 1), self.char(line, post + 2)) {
                ('-', '-') => {
                    if y > 0 {
                        side.add_wall(Cell::new(x as u8, y - 1), Action::Down);
                    }
                }
                (' ', ' ') if y > 0 && usize::from(y) < self.height => {}
                (' ', ' ') => return Err(LevelError::at(line, post + 1, "the border must be closed with `--`")),
                _ => return Err(LevelError::at(line, post + 1, "expected `--` for a wall or two spaces for none")),
            }
        }
        Ok(())
    }

    fn read_row(
        &self,
        side: &mut Side,
        left: usize,
        y: u8,
        start: &mut Option<Mark>,
        treasures: &mut [Option<Mark>; MAX_ROUNDS],
    ) -> Result<(), LevelError> {
        let line = self.top + 2 * usize::from(y) + 1;
        for x in 0..=self.width {
            let edge = left + 3 * x;
            match self.char(line, edge) {
                '|' if x > 0 => side.add_wall(Cell::new((x - 1) as u8, y), Action::Right),
                '|' => {}
                ' ' if x > 0 && x < self.width => {}
                ' ' => return Err(LevelError::at(line, edge, "the border must be closed with `|`")),
                _ => return Err(LevelError::at(line, edge, "expected `|` for a wall or a space for none")),
            }
            for column in (edge + 1..edge + 3).take_while(|_| x < self.width) {
                let cell = Cell::new(x as u8, y);
                let char = self.char(line, column);
                let place = match char {
                    ' ' => continue,
                    'S' => &mut *start,
                    '1'..='9' => &mut treasures[char as usize - '1' as usize],
                    _ => {
                        return Err(LevelError::at(
                            line,
                            column,
                            format!("expected S, a figure or a space, not {char:?}"),
                        ));
                    }
                };
                if place.is_some_and(|there| there.cell != cell) {
                    return Err(LevelError::at(line, column, format!("{char} is marked in another cell already")));
                }
                *place = Some(Mark { cell, line, column });
            }
        }
        Ok(())
    }

    /// Nothing may stand before, between or behind the two grids.
    fn check_around(&self) -> Result<(), LevelError> {
        let grid = |column: usize, left: usize| (left..=left + 3 * self.width).contains(&column);
        for (line, chars) in self.lines.iter().enumerate().skip(self.top).take(2 * self.height + 1) {
            let stray =
                |(column, char): &(usize, &char)| **char != ' ' && !self.left.iter().any(|left| grid(*column, *left));
            if let Some((column, char)) = chars.iter().enumerate().find(stray) {
                return Err(LevelError::at(line, column, format!("{char:?} stands outside both sides")));
            }
        }
        Ok(())
    }
}

/// How many cells wide the border that begins at `from` is.
fn border_width(border: &[char], from: usize) -> usize {
    let cells = border.get(from + 1..).unwrap_or_default().chunks(3);
    if border.get(from) == Some(&'+') { cells.take_while(|cell| *cell == ['-', '-', '+']).count() } else { 0 }
}

/// Writes a board as a level file.
pub fn write(board: &Board) -> String {
    let mut text = format!("name: {}\n", board.name());
    if !board.note().is_empty() {
        text += &format!("note: {}\n", board.note());
    }
    text.push('\n');
    for y in 0..=board.height() {
        let line = |line: fn(&Board, usize, u8) -> String| format!("{}   {}\n", line(board, 0, y), line(board, 1, y));
        text += &line(border_line);
        if y < board.height() {
            text += &line(row_line);
        }
    }
    text
}

fn border_line(board: &Board, seat: usize, y: u8) -> String {
    let side = &board.sides()[seat];
    let wall = |x: u8| y == 0 || !side.open(Cell::new(x, y - 1), Action::Down);
    (0..board.width()).map(|x| if wall(x) { "+--" } else { "+  " }).collect::<String>() + "+"
}

fn row_line(board: &Board, seat: usize, y: u8) -> String {
    let side = &board.sides()[seat];
    let mut line = "|".to_owned();
    for x in 0..board.width() {
        let cell = Cell::new(x, y);
        let shown = board.treasures().iter().enumerate().filter(|(round, there)| **there == cell && round % 2 == seat);
        let mut marks: String = if cell == board.start() { "S".into() } else { String::new() };
        marks.extend(shown.map(|(round, _)| char::from(b'1' + round as u8)));
        line += &format!("{marks:<2}{}", if side.open(cell, Action::Right) { ' ' } else { '|' });
    }
    line
}
