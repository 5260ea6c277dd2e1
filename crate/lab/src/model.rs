//! A language model behind an endpoint, asked one question after another.
//!
//! [`Exchange`] says what to send and when to give up; this owns the socket and the clock. A thread has nothing better
//! to do than to wait, so pauses are slept and bodies are read as they come.

use crate::cli;
use crate::failure::bad;
use serde::Serialize;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::Read;
use std::thread::sleep;
use std::time::{Duration, Instant};
use tandem_core::{Millis, Seed};
use tandem_gnomes::language::model::{self, Situation};
use tandem_gnomes::{Action, Flag};
use tandem_llm::chat::{ChatRequest, Reply};
use tandem_llm::completions_url;
use tandem_llm::exchange::{Effect, Exchange, Input, Outcome, Patience};
use ureq::Agent;

/// Bytes read at once.
const PIECE: usize = 8 << 10;

/// The model, ready to be asked.
pub struct Model {
    url: String,
    name: String,
    key: Option<String>,
    patience: Patience,
    agent: Agent,
    /// A number for each question, by which its pauses and its idempotency key are drawn. It begins by chance: a proxy
    /// would take the keys of a former run for repeats.
    asked: u64,
    /// How long each question that was answered took.
    took: Vec<Duration>,
}

/// How long replies took, in milliseconds.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Took {
    /// Half of them took no longer.
    pub median: u64,
    /// Nineteen of twenty took no longer.
    pub p95: u64,
}

impl Model {
    /// The model that the options name.
    ///
    /// # Errors
    /// No endpoint or no model is named, or the endpoint or the key is none.
    pub fn new(options: &cli::Model) -> anyhow::Result<Self> {
        let (Some(endpoint), Some(name)) = (&options.endpoint, &options.model) else {
            return Err(bad("a language model needs --endpoint URL and --model NAME"));
        };
        let url = completions_url(endpoint).map_err(bad)?;
        let key = match &options.key_env {
            None => None,
            Some(variable) => {
                let missing = |error| bad(format_args!("the environment variable {variable}: {error}"));
                Some(std::env::var(variable).map_err(missing)?)
            }
        };
        let within = Millis(options.within);
        let patience = Patience { total: within, first_byte: within, idle: within, ..Patience::default() };
        let agent = Agent::config_builder()
            .http_status_as_error(false)
            .timeout_global(Some(Duration::from_millis(options.within)))
            .build()
            .into();
        let asked = RandomState::new().build_hasher().finish() % (Seed::MAX / 2);
        Ok(Self { url, name: name.clone(), key, patience, agent, asked, took: Vec::new() })
    }

    /// The model's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// How long replies took; nothing if there were none.
    pub fn took(&self) -> Option<Took> {
        let mut took = self.took.clone();
        took.sort_unstable();
        let at = |share: f64| {
            let index = (share * took.len() as f64).ceil() as usize;
            Some(took.get(index.saturating_sub(1))?.as_millis() as u64)
        };
        Some(Took { median: at(0.5)?, p95: at(0.95)? })
    }

    /// What a message means; or, in words, why the model did not say.
    pub fn intent(&mut self, message: &str, last_request: Option<Action>) -> Result<Flag<Action>, String> {
        let reply = self.ask(&model::intent_request(&self.name, message, last_request))?;
        model::read_intent(&reply).map_err(|error| error.to_string())
    }

    /// Which step its reader takes next; or, in words, why the model did not say.
    pub fn next_action(&mut self, situation: Situation<'_>) -> Result<Action, String> {
        let reply = self.ask(&model::next_action_request(&self.name, situation))?;
        model::read_next_action(&reply).map_err(|error| error.to_string())
    }

    fn ask(&mut self, request: &ChatRequest) -> Result<Reply, String> {
        let body = serde_json::to_value(request).map_err(|error| error.to_string())?;
        self.asked += 1;
        let chance = Seed::new(self.asked).map_err(|error| error.to_string())?.stream("model");
        let began = Instant::now();
        let now = || Millis(began.elapsed().as_millis() as u64);
        let (mut exchange, mut effects) = Exchange::begin(&body, self.patience, chance, now());
        loop {
            let mut wake = None;
            let mut sent = None;
            for effect in effects {
                match effect {
                    Effect::Send { attempt, key, body } => sent = Some((attempt, key, body)),
                    Effect::Wake(at) => wake = Some(at),
                    Effect::Over(outcome) => {
                        let Outcome { result, .. } = *outcome;
                        if result.is_ok() {
                            self.took.push(began.elapsed());
                        }
                        return result.map_err(|trouble| trouble.to_string());
                    }
                    Effect::Drop { .. } | Effect::Text(_) => {}
                }
            }
            effects = match sent {
                Some((attempt, key, body)) => self.send(&mut exchange, attempt, &key, &body, &now),
                None => {
                    let at = wake.unwrap_or_default();
                    sleep(Duration::from_millis(at.0.saturating_sub(now().0)));
                    exchange.handle(now(), Input::Wake)
                }
            };
        }
    }

    /// Sends one attempt and tells the exchange all that comes of it, until it wants something.
    fn send(
        &self,
        exchange: &mut Exchange,
        attempt: u32,
        key: &str,
        body: &[u8],
        now: &impl Fn() -> Millis,
    ) -> Vec<Effect> {
        let mut post = self.agent.post(&self.url).content_type("application/json").header("Idempotency-Key", key);
        if let Some(key) = &self.key {
            post = post.header("Authorization", format!("Bearer {key}"));
        }
        let mut response = match post.send(body) {
            Ok(response) => response,
            Err(error) => return exchange.handle(now(), Input::Broken { attempt, what: &error.to_string() }),
        };
        let retry_after =
            response.headers().get("retry-after").and_then(|value| value.to_str().ok()).map(str::to_owned);
        let status = response.status().as_u16();
        let head = Input::Head { attempt, status, retry_after: retry_after.as_deref() };
        let mut effects = exchange.handle(now(), head);
        let done =
            |effects: &[Effect]| effects.iter().any(|effect| matches!(effect, Effect::Over(_) | Effect::Drop { .. }));
        let mut reader = response.body_mut().as_reader();
        let mut piece = vec![0; PIECE];
        while !done(&effects) {
            let heard = match reader.read(&mut piece) {
                Ok(0) => exchange.handle(now(), Input::End { attempt }),
                Ok(length) => exchange.handle(now(), Input::Bytes { attempt, bytes: &piece[..length] }),
                Err(error) => exchange.handle(now(), Input::Broken { attempt, what: &error.to_string() }),
            };
            effects.extend(heard);
        }
        effects
    }
}
