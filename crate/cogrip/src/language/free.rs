//! What a person who guides may write, read as a sentence of the language.
//!
//! The idea: what is a sentence already is taken as it is. Otherwise the words are looked through for a piece's
//! properties, a way to go, an order to take, a yes or a no, and the first of these that is there, in this order of
//! weight, is what was meant: a no; a piece; an order to take; a way; a yes.

use super::{Descriptor, Meaning, Sentence, Word, parse};
use crate::Direction;
use crate::symbol::{Area, Color, Shape};

/// Nothing in the text could be understood. The words say what would be.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "I did not understand that. Tell me about the piece (\"the red T at top left\"), which way to go (\"go left\"), \
     \"take it\", \"yes\" or \"no\""
)]
pub struct NotUnderstood;

/// Reads a person's words.
///
/// # Errors
/// There is nothing in them that a Follower understands.
pub fn free(text: &str) -> Result<Meaning, NotUnderstood> {
    let tokens: Vec<&str> =
        text.split(|c: char| !c.is_alphanumeric() && c != '\'').filter(|token| !token.is_empty()).collect();
    if tokens.is_empty() {
        return if text.trim().is_empty() { Ok(Meaning::Silence) } else { Err(NotUnderstood) };
    }
    let exact = tokens.iter().map(|token| Word::read(token)).collect::<Option<Vec<Word>>>();
    if let Some(meaning) = exact.and_then(Sentence::of).and_then(|sentence| parse(&sentence).ok()) {
        return Ok(meaning);
    }
    loosely(&tokens).ok_or(NotUnderstood)
}

fn loosely(tokens: &[&str]) -> Option<Meaning> {
    let words: Vec<String> = tokens.iter().map(|token| token.to_lowercase()).collect();
    let has = |set: &[&str]| words.iter().any(|word| set.contains(&word.as_str()));
    let piece = Descriptor {
        shape: shape(tokens, &words),
        color: words.iter().find_map(|word| color(word)),
        area: area(&words),
    };
    let way = words.iter().find_map(|word| direction(word));
    if has(NO) {
        // "No, go left" says what to do instead.
        return match way {
            Some(way) if piece.is_empty() => Some(Meaning::Go(way)),
            _ if has(&["not", "isn't", "wrong"]) || piece.is_empty() => Some(Meaning::Decline(Descriptor::default())),
            _ => Some(Meaning::Refer(piece)),
        };
    }
    if !piece.is_empty() {
        return Some(Meaning::Refer(piece));
    }
    if has(TAKE) {
        return Some(Meaning::Take(Descriptor::default()));
    }
    if let Some(way) = way {
        return Some(Meaning::Go(way));
    }
    has(YES).then_some(Meaning::Confirm(Descriptor::default()))
}

const NO: &[&str] = &["no", "not", "nope", "wrong", "stop", "wait", "don't", "dont", "isn't", "n", "nah", "cancel"];
const YES: &[&str] = &[
    "yes", "y", "yeah", "yep", "ok", "okay", "good", "correct", "exactly", "great", "perfect", "nice", "fine", "sure",
    "continue", "keep", "on",
];
const TAKE: &[&str] = &["take", "grab", "pick", "get", "grip", "select"];

fn color(word: &str) -> Option<Color> {
    match word {
        "violet" | "lila" | "magenta" => Some(Color::Purple),
        _ => Color::ALL.into_iter().find(|color| color.name() == word),
    }
}

/// A letter is a shape if it is written large, or stands where a shape's name stands.
fn shape(tokens: &[&str], words: &[String]) -> Option<Shape> {
    let at = |at: usize| words.get(at).map(String::as_str).unwrap_or_default();
    for (number, token) in tokens.iter().enumerate() {
        let letter = Shape::ALL.into_iter().find(|shape| shape.name().eq_ignore_ascii_case(token));
        let before = number.checked_sub(1).map(at).unwrap_or_default();
        let expected = matches!(before, "the" | "a" | "an" | "shape" | "letter")
            || color(before).is_some()
            || matches!(at(number + 1), "piece" | "shape" | "shaped" | "block" | "one");
        if letter.is_some() && tokens.len() > 1 && (expected || token.chars().all(char::is_uppercase)) {
            return letter;
        }
        match words[number].as_str() {
            "cross" | "plus" => return Some(Shape::X),
            "stairs" | "staircase" => return Some(Shape::W),
            _ => {}
        }
    }
    None
}

fn direction(word: &str) -> Option<Direction> {
    match word {
        "left" | "west" => Some(Direction::Left),
        "right" | "east" => Some(Direction::Right),
        "up" | "north" | "upward" | "upwards" => Some(Direction::Up),
        "down" | "south" | "downward" | "downwards" => Some(Direction::Down),
        _ => None,
    }
}

/// A part of the board: named by top or bottom, by a corner, or by a side with "on", "at", "in" or "side".
fn area(words: &[String]) -> Option<Area> {
    let find = |sets: &[(&[&str], u8)]| {
        sets.iter().find(|(set, _)| words.iter().any(|word| set.contains(&word.as_str()))).map(|(_, third)| *third)
    };
    let along = find(&[(&["top", "upper", "above"], 0), (&["bottom", "lower", "below"], 2)]);
    let across = find(&[(&["left"], 0), (&["right"], 2)]);
    let placed = words
        .iter()
        .any(|word| matches!(word.as_str(), "at" | "on" | "in" | "side" | "corner" | "center" | "centre" | "middle"));
    match (across, along) {
        (None, None) => None,
        (across, Some(along)) => Some(Area::at(across.unwrap_or(1), along)),
        (Some(across), None) => placed.then(|| Area::at(across, 1)),
    }
}
