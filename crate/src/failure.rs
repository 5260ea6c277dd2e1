//! Errors as JavaScript gets them.

use serde::Serialize;
use tandem_core::trace::TraceError;
use tandem_core::{ConfigError, Refused};
use wasm_bindgen::JsValue;

/// What is thrown: a code to branch on, words to show, and where the fault is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Failure {
    /// `config`, `illegal`, `over`, `trace`, `hidden` or `internal`.
    pub code: &'static str,
    /// What is wrong and what would be right.
    pub message: String,
    /// The setting that is wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    /// The line of the trace that is wrong, counted from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
}

impl Failure {
    /// A failure without a place.
    pub fn new(code: &'static str, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), field: None, line: None }
    }
}

impl From<ConfigError> for Failure {
    fn from(error: ConfigError) -> Self {
        Self { field: Some(error.field), ..Self::new("config", error.problem) }
    }
}

impl From<TraceError> for Failure {
    fn from(error: TraceError) -> Self {
        Self { line: Some(error.line), ..Self::new("trace", error.reason) }
    }
}

impl From<Refused> for Failure {
    fn from(refused: Refused) -> Self {
        let code = if refused == Refused::Over { "over" } else { "illegal" };
        Self::new(code, refused.to_string())
    }
}

impl From<Failure> for JsValue {
    fn from(failure: Failure) -> Self {
        let serializer = serde_wasm_bindgen::Serializer::json_compatible();
        failure.serialize(&serializer).unwrap_or_else(|_| JsValue::from_str(&failure.message))
    }
}
