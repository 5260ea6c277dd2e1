//! Level files, layouts, and the boards that come with the library.

mod common;

use common::{known, seed, some_board};
use proptest::prelude::*;
use tandem_gnomes::board::{BoardError, Setup};
use tandem_gnomes::boards::{self, BoardSource};
use tandem_gnomes::{Action, Cell, Config, Side, ascii, generator, layout, solver};

/// The walls of board 9A as the specification lists them, read without the level file.
const NINE_A: [[&str; 2]; 2] = [
    [
        "1,0 1,1 1,3 1,4 1,7 2,5 2,6 3,2 3,3 3,4 3,7 3,8 4,0 4,2 4,5 4,6 5,4 5,7 6,0 6,2 6,3 6,4 6,6",
        "0,2 0,6 1,2 1,4 1,6 2,1 2,4 2,6 3,1 3,4 3,6 4,6 5,1 5,3 5,4 5,6 6,1 6,4 6,6 7,3 7,6 8,1 8,3 8,6",
    ],
    [
        "1,1 1,2 1,4 1,5 1,6 2,4 2,7 2,8 3,0 3,1 3,2 3,3 3,5 4,2 4,4 4,8 5,5 5,6 6,1 6,2 6,3 6,7 6,8",
        "0,1 0,3 1,1 1,3 1,6 2,1 2,4 2,6 3,1 3,3 3,4 3,6 4,1 4,4 4,6 5,1 5,4 5,6 6,1 6,4 6,6 7,2 7,4 7,6 8,2 8,4",
    ],
];

#[test]
fn board_9a_is_the_papers() {
    let board = known("9A");
    for (side, lists) in board.sides().iter().zip(NINE_A) {
        for (action, list) in [Action::Right, Action::Down].into_iter().zip(lists) {
            let mut found: Vec<String> = side.walls(action).iter().map(Cell::to_string).collect();
            let mut listed: Vec<&str> = list.split(' ').collect();
            found.sort();
            listed.sort();
            assert_eq!(found, listed);
        }
    }
    assert_eq!(board.start(), Cell::new(0, 0));
    let treasures: Vec<String> = board.treasures().iter().map(Cell::to_string).collect();
    assert_eq!(treasures, ["4,0", "6,2", "3,3", "4,5", "3,7"]);
}

#[test]
fn the_library_has_boards_of_many_sizes() {
    let list = boards::list();
    assert!(list.len() >= 9, "{} boards", list.len());
    assert_eq!(list.len(), boards::all().count());
    assert!(list.iter().any(|board| board.width != board.height), "none is oblong");
    for board in &list {
        assert!(!board.note.is_empty(), "{} has no note", board.name);
        assert!(board.rounds >= 1);
        let opened = boards::named(&board.name).expect("a listed board opens by its name");
        assert_eq!((opened.name(), opened.width(), opened.height()), (&*board.name, board.width, board.height));
    }
}

#[test]
fn every_level_file_is_written_as_the_writer_writes_it() {
    let levels = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("levels");
    let mut files = 0;
    for entry in std::fs::read_dir(levels).expect("the levels are there") {
        let path = entry.expect("a folder can be listed").path();
        let text = std::fs::read_to_string(&path).expect("a level is text");
        let board = ascii::parse(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert_eq!(ascii::write(&board), text, "{}", path.display());
        let listed = boards::named(board.name()).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert_eq!(listed, board, "{} is not the one in the list", path.display());
        files += 1;
    }
    assert_eq!(files, boards::list().len(), "a level file is missing from the list");
}

#[test]
fn every_board_needs_both_players() {
    for board in boards::all() {
        for (treasure, round) in board.treasures().iter().zip(1..) {
            for (side, seat) in board.sides().iter().zip(0..) {
                let reach = solver::distances(side, board.start(), |cell, action| side.open(cell, action));
                let alone = reach[side.index(*treasure)].is_some();
                // The paper's own board has rounds that one player can finish; practice begins with two.
                let easy = board.name() == "9A" || (board.name() == "practice" && round <= 2);
                assert!(!alone || easy, "{}: seat {seat} reaches {round} alone", board.name());
            }
        }
    }
}

#[test]
fn unknown_names_are_answered_with_the_known_ones() {
    for (name, hint) in [
        ("10Z", "practice, 5A"),
        ("9a", "9A"),
        ("", "9A"),
        ("random-9x9", "random-WIDTHxHEIGHT-SEED"),
        ("random-9-9-1", "random-9x9-3"),
        ("random-3x9-1", "3 x 9"),
        ("random-9x31-1", "9 x 31"),
        ("random-9x9--1", "random-9x9-3"),
        ("random-999x9-1", "random-9x9-3"),
    ] {
        let error = boards::named(name).expect_err(name);
        assert!(error.contains(hint), "{name:?}: {error}");
    }
    assert_eq!(known("random-9x12-3").name(), "random-9x12-3");
}

fn tiny() -> Setup {
    let sides = [Side::without_walls(3, 2), Side::without_walls(3, 2)];
    Setup { name: "tiny".into(), note: String::new(), start: Cell::new(0, 0), treasures: vec![Cell::new(2, 1)], sides }
}

#[test]
fn only_playable_setups_become_boards() {
    let check = |change: fn(&mut Setup)| {
        let mut setup = tiny();
        change(&mut setup);
        setup.check().map(|_| ())
    };
    assert_eq!(check(|_| {}), Ok(()));
    assert_eq!(check(|setup| setup.treasures.clear()), Err(BoardError::NoTreasure));
    assert_eq!(check(|setup| setup.treasures = vec![Cell::new(1, 0); 10]), Err(BoardError::TooManyTreasures(10)));
    let on_start = BoardError::TreasureOnStart { round: 2, cell: Cell::new(0, 0) };
    assert_eq!(check(|setup| setup.treasures.push(Cell::new(0, 0))), Err(on_start));
    let same = BoardError::SameTreasure { round: 2, cell: Cell::new(2, 1) };
    assert_eq!(check(|setup| setup.treasures.push(Cell::new(2, 1))), Err(same));
    let outside = |what: &str, cell| Err(BoardError::Outside { what: what.into(), cell });
    assert_eq!(check(|s| s.treasures[0] = Cell::new(3, 0)), outside("the treasure of round 1", Cell::new(3, 0)));
    assert_eq!(check(|setup| setup.start = Cell::new(0, 2)), outside("the start", Cell::new(0, 2)));
    assert_eq!(check(|setup| setup.sides[1] = Side::without_walls(2, 3)), Err(BoardError::Sides));
    let size = |width, height| Err(BoardError::Size { width, height });
    assert_eq!(check(|s| s.sides = [Side::without_walls(1, 9), Side::without_walls(1, 9)]), size(1, 9));
    assert_eq!(check(|s| s.sides = [Side::without_walls(0, 0), Side::without_walls(0, 0)]), size(0, 0));
    assert_eq!(check(|s| s.sides = [Side::without_walls(9, 31), Side::without_walls(9, 31)]), size(9, 31));
    assert_eq!(check(|setup| setup.name = "two\nlines".into()), Err(BoardError::Text("name")));
    assert_eq!(check(|setup| setup.note = " early".into()), Err(BoardError::Text("note")));
    let walled_in = |setup: &mut Setup| {
        for side in &mut setup.sides {
            side.add_wall(Cell::new(2, 1), Action::Up);
            side.add_wall(Cell::new(2, 1), Action::Left);
        }
    };
    let (cell, start) = (Cell::new(2, 1), Cell::new(0, 0));
    assert_eq!(check(walled_in), Err(BoardError::Unreachable { round: 1, cell, start }));
    assert_eq!(check(|setup| setup.sides[0].add_wall(Cell::new(2, 1), Action::Up)), Ok(()), "one open side is enough");
}

const DRAWN: &str = "name: tiny
note: Two rooms and a door.

+--+--+   +--+--+
|S |  |   |S    |
+  +  +   +  +--+
|   1 |   |     |
+--+--+   +--+--+
";

#[test]
fn a_level_file_reads_as_drawn() {
    let board = ascii::parse(DRAWN).expect("a good level");
    assert_eq!((board.name(), board.note()), ("tiny", "Two rooms and a door."));
    assert_eq!((board.width(), board.height(), board.start()), (2, 2, Cell::new(0, 0)));
    assert_eq!(board.treasures(), [Cell::new(1, 1)]);
    assert_eq!(board.sides()[0].walls(Action::Right), [Cell::new(0, 0)]);
    assert_eq!(board.sides()[0].walls(Action::Down), []);
    assert_eq!(board.sides()[1].walls(Action::Right), []);
    assert_eq!(board.sides()[1].walls(Action::Down), [Cell::new(1, 0)]);
    // What an editor may do to a file.
    let windows = format!("\u{feff}{}", DRAWN.replace('\n', "  \r\n")) + "\r\n";
    assert_eq!(ascii::parse(&windows), Ok(board.clone()));
    let marked_elsewhere = DRAWN.replace("|S    |", "|     |").replace("|   1 |   |     |", "|    1|   |   1 |");
    assert_eq!(ascii::parse(&marked_elsewhere), Ok(board));
}

#[test]
fn a_bad_level_file_is_answered_with_the_place_and_the_mend() {
    let check = |from: &str, to: &str, expected: &str| {
        assert!(DRAWN.contains(from), "{from:?} is not in the drawing");
        let error = ascii::parse(&DRAWN.replacen(from, to, 1)).expect_err(to).to_string();
        assert!(error.starts_with(expected), "{from:?} -> {to:?}: {error}");
    };
    check("name: tiny", "nome: tiny", "line 1, column 1: expected `name:`, `note:`");
    check("+--+--+   +--+--+", "+--+--+", "line 4, column 8: the second side is missing");
    check("+--+--+   +--+--+", "+--+--+   +--+", "line 4, column 11: the second side must be 2 cells wide");
    check("+--+--+   +--+--+", "+-+-+   +-+-+", "line 4, column 1: a border must look like");
    check("|S |  |   |S    |", "|S |  |   |S     ", "line 5, column 17: the border must be closed with `|`");
    check("|S |  |   |S    |", " S |  |   |S    |", "line 5, column 1: the border must be closed with `|`");
    check("|S |  |", "|S x  |", "line 5, column 4: expected `|` for a wall or a space");
    check("|S |  |", "|S |# |", "line 5, column 5: expected S, a figure or a space, not '#'");
    check("|S |  |", "|S |S |", "line 5, column 5: S is marked in another cell already");
    check("|S |  |", "|S |1 |", "line 7, column 5: 1 is marked in another cell already");
    check("|S |  |", "|S1|  |", "line 7, column 5: 1 is marked in another cell already");
    check("|   1 |", "|   0 |", "line 7, column 5: expected S, a figure");
    check("|   1 |", "|     |", "line 4, column 1: the board has no treasure");
    check("|   1 |", "|   2 |", "line 4, column 1: treasure 1 is missing");
    check("+  +  +", "+  +- +", "line 6, column 5: expected `--` for a wall or two spaces");
    check("+  +  +", "+     +", "line 6, column 4: expected a corner `+`");
    check("+  +  +   +", "+  +  + x +", "line 6, column 9: 'x' stands outside both sides");
    check("|     |\n+--+--+   +--+--+\n", "|     |\n", "line 7, column 1: the drawing must have a border line");
    check("|     |\n+--+--+   +", "|     |\n+--+  +   +", "line 8, column 5: the border must be closed with `--`");
    check("|     |\n", "|     |\n\n", "line 7, column 1: the drawing must have a border line");
    check("+--+--+\n|", "+--+--+\n\n|", "line 4, column 1: the drawing must have a border line");
    check("|S |  |   |S    |", "|S |  |   |    S|", "line 5, column 16: S is marked in another cell already");
    let more = ascii::parse(&format!("{DRAWN}\nmore\n")).expect_err("more").to_string();
    assert!(more.starts_with("line 10, column 1: nothing may follow the drawing"), "{more}");
    let no_drawing = ascii::parse("name: x\n").expect_err("no drawing").to_string();
    assert!(no_drawing.starts_with("line 2, column 1: there is no drawing"), "{no_drawing}");
    let shut = DRAWN.replace("|   1 |   |     |", "|  |1 |   |  |  |").replace("+  +  +", "+  +--+");
    let error = ascii::parse(&shut).expect_err("walled in").to_string();
    assert!(error.starts_with("line 7, column 5: the treasure of round 1 (1,1) cannot be reached"), "{error}");
}

const LAYOUT: &str = r#"{"height": 2, "width": 3, "treasures": [{"x": 1, "y": 2}],
    "p1-walls": [{"from": {"x": 0, "y": 0}, "to": {"x": 0, "y": 1}}],
    "p2-walls": [{"from": {"x": 1, "y": 1}, "to": {"x": 0, "y": 1}}]}"#;

#[test]
fn in_a_layout_x_is_the_row() {
    let board = layout::parse(LAYOUT).expect("a good layout");
    assert_eq!((board.width(), board.height(), board.start()), (3, 2, Cell::new(0, 0)));
    assert_eq!(board.treasures(), [Cell::new(2, 1)]);
    assert_eq!(board.sides()[0].walls(Action::Right), [Cell::new(0, 0)]);
    assert_eq!(board.sides()[1].walls(Action::Down), [Cell::new(1, 0)]);
}

#[test]
fn a_bad_layout_is_answered_with_the_field() {
    let check = |from: &str, to: &str, expected: &str| {
        assert!(LAYOUT.contains(from), "{from:?} is not in the layout");
        let text = LAYOUT.replacen(from, to, 1);
        let error = layout::parse(&text).expect_err(to).to_string();
        assert!(error.contains(expected), "{from:?} -> {to:?}: {error}");
        // The same when it stands in a config: the reason reaches whoever wrote it.
        let config = serde_json::from_str::<Config>(&format!(r#"{{"board": {text}}}"#));
        let error = config.map_err(|error| error.to_string()).and_then(|config| config.board.open());
        let error = error.expect_err(to);
        assert!(error.contains(expected), "in a config: {from:?} -> {to:?}: {error}");
    };
    check(r#""height": 2, "#, "", "missing field `height`");
    check("treasures", "treasure", "missing field `treasures`");
    check("p2-walls", "p3-walls", "missing field `p2-walls`");
    check(r#""height": 2"#, r#""height": 2, "height": 2"#, "duplicate field `height`");
    check(r#""height": 2"#, r#""height": "2""#, "expected u16");
    check(r#""height": 2"#, r#""height": 1"#, "p2-walls[0].from: row 1, column 1 is outside the board");
    check(r#""height": 2"#, r#""height": 31"#, "3 x 31 cells; each side must be 2 to 30");
    check(r#""width": 3"#, r#""width": 0"#, "0 x 2 cells");
    check(r#"{"x": 1, "y": 2}]"#, r#"{"x": 2, "y": 1}]"#, "treasures[0]: row 2, column 1 is outside");
    check(r#"{"x": 1, "y": 2}]"#, r#"{"x": 1}]"#, "missing field `y`");
    check(r#"{"x": 1, "y": 2}]"#, "]", "the board has no treasure");
    check(r#"{"x": 1, "y": 2}]"#, r#"{"x": 0, "y": 0}]"#, "treasure of round 1 lies on the start");
    check(r#"{"x": 1, "y": 2}]"#, r#"{"x": 1, "y": 2}, {"x": 1, "y": 2}]"#, "treasure of round 2 lies where");
    check(r#""to": {"x": 0, "y": 1}"#, r#""to": {"x": 1, "y": 1}"#, "p1-walls[0]: a wall stands between two neigh");
    check(r#""to": {"x": 0, "y": 1}"#, r#""to": {"x": 0, "y": 3}"#, "p1-walls[0].to: row 0, column 3 is outside");
}

#[test]
fn a_config_takes_a_name_a_drawing_or_a_layout() {
    let open = |board: &str| {
        let config: Config = serde_json::from_str(&format!(r#"{{"board": {board}}}"#)).expect("a config");
        config.board.open()
    };
    assert_eq!(open(r#""9A""#).as_ref(), Ok(&known("9A")));
    let nine_a = known("9A");
    let drawing = serde_json::to_string(&ascii::write(&nine_a)).expect("a text");
    assert_eq!(open(&drawing).as_ref(), Ok(&nine_a));
    assert_eq!(open(&layout::write(&nine_a)).as_ref(), Ok(&nine_a));
    for source in [r#""9A""#, &drawing, &layout::write(&nine_a)] {
        let source: BoardSource = serde_json::from_str(source).expect("a source");
        let again = serde_json::to_string(&source).expect("sources are written");
        assert_eq!(serde_json::from_str::<BoardSource>(&again).ok().as_ref(), Some(&source));
    }
    let error = serde_json::from_str::<Config>(r#"{"board": 9}"#).expect_err("no board").to_string();
    assert!(error.contains("a board's name, the text of a level file, or a board layout"), "{error}");
    let error = serde_json::from_str::<Config>(r#"{"bord": "9A"}"#).expect_err("a slip").to_string();
    assert!(error.contains("unknown field `bord`, expected one of `board`"), "{error}");
}

/// Texts that look like level files, so that the parser gets past its first line.
fn nearly_a_level() -> impl Strategy<Value = String> {
    let edit =
        (any::<proptest::sample::Index>(), proptest::sample::select(" +-|S19\n\tx\u{e9}".chars().collect::<Vec<_>>()));
    (some_board(), proptest::collection::vec((edit, any::<bool>()), 0..6)).prop_map(|(board, edits)| {
        let mut text: Vec<char> = ascii::write(&board).chars().collect();
        for ((place, char), replace) in edits {
            let place = place.index(text.len());
            if replace { text[place] = char } else { text.insert(place, char) }
        }
        text.into_iter().collect()
    })
}

proptest! {
    #[test]
    fn a_written_level_reads_back(board in some_board()) {
        prop_assert_eq!(ascii::parse(&ascii::write(&board)), Ok(board.clone()));
    }

    #[test]
    fn a_written_layout_reads_back(board in some_board()) {
        let text = layout::write(&board);
        prop_assert_eq!(layout::parse(&text).ok(), Some(board.clone()));
        prop_assert_eq!(layout::write(&layout::parse(&text).expect("just read")), text);
    }

    #[test]
    fn a_spoilt_level_is_read_or_refused_with_a_place(text in nearly_a_level()) {
        match ascii::parse(&text) {
            Ok(board) => prop_assert_eq!(ascii::parse(&ascii::write(&board)), Ok(board.clone())),
            Err(error) => prop_assert!(error.line >= 1 && error.line <= text.lines().count() + 1),
        }
    }

    #[test]
    fn no_text_makes_the_parsers_panic(text in any::<String>(), drawn in "[ +|S1-]{0,40}(\n[ +|S1-]{0,40}){0,6}") {
        // Nothing drawn by lot is a whole board; what counts is that it is answered.
        prop_assert!(ascii::parse(&text).is_err());
        prop_assert!(layout::parse(&text).is_err());
        prop_assert!(boards::named(&text).is_err());
        let _ = ascii::parse(&drawn);
    }

    #[test]
    fn drawn_boards_need_both_and_wall_nobody_in(width in 4u8..=30, height in 4u8..=30, number in any::<u32>()) {
        let board = generator::generate(width, height, seed(number.into())).expect("the size fits");
        prop_assert_eq!(&board, &known(board.name()));
        prop_assert_eq!((board.width(), board.height(), board.treasures().len()), (width, height, 5));
        for side in board.sides() {
            let reach = solver::distances(side, board.start(), |cell, action| side.open(cell, action));
            for index in 0..side.cells() {
                prop_assert!(side.actions(side.cell(index)).count() > 1);
            }
            // On the smallest boards there are not always five cells that need both.
            if width.min(height) >= 5 {
                prop_assert!(board.treasures().iter().all(|cell| reach[side.index(*cell)].is_none()));
            }
        }
        prop_assert!(solver::turns_from(board.sides(), board.start(), 0).iter().all(Option::is_some));
        prop_assert!(solver::solve(&board, 0).is_sorted());
    }
}
