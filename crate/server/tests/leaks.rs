//! What must not come out of the program: keys, in nothing it says, logs or keeps; and prompts, to nobody but the
//! upstream that was configured.
#![cfg(unix)]

mod support;

use serde_json::{Value, json};
use std::fs;
use std::io::{BufRead as _, BufReader, ErrorKind, Read as _};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use support::{RESEARCHER, SECRET, UPSTREAM_KEY, Upstream, ask, ask_stream, proxy, token};
use tempfile::TempDir;

const PROGRAM: &str = env!("CARGO_BIN_EXE_tandem-server");

/// Keys that stand in no sentence.
const DATA_KEY: &str = "data-canary-5d1c7e0b";
const METRICS_KEY: &str = "metrics-canary-90a2f4";

/// The program, told to say all it can.
struct Program {
    child: Child,
    out: BufReader<ChildStdout>,
    address: String,
    said: String,
    errors: PathBuf,
    http: reqwest::Client,
}

impl Program {
    fn start(config: &Path, variables: &[(&str, String)]) -> Self {
        let errors = config.with_extension("stderr");
        let mut command = Command::new(PROGRAM);
        command.arg("serve").arg("--config").arg(config).env("RUST_LOG", "trace");
        command.envs(variables.iter().map(|(name, value)| (name, value)));
        command.stdout(Stdio::piped()).stderr(fs::File::create(&errors).unwrap());
        let mut child = command.spawn().unwrap();
        let mut out = BufReader::new(child.stdout.take().unwrap());
        let mut said = String::new();
        out.read_line(&mut said).unwrap();
        let address = said.trim().to_owned();
        assert!(address.starts_with("http://"), "{}", fs::read_to_string(&errors).unwrap());
        let http = reqwest::Client::builder().no_proxy().build().unwrap();
        Self { child, out, address, said, errors, http }
    }

    async fn chat(&self, body: &Value) -> String {
        let request = self.http.post(format!("{}/v1/chat/completions", self.address));
        said(request.bearer_auth(token("P1", u64::MAX)).json(body)).await
    }

    /// Tells it to stop, waits for that, and gives all it said on standard output and standard error.
    fn stop(mut self) -> String {
        assert!(Command::new("kill").arg(self.child.id().to_string()).status().unwrap().success());
        self.child.wait().unwrap();
        self.out.read_to_string(&mut self.said).unwrap();
        self.said + &fs::read_to_string(&self.errors).unwrap()
    }
}

/// An answer with all that is in it, headers too; or why there is none.
async fn said(request: reqwest::RequestBuilder) -> String {
    match request.send().await {
        Ok(answer) => {
            let head = format!("{} {:?}", answer.status(), answer.headers());
            head + &answer.text().await.unwrap_or_default()
        }
        Err(error) => error.to_string(),
    }
}

/// All files below a directory, but those in which keys are given.
fn kept(directory: &Path, found: &mut String) {
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            kept(&path, found);
        } else if path.extension().is_none_or(|ending| ending != "toml") {
            found.push_str(&String::from_utf8_lossy(&fs::read(&path).unwrap()));
        }
    }
}

fn assert_no_key(text: &str, token: &str) {
    for key in [UPSTREAM_KEY, DATA_KEY, SECRET, METRICS_KEY, token] {
        let found = text.find(key).map(|at| String::from_utf8_lossy(&text.as_bytes()[at.saturating_sub(300)..at + 20]));
        assert!(found.is_none(), "a key came out: {found:?}");
    }
}

#[tokio::test]
async fn no_key_is_in_anything_the_program_says_logs_or_keeps() {
    let _ = rustls::crypto::ring::default_provider().install_default();
    let upstream = Upstream::start().await;
    let files = TempDir::new().unwrap();
    let nobody = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let more = format!(
        "[listen]\nport = 0\nstop_seconds = 0\n[proxy.budgets]\nfile = {:?}\n[proxy.deadlines]\nidle = 200\n\
         [proxy.providers.tape]\nkind = \"cassette\"\nfile = {:?}\nrecord = \"mock\"\n\
         [proxy.models.taped]\nprovider = \"tape\"\nupstream = \"say\"\n\
         [proxy.providers.nobody]\nkind = \"upstream\"\nbase_url = \"http://{nobody}/v1\"\nkey = {UPSTREAM_KEY:?}\n\
         [proxy.models.nobody]\nprovider = \"nobody\"\n",
        files.path().join("budgets.jsonl"),
        files.path().join("tape.jsonl"),
    );
    // The upstream's key comes from the environment, as the manual advises; words are logged too.
    let text = (support::base(files.path()) + &proxy(&upstream, &more))
        .replace("[log]\n", "[log]\ncontent = true\n")
        .replace(RESEARCHER, DATA_KEY)
        .replace("[metrics]\n", &format!("[metrics]\nkey = {METRICS_KEY:?}\n"))
        .replacen(&format!("key = {UPSTREAM_KEY:?}\n"), "", 1);
    let config = files.path().join("server.toml");
    fs::write(&config, text).unwrap();
    let key = ("TANDEM_SERVER__PROXY__PROVIDERS__MOCK__KEY", UPSTREAM_KEY.to_owned());
    let program = Program::start(&config, std::slice::from_ref(&key));
    let (url, http, token) = (program.address.clone(), program.http.clone(), token("P1", u64::MAX));

    // Good, refused, failed, cut off, and repeating the key in every way the mock knows.
    let mut seen = String::new();
    for model in Upstream::MODELS.iter().chain(&["taped", "nobody", "no-such-model"]) {
        if ["hang", "held", "endless", "late"].contains(model) {
            continue;
        }
        seen += &program.chat(&ask(model)).await;
        seen += &program.chat(&ask_stream(model)).await;
    }
    assert_eq!(upstream.last().0["authorization"], format!("Bearer {UPSTREAM_KEY}"), "the key was in use");
    assert!(seen.contains("[key]") && seen.contains("Over here!"), "{seen}");
    seen += &program.chat(&json!({"model": "say", "messages": [], "api_key": "x"})).await;
    // Keys offered where they are not taken.
    for offered in [UPSTREAM_KEY, DATA_KEY, SECRET, METRICS_KEY] {
        seen += &said(http.get(format!("{url}/v1/models")).bearer_auth(offered)).await;
        seen += &said(http.get(format!("{url}/v1/models")).header("x-api-key", offered)).await;
    }
    let wanted = json!({"study": "pilot", "participant": "P1", "condition": "other"});
    seen += &said(http.post(format!("{url}/v1/session")).json(&wanted)).await;
    // The data sink, and a session whose data somebody took away.
    let chunk = |number: u64| {
        let request = http.post(format!("{url}/v1/data/pilot/P1/s?chunk={number}")).bearer_auth(&token);
        request.header("content-type", "application/x-ndjson").body("{\"n\":0}\n")
    };
    seen += &said(chunk(0)).await;
    fs::write(files.path().join("data/pilot/P1/s.jsonl"), "").unwrap();
    let damaged = said(chunk(1)).await;
    assert!(damaged.contains("damaged"), "{damaged}");
    seen += &damaged;
    for (path, key) in [("v1/data/pilot.csv", DATA_KEY), ("v1/data/pilot.zip", "wrong"), ("metrics", METRICS_KEY)] {
        seen += &said(http.get(format!("{url}/{path}")).bearer_auth(key)).await;
    }
    // Told to stop in the middle of a stream.
    let mut stream = http.post(format!("{url}/v1/chat/completions")).bearer_auth(&token).json(&ask_stream("held"));
    stream = stream.header("idempotency-key", "k");
    let running = tokio::spawn(said(stream));
    upstream.opened(1).await;
    seen += &tokio::task::spawn_blocking(move || program.stop()).await.unwrap();
    seen += &running.await.unwrap();

    // Configurations that are refused: what is wrong is said, the key is not repeated.
    for wrong in [
        format!("[proxy.providers.x]\nkind = \"upstream\"\nkey = {UPSTREAM_KEY:?}\n"),
        format!("[proxy.providers.x]\nkind = \"scripted\"\nscript = \"none\"\nkey = {UPSTREAM_KEY:?}\n"),
        format!("[proxy.providers.x]\nkind = \"upstream\"\nkey = {UPSTREAM_KEY:?}\nkye = 1\n"),
        format!("[session]\nsecret = {SECRET:?}\nseconds = 0\n"),
        format!("[data]\ndir = \"\"\nkey = [{DATA_KEY:?}]\n"),
    ] {
        let file = files.path().join("wrong.toml");
        fs::write(&file, wrong).unwrap();
        for arguments in [["check"].as_slice(), ["serve", "--config"].as_slice()] {
            let done = Command::new(PROGRAM).args(arguments).arg(&file).output().unwrap();
            assert!(!done.status.success());
            seen += &String::from_utf8_lossy(&[done.stdout, done.stderr].concat());
        }
    }

    assert_no_key(&seen, &token);
    let mut files_text = String::new();
    kept(files.path(), &mut files_text);
    assert!(files_text.contains("Over here!") && files_text.contains("\"outcome\":\"upstream_auth\""), "{files_text}");
    assert_no_key(&files_text, &token);
}

#[tokio::test]
async fn a_proxy_of_the_environment_is_not_used() {
    let _ = rustls::crypto::ring::default_provider().install_default();
    let upstream = Upstream::start().await;
    let files = TempDir::new().unwrap();
    let config = files.path().join("server.toml");
    let more = "[listen]\nport = 0\n[proxy.deadlines]\nfirst_byte = 2000\n";
    fs::write(&config, support::base(files.path()) + &proxy(&upstream, more)).unwrap();
    let trap = TcpListener::bind("127.0.0.1:0").unwrap();
    trap.set_nonblocking(true).unwrap();
    let address = format!("http://{}", trap.local_addr().unwrap());
    let names = ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"];
    let mut variables: Vec<_> = names.iter().map(|name| (*name, address.clone())).collect();
    variables.extend([("NO_PROXY", String::new()), ("no_proxy", String::new())]);
    let program = Program::start(&config, &variables);
    let answer = program.chat(&ask("say")).await;
    assert!(answer.starts_with("200 ") && upstream.requests() == 1, "{answer}");
    assert_eq!(trap.accept().unwrap_err().kind(), ErrorKind::WouldBlock, "somebody called at the proxy");
    program.stop();
}
