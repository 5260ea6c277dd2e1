//! The Guide's language: intents become sentences, and sentences what they mean (section 3.3, appendix A.1).
//!
//! [`verbalise`] words an intent for a situation, by the [`incremental`] algorithm where it is a reference. [`parse`]
//! reads any sentence of the language back; both together are the identity. [`free`] reads what a person writes.

mod free;
mod incremental;
mod parse;
mod sentence;
mod verbalise;

pub use free::{Hint, NotUnderstood, free};
pub use incremental::{Named, incremental};
pub use parse::{NotASentence, parse};
pub use sentence::{LONGEST, Sentence, Word};
pub use verbalise::{Situation, meaning, verbalise, word};

use crate::symbol::{Area, Color, Shape};
use crate::{Direction, Kind};
use serde::Serialize;

/// What is known of a piece: the properties that were named.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize)]
pub struct Descriptor {
    /// Its shape.
    pub shape: Option<Shape>,
    /// Its colour.
    pub color: Option<Color>,
    /// Its position.
    pub area: Option<Area>,
}

impl Descriptor {
    /// Whether nothing is known.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// The same with what `news` names put in its place.
    #[must_use]
    pub fn with(self, news: Self) -> Self {
        Self { shape: news.shape.or(self.shape), color: news.color.or(self.color), area: news.area.or(self.area) }
    }
}

/// What a sentence means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Meaning {
    /// Nothing was said.
    Silence,
    /// Go on like this; the piece under the gripper may be named.
    Confirm(Descriptor),
    /// Not like this; the piece under the gripper may be named.
    Decline(Descriptor),
    /// Go that way.
    Go(Direction),
    /// Take what is under the gripper; it may be named.
    Take(Descriptor),
    /// The target is such a piece.
    Refer(Descriptor),
}

impl Meaning {
    /// The kind of intent it is.
    pub fn kind(self) -> Kind {
        match self {
            Self::Silence => Kind::Silence,
            Self::Confirm(_) => Kind::Confirm,
            Self::Decline(_) => Kind::Decline,
            Self::Go(_) | Self::Take(_) => Kind::Directive,
            Self::Refer(_) => Kind::Reference,
        }
    }
}
