//! The boards that come with the library, and how a board is named.

use crate::layout::Layout;
use crate::{Board, ascii, generator};
use serde::de::{self, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use std::fmt;
use tandem_core::Seed;

/// The level files, in the order in which a page offers them.
const LEVELS: &[(&str, &str)] = &[
    ("practice", include_str!("../levels/practice.txt")),
    ("5A", include_str!("../levels/5a.txt")),
    ("6A", include_str!("../levels/6a.txt")),
    ("7A", include_str!("../levels/7a.txt")),
    ("7B", include_str!("../levels/7b.txt")),
    ("9A", include_str!("../levels/9a.txt")),
    ("9B", include_str!("../levels/9b.txt")),
    ("9C", include_str!("../levels/9c.txt")),
    ("12A", include_str!("../levels/12a.txt")),
    ("12B", include_str!("../levels/12b.txt")),
    ("15A", include_str!("../levels/15a.txt")),
];

/// Where a board comes from, as it stands in a config: a JSON text or a JSON object.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum BoardSource {
    /// A name (`9A`, `random-9x9-3`), or a whole level file: a text with line ends in it.
    Text(String),
    /// The public JSON layout.
    Layout(Box<Layout>),
}

/// By hand, since what serde derives says only that no variant fits, not which field is missing.
impl<'de> Deserialize<'de> for BoardSource {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Source;
        impl<'de> Visitor<'de> for Source {
            type Value = BoardSource;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a board's name, the text of a level file, or a board layout")
            }
            fn visit_str<E: de::Error>(self, text: &str) -> Result<BoardSource, E> {
                Ok(BoardSource::Text(text.to_owned()))
            }
            fn visit_map<M: MapAccess<'de>>(self, map: M) -> Result<BoardSource, M::Error> {
                let layout = Layout::deserialize(de::value::MapAccessDeserializer::new(map))?;
                Ok(BoardSource::Layout(Box::new(layout)))
            }
        }
        deserializer.deserialize_any(Source)
    }
}

/// A board as a page offers it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BoardInfo {
    /// Its name.
    pub name: String,
    /// Columns.
    pub width: u8,
    /// Rows.
    pub height: u8,
    /// How many rounds it has.
    pub rounds: usize,
    /// One line about it.
    pub note: String,
}

impl BoardSource {
    /// The board.
    ///
    /// # Errors
    /// What is wrong, in words for whoever wrote it.
    pub fn open(&self) -> Result<Board, String> {
        match self {
            Self::Text(text) if text.contains('\n') => ascii::parse(text).map_err(|error| error.to_string()),
            Self::Text(name) => named(name),
            Self::Layout(layout) => layout.board().map_err(|error| error.to_string()),
        }
    }
}

/// The boards that come with the library.
pub fn all() -> impl Iterator<Item = Board> {
    // A level file that does not parse is missing from the list, and a test fails on it.
    LEVELS.iter().filter_map(|(_, text)| ascii::parse(text).ok())
}

/// The boards that come with the library, described.
pub fn list() -> Vec<BoardInfo> {
    let info = |board: Board| BoardInfo {
        name: board.name().to_owned(),
        width: board.width(),
        height: board.height(),
        rounds: board.treasures().len(),
        note: board.note().to_owned(),
    };
    all().map(info).collect()
}

/// The board of that name; `random-WIDTHxHEIGHT-SEED` draws one.
///
/// # Errors
/// There is none of that name; the message lists those there are.
pub fn named(name: &str) -> Result<Board, String> {
    if let Some(drawn) = name.strip_prefix("random-") {
        let (width, height, seed) = parse_drawn(drawn)
            .ok_or_else(|| format!("{name:?} is not of the form random-WIDTHxHEIGHT-SEED, for example random-9x9-3"))?;
        return generator::generate(width, height, seed).map_err(|error| error.to_string());
    }
    let Some((_, text)) = LEVELS.iter().find(|(known, _)| *known == name) else {
        let known: Vec<&str> = LEVELS.iter().map(|(known, _)| *known).collect();
        return Err(format!("there is no board {name:?}; there are {} and random-WIDTHxHEIGHT-SEED", known.join(", ")));
    };
    ascii::parse(text).map_err(|error| error.to_string())
}

fn parse_drawn(text: &str) -> Option<(u8, u8, Seed)> {
    let (size, seed) = text.split_once('-')?;
    let (width, height) = size.split_once('x')?;
    Some((width.parse().ok()?, height.parse().ok()?, Seed::new(seed.parse().ok()?).ok()?))
}
