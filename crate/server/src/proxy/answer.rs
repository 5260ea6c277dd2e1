//! Replies on their way to the client: whole, or as server-sent events.

use super::call::Call;
use super::upstream::Upstream;
use crate::error::ApiError;
use axum::Json;
use axum::body::Body;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse as _, Response};
use futures_util::stream;
use std::convert::Infallible;
use std::time::Duration;
use tandem_llm::chat::{ChatRequest, Reply};
use tandem_llm::stream::{error_frame, frames};
use tokio::sync::mpsc;

/// Frames that wait for a slow client; then upstream waits too.
const WAITING: usize = 32;

/// Characters of one piece where the whole reply is known and a stream is wanted.
const PIECE: usize = 12;

/// How long a client has to take the word that there is no reply.
const LAST_WORD: Duration = Duration::from_secs(1);

/// Whether the tokens used are to be told at the end of the stream.
fn wants_usage(request: &ChatRequest) -> bool {
    request.stream_options.as_ref().is_some_and(|options| options.include_usage)
}

/// A reply that is known whole.
pub(super) fn whole(mut call: Call, mut reply: Reply) -> Result<Response, ApiError> {
    call.replied(&reply);
    reply.model.clone_from(&call.request.model);
    Ok(written(&call.request, &reply))
}

/// A reply that was given before, to the same idempotency key.
pub(super) fn again(request: &ChatRequest, reply: &Reply) -> Result<Response, ApiError> {
    let mut reply = reply.clone();
    reply.model.clone_from(&request.model);
    let mut response = written(request, &reply);
    response.headers_mut().insert("idempotent-replayed", HeaderValue::from_static("true"));
    Ok(response)
}

fn written(request: &ChatRequest, reply: &Reply) -> Response {
    if request.stream {
        let frames = frames(reply, PIECE, wants_usage(request));
        events(Body::from_stream(stream::iter(frames.into_iter().map(Ok::<_, Infallible>))))
    } else {
        ([(header::CACHE_CONTROL, "no-store")], Json(reply)).into_response()
    }
}

/// A stream of events, which nothing on the way may keep or gather.
fn events(body: Body) -> Response {
    let headers = [
        (header::CONTENT_TYPE, "text/event-stream"),
        (header::CACHE_CONTROL, "no-store"),
        (header::HeaderName::from_static("x-accel-buffering"), "no"),
    ];
    (headers, body).into_response()
}

/// What every chunk of a stream says of the reply.
fn shell(call: &Call) -> Reply {
    Reply { id: call.id.clone(), created: call.created, model: call.request.model.clone(), ..Reply::default() }
}

/// The chunk of some words.
pub(super) fn words(call: &Call, text: String) -> String {
    let reply = Reply { text, ..shell(call) };
    // The role comes first, then the words.
    frames(&reply, usize::MAX, false).into_iter().nth(1).unwrap_or_default()
}

/// A reply that comes from upstream, passed on as it comes. A task of its own reads it: so the deadlines hold although a
/// client does not read, and when the client goes, so does the task, and with it the connection to upstream.
pub(super) fn stream(mut call: Call, response: Upstream) -> Result<Response, ApiError> {
    let (out, mut frames_in) = mpsc::channel::<String>(WAITING);
    tokio::spawn(async move {
        let begin = frames(&shell(&call), usize::MAX, false).into_iter().next().unwrap_or_default();
        let result = match call.say(Some(&out), begin).await {
            Ok(()) => call.gather(response, Some(&out)).await,
            Err(error) => Err(error),
        };
        match result {
            Ok(reply) => {
                call.replied(&reply);
                let rest = Reply { calls: reply.calls, finish: reply.finish, usage: reply.usage, ..shell(&call) };
                for frame in frames(&rest, usize::MAX, wants_usage(&call.request)).into_iter().skip(1) {
                    // For the accounts the call has ended; if nobody listens any more, that changes nothing.
                    if call.say(Some(&out), frame).await.is_err() {
                        break;
                    }
                }
            }
            Err(error) => {
                let frame = error_frame(&call.failed(error).body);
                // Said even if the server is being stopped, but not for long to one who does not listen.
                let _ = tokio::time::timeout(LAST_WORD, out.send(frame)).await;
            }
        }
    });
    let body = stream::poll_fn(move |context| frames_in.poll_recv(context).map(|frame| frame.map(Ok::<_, Infallible>)));
    Ok(events(Body::from_stream(body)))
}
