//! What several test files need.
#![allow(dead_code, reason = "no test file needs all of it")]

use proptest::prelude::*;
use rand::Rng;
use std::sync::Arc;
use tandem_cogrip::board::{FEWEST, LARGEST, MOST, SMALLEST};
use tandem_cogrip::{Board, Color, Intent, Piece, Shape, Task, tasks};
use tandem_core::{Seed, Stream};

/// A seed; the tests use small numbers only.
pub fn seed(number: u64) -> Seed {
    Seed::new(number).expect("a small number is a seed")
}

/// A source of chance.
pub fn chance(number: u64) -> Stream {
    seed(number).stream("tests")
}

/// A piece, as a task file has it: `red T 2,15 1` is a red T with its anchor at (2, 15), turned once.
pub fn piece(text: &str) -> Piece {
    let words: Vec<&str> = text.split_whitespace().collect();
    let (x, y) = words[2].split_once(',').expect("x,y");
    let number = |text: &str| text.parse().expect("a number");
    Piece {
        color: *Color::ALL.iter().find(|color| color.name() == words[0]).expect("a colour"),
        shape: *Shape::ALL.iter().find(|shape| shape.name() == words[1]).expect("a shape"),
        at: tandem_cogrip::Cell::new(number(x), number(y)),
        rotation: words.get(3).map_or(0, |turns| number(turns)),
    }
}

/// A task on a board of 21 whose first piece is the target.
pub fn task(pieces: &[&str]) -> Task {
    let board = Board::new(21, pieces.iter().map(|text| piece(text)).collect()).expect("a good board");
    Task { board: Arc::new(board), target: 0 }
}

/// A drawn board of any size and any number of pieces, with any of its pieces as the target.
pub fn any_task() -> impl Strategy<Value = Task> {
    (SMALLEST..=LARGEST, FEWEST..=MOST, any::<prop::sample::Index>(), 0u64..1 << 40).prop_map(
        |(size, count, target, number)| {
            let symbols = tasks::known();
            let mut chance = chance(number);
            let first = symbols[(chance.next_u32() as usize) % symbols.len()];
            let board = tasks::board(size, first, &symbols, count, &mut chance);
            Task { board: Arc::new(board), target: target.index(count) }
        },
    )
}

/// Any intent.
pub fn any_intent() -> impl Strategy<Value = Intent> {
    prop::sample::select(Intent::ALL.to_vec())
}
