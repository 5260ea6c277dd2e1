//! Messages of a conversation and the tool calls in them.

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

/// One message of a conversation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "MessageForm", try_from = "MessageForm")]
pub enum Message {
    /// What the model is told about its task. The newer role name `developer` is read as this one.
    System(String),
    /// What a person, or the program in their place, says to the model.
    User(String),
    /// What the model said before.
    Assistant {
        /// Its words, if any.
        text: Option<String>,
        /// The tools it called.
        calls: Vec<ToolCall>,
    },
    /// What a tool gave back.
    Tool {
        /// The [`ToolCall::id`] it answers.
        call: String,
        /// The result, in words or JSON.
        text: String,
    },
}

impl Message {
    /// The role as it stands in the JSON.
    pub fn role(&self) -> &'static str {
        match self {
            Self::System(_) => "system",
            Self::User(_) => "user",
            Self::Assistant { .. } => "assistant",
            Self::Tool { .. } => "tool",
        }
    }

    /// The words of the message; empty for an assistant that only called tools.
    pub fn text(&self) -> &str {
        match self {
            Self::System(text) | Self::User(text) | Self::Tool { text, .. } => text,
            Self::Assistant { text, .. } => text.as_deref().unwrap_or_default(),
        }
    }
}

/// A tool call, whole: in a reply it has been checked that the arguments are one JSON object.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "CallForm", from = "CallForm")]
pub struct ToolCall {
    /// Names the call; the tool's result refers to it.
    pub id: String,
    /// The tool.
    pub name: String,
    /// The arguments, a JSON object as text.
    pub arguments: String,
}

/// A message as it stands in the JSON.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct MessageForm {
    role: String,
    #[serde(default)]
    content: Option<Content>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    tool_calls: Option<Vec<ToolCall>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    tool_call_id: Option<String>,
    // Client libraries send a reply back as they got it, with what it did not use set to nothing.
    #[serde(default, skip_serializing, rename = "refusal", deserialize_with = "nothing")]
    _refusal: (),
    #[serde(default, skip_serializing, rename = "annotations", deserialize_with = "nothing")]
    _annotations: (),
    #[serde(default, skip_serializing, rename = "audio", deserialize_with = "nothing")]
    _audio: (),
    #[serde(default, skip_serializing, rename = "function_call", deserialize_with = "nothing")]
    _function_call: (),
}

/// Null or an empty list, and nothing else.
fn nothing<'de, D: Deserializer<'de>>(deserializer: D) -> Result<(), D::Error> {
    match Value::deserialize(deserializer)? {
        Value::Null => Ok(()),
        Value::Array(list) if list.is_empty() => Ok(()),
        _ => Err(serde::de::Error::custom("is not supported here: leave it out or null")),
    }
}

#[derive(Serialize, Deserialize)]
#[serde(untagged, expecting = "the content must be a text or a list of {\"type\":\"text\",\"text\":..} parts")]
enum Content {
    Text(String),
    Parts(Vec<TextPart>),
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct TextPart {
    #[serde(rename = "type")]
    kind: TextOnly,
    text: String,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum TextOnly {
    Text,
}

impl Content {
    /// Several parts are joined by line ends.
    fn joined(self) -> String {
        match self {
            Self::Text(text) => text,
            Self::Parts(parts) => parts.into_iter().map(|part| part.text).collect::<Vec<_>>().join("\n"),
        }
    }
}

impl From<Message> for MessageForm {
    fn from(message: Message) -> Self {
        let mut form = Self {
            role: message.role().to_owned(),
            content: None,
            tool_calls: None,
            tool_call_id: None,
            _refusal: (),
            _annotations: (),
            _audio: (),
            _function_call: (),
        };
        match message {
            Message::System(text) | Message::User(text) => form.content = Some(Content::Text(text)),
            Message::Assistant { text, calls } => {
                form.content = text.map(Content::Text);
                form.tool_calls = (!calls.is_empty()).then_some(calls);
            }
            Message::Tool { call, text } => {
                form.content = Some(Content::Text(text));
                form.tool_call_id = Some(call);
            }
        }
        form
    }
}

impl TryFrom<MessageForm> for Message {
    type Error = String;

    fn try_from(form: MessageForm) -> Result<Self, String> {
        let role = form.role.as_str();
        if form.tool_calls.is_some() && role != "assistant" {
            return Err(format!("tool_calls is for assistant messages, not for {role}"));
        }
        if form.tool_call_id.is_some() && role != "tool" {
            return Err(format!("tool_call_id is for tool messages, not for {role}"));
        }
        let text = form.content.map(Content::joined);
        let needed = |text: Option<String>| text.ok_or_else(|| format!("content is missing in a {role} message"));
        match role {
            "system" | "developer" => Ok(Self::System(needed(text)?)),
            "user" => Ok(Self::User(needed(text)?)),
            "assistant" => {
                let calls = form.tool_calls.unwrap_or_default();
                if text.is_none() && calls.is_empty() {
                    return Err("an assistant message needs content or tool_calls".to_owned());
                }
                Ok(Self::Assistant { text, calls })
            }
            "tool" => {
                let call = form.tool_call_id.ok_or("tool_call_id is missing in a tool message")?;
                Ok(Self::Tool { call, text: needed(text)? })
            }
            _ => Err(format!("the role {role:?} is not one of system, developer, user, assistant, tool")),
        }
    }
}

/// A call as it stands in the JSON.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct CallForm {
    // Some servers send calls with their place in a stream, and clients send it back.
    #[serde(default, skip_serializing, rename = "index")]
    _index: Option<u32>,
    id: String,
    #[serde(rename = "type")]
    kind: FunctionOnly,
    function: CalledForm,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum FunctionOnly {
    Function,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct CalledForm {
    name: String,
    arguments: String,
}

impl From<ToolCall> for CallForm {
    fn from(call: ToolCall) -> Self {
        let function = CalledForm { name: call.name, arguments: call.arguments };
        Self { _index: None, id: call.id, kind: FunctionOnly::Function, function }
    }
}

impl From<CallForm> for ToolCall {
    fn from(form: CallForm) -> Self {
        Self { id: form.id, name: form.function.name, arguments: form.function.arguments }
    }
}
