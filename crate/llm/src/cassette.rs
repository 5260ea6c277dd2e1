//! Replies recorded once and played back by what was asked: for tests, demos and studies that others can repeat.
//!
//! A cassette is JSON Lines, one answer a line: `{"hash":..,"request":{..},"reply":{..}}`, or with `"refusal"` in place
//! of `"reply"`. The hash is [`request_hash`]; the request is there for people and may be left out, but if it is there
//! it must have that hash. Several answers to one request are played in the order of their lines.

use crate::chat::{ChatRequest, Refusal, Reply};
use crate::request_hash;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Recorded answers.
///
/// ```
/// use tandem_llm::{Cassette, Player, chat::{ChatRequest, Message, Reply}};
/// let request = ChatRequest::new("m", vec![Message::User("Where?".into())]);
/// let mut cassette = Cassette::default();
/// let line = cassette.record(&request, Ok(Reply::text("Left of you.")));
///
/// let cassette = Cassette::read(&line)?;
/// let mut player = Player::default();
/// assert_eq!(player.play(&cassette, &request)?, Ok(Reply::text("Left of you.")));
/// assert!(player.play(&cassette, &request).is_err(), "it was asked once when it was recorded");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cassette {
    lines: Vec<Taped>,
    by_hash: BTreeMap<String, Vec<usize>>,
}

/// One recorded answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Taped {
    /// The [`request_hash`] of what was asked.
    pub hash: String,
    /// What was asked, if it was kept.
    pub request: Option<ChatRequest>,
    /// What was answered.
    pub answer: Result<Reply, Refusal>,
}

/// A recorded answer as it stands in the file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    hash: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    request: Option<ChatRequest>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    reply: Option<Reply>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    refusal: Option<Refusal>,
}

/// A cassette that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line} of the cassette: {what}")]
pub struct CassetteError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub what: String,
}

/// Nothing is recorded for a request.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Miss {
    /// It was never asked.
    #[error("the cassette has no answer to the request {hash}")]
    Unknown {
        /// The request's hash.
        hash: String,
    },
    /// It was asked less often than now.
    #[error("the cassette has only {had} answers to the request {hash}, and all were played")]
    Exhausted {
        /// The request's hash.
        hash: String,
        /// How many answers there are.
        had: usize,
    },
}

impl Cassette {
    /// Reads JSON Lines; empty lines are passed over.
    pub fn read(text: &str) -> Result<Self, CassetteError> {
        let mut cassette = Self::default();
        for (index, line) in text.lines().enumerate() {
            if !line.trim().is_empty() {
                let taped = taped(line).map_err(|what| CassetteError { line: index + 1, what })?;
                cassette.add(taped);
            }
        }
        Ok(cassette)
    }

    /// All lines.
    pub fn write(&self) -> String {
        self.lines.iter().map(written).collect()
    }

    /// Records an answer; gives its line, line end included, to be appended to the file.
    pub fn record(&mut self, request: &ChatRequest, answer: Result<Reply, Refusal>) -> String {
        let taped = Taped { hash: request_hash(request), request: Some(request.clone()), answer };
        let line = written(&taped);
        self.add(taped);
        line
    }

    /// The recorded answers, in order.
    pub fn lines(&self) -> &[Taped] {
        &self.lines
    }

    fn add(&mut self, taped: Taped) {
        self.by_hash.entry(taped.hash.clone()).or_default().push(self.lines.len());
        self.lines.push(taped);
    }
}

fn taped(line: &str) -> Result<Taped, String> {
    let Line { hash, request, reply, refusal } = serde_json::from_str(line).map_err(|error| error.to_string())?;
    if let Some(request) = &request {
        let right = request_hash(request);
        if right != hash {
            return Err(format!("the hash of its request is {right}, not {hash}"));
        }
    }
    let answer = match (reply, refusal) {
        (Some(reply), None) => Ok(reply),
        (None, Some(refusal)) => Err(refusal),
        _ => return Err("it must have either a reply or a refusal".to_owned()),
    };
    Ok(Taped { hash, request, answer })
}

fn written(Taped { hash, request, answer }: &Taped) -> String {
    let (reply, refusal) = match answer {
        Ok(reply) => (Some(reply.clone()), None),
        Err(refusal) => (None, Some(refusal.clone())),
    };
    let line = Line { hash: hash.clone(), request: request.clone(), reply, refusal };
    // Texts, numbers and JSON values: writing them cannot fail.
    let mut text = serde_json::to_string(&line).unwrap_or_default();
    text.push('\n');
    text
}

/// Where one listener is in a cassette. Each session has its own, so that one does not use up another's answers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Player {
    played: BTreeMap<String, usize>,
}

impl Player {
    /// The next answer to this request.
    pub fn play(&mut self, cassette: &Cassette, request: &ChatRequest) -> Result<Result<Reply, Refusal>, Miss> {
        let hash = request_hash(request);
        let Some(answers) = cassette.by_hash.get(&hash) else { return Err(Miss::Unknown { hash }) };
        let played = self.played.get(&hash).copied().unwrap_or(0);
        let Some(&line) = answers.get(played) else {
            return Err(Miss::Exhausted { hash, had: answers.len() });
        };
        self.played.insert(hash, played + 1);
        Ok(cassette.lines[line].answer.clone())
    }
}
