//! Splits, drawn tasks and task files (section 3.6, Table 1, appendix A.2).

mod common;

use common::{any_task, seed, task};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use tandem_cogrip::tasks::{self, Splits, TrainingTasks, known};
use tandem_cogrip::{Area, Color, Shape, Split, Symbol, Task};

/// The seed of the project's own task files, and another one.
const SEEDS: [u64; 2] = [12, 3];

#[test]
fn of_432_symbols_360_are_used_one_colour_a_shape_held_out() {
    let used: BTreeSet<Symbol> = known().into_iter().collect();
    assert_eq!((known().len(), used.len()), (360, 360));
    let held_out = ["red", "green", "blue", "yellow", "brown", "purple", "red", "green", "blue"];
    for (shape, held_out) in Shape::ALL.into_iter().zip(held_out) {
        for color in Color::ALL {
            for area in Area::AROUND {
                let expected = color.name() != held_out;
                assert_eq!(
                    used.contains(&Symbol { shape, color, area }),
                    expected,
                    "{} {}",
                    color.name(),
                    shape.name()
                );
            }
        }
    }
}

#[test]
fn splits_are_disjoint_and_together_all() {
    for number in SEEDS {
        let splits = Splits::new(seed(number));
        assert_eq!((splits.train.len(), splits.val.len(), splits.test.len()), (275, 25, 60));
        let all: BTreeSet<Symbol> = [splits.train, splits.val, splits.test].concat().into_iter().collect();
        assert_eq!(all, known().into_iter().collect());
    }
    assert_ne!(Splits::new(seed(1)), Splits::new(seed(2)));
    assert_eq!(Splits::new(seed(1)), Splits::new(seed(1)));
}

/// How many tasks there are for each number of pieces, and how many boards.
fn counts(tasks: &[Task]) -> BTreeMap<usize, (usize, usize)> {
    let mut counts: BTreeMap<usize, (usize, BTreeSet<*const _>)> = BTreeMap::new();
    for task in tasks {
        let (tasks, boards) = counts.entry(task.board.pieces().len()).or_default();
        *tasks += 1;
        boards.insert(Arc::as_ptr(&task.board));
    }
    counts.into_iter().map(|(pieces, (tasks, boards))| (pieces, (tasks, boards.len()))).collect()
}

#[test]
fn the_sets_have_the_sizes_of_table_1() {
    for number in SEEDS {
        let train = Split::Train.tasks(seed(number));
        assert_eq!(train.len(), 2500);
        let expected = (2..=8).map(|pieces: usize| (pieces, (100 * pieces.min(4), 100)));
        assert_eq!(counts(&train), expected.collect());
        for (split, symbols) in [(Split::Val, 25), (Split::Test, 60)] {
            let tasks = split.tasks(seed(number));
            assert_eq!(tasks.len(), 7 * symbols);
            assert_eq!(counts(&tasks), (2..=8).map(|pieces| (pieces, (symbols, symbols))).collect());
        }
    }
}

#[test]
fn targets_come_from_their_split_and_distractors_from_it_or_from_training() {
    for number in SEEDS {
        let splits = Splits::new(seed(number));
        for (split, own) in [(Split::Train, &splits.train), (Split::Val, &splits.val), (Split::Test, &splits.test)] {
            let mut targets: BTreeMap<Symbol, usize> = BTreeMap::new();
            let mut foreign = 0;
            for task in split.tasks(seed(number)) {
                assert_eq!(task.board.size(), 21);
                let target = task.board.symbol(task.target);
                assert!(own.contains(&target), "{target} is no target of {}", split.name());
                *targets.entry(target).or_default() += 1;
                for other in (0..task.board.pieces().len()).map(|piece| task.board.symbol(piece)) {
                    assert!(own.contains(&other) || splits.train.contains(&other), "{other} in {}", split.name());
                    foreign += usize::from(!own.contains(&other));
                }
            }
            if split == Split::Train {
                assert!(targets.len() > 270, "nearly every symbol is a target: {}", targets.len());
            } else {
                assert_eq!(targets.len(), own.len());
                assert!(targets.values().all(|times| *times == 7), "once for each number of pieces");
                assert!(foreign > 0, "training pieces are mixed in");
            }
        }
    }
}

/// Tasks drawn without end hold out what the training set holds out, and have its numbers of pieces.
#[test]
fn fresh_training_tasks_have_nothing_but_training_symbols() {
    let splits = Splits::new(seed(12));
    let drawn = |name: &str| {
        let (tasks, mut chance) = (TrainingTasks::new(seed(12)), seed(12).stream(name));
        (0..2000).map(|_| tasks.draw(&mut chance)).collect::<Vec<_>>()
    };
    let fresh = drawn("one");
    for task in &fresh {
        let symbols: Vec<Symbol> = (0..task.board.pieces().len()).map(|piece| task.board.symbol(piece)).collect();
        assert!(symbols.iter().all(|symbol| splits.train.contains(symbol)), "{symbols:?}");
    }
    for (pieces, (count, _)) in counts(&fresh) {
        let expected = 2000 * pieces.min(4) / 25;
        assert!(count.abs_diff(expected) < 70, "{count} of {pieces} pieces, about {expected} expected");
    }
    assert_eq!(tasks::write(&drawn("one")), tasks::write(&fresh));
    assert_ne!(tasks::write(&drawn("another")), tasks::write(&fresh));
}

#[test]
fn crowded_tasks_have_two_training_pieces_in_one_area() {
    let splits = Splits::new(seed(12));
    let (tasks, mut chance) = (TrainingTasks::new(seed(12)), seed(12).stream("crowded"));
    let mut areas = BTreeSet::new();
    for _ in 0..200 {
        let task = tasks.draw_crowded(&mut chance);
        let symbols = [0, 1].map(|piece| task.board.symbol(piece));
        assert_eq!(task.board.pieces().len(), 2);
        assert_eq!(symbols[0].area, symbols[1].area);
        assert!(symbols.iter().all(|symbol| splits.train.contains(symbol)), "{symbols:?}");
        areas.insert(symbols[0].area);
    }
    assert_eq!(areas.len(), 8);
}

#[test]
fn targets_of_a_training_board_differ() {
    let tasks = Split::Train.tasks(seed(12));
    let pairs: BTreeSet<(*const _, usize)> = tasks.iter().map(|task| (Arc::as_ptr(&task.board), task.target)).collect();
    assert_eq!(pairs.len(), tasks.len());
}

#[test]
fn the_same_seed_draws_the_same_tasks_and_another_draws_others() {
    for split in Split::ALL {
        let text = |number: u64| tasks::write(&split.tasks(seed(number)));
        assert_eq!(text(12), text(12));
        assert_ne!(text(12), text(13));
    }
}

/// Anchors are drawn evenly over 0 to 5, 7 to 12 and 14 to 19; what does not fit is drawn again.
#[test]
fn anchors_keep_off_the_last_row_and_column_of_their_area() {
    let mut seen = BTreeSet::new();
    for task in Split::Train.tasks(seed(12)) {
        for piece in task.board.pieces() {
            assert!([piece.at.x, piece.at.y].iter().all(|at| at % 7 != 6), "{piece:?}");
            seen.extend([piece.at.x, piece.at.y]);
        }
    }
    assert!((0..18).filter(|at| at % 7 != 6).all(|at| seen.contains(&at)), "every other place occurs: {seen:?}");
}

const GOOD: &str = concat!(
    r#"{"size":21,"target":0,"pieces":[{"shape":"T","color":"red","at":[2,15],"rotation":1}"#,
    r#",{"shape":"X","color":"blue","at":[14,3]}]}"#
);

#[test]
fn a_task_file_is_what_its_documentation_shows() {
    let read = tasks::read(GOOD).expect("a good line");
    assert_eq!(read, [task(&["red T 2,15 1", "blue X 14,3"])]);
}

#[test]
fn a_bad_task_file_is_refused_with_line_and_reason() {
    let broken = [
        (r#""target":0"#, r#""target":2"#, "the target is piece 2, but the pieces are numbered 0 to 1"),
        (r#","target":0"#, "", "missing field `target`"),
        (r#","color":"blue""#, "", "missing field `color`"),
        (r#","at":[14,3]"#, "", "missing field `at`"),
        (r#",{"shape":"X","color":"blue","at":[14,3]}"#, "", "1 pieces; a board has 2 to 8"),
        (r#""blue""#, r#""pink""#, "unknown variant `pink`, expected one of `red`, `green`, `blue`"),
        (r#""X""#, r#""Q""#, "unknown variant `Q`, expected one of `P`, `X`, `T`"),
        (r#""size""#, r#""sise""#, "unknown field `sise`, expected one of `size`, `target`, `pieces`"),
        (r#""rotation":1"#, r#""turned":1"#, "unknown field `turned`"),
        (r#""rotation":1"#, r#""rotation":5"#, "piece 0: rotation 5 is not a number of quarter turns"),
        ("[14,3]", "[18,3]", "piece 1: its tile [21, 5] is not on the board of 21 x 21"),
        ("[14,3]", "[8,9]", "piece 1: its anchor is in the middle area"),
        ("[14,3]", "[3,15]", "pieces 0 and 1 overlap at"),
        ("[14,3]", "[-1,3]", "invalid value: integer `-1`, expected u8"),
        ("[14,3]", "[14]", "invalid length 1"),
        (r#""size":21"#, r#""size":10"#, "a board of 10 x 10 tiles; it may have 12 to 30 a side"),
        ("}]}", "}]", "EOF while parsing"),
        ("}]}", "}]} {}", "trailing characters"),
    ];
    for (good, bad, reason) in broken {
        let wrong = GOOD.replacen(good, bad, 1);
        assert_ne!(wrong, GOOD, "{good} is not in the example");
        let error = tasks::read(&format!("{GOOD}\n\n{wrong}\n{GOOD}\n")).expect_err(bad);
        assert_eq!(error.line, 3, "{error}");
        assert!(error.problem.contains(reason), "{bad}: {error}");
        assert!(error.to_string().starts_with("line 3: "), "{error}");
    }
}

#[test]
fn all_of_a_set_is_written_and_read_back_with_its_boards_shared() {
    for split in Split::ALL {
        let tasks = split.tasks(seed(12));
        let read = tasks::read(&tasks::write(&tasks)).expect("what was written");
        assert_eq!(read, tasks);
        assert_eq!(counts(&read), counts(&tasks));
    }
}

proptest! {
    #[test]
    fn any_tasks_are_written_and_read_back(tasks in prop::collection::vec(any_task(), 0..4)) {
        prop_assert_eq!(tasks::read(&tasks::write(&tasks)), Ok(tasks));
    }

    #[test]
    fn no_text_makes_the_reader_panic(text in any::<String>(), cut in 0usize..200, put in "[\\[\\]{}:,0-9\"a-z]{0,4}") {
        let _ = tasks::read(&text);
        let cut = cut.min(GOOD.len());
        let mangled = format!("{}{put}{}", &GOOD[..cut], &GOOD[cut..]);
        if let Err(error) = tasks::read(&mangled) {
            prop_assert_eq!(error.line, 1);
        }
    }
}
