//! From a sentence of the language back to what it means.

use super::verbalise::{of_area, of_color, of_direction, of_shape};
use super::{Descriptor, Meaning, Sentence, Word};
use crate::Direction;
use crate::symbol::{Area, Color, Shape};

/// Words of the vocabulary that make no sentence of the language.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("\"{0}\" is no sentence of the Guide's language")]
pub struct NotASentence(pub Sentence);

/// Reads a sentence.
///
/// # Errors
/// The words are none of the templates.
pub fn parse(sentence: &Sentence) -> Result<Meaning, NotASentence> {
    meaning(sentence.words()).ok_or(NotASentence(*sentence))
}

fn meaning(words: &[Word]) -> Option<Meaning> {
    Some(match words {
        [] => Meaning::Silence,
        [Word::Go, way] => Meaning::Go(Direction::ALL.into_iter().find(|direction| of_direction(*direction) == *way)?),
        [Word::Yes, Word::This, piece @ ..] => Meaning::Confirm(color_and_shape(piece, Word::Way)?),
        [Word::Not, Word::This, piece @ ..] => Meaning::Decline(color_and_shape(piece, Word::Way)?),
        [Word::Take, Word::The, piece @ ..] => Meaning::Refer(reference(piece)?),
        [Word::Take, piece @ ..] => Meaning::Take(color_and_shape(piece, Word::Piece)?),
        _ => return None,
    })
}

/// Either the word for no piece in particular, or colour and shape.
fn color_and_shape(words: &[Word], otherwise: Word) -> Option<Descriptor> {
    match words {
        [only] if *only == otherwise => Some(Descriptor::default()),
        [color, shape] => Some(Descriptor { color: Some(a_color(*color)?), shape: Some(a_shape(*shape)?), area: None }),
        _ => None,
    }
}

/// At least one of the three properties.
fn reference(words: &[Word]) -> Option<Descriptor> {
    let (piece, area) = match words.iter().position(|word| *word == Word::At) {
        None => (words, None),
        Some(at) => (&words[..at], Some(an_area(&words[at + 1..])?)),
    };
    let (color, shape) = match piece {
        [Word::Piece] if area.is_some() => (None, None),
        [shape] => (None, Some(a_shape(*shape)?)),
        [color, Word::Piece] => (Some(a_color(*color)?), None),
        [color, shape] => (Some(a_color(*color)?), Some(a_shape(*shape)?)),
        _ => return None,
    };
    Some(Descriptor { shape, color, area })
}

fn a_shape(word: Word) -> Option<Shape> {
    Shape::ALL.into_iter().find(|shape| of_shape(*shape) == word)
}

fn a_color(word: Word) -> Option<Color> {
    Color::ALL.into_iter().find(|color| of_color(*color) == word)
}

fn an_area(words: &[Word]) -> Option<Area> {
    Area::AROUND.into_iter().find(|area| of_area(*area) == words)
}
