//! Where replies come from: upstream, rules, or a tape.

use super::ProxyError;
use super::call::Call;
use super::upstream::{Client, Upstream};
use crate::caller::Who;
use crate::config::{self, Kind};
use crate::error::ApiError;
use bytes::Bytes;
use std::collections::{BTreeMap, HashMap};
use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Write as _};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use tandem_llm::chat::{ChatRequest, Refusal, Reply};
use tandem_llm::{Cassette, Player, Script};

/// Where replies come from.
pub(super) enum Provider {
    /// Another server.
    Upstream(Client),
    /// Rules.
    Scripted(Script),
    /// Recorded answers, with where each participant is in them.
    Playing(Cassette, Mutex<HashMap<Who, Player>>),
    /// Another provider, whose replies are recorded.
    Recording(Arc<Provider>, Mutex<File>),
}

/// What a provider gives.
pub(super) enum Answer {
    /// All of it at once.
    Reply(Reply),
    /// The beginning of a reply.
    Response(Upstream),
}

/// Makes all providers of a configuration; those that record need the others.
pub(super) fn open_all(settings: &config::Proxy) -> Result<BTreeMap<String, Arc<Provider>>, ProxyError> {
    let mut all = BTreeMap::new();
    let (recording, plain): (Vec<_>, Vec<_>) =
        settings.providers.iter().partition(|(_, provider)| provider.record.is_some());
    for (name, provider) in plain.into_iter().chain(recording) {
        if let Some(opened) = open(name, provider, settings, &all)? {
            all.insert(name.clone(), Arc::new(opened));
        }
    }
    Ok(all)
}

/// Makes one; nothing where a needed field is missing, which a checked configuration has not.
fn open(
    name: &str,
    provider: &config::Provider,
    settings: &config::Proxy,
    others: &BTreeMap<String, Arc<Provider>>,
) -> Result<Option<Provider>, ProxyError> {
    let wrong = |file: &Path, what: String| ProxyError::File { provider: name.to_owned(), file: file.to_owned(), what };
    let read = |file: &Path| std::fs::read_to_string(file).map_err(|cause| wrong(file, cause.to_string()));
    Ok(match (provider.kind, &provider.script, &provider.file, &provider.record) {
        (Kind::Upstream, ..) => Client::new(name, provider, settings)?.map(Provider::Upstream),
        (Kind::Scripted, Some(file), ..) => {
            let script = Script::read(&read(file)?).map_err(|error| wrong(file, error.to_string()))?;
            Some(Provider::Scripted(script))
        }
        (Kind::Cassette, _, Some(file), None) => {
            let cassette = Cassette::read(&read(file)?).map_err(|error| wrong(file, error.to_string()))?;
            Some(Provider::Playing(cassette, Mutex::default()))
        }
        (Kind::Cassette, _, Some(path), Some(other)) => {
            match std::fs::read_to_string(path) {
                Ok(text) => drop(Cassette::read(&text).map_err(|error| wrong(path, error.to_string()))?),
                Err(error) if error.kind() == ErrorKind::NotFound => {}
                Err(error) => return Err(wrong(path, error.to_string())),
            }
            let file = OpenOptions::new().create(true).append(true).open(path);
            let file = file.map_err(|cause| wrong(path, cause.to_string()))?;
            others.get(other).map(|other| Provider::Recording(Arc::clone(other), Mutex::new(file)))
        }
        _ => None,
    })
}

impl Provider {
    /// The body that is sent for a request, or would be.
    pub(super) fn request(&self, request: &ChatRequest, model: &str, limit: u32) -> Bytes {
        match self {
            Self::Upstream(client) => client.body(request, model, limit),
            Self::Recording(other, _) => other.request(request, model, limit),
            // Texts, numbers and JSON values: writing them cannot fail.
            Self::Scripted(_) | Self::Playing(..) => serde_json::to_vec(request).unwrap_or_default().into(),
        }
    }

    /// Asks, until a reply begins.
    pub(super) async fn open(&self, call: &mut Call, body: Bytes) -> Result<Answer, ApiError> {
        match self {
            Self::Upstream(client) => Ok(Answer::Response(client.send(call, body).await?)),
            Self::Scripted(script) => {
                call.attempts = 1;
                // The proxy's own limit holds for rules too.
                let mut request = call.request.clone();
                if request.reply_tokens().is_none() {
                    request.max_tokens = call.app.proxy.as_ref().map(|proxy| proxy.caps.max_tokens);
                }
                script.reply(&request).map(Answer::Reply).map_err(|refusal| refused(&refusal))
            }
            Self::Playing(cassette, players) => {
                call.attempts = 1;
                let mut players = players.lock().unwrap_or_else(PoisonError::into_inner);
                let player = players.entry(call.caller.who.clone()).or_default();
                match player.play(cassette, &call.request) {
                    Ok(Ok(reply)) => Ok(Answer::Reply(reply)),
                    Ok(Err(refusal)) => Err(refused(&refusal)),
                    Err(miss) => Err(ApiError::new(404, "cassette", miss.to_string())),
                }
            }
            Self::Recording(other, _) => Box::pin(other.open(call, body)).await,
        }
    }

    /// Takes note of a reply, if that is its task.
    pub(super) fn replied(&self, request: &ChatRequest, reply: &Reply) {
        let Self::Recording(_, file) = self else { return };
        let line = Cassette::default().record(request, Ok(reply.clone()));
        let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
        if let Err(cause) = file.write_all(line.as_bytes()) {
            tracing::warn!(%cause, "a reply could not be recorded");
        }
    }
}

fn refused(refusal: &Refusal) -> ApiError {
    ApiError::new(refusal.status, refusal.error.code.as_deref().unwrap_or("refused"), &refusal.error.message)
}
