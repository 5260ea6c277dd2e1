//! A server in this process, and a mock of the server it asks.

#![allow(dead_code, reason = "each test program uses some of it")]

mod upstream;

pub use upstream::Upstream;

use serde_json::{Value, json};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::Path;
use tandem_server::{Claims, Config, Secret, Server, Signer};
use tempfile::TempDir;
use tokio::sync::oneshot;

/// Signs the tokens of all test servers.
pub const SECRET: &str = "a secret of thirty-two bytes or more";

/// The researcher's key of all test servers.
pub const RESEARCHER: &str = "the researcher's key";

/// The key of the mock upstream.
pub const UPSTREAM_KEY: &str = "sk-upstream-0123456789";

/// A running server with a directory of its own.
pub struct Running {
    pub address: SocketAddr,
    pub files: TempDir,
    pub http: reqwest::Client,
    stop: Option<oneshot::Sender<()>>,
    ended: Option<tokio::task::JoinHandle<()>>,
}

/// The sections that nearly all tests want: a study, generous limits, and a place for data.
pub fn base(files: &Path) -> String {
    format!(
        "[session]\nsecret = {SECRET:?}\n[session.studies.pilot]\nconditions = [\"comm\", \"mute\"]\n\
         [limits]\nsession_per_minute = 100000\npeer_per_minute = 100000\nsessions_per_minute = 100000\nsession_calls = 200\n\
         [data]\ndir = {:?}\nkey = {RESEARCHER:?}\n[log]\nfile = {:?}\n[metrics]\n",
        files.join("data"),
        files.join("calls.jsonl"),
    )
}

/// The configuration of a proxy in front of the mock; every behaviour of the mock is a model.
pub fn proxy(upstream: &Upstream, more: &str) -> String {
    let mut text = format!(
        "[proxy.providers.mock]\nkind = \"upstream\"\nbase_url = \"http://{}/v1\"\nkey = {UPSTREAM_KEY:?}\n\
         [proxy.retries]\npause = 1\n",
        upstream.address
    );
    for model in Upstream::MODELS {
        text.push_str(&format!("[proxy.models.{model}]\nprovider = \"mock\"\n"));
    }
    text.push_str(more);
    text
}

impl Running {
    /// Starts a server with `base` and more sections; `@` stands for its directory.
    pub async fn start(more: &str) -> Self {
        let files = TempDir::new().unwrap();
        let text = base(files.path()) + &more.replace('@', files.path().to_str().unwrap());
        Self::start_with(&text, files).await
    }

    /// Starts a server with exactly this configuration.
    pub async fn start_with(text: &str, files: TempDir) -> Self {
        let config = Config::read(text, None, []).unwrap_or_else(|error| panic!("{error}\n{text}"));
        let listener = tandem_server::listen(IpAddr::V4(Ipv4Addr::LOCALHOST), 0, false).await.unwrap();
        let address = listener.local_addr().unwrap();
        let server = Server::open(config, listener).unwrap();
        let (stop, stopped) = oneshot::channel::<()>();
        let ended = tokio::spawn(server.run(async {
            stopped.await.ok();
        }));
        let _ = rustls::crypto::ring::default_provider().install_default();
        let http = reqwest::Client::builder().no_proxy().build().unwrap();
        Self { address, files, http, stop: Some(stop), ended: Some(ended) }
    }

    /// Tells it to stop and waits until it has.
    pub async fn stop(&mut self) {
        drop(self.stop.take());
        if let Some(ended) = self.ended.take() {
            ended.await.unwrap();
        }
    }

    /// Tells it to stop.
    pub fn tell_to_stop(&mut self) {
        drop(self.stop.take());
    }

    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// A token of the study `pilot`, good for this participant.
    pub fn token(&self, participant: &str) -> String {
        token(participant, u64::MAX)
    }

    /// A chat request of a participant, not sent yet.
    pub fn chat(&self, participant: &str, body: &Value) -> reqwest::RequestBuilder {
        self.http.post(self.url("/v1/chat/completions")).bearer_auth(self.token(participant)).json(body)
    }

    /// A chunk of data, not sent yet.
    pub fn chunk(&self, participant: &str, session: &str, number: u64, body: &str) -> reqwest::RequestBuilder {
        self.http
            .post(self.url(&format!("/v1/data/pilot/{participant}/{session}?chunk={number}")))
            .bearer_auth(self.token(participant))
            .header("content-type", "application/x-ndjson")
            .body(body.to_owned())
    }

    pub fn stored(&self, path: &str) -> String {
        std::fs::read_to_string(self.files.path().join("data").join(path)).unwrap()
    }

    pub fn log(&self) -> Vec<Value> {
        let text = std::fs::read_to_string(self.files.path().join("calls.jsonl")).unwrap_or_default();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// The metrics page.
    pub async fn metrics(&self) -> String {
        self.http.get(self.url("/metrics")).send().await.unwrap().text().await.unwrap()
    }

    /// One number of the metrics page.
    pub async fn metric(&self, name: &str) -> u64 {
        let page = self.metrics().await;
        let line = page.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' ')).unwrap_or("0");
        line.parse().unwrap_or_else(|_| panic!("{name}: {line}"))
    }

    /// Waits until so many calls are in the log, that is until they are settled.
    pub async fn logged(&self, calls: usize) -> Vec<Value> {
        loop {
            let log = self.log();
            if log.len() >= calls {
                return log;
            }
            tokio::task::yield_now().await;
        }
    }
}

/// A token of the study `pilot`.
pub fn token(participant: &str, expires: u64) -> String {
    let claims = Claims {
        study: "pilot".to_owned(),
        participant: participant.to_owned(),
        condition: "comm".to_owned(),
        expires,
    };
    Signer::new(&Secret::new(SECRET)).token(&claims)
}

/// The simplest request.
pub fn ask(model: &str) -> Value {
    json!({"model": model, "messages": [{"role": "user", "content": "Where?"}]})
}

/// The same, streamed.
pub fn ask_stream(model: &str) -> Value {
    let mut body = ask(model);
    body["stream"] = true.into();
    body
}

/// Status and error code of an answer.
pub async fn refusal(answer: reqwest::Response) -> (u16, String) {
    let status = answer.status().as_u16();
    let body: Value = answer.json().await.unwrap_or_default();
    assert!(body["error"]["message"].is_string() && body["error"]["type"].is_string(), "{body}");
    (status, body["error"]["code"].as_str().unwrap_or_default().to_owned())
}
