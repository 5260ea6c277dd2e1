//! The log of model calls: JSON Lines, one line a call.

use crate::config::Log as Settings;
use serde::Serialize;
use std::fs::{File, OpenOptions};
use std::io::{self, Write as _};
use tandem_llm::chat::{ChatRequest, Reply};

/// One call, in figures. There is no key in it, and no word of prompt or reply unless the configuration asks for them.
#[derive(Serialize)]
pub struct Entry<'a> {
    /// When it ended, RFC 3339 in UTC.
    pub time: String,
    /// The study.
    pub study: &'a str,
    /// The participant.
    pub participant: &'a str,
    /// The condition.
    pub condition: &'a str,
    /// The model, by the name configured.
    pub model: &'a str,
    /// Whether the reply was streamed.
    pub stream: bool,
    /// How often upstream was tried.
    pub attempts: u32,
    /// Tokens asked, if upstream said so.
    pub prompt_tokens: Option<u64>,
    /// Tokens replied, if upstream said so.
    pub completion_tokens: Option<u64>,
    /// Tokens that the budgets count for it.
    pub counted_tokens: u64,
    /// From the beginning to the first byte of the reply.
    pub first_byte_millis: Option<u64>,
    /// From the beginning to the end.
    pub millis: u64,
    /// `ok`, or the code of what went wrong.
    pub outcome: &'a str,
    /// What was asked, if it is kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request: Option<&'a ChatRequest>,
    /// What was replied, if it is kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reply: Option<&'a Reply>,
}

/// Where the lines go.
pub struct Log {
    file: Option<File>,
    content: bool,
}

impl Log {
    /// Opens the file, if there is to be one.
    pub fn open(settings: &Settings) -> io::Result<Self> {
        let open = |path| OpenOptions::new().create(true).append(true).open(path);
        Ok(Self { file: settings.file.as_ref().map(open).transpose()?, content: settings.content })
    }

    /// Writes a line in one piece.
    pub fn write(&self, mut entry: Entry<'_>) {
        let Some(mut file) = self.file.as_ref() else { return };
        if !self.content {
            entry.request = None;
            entry.reply = None;
        }
        // Texts and numbers: making the line cannot fail.
        let mut line = serde_json::to_vec(&entry).unwrap_or_default();
        line.push(b'\n');
        if let Err(cause) = file.write_all(&line) {
            tracing::warn!(%cause, "the log of calls cannot be written");
        }
    }
}
