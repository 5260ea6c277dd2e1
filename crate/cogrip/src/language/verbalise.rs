//! From an intent to words, and from a meaning to words.

use super::{Descriptor, Meaning, Sentence, Word, incremental};
use crate::symbol::{Area, Color, Shape, Symbol};
use crate::{Board, Cell, Direction, Intent};

/// What the words depend on: the board, the target, and where the gripper is.
#[derive(Clone, Copy, Debug)]
pub struct Situation<'a> {
    /// The board.
    pub board: &'a Board,
    /// The target's number.
    pub target: usize,
    /// Where the gripper is.
    pub gripper: Cell,
}

/// Says the intent in words.
pub fn verbalise(intent: Intent, situation: Situation) -> Sentence {
    word(meaning(intent, situation))
}

/// What the words for the intent will mean.
pub fn meaning(intent: Intent, Situation { board, target, gripper }: Situation) -> Meaning {
    let under = || match board.piece_at(gripper) {
        None => Descriptor::default(),
        Some(piece) => {
            let Symbol { shape, color, .. } = board.symbol(piece);
            Descriptor { shape: Some(shape), color: Some(color), area: None }
        }
    };
    match intent {
        Intent::Silence => Meaning::Silence,
        Intent::Confirm => Meaning::Confirm(under()),
        Intent::Decline => Meaning::Decline(under()),
        Intent::Go(direction) => Meaning::Go(direction),
        Intent::Take => Meaning::Take(under()),
        Intent::Refer(order) => {
            let others = (0..board.pieces().len()).filter(|piece| *piece != target).map(|piece| board.symbol(piece));
            Meaning::Refer(incremental(board.symbol(target), others, order))
        }
    }
}

/// Puts a meaning into words.
pub fn word(meaning: Meaning) -> Sentence {
    let mut words = Words(Sentence::SILENCE);
    match meaning {
        Meaning::Silence => {}
        Meaning::Confirm(piece) => words.say(&[Word::Yes, Word::This]).piece_or(piece, Word::Way),
        Meaning::Decline(piece) => words.say(&[Word::Not, Word::This]).piece_or(piece, Word::Way),
        Meaning::Take(piece) => words.say(&[Word::Take]).piece_or(piece, Word::Piece),
        Meaning::Go(direction) => {
            words.say(&[Word::Go, of_direction(direction)]);
        }
        Meaning::Refer(piece) => {
            words.say(&[Word::Take, Word::The]).piece_or(piece, Word::Piece);
            if let Some(area) = piece.area {
                words.say(&[Word::At]).say(of_area(area));
            }
        }
    }
    words.0
}

/// A sentence in the making. No template is longer than seven words, so there is always room.
struct Words(Sentence);

impl Words {
    fn say(&mut self, words: &[Word]) -> &mut Self {
        for word in words {
            self.0.push(*word);
        }
        self
    }

    /// Colour and shape as far as they are named; "piece" where the shape is not; the other word if neither is.
    fn piece_or(&mut self, piece: Descriptor, otherwise: Word) {
        match (piece.color, piece.shape) {
            (Some(color), Some(shape)) => self.say(&[of_color(color), of_shape(shape)]),
            (Some(color), None) => self.say(&[of_color(color), Word::Piece]),
            (None, Some(shape)) => self.say(&[of_shape(shape)]),
            (None, None) => self.say(&[otherwise]),
        };
    }
}

pub(super) fn of_shape(shape: Shape) -> Word {
    Word::ALL[shape as usize]
}

pub(super) fn of_color(color: Color) -> Word {
    Word::ALL[Shape::ALL.len() + color as usize]
}

pub(super) fn of_direction(direction: Direction) -> Word {
    [Word::Left, Word::Right, Word::Up, Word::Down][direction as usize]
}

pub(super) fn of_area(area: Area) -> &'static [Word] {
    use Word::{Bottom, Center, Left, Right, Top};
    match area.index() {
        0 => &[Top, Left],
        1 => &[Top, Center],
        2 => &[Top, Right],
        3 => &[Left, Center],
        4 => &[Center],
        5 => &[Right, Center],
        6 => &[Bottom, Left],
        7 => &[Bottom, Center],
        _ => &[Bottom, Right],
    }
}
