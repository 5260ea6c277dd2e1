//! One call: what is known of it while it runs, and what is written down when it ends, however it ends.

use super::Served;
use super::idempotency::Slot;
use super::upstream::Upstream;
use crate::app::App;
use crate::budget::Reservation;
use crate::caller::Caller;
use crate::error::ApiError;
use crate::limit::Running;
use crate::log::Entry;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tandem_llm::chat::{ChatRequest, Reply, ReplyError, Usage};
use tandem_llm::stream::{Gather, StreamEvent};
use tokio::sync::{mpsc, watch};
use tokio::time::timeout_at;

/// Between two signs of life for a client that waits.
const SIGN_OF_LIFE: Duration = Duration::from_secs(10);

/// What upstream may charge for a call.
#[derive(Clone, Copy)]
pub(super) enum Spent {
    /// It was not sent, or upstream refused it.
    Nothing,
    /// Upstream may work on it: the worst case counts.
    Unknown,
    /// Upstream told.
    Known(Usage),
}

/// A call that runs. When it is dropped it is settled, logged and counted; if nobody said how it ended, the client has
/// gone.
pub(super) struct Call {
    pub(super) app: Arc<App>,
    pub(super) caller: Caller,
    pub(super) served: Arc<Served>,
    /// What was asked, with the model's name as configured.
    pub(super) request: ChatRequest,
    pub(super) attempts: u32,
    pub(super) spent: Spent,
    /// Names the reply in a stream.
    pub(super) id: String,
    /// When the call began, in seconds since 1970.
    pub(super) created: u64,
    /// When all of it must be over.
    pub(super) until: Instant,
    pub(super) stop: watch::Receiver<bool>,
    started: Instant,
    first_byte: Option<Duration>,
    outcome: String,
    reply: Option<Reply>,
    reservation: Reservation,
    slot: Option<Slot>,
    _running: Running,
}

impl Call {
    #[expect(clippy::too_many_arguments, reason = "all that a call owns, once")]
    pub(super) fn begin(
        app: &Arc<App>,
        caller: Caller,
        served: Arc<Served>,
        request: ChatRequest,
        started: Instant,
        reservation: Reservation,
        slot: Option<Slot>,
        running: Running,
    ) -> Self {
        app.metrics.running.inc();
        let total = app.proxy.as_ref().map_or(0, |proxy| proxy.deadlines.total);
        Self {
            app: Arc::clone(app),
            caller,
            served,
            request,
            attempts: 0,
            spent: Spent::Nothing,
            id: format!("chatcmpl-{:016x}", app.number()),
            created: app.now(),
            until: started + Duration::from_millis(total),
            stop: app.cut_off(),
            started,
            first_byte: None,
            outcome: "client_gone".to_owned(),
            reply: None,
            reservation,
            slot,
            _running: running,
        }
    }

    /// The first byte of the reply is there.
    pub(super) fn begun(&mut self) {
        self.first_byte.get_or_insert_with(|| self.started.elapsed());
    }

    /// The call ended with a reply.
    pub(super) fn replied(&mut self, reply: &Reply) {
        "ok".clone_into(&mut self.outcome);
        self.reply = Some(reply.clone());
        if let Some(usage) = reply.usage {
            self.spent = Spent::Known(usage);
        }
        self.served.provider.replied(&self.request, reply);
        if let Some(slot) = self.slot.take() {
            slot.done(reply.clone());
        }
    }

    /// The call ended without a reply; gives the error back.
    pub(super) fn failed(&mut self, error: ApiError) -> ApiError {
        error.code().clone_into(&mut self.outcome);
        error
    }

    /// Reads upstream's reply to its end. Words go to `out` as they come; what is returned is the whole.
    pub(super) async fn gather(
        &mut self,
        mut response: Upstream,
        out: Option<&mpsc::Sender<String>>,
    ) -> Result<Reply, ApiError> {
        let proxy = self.app.proxy.as_ref();
        let limit = proxy.map_or(0, |proxy| proxy.caps.reply_bytes);
        let idle = Duration::from_millis(proxy.map_or(0, |proxy| proxy.deadlines.idle));
        let mut gather = Gather::new(limit);
        let mut life = Instant::now() + SIGN_OF_LIFE;
        let mut until = (response.until, "deadline_first_byte");
        loop {
            let (at, code) = if self.until < until.0 { (self.until, "deadline_total") } else { until };
            let wake = if out.is_some() { at.min(life) } else { at };
            let next = tokio::select! {
                biased;
                () = gone(out) => return Err(ApiError::new(408, "client_gone", "nobody waits for the reply")),
                _ = self.stop.wait_for(|stop| *stop) => return Err(stopping()),
                next = timeout_at(wake.into(), response.chunk()) => next,
            };
            let events = match next {
                Err(_) if wake < at => {
                    life = Instant::now() + SIGN_OF_LIFE;
                    self.say(out, ": still waiting\n\n".to_owned()).await?;
                    continue;
                }
                // Upstream said that the reply is over, and then hangs or hangs up: it is over all the same.
                Err(_) | Ok(Err(_)) if gather.end_seen() => gather.end(),
                Err(_) => return Err(late(code)),
                Ok(Err(_)) => return Err(broken_off()),
                Ok(Ok(Some(bytes))) => {
                    self.begun();
                    until = (Instant::now() + idle, "deadline_idle");
                    gather.feed(&bytes)
                }
                Ok(Ok(None)) => gather.end(),
            };
            for event in events {
                match event {
                    StreamEvent::Text(text) => {
                        if out.is_some() {
                            let frame = super::answer::words(self, text);
                            self.say(out, frame).await?;
                            life = Instant::now() + SIGN_OF_LIFE;
                        }
                    }
                    StreamEvent::Finished(reply) => return Ok(reply),
                    StreamEvent::Failed(error) => return Err(response.unreadable(&error)),
                    StreamEvent::Call(_) | StreamEvent::Usage(_) => {}
                }
            }
        }
    }

    /// Sends a frame, unless the client has gone, reads too slowly, or the server stops.
    pub(super) async fn say(&mut self, out: Option<&mpsc::Sender<String>>, frame: String) -> Result<(), ApiError> {
        let Some(out) = out else { return Ok(()) };
        tokio::select! {
            biased;
            _ = self.stop.wait_for(|stop| *stop) => Err(stopping()),
            sent = timeout_at(self.until.into(), out.send(frame)) => match sent {
                Ok(Ok(())) => Ok(()),
                Ok(Err(_)) => Err(ApiError::new(408, "client_gone", "nobody waits for the reply")),
                Err(_) => Err(late("deadline_total")),
            },
        }
    }
}

/// Resolves when nobody takes the frames any more.
async fn gone(out: Option<&mpsc::Sender<String>>) {
    match out {
        Some(out) => out.closed().await,
        None => std::future::pending().await,
    }
}

/// A deadline passed. The code says which.
pub(super) fn late(code: &str) -> ApiError {
    let what = match code {
        "deadline_connect" => "upstream could not be connected in time",
        "deadline_first_byte" => "upstream did not begin its reply in time",
        "deadline_idle" => "the reply from upstream stopped coming",
        _ => "the call took too long in all",
    };
    ApiError::new(504, code, what)
}

pub(super) fn stopping() -> ApiError {
    ApiError::new(502, "stopping", "the server is being stopped; send the request again").after(5)
}

pub(super) fn broken_off() -> ApiError {
    ApiError::new(502, "upstream_broken", "the reply from upstream broke off")
}

/// A reply that is none to rely on.
pub(super) fn bad_reply(error: &ReplyError, words: String) -> ApiError {
    ApiError::new(502, &format!("upstream_{}", error.kind()), words)
}

impl Drop for Call {
    fn drop(&mut self) {
        let worst = self.reservation.worst();
        let (used, usage) = match self.spent {
            Spent::Nothing => (crate::budget::Amounts::default(), None),
            Spent::Unknown => (worst, None),
            Spent::Known(usage) => (self.served.prices.call(usage.prompt_tokens, usage.completion_tokens), Some(usage)),
        };
        self.reservation.used(used);
        let millis = |duration: Duration| u64::try_from(duration.as_millis()).unwrap_or(u64::MAX);
        let entry = Entry {
            time: jiff::Timestamp::now().to_string(),
            study: &self.caller.who.study,
            participant: &self.caller.who.participant,
            condition: &self.caller.condition,
            model: &self.served.name,
            stream: self.request.stream,
            attempts: self.attempts,
            prompt_tokens: usage.map(|usage| usage.prompt_tokens),
            completion_tokens: usage.map(|usage| usage.completion_tokens),
            counted_tokens: used.tokens,
            first_byte_millis: self.first_byte.map(millis),
            millis: millis(self.started.elapsed()),
            outcome: &self.outcome,
            request: Some(&self.request),
            reply: self.reply.as_ref(),
        };
        self.app.metrics.call(&entry);
        self.app.metrics.running.dec();
        self.app.log.write(entry);
    }
}
