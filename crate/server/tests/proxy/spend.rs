//! Budgets at the edge.

use crate::support::{Running, Upstream, ask, ask_stream, proxy, refusal};
use serde_json::Value;
use std::sync::atomic::Ordering;

fn limited(model: &str, stream: bool) -> Value {
    let mut body = if stream { ask_stream(model) } else { ask(model) };
    body["max_tokens"] = 100.into();
    body
}

/// The worst case of a streamed call of `stall`, in tokens.
async fn worst() -> u64 {
    let upstream = Upstream::start().await;
    let server = Running::start(&proxy(&upstream, "")).await;
    drop(server.chat("P1", &limited("stall", true)).send().await.unwrap());
    server.logged(1).await[0]["counted_tokens"].as_u64().unwrap()
}

#[tokio::test]
async fn the_worst_case_fits_to_the_token_or_the_call_is_not_made() {
    let worst = worst().await;
    for (cap, fits) in [(worst, true), (worst - 1, false)] {
        for scope in ["session", "day", "all"] {
            let upstream = Upstream::start().await;
            let server = Running::start(&proxy(&upstream, &format!("[proxy.budgets.{scope}]\ntokens = {cap}\n"))).await;
            let answer = server.chat("P1", &limited("stall", true)).send().await.unwrap();
            if fits {
                assert_eq!(answer.status(), 200, "{scope}");
            } else {
                assert_eq!(answer.headers().contains_key("retry-after"), scope == "day", "{scope}");
                assert_eq!(refusal(answer).await, (429, "budget_exceeded".to_owned()), "{scope}");
                assert_eq!(upstream.requests(), 0, "upstream heard of a call that does not fit");
            }
        }
    }
}

#[tokio::test]
async fn fifty_parallel_calls_with_disconnects_never_overspend() {
    let worst = worst().await;
    let cap = 10 * worst + worst / 2;
    let upstream = Upstream::start().await;
    let server = Running::start(&proxy(&upstream, &format!("[proxy.budgets.all]\ntokens = {cap}\n"))).await;
    let calls = (0..50).map(|number| {
        let server = &server;
        async move {
            // A third is read to its end and costs all it may, a third goes away in the middle, a third at once.
            let (model, stream) = [("max", true), ("stall", true), ("max", false)][number % 3];
            let request = server.chat(&format!("P{number}"), &limited(model, stream));
            if model == "stall" {
                match request.send().await.unwrap() {
                    answer if answer.status() == 200 => drop(answer),
                    answer => return refusal(answer).await.0,
                }
                200
            } else {
                let answer = request.send().await.unwrap();
                let status = answer.status().as_u16();
                answer.bytes().await.unwrap();
                status
            }
        }
    });
    let statuses = futures_util::future::join_all(calls).await;
    let made = statuses.iter().filter(|status| **status == 200).count();
    assert!(statuses.iter().all(|status| matches!(status, 200 | 429)), "{statuses:?}");
    assert!((10..50).contains(&made), "{statuses:?}");
    server.logged(made).await;

    let charged = upstream.seen.charged.load(Ordering::SeqCst);
    let spent = server.metric("tandem_budget_tokens_spent").await;
    assert!(charged <= cap, "upstream charged {charged} of {cap}");
    assert!(charged <= spent && spent <= cap, "charged {charged}, spent {spent}, cap {cap}");
    assert_eq!(server.metric("tandem_budget_tokens_reserved").await, 0);
}

#[tokio::test]
async fn a_new_token_is_no_new_budget() {
    let upstream = Upstream::start().await;
    let server = Running::start(&proxy(&upstream, "[proxy.budgets.session]\nrequests = 1\n")).await;
    let status = async |who: &str, expires: u64| {
        let request = server.http.post(server.url("/v1/chat/completions")).json(&ask("say"));
        request.bearer_auth(crate::support::token(who, expires)).send().await.unwrap().status().as_u16()
    };
    assert_eq!(status("P1", u64::MAX).await, 200);
    assert_eq!(status("P1", u64::MAX - 1).await, 429);
    assert_eq!(status("P2", u64::MAX).await, 200);
}

#[tokio::test]
async fn money_is_limited_where_prices_are_known() {
    let upstream = Upstream::start().await;
    let mut text = proxy(&upstream, "")
        .replace("provider = \"mock\"\n", "provider = \"mock\"\ninput_price = 1.0\noutput_price = 2.0\n");
    // 1024 tokens of reply at worst are 0.002048; what is asked is some hundred more.
    text += "[proxy.budgets.all]\nmoney = 0.003\n";
    let server = Running::start(&text).await;
    assert_eq!(server.chat("P1", &ask("max")).send().await.unwrap().status(), 200);
    let second = server.chat("P1", &ask("max")).send().await.unwrap();
    assert_eq!(refusal(second).await, (429, "budget_exceeded".to_owned()));
    assert_eq!(upstream.requests(), 1);
}

#[tokio::test]
async fn spending_is_remembered_if_it_is_to_be() {
    let upstream = Upstream::start().await;
    let files = tempfile::TempDir::new().unwrap();
    let keep = files.path().join("budgets.jsonl");
    let more = format!("[proxy.budgets]\nfile = {keep:?}\n[proxy.budgets.all]\nrequests = 1\n");
    let mut server = Running::start(&proxy(&upstream, &more)).await;
    assert_eq!(server.chat("P1", &ask("say")).send().await.unwrap().status(), 200);
    server.logged(1).await;
    server.stop().await;
    let server = Running::start(&proxy(&upstream, &more)).await;
    assert_eq!(server.chat("P1", &ask("say")).send().await.unwrap().status(), 429);
}
