//! Every shape of a stream that upstreams send, through the proxy.

use crate::support::{Running, ask, ask_stream};
use crate::tape::{Canned, Tape};
use std::fs;
use std::path::Path;
use tandem_llm::chat::{Reply, ReplyError};
use tandem_llm::stream::{Gather, StreamEvent};

/// What a strict client makes of a body.
fn read(bytes: &[u8]) -> Result<Reply, ReplyError> {
    let mut gather = Gather::new(1 << 22);
    let mut events = gather.feed(bytes);
    events.extend(gather.end());
    match events.pop() {
        Some(StreamEvent::Finished(reply)) => Ok(reply),
        Some(StreamEvent::Failed(error)) => Err(error),
        other => panic!("{other:?}"),
    }
}

/// Every shape of the reader's own tests, streamed and not: the right reply, or a clean error with the right kind.
#[tokio::test]
async fn every_shape_of_a_stream_gives_the_right_reply_or_a_clean_error() {
    let tape = Tape::start().await;
    let server = Running::start(&tape.proxy("")).await;
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../llm/tests/streams");
    let mut paths: Vec<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "sse"));
    assert!(paths.len() >= 60, "the shapes are not where they should be");
    for path in paths {
        let shape = path.file_stem().unwrap().to_string_lossy().into_owned();
        let bytes = fs::read(&path).unwrap();
        let wanted = read(&bytes);
        for streamed in [true, false] {
            // In one piece, and cut within lines and characters.
            for size in [bytes.len().max(1), 7] {
                tape.will(Canned {
                    status: 200,
                    pieces: bytes.chunks(size).map(<[u8]>::to_vec).collect(),
                    ..Canned::default()
                });
                let mut body = if streamed { ask_stream("tape") } else { ask("tape") };
                if streamed {
                    body["stream_options"] = serde_json::json!({"include_usage": true});
                }
                let answer = server.chat("P1", &body).send().await.unwrap();
                let status = answer.status().as_u16();
                let got = answer.bytes().await.unwrap();
                match &wanted {
                    Ok(wanted) => {
                        assert_eq!(status, 200, "{shape}");
                        let reply = read(&got).unwrap_or_else(|error| panic!("{shape}: {error}"));
                        assert_eq!((&reply.text, &reply.calls), (&wanted.text, &wanted.calls), "{shape}");
                        assert_eq!((reply.finish, reply.usage), (wanted.finish, wanted.usage), "{shape}");
                    }
                    Err(wanted) => {
                        assert_eq!(status, if streamed { 200 } else { 502 }, "{shape}");
                        let error = read(&got).unwrap_err();
                        let code = format!("upstream_{}", wanted.kind());
                        assert!(error.to_string().ends_with(&format!("({code})")), "{shape}: {error}");
                        assert!(!String::from_utf8_lossy(&got).contains("tool_calls"), "{shape}: half a call");
                    }
                }
            }
        }
    }
    assert_eq!(tape.left(), 0);
}
