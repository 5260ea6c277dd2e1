//! What a person who guides may write, read as a sentence of the language.
//!
//! The idea: what is a sentence already is taken as it is. Otherwise every word is looked up in small lists: colours,
//! shapes, places, directions, verbs, yes, no. What was found decides: a denial comes first; then a piece, a direction,
//! an order to take, a no, a yes. A word in no list is let pass, since people write many. But what the language cannot
//! say is refused with a hint and never guessed at: where a piece lies to another, numbers, two colours, half a place.

use super::{Descriptor, Meaning, Sentence, Word as Exact, parse};
use crate::Direction;
use crate::symbol::{Area, Color, Shape};
use std::fmt;

/// A text that was not understood. The words say what stood in the way, and what would be understood.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "I did not understand that: {hint}. Tell me about the piece (\"the red T at top left\"), which way to go (\"go left\"), \
     \"take it\", \"yes\" or \"no\""
)]
pub struct NotUnderstood {
    /// What stood in the way.
    pub hint: Hint,
}

/// What stood in the way of understanding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hint {
    /// No word of it says anything in this game.
    Nothing,
    /// A piece is described by where it lies to another.
    Relation,
    /// Something is counted.
    Number,
    /// More than one of the same kind.
    Several(&'static str),
    /// A place by one word where two are needed.
    HalfPlace,
    /// The middle of the board, where no piece lies.
    Middle,
}

impl fmt::Display for Hint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nothing => f.write_str("no word of it says anything in this game"),
            Self::Relation => f.write_str("I do not know where a piece lies by another piece"),
            Self::Number => f.write_str("I cannot count; on \"go left\" I go until you say something else"),
            Self::Several(what) => write!(f, "it names more than one {what}; say one thing at a time"),
            Self::HalfPlace => f.write_str("a place needs two words, such as \"top left\" or \"left center\""),
            Self::Middle => f.write_str("no piece lies in the middle of the board"),
        }
    }
}

/// Reads a person's words.
///
/// ```
/// use tandem_cogrip::language::{free, word};
///
/// let read = |text| free(text).map(|meaning| word(meaning).to_string());
/// assert_eq!(read("please grab the red one in the top left corner").as_deref(), Ok("Take the red piece at top left"));
/// assert_eq!(read("ok, a bit more to the left").as_deref(), Ok("Go left"));
/// assert!(read("the one above the red T").is_err());
/// ```
///
/// # Errors
/// It says nothing that a Follower understands; the hint tells what stood in the way.
pub fn free(text: &str) -> Result<Meaning, NotUnderstood> {
    let text = text.replace(['\'', '\u{2019}'], "");
    let tokens: Vec<&str> =
        text.split(|char: char| !char.is_alphanumeric()).filter(|token| !token.is_empty()).collect();
    if tokens.is_empty() {
        let silence = text.trim().chars().all(|char| char == '.');
        return if silence { Ok(Meaning::Silence) } else { Err(NotUnderstood { hint: Hint::Nothing }) };
    }
    if let Some(meaning) = exactly(&tokens) {
        return Ok(meaning);
    }
    let words = look_up_all(&tokens);
    Found::gather(&words).and_then(Found::meaning).map_err(|hint| NotUnderstood { hint })
}

/// The sentence of the language, if it is one.
fn exactly(tokens: &[&str]) -> Option<Meaning> {
    let words = tokens.iter().map(|token| Exact::read(token)).collect::<Option<Vec<Exact>>>()?;
    parse(&Sentence::of(words)?).ok()
}

/// What a word may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Word {
    Color(Color),
    Shape(Shape),
    /// `left` and `right`: a direction, or half a place.
    Side(Direction),
    /// `up` and `down`: a direction.
    Way(Direction),
    /// `top` and `bottom`: half a place. The third of the board, 0 or 2.
    Row(u8),
    Center,
    Take,
    /// `go`, `move`, `more`.
    Go,
    Yes,
    /// `no`, `stop`: wrong so far; what follows may say what is right.
    No,
    /// `not`, `don't`: denies what follows.
    Not,
    /// `at`, `corner`: what is a side may be a place.
    Place,
    /// `of`: a relation, unless it is to the board.
    Of,
    Relation,
    Board,
    Number,
    Filler,
}

/// Looks all words up; some say something only together.
fn look_up_all(tokens: &[&str]) -> Vec<Word> {
    let lower: Vec<String> = tokens.iter().map(|token| token.to_lowercase()).collect();
    let at = |at: usize| lower.get(at).map(String::as_str).unwrap_or_default();
    match lower.as_slice() {
        [only] if only == "y" => return vec![Word::Yes],
        [only] if only == "n" => return vec![Word::No],
        _ => {}
    }
    let mut words = Vec::with_capacity(tokens.len());
    while words.len() < tokens.len() {
        let number = words.len();
        let (word, used) = match (at(number), at(number + 1)) {
            ("thats" | "is" | "its" | "all" | "youre" | "looks", "right") => (Word::Yes, 2),
            ("right", "there" | "on" | "one") | ("keep", "going" | "on" | "it") | ("go", "on" | "ahead") => {
                (Word::Yes, 2)
            }
            ("next" | "close" | "closest" | "nearest", "to") => (Word::Relation, 2),
            // "Take it right now", but "go right now".
            ("right", "now") if words.last() != Some(&Word::Go) => (Word::Filler, 2),
            // "Pick it up".
            ("up", _) if lower[number.saturating_sub(3)..number].iter().any(|before| before == "pick") => {
                (Word::Filler, 1)
            }
            // "Do u see it" and "up n left" name no shape.
            ("u" | "n" | "y", next) if tokens[number].starts_with(char::is_lowercase) => {
                let before = number.checked_sub(1).map(at).unwrap_or_default();
                let named = matches!(before, "the" | "a" | "an" | "shape" | "letter")
                    || matches!(next, "piece" | "shape" | "shaped" | "block" | "one")
                    || matches!(look_up(before), Word::Color(_));
                (if named { look_up(at(number)) } else { Word::Filler }, 1)
            }
            (token, _) => (look_up(token), 1),
        };
        words.push(word);
        words.extend((1..used).map(|_| Word::Filler));
    }
    words
}

fn look_up(token: &str) -> Word {
    match token {
        "left" | "leftmost" | "leftward" | "leftwards" | "lefthand" | "west" => Word::Side(Direction::Left),
        "right" | "rightmost" | "rightward" | "rightwards" | "righthand" | "east" => Word::Side(Direction::Right),
        "up" | "upward" | "upwards" | "north" | "higher" => Word::Way(Direction::Up),
        "down" | "downward" | "downwards" | "south" => Word::Way(Direction::Down),
        "top" | "upper" | "topmost" => Word::Row(0),
        "bottom" | "lower" | "bottommost" => Word::Row(2),
        "center" | "centre" | "middle" => Word::Center,
        "take" | "grab" | "pick" | "choose" | "select" | "get" | "grip" | "collect" | "catch" | "grasp" => Word::Take,
        "go" | "move" | "head" | "further" | "farther" | "more" | "walk" => Word::Go,
        "yes" | "yeah" | "yep" | "yup" | "ok" | "okay" | "good" | "great" | "correct" | "exactly" | "perfect"
        | "nice" | "sure" | "fine" | "continue" | "yay" | "excellent" | "almost" => Word::Yes,
        "no" | "nope" | "nah" | "wrong" | "stop" | "wait" | "back" | "undo" | "cancel" | "halt" | "incorrect" => {
            Word::No
        }
        "not" | "dont" | "isnt" | "never" | "neither" | "avoid" => Word::Not,
        "at" | "in" | "on" | "corner" | "area" | "side" | "part" => Word::Place,
        "of" => Word::Of,
        "above" | "below" | "beside" | "between" | "near" | "nearest" | "closest" | "behind" | "under" | "over"
        | "past" | "opposite" | "beneath" | "underneath" | "touching" => Word::Relation,
        "board" | "map" | "screen" | "field" | "grid" => Word::Board,
        "two" | "three" | "four" | "five" | "six" | "seven" | "eight" | "nine" | "ten" | "twice" => Word::Number,
        "plus" | "cross" => Word::Shape(Shape::X),
        "stairs" | "staircase" => Word::Shape(Shape::W),
        "violet" | "lilac" | "magenta" => Word::Color(Color::Purple),
        _ if token.starts_with(|char: char| char.is_ascii_digit()) => Word::Number,
        _ => {
            let color = Color::ALL.into_iter().find(|color| color.name() == token).map(Word::Color);
            let shape = Shape::ALL.into_iter().find(|shape| shape.name().eq_ignore_ascii_case(token)).map(Word::Shape);
            color.or(shape).unwrap_or(Word::Filler)
        }
    }
}

/// What was found in a text.
#[derive(Debug, Default)]
struct Found {
    piece: Descriptor,
    direction: Option<Direction>,
    take: bool,
    go: bool,
    yes: bool,
    no: bool,
    denied: bool,
}

impl Found {
    fn gather(words: &[Word]) -> Result<Self, Hint> {
        let mut found = Self::default();
        let (mut side, mut way, mut row) = (None, None, None);
        let (mut center, mut place) = (false, false);
        for (number, word) in words.iter().enumerate() {
            match *word {
                Word::Color(color) => once(&mut found.piece.color, color, "colour")?,
                Word::Shape(shape) => once(&mut found.piece.shape, shape, "shape")?,
                Word::Side(to) => once(&mut side, to, "direction or place")?,
                Word::Way(to) => once(&mut way, to, "direction")?,
                Word::Row(third) => once(&mut row, third, "place")?,
                Word::Center => center = true,
                Word::Take => found.take = true,
                Word::Go => found.go = true,
                Word::Yes => found.yes = true,
                Word::No => found.no = true,
                Word::Not => found.denied = true,
                Word::Place => place = true,
                Word::Of if words[number + 1..].iter().find(|word| **word != Word::Filler) == Some(&Word::Board) => {}
                Word::Of | Word::Relation => return Err(Hint::Relation),
                Word::Number => return Err(Hint::Number),
                Word::Board | Word::Filler => {}
            }
        }
        let across = side.map(|side| if side == Direction::Left { 0 } else { 2 });
        found.piece.area = match (across, row, center) {
            (Some(across), Some(along), _) => Some(Area::at(across, along)),
            (Some(across), None, true) => Some(Area::at(across, 1)),
            (None, Some(along), true) => Some(Area::at(1, along)),
            (None, Some(_), false) => return Err(Hint::HalfPlace),
            (None, None, true) => return Err(Hint::Middle),
            (_, None, false) => None,
        };
        if found.piece.area.is_some() {
            // "go up to the top left": where to is said, so the way is no second thing.
            return Ok(found);
        }
        if side.is_some() && way.is_some() {
            return Err(Hint::Several("direction"));
        }
        found.direction = way.or(side);
        if found.direction.is_some() && !found.piece.is_empty() {
            // "the red one on the left" lacks a word; "go left to the red one" says two things.
            return Err(if found.go && !place { Hint::Several("thing") } else { Hint::HalfPlace });
        }
        if side.is_some() && place && !found.go {
            return Err(Hint::HalfPlace);
        }
        Ok(found)
    }

    fn meaning(self) -> Result<Meaning, Hint> {
        let Self { piece, direction, take, go, yes, no, denied } = self;
        let named = piece.color.is_some() && piece.shape.is_some() && piece.area.is_none();
        let pointed_at = if named { piece } else { Descriptor::default() };
        if denied {
            return Ok(Meaning::Decline(pointed_at));
        }
        if !piece.is_empty() {
            return Ok(if yes && named && !take { Meaning::Confirm(piece) } else { Meaning::Refer(piece) });
        }
        if let Some(direction) = direction {
            return if take { Err(Hint::Several("thing")) } else { Ok(Meaning::Go(direction)) };
        }
        match (take, no, yes || go) {
            (true, false, _) => Ok(Meaning::Take(Descriptor::default())),
            (_, true, _) => Ok(Meaning::Decline(Descriptor::default())),
            (false, false, true) => Ok(Meaning::Confirm(Descriptor::default())),
            (false, false, false) => Err(Hint::Nothing),
        }
    }
}

/// Notes what may be said once, or twice the same.
fn once<T: PartialEq + Copy>(place: &mut Option<T>, value: T, what: &'static str) -> Result<(), Hint> {
    if place.replace(value).is_some_and(|before| before != value) { Err(Hint::Several(what)) } else { Ok(()) }
}
