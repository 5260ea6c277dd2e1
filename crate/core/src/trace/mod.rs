//! The trace: everything that happened in a session, one JSON line each.
//!
//! It is the one format for logging, replay, analysis and training; `docs/trace-format.md` describes it for readers of
//! the files. The first line is the [`Header`], then come the events in order, with the agents' explanations between
//! them marked as derived, and at the end the outcome with the digest of the state. Every line carries its number and
//! a hash over itself and the hash before it, so an edited, reordered or missing line is found where it stands. That
//! guards against accidents and careless edits; who recomputes the whole chain is not stopped by it.

mod line;
mod read;
mod replay;
mod write;

pub use line::{Derived, End, Entry, Header, Line, Recorded};
pub use read::{Trace, TraceError};
pub use replay::{Frame, Replay};
pub use write::{Writer, rechain};

/// The format's name and version, in every header.
pub const FORMAT: &str = "tandem-trace-1";
