//! The contract of a game.

use crate::{Millis, Seat, Seed, Told};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt::Debug;

/// Whose move it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// One seat is to move; nobody else may.
    One(Seat),
    /// Everybody acts when they like (real time).
    Free,
    /// The game has ended.
    Over,
}

/// A setting that cannot be played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{field}: {problem}")]
pub struct ConfigError {
    /// Which setting, as a path: `board`, `seats[1].iterations`.
    pub field: String,
    /// What is wrong with it and what would be right.
    pub problem: String,
}

impl ConfigError {
    /// The problem of one setting.
    pub fn new(field: impl Into<String>, problem: impl Into<String>) -> Self {
        Self { field: field.into(), problem: problem.into() }
    }
}

/// An action that the rules do not allow now. Nothing has changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct Illegal {
    /// Why, in words a player understands.
    pub reason: String,
}

impl Illegal {
    /// A refusal with its reason.
    pub fn new(reason: impl Into<String>) -> Self {
        Self { reason: reason.into() }
    }
}

/// A cooperative game: the whole hidden state, what each seat may see of it, and how actions change it.
///
/// *Architecture Invariant:* a world is pure. The same config, seed and events give the same digest on every machine.
pub trait World: Clone {
    /// The world's short name, as in traces and element attributes.
    const NAME: &'static str;
    /// The version of the rules, `name-number`. Any change of what an event does gives it a new number.
    const RULES: &'static str;

    /// What can be chosen before the game. Its JSON stands in the trace's header.
    type Config: Clone + Debug + Serialize + DeserializeOwned;
    /// What a seat can do.
    type Action: Clone + Debug + PartialEq + Serialize + DeserializeOwned;
    /// What a seat may know. What it may not know is absent.
    type View: Clone + Debug + Serialize;
    /// What happened, as a seat may hear of it.
    type News: Clone + Debug + Serialize;
    /// How the game ended.
    type Outcome: Clone + Debug + Serialize;

    /// Sets the game up.
    ///
    /// # Errors
    /// A setting that cannot be played, by name.
    fn new(config: Self::Config, seed: Seed) -> Result<Self, ConfigError>;

    /// How many seats the table has.
    fn seats(&self) -> u8;

    /// Whose move it is.
    fn turn(&self) -> Turn;

    /// What `seat` may attempt now, in a fixed order; empty when it is not to move.
    fn legal(&self, seat: Seat) -> Vec<Self::Action>;

    /// What `seat` may know now.
    fn view(&self, seat: Seat) -> Self::View;

    /// `seat` acts.
    ///
    /// # Errors
    /// The rules do not allow it now; nothing has changed.
    fn step(&mut self, seat: Seat, action: Self::Action, at: Millis) -> Result<Vec<Told<Self::News>>, Illegal>;

    /// `seat` says something to the others.
    ///
    /// # Errors
    /// The world has no free talk, or not this text; nothing has changed.
    fn say(&mut self, seat: Seat, text: &str, at: Millis) -> Result<Vec<Told<Self::News>>, Illegal>;

    /// Lets the world's own time run up to `to`: what was under way arrives.
    ///
    /// Law: advancing to `a` and then to `b` is the same as advancing to `b`. So only events need to be recorded, and
    /// a page may advance at every frame.
    fn advance(&mut self, to: Millis) -> Vec<Told<Self::News>> {
        let _ = to;
        Vec::new()
    }

    /// The next moment at which [`World::advance`] has something to do.
    fn due(&self) -> Option<Millis> {
        None
    }

    /// A harmless action for a seat whose agent has failed, so that nobody waits for ever.
    fn pass(&self, seat: Seat) -> Option<Self::Action>;

    /// How the game ended; `None` while it goes on.
    fn outcome(&self) -> Option<Self::Outcome>;

    /// The whole state, for replays, spectators and the time after the game. Never shown to a seat in play.
    fn reveal(&self) -> serde_json::Value;

    /// The fingerprint of the whole state ([`crate::Digest`]).
    fn digest(&self) -> u64;
}
