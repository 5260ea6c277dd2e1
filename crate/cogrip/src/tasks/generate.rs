//! Draws boards and tasks (appendix A.2).
//!
//! The idea: the target is laid first; then symbols are drawn and laid until the board has as many pieces as wanted. A
//! piece lies in the middle of a block of 5 x 5 tiles, turned at random, whose anchor is drawn from the symbol's area.
//! What does not fit is drawn again; after a hundred tries another symbol takes its place.

use super::{Splits, Task};
use crate::Board;
use crate::Cell;
use crate::board::{MOST, Piece};
use crate::symbol::{Area, Symbol};
use rand::seq::{IndexedRandom, SliceRandom};
use rand::{Rng, RngExt};
use std::sync::Arc;
use tandem_core::Seed;

/// The side of the paper's boards.
pub const SIZE: u8 = 21;
/// Boards drawn for each number of pieces in the training set.
const TRAINING_BOARDS: usize = 100;
/// Most targets of one board of the training set.
const TARGETS: usize = 4;
/// How often a symbol is tried before another one is drawn.
const TRIES: usize = 100;

/// The training set: 100 boards for each of 2 to 8 pieces, with 2, 3 and then 4 targets a board: 2,500 tasks.
pub fn training(seed: Seed) -> Vec<Task> {
    let symbols = Splits::new(seed).train;
    let mut chance = seed.stream("cogrip/train");
    let mut tasks = Vec::with_capacity(2500);
    for count in 2..=MOST {
        for _ in 0..TRAINING_BOARDS {
            let board = training_board(&symbols, count, &mut chance);
            let mut targets: Vec<usize> = (0..count).collect();
            targets.shuffle(&mut chance);
            tasks.extend(targets.into_iter().take(TARGETS).map(|target| Task { board: board.clone(), target }));
        }
    }
    tasks
}

/// A board whose pieces are all of the training set's symbols.
fn training_board(symbols: &[Symbol], count: usize, chance: &mut impl Rng) -> Arc<Board> {
    let target = *symbols.choose(chance).unwrap_or(&symbols[0]);
    Arc::new(board(SIZE, target, symbols, count, chance))
}

/// Draws tasks without end by the rules of the training set: every piece, target or not, has one of the training set's
/// symbols, so no task has a target that validation or test holds out.
#[derive(Clone, Debug)]
pub struct TrainingTasks {
    symbols: Vec<Symbol>,
}

impl TrainingTasks {
    /// With the symbols that this seed gives the training set.
    pub fn new(seed: Seed) -> Self {
        Self { symbols: Splits::new(seed).train }
    }

    /// A task on a board of its own. Numbers of pieces are as frequent as among the tasks of the training set.
    pub fn draw(&self, chance: &mut impl Rng) -> Task {
        let counts: Vec<usize> = (2..=MOST).flat_map(|count| std::iter::repeat_n(count, count.min(TARGETS))).collect();
        let count = *counts.choose(chance).unwrap_or(&MOST);
        let board = training_board(&self.symbols, count, chance);
        Task { target: chance.random_range(0..count), board }
    }

    /// A task of two pieces in one area. No reference names the area, because that would exclude nothing; so a Follower
    /// that is far away learns from words what the target is, but not where, and must be directed.
    pub fn draw_crowded(&self, chance: &mut impl Rng) -> Task {
        let target = *self.symbols.choose(chance).unwrap_or(&self.symbols[0]);
        let beside: Vec<Symbol> = self.symbols.iter().copied().filter(|symbol| symbol.area == target.area).collect();
        Task { board: Arc::new(board(SIZE, target, &beside, 2, chance)), target: 0 }
    }
}

/// The validation set: a task for each of its 25 symbols and each of 2 to 8 pieces: 175.
pub fn validation(seed: Seed) -> Vec<Task> {
    let splits = Splits::new(seed);
    evaluation(&splits.val, &splits.train, &mut seed.stream("cogrip/val"))
}

/// The test set: a task for each of its 60 symbols and each of 2 to 8 pieces: 420.
pub fn test(seed: Seed) -> Vec<Task> {
    let splits = Splits::new(seed);
    evaluation(&splits.test, &splits.train, &mut seed.stream("cogrip/test"))
}

/// One task for each target symbol and number of pieces. Distractors come from the set's own symbols and from the
/// training set's.
fn evaluation(targets: &[Symbol], training: &[Symbol], chance: &mut impl Rng) -> Vec<Task> {
    let distractors = [targets, training].concat();
    let counts = 2..=MOST;
    let pairs = targets.iter().flat_map(|target| counts.clone().map(move |count| (*target, count)));
    pairs
        .map(|(target, count)| Task { board: Arc::new(board(SIZE, target, &distractors, count, chance)), target: 0 })
        .collect()
}

/// A board of `size` x `size` with `count` pieces, the first of them `target`, the others drawn from `distractors`. No
/// two pieces have the same three properties, so each of them can be told from the others in words.
pub fn board(size: u8, target: Symbol, distractors: &[Symbol], count: usize, chance: &mut impl Rng) -> Board {
    loop {
        let mut board = Board::empty(size);
        lay(&mut board, target, chance);
        // On a small board the first pieces may leave no room for the last.
        for _ in 0..TRIES {
            if board.pieces().len() == count {
                return board;
            }
            let symbol = *distractors.choose(chance).unwrap_or(&target);
            if (0..board.pieces().len()).all(|piece| board.symbol(piece) != symbol) {
                lay(&mut board, symbol, chance);
            }
        }
    }
}

/// Lays a piece if it finds a place.
fn lay(board: &mut Board, symbol: Symbol, chance: &mut impl Rng) {
    (0..TRIES).any(|_| {
        let rotation = chance.random_range(0..4);
        let at = anchor(symbol.area, board.size(), chance);
        board.lay(Piece { shape: symbol.shape, color: symbol.color, at, rotation }).is_ok()
    });
}

/// A tile of an area, drawn evenly but for the last row and column of each third, where a piece would lie mostly in
/// the next area: 0 to 5, 7 to 12, 14 to 19 on a board of 21.
fn anchor(area: Area, size: u8, chance: &mut impl Rng) -> Cell {
    let mut within = |third: u8| {
        let (start, end) = (Area::start(third, size), Area::start(third + 1, size));
        chance.random_range(start..end - 1)
    };
    Cell::new(within(area.across()), within(area.along()))
}
