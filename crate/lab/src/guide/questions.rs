//! What the encoder is asked while it learns to see (stage one).
//!
//! The idea: the features of a situation must hold what a Guide needs to decide. Each question is answered from them by one
//! linear map, so that the LSTM's gates, which are linear maps too, can read it as easily. The answers come from the rules,
//! none by hand. Some can be had only in part: the network sees a tile's surroundings three tiles wide and then the greatest
//! value of each channel, so where on the board a thing lies shows only near an edge.

use super::graph::REACH;
use tandem_cogrip::agents::{Guide, Heuristic};
use tandem_cogrip::language::{Meaning, Situation, meaning};
use tandem_cogrip::symbol::{Area, Color, Shape};
use tandem_cogrip::{Intent, Order, sight};
use tandem_core::Stream;

/// A question with one right answer of several.
pub struct Choice {
    /// Its name in the curves.
    pub name: &'static str,
    /// How many answers there are.
    pub answers: usize,
    /// How much it counts.
    pub weight: f64,
}

const SPAN: usize = 2 * REACH + 1;

/// The questions with several answers.
pub const CHOICES: [Choice; 10] = [
    Choice { name: "target-near", answers: SPAN * SPAN + 1, weight: 2.0 },
    Choice { name: "target-colour", answers: 6, weight: 1.0 },
    Choice { name: "target-shape", answers: 9, weight: 1.0 },
    Choice { name: "target-across", answers: 3, weight: 0.3 },
    Choice { name: "target-along", answers: 3, weight: 0.3 },
    Choice { name: "teacher-opens", answers: Intent::ALL.len(), weight: 0.5 },
    Choice { name: "edge-left", answers: REACH + 1, weight: 0.2 },
    Choice { name: "edge-right", answers: REACH + 1, weight: 0.2 },
    Choice { name: "edge-top", answers: REACH + 1, weight: 0.2 },
    Choice { name: "edge-bottom", answers: REACH + 1, weight: 0.2 },
];

/// The questions with yes and no: how many there are of each kind, and how much each counts.
pub const BITS: [(&str, usize, f64); 6] = [
    ("on-target", 1, 2.0),
    ("on-another", 1, 1.0),
    ("target-in-sight", 1, 0.3),
    ("colours-of-others", 6, 0.1),
    ("shapes-of-others", 9, 0.1),
    ("order-names", 18, 0.1),
];

/// All yes-no questions.
pub const BIT_COUNT: usize = 36;

/// The right answers in a situation.
pub struct Answers {
    /// In the order of [`CHOICES`].
    pub choices: [usize; CHOICES.len()],
    /// In the order of [`BITS`].
    pub bits: [bool; BIT_COUNT],
}

/// Answers all questions. `chance` is what the teacher may draw from.
pub fn answers(situation: Situation, chance: &mut Stream) -> Answers {
    let Situation { board, target, gripper } = situation;
    let piece = &board.pieces()[target];
    let nearest = piece.tiles().into_iter().min_by_key(|tile| tile.distance(gripper)).unwrap_or(gripper);
    let offset = |to: u8, from: u8| {
        let offset = i32::from(to) - i32::from(from) + REACH as i32;
        usize::try_from(offset).ok().filter(|offset| *offset < SPAN)
    };
    let near =
        offset(nearest.x, gripper.x).zip(offset(nearest.y, gripper.y)).map_or(SPAN * SPAN, |(x, y)| y * SPAN + x);
    let area = Area::of(piece.at, board.size());
    let mut teacher = Heuristic::default();
    teacher.begin();
    let edge = |tiles: u8| usize::from(tiles).min(REACH);
    let last = board.size() - 1;
    let choices = [
        near,
        piece.color as usize,
        piece.shape as usize,
        usize::from(area.across()),
        usize::from(area.along()),
        teacher.intend(situation, 0, chance).index(),
        edge(gripper.x),
        edge(last - gripper.x),
        edge(gripper.y),
        edge(last - gripper.y),
    ];
    let under = board.piece_at(gripper);
    let sees = |tile: &tandem_cogrip::Cell| {
        tile.x.abs_diff(gripper.x) <= sight::REACH && tile.y.abs_diff(gripper.y) <= sight::REACH
    };
    let others = || board.pieces().iter().enumerate().filter(|(number, _)| *number != target).map(|(_, piece)| piece);
    let mut bits =
        vec![under == Some(target), under.is_some_and(|under| under != target), piece.tiles().iter().any(sees)];
    bits.extend(Color::ALL.map(|color| others().any(|other| other.color == color)));
    bits.extend(Shape::ALL.map(|shape| others().any(|other| other.shape == shape)));
    for order in Order::ALL {
        let Meaning::Refer(named) = meaning(Intent::Refer(order), situation) else { continue };
        bits.extend([named.area.is_some(), named.color.is_some(), named.shape.is_some()]);
    }
    Answers { choices, bits: std::array::from_fn(|bit| bits.get(bit).copied().unwrap_or(false)) }
}
