//! What the lines of a trace say.

use crate::{Answer, Millis, Seat, SeatSetup, Seed, Ticket};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The first line: all that is needed to set the session up again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// The format, [`super::FORMAT`].
    pub trace: String,
    /// [`crate::World::NAME`].
    pub world: String,
    /// [`crate::World::RULES`] under which it was played.
    pub rules: String,
    /// The version of the library that wrote it.
    pub library: String,
    /// The seed of all chance.
    pub seed: Seed,
    /// The world's config.
    pub config: Value,
    /// Who sat where.
    pub seats: Vec<SeatSetup>,
    /// How long an agent waited before each thought, in milliseconds.
    pub pace: Millis,
    /// What the host wants to remember: participant, condition, date. Nothing depends on it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host: Option<Value>,
}

/// An event as it is recorded. Fed again in order, the events reach the same state.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "lowercase", deny_unknown_fields)]
pub enum Recorded {
    /// The session began.
    Start {},
    /// A seat acted: a person, or an agent after its thought.
    Act {
        /// Who.
        seat: Seat,
        /// What, in the world's own form.
        action: Value,
    },
    /// A seat talked.
    Say {
        /// Who.
        seat: Seat,
        /// The words.
        text: String,
    },
    /// A timer rang.
    Wake {
        /// Which.
        ticket: Ticket,
    },
    /// A question was answered, or failed.
    Answer {
        /// Which question.
        ticket: Ticket,
        /// The answer.
        answer: Answer,
        /// How it came about: time, tokens, attempts.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        record: Option<Value>,
    },
    /// The session went on from its journal, for instance after the page was closed.
    Resume {},
}

/// What follows from the events, kept for people to read; a replay does not need it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "derived", rename_all = "lowercase", deny_unknown_fields)]
pub enum Derived {
    /// An agent's explanation of what it does next.
    Thought {
        /// Whose.
        seat: Seat,
        /// Search statistics, intents, beliefs.
        because: Value,
    },
    /// An agent asked something outside.
    Ask {
        /// Whose agent.
        seat: Seat,
        /// The question's ticket.
        ticket: Ticket,
        /// The request.
        body: Value,
    },
    /// An agent failed, and what was done about it.
    Fault {
        /// Whose agent.
        seat: Seat,
        /// What happened.
        problem: String,
    },
}

/// The last line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "end", rename_all = "lowercase", deny_unknown_fields)]
pub enum End {
    /// The game was played to its end.
    Over {
        /// The world's outcome.
        outcome: Value,
        /// The digest of the state, hexadecimal.
        digest: String,
    },
    /// The session was stopped before.
    Stopped {
        /// The digest of the state, hexadecimal.
        digest: String,
    },
}

/// What one line says.
#[derive(Clone, Debug, PartialEq)]
pub enum Entry {
    /// The first line.
    Header(Header),
    /// Something happened.
    Event(Recorded),
    /// Something follows from it.
    Derived(Derived),
    /// The last line.
    End(End),
}

/// A line of a trace.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// When, in milliseconds of the session; zero for the header.
    pub at: Millis,
    /// What.
    pub entry: Entry,
}
