//! What goes well.

use crate::support::{Running, UPSTREAM_KEY, Upstream, ask, ask_stream, proxy, refusal};
use serde_json::{Value, json};
use tandem_llm::chat::{Finish, Reply, Usage};
use tandem_llm::stream::{Gather, StreamEvent};

/// The reply in an answer, whether it is streamed or not.
pub fn read(answer: &[u8]) -> Reply {
    let mut gather = Gather::new(1 << 24);
    let mut events = gather.feed(answer);
    events.extend(gather.end());
    match events.pop() {
        Some(StreamEvent::Finished(reply)) => reply,
        other => panic!("{other:?} in {}", String::from_utf8_lossy(answer)),
    }
}

#[tokio::test]
async fn a_chat_passes_and_the_client_sees_nothing_of_upstream() {
    let upstream = Upstream::start().await;
    let server = Running::start(&proxy(&upstream, "")).await;
    let request = server.chat("P1", &ask("say")).header("x-own", "1").header("cookie", "a=b");
    let answer = request.send().await.unwrap();
    assert_eq!(answer.status(), 200);
    let body: Value = answer.json().await.unwrap();
    assert_eq!(body["choices"][0]["message"]["content"], "Over here!");
    assert_eq!((&body["model"], &body["object"]), (&"say".into(), &"chat.completion".into()));
    assert_eq!(body["usage"]["total_tokens"], 7);

    let (headers, sent) = upstream.last();
    assert_eq!(headers["authorization"], format!("Bearer {UPSTREAM_KEY}"));
    assert!(!headers.contains_key("x-own") && !headers.contains_key("cookie"), "{headers:?}");
    assert_eq!(sent, json!({"model": "say", "max_tokens": 1024, "messages": [{"role": "user", "content": "Where?"}]}));
}

#[tokio::test]
async fn a_stream_passes_as_any_client_library_expects_it() {
    let upstream = Upstream::start().await;
    let server = Running::start(&proxy(&upstream, "")).await;
    let mut body = ask_stream("say");
    body["stream_options"] = json!({"include_usage": true});
    let answer = server.chat("P1", &body).send().await.unwrap();
    assert_eq!(answer.headers()["content-type"], "text/event-stream");
    let text = answer.text().await.unwrap();
    let chunks: Vec<&str> = text.split_terminator("\n\n").map(|chunk| chunk.strip_prefix("data: ").unwrap()).collect();
    assert_eq!(chunks.last(), Some(&"[DONE]"));
    let chunks: Vec<Value> =
        chunks[..chunks.len() - 1].iter().map(|chunk| serde_json::from_str(chunk).unwrap()).collect();
    assert_eq!(chunks[0]["choices"][0]["delta"], json!({"role": "assistant", "content": ""}));
    assert_eq!(chunks[1]["choices"][0]["delta"], json!({"content": "Over"}));
    assert!(chunks.iter().all(|chunk| chunk["id"] == chunks[0]["id"] && chunk["model"] == "say"));
    let reply = read(text.as_bytes());
    assert_eq!((reply.text.as_str(), reply.usage), ("Over here!", Some(Usage::new(5, 2))));
    assert_eq!(upstream.last().1["stream_options"], json!({"include_usage": true}));
    // Usage is always asked of upstream, but told only to those who ask.
    let text = server.chat("P1", &ask_stream("say")).send().await.unwrap().text().await.unwrap();
    assert!(!text.contains("usage"), "{text}");
    assert_eq!(server.logged(2).await[1]["counted_tokens"], 7);
}

#[tokio::test]
async fn a_tool_call_arrives_whole_in_both_ways() {
    let upstream = Upstream::start().await;
    let server = Running::start(&proxy(&upstream, "")).await;
    for mut body in [ask("call"), ask_stream("call")] {
        body["tools"] = json!([{"type": "function", "function": {"name": "go", "parameters": {"type": "object"}}}]);
        body["tool_choice"] = "required".into();
        let answer = server.chat("P1", &body).send().await.unwrap().bytes().await.unwrap();
        let reply = read(&answer);
        assert_eq!((reply.finish, reply.calls.len()), (Finish::ToolCalls, 1));
        assert_eq!((reply.calls[0].name.as_str(), reply.calls[0].arguments.as_str()), ("go", "{\"to\": \"left\"}"));
        assert_eq!(upstream.last().1["tool_choice"], "required");
    }
}

#[tokio::test]
async fn models_have_names_of_our_own() {
    let upstream = Upstream::start().await;
    let more =
        "[proxy.models.fast]\nprovider = \"mock\"\nname = \"lab/fast\"\naliases = [\"quick\"]\nupstream = \"say\"\n";
    let server = Running::start(&proxy(&upstream, more)).await;
    for name in ["lab/fast", "quick"] {
        let answer = server.chat("P1", &ask(name)).send().await.unwrap();
        let body: Value = answer.json().await.unwrap();
        assert_eq!(body["model"], "lab/fast");
        assert_eq!(upstream.last().1["model"], "say");
    }
    let list = server.http.get(server.url("/v1/models"));
    assert_eq!(refusal(list.try_clone().unwrap().send().await.unwrap()).await.0, 401);
    let list: Value = list.bearer_auth(server.token("P1")).send().await.unwrap().json().await.unwrap();
    let names: Vec<_> = list["data"].as_array().unwrap().iter().filter_map(|model| model["id"].as_str()).collect();
    assert!(names.contains(&"quick") && names.contains(&"lab/fast") && !names.contains(&"fast"), "{names:?}");
}

#[tokio::test]
async fn the_limit_of_tokens_is_named_as_upstream_wants_it() {
    let upstream = Upstream::start().await;
    let text = proxy(&upstream, "")
        .replace("kind = ", "limit_field = \"max_completion_tokens\"\nstream_usage = false\nkind = ");
    let server = Running::start(&text).await;
    let mut body = ask_stream("say");
    body["max_tokens"] = 9.into();
    server.chat("P1", &body).send().await.unwrap().text().await.unwrap();
    let sent = upstream.last().1;
    assert_eq!((&sent["max_completion_tokens"], &sent["max_tokens"]), (&9.into(), &Value::Null));
    assert!(sent.get("stream_options").is_none());
}

#[tokio::test]
async fn a_session_is_given_and_works() {
    let upstream = Upstream::start().await;
    let server = Running::start(&proxy(&upstream, "")).await;
    let wanted = json!({"study": "pilot", "participant": "P7", "condition": "mute"});
    let given: Value =
        server.http.post(server.url("/v1/session")).json(&wanted).send().await.unwrap().json().await.unwrap();
    assert_eq!((&given["participant"], &given["condition"]), (&"P7".into(), &"mute".into()));
    let request = server.http.post(server.url("/v1/chat/completions")).json(&ask("say"));
    let answer = request.bearer_auth(given["token"].as_str().unwrap()).send().await.unwrap();
    assert_eq!(answer.status(), 200);
    assert_eq!(server.logged(1).await[0]["condition"], "mute");
}

#[tokio::test]
async fn the_log_has_figures_and_words_only_if_asked_for() {
    let upstream = Upstream::start().await;
    let server = Running::start(&proxy(&upstream, "")).await;
    server.chat("P1", &ask("say")).send().await.unwrap();
    let log = server.logged(1).await;
    for (field, value) in [("study", "pilot"), ("participant", "P1"), ("model", "say"), ("outcome", "ok")] {
        assert_eq!(log[0][field], value, "{field}");
    }
    assert_eq!((&log[0]["prompt_tokens"], &log[0]["completion_tokens"]), (&5.into(), &2.into()));
    assert!(log[0]["millis"].is_u64() && log[0]["time"].as_str().unwrap().ends_with('Z'));
    let text = log[0].to_string();
    assert!(!text.contains("Where?") && !text.contains("Over here!"), "{text}");

    let files = tempfile::TempDir::new().unwrap();
    let text = crate::support::base(files.path()).replace("[log]\n", "[log]\ncontent = true\n") + &proxy(&upstream, "");
    let server = Running::start_with(&text, files).await;
    server.chat("P1", &ask("say")).send().await.unwrap();
    let text = server.logged(1).await[0].to_string();
    assert!(text.contains("Where?") && text.contains("Over here!"), "{text}");
}

#[tokio::test]
async fn metrics_count_what_happened() {
    let upstream = Upstream::start().await;
    let server = Running::start(&proxy(&upstream, "")).await;
    server.chat("P1", &ask("say")).send().await.unwrap();
    server.chunk("P1", "s", 0, "{}\n").send().await.unwrap();
    server.logged(1).await;
    assert_eq!(server.metric("tandem_model_calls_total{model=\"say\",outcome=\"ok\"}").await, 1);
    assert_eq!(server.metric("tandem_model_tokens_total{model=\"say\",kind=\"replied\"}").await, 2);
    assert_eq!(server.metric("tandem_budget_tokens_spent").await, 7);
    assert_eq!(server.metric("tandem_model_calls_running").await, 0);
    assert_eq!(server.metric("tandem_data_chunks_total{outcome=\"stored\"}").await, 1);
}

#[tokio::test]
async fn an_idempotency_key_makes_several_requests_one_call() {
    let upstream = Upstream::start().await;
    let server = Running::start(&proxy(&upstream, "")).await;
    let send = async |who: &str, key: &str, body: Value| {
        server.chat(who, &body).header("idempotency-key", key).send().await.unwrap()
    };
    let first = send("P1", "k1", ask("say")).await;
    assert!(!first.headers().contains_key("idempotent-replayed"));
    let again = send("P1", "k1", ask("say")).await;
    assert_eq!(again.headers()["idempotent-replayed"], "true");
    assert_eq!(read(&again.bytes().await.unwrap()).text, "Over here!");
    assert_eq!(upstream.requests(), 1);
    assert_eq!(server.metric("tandem_budget_tokens_spent").await, 7);

    let together = (0..5).map(|_| send("P1", "k2", ask_stream("say")));
    for answer in futures_util::future::join_all(together).await {
        assert_eq!(read(&answer.bytes().await.unwrap()).text, "Over here!");
    }
    assert_eq!(upstream.requests(), 2);

    assert_eq!(refusal(send("P1", "k1", ask("call")).await).await, (422, "idempotency_key".to_owned()));
    send("P2", "k1", ask("say")).await;
    assert_eq!(upstream.requests(), 3, "the key of another participant is another key");
    for key in ["", "with space", &"x".repeat(129)] {
        assert_eq!(refusal(send("P1", key, ask("say")).await).await, (400, "idempotency_key".to_owned()), "{key:?}");
    }
    let twice = server.chat("P1", &ask("say")).header("idempotency-key", "k4").header("idempotency-key", "k5");
    assert_eq!(refusal(twice.send().await.unwrap()).await, (400, "idempotency_key".to_owned()));
    // A call that failed is no answer: the next request tries again.
    for _ in 0..2 {
        assert_eq!(send("P1", "k3", ask("error400")).await.status(), 400);
    }
    assert_eq!(upstream.requests(), 5);
}
