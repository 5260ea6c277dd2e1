//! What a model replied, whole and checked.

use super::{ErrorBody, ToolCall};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

/// A reply that can be relied on: its calls are whole, its end was seen, nothing in it is an error.
///
/// Serialised it is the body of a `chat.completion`. Read back, fields nobody asked about are passed over; a reply
/// whose end, calls or text are not what they must be is a [`ReplyError`], never half a reply.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "Value", try_from = "Value")]
pub struct Reply {
    /// Names the reply at the endpoint; may be empty.
    pub id: String,
    /// When it was made, in seconds since 1970; 0 where the endpoint does not say.
    pub created: u64,
    /// The model that replied, in the endpoint's words.
    pub model: String,
    /// The words; empty if there are none.
    pub text: String,
    /// The tools called, in order.
    pub calls: Vec<ToolCall>,
    /// Why the reply ended.
    pub finish: Finish,
    /// The tokens used, if the endpoint says so.
    pub usage: Option<Usage>,
}

/// Why a reply ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Finish {
    /// The model was done.
    #[default]
    Stop,
    /// The limit of tokens was reached. A reply with this end has no calls: one might be cut off.
    Length,
    /// Tools were called.
    ToolCalls,
    /// A filter of the endpoint ended it. A reply with this end has no calls.
    ContentFilter,
}

impl Finish {
    /// The reason as it stands in the JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Stop => "stop",
            Self::Length => "length",
            Self::ToolCalls => "tool_calls",
            Self::ContentFilter => "content_filter",
        }
    }
}

/// Tokens used by one call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// Tokens of the request.
    pub prompt_tokens: u64,
    /// Tokens of the reply.
    pub completion_tokens: u64,
    /// Both together.
    pub total_tokens: u64,
}

impl Usage {
    /// So many tokens asked and replied.
    pub fn new(prompt_tokens: u64, completion_tokens: u64) -> Self {
        Self { prompt_tokens, completion_tokens, total_tokens: prompt_tokens.saturating_add(completion_tokens) }
    }

    /// Reads what an endpoint says; nothing, if it does not tell both numbers.
    pub(crate) fn read(value: &Value) -> Option<Self> {
        Some(Self::new(value.get("prompt_tokens")?.as_u64()?, value.get("completion_tokens")?.as_u64()?))
    }
}

/// Why there is no reply to rely on.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReplyError {
    /// The endpoint says that something went wrong.
    #[error("the endpoint reports an error: {0}")]
    Endpoint(ErrorBody),
    /// The reply ended too early, or within a tool call.
    #[error("the reply was cut off: {0}")]
    Cut(String),
    /// A tool call that cannot be carried out as it stands.
    #[error("the call of the tool {name:?} is malformed: {what}")]
    Call {
        /// The tool, as far as it was named.
        name: String,
        /// What is wrong with it.
        what: String,
    },
    /// A filter of the endpoint ended it within a tool call.
    #[error("a filter of the endpoint ended the reply within a tool call")]
    Filtered,
    /// The model declined to answer.
    #[error("the model refused: {0}")]
    Refused(String),
    /// More bytes than were allowed.
    #[error("the reply is longer than the {0} bytes allowed")]
    TooLong(usize),
    /// It is not what an endpoint of this form sends.
    #[error("the reply cannot be read: {0}")]
    Form(String),
}

impl ReplyError {
    /// The kind in one word, for traces and logs.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Endpoint(_) => "endpoint",
            Self::Cut(_) => "cut",
            Self::Call { .. } => "call",
            Self::Filtered => "filtered",
            Self::Refused(_) => "refused",
            Self::TooLong(_) => "too_long",
            Self::Form(_) => "form",
        }
    }
}

impl Reply {
    /// A reply of words.
    pub fn text(text: impl Into<String>) -> Self {
        Self { text: text.into(), ..Self::default() }
    }

    /// Reads the body of a reply that was not streamed.
    pub fn read(body: &[u8]) -> Result<Self, ReplyError> {
        let value: Value = serde_json::from_slice(body).map_err(|error| {
            if error.is_eof() { ReplyError::Cut(error.to_string()) } else { ReplyError::Form(error.to_string()) }
        })?;
        Self::try_from(value)
    }
}

impl TryFrom<Value> for Reply {
    type Error = ReplyError;

    fn try_from(value: Value) -> Result<Self, ReplyError> {
        if let Some(error) = ErrorBody::within(&value) {
            return Err(ReplyError::Endpoint(error));
        }
        let choice = first_choice(&value)?.ok_or_else(|| ReplyError::Form("it has no choices".to_owned()))?;
        let message = choice.get("message").ok_or_else(|| ReplyError::Form("choices[0] has no message".to_owned()))?;
        let mut draft = Draft::default();
        draft.about(&value);
        draft.text = words(message.get("content"))?;
        draft.refusal = words(message.get("refusal"))?;
        draft.parts = Part::list(message)?;
        draft.reason = reason(choice);
        draft.finish()
    }
}

impl From<Reply> for Value {
    fn from(reply: Reply) -> Self {
        let content = if reply.text.is_empty() && !reply.calls.is_empty() { Self::Null } else { reply.text.into() };
        let mut message = json!({"role": "assistant", "content": content});
        if !reply.calls.is_empty() {
            message["tool_calls"] = reply.calls.into_iter().map(call_form).collect();
        }
        let mut value = json!({
            "id": reply.id,
            "object": "chat.completion",
            "created": reply.created,
            "model": reply.model,
            "choices": [{"index": 0, "message": message, "finish_reason": reply.finish.name()}],
        });
        if let Some(usage) = reply.usage {
            value["usage"] = usage_form(usage);
        }
        value
    }
}

/// A call as it stands in the JSON.
fn call_form(call: ToolCall) -> Value {
    json!({"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}})
}

/// Usage as it stands in the JSON.
pub(crate) fn usage_form(usage: Usage) -> Value {
    json!({
        "prompt_tokens": usage.prompt_tokens,
        "completion_tokens": usage.completion_tokens,
        "total_tokens": usage.total_tokens,
    })
}

/// The choice with index 0, or the first that has none; others were not asked for.
pub(crate) fn first_choice(value: &Value) -> Result<Option<&Value>, ReplyError> {
    match value.get("choices") {
        None | Some(Value::Null) => Ok(None),
        Some(Value::Array(list)) => {
            Ok(list.iter().find(|choice| choice.get("index").and_then(Value::as_u64).unwrap_or(0) == 0))
        }
        Some(_) => Err(ReplyError::Form("choices is not a list".to_owned())),
    }
}

/// Why a choice ended, if it says so; some servers write an empty text for not yet.
pub(crate) fn reason(choice: &Value) -> Option<String> {
    choice.get("finish_reason").and_then(Value::as_str).filter(|reason| !reason.is_empty()).map(str::to_owned)
}

/// The words of a content field: a text, nothing, or a list of parts of which those of type `text` count.
pub(crate) fn words(content: Option<&Value>) -> Result<String, ReplyError> {
    match content {
        None | Some(Value::Null) => Ok(String::new()),
        Some(Value::String(text)) => Ok(text.clone()),
        Some(Value::Array(parts)) => Ok(parts
            .iter()
            .filter(|part| part.get("type").and_then(Value::as_str) == Some("text"))
            .filter_map(|part| part.get("text").and_then(Value::as_str))
            .collect()),
        Some(_) => Err(ReplyError::Form("the content is neither a text nor a list of parts".to_owned())),
    }
}

/// A piece of a tool call, or in a reply that was not streamed all of it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Part {
    pub index: Option<u64>,
    /// Empty where none was given; so is the name.
    pub id: String,
    pub name: String,
    pub arguments: String,
}

impl Part {
    /// The calls of a message or delta.
    pub fn list(message: &Value) -> Result<Vec<Self>, ReplyError> {
        match message.get("tool_calls") {
            None | Some(Value::Null) => Ok(Vec::new()),
            Some(Value::Array(list)) => list.iter().map(Self::read).collect(),
            Some(_) => Err(ReplyError::Form("tool_calls is not a list".to_owned())),
        }
    }

    fn read(value: &Value) -> Result<Self, ReplyError> {
        let text = |value: Option<&Value>, field: &str| match value {
            None | Some(Value::Null) => Ok(String::new()),
            Some(Value::String(text)) => Ok(text.clone()),
            Some(_) => Err(ReplyError::Form(format!("{field} of a tool call is not a text"))),
        };
        let function = value.get("function");
        let name = text(function.and_then(|function| function.get("name")), "the name")?;
        let arguments = match function.and_then(|function| function.get("arguments")) {
            // Some local servers send the object itself.
            Some(object @ Value::Object(_)) => object.to_string(),
            other => text(other, "the arguments")?,
        };
        Ok(Self {
            index: value.get("index").and_then(Value::as_u64),
            id: text(value.get("id"), "the id")?,
            name,
            arguments,
        })
    }

    /// Whether the arguments are one whole JSON object.
    pub fn whole(&self) -> bool {
        serde_json::from_str::<Map<String, Value>>(&self.arguments).is_ok()
    }

    /// The call, if it is one. No arguments at all are an empty object.
    fn call(mut self) -> Result<ToolCall, ReplyError> {
        if self.name.is_empty() {
            return Err(ReplyError::Call { name: self.name, what: "it names no tool".to_owned() });
        }
        if self.arguments.trim().is_empty() {
            "{}".clone_into(&mut self.arguments);
        }
        match serde_json::from_str::<Map<String, Value>>(&self.arguments) {
            Ok(_) => Ok(ToolCall { id: self.id, name: self.name, arguments: self.arguments }),
            Err(error) => {
                let what = format!("its arguments are not a JSON object: {error}");
                Err(ReplyError::Call { name: self.name, what })
            }
        }
    }
}

/// All that was gathered of a reply, not yet checked.
#[derive(Clone, Debug, Default)]
pub(crate) struct Draft {
    pub id: String,
    pub created: u64,
    pub model: String,
    pub text: String,
    pub refusal: String,
    pub parts: Vec<Part>,
    pub reason: Option<String>,
    pub usage: Option<Usage>,
}

impl Draft {
    /// Notes what a reply or chunk says about itself; the first id, time and model count, and the last usage.
    pub fn about(&mut self, value: &Value) {
        for (mine, field) in [(&mut self.id, "id"), (&mut self.model, "model")] {
            if mine.is_empty() {
                value.get(field).and_then(Value::as_str).unwrap_or_default().clone_into(mine);
            }
        }
        if self.created == 0 {
            self.created = value.get("created").and_then(Value::as_u64).unwrap_or_default();
        }
        if let Some(usage) = value.get("usage").and_then(Usage::read) {
            self.usage = Some(usage);
        }
    }

    /// The reply, if it is one. A missing reason is taken from what is there: the caller knows that the end was seen.
    pub fn finish(self) -> Result<Reply, ReplyError> {
        let some = !self.parts.is_empty();
        let finish = match self.reason.as_deref() {
            None => Finish::Stop,
            Some("stop" | "eos" | "eos_token" | "stop_sequence" | "end_turn") => Finish::Stop,
            Some("length" | "max_tokens" | "model_length") => Finish::Length,
            Some("tool_calls" | "tool_use") if some => Finish::ToolCalls,
            Some("tool_calls" | "tool_use") => {
                return Err(ReplyError::Form("it ended with a tool call, but has none".to_owned()));
            }
            Some("content_filter") => Finish::ContentFilter,
            Some(other) => return Err(ReplyError::Form(format!("it ended for an unknown reason, {other:?}"))),
        };
        if some && finish == Finish::Length {
            return Err(ReplyError::Cut("the limit of tokens was reached within or after a tool call".to_owned()));
        }
        if some && finish == Finish::ContentFilter {
            return Err(ReplyError::Filtered);
        }
        if self.text.is_empty() && !some && !self.refusal.is_empty() {
            return Err(ReplyError::Refused(self.refusal));
        }
        let mut calls: Vec<ToolCall> = Vec::new();
        for part in self.parts {
            let mut call = part.call()?;
            // Results refer to calls by their ids, so each call has one of its own.
            let mut number = calls.len();
            while call.id.is_empty() || calls.iter().any(|other| other.id == call.id) {
                call.id = format!("call_{number}");
                number += 1;
            }
            calls.push(call);
        }
        let finish = if calls.is_empty() { finish } else { Finish::ToolCalls };
        let Self { id, created, model, text, usage, .. } = self;
        Ok(Reply { id, created, model, text, calls, finish, usage })
    }
}
