//! Task files: JSON Lines, one task a line.
//!
//! ```json
//! {"size":21,"target":0,"pieces":[{"shape":"T","color":"red","at":[2,15],"rotation":1},{"shape":"X","color":"blue","at":[14,3]}]}
//! ```

use super::Task;
use crate::Board;
use crate::board::{BoardError, Piece};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// What is wrong with a task file, and in which line, from 1.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct TaskError {
    /// The line.
    pub line: usize,
    /// What is wrong there.
    pub problem: String,
}

/// A task as it is written.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    size: u8,
    target: usize,
    pieces: Vec<Piece>,
}

/// Writes tasks, one a line.
pub fn write(tasks: &[Task]) -> String {
    let line = |task: &Task| {
        let line = Line { size: task.board.size(), target: task.target, pieces: task.board.pieces().to_vec() };
        serde_json::to_string(&line).unwrap_or_default() + "\n"
    };
    tasks.iter().map(line).collect()
}

/// Reads tasks; empty lines are passed over. Neighbouring tasks on equal boards share the board.
///
/// # Errors
/// The first line that is no task: not such JSON, an unknown shape or colour, a piece that is missing, overlaps or hangs
/// over the edge.
pub fn read(text: &str) -> Result<Vec<Task>, TaskError> {
    let mut tasks: Vec<Task> = Vec::new();
    for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty()) {
        let wrong = |problem: String| TaskError { line: number, problem };
        let read: Line = serde_json::from_str(line).map_err(|error| wrong(error.to_string()))?;
        let count = read.pieces.len();
        let board = Board::new(read.size, read.pieces).map_err(|error: BoardError| wrong(error.to_string()))?;
        if read.target >= count {
            let problem =
                format!("the target is piece {}, but the pieces are numbered 0 to {}", read.target, count - 1);
            return Err(wrong(problem));
        }
        let shared = tasks.last().map(|task| task.board.clone()).filter(|before| **before == board);
        tasks.push(Task { board: shared.unwrap_or_else(|| Arc::new(board)), target: read.target });
    }
    Ok(tasks)
}
