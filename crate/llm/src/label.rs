//! Exactly one of the allowed words, or none.
//!
//! The idea: a reply counts as a label only if it is one and nothing else. A label that merely occurs in a sentence may
//! be negated, quoted or one of several, and a wrong label does more harm than a fallback.

use crate::chat::{Finish, Reply, ResponseFormat};
use serde_json::{Map, Value, json};

/// The labels a reply may be.
///
/// ```
/// use tandem_llm::{Labels, chat::Reply};
/// let labels = Labels::new(["left", "right", "none"])?;
/// assert_eq!(labels.read(&Reply::text("Left.")), Ok("left"));
/// assert_eq!(labels.read(&Reply::text("{\"label\": \"right\"}")), Ok("right"));
/// assert!(labels.read(&Reply::text("not left")).is_err());
/// # Ok::<(), tandem_llm::LabelsError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Labels(Vec<String>);

/// Labels that cannot be told apart or read back.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LabelsError {
    /// There are none.
    #[error("there are no labels")]
    None,
    /// It is empty, or begins or ends with what is cut off a reply.
    #[error("the label {0:?} cannot be read back: it must begin and end with a letter or a digit")]
    Unreadable(String),
    /// Two differ at most in their letters' case.
    #[error("the label {0:?} is given twice")]
    Twice(String),
}

/// A reply that is not exactly one label.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what}; expected exactly one of {}", expected.join(", "))]
pub struct LabelError {
    /// What the reply is instead.
    pub what: String,
    /// The labels.
    pub expected: Vec<String>,
}

impl Labels {
    /// These labels. Letters' case does not count.
    pub fn new<S: Into<String>>(labels: impl IntoIterator<Item = S>) -> Result<Self, LabelsError> {
        let labels: Vec<String> = labels.into_iter().map(Into::into).collect();
        for (index, label) in labels.iter().enumerate() {
            if label.is_empty() || bare(label) != label {
                return Err(LabelsError::Unreadable(label.clone()));
            }
            if labels[..index].iter().any(|other| same(other, label)) {
                return Err(LabelsError::Twice(label.clone()));
            }
        }
        if labels.is_empty() { Err(LabelsError::None) } else { Ok(Self(labels)) }
    }

    /// The response format that asks for `{"label": ..}` with one of the labels.
    pub fn format(&self) -> ResponseFormat {
        ResponseFormat::JsonSchema {
            name: "label".to_owned(),
            description: None,
            schema: Some(json!({
                "type": "object",
                "properties": {"label": {"type": "string", "enum": self.0}},
                "required": ["label"],
                "additionalProperties": false,
            })),
            strict: Some(true),
        }
    }

    /// The label a reply is: the bare word, also quoted, emphasised or with a full stop, or an object with the one
    /// field `label`. A reply that calls tools is none, and neither is one that was cut off, unless the object is whole:
    /// then only what followed it was cut off, for instance the spaces that weak models go on with.
    pub fn read(&self, reply: &Reply) -> Result<&str, LabelError> {
        let wrong = |what: String| Err(LabelError { what, expected: self.0.clone() });
        let text = reply.text.trim();
        let object = serde_json::from_str::<Map<String, Value>>(text);
        let whole = reply.finish == Finish::Stop || (reply.finish == Finish::Length && object.is_ok());
        if !whole || !reply.calls.is_empty() {
            return wrong(format!("the reply ended with {}", reply.finish.name()));
        }
        let said = match object {
            Ok(fields) => match (fields.len(), fields.get("label")) {
                (1, Some(Value::String(label))) => label.clone(),
                _ => return wrong("the reply is not an object with the one text field \"label\"".to_owned()),
            },
            Err(_) => bare(text).to_owned(),
        };
        match self.0.iter().find(|label| same(label, &said)) {
            Some(label) => Ok(label),
            None => wrong(format!("the reply is {:?}", text.chars().take(80).collect::<String>())),
        }
    }
}

/// Without what models put around a word.
fn bare(text: &str) -> &str {
    text.trim_matches(|c: char| c.is_whitespace() || "\"'`*.“”‘’".contains(c))
}

fn same(one: &str, other: &str) -> bool {
    one.to_lowercase() == other.to_lowercase()
}
