//! Deadlines, pauses and keys where it is close.

use crate::calls::read;
use crate::support::{Running, UPSTREAM_KEY, Upstream, ask, ask_stream, proxy, refusal};
use crate::tape::{Canned, Tape};
use serde_json::{Value, json};

/// A whole reply in one event, without `[DONE]`.
const WHOLE: &str = "data: {\"choices\":[{\"delta\":{\"content\":\"a\"},\"finish_reason\":\"stop\"}]}\n\n";

fn canned(pieces: &[&str]) -> Canned {
    Canned { status: 200, pieces: pieces.iter().map(|piece| piece.as_bytes().to_vec()).collect(), ..Canned::default() }
}

#[tokio::test]
async fn upstream_that_says_the_end_and_hangs_has_replied() {
    let tape = Tape::start().await;
    let server = Running::start(&tape.proxy("[proxy.deadlines]\nidle = 100\n")).await;
    for body in [ask("tape"), ask_stream("tape")] {
        tape.will(Canned { hangs: true, ..canned(&[WHOLE]) });
        let answer = server.chat("P1", &body).send().await.unwrap();
        assert_eq!(read(&answer.bytes().await.unwrap()).text, "a");
    }
}

#[tokio::test]
async fn upstream_that_cannot_be_connected_in_time_is_a_504_and_costs_nothing() {
    // Takes connections and says nothing, so no TLS comes about.
    let mute = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let text = format!(
        "[proxy.providers.mute]\nkind = \"upstream\"\nbase_url = \"https://{}/v1\"\n[proxy.models.mute]\n\
         provider = \"mute\"\n[proxy.deadlines]\nconnect = 100\n",
        mute.local_addr().unwrap()
    );
    let server = Running::start(&text).await;
    for body in [ask("mute"), ask_stream("mute")] {
        let answer = server.chat("P1", &body).send().await.unwrap();
        assert_eq!(refusal(answer).await, (504, "deadline_connect".to_owned()));
    }
    assert!(server.logged(2).await.iter().all(|call| call["counted_tokens"] == 0));
}

/// A stream whose first byte does not come is answered with a status, as long as there is one to give.
#[tokio::test]
async fn a_head_is_no_first_byte() {
    let tape = Tape::start().await;
    let server = Running::start(&tape.proxy("[proxy.deadlines]\nfirst_byte = 100\n")).await;
    for body in [ask("tape"), ask_stream("tape")] {
        tape.will(Canned { hangs: true, ..canned(&[]) });
        let answer = server.chat("P1", &body).send().await.unwrap();
        assert_eq!(refusal(answer).await, (504, "deadline_first_byte".to_owned()));
    }
}

/// How long the pauses are is tested where they are drawn (`proxy/upstream.rs`); here, that the wish is heard.
#[tokio::test]
async fn upstream_is_tried_again_when_it_asks_for_a_pause_that_fits() {
    let tape = Tape::start().await;
    let server = Running::start(&tape.proxy("")).await;
    for status in [408, 429, 503] {
        tape.will(Canned { status, headers: vec![("retry-after", "0")], ..Canned::default() });
        tape.will(canned(&[WHOLE]));
        let answer = server.chat("P1", &ask_stream("tape")).send().await.unwrap();
        assert_eq!(read(&answer.bytes().await.unwrap()).text, "a");
        assert_eq!(tape.left(), 0);
    }
    tape.will(Canned { status: 503, headers: vec![("retry-after", "60")], ..Canned::default() });
    let answer = server.chat("P1", &ask("tape")).send().await.unwrap();
    assert_eq!(answer.headers()["retry-after"], "60");
    assert_eq!(refusal(answer).await, (502, "upstream_failed".to_owned()));
}

/// A second is allowed as a pause, but there is not so much left of the call.
#[tokio::test]
async fn upstream_that_asks_for_more_time_than_is_left_is_not_tried_again() {
    let tape = Tape::start().await;
    let server = Running::start(&tape.proxy("[proxy.deadlines]\ntotal = 900\n")).await;
    tape.will(Canned { status: 429, headers: vec![("retry-after", "1")], ..Canned::default() });
    tape.will(canned(&[WHOLE]));
    let answer = server.chat("P1", &ask("tape")).send().await.unwrap();
    assert_eq!(answer.headers()["retry-after"], "1");
    assert_eq!(refusal(answer).await, (429, "upstream_busy".to_owned()));
    assert_eq!(tape.left(), 1, "it was asked again");
}

/// A refusal may be a page of any length, or never end: its beginning is told, soon, and no key that it repeats.
#[tokio::test]
async fn a_refusal_is_read_as_far_as_it_says_something() {
    let tape = Tape::start().await;
    let text = tape.proxy("[proxy.deadlines]\ntotal = 500\n");
    let server = Running::start(&text.replace("kind = ", &format!("key = {UPSTREAM_KEY:?}\nkind = "))).await;
    // A hanging body, one that goes on, and one that is cut in the middle of the key.
    let cut = format!("{}{UPSTREAM_KEY} is wrong", "x".repeat(490));
    for (hangs, said) in [(true, "no".to_owned()), (true, "no".repeat(1 << 20)), (false, cut)] {
        tape.will(Canned { status: 400, hangs, ..canned(&[&said]) });
        let answer = server.chat("P1", &ask("tape")).send().await.unwrap().text().await.unwrap();
        assert!(answer.contains("upstream_refused") && answer.len() < 1000, "{answer}");
        assert!(!answer.contains(&UPSTREAM_KEY[..8]), "{answer}");
    }
}

#[tokio::test]
async fn what_a_chat_template_adds_is_reserved_too() {
    let upstream = Upstream::start().await;
    let counted = async |template: u64| {
        let more = format!("[proxy.budgets]\ntemplate_tokens = {template}\n");
        let server = Running::start(&proxy(&upstream, &more)).await;
        server.chat("P1", &ask("bare")).send().await.unwrap();
        server.logged(1).await[0]["counted_tokens"].as_u64().unwrap()
    };
    assert_eq!(counted(1000).await - counted(1).await, 999);
}

#[tokio::test]
async fn the_arguments_of_calls_are_characters_too() {
    let upstream = Upstream::start().await;
    let server = Running::start(&proxy(&upstream, "[proxy.caps]\ncharacters = 30\n")).await;
    for (length, status) in [(30, 200), (31, 422)] {
        let call = json!({"id": "c", "type": "function", "function": {"name": "go", "arguments": "x".repeat(length)}});
        let mut body = ask("say");
        body["messages"] = json!([{"role": "assistant", "tool_calls": [call]}]);
        assert_eq!(server.chat("P1", &body).send().await.unwrap().status(), status);
    }
    assert_eq!(upstream.requests(), 1);
}

#[tokio::test]
async fn a_key_whose_call_was_given_up_is_free_for_who_waits() {
    let upstream = Upstream::start().await;
    let server = Running::start(&proxy(&upstream, "")).await;
    let hang = ask("hang");
    let keyed = || server.chat("P1", &hang).header("idempotency-key", "k").send();
    let first = tokio::spawn(keyed());
    upstream.opened(1).await;
    let second = tokio::spawn(keyed());
    first.abort();
    while upstream.requests() < 2 {
        tokio::task::yield_now().await;
    }
    second.abort();
    upstream.opened(0).await;
    let log: Vec<Value> = server.logged(2).await;
    assert!(log.iter().all(|call| call["outcome"] == "client_gone"), "{log:?}");
}

#[tokio::test]
async fn an_answer_is_kept_only_for_its_time() {
    let upstream = Upstream::start().await;
    let server = Running::start(&format!("[proxy]\nidempotency_seconds = 0\n{}", proxy(&upstream, ""))).await;
    for _ in 0..2 {
        let answer = server.chat("P1", &ask("say")).header("idempotency-key", "k").send().await.unwrap();
        assert!(!answer.headers().contains_key("idempotent-replayed"));
    }
    assert_eq!(upstream.requests(), 2);
}
