//! Many streams at once through a server, and what it adds to their latency.
//!
//! The idea: this program is the model server and the clients at once, so that both have one clock. Each piece of a
//! stream carries the moment it was sent; the client takes the difference when it has the piece. The same streams go
//! straight to the model server first, then through `tandem-server`, a process of its own, and the difference of the
//! percentiles is what the proxy adds. Its memory is read along the way.
//!
//! Prints one JSON object: `proxy_added_p50_us`, `proxy_added_p99_us`, `streams`, `seconds`, `finished`, `pieces_per_s`, `errors`, and
//! the server's resident memory in KiB early on (after a sixth of the time), in the middle and at the end (0 where the
//! system does not tell).

use anyhow::{Context as _, Result, bail};
use axum::Router;
use axum::body::Body;
use axum::http::header;
use axum::response::IntoResponse as _;
use axum::routing::post;
use clap::Parser;
use futures_util::stream;
use serde_json::json;
use std::convert::Infallible;
use std::io::{BufRead as _, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use tandem_llm::stream::Decoder;

/// Pieces of one stream, and the pause between them.
const PIECES: u32 = 50;
const PAUSE: Duration = Duration::from_millis(40);

/// Measure what the proxy adds under load.
#[derive(Parser)]
struct Cli {
    /// The program to measure.
    #[arg(long)]
    server: PathBuf,
    /// Streams at the same time.
    #[arg(long, default_value_t = 200)]
    streams: usize,
    /// How long to go on, in seconds; the straight way is measured for a quarter of it.
    #[arg(long, default_value_t = 60)]
    seconds: u64,
}

/// What the clients saw.
#[derive(Default)]
struct Seen {
    latencies: Vec<u64>,
    finished: u64,
    errors: u64,
}

struct Server(Child);

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[tokio::main]
async fn main() -> Result<()> {
    let cli = Cli::parse();
    let start = Instant::now();
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    let upstream = format!("http://{}", listener.local_addr()?);
    let app = Router::new().route("/v1/chat/completions", post(move || async move { speak(start) }));
    tokio::spawn(async move { axum::serve(listener, app).await });

    let direct = load(&upstream, cli.streams, Duration::from_secs(cli.seconds.div_ceil(4)), start).await?;
    let files = tempfile::tempdir()?;
    let (server, address) = begin(&cli, &files, &upstream)?;
    let pid = server.0.id();
    let along = tokio::spawn(async move {
        tokio::time::sleep(Duration::from_secs(cli.seconds) / 6).await;
        let early = memory_kib(pid);
        tokio::time::sleep(Duration::from_secs(cli.seconds) / 3).await;
        (early, memory_kib(pid))
    });
    let proxied = load(&address, cli.streams, Duration::from_secs(cli.seconds), start).await?;
    let (early, middle) = along.await?;
    let end = memory_kib(pid);
    drop(server);

    let added =
        |percent| percentile(&proxied.latencies, percent) as i64 - percentile(&direct.latencies, percent) as i64;
    let figures = json!({
        "proxy_added_p50_us": added(50),
        "proxy_added_p99_us": added(99),
        "streams": cli.streams,
        "seconds": cli.seconds,
        "finished": proxied.finished,
        "pieces_per_s": proxied.latencies.len() as u64 / cli.seconds.max(1),
        "errors": direct.errors + proxied.errors,
        "memory_kib_early": early,
        "memory_kib_middle": middle,
        "memory_kib_end": end,
    });
    println!("{figures}");
    Ok(())
}

/// A reply of many pieces, each with the moment it was sent.
fn speak(start: Instant) -> axum::response::Response {
    let pieces = stream::unfold(0, move |number| async move {
        let frame = match number {
            0..PIECES => {
                tokio::time::sleep(PAUSE).await;
                let text = format!("{} ", start.elapsed().as_micros());
                json!({"choices": [{"index": 0, "delta": {"content": text}, "finish_reason": null}]})
            }
            PIECES => json!({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}],
                "usage": {"prompt_tokens": 5, "completion_tokens": PIECES, "total_tokens": PIECES + 5}}),
            _ => return None,
        };
        let end = if number == PIECES { "data: [DONE]\n\n" } else { "" };
        Some((Ok::<_, Infallible>(format!("data: {frame}\n\n{end}")), number + 1))
    });
    ([(header::CONTENT_TYPE, "text/event-stream")], Body::from_stream(pieces)).into_response()
}

/// Starts the server in front of the upstream.
fn begin(cli: &Cli, files: &tempfile::TempDir, upstream: &str) -> Result<(Server, String)> {
    let config = files.path().join("server.toml");
    let text = format!(
        "open = true\n[listen]\nport = 0\n[limits]\nsession_per_minute = 1000000\npeer_per_minute = 1000000\n\
         session_calls = {streams}\ncalls = {streams}\n[proxy.providers.mock]\nkind = \"upstream\"\n\
         base_url = \"{upstream}/v1\"\n[proxy.models.m]\nprovider = \"mock\"\n\
         [proxy.budgets.all]\ntokens = 1000000000000\n",
        streams = cli.streams * 2
    );
    std::fs::write(&config, text)?;
    let mut command = Command::new(&cli.server);
    command.arg("serve").arg("--config").arg(&config).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut server = Server(command.spawn().with_context(|| format!("{} does not start", cli.server.display()))?);
    let mut line = String::new();
    let out = server.0.stdout.take().context("the server has no output")?;
    BufReader::new(out).read_line(&mut line)?;
    if line.is_empty() {
        bail!("the server ended at once");
    }
    Ok((server, line.trim().to_owned()))
}

/// So many streams at the same time, one after the other in each place, until the time is over.
async fn load(address: &str, streams: usize, time: Duration, start: Instant) -> Result<Seen> {
    // The crypto of the client, which these addresses do not use; another part may have set it.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let http = reqwest::Client::builder().no_proxy().build()?;
    let until = Instant::now() + time;
    let errors = Arc::new(AtomicU64::new(0));
    let places: Vec<_> = (0..streams)
        .map(|_| {
            let (http, url, errors) = (http.clone(), format!("{address}/v1/chat/completions"), Arc::clone(&errors));
            tokio::spawn(async move {
                let mut seen = Seen::default();
                while Instant::now() < until {
                    match listen(&http, &url, start, &mut seen.latencies).await {
                        Ok(()) => seen.finished += 1,
                        Err(error) => {
                            if errors.fetch_add(1, Ordering::Relaxed) == 0 {
                                eprintln!("the first error: {error:#}");
                            }
                        }
                    }
                }
                seen
            })
        })
        .collect();
    let mut all = Seen::default();
    for place in places {
        let seen = place.await?;
        all.latencies.extend(seen.latencies);
        all.finished += seen.finished;
    }
    all.latencies.sort_unstable();
    all.errors = errors.load(Ordering::Relaxed);
    Ok(all)
}

/// One stream, heard to its end.
async fn listen(http: &reqwest::Client, url: &str, start: Instant, latencies: &mut Vec<u64>) -> Result<()> {
    let body = json!({"model": "m", "stream": true, "messages": [{"role": "user", "content": "Where?"}]});
    let mut answer = http.post(url).json(&body).send().await?.error_for_status()?;
    let mut decoder = Decoder::new(1 << 20);
    let (mut pieces, mut done) = (0, false);
    while let Some(bytes) = answer.chunk().await? {
        let now = start.elapsed().as_micros() as u64;
        for frame in decoder.feed(&bytes)? {
            done |= frame.data == "[DONE]";
            let Ok(chunk) = serde_json::from_str::<serde_json::Value>(&frame.data) else { continue };
            let text = chunk["choices"][0]["delta"]["content"].as_str().unwrap_or_default();
            for sent in text.split_whitespace().filter_map(|sent| sent.parse::<u64>().ok()) {
                latencies.push(now.saturating_sub(sent));
                pieces += 1;
            }
        }
    }
    if !done || pieces != PIECES { bail!("a stream ended after {pieces} pieces") } else { Ok(()) }
}

/// The value below which so many of a hundred lie; 0 if there are none.
fn percentile(sorted: &[u64], percent: usize) -> u64 {
    sorted.get((sorted.len() * percent / 100).min(sorted.len().saturating_sub(1))).copied().unwrap_or(0)
}

/// The resident memory of a process, where the system tells.
fn memory_kib(pid: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(0)
}
