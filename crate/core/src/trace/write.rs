//! Writing a trace, line by line.

use super::{Derived, End, Header, Recorded};
use crate::{Digest, Millis};
use serde::Serialize;
use sha2::{Digest as _, Sha256};

/// Turns what happens into the lines of a trace. It keeps only what the next line needs: its number and the last hash.
#[derive(Clone, Debug, Default)]
pub struct Writer {
    next: u64,
    last_hash: u64,
}

impl Writer {
    /// A writer before its first line.
    pub fn new() -> Self {
        Self::default()
    }

    /// The header's line.
    pub fn header(&mut self, header: &Header) -> String {
        self.line(None, header)
    }

    /// An event's line.
    pub fn event(&mut self, at: Millis, event: &Recorded) -> String {
        self.line(Some(at), event)
    }

    /// A derived line.
    pub fn derived(&mut self, at: Millis, derived: &Derived) -> String {
        self.line(Some(at), derived)
    }

    /// The last line.
    pub fn end(&mut self, at: Millis, end: &End) -> String {
        self.line(Some(at), end)
    }

    fn line(&mut self, at: Option<Millis>, entry: &impl Serialize) -> String {
        let fields = json(entry);
        let body = match at {
            Some(Millis(at)) => format!("{{\"n\":{},\"at\":{at},{}", self.next, &fields[1..]),
            None => format!("{{\"n\":{},{}", self.next, &fields[1..]),
        };
        self.next += 1;
        self.last_hash = chain(self.last_hash, &body);
        format!("{},\"hash\":\"{}\"}}", &body[..body.len() - 1], Digest::hex(self.last_hash))
    }
}

/// The hash of a line: the first eight bytes of `SHA-256(hash of the line before, 8 bytes big-endian ‖ the line
/// without its hash field)`. The line before the first has hash zero.
pub(super) fn chain(before: u64, body: &str) -> u64 {
    let hash = Sha256::new().chain_update(before.to_be_bytes()).chain_update(body).finalize();
    let mut first = [0; 8];
    first.copy_from_slice(&hash[..8]);
    u64::from_be_bytes(first)
}

/// The entry as a JSON object. The entries are structs and maps of plain data, which always have a JSON form.
fn json(entry: &impl Serialize) -> String {
    serde_json::to_string(entry).unwrap_or_else(|error| format!("{{\"unwritable\":{:?}}}", error.to_string()))
}

/// Chains the lines of a text anew, as if they had just been written: what was a hash at a line's end is replaced. For
/// tests and fuzzers that want to get past the chain; whoever uses it on data has altered the data.
pub fn rechain(text: &str) -> String {
    let mut last_hash = 0;
    let mut chained = String::new();
    for line in text.lines() {
        let body = match super::read::unhash(line) {
            Some((body, _)) => body,
            None => line.to_owned(),
        };
        last_hash = chain(last_hash, &body);
        let open = body.strip_suffix('}').unwrap_or(&body);
        chained += &format!("{open},\"hash\":\"{}\"}}\n", Digest::hex(last_hash));
    }
    chained
}
