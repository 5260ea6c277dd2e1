//! A name for what is asked, the same wherever and whenever it is asked.

use crate::chat::ChatRequest;
use serde_json::Value;
use sha2::{Digest as _, Sha256};
use std::fmt::Write as _;

/// The hash of a request: SHA-256 over `tandem-chat-1`, a line end, and the request in canonical JSON; 64 hexadecimal
/// figures.
///
/// Canonical JSON has no spaces, the keys of every object in the order of their bytes, and numbers and texts as
/// `serde_json` writes them. What is left out, null or empty in a request is not in it.
///
/// In it: the model, the messages, the tools and their choice, the response format, sampling (temperature, top_p,
/// seed, stop), the limits of tokens, parallel calls. Not in it, since they change how a reply comes and not what it
/// says: `stream`, `stream_options`, and `n`, which can only be 1.
///
/// The order of messages, of tools and of list items counts; that of keys does not. A setting given explicitly is
/// another request than the same setting left to the endpoint.
pub fn request_hash(request: &ChatRequest) -> String {
    // A request is texts, numbers and JSON values; writing it as a value cannot fail.
    body_hash(&serde_json::to_value(request).unwrap_or_default())
}

/// The [`request_hash`] of a request that is at hand as [`ChatRequest`] writes it.
pub fn body_hash(body: &Value) -> String {
    let mut text = String::from("tandem-chat-1\n");
    canonical(body, &["stream", "stream_options", "n"], &mut text);
    Sha256::digest(text).iter().fold(String::with_capacity(64), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}

/// Writes canonical JSON, without these fields of the outermost object. Keys are sorted here, whatever order a map of
/// `serde_json` keeps.
fn canonical(value: &Value, without: &[&str], out: &mut String) {
    match value {
        Value::Array(items) => {
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                canonical(item, &[], out);
            }
            out.push(']');
        }
        Value::Object(fields) => {
            let mut fields: Vec<_> = fields.iter().filter(|(key, _)| !without.contains(&key.as_str())).collect();
            fields.sort_by_key(|(key, _)| key.as_str());
            out.push('{');
            for (index, (key, item)) in fields.into_iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                let _ = write!(out, "{}:", Value::from(key.as_str()));
                canonical(item, &[], out);
            }
            out.push('}');
        }
        plain => {
            let _ = write!(out, "{plain}");
        }
    }
}
