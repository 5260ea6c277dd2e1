//! The chat-completions form: what is asked ([`ChatRequest`]), what is replied ([`Reply`]), what goes wrong
//! ([`ErrorBody`]) and which models there are ([`ModelList`]).
//!
//! Requests are read strictly: a field that is not known is refused by its name, because what a server does not
//! understand it must not pass on. Replies are read leniently where it costs nothing (fields nobody asked about) and
//! strictly where it matters: see [`Reply`].

mod error;
mod message;
mod reply;
mod request;

pub use error::{ErrorBody, Model, ModelList, Refusal};
pub use message::{Message, ToolCall};
pub(crate) use reply::{Draft, Part, first_choice, reason, usage_form, words};
pub use reply::{Finish, Reply, ReplyError, Usage};
pub use request::{ChatRequest, RequestError, ResponseFormat, Stop, StreamOptions, ToolChoice, ToolSpec};
