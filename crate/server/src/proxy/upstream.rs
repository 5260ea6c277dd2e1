//! Another server: what is sent to it, how often, and what its refusals mean here.

use super::ProxyError;
use super::call::{Call, Spent, bad_reply, broken_off, late, stopping};
use crate::config::{self, LimitField};
use crate::error::ApiError;
use crate::secret::Secret;
use bytes::Bytes;
use reqwest::header::{self, HeaderMap};
use reqwest::{StatusCode, Url};
use std::time::{Duration, Instant};
use tandem_llm::chat::{ChatRequest, ErrorBody, ReplyError, StreamOptions};
use tokio::time::timeout_at;

/// No more of an error's body is read.
const ERROR_BYTES: usize = 16 << 10;

/// How to reach one server.
pub(super) struct Client {
    http: reqwest::Client,
    url: Url,
    key: Option<Secret>,
    stream_usage: bool,
    limit_field: LimitField,
    first_byte: Duration,
    retries: config::Retries,
}

/// A reply that has begun.
pub(super) struct Upstream {
    response: reqwest::Response,
    key: Option<Secret>,
    /// When its first byte must be there.
    pub(super) until: Instant,
    /// Bytes that came while it was waited for the first.
    begun: Option<Bytes>,
}

impl Upstream {
    /// The next bytes; nothing at the end. Dropped before it resolves, it has taken nothing.
    pub(super) async fn chunk(&mut self) -> Result<Option<Bytes>, reqwest::Error> {
        match self.begun.take() {
            Some(bytes) => Ok(Some(bytes)),
            None => self.response.chunk().await,
        }
    }

    /// Waits for the first bytes, so that a reply that does not even begin can be answered with a status.
    pub(super) async fn begin(&mut self, call: &mut Call) -> Result<(), ApiError> {
        let (at, code) = earlier(call.until, self.until);
        let first = tokio::select! {
            first = timeout_at(at.into(), self.response.chunk()) => first,
            _ = call.stop.wait_for(|stop| *stop) => return Err(stopping()),
        };
        match first {
            Err(_) => Err(late(code)),
            Ok(Err(_)) => Err(broken_off()),
            // An end without a byte shows again when it is read.
            Ok(Ok(bytes)) => {
                call.begun();
                self.begun = bytes;
                Ok(())
            }
        }
    }

    /// The error for a reply that cannot be relied on.
    pub(super) fn unreadable(&self, error: &ReplyError) -> ApiError {
        bad_reply(error, redacted(self.key.as_ref(), &error.to_string()))
    }
}

fn redacted(key: Option<&Secret>, text: &str) -> String {
    key.map_or_else(|| text.to_owned(), |key| key.redact(text))
}

impl Client {
    /// Nothing if there is no address, which a checked configuration has.
    pub(super) fn new(
        name: &str,
        provider: &config::Provider,
        settings: &config::Proxy,
    ) -> Result<Option<Self>, ProxyError> {
        let Some(base_url) = &provider.base_url else { return Ok(None) };
        let wrong = |what: String| ProxyError::Client { provider: name.to_owned(), what };
        let url = Url::parse(&format!("{}/chat/completions", base_url.trim_end_matches('/')));
        // Several servers in one process set it once.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let http = reqwest::Client::builder()
            .connect_timeout(Duration::from_millis(settings.deadlines.connect))
            // A redirect would carry prompts, and perhaps the key, to a place nobody configured.
            .redirect(reqwest::redirect::Policy::none())
            // The environment may name a proxy; that too would be such a place.
            .no_proxy()
            .retry(reqwest::retry::never())
            .tcp_nodelay(true)
            .user_agent(concat!("tandem-server/", env!("CARGO_PKG_VERSION")))
            .build();
        Ok(Some(Self {
            http: http.map_err(|error| wrong(error.to_string()))?,
            url: url.map_err(|error| wrong(error.to_string()))?,
            key: provider.key.clone(),
            stream_usage: provider.stream_usage,
            limit_field: provider.limit_field,
            first_byte: Duration::from_millis(settings.deadlines.first_byte),
            retries: settings.retries.clone(),
        }))
    }

    /// The request as upstream gets it: its own name for the model, always a limit of tokens.
    pub(super) fn body(&self, request: &ChatRequest, model: &str, limit: u32) -> Bytes {
        let mut sent = request.clone();
        model.clone_into(&mut sent.model);
        (sent.max_tokens, sent.max_completion_tokens) = match self.limit_field {
            LimitField::MaxTokens => (Some(limit), None),
            LimitField::MaxCompletionTokens => (None, Some(limit)),
        };
        sent.n = None;
        let usage = StreamOptions { include_usage: true, include_obfuscation: None };
        sent.stream_options = (sent.stream && self.stream_usage).then_some(usage);
        // Texts, numbers and JSON values: writing them cannot fail.
        serde_json::to_vec(&sent).unwrap_or_default().into()
    }

    /// Sends the request, again if upstream is busy, until a reply begins.
    pub(super) async fn send(&self, call: &mut Call, body: Bytes) -> Result<Upstream, ApiError> {
        loop {
            call.attempts += 1;
            let until = Instant::now() + self.first_byte;
            let response = self.attempt(call, body.clone(), until).await?;
            let status = response.status();
            if status.is_success() {
                return Ok(Upstream { response, key: self.key.clone(), until, begun: None });
            }
            call.spent = Spent::Nothing;
            let wait = retry_after(response.headers());
            let left = call.until.saturating_duration_since(Instant::now());
            let Some(pause) = pause(&self.retries, status.as_u16(), call.attempts, wait, left) else {
                return Err(self.refusal(status, wait, &error_of(response, call.until).await));
            };
            drop(response);
            tokio::select! {
                () = tokio::time::sleep(pause) => {}
                _ = call.stop.wait_for(|stop| *stop) => return Err(stopping()),
            }
        }
    }

    /// Sends it once.
    async fn attempt(&self, call: &mut Call, body: Bytes, until: Instant) -> Result<reqwest::Response, ApiError> {
        let mut request = self.http.post(self.url.clone()).header(header::CONTENT_TYPE, "application/json").body(body);
        if let Some(key) = &self.key {
            request = request.bearer_auth(key.expose());
        }
        let (at, code) = earlier(call.until, until);
        // From here on upstream may work on it.
        call.spent = Spent::Unknown;
        let sent = tokio::select! {
            sent = timeout_at(at.into(), request.send()) => sent,
            _ = call.stop.wait_for(|stop| *stop) => return Err(stopping()),
        };
        let error = match sent {
            Err(_) => return Err(late(code)),
            Ok(Ok(response)) => return Ok(response),
            Ok(Err(error)) => error,
        };
        let (connecting, slow) = (error.is_connect(), error.is_timeout());
        let error = error.without_url();
        tracing::warn!(provider = self.url.host_str(), cause = %error, "upstream cannot be reached");
        if connecting {
            call.spent = Spent::Nothing;
        }
        Err(match (connecting, slow) {
            (true, true) => late("deadline_connect"),
            (true, false) => ApiError::new(502, "upstream_unreachable", "upstream cannot be reached"),
            _ => ApiError::new(502, "upstream_broken", "the connection to upstream broke"),
        })
    }

    /// What upstream's refusal means to the client: what it did wrong, it is told; what is wrong between this server
    /// and upstream is not its business.
    fn refusal(&self, status: StatusCode, wait: Option<Duration>, error: &ErrorBody) -> ApiError {
        let words = redacted(self.key.as_ref(), &error.message);
        let seconds = wait.map_or(1, |wait| wait.as_secs());
        match status.as_u16() {
            400 | 413 | 422 => ApiError::new(status.as_u16(), "upstream_refused", format!("upstream refuses: {words}")),
            404 => ApiError::new(502, "upstream_model", "upstream does not know the model"),
            401 | 403 => {
                tracing::error!(provider = self.url.host_str(), %status, "upstream does not accept the key");
                ApiError::new(502, "upstream_auth", "upstream does not accept this server")
            }
            429 => ApiError::new(429, "upstream_busy", "upstream is busy").after(seconds),
            408 | 504 => ApiError::new(504, "upstream_late", "upstream reports that it took too long"),
            other => {
                let failed = format!("upstream answered with the status {other}");
                let error = ApiError::new(502, "upstream_failed", failed);
                if wait.is_some() { error.after(seconds) } else { error }
            }
        }
    }
}

/// The deadline of a first byte, and what it is called if it passes.
fn earlier(total: Instant, first_byte: Instant) -> (Instant, &'static str) {
    if total < first_byte { (total, "deadline_total") } else { (first_byte, "deadline_first_byte") }
}

/// The error in a refusal, as far as it comes soon.
async fn error_of(mut response: reqwest::Response, until: Instant) -> ErrorBody {
    let mut body = Vec::new();
    let until = until.min(Instant::now() + Duration::from_secs(2));
    while let Ok(Ok(Some(bytes))) = timeout_at(until.into(), response.chunk()).await {
        body.extend_from_slice(&bytes[..bytes.len().min(ERROR_BYTES - body.len())]);
        if body.len() == ERROR_BYTES {
            break;
        }
    }
    ErrorBody::read(&body)
}

/// How long upstream asks to wait, if it says so in seconds.
fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let seconds = headers.get(header::RETRY_AFTER)?.to_str().ok()?.trim().parse::<u64>().ok()?;
    Some(Duration::from_secs(seconds))
}

/// How long to wait before the next attempt; nothing if there is to be none: upstream was not just busy, it was tried
/// often enough, it asks for a longer pause than is allowed, or the call would be over before.
fn pause(
    retries: &config::Retries,
    status: u16,
    attempts: u32,
    asked: Option<Duration>,
    left: Duration,
) -> Option<Duration> {
    let most = Duration::from_millis(retries.longest_pause);
    let doubled = retries.pause.saturating_mul(1 << attempts.saturating_sub(1).min(20));
    let pause = jittered(Duration::from_millis(doubled).min(most)).max(asked.unwrap_or_default());
    let again = matches!(status, 408 | 429 | 500..) && attempts < retries.attempts;
    (again && pause <= most && pause < left).then_some(pause)
}

/// A pause from the upper half up to the longest, so that many do not come back at once.
fn jittered(longest: Duration) -> Duration {
    let mut bytes = [0; 4];
    // Without chance the longest will do.
    let share =
        getrandom::fill(&mut bytes).map_or(1.0, |()| f64::from(u32::from_le_bytes(bytes)) / f64::from(u32::MAX));
    longest.mul_f64(0.5 + 0.5 * share)
}

#[cfg(test)]
mod tests {
    use super::*;

    const RETRIES: config::Retries = config::Retries { attempts: 4, pause: 100, longest_pause: 300 };
    const LONG: Duration = Duration::from_secs(60);

    fn millis(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    #[test]
    fn only_what_may_pass_is_tried_again() {
        for status in [408, 429, 500, 502, 503, 504, 529] {
            assert!(pause(&RETRIES, status, 1, None, LONG).is_some(), "{status}");
            assert!(pause(&RETRIES, status, 4, None, LONG).is_none(), "{status}");
        }
        for status in [300, 307, 400, 401, 403, 404, 409, 413, 422] {
            assert!(pause(&RETRIES, status, 1, None, LONG).is_none(), "{status}");
        }
    }

    #[test]
    fn pauses_double_and_are_drawn_from_their_upper_half() {
        for (attempts, longest) in [(1, 100), (2, 200), (3, 300)] {
            let drawn: Vec<_> = (0..64).filter_map(|_| pause(&RETRIES, 503, attempts, None, LONG)).collect();
            assert_eq!(drawn.len(), 64);
            assert!(drawn.iter().all(|&pause| (millis(longest / 2)..=millis(longest)).contains(&pause)), "{drawn:?}");
            assert!(drawn.iter().any(|pause| pause != &drawn[0]), "many would come back at once: {drawn:?}");
        }
    }

    #[test]
    fn upstream_is_not_tried_again_sooner_than_it_asks() {
        for status in [408, 429, 503] {
            assert_eq!(pause(&RETRIES, status, 1, Some(millis(250)), LONG), Some(millis(250)));
        }
        assert!(pause(&RETRIES, 503, 1, Some(millis(0)), LONG).is_some_and(|pause| pause >= millis(50)));
        assert_eq!(pause(&RETRIES, 503, 1, Some(millis(301)), LONG), None, "longer than is allowed");
    }

    #[test]
    fn a_pause_longer_than_what_is_left_is_not_begun() {
        assert_eq!(pause(&RETRIES, 503, 1, Some(millis(250)), millis(250)), None);
        assert_eq!(pause(&RETRIES, 503, 1, Some(millis(250)), millis(251)), Some(millis(250)));
    }
}
