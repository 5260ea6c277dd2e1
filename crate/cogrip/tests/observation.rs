//! What the trained Guide's network sees (section 3.5).

mod common;

use common::{any_task, seed, task};
use proptest::prelude::*;
use tandem_cogrip::language::Situation;
use tandem_cogrip::observation::{CHANNELS, LENGTH, SIDE, observe};
use tandem_cogrip::{Cell, Split, Task};

fn seen(task: &Task, gripper: Cell) -> Option<[f32; LENGTH]> {
    observe(Situation { board: &task.board, target: task.target, gripper })
}

#[test]
fn the_layout_is_row_by_row_with_the_channels_of_a_tile_together() {
    // The T's tiles are (3..=5, 3), (4, 4), (4, 5); the X's (11, 5), (10..=12, 6), (11, 7).
    let task = task(&["brown T 2,2", "blue X 9,4"]);
    let image = seen(&task, Cell::new(11, 6)).expect("21 tiles a side");
    assert_eq!((image.len(), SIDE, CHANNELS), (21 * 21 * 5, 21, 5));
    let at = |x: usize, y: usize| -> [f32; 5] { std::array::from_fn(|channel| image[(y * 21 + x) * 5 + channel]) };
    assert_eq!(at(0, 0), [1.0; 5], "white, no gripper, no target");
    let brown = [139.0 / 255.0, 69.0 / 255.0, 19.0 / 255.0];
    assert_eq!(at(4, 5), [brown[0], brown[1], brown[2], 1.0, 0.0], "a tile of the target");
    assert_eq!(at(12, 6), [0.0, 0.0, 1.0, 1.0, 1.0], "a tile of another piece");
    assert_eq!(at(11, 6), [0.0, 0.0, 1.0, 0.0, 1.0], "under the gripper");
}

proptest! {
    #[test]
    fn only_the_gripper_changes_within_an_episode(
        number in 0usize..420,
        from in (0u8..21, 0u8..21),
        to in (0u8..21, 0u8..21),
    ) {
        let task = &Split::Test.tasks(seed(12))[number];
        let cells = [from, to].map(|(x, y)| Cell::new(x, y));
        let [one, other] = cells.map(|cell| seen(task, cell).expect("21 tiles a side"));
        let place = |cell: Cell| (usize::from(cell.y) * 21 + usize::from(cell.x)) * 5 + 3;
        for index in 0..LENGTH {
            let expected = match (index == place(cells[0]), index == place(cells[1])) {
                (true, false) => (0.0, 1.0),
                (false, true) => (1.0, 0.0),
                _ => (one[index], one[index]),
            };
            prop_assert_eq!((one[index], other[index]), expected);
        }
        let zeros = |channel: usize| one.iter().skip(channel).step_by(5).filter(|value| **value == 0.0).count();
        prop_assert_eq!((zeros(3), zeros(4)), (1, 5));
    }

    #[test]
    fn the_network_knows_boards_of_21_only(task in any_task()) {
        prop_assert_eq!(seen(&task, task.board.start()).is_some(), task.board.size() == 21);
    }
}
