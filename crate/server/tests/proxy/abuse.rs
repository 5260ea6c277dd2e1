//! Hard to abuse: each guard, and what happens to those who try.

use crate::support::{Running, Upstream, ask, proxy, refusal, token};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

async fn start(more: &str) -> (Upstream, Running) {
    let upstream = Upstream::start().await;
    let server = Running::start(&proxy(&upstream, more)).await;
    (upstream, server)
}

/// A server whose sections of `base` are changed.
async fn start_changed(change: impl Fn(String) -> String, more: &str) -> (Upstream, Running) {
    let upstream = Upstream::start().await;
    let files = tempfile::TempDir::new().unwrap();
    let text = change(crate::support::base(files.path())) + &proxy(&upstream, more);
    (upstream, Running::start_with(&text, files).await)
}

#[tokio::test]
async fn only_listed_pages_may_call() {
    let (upstream, server) = start("[cors]\norigins = [\"https://study.example.org\"]\n").await;
    let from = async |origins: &[&str]| {
        let mut request = server.chat("P1", &ask("say"));
        for origin in origins {
            request = request.header("origin", *origin);
        }
        let answer = request.send().await.unwrap();
        let allowed =
            answer.headers().get("access-control-allow-origin").map(|value| value.to_str().unwrap().to_owned());
        (answer.status().as_u16(), allowed)
    };
    let own = format!("http://127.0.0.1:{}", server.address.port());
    for origin in ["https://study.example.org", &own] {
        assert_eq!(from(&[origin]).await, (200, Some(origin.to_owned())));
    }
    assert_eq!(from(&[]).await, (200, None), "a program says nothing");
    let made = upstream.requests();
    for origin in [
        "https://evil.org",
        "null",
        "",
        "https://study.example.org.evil.org",
        "https://study.example.org:444",
        "http://study.example.org",
        "https://STUDY.example.org",
        "https://study.example.org/",
        "http://127.0.0.1:1",
    ] {
        assert_eq!(from(&[origin]).await, (403, None), "{origin}");
    }
    assert_eq!(from(&["https://study.example.org", "https://evil.org"]).await, (403, None));
    assert_eq!(upstream.requests(), made);
}

#[tokio::test]
async fn an_allowed_origin_is_no_authentication() {
    let (_, server) = start("[cors]\norigins = [\"https://study.example.org\"]\n").await;
    let request = server.http.post(server.url("/v1/chat/completions")).json(&ask("say"));
    let answer = request.header("origin", "https://study.example.org").send().await.unwrap();
    assert_eq!(answer.headers()["access-control-allow-origin"], "https://study.example.org", "the page may read why");
    assert_eq!(refusal(answer).await, (401, "no_token".to_owned()));
}

#[tokio::test]
async fn browsers_are_told_who_may_call() {
    let (_, server) = start("[cors]\norigins = [\"https://study.example.org\"]\n").await;
    let ask_first = async |origin: &str| {
        let request = server.http.request(reqwest::Method::OPTIONS, server.url("/v1/chat/completions"));
        let request = request.header("origin", origin).header("access-control-request-method", "POST");
        request
            .header("access-control-request-headers", "authorization,content-type,idempotency-key")
            .send()
            .await
            .unwrap()
    };
    let told = ask_first("https://study.example.org").await;
    assert_eq!(told.status(), 200);
    assert_eq!(told.headers()["access-control-allow-origin"], "https://study.example.org");
    assert!(told.headers()["access-control-allow-headers"].to_str().unwrap().contains("idempotency-key"));
    assert!(!told.headers().contains_key("access-control-allow-credentials"));
    let foreign = ask_first("https://evil.org").await;
    assert_eq!(foreign.status(), 403);
    assert!(!foreign.headers().contains_key("access-control-allow-origin"));
}

#[tokio::test]
async fn only_a_good_token_opens() {
    let (upstream, server) = start("").await;
    let with = async |name: &str, values: &[String]| {
        let mut request = server.http.post(server.url("/v1/chat/completions")).json(&ask("say"));
        for value in values {
            request = request.header(name, value);
        }
        request.send().await.unwrap().status().as_u16()
    };
    let good = token("P1", u64::MAX);
    let (claims, signature) = good.rsplit_once('.').unwrap();
    let (_, others) = token("P2", u64::MAX).rsplit_once('.').map(|(a, b)| (a.to_owned(), b.to_owned())).unwrap();
    let bearer = |token: &str| [format!("Bearer {token}")];
    assert_eq!(with("authorization", &bearer(&good)).await, 200);
    for wrong in ["", "x", "a.b.c", claims, &format!("{claims}."), &format!("{claims}.{others}"), &token("P1", 1)] {
        assert_eq!(with("authorization", &bearer(wrong)).await, 401, "{wrong}");
    }
    // Another algorithm, or none, is no algorithm of ours.
    let unsigned = format!("eyJhbGciOiJub25lIn0.{}.", claims.split('.').nth(1).unwrap());
    assert_eq!(with("authorization", &bearer(&unsigned)).await, 401);
    assert_eq!(with("authorization", &[format!("Basic {good}")]).await, 401);
    assert_eq!(with("authorization", &[format!("Bearer {good}"), format!("Bearer {good}")]).await, 401);
    assert_eq!(with("x-authorization", &bearer(&good)).await, 401);
    assert_eq!(with("cookie", &[format!("token={good}")]).await, 401);
    assert!(!signature.is_empty());
    assert_eq!(upstream.requests(), 1);
}

#[tokio::test]
async fn a_token_of_another_server_is_forged() {
    let (_, server) = start("").await;
    let (_, other) =
        start_changed(|base| base.replace(crate::support::SECRET, "another secret of at least thirty-two bytes"), "")
            .await;
    let request = |to: &Running| {
        to.http.post(to.url("/v1/chat/completions")).json(&ask("say")).bearer_auth(token("P1", u64::MAX))
    };
    assert_eq!(request(&server).send().await.unwrap().status(), 200);
    assert_eq!(refusal(request(&other).send().await.unwrap()).await, (401, "bad_token".to_owned()));
}

#[tokio::test]
async fn sessions_are_for_configured_studies_only() {
    let (_, server) = start("").await;
    let want = async |body: Value| {
        refusal(server.http.post(server.url("/v1/session")).json(&body).send().await.unwrap()).await
    };
    let wanted = |study: &str, participant: &str, condition: &str| json!({"study": study, "participant": participant, "condition": condition});
    assert_eq!(want(wanted("other", "P1", "comm")).await, (403, "no_study".to_owned()));
    assert_eq!(want(wanted("pilot", "P1", "other")).await, (403, "no_condition".to_owned()));
    assert_eq!(want(wanted("pilot", "../P1", "comm")).await, (400, "name".to_owned()));
    assert_eq!(want(wanted("pilot", "", "comm")).await, (400, "name".to_owned()));
    assert_eq!(want(json!({"study": "pilot", "participant": "P1"})).await, (400, "body".to_owned()));
    let mut more = wanted("pilot", "P1", "comm");
    more["expires"] = 9_999_999_999_u64.into();
    assert_eq!(want(more).await, (400, "body".to_owned()));
    let long = server.http.post(server.url("/v1/session")).json(&wanted("pilot", &"x".repeat(5000), "comm"));
    assert_eq!(refusal(long.send().await.unwrap()).await, (413, "too_large".to_owned()));
}

#[tokio::test]
async fn hostile_bodies_are_refused_before_upstream_hears_of_them() {
    let (upstream, server) = start("").await;
    let send = async |body: Vec<u8>| {
        let request = server.http.post(server.url("/v1/chat/completions")).bearer_auth(server.token("P1"));
        refusal(request.header("content-type", "application/json").body(body).send().await.unwrap()).await
    };
    let deep = format!("{{\"model\":\"say\",\"messages\":[],\"tools\":{}{}}}", "[".repeat(10_000), "]".repeat(10_000));
    let text = ask("say").to_string();
    let twice = text.replace("\"model\":\"say\"", "\"model\":\"say\",\"model\":\"call\"");
    let bodies: [&[u8]; 12] = [
        b"",
        b"{",
        b"[]",
        b"null",
        b"\xff\xfe",
        b"{\"model\":\"say\"}",
        deep.as_bytes(),
        twice.as_bytes(),
        b"{\"model\":\"say\",\"messages\":[{\"role\":\"root\",\"content\":\"x\"}]}",
        b"{\"model\":\"say\",\"messages\":[{\"role\":\"user\",\"content\":\"x\"}],\"max_tokens\":-1}",
        b"{\"model\":\"say\",\"messages\":[{\"role\":\"user\",\"content\":\"x\"}],\"temperature\":1e999}",
        b"{\"model\":\"say\",\"messages\":[{\"role\":\"user\",\"content\":\"x\"}]} trailing",
    ];
    for body in bodies {
        assert_eq!(
            send(body.to_vec()).await,
            (400, "body".to_owned()),
            "{}",
            String::from_utf8_lossy(&body[..body.len().min(80)])
        );
    }
    assert_eq!(upstream.requests(), 0);
}

#[tokio::test]
async fn unknown_fields_are_refused_by_name() {
    let (upstream, server) = start("").await;
    for (field, value) in [
        ("base_url", json!("http://evil.org")),
        ("api_key", json!("x")),
        ("provider", json!({"order": ["x"]})),
        ("models", json!(["a"])),
        ("logit_bias", json!({})),
        ("n", json!(5)),
    ] {
        let mut body = ask("say");
        body[field] = value;
        let answer = server.chat("P1", &body).send().await.unwrap();
        assert_eq!(answer.status(), 400, "{field}");
        assert!(answer.text().await.unwrap().contains(field), "{field}");
    }
    let mut inner = ask("say");
    inner["messages"][0]["cache_control"] = json!({});
    assert_eq!(server.chat("P1", &inner).send().await.unwrap().status(), 400);
    assert_eq!(upstream.requests(), 0);
}

#[tokio::test]
async fn only_listed_models_are_there() {
    let (upstream, server) = start("").await;
    for model in ["gpt-5", "SAY", "say ", "../say", "mock"] {
        let answer = server.chat("P1", &ask(model)).send().await.unwrap();
        assert_eq!(refusal(answer).await, (404, "model_not_found".to_owned()), "{model}");
    }
    assert_eq!(upstream.requests(), 0);
}

#[tokio::test]
async fn every_cap_holds_and_lets_what_is_just_allowed_pass() {
    let caps = "[proxy.caps]\nbytes = 2000\nmessages = 2\ncharacters = 10\ntools = 1\nmax_tokens = 50\n";
    let (upstream, server) = start(caps).await;
    let message = |text: &str| json!({"role": "user", "content": text});
    let tool = |name: &str| json!({"type": "function", "function": {"name": name}});
    let check = async |change: &dyn Fn(&mut Value), expected: u16| {
        let mut body = ask("say");
        change(&mut body);
        let answer = server.chat("P1", &body).send().await.unwrap();
        assert_eq!(answer.status().as_u16(), expected, "{body}");
        if expected != 200 { refusal(answer).await.1 } else { String::new() }
    };
    let messages = |count: usize, text: &str| Value::from(vec![message(text); count]);
    check(&|body| body["messages"] = messages(2, "x"), 200).await;
    assert_eq!(check(&|body| body["messages"] = messages(3, "x"), 422).await, "cap");
    check(&|body| body["messages"] = messages(2, "ééééé"), 200).await;
    assert_eq!(check(&|body| body["messages"] = messages(2, "xxxxxx"), 422).await, "cap");
    check(&|body| body["tools"] = json!([tool("a")]), 200).await;
    assert_eq!(check(&|body| body["tools"] = json!([tool("a"), tool("b")]), 422).await, "cap");
    check(&|body| body["max_tokens"] = 50.into(), 200).await;
    assert_eq!(check(&|body| body["max_tokens"] = 51.into(), 422).await, "cap");
    assert_eq!(check(&|body| body["max_completion_tokens"] = 51.into(), 422).await, "cap");
    assert_eq!(check(&|body| body["tools"] = json!([tool(&"a".repeat(2000))]), 413).await, "too_large");
    assert_eq!(upstream.requests(), 4);
    assert_eq!(upstream.last().1["max_tokens"], 50, "what names no limit gets ours");
}

#[tokio::test]
async fn the_peer_is_who_the_socket_says() {
    let (_, server) = start_changed(|base| base.replace("peer_per_minute = 100000", "peer_per_minute = 5"), "").await;
    let mut last = 0;
    for number in 0..6 {
        let request = server.chat("P1", &ask("say")).header("x-forwarded-for", format!("203.0.113.{number}"));
        let request = request.header("x-real-ip", "198.51.100.1").header("forwarded", "for=198.51.100.2");
        let answer = request.send().await.unwrap();
        last = answer.status().as_u16();
        assert_eq!(answer.headers().contains_key("retry-after"), last == 429);
    }
    assert_eq!(last, 429);
}

#[tokio::test]
async fn behind_a_trusted_proxy_each_peer_has_its_own_limit() {
    let change =
        |base: String| base.replace("peer_per_minute = 100000", "peer_per_minute = 2") + "[listen]\ntrusted_hops = 1\n";
    let (_, server) = start_changed(change, "").await;
    let from = async |list: &str| {
        server.chat("P1", &ask("say")).header("x-forwarded-for", list).send().await.unwrap().status().as_u16()
    };
    for _ in 0..2 {
        assert_eq!(from("203.0.113.1").await, 200);
    }
    assert_eq!(from("203.0.113.1").await, 429);
    assert_eq!(from("198.51.100.9, 203.0.113.1").await, 429, "what is further left was written by the client");
    assert_eq!(from("203.0.113.2").await, 200);
}

#[tokio::test]
async fn sessions_and_calls_have_their_rates() {
    let change = |base: String| {
        base.replace("sessions_per_minute = 100000", "sessions_per_minute = 2")
            .replace("session_per_minute = 100000", "session_per_minute = 3")
    };
    let (upstream, server) = start_changed(change, "").await;
    let wanted = json!({"study": "pilot", "participant": "P1", "condition": "comm"});
    let mut statuses = Vec::new();
    for _ in 0..3 {
        statuses
            .push(server.http.post(server.url("/v1/session")).json(&wanted).send().await.unwrap().status().as_u16());
    }
    assert_eq!(statuses, [200, 200, 429]);
    for expected in [200, 200, 200, 429] {
        assert_eq!(server.chat("P1", &ask("say")).send().await.unwrap().status().as_u16(), expected);
    }
    assert_eq!(server.chat("P2", &ask("say")).send().await.unwrap().status(), 200);
    assert_eq!(upstream.requests(), 4);
}

#[tokio::test]
async fn calls_at_once_are_limited_by_session_and_in_all() {
    let change = |base: String| base.replace("session_calls = 200", "session_calls = 2\ncalls = 3");
    let (upstream, server) = start_changed(change, "").await;
    let open = async |who: &str| {
        let mut body = ask("stall");
        body["stream"] = true.into();
        server.chat(who, &body).send().await.unwrap()
    };
    let first = open("P1").await;
    let _second = open("P1").await;
    assert_eq!(refusal(open("P1").await).await, (429, "too_many_at_once".to_owned()));
    let _third = open("P2").await;
    assert_eq!(refusal(open("P3").await).await, (429, "too_many_at_once".to_owned()));
    drop(first);
    server.logged(1).await;
    assert_eq!(open("P1").await.status(), 200, "both places are free again");
    assert_eq!(upstream.requests(), 4);
}

/// Sends raw bytes and reads what comes until the server closes.
async fn raw(server: &Running, bytes: &str) -> String {
    let mut stream = TcpStream::connect(server.address).await.unwrap();
    stream.write_all(bytes.as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    answer
}

#[tokio::test]
async fn slow_requests_are_ended() {
    let change = |base: String| base + "[listen]\nrequest_seconds = 1\n";
    let (_, server) = start_changed(change, "").await;
    let head = format!(
        "POST /v1/chat/completions HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer {}\r\nContent-Type: application/json\r\n",
        server.token("P1")
    );
    let slow_body = raw(&server, &format!("{head}Content-Length: 100\r\n\r\n{{")).await;
    assert!(slow_body.starts_with("HTTP/1.1 408 "), "{slow_body}");
    // A head that does not come gets no answer, but the connection does not stay.
    assert!(!raw(&server, &head).await.contains("200 OK"));
    let promised = raw(&server, &format!("{head}Connection: close\r\nContent-Length: 99999999999\r\n\r\n")).await;
    assert!(promised.starts_with("HTTP/1.1 413 "), "{promised}");
}

/// A body that does not say how long it is, is not read on for ever.
#[tokio::test]
async fn a_body_without_a_length_has_a_limit_too() {
    let (_, server) = start("[proxy.caps]\nbytes = 1000\n").await;
    let send = async |length: usize| {
        let text = ask("say").to_string();
        let pieces = [text.clone(), " ".repeat(length - text.len())].map(Ok::<_, std::convert::Infallible>);
        let request = server.http.post(server.url("/v1/chat/completions")).bearer_auth(server.token("P1"));
        let request = request.header("content-type", "application/json");
        request.body(reqwest::Body::wrap_stream(futures_util::stream::iter(pieces))).send().await.unwrap()
    };
    assert_eq!(send(1000).await.status(), 200);
    assert_eq!(refusal(send(1001).await).await, (413, "too_large".to_owned()));
}

#[tokio::test]
async fn connections_at_once_are_limited() {
    let change = |base: String| base + "[listen]\nconnections = 1\n";
    let (_, server) = start_changed(change, "").await;
    let ask_health = "GET /healthz HTTP/1.1\r\nHost: h\r\n\r\n";
    let round = async |stream: &mut TcpStream| {
        stream.write_all(ask_health.as_bytes()).await.unwrap();
        let mut answer = Vec::new();
        while !answer.ends_with(b"\r\n\r\nok") {
            assert_ne!(stream.read_buf(&mut answer).await.unwrap(), 0);
        }
    };
    let mut first = TcpStream::connect(server.address).await.unwrap();
    round(&mut first).await;
    // The system takes the connection; the server looks at it when there is a place.
    let mut second = TcpStream::connect(server.address).await.unwrap();
    second.write_all(ask_health.as_bytes()).await.unwrap();
    for _ in 0..200 {
        round(&mut first).await;
    }
    let nothing = second.try_read(&mut [0; 1]).map_err(|error| error.kind());
    assert_eq!(nothing, Err(std::io::ErrorKind::WouldBlock), "the second one was served beside the first");
    drop(first);
    round(&mut second).await;
}

#[tokio::test]
async fn without_a_key_metrics_are_for_this_machine_alone() {
    let (_, server) = start_changed(|base| base + "[listen]\ntrusted_hops = 1\n", "").await;
    let get = async |peer: &str| {
        server.http.get(server.url("/metrics")).header("x-forwarded-for", peer).send().await.unwrap().status().as_u16()
    };
    assert_eq!(get("127.0.0.1").await, 200);
    assert_eq!(get("203.0.113.1").await, 401);
}

#[tokio::test]
async fn what_is_not_there_is_said_in_the_usual_form() {
    let (_, server) = start("").await;
    for (method, path) in
        [("GET", "/v1/chat/completions"), ("GET", "/v1/nothing"), ("DELETE", "/v1/models"), ("GET", "/other")]
    {
        let method = reqwest::Method::from_bytes(method.as_bytes()).unwrap();
        let answer = server.http.request(method, server.url(path)).send().await.unwrap();
        assert_eq!(refusal(answer).await, (404, "no_such_call".to_owned()), "{path}");
    }
    assert_eq!(server.http.get(server.url("/healthz")).send().await.unwrap().text().await.unwrap(), "ok");
}

#[tokio::test]
async fn metrics_are_for_those_with_the_key() {
    let change = |base: String| base.replace("[metrics]\n", "[metrics]\nkey = \"the key of the metrics\"\n");
    let (_, server) = start_changed(change, "").await;
    let get = async |key: &str| {
        server.http.get(server.url("/metrics")).bearer_auth(key).send().await.unwrap().status().as_u16()
    };
    assert_eq!(get("the key of the metrics").await, 200);
    assert_eq!(get("the key of the metric").await, 401);
    assert_eq!(get(&server.token("P1")).await, 401);
}
