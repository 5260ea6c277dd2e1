//! What several test files need.
#![allow(dead_code, reason = "no test file needs all of it")]

use proptest::prelude::*;
use tandem_core::Seed;
use tandem_gnomes::board::Setup;
use tandem_gnomes::{Action, Board, Cell, Side, boards, generator};

/// A seed; the tests use small numbers only.
pub fn seed(number: u64) -> Seed {
    Seed::new(number).expect("a small number is a seed")
}

/// A board that comes with the library.
pub fn known(name: &str) -> Board {
    boards::named(name).expect("the board comes with the library")
}

/// Any board with walls laid by lot, even ugly ones; only boards that can be played.
pub fn any_board() -> impl Strategy<Value = Board> {
    let size = (2u8..=7, 2u8..=7);
    let setup = size.prop_flat_map(|(width, height)| {
        let cells = usize::from(width) * usize::from(height);
        let walls = proptest::collection::vec(proptest::bool::weighted(0.4), 4 * cells);
        let places = proptest::sample::subsequence((0..cells).collect::<Vec<_>>(), 2..=cells.min(6)).prop_shuffle();
        (Just((width, height)), walls, places).prop_map(|((width, height), walls, places)| {
            let mut sides = [Side::without_walls(width, height), Side::without_walls(width, height)];
            let mut walls = walls.into_iter();
            for side in &mut sides {
                for cell in (0..side.cells()).map(|index| side.cell(index)).collect::<Vec<Cell>>() {
                    for action in [Action::Right, Action::Down] {
                        if walls.next() == Some(true) {
                            side.add_wall(cell, action);
                        }
                    }
                }
            }
            let mut places = places.into_iter().map(|index| sides[0].cell(index));
            let start = places.next().unwrap_or_default();
            Setup { name: "any".into(), note: "By lot.".into(), start, treasures: places.collect(), sides }
        })
    });
    setup.prop_filter_map("a treasure is out of reach", |setup| setup.check().ok())
}

/// A board of the library, a generated one, or any.
pub fn some_board() -> impl Strategy<Value = Board> {
    let ours = proptest::sample::select(boards::all().collect::<Vec<_>>());
    let drawn = (4u8..=12, 4u8..=12, 0u64..1000)
        .prop_map(|(width, height, number)| generator::generate(width, height, seed(number)).expect("sizes fit"));
    prop_oneof![ours, drawn, any_board()]
}

/// Any action.
pub fn any_action() -> impl Strategy<Value = Action> {
    proptest::sample::select(Action::ALL.to_vec())
}
