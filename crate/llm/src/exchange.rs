//! One call of an endpoint, from the request to the reply, without a socket or a clock.
//!
//! The idea: whoever owns the network does what the [`Effect`]s say and tells what happens as [`Input`]s, each with the
//! time. All that is easily got wrong is here, where it can be tested: deadlines, retries, cancelling, late answers of
//! attempts given up, replies that break off.
//!
//! An attempt is repeated only if the endpoint answered 408, 429 or 5xx, that is before any byte of a reply. The pause
//! doubles from attempt to attempt and is drawn from its upper half, so that many pages do not come back at once; where
//! the endpoint says how long to wait (`Retry-After` in seconds), that is the least. All attempts carry one idempotency
//! key, by which a proxy sees that they are one call.

use crate::body_hash;
use crate::chat::{ErrorBody, Finish, Refusal, Reply, ReplyError};
use crate::stream::{Gather, StreamEvent};
use rand::{Rng, RngExt};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tandem_core::{Fault, Millis, Stream};

/// How long to wait for what, and how often to try.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Patience {
    /// From sending an attempt to the first byte of its reply.
    pub first_byte: Millis,
    /// From one byte to the next.
    pub idle: Millis,
    /// From the beginning to the end, all attempts and pauses together.
    pub total: Millis,
    /// How often to try; at least once.
    pub attempts: u32,
    /// The longest first pause between attempts.
    pub pause: Millis,
    /// No pause is longer, unless the endpoint asks for it.
    pub longest_pause: Millis,
    /// The most bytes of a reply.
    pub bytes: usize,
}

impl Default for Patience {
    /// 15 s to the first byte, 10 s between bytes, 60 s in all, 3 attempts, pauses from 0.5 s to 8 s, 1 MiB.
    fn default() -> Self {
        Self {
            first_byte: Millis(15_000),
            idle: Millis(10_000),
            total: Millis(60_000),
            attempts: 3,
            pause: Millis(500),
            longest_pause: Millis(8_000),
            bytes: 1 << 20,
        }
    }
}

/// What happened. Inputs of attempts that were given up are passed over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input<'a> {
    /// The answer begins.
    Head {
        /// Which attempt.
        attempt: u32,
        /// The HTTP status.
        status: u16,
        /// The header `Retry-After`, if any.
        retry_after: Option<&'a str>,
    },
    /// Bytes of its body.
    Bytes {
        /// Which attempt.
        attempt: u32,
        /// The bytes.
        bytes: &'a [u8],
    },
    /// Its end.
    End {
        /// Which attempt.
        attempt: u32,
    },
    /// The connection could not be made, or broke.
    Broken {
        /// Which attempt.
        attempt: u32,
        /// In words.
        what: &'a str,
    },
    /// A timer rang; early, late or for nothing, it does not matter.
    Wake,
    /// There is no network.
    Offline,
    /// Nobody wants the reply any more.
    Cancel,
}

/// What to do.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// Send the request as `POST` with the type `application/json`.
    Send {
        /// Which attempt, from 1.
        attempt: u32,
        /// The header `Idempotency-Key`, the same for all attempts.
        key: String,
        /// The body.
        body: Vec<u8>,
    },
    /// Drop the connection of an attempt, if it is still open.
    Drop {
        /// Which attempt.
        attempt: u32,
    },
    /// Give [`Input::Wake`] at this time.
    Wake(Millis),
    /// Words of the reply, as they come.
    Text(String),
    /// It is over; nothing follows.
    Over(Box<Outcome>),
}

/// What came of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// The reply, or why there is none.
    pub result: Result<Reply, Trouble>,
    /// For the trace.
    pub record: Record,
}

/// An exchange in figures, for traces and logs; without any word of the request or the reply.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// The [`request_hash`](crate::request_hash).
    pub request: String,
    /// The model asked for.
    pub model: String,
    /// How often it was sent.
    pub attempts: u32,
    /// From the beginning to the end.
    pub latency_millis: u64,
    /// From the beginning to the first byte of the reply.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_byte_millis: Option<u64>,
    /// Tokens of the request, if the endpoint told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt_tokens: Option<u64>,
    /// Tokens of the reply, if the endpoint told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub completion_tokens: Option<u64>,
    /// Why the reply ended, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub finish: Option<Finish>,
    /// The kind of trouble, if there is no reply.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// Why there is no reply.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Trouble {
    /// A deadline passed.
    #[error("no reply in time: {0}")]
    Late(Deadline),
    /// Nobody wanted it any more.
    #[error("the request was cancelled")]
    Cancelled,
    /// There is no network.
    #[error("there is no network")]
    Offline,
    /// The connection could not be made, or broke.
    #[error("the connection failed: {0}")]
    Network(String),
    /// The endpoint answered, but not with a reply.
    #[error("the endpoint refused the request: {0}")]
    Refused(Refusal),
    /// The reply is none to rely on.
    #[error(transparent)]
    Reply(#[from] ReplyError),
}

/// What was waited for too long.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Deadline {
    /// The first byte.
    #[error("the first byte did not come")]
    FirstByte,
    /// The next byte.
    #[error("the reply stopped coming")]
    Idle,
    /// All of it.
    #[error("it took too long in all")]
    Total,
}

impl Trouble {
    /// The kind in one word, for traces and logs.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Late(Deadline::FirstByte) => "late_first_byte",
            Self::Late(Deadline::Idle) => "late_idle",
            Self::Late(Deadline::Total) => "late_total",
            Self::Cancelled => "cancelled",
            Self::Offline => "offline",
            Self::Network(_) => "network",
            Self::Refused(_) => "refused_by_endpoint",
            Self::Reply(error) => error.kind(),
        }
    }

    /// What an agent is told. Where there is no chat endpoint at all (404, 405, 501: a static host), or no network,
    /// nobody can answer.
    pub fn fault(&self) -> Fault {
        match self {
            Self::Late(_) => Fault::Late,
            Self::Offline | Self::Refused(Refusal { status: 404 | 405 | 501, .. }) => Fault::Absent,
            other => Fault::Broken(other.to_string()),
        }
    }
}

/// The most bytes of an error's body that are read.
const ERROR_BYTES: usize = 16 << 10;

/// The machine. Begin it with [`Exchange::begin`], then tell it what happens.
#[derive(Clone, Debug)]
pub struct Exchange {
    patience: Patience,
    chance: Stream,
    body: Vec<u8>,
    key: String,
    started: Millis,
    attempt: u32,
    state: State,
    /// The earliest timer that was asked for and has not rung.
    timer: Option<Millis>,
    record: Record,
}

#[derive(Clone, Debug)]
enum State {
    /// Sent; nothing of a reply came yet.
    Waiting {
        until: Millis,
        gather: Option<Gather>,
    },
    /// The reply comes in.
    Reading {
        until: Millis,
        gather: Gather,
    },
    /// An error's body comes in.
    Refusing {
        until: Millis,
        status: u16,
        body: Vec<u8>,
    },
    /// Before the next attempt.
    Pausing {
        until: Millis,
    },
    Over,
}

impl State {
    fn until(&self) -> Option<Millis> {
        match self {
            Self::Waiting { until, .. } | Self::Reading { until, .. } => Some(*until),
            Self::Refusing { until, .. } | Self::Pausing { until } => Some(*until),
            Self::Over => None,
        }
    }
}

impl Exchange {
    /// Begins: the first effects send the request and ask for a timer. `body` is the request as
    /// [`ChatRequest`](crate::chat::ChatRequest) is written, for instance that of a question; `chance` draws the pauses
    /// and the key.
    pub fn begin(body: &Value, patience: Patience, mut chance: Stream, now: Millis) -> (Self, Vec<Effect>) {
        let key = format!("{:016x}{:016x}", chance.next_u64(), chance.next_u64());
        let record = Record {
            request: body_hash(body),
            model: body["model"].as_str().unwrap_or_default().to_owned(),
            attempts: 0,
            latency_millis: 0,
            first_byte_millis: None,
            prompt_tokens: None,
            completion_tokens: None,
            finish: None,
            error: None,
        };
        let mut exchange = Self {
            patience,
            chance,
            body: body.to_string().into_bytes(),
            key,
            started: now,
            attempt: 0,
            state: State::Over,
            timer: None,
            record,
        };
        let mut effects = Vec::new();
        exchange.send(now, &mut effects);
        exchange.set_timer(&mut effects);
        (exchange, effects)
    }

    /// Whether it is over.
    pub fn over(&self) -> bool {
        matches!(self.state, State::Over)
    }

    /// Takes what happened at this time.
    pub fn handle(&mut self, now: Millis, input: Input<'_>) -> Vec<Effect> {
        let mut effects = Vec::new();
        // What comes in the very moment of a deadline is still in time.
        let passed = |until: Millis| if input == Input::Wake { now >= until } else { now > until };
        if self.deadline().is_some_and(passed) {
            self.expire(now, &mut effects);
        }
        match input {
            Input::Wake => self.timer = None,
            Input::Cancel => self.fail(now, Trouble::Cancelled, &mut effects),
            Input::Offline => self.fail(now, Trouble::Offline, &mut effects),
            Input::Head { attempt, status, retry_after } if attempt == self.attempt => {
                self.head(now, status, retry_after, &mut effects);
            }
            Input::Bytes { attempt, bytes } if attempt == self.attempt => self.bytes(now, bytes, &mut effects),
            Input::End { attempt } if attempt == self.attempt => {
                self.ended(now, "it ended without an answer", false, &mut effects);
            }
            Input::Broken { attempt, what } if attempt == self.attempt => self.ended(now, what, true, &mut effects),
            _ => {}
        }
        self.set_timer(&mut effects);
        effects
    }

    /// When the present state lasts too long.
    fn deadline(&self) -> Option<Millis> {
        self.state.until().map(|until| until.min(self.started + self.patience.total))
    }

    fn set_timer(&mut self, effects: &mut Vec<Effect>) {
        if let Some(deadline) = self.deadline()
            && self.timer.is_none_or(|timer| deadline < timer)
        {
            self.timer = Some(deadline);
            effects.push(Effect::Wake(deadline));
        }
    }

    fn send(&mut self, now: Millis, effects: &mut Vec<Effect>) {
        self.attempt += 1;
        self.state = State::Waiting { until: now + self.patience.first_byte, gather: None };
        effects.push(Effect::Send { attempt: self.attempt, key: self.key.clone(), body: self.body.clone() });
    }

    fn expire(&mut self, now: Millis, effects: &mut Vec<Effect>) {
        let in_all = now >= self.started + self.patience.total;
        match &self.state {
            State::Over => {}
            State::Pausing { .. } if !in_all => self.send(now, effects),
            // The endpoint said that the reply is over and hangs.
            State::Reading { gather, .. } if gather.end_seen() => self.ended(now, "", false, effects),
            State::Refusing { .. } => self.ended(now, "", false, effects),
            _ if in_all => self.fail(now, Trouble::Late(Deadline::Total), effects),
            State::Reading { .. } => self.fail(now, Trouble::Late(Deadline::Idle), effects),
            _ => self.fail(now, Trouble::Late(Deadline::FirstByte), effects),
        }
    }

    fn head(&mut self, now: Millis, status: u16, retry_after: Option<&str>, effects: &mut Vec<Effect>) {
        let State::Waiting { gather: gather @ None, .. } = &mut self.state else { return };
        if (200..300).contains(&status) {
            *gather = Some(Gather::new(self.patience.bytes));
            return;
        }
        if matches!(status, 408 | 429 | 500..=599) && self.attempt < self.patience.attempts {
            let until = now + self.pause(retry_after);
            if until < self.started + self.patience.total {
                self.state = State::Pausing { until };
                effects.push(Effect::Drop { attempt: self.attempt });
                return;
            }
        }
        self.state = State::Refusing { until: now + self.patience.idle, status, body: Vec::new() };
    }

    /// The pause after the present attempt.
    fn pause(&mut self, retry_after: Option<&str>) -> Millis {
        let Patience { pause, longest_pause, .. } = self.patience;
        let doubled = pause.0.saturating_mul(1 << (self.attempt - 1).min(20)).min(longest_pause.0);
        let drawn = self.chance.random_range(doubled / 2..=doubled);
        let asked = retry_after.and_then(|seconds| seconds.trim().parse::<u64>().ok());
        match asked {
            Some(seconds) => Millis(seconds.saturating_mul(1000)) + Millis(drawn),
            None => Millis(drawn),
        }
    }

    fn bytes(&mut self, now: Millis, bytes: &[u8], effects: &mut Vec<Effect>) {
        if bytes.is_empty() {
            return;
        }
        if let State::Waiting { gather: gather @ Some(_), .. } = &mut self.state
            && let Some(gather) = gather.take()
        {
            self.record.first_byte_millis = Some((now - self.started).0);
            self.state = State::Reading { until: now, gather };
        }
        match &mut self.state {
            State::Reading { until, gather } => {
                *until = now + self.patience.idle;
                let events = gather.feed(bytes);
                self.heard(now, events, effects);
            }
            State::Refusing { until, body, .. } => {
                *until = now + self.patience.idle;
                body.extend_from_slice(&bytes[..bytes.len().min(ERROR_BYTES - body.len())]);
                if body.len() == ERROR_BYTES {
                    self.ended(now, "", true, effects);
                }
            }
            _ => {}
        }
    }

    fn heard(&mut self, now: Millis, events: Vec<StreamEvent>, effects: &mut Vec<Effect>) {
        for event in events {
            match event {
                StreamEvent::Text(text) => effects.push(Effect::Text(text)),
                StreamEvent::Finished(reply) => self.finish(now, Ok(reply), true, effects),
                StreamEvent::Failed(error) => self.finish(now, Err(error.into()), true, effects),
                // Both are in the reply.
                StreamEvent::Call(_) | StreamEvent::Usage(_) => {}
            }
        }
    }

    /// The body of the present attempt has ended, well or not.
    fn ended(&mut self, now: Millis, what: &str, broken: bool, effects: &mut Vec<Effect>) {
        match &mut self.state {
            State::Over | State::Pausing { .. } => {}
            State::Waiting { gather: Some(gather), .. } if !broken => {
                let events = gather.end();
                self.heard(now, events, effects);
            }
            State::Reading { gather, .. } if !broken || gather.end_seen() => {
                let events = gather.end();
                self.heard(now, events, effects);
            }
            State::Refusing { status, body, .. } => {
                let refusal = Refusal { status: *status, error: ErrorBody::read(body) };
                self.finish(now, Err(Trouble::Refused(refusal)), true, effects);
            }
            State::Waiting { .. } | State::Reading { .. } => {
                self.finish(now, Err(Trouble::Network(what.to_owned())), false, effects);
            }
        }
    }

    fn fail(&mut self, now: Millis, trouble: Trouble, effects: &mut Vec<Effect>) {
        let connected = !matches!(self.state, State::Pausing { .. });
        self.finish(now, Err(trouble), connected, effects);
    }

    fn finish(&mut self, now: Millis, result: Result<Reply, Trouble>, connected: bool, effects: &mut Vec<Effect>) {
        let usage = match &self.state {
            State::Over => return,
            State::Reading { gather, .. } => gather.usage(),
            _ => None,
        };
        self.state = State::Over;
        if connected {
            effects.push(Effect::Drop { attempt: self.attempt });
        }
        let usage = result.as_ref().ok().and_then(|reply| reply.usage).or(usage);
        let record = Record {
            attempts: self.attempt,
            latency_millis: (now - self.started).0,
            prompt_tokens: usage.map(|usage| usage.prompt_tokens),
            completion_tokens: usage.map(|usage| usage.completion_tokens),
            finish: result.as_ref().ok().map(|reply| reply.finish),
            error: result.as_ref().err().map(|trouble| trouble.kind().to_owned()),
            ..self.record.clone()
        };
        effects.push(Effect::Over(Box::new(Outcome { result, record })));
    }
}
