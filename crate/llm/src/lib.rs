//! Talking to a language model, without talking to anybody: bytes in, events out.

pub mod chat;
mod hash;
pub mod stream;

pub use hash::request_hash;
