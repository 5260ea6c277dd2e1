//! What goes wrong upstream, and what the client sees of it.

use crate::support::{Running, UPSTREAM_KEY, Upstream, ask, ask_stream, proxy, refusal};
use serde_json::Value;

/// The last event of a stream, which must be an error: its code.
fn stream_error(text: &str) -> String {
    assert!(!text.contains("[DONE]"), "{text}");
    let last = text.split_terminator("\n\n").last().unwrap().strip_prefix("data: ").unwrap();
    let last: Value = serde_json::from_str(last).unwrap();
    last["error"]["code"].as_str().unwrap_or_else(|| panic!("{text}")).to_owned()
}

async fn streamed(server: &Running, model: &str) -> String {
    let answer = server.chat("P1", &ask_stream(model)).send().await.unwrap();
    assert_eq!(answer.status(), 200);
    answer.text().await.unwrap()
}

async fn whole(server: &Running, model: &str) -> (u16, String) {
    refusal(server.chat("P1", &ask(model)).send().await.unwrap()).await
}

#[tokio::test]
async fn a_reply_that_is_not_whole_is_an_error_in_the_stream() {
    let upstream = Upstream::start().await;
    let server = Running::start(&proxy(&upstream, "")).await;
    for (model, code) in [("cut", "upstream_cut"), ("closed", "upstream_broken"), ("midstream", "upstream_endpoint")] {
        let text = streamed(&server, model).await;
        assert_eq!(stream_error(&text), code, "{model}");
        assert!(text.contains("Over"), "the words before it were passed on");
        assert!(!text.contains("sk-upstream"), "{text}");
    }
    let text = streamed(&server, "halfcall").await;
    assert_eq!(stream_error(&text), "upstream_cut");
    assert!(!text.contains("tool_calls"), "half a call was passed on: {text}");
    assert_eq!(stream_error(&streamed(&server, "nonsense").await), "upstream_form");
}

#[tokio::test]
async fn a_reply_that_is_not_whole_is_an_error() {
    let upstream = Upstream::start().await;
    let server = Running::start(&proxy(&upstream, "")).await;
    assert_eq!(whole(&server, "cut").await, (502, "upstream_cut".to_owned()));
    assert_eq!(whole(&server, "nonsense").await, (502, "upstream_form".to_owned()));
    assert_eq!(whole(&server, "halfcall").await, (502, "upstream_cut".to_owned()));
    // What may have been charged for counts in full; what was refused does not.
    let log = server.logged(3).await;
    assert!(log.iter().all(|call| call["counted_tokens"].as_u64() > Some(1024)), "{log:?}");
    assert!(log.iter().all(|call| call["attempts"] == 1), "tried again after the first byte: {log:?}");
}

#[tokio::test]
async fn replies_have_a_limit() {
    let upstream = Upstream::start().await;
    let server = Running::start(&proxy(&upstream, "[proxy.caps]\nreply_bytes = 10000\n")).await;
    assert_eq!(stream_error(&streamed(&server, "huge").await), "upstream_too_long");
    assert_eq!(stream_error(&streamed(&server, "endless").await), "upstream_too_long");
    upstream.opened(0).await;
}

#[tokio::test]
async fn upstream_is_tried_again_before_the_first_byte_only() {
    let check = async |model: &str, expected: (u16, &str), tries: usize, counted: bool| {
        let upstream = Upstream::start().await;
        let server = Running::start(&proxy(&upstream, "")).await;
        let answer = server.chat("P1", &ask(model)).send().await.unwrap();
        let status = answer.status().as_u16();
        let code = if status == 200 { String::new() } else { refusal(answer).await.1 };
        assert_eq!((status, code.as_str()), expected, "{model}");
        assert_eq!(upstream.requests(), tries, "{model}");
        assert_eq!(server.logged(1).await[0]["counted_tokens"].as_u64() > Some(0), counted, "{model}");
    };
    check("flaky", (200, ""), 3, true).await;
    check("patient", (200, ""), 2, true).await;
    check("error500", (502, "upstream_failed"), 3, false).await;
    check("error429", (429, "upstream_busy"), 3, false).await;
    check("error400", (400, "upstream_refused"), 1, false).await;
    check("error401", (502, "upstream_auth"), 1, false).await;
    check("busy", (429, "upstream_busy"), 1, false).await;
    check("redirect", (502, "upstream_failed"), 1, false).await;
    check("cut", (502, "upstream_cut"), 1, true).await;
}

#[tokio::test]
async fn a_longer_wait_than_ours_is_told_to_the_client() {
    let upstream = Upstream::start().await;
    let server = Running::start(&proxy(&upstream, "")).await;
    let answer = server.chat("P1", &ask("busy")).send().await.unwrap();
    assert_eq!(answer.headers()["retry-after"], "77");
}

#[tokio::test]
async fn no_key_is_in_any_answer_log_or_metric() {
    let upstream = Upstream::start().await;
    let server = Running::start(&proxy(&upstream, "")).await;
    let mut seen = String::new();
    for model in ["say", "error400", "error401", "keyleak", "error500", "midstream"] {
        seen += &server.chat("P1", &ask(model)).send().await.unwrap().text().await.unwrap();
        seen += &server.chat("P1", &ask_stream(model)).send().await.unwrap().text().await.unwrap();
    }
    server.logged(12).await;
    seen += &std::fs::read_to_string(server.files.path().join("calls.jsonl")).unwrap();
    seen += &server.metrics().await;
    for key in [UPSTREAM_KEY, crate::support::RESEARCHER, crate::support::SECRET, &server.token("P1")] {
        assert!(!seen.contains(key), "{seen}");
    }
    assert!(seen.contains("[key]"), "the mock did repeat the key, and it was taken out");
}

#[tokio::test]
async fn each_deadline_ends_the_call_and_upstream() {
    let check = async |deadline: &str, model: &str, stream: bool, code: &str| {
        let upstream = Upstream::start().await;
        let server = Running::start(&proxy(&upstream, &format!("[proxy.deadlines]\n{deadline} = 100\n"))).await;
        if stream {
            assert_eq!(stream_error(&streamed(&server, model).await), code, "{deadline} {model}");
        } else {
            assert_eq!(whole(&server, model).await, (504, code.to_owned()), "{deadline} {model}");
        }
        upstream.opened(0).await;
        let log = server.logged(1).await;
        assert_eq!(log[0]["outcome"], code);
        assert!(log[0]["counted_tokens"].as_u64() > Some(1024), "it may have worked on it");
    };
    check("first_byte", "hang", false, "deadline_first_byte").await;
    check("total", "hang", false, "deadline_total").await;
    check("idle", "stall", true, "deadline_idle").await;
    check("idle", "trickle", true, "deadline_idle").await;
    check("idle", "stall", false, "deadline_idle").await;
    check("total", "stall", true, "deadline_total").await;
}

#[tokio::test]
async fn an_upstream_that_is_not_there_costs_nothing() {
    let upstream = Upstream::start().await;
    let gone = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
    let text = proxy(&upstream, "").replace(&upstream.address.to_string(), &gone.to_string());
    let server = Running::start(&text).await;
    assert_eq!(whole(&server, "say").await, (502, "upstream_unreachable".to_owned()));
    assert_eq!(server.logged(1).await[0]["counted_tokens"], 0);
}

#[tokio::test]
async fn when_the_client_goes_upstream_is_dropped_and_the_call_settled() {
    let upstream = Upstream::start().await;
    let server = Running::start(&proxy(&upstream, "")).await;
    // In the middle of a stream.
    let mut answer = server.chat("P1", &ask_stream("stall")).send().await.unwrap();
    assert!(answer.chunk().await.unwrap().is_some());
    upstream.opened(1).await;
    drop(answer);
    upstream.opened(0).await;
    // Before there was an answer at all, streamed or not.
    for body in [ask("hang"), ask_stream("hang"), ask("stall")] {
        let waiting = tokio::spawn(server.chat("P1", &body).send());
        upstream.opened(1).await;
        waiting.abort();
        upstream.opened(0).await;
    }
    let log = server.logged(4).await;
    assert!(log.iter().all(|call| call["outcome"] == "client_gone"), "{log:?}");
    assert!(log.iter().all(|call| call["counted_tokens"].as_u64() > Some(1024)), "{log:?}");
    assert_eq!(server.metric("tandem_budget_tokens_reserved").await, 0);
    assert_eq!(server.metric("tandem_model_calls_running").await, 0);
}

#[tokio::test]
async fn a_client_that_does_not_read_does_not_hold_upstream() {
    let upstream = Upstream::start().await;
    let server =
        Running::start(&proxy(&upstream, "[proxy.deadlines]\ntotal = 500\n[proxy.caps]\nreply_bytes = 1000000000\n"))
            .await;
    let answer = server.chat("P1", &ask_stream("endless")).send().await.unwrap();
    upstream.opened(1).await;
    upstream.opened(0).await;
    assert_eq!(server.logged(1).await[0]["outcome"], "deadline_total");
    drop(answer);
}
