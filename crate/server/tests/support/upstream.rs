//! A mock of a model server. What it does is chosen by the model's name.

use axum::Router;
use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use futures_util::{StreamExt as _, stream};
use serde_json::{Value, json};
use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use tokio::sync::watch;

/// What the mock saw.
pub struct Seen {
    /// Requests, whatever became of them.
    pub requests: AtomicUsize,
    /// Tokens it would charge for.
    pub charged: AtomicU64,
    /// Answers it is giving.
    pub open: watch::Sender<usize>,
    /// Lets the answers of `held` end.
    pub release: watch::Sender<bool>,
    /// The last request's headers and body.
    pub last: Mutex<(HeaderMap, Value)>,
}

/// A running mock.
pub struct Upstream {
    pub address: SocketAddr,
    pub seen: Arc<Seen>,
}

/// An answer that is being given.
struct Open(Arc<Seen>);

impl Open {
    fn new(seen: &Arc<Seen>) -> Self {
        seen.open.send_modify(|open| *open += 1);
        Self(Arc::clone(seen))
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        self.0.open.send_modify(|open| *open -= 1);
    }
}

impl Upstream {
    /// All it can do.
    pub const MODELS: [&str; 25] = [
        "say",
        "call",
        "bare",
        "hang",
        "stall",
        "trickle",
        "cut",
        "late",
        "error500",
        "error429",
        "error400",
        "error401",
        "busy",
        "flaky",
        "patient",
        "redirect",
        "midstream",
        "halfcall",
        "endless",
        "nonsense",
        "keyleak",
        "max",
        "closed",
        "huge",
        "held",
    ];

    pub async fn start() -> Self {
        let seen = Arc::new(Seen {
            requests: AtomicUsize::new(0),
            charged: AtomicU64::new(0),
            open: watch::Sender::new(0),
            release: watch::Sender::new(false),
            last: Mutex::default(),
        });
        let app = Router::new().route("/v1/chat/completions", post(answer)).with_state(Arc::clone(&seen));
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        tokio::spawn(async move { axum::serve(listener, app).await });
        Self { address, seen }
    }

    pub fn requests(&self) -> usize {
        self.seen.requests.load(Ordering::SeqCst)
    }

    pub fn last(&self) -> (HeaderMap, Value) {
        self.seen.last.lock().unwrap().clone()
    }

    /// Waits until it gives so many answers.
    pub async fn opened(&self, count: usize) {
        self.seen.open.subscribe().wait_for(|open| *open == count).await.unwrap();
    }
}

fn chunk(delta: &Value, finish: Option<&str>) -> String {
    let choice = json!({"index": 0, "delta": delta, "finish_reason": finish});
    format!(
        "data: {}\n\n",
        json!({"id": "up-1", "object": "chat.completion.chunk", "model": "inner", "choices": [choice]})
    )
}

fn usage(asked: u64, replied: u64) -> Value {
    json!({"prompt_tokens": asked, "completion_tokens": replied, "total_tokens": asked + replied})
}

fn usage_chunk(asked: u64, replied: u64) -> String {
    format!("data: {}\n\n", json!({"id": "up-1", "choices": [], "usage": usage(asked, replied)}))
}

fn words() -> Vec<String> {
    vec![chunk(&json!({"role": "assistant", "content": null}), None), chunk(&json!({"content": "Over"}), None)]
}

/// The parts, and then nothing more, for ever.
fn then_nothing(parts: Vec<String>, open: Open) -> Response {
    let endless = stream::iter(parts.into_iter().map(Ok::<_, Infallible>)).chain(stream::pending());
    events(Body::from_stream(endless.map(move |part| {
        let _held = &open;
        part
    })))
}

fn events(body: Body) -> Response {
    ([(header::CONTENT_TYPE, "text/event-stream")], body).into_response()
}

fn error(status: u16, message: &str) -> Response {
    let body = json!({"error": {"message": message, "type": "t", "code": "c"}});
    (StatusCode::from_u16(status).unwrap(), axum::Json(body)).into_response()
}

async fn answer(State(seen): State<Arc<Seen>>, headers: HeaderMap, axum::Json(body): axum::Json<Value>) -> Response {
    let number = seen.requests.fetch_add(1, Ordering::SeqCst) + 1;
    *seen.last.lock().unwrap() = (headers, body.clone());
    let model = body["model"].as_str().unwrap_or_default().to_owned();
    let streamed = body["stream"] == true;
    let limit = body["max_tokens"].as_u64().unwrap_or(u64::MAX);
    let open = Open::new(&seen);
    let charge = |asked: u64, replied: u64| {
        seen.charged.fetch_add(asked + replied, Ordering::SeqCst);
        (asked, replied)
    };
    match model.as_str() {
        "hang" => std::future::pending().await,
        // Charges for all it might say, whether anybody reads it or not.
        "stall" => {
            charge(5, limit);
            then_nothing(words(), open)
        }
        "held" => {
            let mut release = seen.release.subscribe();
            let rest = stream::once(async move {
                let _held = open;
                release.wait_for(|release| *release).await.unwrap();
                Ok(chunk(&json!({"content": " here!"}), None) + &chunk(&json!({}), Some("stop")) + &usage_chunk(5, 2))
            });
            events(Body::from_stream(stream::iter([Ok::<_, Infallible>(words().concat())]).chain(rest)))
        }
        "trickle" => then_nothing(vec![words().concat(), ": keep-alive\r\n\r\n".to_owned()], open),
        "endless" => {
            let piece = chunk(&json!({"content": "and on ".repeat(10_000)}), None);
            events(Body::from_stream(stream::repeat_with(move || {
                let _held = &open;
                Ok::<_, Infallible>(piece.clone())
            })))
        }
        "cut" => {
            charge(5, 2);
            if streamed { events(words().concat().into()) } else { Body::from("{\"choices\": [").into_response() }
        }
        "closed" => {
            // It breaks only once the words before have been sent.
            let breaks = stream::once(async {
                for _ in 0..100 {
                    tokio::task::yield_now().await;
                }
                Err(std::io::Error::other("closed"))
            });
            events(Body::from_stream(stream::iter([Ok(words().concat())]).chain(breaks)))
        }
        "error500" => error(500, "it broke"),
        "error429" => error(429, "slow down"),
        "error400" => error(400, "your schema is wrong"),
        "error401" => error(401, "Incorrect API key provided: sk-upstream-0123456789"),
        "keyleak" => error(400, "you sent sk-upstream-0123456789 with it"),
        "busy" => {
            let mut response = error(429, "slow down");
            response.headers_mut().insert(header::RETRY_AFTER, "77".parse().unwrap());
            response
        }
        "flaky" if number < 3 => error(503, "not yet"),
        "patient" if number == 1 => {
            let mut response = error(429, "a moment");
            response.headers_mut().insert(header::RETRY_AFTER, "0".parse().unwrap());
            response
        }
        "redirect" => (StatusCode::TEMPORARY_REDIRECT, [(header::LOCATION, "/v1/elsewhere")]).into_response(),
        "midstream" => {
            events((words().concat() + "data: {\"error\": {\"message\": \"sk-upstream-0123456789 broke\"}}\n\n").into())
        }
        "halfcall" => {
            let call = json!({"tool_calls": [{"index": 0, "id": "c1", "type": "function",
                "function": {"name": "go", "arguments": "{\"to\": \"le"}}]});
            events((chunk(&call, None) + &chunk(&json!({}), Some("length")) + "data: [DONE]\n\n").into())
        }
        "nonsense" => Body::from("<html>nonsense</html>").into_response(),
        "huge" => events((chunk(&json!({"content": "x".repeat(1 << 20)}), None) + "data: [DONE]\n\n").into()),
        "call" if streamed => {
            let begin = json!({"tool_calls": [{"id": "c1", "type": "function", "function": {"name": "go", "arguments": null}}]});
            let end = json!({"tool_calls": [{"function": {"arguments": "{\"to\": \"left\"}"}}]});
            let (asked, replied) = charge(5, 3);
            let parts = [chunk(&begin, None), chunk(&end, None), chunk(&json!({}), Some("tool_calls"))];
            events((parts.concat() + &usage_chunk(asked, replied) + "data: [DONE]\n\n").into())
        }
        "call" => {
            let function = json!({"name": "go", "arguments": "{\"to\": \"left\"}"});
            let message = json!({"role": "assistant", "content": null,
                "tool_calls": [{"id": "c1", "type": "function", "function": function}]});
            let choice = json!({"index": 0, "message": message, "finish_reason": "tool_calls"});
            axum::Json(json!({"id": "up-1", "choices": [choice], "usage": usage(5, 3)})).into_response()
        }
        _ => {
            let (asked, replied) = charge(5, if model == "max" { limit } else { 2 });
            let told = (model != "bare").then(|| usage(asked, replied));
            if streamed {
                let usage = if told.is_some() { usage_chunk(asked, replied) } else { String::new() };
                let end = chunk(&json!({"content": " here!"}), None) + &chunk(&json!({}), Some("stop"));
                events((words().concat() + &end + &usage + "data: [DONE]\n\n").into())
            } else {
                let message = json!({"role": "assistant", "content": "Over here!"});
                let choice = json!({"index": 0, "message": message, "finish_reason": "stop"});
                axum::Json(json!({"id": "up-1", "model": "inner", "choices": [choice], "usage": told})).into_response()
            }
        }
    }
}
