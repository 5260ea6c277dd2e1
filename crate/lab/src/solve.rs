//! `gnomes solve`: the fewest turns of every round.

use crate::board;
use crate::cli::Solve;
use serde_json::json;
use tandem_gnomes::solver;

/// Solves the board.
///
/// # Errors
/// There is no such board.
pub fn run(asked: &Solve) -> anyhow::Result<String> {
    let (board, _) = board::open(&asked.board)?;
    let turns = solver::solve(&board, asked.first);
    Ok(if asked.json {
        format!("{}\n", json!({ "board": board.name(), "first": asked.first, "turns": turns }))
    } else {
        turns.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ") + "\n"
    })
}
