//! Providers that need no model.

use crate::calls::read;
use crate::support::{Running, Upstream, ask, ask_stream, proxy, refusal};
use std::fs;
use tempfile::TempDir;

const SCRIPT: &str = r#"{"rules": [
    {"when": {"any": ["where"]}, "then": [{"say": "Left of you."}]},
    {"when": {"any": ["fail"]}, "then": [{"refuse": {"status": 429, "message": "too fast"}}]}
], "otherwise": {"say": "What?"}}"#;

async fn with_files(files: TempDir, more: &str) -> Running {
    let text = crate::support::base(files.path()) + &more.replace('@', files.path().to_str().unwrap());
    Running::start_with(&text, files).await
}

#[tokio::test]
async fn rules_answer_without_a_network() {
    let files = TempDir::new().unwrap();
    fs::write(files.path().join("rules.json"), SCRIPT).unwrap();
    let more = "[proxy.providers.rules]\nkind = \"scripted\"\nscript = \"@/rules.json\"\n\
                [proxy.models.m]\nprovider = \"rules\"\n";
    let server = with_files(files, more).await;
    for body in [ask("m"), ask_stream("m")] {
        let answer = server.chat("P1", &body).send().await.unwrap();
        assert_eq!(read(&answer.bytes().await.unwrap()).text, "Left of you.");
    }
    let mut body = ask("m");
    body["messages"][0]["content"] = "fail".into();
    assert_eq!(refusal(server.chat("P1", &body).send().await.unwrap()).await, (429, "scripted".to_owned()));
    assert!(server.logged(3).await[0]["counted_tokens"].as_u64() > Some(0));
}

#[tokio::test]
async fn what_is_recorded_is_played_again_to_each_participant() {
    let upstream = Upstream::start().await;
    let files = TempDir::new().unwrap();
    let tape = "[proxy.providers.tape]\nkind = \"cassette\"\nfile = \"@/tape.jsonl\"\nrecord = \"mock\"\n\
                [proxy.models.taped]\nprovider = \"tape\"\nupstream = \"say\"\n";
    let server = with_files(files, &proxy(&upstream, tape)).await;
    for body in [ask("taped"), ask_stream("taped")] {
        let answer = server.chat("P1", &body).send().await.unwrap();
        assert_eq!(read(&answer.bytes().await.unwrap()).text, "Over here!");
    }
    assert_eq!(upstream.requests(), 2);
    let recorded = fs::read_to_string(server.files.path().join("tape.jsonl")).unwrap();
    drop(server);

    let files = TempDir::new().unwrap();
    fs::write(files.path().join("tape.jsonl"), recorded).unwrap();
    let tape = "[proxy.providers.tape]\nkind = \"cassette\"\nfile = \"@/tape.jsonl\"\n\
                [proxy.models.taped]\nprovider = \"tape\"\n";
    let server = with_files(files, tape).await;
    for who in ["P1", "P2"] {
        for body in [ask_stream("taped"), ask("taped")] {
            let answer = server.chat(who, &body).send().await.unwrap();
            assert_eq!(read(&answer.bytes().await.unwrap()).text, "Over here!");
        }
        let third = server.chat(who, &ask("taped")).send().await.unwrap();
        assert_eq!(refusal(third).await, (404, "cassette".to_owned()));
    }
    assert_eq!(upstream.requests(), 2, "nobody was asked again");
}

#[tokio::test]
async fn an_open_server_asks_for_no_token() {
    let files = TempDir::new().unwrap();
    fs::write(files.path().join("rules.json"), SCRIPT).unwrap();
    let more = format!(
        "open = true\n[data]\ndir = {:?}\n[proxy.providers.rules]\nkind = \"scripted\"\nscript = {:?}\n\
         [proxy.models.m]\nprovider = \"rules\"\n",
        files.path().join("data"),
        files.path().join("rules.json"),
    );
    let server = Running::start_with(&more, files).await;
    let bare = server.http.post(server.url("/v1/chat/completions")).json(&ask("m"));
    assert_eq!(bare.send().await.unwrap().status(), 200);
    let with_any = server.http.post(server.url("/v1/chat/completions")).json(&ask("m")).bearer_auth("sk-none");
    assert_eq!(with_any.send().await.unwrap().status(), 200);
    assert_eq!(server.chunk("anybody", "s", 0, "{}\n").send().await.unwrap().status(), 200);
    // Pages of other origins are still kept out, and so is what they can send without asking.
    let foreign =
        server.http.post(server.url("/v1/chat/completions")).json(&ask("m")).header("origin", "https://evil.org");
    assert_eq!(refusal(foreign.send().await.unwrap()).await, (403, "origin".to_owned()));
    let simple = server.http.post(server.url("/v1/chat/completions")).header("content-type", "text/plain");
    assert_eq!(refusal(simple.body(ask("m").to_string()).send().await.unwrap()).await.1, "content_type");
}
