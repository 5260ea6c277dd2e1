//! A whole reply, sent in pieces.

use crate::chat::{ErrorBody, Reply, usage_form};
use serde_json::{Value, json};

/// The server-sent events of a reply: texts and arguments in pieces of at most so many characters (at least one), the
/// reason of its end, the usage if asked for and known, and `[DONE]`. Each item is one event, its empty line included.
///
/// ```
/// use tandem_llm::{chat::Reply, stream::{Gather, StreamEvent, frames}};
/// let reply = Reply::text("Over here!");
/// let mut gather = Gather::new(10_000);
/// let events = gather.feed(frames(&reply, 4, false).concat().as_bytes());
/// assert_eq!(events[0], StreamEvent::Text("Over".to_owned()));
/// assert_eq!(events.last(), Some(&StreamEvent::Finished(reply)));
/// ```
pub fn frames(reply: &Reply, piece: usize, with_usage: bool) -> Vec<String> {
    let chunk = |choices: Value| {
        json!({
            "id": reply.id, "object": "chat.completion.chunk", "created": reply.created, "model": reply.model,
            "choices": choices,
        })
    };
    let delta = |delta: Value| chunk(json!([{"index": 0, "delta": delta, "finish_reason": null}]));
    let mut chunks =
        vec![delta(json!({"role": "assistant", "content": if reply.calls.is_empty() { Some("") } else { None }}))];
    chunks.extend(pieces(&reply.text, piece).map(|text| delta(json!({"content": text}))));
    for (index, call) in reply.calls.iter().enumerate() {
        let function = json!({"name": call.name, "arguments": ""});
        let begin = json!({"index": index, "id": call.id, "type": "function", "function": function});
        chunks.push(delta(json!({"tool_calls": [begin]})));
        chunks.extend(
            pieces(&call.arguments, piece)
                .map(|text| delta(json!({"tool_calls": [{"index": index, "function": {"arguments": text}}]}))),
        );
    }
    chunks.push(chunk(json!([{"index": 0, "delta": {}, "finish_reason": reply.finish.name()}])));
    if let Some(usage) = reply.usage
        && with_usage
    {
        let mut last = chunk(json!([]));
        last["usage"] = usage_form(usage);
        chunks.push(last);
    }
    let done = "data: [DONE]\n\n".to_owned();
    chunks.into_iter().map(|chunk| format!("data: {chunk}\n\n")).chain([done]).collect()
}

/// The event of an error within a stream.
pub fn error_frame(error: &ErrorBody) -> String {
    let inner = json!({"message": error.message, "type": error.kind, "code": error.code});
    format!("data: {}\n\n", json!({"error": inner}))
}

/// A text in pieces of so many characters, never cut within one.
fn pieces(text: &str, size: usize) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let end = rest.char_indices().nth(size.max(1)).map_or(rest.len(), |(end, _)| end);
        let (piece, after) = rest.split_at(end);
        rest = after;
        (!piece.is_empty()).then_some(piece)
    })
}
