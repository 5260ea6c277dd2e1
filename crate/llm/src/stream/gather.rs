//! From the pieces of a reply to the whole.
//!
//! The idea: text is passed on as it comes, since a person wants to see it; tool calls are held back until the end was
//! seen and each is one JSON object, since half a call must never be carried out. Whatever goes wrong on the way ends
//! the reply with one failure.
//!
//! To which call a piece belongs is not always said as it should be: the index may be missing, or the same for all
//! calls; ids may be missing, or new in every piece. See [`Gather::place`].

use super::sse::{Decoder, Frame, SseError};
use crate::chat::{Draft, ErrorBody, Part, Reply, ReplyError, ToolCall, Usage, first_choice, reason, words};
use serde_json::Value;

/// What happens while a reply comes in. After `Finished` or `Failed` nothing more happens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StreamEvent {
    /// The next words; together they are the reply's text.
    Text(String),
    /// A whole tool call. Comes only when the whole reply is known to be good.
    Call(ToolCall),
    /// The tokens used.
    Usage(Usage),
    /// The reply is whole.
    Finished(Reply),
    /// There is no reply; words that came before are not to be relied on.
    Failed(ReplyError),
}

/// Takes the bytes of a reply, in any pieces, and gives events. The reply may be a stream or, where a server does not
/// stream, one JSON object.
#[derive(Clone, Debug)]
pub struct Gather {
    limit: usize,
    received: usize,
    body: Body,
    draft: Draft,
    last: Option<usize>,
    chunks: usize,
    done: bool,
}

#[derive(Clone, Debug)]
enum Body {
    /// Nothing but white space so far.
    Unknown(Decoder),
    Events(Decoder),
    Json(Vec<u8>),
}

impl Gather {
    /// A machine for one reply of at most so many bytes.
    pub fn new(limit: usize) -> Self {
        Self {
            limit,
            received: 0,
            body: Body::Unknown(Decoder::new(limit)),
            draft: Draft::default(),
            last: None,
            chunks: 0,
            done: false,
        }
    }

    /// Whether the last event was given.
    pub fn done(&self) -> bool {
        self.done
    }

    /// Whether the end of the reply was seen, though the stream goes on. If nothing more comes, [`Gather::end`] gives
    /// the whole reply.
    pub fn end_seen(&self) -> bool {
        self.draft.reason.is_some()
    }

    /// The tokens used, as far as known; also of a reply that failed.
    pub fn usage(&self) -> Option<Usage> {
        self.draft.usage
    }

    /// Takes the next bytes.
    pub fn feed(&mut self, bytes: &[u8]) -> Vec<StreamEvent> {
        let mut events = Vec::new();
        for &byte in bytes {
            if self.done {
                break;
            }
            if let Err(error) = self.push(byte, &mut events) {
                self.fail(error, &mut events);
            }
        }
        events
    }

    /// No more bytes will come.
    pub fn end(&mut self) -> Vec<StreamEvent> {
        let mut events = Vec::new();
        if !self.done
            && let Err(error) = self.close(&mut events)
        {
            self.fail(error, &mut events);
        }
        events
    }

    fn fail(&mut self, error: ReplyError, events: &mut Vec<StreamEvent>) {
        self.done = true;
        events.push(StreamEvent::Failed(error));
    }

    fn push(&mut self, byte: u8, events: &mut Vec<StreamEvent>) -> Result<(), ReplyError> {
        if self.received == self.limit {
            return Err(ReplyError::TooLong(self.limit));
        }
        self.received += 1;
        if let Body::Unknown(decoder) = &mut self.body {
            // White space and a byte order mark say nothing; a brace begins no line of a stream.
            match byte {
                b' ' | b'\t' | b'\r' | b'\n' | 0xef | 0xbb | 0xbf => {}
                b'{' => self.body = Body::Json(Vec::new()),
                _ => self.body = Body::Events(decoder.clone()),
            }
        }
        match &mut self.body {
            Body::Unknown(decoder) | Body::Events(decoder) => match decoder.push(byte) {
                Ok(None) => Ok(()),
                Ok(Some(frame)) => self.take(frame, events),
                Err(error) => Err(unreadable(error)),
            },
            Body::Json(text) => {
                text.push(byte);
                Ok(())
            }
        }
    }

    fn close(&mut self, events: &mut Vec<StreamEvent>) -> Result<(), ReplyError> {
        match &mut self.body {
            Body::Json(text) => {
                let reply = Reply::read(text)?;
                if !reply.text.is_empty() {
                    events.push(StreamEvent::Text(reply.text.clone()));
                }
                self.finished(reply, events);
                Ok(())
            }
            Body::Unknown(decoder) | Body::Events(decoder) => {
                if let Some(frame) = decoder.end().map_err(unreadable)? {
                    self.take(frame, events).map_err(|error| match error {
                        ReplyError::Form(what) => ReplyError::Cut(what),
                        other => other,
                    })?;
                }
                if self.done {
                    return Ok(());
                }
                if self.received == 0 {
                    return Err(ReplyError::Cut("nothing came".to_owned()));
                }
                if self.chunks == 0 {
                    return Err(ReplyError::Form("it is neither a stream of chunks nor JSON".to_owned()));
                }
                if !self.end_seen() {
                    return Err(ReplyError::Cut("the stream ended before the reply did".to_owned()));
                }
                self.whole(events)
            }
        }
    }

    /// Takes one frame of the stream.
    fn take(&mut self, frame: Frame, events: &mut Vec<StreamEvent>) -> Result<(), ReplyError> {
        let data = frame.data.trim();
        if data.is_empty() {
            return Ok(());
        }
        if frame.event == "error" {
            return Err(ReplyError::Endpoint(ErrorBody::read(data.as_bytes())));
        }
        if data == "[DONE]" {
            return self.whole(events);
        }
        let chunk: Value = serde_json::from_str(data)
            .map_err(|error| ReplyError::Form(format!("chunk {} is not JSON: {error}", self.chunks)))?;
        if let Some(error) = ErrorBody::within(&chunk) {
            return Err(ReplyError::Endpoint(error));
        }
        self.chunks += 1;
        self.draft.about(&chunk);
        let Some(choice) = first_choice(&chunk)? else { return Ok(()) };
        if let Some(delta) = choice.get("delta").or_else(|| choice.get("message")) {
            let text = words(delta.get("content"))?;
            self.draft.text.push_str(&text);
            if !text.is_empty() {
                events.push(StreamEvent::Text(text));
            }
            self.draft.refusal.push_str(&words(delta.get("refusal"))?);
            let mut seen = Vec::new();
            for part in Part::list(delta)? {
                self.fold(part, &mut seen)?;
            }
        }
        if let Some(reason) = reason(choice)
            && matches!(self.draft.reason.as_deref(), None | Some("stop" | "tool_calls"))
        {
            self.draft.reason = Some(reason);
        }
        Ok(())
    }

    /// Adds a piece of a call. `seen` are the calls that this chunk has touched.
    fn fold(&mut self, part: Part, seen: &mut Vec<usize>) -> Result<(), ReplyError> {
        let place = self.place(&part, seen);
        seen.push(place);
        self.last = Some(place);
        if place == self.draft.parts.len() {
            self.draft.parts.push(part);
            return Ok(());
        }
        let call = &mut self.draft.parts[place];
        if call.id.is_empty() {
            call.id = part.id;
        }
        if call.name.is_empty() {
            call.name = part.name;
        } else if !part.name.is_empty() && part.name != call.name {
            // A name in pieces; once the arguments have begun, it is a muddle.
            if !call.arguments.is_empty() {
                let what = format!("within its arguments the tool {:?} is named", part.name);
                return Err(ReplyError::Call { name: call.name.clone(), what });
            }
            call.name.push_str(&part.name);
        }
        call.arguments.push_str(&part.arguments);
        Ok(())
    }

    /// The number of the call to which a piece belongs; that of a new one if it begins one.
    ///
    /// A known id decides, unless the index says otherwise. Else the index decides, and without one the piece goes on
    /// with the last call. A piece that names a tool begins a new call all the same if its id is another one, if the
    /// call is whole already, if this chunk had a piece of it before, or if it has no index and the name is another.
    fn place(&self, part: &Part, seen: &[usize]) -> usize {
        let parts = &self.draft.parts;
        let known = parts.iter().rposition(|call| {
            let same_index = part.index.is_none() || call.index.is_none() || call.index == part.index;
            !part.id.is_empty() && call.id == part.id && same_index
        });
        if let Some(place) = known {
            return place;
        }
        let found = match part.index {
            Some(index) => parts.iter().rposition(|call| call.index == Some(index)),
            None => self.last,
        };
        let Some(place) = found else { return parts.len() };
        let call = &parts[place];
        let another_id = !part.id.is_empty() && !call.id.is_empty();
        let another_name = part.index.is_none() && part.name != call.name;
        let begins = another_id || call.whole() || seen.contains(&place) || another_name;
        if !part.name.is_empty() && !call.name.is_empty() && begins { parts.len() } else { place }
    }

    /// The end was seen: all that was gathered must be a reply.
    fn whole(&mut self, events: &mut Vec<StreamEvent>) -> Result<(), ReplyError> {
        if self.chunks == 0 {
            return Err(ReplyError::Form("the stream has no chunks".to_owned()));
        }
        let draft = Draft { usage: self.draft.usage, ..std::mem::take(&mut self.draft) };
        self.draft.usage = draft.usage;
        let reply = draft.finish()?;
        self.finished(reply, events);
        Ok(())
    }

    fn finished(&mut self, reply: Reply, events: &mut Vec<StreamEvent>) {
        self.done = true;
        self.draft.usage = reply.usage;
        events.extend(reply.calls.iter().cloned().map(StreamEvent::Call));
        events.extend(reply.usage.map(StreamEvent::Usage));
        events.push(StreamEvent::Finished(reply));
    }
}

fn unreadable(error: SseError) -> ReplyError {
    match error {
        SseError::TooLong(limit) => ReplyError::TooLong(limit),
        SseError::NotUtf8 => ReplyError::Form(error.to_string()),
    }
}
