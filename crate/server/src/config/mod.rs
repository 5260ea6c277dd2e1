//! The configuration: one TOML file, every key also by environment variable.
//!
//! `tandem-server.example.toml` beside this crate documents every key; a test holds the two together.
//! [`Config::load`] reads strictly (an unknown key is an error with its line), then checks what the types cannot say.
//! A part is on if its section is there: `[site]`, `[proxy]`, `[data]`, `[metrics]`.

mod check;
mod read;

pub use read::{ConfigError, ENV_PREFIX};

use crate::secret::Secret;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv4Addr};
use std::path::PathBuf;

/// All settings.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// No tokens are asked for; only on a loopback address.
    pub open: bool,
    /// Where and how to listen.
    pub listen: Listen,
    /// The static site; off if left out.
    pub site: Option<Site>,
    /// Which pages may call.
    pub cors: Cors,
    /// Who may have a session, and for how long.
    pub session: Sessions,
    /// How often may be called.
    pub limits: Limits,
    /// The proxy for language models; off if left out.
    pub proxy: Option<Proxy>,
    /// The data sink; off if left out.
    pub data: Option<Data>,
    /// The log of calls.
    pub log: Log,
    /// The metrics page; off if left out.
    pub metrics: Option<Metrics>,
}

/// Where and how to listen.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Listen {
    /// The address.
    pub host: IpAddr,
    /// The port; 0 takes any free one.
    pub port: u16,
    /// How many proxies in front append to `X-Forwarded-For`.
    pub trusted_hops: usize,
    /// Seconds that running answers may take once the server is told to stop.
    pub stop_seconds: u64,
    /// Seconds in which a request's head, and then its body, must have come.
    pub request_seconds: u64,
    /// The most connections at once.
    pub connections: usize,
}

impl Default for Listen {
    fn default() -> Self {
        Self {
            host: IpAddr::V4(Ipv4Addr::LOCALHOST),
            port: 8080,
            trusted_hops: 0,
            stop_seconds: 20,
            request_seconds: 20,
            connections: 2000,
        }
    }
}

/// The static site.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Site {
    /// The directory with the finished site.
    pub dir: PathBuf,
}

/// Which pages may call.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Cors {
    /// Origins as browsers send them: scheme, host, and port unless it is the scheme's own.
    pub origins: Vec<String>,
}

/// Who may have a session, and for how long.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Sessions {
    /// Signs the tokens; at least 32 bytes. One drawn at the start if left out, so tokens end with the process.
    pub secret: Option<Secret>,
    /// How long a token is good.
    pub seconds: u64,
    /// The studies, by their names.
    pub studies: BTreeMap<String, Study>,
}

impl Default for Sessions {
    fn default() -> Self {
        Self { secret: None, seconds: 2 * 60 * 60, studies: BTreeMap::new() }
    }
}

/// One study.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Study {
    /// The conditions a session may have; any plain name if empty.
    pub conditions: Vec<String>,
}

/// How often may be called.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Limits {
    /// Calls a minute by one session.
    pub session_per_minute: u32,
    /// Requests a minute from one peer, whatever they ask.
    pub peer_per_minute: u32,
    /// New sessions a minute from one peer.
    pub sessions_per_minute: u32,
    /// Model calls of one session at the same time.
    pub session_calls: u32,
    /// Model calls at the same time.
    pub calls: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self { session_per_minute: 60, peer_per_minute: 600, sessions_per_minute: 20, session_calls: 4, calls: 500 }
    }
}

/// The proxy for language models.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Proxy {
    /// Where replies come from, by names of one's own.
    #[serde(default)]
    pub providers: BTreeMap<String, Provider>,
    /// Which models may be asked for, by names of one's own.
    #[serde(default)]
    pub models: BTreeMap<String, Model>,
    /// How large a request may be.
    #[serde(default)]
    pub caps: Caps,
    /// How long to wait for what.
    #[serde(default)]
    pub deadlines: Deadlines,
    /// How often to try.
    #[serde(default)]
    pub retries: Retries,
    /// How much may be spent.
    #[serde(default)]
    pub budgets: Budgets,
    /// How long the answer to an idempotency key is kept, in seconds.
    #[serde(default = "ten_minutes")]
    pub idempotency_seconds: u64,
}

fn ten_minutes() -> u64 {
    600
}

/// Where replies come from. Which of the fields are for it depends on its kind.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Provider {
    /// What it is.
    pub kind: Kind,
    /// Upstream: its address up to and with `/v1`.
    pub base_url: Option<String>,
    /// Upstream: its key, if it wants one.
    pub key: Option<Secret>,
    /// Upstream: whether it may be asked to tell the tokens of a stream.
    #[serde(default = "yes")]
    pub stream_usage: bool,
    /// Upstream: how it names the limit of tokens.
    #[serde(default)]
    pub limit_field: LimitField,
    /// Scripted: the file with the rules, JSON.
    pub script: Option<PathBuf>,
    /// Cassette: the file with the answers, JSON Lines.
    pub file: Option<PathBuf>,
    /// Cassette: the provider whose answers are recorded; they are played back if left out.
    pub record: Option<String>,
}

/// What a provider is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A server that speaks the chat-completions form.
    Upstream,
    /// Rules instead of a model.
    Scripted,
    /// Recorded answers.
    Cassette,
}

fn yes() -> bool {
    true
}

/// How an upstream names the limit of tokens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LimitField {
    /// The older name, which nearly all know.
    #[default]
    MaxTokens,
    /// The newer name, which some models insist on.
    MaxCompletionTokens,
}

/// One model that may be asked for.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Model {
    /// The name to ask for; the name of the section if left out.
    pub name: Option<String>,
    /// Other names for it.
    #[serde(default)]
    pub aliases: Vec<String>,
    /// One of the providers.
    pub provider: String,
    /// Its name there; the same if left out.
    pub upstream: Option<String>,
    /// The price of a million tokens asked.
    pub input_price: Option<f64>,
    /// The price of a million tokens replied.
    pub output_price: Option<f64>,
}

/// How large a request may be. What is larger is refused.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Caps {
    /// Bytes of the body.
    pub bytes: usize,
    /// Messages.
    pub messages: usize,
    /// Characters in all messages together.
    pub characters: usize,
    /// Tools.
    pub tools: usize,
    /// Tokens of the reply; also what is asked for where a request names no limit.
    pub max_tokens: u32,
    /// Bytes of a reply from upstream.
    pub reply_bytes: usize,
}

impl Default for Caps {
    fn default() -> Self {
        Self { bytes: 256 << 10, messages: 100, characters: 100_000, tools: 32, max_tokens: 1024, reply_bytes: 4 << 20 }
    }
}

/// How long to wait for what, in milliseconds.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Deadlines {
    /// Until upstream is connected.
    pub connect: u64,
    /// From sending an attempt to the first byte.
    pub first_byte: u64,
    /// From one byte to the next.
    pub idle: u64,
    /// From the beginning to the end, all attempts and pauses together.
    pub total: u64,
}

impl Default for Deadlines {
    fn default() -> Self {
        Self { connect: 5_000, first_byte: 30_000, idle: 20_000, total: 120_000 }
    }
}

/// How often to try.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Retries {
    /// Attempts in all; 1 means no retry.
    pub attempts: u32,
    /// The longest first pause, in milliseconds; it doubles from attempt to attempt.
    pub pause: u64,
    /// The longest pause, in milliseconds. An upstream that asks for a longer one is not tried again.
    pub longest_pause: u64,
}

impl Default for Retries {
    fn default() -> Self {
        Self { attempts: 3, pause: 500, longest_pause: 8_000 }
    }
}

/// How much may be spent.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Budgets {
    /// What the chat template adds to a request at most, in tokens.
    pub template_tokens: u64,
    /// Where spending is kept over restarts; forgotten if left out.
    pub file: Option<PathBuf>,
    /// By one participant of one study.
    pub session: Budget,
    /// In one day (UTC).
    pub day: Budget,
    /// In all.
    pub all: Budget,
}

impl Default for Budgets {
    fn default() -> Self {
        let none = Budget::default();
        Self { template_tokens: 256, file: None, session: none, day: none, all: none }
    }
}

/// Limits of one scope; what is left out is not limited.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Budget {
    /// Calls.
    pub requests: Option<u64>,
    /// Tokens, asked and replied together.
    pub tokens: Option<u64>,
    /// Money, in the currency of the prices.
    pub money: Option<f64>,
}

/// The data sink.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Data {
    /// The directory of the files.
    pub dir: PathBuf,
    /// The researcher's key, for reading; at least 16 bytes. Nobody reads if left out.
    pub key: Option<Secret>,
    /// Bytes of one chunk.
    #[serde(default = "one_mebibyte")]
    pub chunk_bytes: usize,
    /// Bytes of one session's file.
    #[serde(default = "many_mebibytes")]
    pub session_bytes: u64,
    /// Sessions of one participant.
    #[serde(default = "hundred")]
    pub sessions: usize,
    /// Bytes of all files; not limited if left out.
    pub all_bytes: Option<u64>,
}

fn one_mebibyte() -> usize {
    1 << 20
}

fn many_mebibytes() -> u64 {
    64 << 20
}

fn hundred() -> usize {
    100
}

/// The log of calls.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Log {
    /// The file, JSON Lines; no log if left out.
    pub file: Option<PathBuf>,
    /// Whether prompts and replies are in it.
    pub content: bool,
}

/// The metrics page.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Metrics {
    /// The key to read it; at least 16 bytes. Without one only loopback peers may.
    pub key: Option<Secret>,
}
