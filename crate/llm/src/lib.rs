//! Talking to a language model, without talking to anybody: bytes in, events out.

pub mod chat;
mod hash;
mod label;
pub mod stream;
mod template;
mod tools;

pub use hash::request_hash;
pub use label::{LabelError, Labels, LabelsError};
pub use template::{TemplateError, Templates};
pub use tools::{CallError, FormError, Toolbox, format_of, schema_of, structured};
