//! The proxy: chat completions from whoever the configuration says, for whoever has a session, within limits.
//!
//! What a client sends is read strictly and written anew for upstream; what upstream sends is read by
//! [`tandem_llm::stream::Gather`] and written anew for the client. So nothing passes that neither side understands: no
//! unknown field, no header, no half tool call, no key in an error of upstream.

mod answer;
mod call;
mod idempotency;
mod provider;
mod upstream;

use crate::app::App;
use crate::body;
use crate::budget::{JournalError, Ledger, Prices, ReserveError, Scope};
use crate::config;
use crate::error::ApiError;
use axum::Json;
use axum::body::Body;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use call::Call;
use idempotency::{Begin, Idempotency};
use provider::{Answer, Provider};
use sha2::{Digest as _, Sha256};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tandem_llm::chat::{ChatRequest, Message, ModelList};

/// Why the proxy cannot be made from its configuration.
#[derive(Debug, thiserror::Error)]
pub enum ProxyError {
    /// A provider's file.
    #[error("proxy.providers.{provider}: {}: {what}", file.display())]
    File {
        /// The provider.
        provider: String,
        /// The file.
        file: PathBuf,
        /// What is wrong with it.
        what: String,
    },
    /// The client for upstream.
    #[error("proxy.providers.{provider}: {what}")]
    Client {
        /// The provider.
        provider: String,
        /// What is wrong.
        what: String,
    },
    /// The file of budgets.
    #[error("proxy.budgets.file: {0}")]
    Budgets(#[from] JournalError),
}

/// A model that may be asked for.
pub(crate) struct Served {
    /// Its name here.
    name: String,
    /// Its name at the provider.
    upstream: String,
    provider: Arc<Provider>,
    prices: Prices,
}

/// The proxy of one server.
pub(crate) struct Proxy {
    pub(crate) ledger: Arc<Ledger>,
    caps: config::Caps,
    deadlines: config::Deadlines,
    template_tokens: u64,
    /// By all their names.
    models: BTreeMap<String, Arc<Served>>,
    idempotency: Idempotency,
}

impl Proxy {
    pub(crate) fn open(settings: &config::Proxy, now: u64) -> Result<Self, ProxyError> {
        let providers = provider::open_all(settings)?;
        let mut models = BTreeMap::new();
        for (section, model) in &settings.models {
            // That it is there was checked with the configuration.
            let Some(provider) = providers.get(&model.provider) else { continue };
            let name = model.name.as_ref().unwrap_or(section);
            let served = Arc::new(Served {
                name: name.clone(),
                upstream: model.upstream.as_ref().unwrap_or(name).clone(),
                provider: Arc::clone(provider),
                prices: Prices::of(model),
            });
            for name in model.aliases.iter().chain([name]) {
                models.insert(name.clone(), Arc::clone(&served));
            }
        }
        Ok(Self {
            ledger: Arc::new(Ledger::open(&settings.budgets, now)?),
            caps: settings.caps.clone(),
            deadlines: settings.deadlines.clone(),
            template_tokens: settings.budgets.template_tokens,
            models,
            idempotency: Idempotency::new(Duration::from_secs(settings.idempotency_seconds)),
        })
    }

    /// Refuses what is too large.
    fn check_caps(&self, request: &ChatRequest) -> Result<(), ApiError> {
        let caps = &self.caps;
        let over = |field: &str, most: u64| {
            Err(ApiError::new(422, "cap", format!("{field}: this server allows at most {most}")))
        };
        if request.messages.len() > caps.messages {
            return over("messages", caps.messages as u64);
        }
        let characters: usize = request.messages.iter().map(characters).sum();
        if characters > caps.characters {
            return over("characters in messages", caps.characters as u64);
        }
        if request.tools.len() > caps.tools {
            return over("tools", caps.tools as u64);
        }
        if request.reply_tokens().is_some_and(|tokens| tokens > caps.max_tokens) {
            return over("max_tokens", caps.max_tokens.into());
        }
        Ok(())
    }
}

/// Of a message: its words and the arguments of its calls.
fn characters(message: &Message) -> usize {
    let calls = if let Message::Assistant { calls, .. } = message { calls.as_slice() } else { &[] };
    let arguments: usize = calls.iter().map(|call| call.arguments.chars().count()).sum();
    message.text().chars().count() + arguments
}

fn off() -> ApiError {
    ApiError::new(404, "off", "this server has no language models")
}

/// `GET /v1/models`.
pub async fn models(State(app): State<Arc<App>>, headers: HeaderMap) -> Result<Json<ModelList>, ApiError> {
    let proxy = app.proxy.as_ref().ok_or_else(off)?;
    app.caller(&headers)?;
    Ok(Json(ModelList::of(proxy.models.keys().cloned(), "tandem-server")))
}

/// `POST /v1/chat/completions`.
pub async fn chat(State(app): State<Arc<App>>, headers: HeaderMap, body: Body) -> Result<Response, ApiError> {
    let started = Instant::now();
    let proxy = app.proxy.as_ref().ok_or_else(off)?;
    let caller = app.caller(&headers)?;
    let running = app.limits.call(&caller)?;
    body::json_only(&headers)?;
    let body = body::read(body, &headers, proxy.caps.bytes, app.request_patience()).await?;
    let mut request = ChatRequest::read(&body).map_err(|error| ApiError::new(400, "body", error.to_string()))?;
    let Some(served) = proxy.models.get(&request.model) else {
        return Err(ApiError::new(
            404,
            "model_not_found",
            "this server does not offer such a model; see GET /v1/models",
        ));
    };
    request.model.clone_from(&served.name);
    proxy.check_caps(&request)?;

    let slot = match idempotency_key(&headers)? {
        None => None,
        Some(key) => {
            let hash = Sha256::digest(&body).into();
            let patience = Duration::from_millis(proxy.deadlines.total);
            match proxy.idempotency.begin(&caller.who, key, hash, patience).await? {
                Begin::Known(reply) => return answer::again(&request, &reply),
                Begin::Fresh(slot) => Some(slot),
            }
        }
    };

    let limit = request.reply_tokens().unwrap_or(proxy.caps.max_tokens);
    let sent = served.provider.request(&request, &served.upstream, limit);
    // A token is at least a byte, so the bytes sent bound the tokens asked, but for what the chat template adds.
    let worst = served.prices.call(sent.len() as u64 + proxy.template_tokens, limit.into());
    let reservation = proxy.ledger.reserve(&caller.who, worst, app.now()).map_err(|error| exceeded(&app, &error))?;
    let mut call = Call::begin(&app, caller, Arc::clone(served), request, started, reservation, slot, running);
    match served.provider.open(&mut call, sent).await {
        Ok(Answer::Reply(reply)) => answer::whole(call, reply),
        Ok(Answer::Response(mut response)) if call.request.stream => match response.begin(&mut call).await {
            Ok(()) => answer::stream(call, response),
            Err(error) => Err(call.failed(error)),
        },
        Ok(Answer::Response(response)) => match call.gather(response, None).await {
            Ok(reply) => answer::whole(call, reply),
            Err(error) => Err(call.failed(error)),
        },
        Err(error) => Err(call.failed(error)),
    }
}

/// The key that makes several requests one call.
fn idempotency_key(headers: &HeaderMap) -> Result<Option<&str>, ApiError> {
    let mut all = headers.get_all("idempotency-key").iter();
    let key = match (all.next(), all.next()) {
        (None, _) => return Ok(None),
        (Some(key), None) => key.to_str().ok(),
        _ => None,
    };
    let good = key.filter(|key| (1..=128).contains(&key.len()) && key.bytes().all(|byte| byte.is_ascii_graphic()));
    let what = "Idempotency-Key must be given once, as 1 to 128 characters without spaces";
    good.map(Some).ok_or_else(|| ApiError::new(400, "idempotency_key", what))
}

fn exceeded(app: &App, error: &ReserveError) -> ApiError {
    match error {
        ReserveError::Exceeded(exceeded) => {
            const DAY: u64 = 24 * 60 * 60;
            let mut refused = ApiError::new(429, "budget_exceeded", exceeded.to_string());
            "insufficient_quota".clone_into(&mut refused.body.kind);
            // The other budgets do not come back by waiting.
            if exceeded.scope == Scope::Day { refused.after(DAY - app.now() % DAY) } else { refused }
        }
        ReserveError::Journal(cause) => {
            tracing::error!(%cause, "the file of budgets cannot be written, so no call is made");
            ApiError::new(500, "internal", "the call could not be entered in the budgets, so it is not made")
        }
    }
}
