//! Talking to a language model, without talking to anybody: bytes in, events out.

mod cassette;
pub mod chat;
mod hash;
mod label;
mod scripted;
pub mod stream;
mod template;
mod tools;

pub use cassette::{Cassette, CassetteError, Miss, Player, Taped};
pub use hash::request_hash;
pub use label::{LabelError, Labels, LabelsError};
pub use scripted::{Rule, Script, ScriptError, ScriptedCall, ScriptedRefusal, Then, When};
pub use template::{TemplateError, Templates};
pub use tools::{CallError, FormError, Toolbox, format_of, schema_of, structured};
