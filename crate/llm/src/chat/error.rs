//! What an endpoint says when something goes wrong, and which models it has.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fmt;

/// The error of an endpoint. Serialised it is `{"error":{"message":..,"type":..,"code":..}}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "ErrorForm", from = "ErrorForm")]
pub struct ErrorBody {
    /// What went wrong, for a person.
    pub message: String,
    /// The kind of error, for instance `invalid_request_error`; may be empty.
    pub kind: String,
    /// A word for programs, for instance `rate_limit_exceeded`.
    pub code: Option<String>,
}

#[derive(Serialize, Deserialize)]
struct ErrorForm {
    error: InnerForm,
}

#[derive(Serialize, Deserialize)]
struct InnerForm {
    message: String,
    #[serde(default, rename = "type")]
    kind: String,
    #[serde(default)]
    code: Option<String>,
}

impl From<ErrorBody> for ErrorForm {
    fn from(ErrorBody { message, kind, code }: ErrorBody) -> Self {
        Self { error: InnerForm { message, kind, code } }
    }
}

impl From<ErrorForm> for ErrorBody {
    fn from(ErrorForm { error: InnerForm { message, kind, code } }: ErrorForm) -> Self {
        Self { message, kind, code }
    }
}

impl fmt::Display for ErrorBody {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        match (&self.code, self.kind.as_str()) {
            (Some(code), _) => write!(f, " ({code})"),
            (None, "") => Ok(()),
            (None, kind) => write!(f, " ({kind})"),
        }
    }
}

/// An answer that is no reply: an HTTP status and the error that came with it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("status {status}: {error}")]
pub struct Refusal {
    /// The HTTP status, 400 to 599.
    pub status: u16,
    /// What went wrong.
    #[serde(flatten)]
    pub error: ErrorBody,
}

/// Longer messages of others are cut: they may be whole pages.
const LONGEST: usize = 500;

impl ErrorBody {
    /// An error with its words, its kind and its code.
    pub fn new(message: impl Into<String>, kind: impl Into<String>, code: impl Into<String>) -> Self {
        Self { message: message.into(), kind: kind.into(), code: Some(code.into()) }
    }

    /// Makes the best of any error body: the form above, the forms of other servers, or plain text.
    pub fn read(body: &[u8]) -> Self {
        let value = serde_json::from_slice::<Value>(body).ok();
        let plain = || Self { message: cut(String::from_utf8_lossy(body).trim()), kind: String::new(), code: None };
        value
            .and_then(|value| {
                let value = value.get(0).cloned().unwrap_or(value);
                Self::within(&value).or_else(|| {
                    let said = ["message", "detail"].iter().find_map(|field| value.get(field)?.as_str());
                    Some(Self { message: cut(said?), kind: String::new(), code: None })
                })
            })
            .unwrap_or_else(plain)
    }

    /// The error in a reply or a chunk: under `error`, as an object or a text, or the object itself if it says so.
    pub(crate) fn within(value: &Value) -> Option<Self> {
        let error = match value.get("error") {
            Some(Value::Null) | None if value.get("object").and_then(Value::as_str) == Some("error") => value,
            Some(Value::Null) | None => return None,
            Some(error) => error,
        };
        let message = match error.get("message") {
            Some(Value::String(message)) => cut(message),
            _ => cut(&error.as_str().map_or_else(|| error.to_string(), str::to_owned)),
        };
        let code = match error.get("code") {
            Some(Value::String(code)) => Some(cut(code)),
            Some(Value::Number(code)) => Some(code.to_string()),
            _ => None,
        };
        let kind = error.get("type").and_then(Value::as_str).map(cut).unwrap_or_default();
        Some(Self { message, kind, code })
    }
}

fn cut(text: &str) -> String {
    text.chars().take(LONGEST).collect()
}

/// The answer to `GET /v1/models`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelList {
    /// Always `list`.
    #[serde(default = "list")]
    pub object: String,
    /// The models.
    pub data: Vec<Model>,
}

/// One model of an endpoint.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Model {
    /// The name to ask for.
    pub id: String,
    /// Always `model`.
    #[serde(default = "model")]
    pub object: String,
    /// When it was made, in seconds since 1970; 0 where nobody says.
    #[serde(default)]
    pub created: u64,
    /// Whose it is.
    #[serde(default)]
    pub owned_by: String,
}

fn list() -> String {
    "list".to_owned()
}

fn model() -> String {
    "model".to_owned()
}

impl ModelList {
    /// A list of these names.
    pub fn of<S: Into<String>>(names: impl IntoIterator<Item = S>, owned_by: &str) -> Self {
        let data = names
            .into_iter()
            .map(|id| Model { id: id.into(), object: model(), created: 0, owned_by: owned_by.to_owned() })
            .collect();
        Self { object: list(), data }
    }
}
