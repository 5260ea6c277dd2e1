//! The browser's side of a language model: one endpoint, and the calls of it that are under way.
//!
//! [`Exchange`] says what to send, when to give up and when to try again; this gives it the browser's `fetch`, timers and
//! clock. A call that is dropped aborts its request at once: the reply of a game that nobody plays is nobody's.

use crate::clock::monotonic_millis;
use crate::failure::Failure;
use gloo::timers::callback::Timeout;
use gloo_net::http::{Request, Response};
use js_sys::{Reflect, Uint8Array};
use serde::Deserialize;
use serde_json::Value;
use std::cell::RefCell;
use std::rc::{Rc, Weak};
use tandem_core::{ConfigError, Millis, Seed};
use tandem_llm::completions_url;
use tandem_llm::exchange::{Effect, Exchange, Input, Outcome, Patience};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{AbortController, ReadableStreamDefaultReader};

/// The exchange gives up so long before the session's own deadline, so that what came of it still reaches the trace.
const MARGIN: Millis = Millis(150);
/// Of the time for a reply, its first byte may take all; between bytes it may stand still so long.
const IDLE: Millis = Millis(4_000);

/// Where language models are asked, as JavaScript gives it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LanguageSettings {
    /// The server or its chat address.
    pub endpoint: String,
    /// What is sent as the bearer's token; never written into a trace.
    #[serde(default)]
    pub token: Option<String>,
}

/// An endpoint.
#[derive(Clone, Debug)]
pub struct Endpoint {
    url: String,
    token: Option<String>,
    /// On the page's own origin. Others are sent no header beyond what every server lets foreign pages send.
    own: bool,
}

impl Endpoint {
    /// The endpoint of the settings.
    ///
    /// # Errors
    /// The address is none, or the token cannot be sent.
    pub fn new(settings: &LanguageSettings) -> Result<Self, Failure> {
        let wrong = |field: &str, problem: String| ConfigError::new(format!("language.{field}"), problem);
        let url = completions_url(&settings.endpoint).map_err(|problem| wrong("endpoint", problem))?;
        let token = settings.token.clone().filter(|token| !token.is_empty());
        if token.as_ref().is_some_and(|token| !token.chars().all(|sign| sign.is_ascii_graphic())) {
            return Err(wrong("token", "has signs that no token has".to_owned()).into());
        }
        let own = origin().is_some_and(|origin| url.strip_prefix(&origin).is_some_and(|path| path.starts_with('/')));
        Ok(Self { url, token, own })
    }

    /// Asks. `told` is called once with what came of it, never before this call has returned, unless the call is
    /// dropped before.
    pub fn ask(&self, body: &Value, within: Millis, told: impl FnOnce(Outcome) + 'static) -> Call {
        let total = Millis(within.0.saturating_sub(MARGIN.0).max(1));
        let patience = Patience { total, first_byte: total, idle: IDLE.min(total), ..Patience::default() };
        let call = Rc::new(RefCell::new(Calling {
            endpoint: self.clone(),
            exchange: None,
            abort: None,
            timer: None,
            told: Some(Box::new(told)),
        }));
        let weak = Rc::downgrade(&call);
        let body = body.clone();
        let begin = move || {
            let Some(call) = weak.upgrade() else { return };
            // The chance of pauses and keys must differ between pages; no trace depends on it.
            let number = (js_sys::Math::random() * Seed::MAX as f64) as u64;
            let Ok(seed) = Seed::new(number) else { return };
            let (exchange, effects) = Exchange::begin(&body, patience, seed.stream("language"), now());
            call.borrow_mut().exchange = Some(exchange);
            Calling::carry_out(&call, effects);
            if !online() {
                Calling::happened(&weak, &Input::Offline);
            }
        };
        call.borrow_mut().timer = Some(Timeout::new(0, begin));
        Call(call)
    }
}

/// A call under way. Dropping it ends it.
pub struct Call(Rc<RefCell<Calling>>);

impl Drop for Call {
    fn drop(&mut self) {
        let mut calling = self.0.borrow_mut();
        calling.told = None;
        calling.timer = None;
        calling.drop_connection();
    }
}

/// A call's inside, held weakly by its timer and its readers.
struct Calling {
    endpoint: Endpoint,
    exchange: Option<Exchange>,
    abort: Option<AbortController>,
    timer: Option<Timeout>,
    told: Option<Box<dyn FnOnce(Outcome)>>,
}

impl Calling {
    /// Tells the exchange what happened and does what it wants.
    fn happened(weak: &Weak<RefCell<Self>>, input: &Input<'_>) {
        let Some(this) = weak.upgrade() else { return };
        let effects = match &mut this.borrow_mut().exchange {
            Some(exchange) => exchange.handle(now(), input.clone()),
            None => return,
        };
        Self::carry_out(&this, effects);
    }

    fn carry_out(this: &Rc<RefCell<Self>>, effects: Vec<Effect>) {
        for effect in effects {
            match effect {
                Effect::Send { attempt, key, body } => Self::send(this, attempt, &key, body),
                Effect::Drop { .. } => this.borrow_mut().drop_connection(),
                Effect::Wake(at) => {
                    let weak = Rc::downgrade(this);
                    let delay = at.0.saturating_sub(now().0).min(i32::MAX as u64) as u32;
                    let ring = move || Self::happened(&weak, &Input::Wake);
                    this.borrow_mut().timer = Some(Timeout::new(delay, ring));
                }
                Effect::Text(_) => {}
                Effect::Over(outcome) => {
                    let told = this.borrow_mut().told.take();
                    if let Some(told) = told {
                        told(*outcome);
                    }
                }
            }
        }
    }

    fn send(this: &Rc<RefCell<Self>>, attempt: u32, key: &str, body: Vec<u8>) {
        let weak = Rc::downgrade(this);
        let mut calling = this.borrow_mut();
        calling.abort = AbortController::new().ok();
        let signal = calling.abort.as_ref().map(AbortController::signal);
        let mut post = Request::post(&calling.endpoint.url)
            .header("Content-Type", "application/json")
            .abort_signal(signal.as_ref());
        if calling.endpoint.own {
            post = post.header("Idempotency-Key", key);
        }
        if let Some(token) = &calling.endpoint.token {
            post = post.header("Authorization", &format!("Bearer {token}"));
        }
        drop(calling);
        spawn_local(async move {
            let sent = match post.body(Uint8Array::from(body.as_slice())) {
                Ok(request) => request.send().await,
                Err(error) => Err(error),
            };
            match sent {
                Ok(response) => Self::listen(&weak, attempt, &response).await,
                Err(error) => Self::broken(&weak, attempt, &error.to_string()),
            }
        });
    }

    /// Hands a response on as it comes.
    async fn listen(weak: &Weak<RefCell<Self>>, attempt: u32, response: &Response) {
        let retry_after = response.headers().get("retry-after");
        let head = Input::Head { attempt, status: response.status(), retry_after: retry_after.as_deref() };
        Self::happened(weak, &head);
        let reader = response.body().map(|body| body.get_reader());
        let reader = reader.and_then(|reader| reader.dyn_into::<ReadableStreamDefaultReader>().ok());
        while let Some(reader) = &reader {
            let piece = match JsFuture::from(reader.read()).await {
                Ok(piece) => piece,
                Err(_) => return Self::broken(weak, attempt, "the reply broke off"),
            };
            let value = Reflect::get(&piece, &"value".into()).unwrap_or_default();
            let Ok(bytes) = value.dyn_into::<Uint8Array>() else { break };
            Self::happened(weak, &Input::Bytes { attempt, bytes: &bytes.to_vec() });
            if weak.strong_count() == 0 {
                return;
            }
        }
        Self::happened(weak, &Input::End { attempt });
    }

    fn broken(weak: &Weak<RefCell<Self>>, attempt: u32, what: &str) {
        let input = if online() { Input::Broken { attempt, what } } else { Input::Offline };
        Self::happened(weak, &input);
    }

    fn drop_connection(&mut self) {
        if let Some(abort) = self.abort.take() {
            abort.abort();
        }
    }
}

fn now() -> Millis {
    Millis(monotonic_millis().max(0.0) as u64)
}

/// The origin of the page, in it or in a worker.
fn origin() -> Option<String> {
    let location = Reflect::get(&js_sys::global(), &"location".into()).ok()?;
    Reflect::get(&location, &"origin".into()).ok()?.as_string()
}

/// Whether the browser thinks that there is a network; in a page or a worker alike. Where it does not say, there is.
fn online() -> bool {
    let navigator = Reflect::get(&js_sys::global(), &"navigator".into()).unwrap_or_default();
    let says = Reflect::get(&navigator, &"onLine".into()).ok().and_then(|says| says.as_bool());
    says.unwrap_or(true)
}
