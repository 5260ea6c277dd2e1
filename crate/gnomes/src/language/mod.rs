//! Language: what messages mean, and how the agents put what they mean into words (section 4.2 of the paper).
//!
//! A [`Parser`] turns a message into a [`Flag`]. [`Embedded`] does so without any network. A language model may read
//! in its place: [`model`] has what it is asked and how its replies are taken; an agent asks by
//! [`tandem_core::Deed::Ask`], and the parser is what it falls back to when no usable reply comes in time.
//!
//! In the other direction, [`request`] and [`refusal`] word a flag, and [`answer`] answers a question from what the
//! speaker's seat knows.

mod clause;
mod embedded;
mod idioms;
mod lexicon;
pub mod model;
mod replies;
mod senses;
mod spelling;
mod tokens;

pub use embedded::Embedded;
pub use replies::{Hint, answer, place_hint, refusal, request};

use crate::{Action, Flag};

/// Reads messages.
pub trait Parser {
    /// What `message` means, to a player who asked its sender for `last_request` before.
    fn flag(&mut self, message: &str, last_request: Option<Action>) -> Flag<Action>;

    /// Its name, for traces.
    fn name(&self) -> &'static str;
}
