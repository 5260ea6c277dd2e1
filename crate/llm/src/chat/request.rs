//! What is asked of a model.

use super::Message;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use std::collections::BTreeSet;

/// A chat request. Serialised it is the body of `POST /v1/chat/completions`; what is `None` or empty is left out.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChatRequest {
    /// The model's name at the endpoint.
    pub model: String,
    /// The conversation so far, oldest first.
    pub messages: Vec<Message>,
    /// The tools that may be called.
    #[serde(default, skip_serializing_if = "Vec::is_empty", deserialize_with = "or_default")]
    pub tools: Vec<ToolSpec>,
    /// Whether a tool may, must or must not be called.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool_choice: Option<ToolChoice>,
    /// Whether several tools may be called at once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parallel_tool_calls: Option<bool>,
    /// The form the text must have.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub response_format: Option<ResponseFormat>,
    /// How freely words are drawn, 0 to 2.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub temperature: Option<f64>,
    /// Words are drawn from the likeliest that together have this probability, 0 to 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub top_p: Option<f64>,
    /// The most tokens the reply may have.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_tokens: Option<u32>,
    /// The newer name of `max_tokens`; only one of the two may be given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_completion_tokens: Option<u32>,
    /// Asks for the same words each time, where the model can.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<i64>,
    /// Texts at which the reply ends.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stop: Option<Stop>,
    /// How many replies: only 1 is served.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub n: Option<u32>,
    /// Whether the reply comes in pieces, as server-sent events.
    #[serde(default, skip_serializing_if = "std::ops::Not::not", deserialize_with = "or_default")]
    pub stream: bool,
    /// What else a stream carries; only with `stream`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stream_options: Option<StreamOptions>,
}

/// Null is as good as left out: client libraries send it.
fn or_default<'de, T: Default + Deserialize<'de>, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    Ok(Option::deserialize(deserializer)?.unwrap_or_default())
}

/// A request that is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{field}: {what}")]
pub struct RequestError {
    /// Where in the request, for instance `messages[2]` or `tools[0].function.name`.
    pub field: String,
    /// What is wrong, and what would be right.
    pub what: String,
}

impl RequestError {
    fn new(field: impl Into<String>, what: impl Into<String>) -> Self {
        Self { field: field.into(), what: what.into() }
    }
}

impl ChatRequest {
    /// The simplest request: a model and a conversation.
    pub fn new(model: impl Into<String>, messages: Vec<Message>) -> Self {
        Self { model: model.into(), messages, ..Self::default() }
    }

    /// Reads and checks a request's body.
    pub fn read(body: &[u8]) -> Result<Self, RequestError> {
        let mut json = serde_json::Deserializer::from_slice(body);
        let request: Self = serde_path_to_error::deserialize(&mut json).map_err(|error| {
            let field = error.path().to_string();
            RequestError::new(if field == "." { "body" } else { field.as_str() }, error.inner().to_string())
        })?;
        json.end().map_err(|error| RequestError::new("body", error.to_string()))?;
        request.check()?;
        Ok(request)
    }

    /// The most tokens the reply may have, under whichever name it was given.
    pub fn reply_tokens(&self) -> Option<u32> {
        self.max_completion_tokens.or(self.max_tokens)
    }

    /// Checks what the types cannot say: ranges, names, and that the parts fit together.
    pub fn check(&self) -> Result<(), RequestError> {
        let wrong = |field: &str, what: &str| Err(RequestError::new(field, what));
        if self.model.is_empty() {
            return wrong("model", "is empty; name a model");
        }
        if self.messages.is_empty() {
            return wrong("messages", "is empty; at least one message is needed");
        }
        if self.n.is_some_and(|n| n != 1) {
            return wrong("n", "only one reply is served: leave it out or 1");
        }
        if self.temperature.is_some_and(|value| !(0.0..=2.0).contains(&value)) {
            return wrong("temperature", "must be a number from 0 to 2");
        }
        if self.top_p.is_some_and(|value| !(0.0..=1.0).contains(&value)) {
            return wrong("top_p", "must be a number from 0 to 1");
        }
        if self.max_tokens.is_some() && self.max_completion_tokens.is_some() {
            return wrong("max_tokens", "give max_tokens or max_completion_tokens, not both");
        }
        if self.reply_tokens() == Some(0) {
            return wrong("max_tokens", "must be at least 1");
        }
        if self.stream_options.is_some() && !self.stream {
            return wrong("stream_options", "is only for a request with \"stream\": true");
        }
        if let Some(Stop::Many(texts)) = &self.stop
            && texts.len() > 4
        {
            return wrong("stop", "at most 4 texts");
        }
        if let Some(ResponseFormat::JsonSchema { name, .. }) = &self.response_format
            && !plain_name(name)
        {
            return Err(RequestError::new("response_format.json_schema.name", NAME_RULE));
        }
        self.check_tools()?;
        self.check_calls()
    }

    fn check_tools(&self) -> Result<(), RequestError> {
        let mut names = BTreeSet::new();
        for (index, tool) in self.tools.iter().enumerate() {
            if !plain_name(&tool.name) {
                return Err(RequestError::new(format!("tools[{index}].function.name"), NAME_RULE));
            }
            if !names.insert(tool.name.as_str()) {
                let what = format!("the name {:?} is given twice", tool.name);
                return Err(RequestError::new(format!("tools[{index}].function.name"), what));
            }
        }
        match &self.tool_choice {
            Some(ToolChoice::Tool(name)) if !names.contains(name.as_str()) => {
                Err(RequestError::new("tool_choice", format!("{name:?} is not among the tools")))
            }
            Some(ToolChoice::Required) if names.is_empty() => {
                Err(RequestError::new("tool_choice", "a tool is required, but tools is empty"))
            }
            _ => Ok(()),
        }
    }

    /// Every tool message must answer a call made before it.
    fn check_calls(&self) -> Result<(), RequestError> {
        let mut called = BTreeSet::new();
        for (index, message) in self.messages.iter().enumerate() {
            match message {
                Message::Assistant { calls, .. } => called.extend(calls.iter().map(|call| call.id.as_str())),
                Message::Tool { call, .. } if !called.contains(call.as_str()) => {
                    let what = format!("answers the call {call:?}, which no assistant message before it made");
                    return Err(RequestError::new(format!("messages[{index}].tool_call_id"), what));
                }
                _ => {}
            }
        }
        Ok(())
    }
}

const NAME_RULE: &str = "must be 1 to 64 letters, digits, dashes or underscores";

fn plain_name(name: &str) -> bool {
    (1..=64).contains(&name.len()) && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-')
}

/// A tool the model may call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(into = "ToolForm", from = "ToolForm")]
pub struct ToolSpec {
    /// 1 to 64 letters, digits, dashes or underscores.
    pub name: String,
    /// What it is for, in words for the model.
    pub description: Option<String>,
    /// The JSON Schema of its arguments, an object.
    pub parameters: Option<Value>,
    /// Whether the model must keep to the schema exactly.
    pub strict: Option<bool>,
}

/// A tool as it stands in the JSON.
#[derive(Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase", deny_unknown_fields)]
enum ToolForm {
    Function { function: FunctionForm },
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct FunctionForm {
    name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    description: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    parameters: Option<Value>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    strict: Option<bool>,
}

impl From<ToolSpec> for ToolForm {
    fn from(tool: ToolSpec) -> Self {
        let ToolSpec { name, description, parameters, strict } = tool;
        Self::Function { function: FunctionForm { name, description, parameters, strict } }
    }
}

impl From<ToolForm> for ToolSpec {
    fn from(form: ToolForm) -> Self {
        let ToolForm::Function { function: FunctionForm { name, description, parameters, strict } } = form;
        Self { name, description, parameters, strict }
    }
}

/// Whether tools are called.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "ChoiceForm", from = "ChoiceForm")]
pub enum ToolChoice {
    /// As the model likes.
    Auto,
    /// Not now.
    None,
    /// At least one.
    Required,
    /// This one.
    Tool(String),
}

#[derive(Serialize, Deserialize)]
#[serde(
    untagged,
    expecting = "must be \"auto\", \"none\", \"required\" or {\"type\":\"function\",\"function\":{\"name\":..}}"
)]
enum ChoiceForm {
    Word(ChoiceWord),
    Named(NamedForm),
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum ChoiceWord {
    Auto,
    None,
    Required,
}

#[derive(Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase", deny_unknown_fields)]
enum NamedForm {
    Function { function: NameForm },
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct NameForm {
    name: String,
}

impl From<ToolChoice> for ChoiceForm {
    fn from(choice: ToolChoice) -> Self {
        match choice {
            ToolChoice::Auto => Self::Word(ChoiceWord::Auto),
            ToolChoice::None => Self::Word(ChoiceWord::None),
            ToolChoice::Required => Self::Word(ChoiceWord::Required),
            ToolChoice::Tool(name) => Self::Named(NamedForm::Function { function: NameForm { name } }),
        }
    }
}

impl From<ChoiceForm> for ToolChoice {
    fn from(form: ChoiceForm) -> Self {
        match form {
            ChoiceForm::Word(ChoiceWord::Auto) => Self::Auto,
            ChoiceForm::Word(ChoiceWord::None) => Self::None,
            ChoiceForm::Word(ChoiceWord::Required) => Self::Required,
            ChoiceForm::Named(NamedForm::Function { function }) => Self::Tool(function.name),
        }
    }
}

/// The form the reply's text must have.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(into = "FormatForm", from = "FormatForm")]
pub enum ResponseFormat {
    /// Any text.
    Text,
    /// Some JSON object.
    JsonObject,
    /// JSON under this schema.
    JsonSchema {
        /// Names the schema: 1 to 64 letters, digits, dashes or underscores.
        name: String,
        /// What it is for, in words for the model.
        description: Option<String>,
        /// The JSON Schema.
        schema: Option<Value>,
        /// Whether the model must keep to it exactly.
        strict: Option<bool>,
    },
}

#[derive(Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
enum FormatForm {
    Text {},
    JsonObject {},
    JsonSchema { json_schema: SchemaForm },
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SchemaForm {
    name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    description: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    schema: Option<Value>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    strict: Option<bool>,
}

impl From<ResponseFormat> for FormatForm {
    fn from(format: ResponseFormat) -> Self {
        match format {
            ResponseFormat::Text => Self::Text {},
            ResponseFormat::JsonObject => Self::JsonObject {},
            ResponseFormat::JsonSchema { name, description, schema, strict } => {
                Self::JsonSchema { json_schema: SchemaForm { name, description, schema, strict } }
            }
        }
    }
}

impl From<FormatForm> for ResponseFormat {
    fn from(form: FormatForm) -> Self {
        match form {
            FormatForm::Text {} => Self::Text,
            FormatForm::JsonObject {} => Self::JsonObject,
            FormatForm::JsonSchema { json_schema: SchemaForm { name, description, schema, strict } } => {
                Self::JsonSchema { name, description, schema, strict }
            }
        }
    }
}

/// Texts at which the reply ends.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged, expecting = "must be a text or a list of texts")]
pub enum Stop {
    /// One text.
    One(String),
    /// Up to four.
    Many(Vec<String>),
}

/// What else a stream carries.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StreamOptions {
    /// Whether the last chunk tells the tokens used.
    #[serde(default)]
    pub include_usage: bool,
    /// Whether chunks are padded against eavesdropping on their lengths; read and passed on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub include_obfuscation: Option<bool>,
}
