//! The metrics page, in Prometheus' text form.

use crate::app::{App, Peer};
use crate::body;
use crate::error::ApiError;
use crate::log::Entry;
use axum::extract::{Extension, State};
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::Registry;
use std::sync::Arc;

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Call {
    model: String,
    outcome: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Tokens {
    model: String,
    kind: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Chunk {
    outcome: String,
}

/// All that is counted. Labels are only what the configuration or this program names, never what a client sends.
pub struct Metrics {
    registry: Registry,
    calls: Family<Call, Counter>,
    tokens: Family<Tokens, Counter>,
    seconds: Histogram,
    first_byte: Histogram,
    /// Model calls that run.
    pub running: Gauge,
    spent: Gauge,
    reserved: Gauge,
    chunks: Family<Chunk, Counter>,
}

impl Default for Metrics {
    fn default() -> Self {
        let seconds = || Histogram::new([0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 120.0]);
        let mut metrics = Self {
            registry: Registry::with_prefix("tandem"),
            calls: Family::default(),
            tokens: Family::default(),
            seconds: seconds(),
            first_byte: seconds(),
            running: Gauge::default(),
            spent: Gauge::default(),
            reserved: Gauge::default(),
            chunks: Family::default(),
        };
        let registry = &mut metrics.registry;
        registry.register("model_calls", "Model calls by model and outcome", metrics.calls.clone());
        registry.register("model_tokens", "Tokens that upstream counted", metrics.tokens.clone());
        registry.register("model_call_seconds", "Model calls from beginning to end", metrics.seconds.clone());
        registry.register("model_first_byte_seconds", "Until the first byte of a reply", metrics.first_byte.clone());
        registry.register("model_calls_running", "Model calls that run", metrics.running.clone());
        registry.register("budget_tokens_spent", "Tokens spent, as the budgets count them", metrics.spent.clone());
        registry.register("budget_tokens_reserved", "Tokens reserved for running calls", metrics.reserved.clone());
        registry.register("data_chunks", "Chunks of data by outcome", metrics.chunks.clone());
        metrics
    }
}

impl Metrics {
    /// A model call has ended. `model` is a configured name.
    pub fn call(&self, entry: &Entry<'_>) {
        let model = entry.model.to_owned();
        self.calls.get_or_create(&Call { model: model.clone(), outcome: entry.outcome.to_owned() }).inc();
        self.seconds.observe(entry.millis as f64 / 1000.0);
        if let Some(millis) = entry.first_byte_millis {
            self.first_byte.observe(millis as f64 / 1000.0);
        }
        for (kind, tokens) in [("asked", entry.prompt_tokens), ("replied", entry.completion_tokens)] {
            let counter = self.tokens.get_or_create(&Tokens { model: model.clone(), kind }).clone();
            counter.inc_by(tokens.unwrap_or(0));
        }
    }

    /// A chunk of data was taken or refused. `outcome` is one of this program's words.
    pub fn chunk(&self, outcome: &str) {
        self.chunks.get_or_create(&Chunk { outcome: outcome.to_owned() }).inc();
    }
}

/// `GET /metrics`.
pub async fn page(
    State(app): State<Arc<App>>,
    Extension(Peer(peer)): Extension<Peer>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let Some(config) = &app.config.metrics else {
        return Err(ApiError::new(404, "off", "this server shows no metrics"));
    };
    match &config.key {
        Some(key) if body::bearer(&headers).is_some_and(|offered| key.is(offered)) => {}
        None if peer.is_loopback() => {}
        _ => return Err(ApiError::new(401, "metrics_key", "the key of metrics is needed: Authorization: Bearer KEY")),
    }
    if let Some(proxy) = &app.proxy {
        let (spent, reserved) = proxy.ledger.totals();
        app.metrics.spent.set(i64::try_from(spent.tokens).unwrap_or(i64::MAX));
        app.metrics.reserved.set(i64::try_from(reserved.tokens).unwrap_or(i64::MAX));
    }
    let mut text = String::new();
    encode(&mut text, &app.metrics.registry)
        .map_err(|_| ApiError::new(500, "internal", "the metrics could not be written"))?;
    let form = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    Ok(([(header::CONTENT_TYPE, form), (header::CACHE_CONTROL, "no-store")], text).into_response())
}
