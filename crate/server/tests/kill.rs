//! The program itself, killed while it writes, and on a disk that fills up.
#![cfg(unix)]

mod support;

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};
use support::token;
use tempfile::TempDir;

const PROGRAM: &str = env!("CARGO_BIN_EXE_tandem-server");

/// How often it is killed.
const RUNS: u64 = 100;

/// Participants that send at the same time.
const SENDERS: usize = 4;

struct Server {
    child: Child,
    address: String,
}

impl Server {
    fn start(command: &mut Command) -> Self {
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.trim().strip_prefix("http://").unwrap_or_else(|| panic!("it did not start")).to_owned();
        Self { child, address }
    }

    fn kill(mut self) {
        // SIGKILL: nothing is told, nothing is tidied.
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

fn configure(files: &TempDir) -> std::path::PathBuf {
    let file = files.path().join("server.toml");
    fs::write(&file, support::base(files.path()) + "[listen]\nport = 0\n").unwrap();
    file
}

fn plain(file: &Path) -> Command {
    let mut command = Command::new(PROGRAM);
    command.arg("serve").arg("--config").arg(file);
    command
}

/// The content of a chunk: known from its sender and number, of very different lengths.
fn chunk(sender: usize, number: u64) -> String {
    let length = (number * 7919 + sender as u64 * 104_729) % 30_000;
    format!("{{\"sender\":{sender},\"n\":{number},\"pad\":\"{}\"}}\n{{\"n\":{number}}}\n", "x".repeat(length as usize))
}

/// Sends a chunk; the status if there was an answer.
fn send(address: &str, sender: usize, number: u64, token: &str) -> Option<u16> {
    let body = chunk(sender, number);
    let mut stream = TcpStream::connect(address).ok()?;
    let head = format!(
        "POST /v1/data/pilot/P{sender}/s?chunk={number} HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\
         Authorization: Bearer {token}\r\nContent-Type: application/x-ndjson\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(body.as_bytes())).ok()?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).ok()?;
    answer.split(' ').nth(1)?.parse().ok()
}

/// All chunks before a number, as the file must have them.
fn expected(sender: usize, before: u64) -> String {
    (0..before).map(|number| chunk(sender, number)).collect()
}

fn stored(files: &TempDir, sender: usize) -> String {
    fs::read_to_string(files.path().join(format!("data/pilot/P{sender}/s.jsonl"))).unwrap_or_default()
}

/// Numbers that look drawn, the same in every run of the test.
fn drawn(seed: &mut u64, below: u64) -> u64 {
    *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*seed >> 33) % below
}

#[test]
fn killed_a_hundred_times_every_acknowledged_chunk_is_there_once_and_in_order() {
    let files = TempDir::new().unwrap();
    let config = configure(&files);
    let tokens: Vec<_> = (0..SENDERS).map(|sender| token(&format!("P{sender}"), u64::MAX)).collect();
    let mut acknowledged = [0_u64; SENDERS];
    let mut seed = 1;
    let mut torn = 0;
    for run in 0..RUNS {
        let server = Server::start(&mut plain(&config));
        let address = server.address.clone();
        let (told, hears) = mpsc::channel();
        let wanted = drawn(&mut seed, 12);
        let moment = Duration::from_micros(drawn(&mut seed, 3000));
        std::thread::scope(|scope| {
            for (sender, next) in acknowledged.iter_mut().enumerate() {
                let (told, address, token) = (told.clone(), &address, &tokens[sender]);
                scope.spawn(move || {
                    while let Some(status) = send(address, sender, *next, token) {
                        assert_eq!(status, 200, "chunk {next} of {sender}");
                        *next += 1;
                        let _ = told.send(());
                    }
                });
            }
            for _ in 0..wanted {
                hears.recv().unwrap();
            }
            let until = Instant::now() + moment;
            while Instant::now() < until {
                std::hint::spin_loop();
            }
            server.kill();
        });
        for (sender, &before) in acknowledged.iter().enumerate() {
            let (stored, must) = (stored(&files, sender), expected(sender, before));
            assert!(stored.starts_with(&must), "run {run}: sender {sender} lost some of {before} chunks");
            torn += usize::from(stored.len() > must.len());
        }
    }
    // Started again, what was not acknowledged is sent again, and nothing is there twice.
    let server = Server::start(&mut plain(&config));
    for (sender, next) in acknowledged.iter_mut().enumerate() {
        assert_eq!(send(&server.address, sender, *next, &tokens[sender]), Some(200));
        assert_eq!(stored(&files, sender), expected(sender, *next + 1));
    }
    server.kill();
    assert!(acknowledged.iter().sum::<u64>() > RUNS, "hardly anything was stored: {acknowledged:?}");
    assert!(torn > 0, "it was never killed within a write");
}

#[test]
fn on_a_full_disk_nothing_is_acknowledged_and_nothing_is_broken() {
    let files = TempDir::new().unwrap();
    let config = configure(&files);
    let token = token("P0", u64::MAX);
    // No file may grow beyond 100 blocks; the signal that comes with it is ignored, so writes fail or are cut short.
    let mut limited = Command::new("sh");
    limited.args(["-c", "trap '' XFSZ; ulimit -f 100; exec \"$0\" serve --config \"$1\"", PROGRAM]).arg(&config);
    let server = Server::start(&mut limited);
    let mut next = 0;
    let status = loop {
        match send(&server.address, 0, next, &token) {
            Some(200) => next += 1,
            other => break other,
        }
    };
    assert_eq!(status, Some(507));
    assert!(next > 0);
    assert_eq!(send(&server.address, 0, next, &token), Some(507), "it must stay refused");
    assert_eq!(stored(&files, 0), expected(0, next));
    server.kill();
    let server = Server::start(&mut plain(&config));
    for number in next..next + 3 {
        assert_eq!(send(&server.address, 0, number, &token), Some(200));
    }
    assert_eq!(stored(&files, 0), expected(0, next + 3));
    server.kill();
}
