//! The fewest turns in which two players who know everything reach a treasure.
//!
//! The idea: whose turn it is belongs to the state. Over (cell, seat to move) every action is one step, and a
//! breadth-first search finds the shortest path. A blocked attempt never helps, since staying put costs the same.

use crate::{Action, Board, Cell, Side};
use std::collections::VecDeque;

/// A shortest path: the actions in turn order, the first one taken by the seat that starts.
pub fn shortest_path(sides: &[Side; 2], start: Cell, treasure: Cell, first: u8) -> Option<Vec<Action>> {
    let cells = sides[0].cells();
    let place = |cell: Cell, seat: u8| sides[0].index(cell) + cells * usize::from(seat);
    let mut came: Vec<Option<(Cell, u8, Action)>> = vec![None; 2 * cells];
    let mut seen = vec![false; 2 * cells];
    let mut queue = VecDeque::from([(start, first)]);
    seen[place(start, first)] = true;
    while let Some((cell, seat)) = queue.pop_front() {
        if cell == treasure {
            return Some(trace_back(&came, &place, (cell, seat)));
        }
        for action in sides[usize::from(seat)].actions(cell) {
            let next = (sides[usize::from(seat)].after(cell, action), 1 - seat);
            if !std::mem::replace(&mut seen[place(next.0, next.1)], true) {
                came[place(next.0, next.1)] = Some((cell, seat, action));
                queue.push_back(next);
            }
        }
    }
    None
}

fn trace_back(
    came: &[Option<(Cell, u8, Action)>],
    place: &impl Fn(Cell, u8) -> usize,
    (mut cell, mut seat): (Cell, u8),
) -> Vec<Action> {
    let mut path = Vec::new();
    while let Some((before, mover, action)) = came[place(cell, seat)] {
        path.push(action);
        (cell, seat) = (before, mover);
    }
    path.reverse();
    path
}

/// The length of a shortest path; `None` if the treasure cannot be reached.
pub fn fewest_turns(sides: &[Side; 2], start: Cell, treasure: Cell, first: u8) -> Option<usize> {
    shortest_path(sides, start, treasure, first).map(|path| path.len())
}

/// For every cell, row by row, the fewest turns in which two players who know everything bring the token there from
/// `start`, seat `first` beginning; `None` where they cannot.
pub fn turns_from(sides: &[Side; 2], start: Cell, first: u8) -> Vec<Option<usize>> {
    let cells = sides[0].cells();
    let mut turns = vec![None; cells];
    let mut seen = vec![false; 2 * cells];
    let mut queue = VecDeque::from([(start, first, 0)]);
    seen[sides[0].index(start) + cells * usize::from(first)] = true;
    while let Some((cell, seat, taken)) = queue.pop_front() {
        // Both seats may come to be to move here; the first to do so came with fewer turns.
        turns[sides[0].index(cell)].get_or_insert(taken);
        let side = &sides[usize::from(seat)];
        for action in side.actions(cell) {
            let (next, mover) = (side.after(cell, action), 1 - seat);
            if !std::mem::replace(&mut seen[side.index(next) + cells * usize::from(mover)], true) {
                queue.push_back((next, mover, taken + 1));
            }
        }
    }
    turns
}

/// The fewest turns of each round of a board when seat `first` (0 or 1) begins every round.
///
/// ```
/// use tandem_gnomes::{boards, solver};
///
/// assert_eq!(solver::solve(&boards::named("9A")?, 0), [5, 11, 7, 9, 11]);
/// # Ok::<(), String>(())
/// ```
pub fn solve(board: &Board, first: u8) -> Vec<usize> {
    let turns = turns_from(board.sides(), board.start(), first);
    board.treasures().iter().filter_map(|treasure| turns[board.sides()[0].index(*treasure)]).collect()
}

/// For every cell, the fewest steps to `goal` for one mover who may go wherever `open` says; `None` where there is no
/// way. Row by row.
pub fn distances(like: &Side, goal: Cell, open: impl Fn(Cell, Action) -> bool) -> Vec<Option<u16>> {
    let mut distance = vec![None; like.cells()];
    distance[like.index(goal)] = Some(0);
    let mut queue = VecDeque::from([goal]);
    while let Some(cell) = queue.pop_front() {
        let here = distance[like.index(cell)].unwrap_or_default();
        for back in Action::MOVES {
            let Some(before) = cell.after(back).filter(|before| like.contains(*before)) else { continue };
            if distance[like.index(before)].is_none() && open(before, back.opposite()) {
                distance[like.index(before)] = Some(here + 1);
                queue.push_back(before);
            }
        }
    }
    distance
}
