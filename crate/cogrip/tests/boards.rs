//! Shapes, colours, areas and boards: the tables of the paper, and what is no board.

mod common;

use common::{any_task, piece};
use proptest::prelude::*;
use std::collections::BTreeSet;
use tandem_cogrip::board::{BoardError, LARGEST, SMALLEST};
use tandem_cogrip::{Area, Board, Cell, Color, Direction, Intent, Kind, Order, Shape};

/// A shape as a picture: its rows from the top, `#` for a tile, without the empty margin of its block.
fn picture(shape: Shape, quarters: u8) -> String {
    let tiles = shape.tiles(quarters);
    let span = |values: Vec<u8>| *values.iter().min().expect("five tiles")..=*values.iter().max().expect("five tiles");
    let columns = span(tiles.iter().map(|(x, _)| *x).collect());
    let rows = span(tiles.iter().map(|(_, y)| *y).collect());
    let row = |y| columns.clone().map(|x| if tiles.contains(&(x, y)) { '#' } else { '.' }).collect::<String>();
    rows.map(row).collect::<Vec<_>>().join("/")
}

#[test]
fn shapes_look_like_their_letters_and_turn_to_the_right() {
    let letters = [
        ("##/##/#.", "###/.##"),
        (".#./###/.#.", ".#./###/.#."),
        ("###/.#./.#.", "..#/###/..#"),
        ("##./.#./.##", "..#/###/#.."),
        ("#../##./.##", ".##/##./#.."),
        ("#.#/###", "##/#./##"),
        (".#/.#/##/#.", "##../.###"),
        (".##/##./.#.", ".#./###/..#"),
        (".#/##/.#/.#", "..#./####"),
    ];
    for (shape, (upright, turned)) in Shape::ALL.into_iter().zip(letters) {
        assert_eq!((picture(shape, 0).as_str(), picture(shape, 1).as_str()), (upright, turned), "{}", shape.name());
    }
}

#[test]
fn a_shape_stays_five_joined_tiles_of_its_block_however_it_is_turned() {
    for shape in Shape::ALL {
        for quarters in 0..4 {
            let tiles: BTreeSet<(u8, u8)> = shape.tiles(quarters).into_iter().collect();
            assert_eq!(tiles.len(), 5);
            assert!(tiles.iter().all(|(x, y)| *x < 5 && *y < 5), "within 5 x 5");
            let first = *tiles.iter().next().expect("five");
            let mut joined = BTreeSet::from([first]);
            for _ in 0..4 {
                let next = |tile: &&(u8, u8)| {
                    joined.iter().any(|other: &(u8, u8)| other.0.abs_diff(tile.0) + other.1.abs_diff(tile.1) == 1)
                };
                let grown: Vec<(u8, u8)> = tiles.iter().filter(next).copied().collect();
                joined.extend(grown);
            }
            assert_eq!(joined, tiles, "{} turned {quarters} times", shape.name());
        }
        assert_eq!(shape.tiles(4), shape.tiles(0));
        let pictures: BTreeSet<String> = (0..4).map(|quarters| picture(shape, quarters)).collect();
        let expected = match shape {
            Shape::X => 1,
            Shape::Z => 2,
            _ => 4,
        };
        assert_eq!(pictures.len(), expected, "{} has that many sides", shape.name());
    }
}

/// Appendix A.1 and Table 4.
#[test]
fn symbols_and_colours_are_those_of_the_paper() {
    let shapes = Shape::ALL.map(|shape| (shape.name(), shape.symbol()));
    let letters = [("P", 2), ("X", 3), ("T", 4), ("Z", 5), ("W", 6), ("U", 7), ("N", 8), ("F", 9), ("Y", 10)];
    assert_eq!(shapes, letters);
    let colors = Color::ALL.map(|color| (color.name(), color.symbol(), color.rgb()));
    let table = [
        ("red", 2, [255, 0, 0]),
        ("green", 3, [0, 128, 0]),
        ("blue", 4, [0, 0, 255]),
        ("yellow", 5, [255, 255, 0]),
        ("brown", 6, [139, 69, 19]),
        ("purple", 7, [128, 0, 128]),
    ];
    assert_eq!(colors, table);
}

#[test]
fn on_21_tiles_areas_are_sevens_with_centres_3_10_17() {
    for y in 0..21 {
        for x in 0..21 {
            let area = Area::of(Cell::new(x, y), 21);
            assert_eq!((area.across(), area.along()), (x / 7, y / 7));
            assert_eq!(area.center(21), Cell::new(3 + 7 * (x / 7), 3 + 7 * (y / 7)));
        }
    }
    let names = Area::AROUND.map(Area::name);
    let expected = [
        "top left",
        "top center",
        "top right",
        "left center",
        "right center",
        "bottom left",
        "bottom center",
        "bottom right",
    ];
    assert_eq!(names, expected);
}

#[test]
fn on_every_size_areas_are_nearly_equal_thirds_with_their_centre_inside() {
    for size in SMALLEST..=LARGEST {
        let mut tiles = [0u16; 9];
        for cell in (0..size).flat_map(|y| (0..size).map(move |x| Cell::new(x, y))) {
            tiles[usize::from(Area::of(cell, size).index())] += 1;
        }
        let third = u16::from(size / 3);
        assert!(tiles.iter().all(|count| (third * third..=(third + 1) * (third + 1)).contains(count)), "{size}");
        for area in Area::AROUND {
            assert_eq!(Area::of(area.center(size), size), area);
        }
        let middle = Board::new(size, vec![piece("red T 0,0"), piece("blue P 0,6")]).expect("room").start();
        assert_eq!(Area::of(middle, size), Area::MIDDLE, "the gripper starts in the middle of {size}");
    }
}

#[test]
fn intents_have_their_numbers_names_kinds_and_costs() {
    let names = Intent::ALL.map(Intent::name).join(" ");
    assert_eq!(names, "silence confirm decline left right up down take pcs psc cps csp spc scp");
    for (number, intent) in Intent::ALL.into_iter().enumerate() {
        assert_eq!((intent.index(), Intent::named(intent.name())), (number, Some(intent)));
        let json = serde_json::to_string(&intent).expect("a name");
        assert_eq!(serde_json::from_str::<Intent>(&json).expect("the same name"), intent);
    }
    let unknown = serde_json::from_str::<Intent>("\"psp\"").expect_err("no such order").to_string();
    assert!(unknown.contains("there is no intent \"psp\"; there are silence, confirm"), "{unknown}");
    let cost = |intent: Intent| intent.kind().effort_tenths();
    assert_eq!(Intent::ALL.map(cost), [0, 10, 10, 11, 11, 11, 11, 11, 12, 12, 12, 12, 12, 12]);
    assert_eq!(Kind::ALL.map(Kind::name), ["silence", "confirm", "decline", "directive", "reference"]);
    for order in Order::ALL {
        let letters = order.properties().map(|property| format!("{property:?}").to_lowercase().remove(0));
        assert_eq!(letters.iter().collect::<String>(), order.name());
    }
}

#[test]
fn what_is_no_board_is_refused_with_the_piece_that_is_wrong() {
    let refused = |size: u8, pieces: &[&str]| {
        let pieces = pieces.iter().map(|text| piece(text)).collect();
        Board::new(size, pieces).expect_err("no board").to_string()
    };
    assert_eq!(refused(11, &["red T 0,0", "blue P 0,6"]), "a board of 11 x 11 tiles; it may have 12 to 30 a side");
    assert_eq!(refused(31, &["red T 0,0", "blue P 0,6"]), "a board of 31 x 31 tiles; it may have 12 to 30 a side");
    assert_eq!(refused(21, &[]), "0 pieces; a board has 2 to 8");
    assert_eq!(refused(21, &["red T 0,0"]), "1 pieces; a board has 2 to 8");
    assert_eq!(refused(21, &["red T 0,0"; 9]), "9 pieces; a board has 2 to 8");
    assert_eq!(
        refused(21, &["red T 0,0", "blue P 0,6 4"]),
        "piece 1: rotation 4 is not a number of quarter turns from 0 to 3"
    );
    assert_eq!(refused(21, &["red T 0,0", "blue X 18,0"]), "piece 1: its tile [21, 2] is not on the board of 21 x 21");
    assert_eq!(
        refused(21, &["red T 0,0", "blue X 10,8"]),
        "piece 1: its anchor is in the middle area, where no piece may lie"
    );
    assert_eq!(refused(21, &["red T 0,0", "green Y 14,14", "blue X 1,0"]), "pieces 0 and 2 overlap at [3, 1]");
    let far = Board::new(21, vec![piece("red T 255,255"), piece("blue P 0,6")]);
    assert!(matches!(far, Err(BoardError::OffBoard(0, ..))), "coordinates do not wrap: {far:?}");
}

proptest! {
    #[test]
    fn drawn_boards_are_legal_and_every_piece_can_be_told_apart(task in any_task()) {
        let board = &task.board;
        let again = Board::new(board.size(), board.pieces().to_vec());
        prop_assert_eq!(again.as_ref(), Ok(&**board), "checked from scratch");
        let symbols: BTreeSet<_> = (0..board.pieces().len()).map(|piece| board.symbol(piece)).collect();
        prop_assert_eq!(symbols.len(), board.pieces().len());
        let covered = (0..board.size()).flat_map(|y| (0..board.size()).map(move |x| Cell::new(x, y)));
        let covered = covered.filter(|cell| board.piece_at(*cell).is_some()).count();
        prop_assert_eq!(covered, 5 * board.pieces().len());
        for (number, piece) in board.pieces().iter().enumerate() {
            prop_assert!(piece.tiles().iter().all(|cell| board.piece_at(*cell) == Some(number)));
            prop_assert!(board.symbol(number).area != Area::MIDDLE);
        }
    }

    #[test]
    fn a_step_and_its_opposite_cancel_and_no_step_leaves_the_board(
        size in SMALLEST..=LARGEST,
        x in 0u8..30,
        y in 0u8..30,
    ) {
        prop_assume!(x < size && y < size);
        let cell = Cell::new(x, y);
        let [left, right, up, down] = Direction::ALL;
        for (one, other) in [(left, right), (right, left), (up, down), (down, up)] {
            if let Some(next) = cell.after(one, size) {
                prop_assert!(next.x < size && next.y < size);
                prop_assert_eq!(next.after(other, size), Some(cell));
                prop_assert_eq!(next.distance(cell), 1);
            }
        }
        let edges = u8::from(x == 0) + u8::from(y == 0) + u8::from(x + 1 == size) + u8::from(y + 1 == size);
        let open = Direction::ALL.into_iter().filter(|direction| cell.after(*direction, size).is_some()).count();
        prop_assert_eq!(open, 4 - usize::from(edges));
    }
}
