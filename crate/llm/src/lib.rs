//! Talking to a language model, without talking to anybody: bytes in, events out.
//!
//! # The tour
//!
//! A [`chat::ChatRequest`] is what is asked, in the chat-completions form that most servers speak; a [`chat::Reply`] is
//! what came back, whole and checked. [`stream::Gather`] makes the one out of bytes in any pieces, and gives the words
//! as they come. [`exchange::Exchange`] is a whole call: it says what to send and when, with deadlines, retries and
//! cancelling, and whoever owns the network does it. [`ask`] carries requests and replies in the questions and answers
//! of a [`tandem_core::Agent`].
//!
//! An agent writes its prompts as [`Templates`], offers a [`Toolbox`] made from Rust types, asks for JSON of a type by
//! [`format_of`] and reads it by [`structured`], or asks for one of several [`Labels`]. All of it is strict: what is
//! not exactly right is an error in words, and the agent falls back or asks again.
//!
//! Without a model, a [`Script`] answers by rules and a [`Cassette`] by what was recorded, found by [`request_hash`].
//!
//! *Architecture Invariant:* nothing here opens a socket, reads a clock, or knows a particular game or provider.

pub mod ask;
mod cassette;
pub mod chat;
mod endpoint;
pub mod exchange;
mod hash;
mod label;
mod scripted;
pub mod stream;
#[cfg(feature = "templates")]
mod template;
mod tools;

pub use cassette::{Cassette, CassetteError, Miss, Player, Taped};
pub use endpoint::completions_url;
pub use hash::{body_hash, request_hash};
pub use label::{LabelError, Labels, LabelsError};
pub use scripted::{Rule, Script, ScriptError, ScriptedCall, ScriptedRefusal, Then, When};
#[cfg(feature = "templates")]
pub use template::{TemplateError, Templates};
pub use tools::{CallError, FormError, Toolbox, format_of, schema_of, structured};
