//! An upstream that answers with exactly these bytes.

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use axum::routing::post;
use futures_util::{StreamExt as _, stream};
use std::collections::VecDeque;
use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

/// One answer.
#[derive(Clone, Default)]
pub struct Canned {
    pub status: u16,
    pub headers: Vec<(&'static str, &'static str)>,
    /// Sent one after the other.
    pub pieces: Vec<Vec<u8>>,
    /// Whether it goes on for ever after them, saying nothing.
    pub hangs: bool,
}

/// A server that gives its answers in turn.
#[derive(Clone)]
pub struct Tape {
    pub address: SocketAddr,
    answers: Arc<Mutex<VecDeque<Canned>>>,
}

impl Tape {
    pub async fn start() -> Self {
        let answers = Arc::<Mutex<VecDeque<Canned>>>::default();
        let app = Router::new().route("/v1/chat/completions", post(answer)).with_state(Arc::clone(&answers));
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        tokio::spawn(async move { axum::serve(listener, app).await });
        Self { address, answers }
    }

    pub fn will(&self, canned: Canned) {
        self.answers.lock().unwrap().push_back(canned);
    }

    /// How many answers were not asked for.
    pub fn left(&self) -> usize {
        self.answers.lock().unwrap().len()
    }

    /// A proxy's configuration in front of it, with the model `tape`.
    pub fn proxy(&self, more: &str) -> String {
        format!(
            "[proxy.providers.tape]\nkind = \"upstream\"\nbase_url = \"http://{}/v1\"\n\
             [proxy.models.tape]\nprovider = \"tape\"\n[proxy.retries]\npause = 1\n{more}",
            self.address
        )
    }
}

async fn answer(State(answers): State<Arc<Mutex<VecDeque<Canned>>>>, _asked: Bytes) -> Response {
    let Some(canned) = answers.lock().unwrap().pop_front() else { return StatusCode::GONE.into_response() };
    let pieces = stream::iter(canned.pieces.into_iter().map(|piece| Ok::<_, Infallible>(Bytes::from(piece))));
    let body =
        if canned.hangs { Body::from_stream(pieces.chain(stream::pending())) } else { Body::from_stream(pieces) };
    let mut response = (StatusCode::from_u16(canned.status).unwrap(), body).into_response();
    for (name, value) in canned.headers {
        response.headers_mut().insert(name, value.parse().unwrap());
    }
    response
}
