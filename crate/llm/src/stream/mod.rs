//! Replies that come in pieces: server-sent events in ([`Decoder`]), a checked reply out ([`Gather`]), and the way back
//! ([`frames`]).

mod frames;
mod gather;
mod sse;

pub use frames::{error_frame, frames};
pub use gather::{Gather, StreamEvent};
pub use sse::{Decoder, Frame, SseError};
