//! A provider that needs no model: rules say what is replied to what.
//!
//! It is for demos without a network and for tests. It keeps no state: the same request always gets the same answer.
//! A rule with several answers gives them in turn, by how often the assistant has spoken in the conversation it is
//! sent, so a conversation goes on although nothing is remembered.

use crate::chat::{ChatRequest, ErrorBody, Finish, Message, Refusal, Reply, ResponseFormat, ToolCall, Usage};
use crate::request_hash;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Rules, tried in order; the first that fits answers.
///
/// ```
/// use tandem_llm::{Script, chat::{ChatRequest, Message}};
/// let script = Script::read(r#"{
///     "rules": [{"when": {"any": ["left", "west"]}, "then": [{"say": "Left"}]}],
///     "otherwise": {"say": "none"}
/// }"#)?;
/// let ask = |text: &str| ChatRequest::new("m", vec![Message::User(text.into())]);
/// assert_eq!(script.reply(&ask("Go LEFT, please"))?.text, "Left");
/// assert_eq!(script.reply(&ask("It is leftover."))?.text, "none");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Script {
    /// The rules.
    pub rules: Vec<Rule>,
    /// The answer where no rule fits.
    pub otherwise: Then,
}

/// When it fits, it answers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rule {
    /// What must hold of the request.
    #[serde(default)]
    pub when: When,
    /// The answers, given in turn; at least one.
    pub then: Vec<Then>,
}

/// What must hold of a request; what is left out holds always. Words and phrases are found whole, whatever the case
/// of their letters.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct When {
    /// The model asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The role of the last message: `system`, `user`, `assistant` or `tool`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub role: Option<String>,
    /// The last message has at least one of these.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub any: Vec<String>,
    /// The last message has all of these.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub all: Vec<String>,
    /// The last message has none of these.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub none: Vec<String>,
    /// A system message has all of these.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub system: Vec<String>,
    /// A tool of this name is offered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// JSON under a schema of this name is asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub schema: Option<String>,
}

/// An answer: words, calls, or both; or a refusal.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Then {
    /// The words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub say: Option<String>,
    /// The tools called.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub call: Vec<ScriptedCall>,
    /// An error instead of a reply.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refuse: Option<ScriptedRefusal>,
}

/// A call in a script.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScriptedCall {
    /// The tool.
    pub name: String,
    /// Its arguments, an object; none if left out.
    #[serde(default)]
    pub arguments: serde_json::Map<String, Value>,
}

/// A refusal in a script.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScriptedRefusal {
    /// The HTTP status, 400 to 599.
    pub status: u16,
    /// The error's words.
    pub message: String,
}

/// A script that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{field}: {what}")]
pub struct ScriptError {
    /// Where, for instance `rules[2].then[0].say`.
    pub field: String,
    /// What is wrong, and what would be right.
    pub what: String,
}

impl Script {
    /// Reads a script from JSON and checks it.
    pub fn read(json: &str) -> Result<Self, ScriptError> {
        let mut reader = serde_json::Deserializer::from_str(json);
        let wrong = |field: String, error: &serde_json::Error| ScriptError { field, what: error.to_string() };
        let script: Self = serde_path_to_error::deserialize(&mut reader)
            .map_err(|error| wrong(error.path().to_string(), error.inner()))?;
        reader.end().map_err(|error| wrong(".".to_owned(), &error))?;
        script.check()?;
        Ok(script)
    }

    /// Checks what the types cannot say. A script read by other means than [`Script::read`] wants to be checked.
    pub fn check(&self) -> Result<(), ScriptError> {
        check_answer(&self.otherwise, "otherwise")?;
        for (index, rule) in self.rules.iter().enumerate() {
            if rule.then.is_empty() {
                let what = "needs at least one answer".to_owned();
                return Err(ScriptError { field: format!("rules[{index}].then"), what });
            }
            let role = rule.when.role.as_deref();
            if !matches!(role, None | Some("system" | "user" | "assistant" | "tool")) {
                let what = "must be system, user, assistant or tool".to_owned();
                return Err(ScriptError { field: format!("rules[{index}].when.role"), what });
            }
            for (number, then) in rule.then.iter().enumerate() {
                check_answer(then, &format!("rules[{index}].then[{number}]"))?;
            }
        }
        Ok(())
    }

    /// The answer to a request. Tokens are counted as one for every four characters begun, and the limit of tokens
    /// holds: longer words are cut, with the reason `length`, and calls beyond it are left out.
    pub fn reply(&self, request: &ChatRequest) -> Result<Reply, Refusal> {
        let spoken = request.messages.iter().filter(|message| message.role() == "assistant").count();
        let rule = self.rules.iter().find(|rule| rule.when.holds(request));
        let then = rule.and_then(|rule| rule.then.get(spoken % rule.then.len().max(1))).unwrap_or(&self.otherwise);
        if let Some(ScriptedRefusal { status, message }) = &then.refuse {
            return Err(Refusal { status: *status, error: ErrorBody::new(message, "scripted_error", "scripted") });
        }
        let hash = request_hash(request);
        let mut text = then.say.clone().unwrap_or_default();
        let call = |(index, call): (usize, &ScriptedCall)| ToolCall {
            id: format!("call_{spoken}_{index}"),
            name: call.name.clone(),
            arguments: Value::from(call.arguments.clone()).to_string(),
        };
        let mut calls: Vec<_> = then.call.iter().enumerate().map(call).collect();
        let mut finish = if calls.is_empty() { Finish::Stop } else { Finish::ToolCalls };
        let mut used =
            tokens(&text) + calls.iter().map(|call| tokens(&call.name) + tokens(&call.arguments)).sum::<u64>();
        if let Some(limit) = request.reply_tokens().map(u64::from)
            && used > limit
        {
            text = text.chars().take(usize::try_from(limit).unwrap_or(usize::MAX).saturating_mul(4)).collect();
            calls.clear();
            finish = Finish::Length;
            used = tokens(&text);
        }
        let asked = request.messages.iter().map(|message| tokens(message.text())).sum();
        Ok(Reply {
            id: format!("scripted-{}", &hash[..16]),
            created: 0,
            model: request.model.clone(),
            text,
            calls,
            finish,
            usage: Some(Usage::new(asked, used)),
        })
    }
}

fn check_answer(then: &Then, field: &str) -> Result<(), ScriptError> {
    let wrong = |what: &str| Err(ScriptError { field: field.to_owned(), what: what.to_owned() });
    match &then.refuse {
        None if then.say.is_none() && then.call.is_empty() => wrong("needs say, call or refuse"),
        Some(_) if then.say.is_some() || !then.call.is_empty() => wrong("refuse stands alone"),
        Some(refusal) if !(400..=599).contains(&refusal.status) => wrong("the status of refuse must be 400 to 599"),
        _ => Ok(()),
    }
}

fn tokens(text: &str) -> u64 {
    (text.chars().count() as u64).div_ceil(4)
}

impl When {
    /// Whether all of it holds of a request.
    pub fn holds(&self, request: &ChatRequest) -> bool {
        let last = request.messages.last();
        let said = last.map(|message| message.text().to_lowercase()).unwrap_or_default();
        let has = |phrase: &String| mentions(&said, &phrase.to_lowercase());
        let system = |phrase: &String| {
            let phrase = phrase.to_lowercase();
            let is =
                |message: &Message| message.role() == "system" && mentions(&message.text().to_lowercase(), &phrase);
            request.messages.iter().any(is)
        };
        let format = match &request.response_format {
            Some(ResponseFormat::JsonSchema { name, .. }) => Some(name),
            _ => None,
        };
        self.model.as_ref().is_none_or(|model| *model == request.model)
            && self.role.as_deref().is_none_or(|role| last.is_some_and(|message| message.role() == role))
            && (self.any.is_empty() || self.any.iter().any(has))
            && self.all.iter().all(has)
            && !self.none.iter().any(has)
            && self.system.iter().all(system)
            && self.tool.as_ref().is_none_or(|name| request.tools.iter().any(|tool| tool.name == *name))
            && self.schema.as_ref().is_none_or(|name| format == Some(name))
    }
}

/// Whether a text has a phrase with no letter or digit right before or after it. Both are in lower case.
fn mentions(text: &str, phrase: &str) -> bool {
    text.match_indices(phrase).any(|(start, _)| {
        let before = text[..start].chars().next_back();
        let after = text[start + phrase.len()..].chars().next();
        !before.is_some_and(char::is_alphanumeric) && !after.is_some_and(char::is_alphanumeric)
    })
}
