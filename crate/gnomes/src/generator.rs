//! Boards drawn by lot: any size, always solvable, and such that the players need each other.
//!
//! The idea: a random spanning tree of the grid (a maze without loops) is the path both players can walk together. Every
//! edge of the tree is left open on one side at least: on one side only for most edges, on both for the rest. Edges
//! outside the tree are opened on either side now and then, so that there are loops and detours; and where a cell would
//! be walled in on all four edges of one side, one of them is opened, since such a cell reads as a mistake.
//! Since the tree joins all cells and a turn may be spent by staying put, two players can reach every cell; since most
//! of its edges are closed to one of them, few cells can be reached by one alone. Treasures are then picked far from the
//! start and from each other, where neither player gets alone. If a draft has too few such cells, another is drawn, up
//! to a fixed number; the best of them is the board.

use crate::board::{BoardError, MAX_SIZE, Setup};
use crate::{Action, Board, Cell, Side, solver};
use rand::RngExt;
use rand::seq::{IndexedRandom, SliceRandom};
use tandem_core::{Seed, Stream};

/// The fewest rows or columns of a board drawn by lot.
pub const MIN_GENERATED: u8 = 4;
/// The number of rounds of a board drawn by lot.
const ROUNDS: usize = 5;
/// How many drafts are made before the best so far is taken.
const MOST_DRAFTS: usize = 24;
/// How likely an edge of the tree is open on both sides.
const SHARED_SHARE: f64 = 0.35;
/// How likely an edge outside the tree is open, on each side by itself.
const LOOP_SHARE: f64 = 0.45;

/// Draws a board. The same size and seed give the same board, its name tells both.
///
/// # Errors
/// A size below 4 or above 30.
pub fn generate(width: u8, height: u8, seed: Seed) -> Result<Board, BoardError> {
    let fits = MIN_GENERATED..=MAX_SIZE;
    if !fits.contains(&width) || !fits.contains(&height) {
        return Err(BoardError::Size { width: width.into(), height: height.into() });
    }
    let name = format!("random-{width}x{height}-{seed}");
    let mut stream = seed.stream(&name);
    let start = Cell::new(0, 0);
    let mut best = draft(width, height, start, &mut stream);
    for _ in 1..MOST_DRAFTS {
        if best.shared == ROUNDS {
            break;
        }
        let other = draft(width, height, start, &mut stream);
        if other.shared > best.shared {
            best = other;
        }
    }
    let note = format!("Drawn by lot from seed {seed}.");
    Setup { name, note, start, treasures: best.treasures, sides: best.sides }.check()
}

/// A board that could be the one.
struct Draft {
    sides: [Side; 2],
    treasures: Vec<Cell>,
    /// How many of the treasures neither player reaches alone.
    shared: usize,
}

fn draft(width: u8, height: u8, start: Cell, stream: &mut Stream) -> Draft {
    let tree = spanning_tree(width, height, stream);
    let mut sides = [Side::without_walls(width, height), Side::without_walls(width, height)];
    let grid = sides[0].clone();
    for (cell, action) in edges(&grid) {
        let open = if !tree.contains(&(cell, action)) {
            [stream.random_bool(LOOP_SHARE), stream.random_bool(LOOP_SHARE)]
        } else if stream.random_bool(SHARED_SHARE) {
            [true, true]
        } else {
            let first = stream.random_bool(0.5);
            [first, !first]
        };
        for (side, open) in sides.iter_mut().zip(open) {
            if !open {
                side.add_wall(cell, action);
            }
        }
    }
    for side in &mut sides {
        for cell in (0..grid.cells()).map(|index| grid.cell(index)) {
            let within: Vec<Action> = grid.actions(cell).filter(|action| *action != Action::Stay).collect();
            if let Some(action) = within.choose(stream).filter(|_| side.actions(cell).count() == 1) {
                side.remove_wall(cell, *action);
            }
        }
    }
    let alone = sides.each_ref().map(|side| solver::distances(side, start, |cell, action| side.open(cell, action)));
    let needs_both = |cell: Cell| alone.iter().all(|reach| reach[grid.index(cell)].is_none());
    let treasures = choose_treasures(&sides, start, needs_both, stream);
    let shared = treasures.iter().filter(|cell| needs_both(**cell)).count();
    Draft { sides, treasures, shared }
}

/// Every inner edge once: a cell and the step right or down across the edge.
fn edges(grid: &Side) -> Vec<(Cell, Action)> {
    let cells = (0..grid.cells()).map(|index| grid.cell(index));
    let steps = cells.flat_map(|cell| [(cell, Action::Right), (cell, Action::Down)]);
    steps.filter(|(cell, action)| grid.open(*cell, *action)).collect()
}

/// A random spanning tree, grown depth-first from the first cell: long corridors, few forks.
fn spanning_tree(width: u8, height: u8, stream: &mut Stream) -> Vec<(Cell, Action)> {
    let grid = Side::without_walls(width, height);
    let mut seen = vec![false; grid.cells()];
    seen[0] = true;
    let mut path = vec![Cell::new(0, 0)];
    let mut tree = Vec::new();
    while let Some(cell) = path.last().copied() {
        let fresh = |action: &Action| grid.open(cell, *action) && !seen[grid.index(grid.after(cell, *action))];
        let choices: Vec<Action> = Action::MOVES.into_iter().filter(fresh).collect();
        let Some(action) = choices.choose(stream).copied() else {
            path.pop();
            continue;
        };
        let next = grid.after(cell, action);
        seen[grid.index(next)] = true;
        tree.push(match action {
            Action::Left | Action::Up => (next, action.opposite()),
            _ => (cell, action),
        });
        path.push(next);
    }
    tree
}

/// Cells for the treasures: far from the start, out of reach of either player alone where possible, each far from those
/// chosen before. The rounds grow longer.
fn choose_treasures(
    sides: &[Side; 2],
    start: Cell,
    needs_both: impl Fn(Cell) -> bool,
    stream: &mut Stream,
) -> Vec<Cell> {
    let grid = &sides[0];
    let mut cells: Vec<Cell> = (0..grid.cells()).map(|index| grid.cell(index)).filter(|cell| *cell != start).collect();
    cells.shuffle(stream);
    let turns = solver::turns_from(sides, start, 0);
    let turns = |cell: &Cell| turns[grid.index(*cell)].unwrap_or_default();
    let span = |one: Cell, other: Cell| usize::from(one.x.abs_diff(other.x)) + usize::from(one.y.abs_diff(other.y));
    let far = 3 * usize::from(grid.width().max(grid.height())) / 2;
    let mut chosen: Vec<Cell> = Vec::new();
    while chosen.len() < ROUNDS {
        let apart = |cell: &Cell| chosen.iter().map(|there| span(*there, *cell)).min().unwrap_or(usize::MAX);
        let score = |cell: &Cell| (needs_both(*cell), apart(cell).min(4), turns(cell).min(far));
        let Some(best) = cells.iter().copied().filter(|cell| !chosen.contains(cell)).max_by_key(score) else { break };
        chosen.push(best);
    }
    chosen.sort_by_key(turns);
    chosen
}
