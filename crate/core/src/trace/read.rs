//! Reading a trace: every line is checked before it is believed.

use super::line::{Entry, Header, Line};
use super::write::chain;
use super::{End, FORMAT};
use crate::{Digest, Millis};
use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::{Map, Value};

/// A file that is not a trace, or no longer the trace that was written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {reason}")]
pub struct TraceError {
    /// Where, counted from 1.
    pub line: usize,
    /// What is wrong there.
    pub reason: String,
}

impl TraceError {
    pub(crate) fn new(line: usize, reason: impl Into<String>) -> Self {
        Self { line, reason: reason.into() }
    }
}

/// A trace whose lines are whole, in order and unaltered. Whether they are legal play is for [`super::Replay`] to say.
#[derive(Clone, Debug)]
pub struct Trace {
    header: Header,
    lines: Vec<Line>,
    texts: Vec<String>,
    cut: bool,
}

/// A line longer than this is no line of ours.
const LONGEST_LINE: usize = 4 << 20;

impl Trace {
    /// Reads a trace. A last line that was cut off in the middle is dropped and [`Trace::cut`] says so.
    ///
    /// # Errors
    /// The first line that is wrong, and why: not JSON, edited, out of order, of another format.
    pub fn read(text: &str) -> Result<Self, TraceError> {
        let mut reader = Reader::default();
        let mut texts = Vec::new();
        let mut lines = Vec::new();
        let mut header = None;
        let mut cut = false;
        for (index, piece) in text.split_inclusive('\n').enumerate() {
            let number = index + 1;
            let whole = piece.ends_with('\n');
            let piece = piece.trim_end_matches(['\n', '\r']);
            match reader.line(piece) {
                Ok(line) => {
                    if let Entry::Header(first) = &line.entry {
                        header = Some(first.clone());
                    } else {
                        lines.push(line);
                    }
                    texts.push(piece.to_owned());
                }
                // No beginning of a JSON object is itself JSON: without its line end, this one broke off.
                Err(_) if !whole && header.is_some() && serde_json::from_str::<IgnoredAny>(piece).is_err() => {
                    cut = true
                }
                Err(reason) => return Err(TraceError::new(number, reason)),
            }
        }
        let header =
            header.ok_or_else(|| TraceError::new(1, "the file is empty: a trace begins with a header line"))?;
        Ok(Self { header, lines, texts, cut })
    }

    /// Reads a trace from a file's bytes, which may have been cut off inside a character.
    ///
    /// # Errors
    /// As [`Trace::read`]; also where the bytes are not UTF-8.
    pub fn read_bytes(bytes: &[u8]) -> Result<Self, TraceError> {
        let text = match std::str::from_utf8(bytes) {
            Ok(text) => text,
            Err(error) => {
                let good = &bytes[..error.valid_up_to()];
                if error.error_len().is_some() {
                    let line = 1 + good.iter().filter(|byte| **byte == b'\n').count();
                    return Err(TraceError::new(line, "is not UTF-8 text"));
                }
                std::str::from_utf8(good).unwrap_or_default()
            }
        };
        Self::read(text)
    }

    /// The header.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The lines after the header.
    pub fn lines(&self) -> &[Line] {
        &self.lines
    }

    /// The lines as they were written, the header's among them.
    pub fn texts(&self) -> &[String] {
        &self.texts
    }

    /// Whether a last, unfinished line was dropped.
    pub fn cut(&self) -> bool {
        self.cut
    }

    /// The last line, if the session came to an end.
    pub fn end(&self) -> Option<&End> {
        match self.lines.last() {
            Some(Line { entry: Entry::End(end), .. }) => Some(end),
            _ => None,
        }
    }

    /// Where in the file the line at `index` of [`Trace::lines`] stands, counted from 1.
    pub fn line_number(index: usize) -> usize {
        index + 2
    }
}

/// Checks lines one after another.
#[derive(Default)]
struct Reader {
    next: u64,
    last_hash: u64,
    last_at: Millis,
    ended: bool,
}

impl Reader {
    fn line(&mut self, text: &str) -> Result<Line, String> {
        if text.len() > LONGEST_LINE {
            return Err(format!("longer than {LONGEST_LINE} bytes: not a line of a trace"));
        }
        if self.ended {
            return Err("comes after the end of the session".into());
        }
        let (body, hash) = unhash(text).ok_or_else(|| self.no_hash(text))?;
        let mut fields: Map<String, Value> =
            serde_json::from_str(&body).map_err(|error| format!("not JSON: {error}"))?;
        let number = fields.remove("n").and_then(|n| n.as_u64()).ok_or("has no line number `n`")?;
        if number != self.next {
            return Err(format!("is numbered {number} where {} belongs: lines are missing or out of order", self.next));
        }
        if self.next == 0 {
            check_format(&fields)?;
        }
        let expected = chain(self.last_hash, &body);
        if Digest::hex(expected) != hash {
            return Err("was changed after it was written: its hash does not fit the line and those before it".into());
        }
        let line = if self.next == 0 {
            Line { at: Millis::ZERO, entry: Entry::Header(parse(fields)?) }
        } else {
            let at = fields.remove("at").and_then(|at| at.as_u64()).map(Millis).ok_or("has no time `at`")?;
            if at < self.last_at {
                return Err(format!("is at {} ms, before the line above it ({} ms)", at.0, self.last_at.0));
            }
            Line { at, entry: entry(fields)? }
        };
        self.next += 1;
        self.last_hash = expected;
        self.last_at = line.at;
        self.ended = matches!(line.entry, Entry::End(_));
        Ok(line)
    }

    fn no_hash(&self, text: &str) -> String {
        if text.trim().is_empty() {
            "is empty".into()
        } else if self.next == 0 {
            format!("is not the header of a {FORMAT} file")
        } else {
            "has no hash at its end: the line is not whole, or not a line of a trace".into()
        }
    }
}

fn check_format(fields: &Map<String, Value>) -> Result<(), String> {
    match fields.get("trace").and_then(Value::as_str) {
        Some(FORMAT) => Ok(()),
        Some(other) => Err(format!("is of format {other:?}; this version of Tandem reads {FORMAT}")),
        None => Err(format!("is not the header of a {FORMAT} file")),
    }
}

fn entry(fields: Map<String, Value>) -> Result<Entry, String> {
    if fields.contains_key("event") {
        parse(fields).map(Entry::Event)
    } else if fields.contains_key("derived") {
        parse(fields).map(Entry::Derived)
    } else if fields.contains_key("end") {
        parse(fields).map(Entry::End)
    } else {
        Err("is neither an event, nor derived, nor the end".into())
    }
}

fn parse<T: DeserializeOwned>(fields: Map<String, Value>) -> Result<T, String> {
    serde_json::from_value(Value::Object(fields)).map_err(|error| error.to_string())
}

/// Splits a line into the body its hash was taken over and the hash; `None` if it does not end in a hash.
pub(super) fn unhash(text: &str) -> Option<(String, &str)> {
    const FIELD: &str = ",\"hash\":\"";
    let rest = text.strip_suffix("\"}")?;
    let split = rest.len().checked_sub(16)?;
    let (front, hash) = (rest.get(..split)?, rest.get(split..)?);
    let body = front.strip_suffix(FIELD)?;
    hash.bytes().all(|byte| byte.is_ascii_hexdigit()).then(|| (format!("{body}}}"), hash))
}
