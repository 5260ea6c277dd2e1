//! The commands that ask a language model, against a small server that answers by the scripted rules, or not at all.

#[allow(dead_code, reason = "helpers shared with the other test files")]
mod program;

use program::{Ran, file, lab, refused};
use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::thread;
use tandem_llm::Script;
use tandem_llm::chat::ChatRequest;
use tandem_llm::stream::frames;
use tempfile::TempDir;

const RULES: &str = include_str!("../../gnomes/language/scripted.json");

/// Four messages: what they mean, and what their reader did next.
const LINES: &str = r#"{"id":1,"message":"go left please","last_agent_request":null,"flag":"left","next_action":"left"}
{"id":2,"message":"ok","last_agent_request":"up","flag":"accept","next_action":"down","open":["stay","down"]}
{"id":3,"message":"where is it?","last_agent_request":null,"flag":"inquiry","next_action":"stay"}
{"id":4,"message":"i can't","last_agent_request":"left","flag":"reject","next_action":"up"}
"#;

/// Serves one connection after another in the background; gives the address.
fn served(answer: impl Fn(&ChatRequest, &mut TcpStream) + Send + 'static) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            if let Some(body) = body(&stream) {
                answer(&ChatRequest::read(&body).unwrap(), &mut stream);
            }
        }
    });
    format!("http://{address}/v1")
}

/// The body of a request, which must bear the key.
fn body(stream: &TcpStream) -> Option<Vec<u8>> {
    let mut reader = BufReader::new(stream);
    let (mut length, mut keyed, mut line) = (0, false, String::new());
    while reader.read_line(&mut line).ok()? > 2 {
        let header = line.to_lowercase();
        if let Some(value) = header.strip_prefix("content-length:") {
            length = value.trim().parse().ok()?;
        }
        keyed |= header.trim() == "authorization: bearer sesame";
        line.clear();
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    keyed.then_some(body)
}

fn scripted() -> String {
    let script = Script::read(RULES).unwrap();
    served(move |request, stream| {
        let reply = script.reply(request).unwrap();
        let events = frames(&reply, 5, true).concat();
        write!(stream, "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n{events}")
            .unwrap();
    })
}

fn refusing(status: u16) -> String {
    served(move |_, stream| {
        let body = r#"{"error":{"message":"out of order","type":"server_error","code":"broken"}}"#;
        let length = body.len();
        write!(stream, "HTTP/1.1 {status} No\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}").unwrap();
    })
}

/// Runs a command with a model that listens there.
fn asked(command: &str, lines: &str, endpoint: &str, more: &[&str]) -> Ran {
    let dir = TempDir::new().unwrap();
    let path = file(&dir, "lines.jsonl", lines);
    let mut arguments = vec!["gnomes", command, "--file", &path, "--endpoint", endpoint, "--model", "m"];
    arguments.extend(["--key-env", "TANDEM_TEST_KEY"]);
    arguments.extend(more);
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_tandem-lab"))
        .args(&arguments)
        .env("TANDEM_TEST_KEY", "sesame")
        .output()
        .unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Ran { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
}

#[test]
fn a_model_reads_every_message() {
    let Ran { code, out, err } = asked("intents", LINES, &scripted(), &["--parser", "llm"]);
    assert_eq!(code, Some(0), "{err}");
    let flags: Vec<Value> =
        out.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()["flag"].clone()).collect();
    assert_eq!(flags, ["left", "accept", "inquiry", "reject"]);
    let (took, judged) = err.split_once('\n').unwrap();
    assert!(took.starts_with("replies took ") && judged.starts_with("4 of 4 right: 100.00%"), "{err}");
}

#[test]
fn where_the_model_fails_the_embedded_parser_reads_and_says_so() {
    let Ran { code, out, err } = asked("intents", LINES, &refusing(404), &["--parser", "llm"]);
    assert_eq!((code, out.lines().count()), (Some(0), 4), "{err}");
    assert!(err.contains("4 of 4 were read by the embedded parser"), "{err}");
    assert!(err.contains("out of order"), "{err}");
    assert!(err.contains("4 of 4 right: 100.00%"), "{err}");
}

#[test]
fn both_accuracies_stand_side_by_side() {
    let Ran { code, out, err } = asked("h1", LINES, &scripted(), &[]);
    assert_eq!((code, err.as_str()), (Some(0), ""));
    // The rules predict left, stay, stay and stay.
    let expected = "flags        4 of 4 right: 100.00% (95% interval 51.01% to 100.00%)\n\
                    next actions 2 of 4 right: 50.00% (95% interval 15.00% to 85.00%)\n\
                    McNemar's exact test: only the flag right 2, only the next action right 0, p = 0.5000\n";
    assert_eq!(out, expected);
    let Ran { out, .. } = asked("h1", LINES, &scripted(), &["--json"]);
    let found: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(found["mcnemar"]["only_first"], 2);
    assert_eq!(found["unanswered"], serde_json::json!([0, 0]));
    assert!(found["millis"]["median"].as_u64() <= found["millis"]["p95"].as_u64() && found["millis"]["p95"].is_u64());
}

#[test]
fn a_model_that_does_not_answer_knows_nothing() {
    let Ran { code, out, err } = asked("h1", LINES, &refusing(401), &["--json"]);
    assert_eq!(code, Some(0), "{err}");
    let found: Value = serde_json::from_str(&out).unwrap();
    assert_eq!((&found["flags"]["successes"], &found["unanswered"]), (&0.into(), &serde_json::json!([4, 4])));
}

#[test]
fn what_is_missing_is_named() {
    let dir = TempDir::new().unwrap();
    let path = file(&dir, "lines.jsonl", LINES);
    refused(&["gnomes", "intents", "--file", &path, "--parser", "llm"], &["--endpoint", "--model"]);
    refused(&["gnomes", "h1", "--file", &path, "--endpoint", "nowhere", "--model", "m"], &["nowhere", "https://"]);
    let keyless =
        ["gnomes", "h1", "--file", &path, "--endpoint", "http://h", "--model", "m", "--key-env", "NO_SUCH_KEY"];
    refused(&keyless, &["NO_SUCH_KEY"]);
    let bare = file(&dir, "bare.jsonl", r#"{"id":1,"message":"go","flag":"none"}"#);
    refused(
        &["gnomes", "h1", "--file", &bare, "--endpoint", "http://h", "--model", "m"],
        &["message 1", "next_action"],
    );
    let empty = file(&dir, "empty.jsonl", "\n");
    refused(&["gnomes", "h1", "--file", &empty, "--endpoint", "http://h", "--model", "m"], &["no messages"]);
    assert_eq!(lab(&["gnomes", "h1", "--file", "nothing-here"]).code, Some(2));
}

#[test]
fn recorded_games_become_lines_for_h1() {
    let dir = TempDir::new().unwrap();
    let traces = dir.path().join("traces");
    let traces = traces.to_str().unwrap();
    let game = ["gnomes", "eval", "--agent", "comm", "--games", "2", "--iterations", "20", "--traces", traces];
    assert_eq!(lab(&game).code, Some(0));
    let lines = |more: &[&str]| -> Vec<Value> {
        let out = program::printed(&[["gnomes", "snippets", traces].as_slice(), more].concat());
        out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    };
    let all = lines(&[]);
    let text = |line: &Value, field: &str| line[field].as_str().unwrap_or_default().to_owned();
    assert!(all.iter().any(|line| text(line, "flag") == "reject"), "nothing was refused");
    assert!(all.iter().any(|line| line["last_agent_request"].is_string()), "nothing was asked");
    let steps = ["right", "up", "left", "down", "stay"];
    for line in &all {
        assert!(line["open"].as_array().unwrap().contains(&line["next_action"]), "through a wall: {line}");
        let flag = text(line, "flag");
        // A step asked for stands in the words that ask for it, a refused one was asked for.
        match flag.as_str() {
            "reject" => assert!(text(line, "message").contains(&text(line, "last_agent_request")), "{line}"),
            "stay" => {}
            step => assert!(steps.contains(&step) && text(line, "message").contains(step), "{line}"),
        }
    }
    // The simulated human mostly does what it is asked, if it can; the agent does as it thinks best.
    let heard = lines(&["--speaker", "1"]);
    let open = |line: &&Value| line["open"].as_array().unwrap().contains(&line["flag"]);
    let asked: Vec<&Value> = heard.iter().filter(open).collect();
    let done = asked.iter().filter(|line| line["flag"] == line["next_action"]).count();
    assert!(2 * done > asked.len() && !asked.is_empty(), "{done} of {}", asked.len());

    // In other words, and fewer.
    let words = file(&dir, "words.jsonl", r#"{"id":1,"message":"nope","last_agent_request":"left","flag":"reject"}"#);
    for (line, other) in all.iter().zip(lines(&["--words", &words])) {
        let fits = line["flag"] == "reject" && line["last_agent_request"] == "left";
        assert_eq!(text(&other, "message") == "nope", fits, "{line} {other}");
        assert_eq!((&line["id"], &line["next_action"]), (&other["id"], &other["next_action"]));
    }
    let few = lines(&["--most", "5"]);
    assert!(few.len() == 5 && few.iter().all(|line| all.contains(line)), "{few:?}");
    refused(&["gnomes", "snippets", &words], &["words.jsonl"]);
    let silent = dir.path().join("silent");
    std::fs::create_dir(&silent).unwrap();
    refused(&["gnomes", "snippets", silent.to_str().unwrap()], &["says nothing"]);
}

/// A real model server, where one runs: `TANDEM_LLM_URL=http://127.0.0.1:8080/v1`, `TANDEM_LLM_MODEL` if it wants a name.
/// A weak model may read wrongly; the wire, the strict reading and the fallback must hold.
#[test]
fn a_real_server_reads_messages_streaming() {
    let Ok(url) = std::env::var("TANDEM_LLM_URL") else { return };
    let model = std::env::var("TANDEM_LLM_MODEL").unwrap_or_else(|_| "default".to_owned());
    let dir = TempDir::new().unwrap();
    let path = file(&dir, "lines.jsonl", LINES);
    let Ran { code, out, err } =
        lab(&["gnomes", "h1", "--file", &path, "--endpoint", &url, "--model", &model, "--json"]);
    assert_eq!(code, Some(0), "{err}");
    let found: Value = serde_json::from_str(&out).unwrap();
    let unanswered = found["unanswered"].as_array().unwrap().iter().filter_map(Value::as_u64).sum::<u64>();
    assert!(unanswered < 8, "not one reply was usable: {err}");
}
