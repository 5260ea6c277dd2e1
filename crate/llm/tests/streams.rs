//! What servers really send, and what must come of it: `streams/*.sse`, with the events beside as `*.expected`.

mod any;

use any::any_call;
use proptest::prelude::*;
use std::fs;
use std::path::Path;
use tandem_llm::chat::{ErrorBody, Finish, Reply, Usage};
use tandem_llm::stream::{Decoder, Gather, SseError, StreamEvent, error_frame, frames};

const LIMIT: usize = 100_000;

/// One line for each event.
fn shown(events: &[StreamEvent]) -> String {
    let line = |event: &StreamEvent| match event {
        StreamEvent::Text(text) => format!("text {text:?}\n"),
        StreamEvent::Call(call) => format!("call {} {} {}\n", call.id, call.name, call.arguments),
        StreamEvent::Usage(usage) => format!("usage {} {}\n", usage.prompt_tokens, usage.completion_tokens),
        StreamEvent::Finished(reply) => format!("finished {} {:?}\n", reply.finish.name(), reply.text),
        StreamEvent::Failed(error) => format!("failed {} {error}\n", error.kind()),
    };
    events.iter().map(line).collect()
}

/// The events of a stream that comes in these pieces.
fn gathered<'a>(pieces: impl IntoIterator<Item = &'a [u8]>) -> Vec<StreamEvent> {
    let mut gather = Gather::new(LIMIT);
    let mut events = Vec::new();
    for piece in pieces {
        events.extend(gather.feed(piece));
    }
    events.extend(gather.end());
    assert!(gather.done());
    assert!(gather.feed(b"data: {}\n\n").is_empty() && gather.end().is_empty(), "nothing follows the last event");
    events
}

#[test]
fn every_shape_gives_what_is_expected_however_it_is_cut() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/streams");
    let mut names: Vec<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    names.retain(|path| path.extension().is_some_and(|extension| extension == "sse"));
    names.sort();
    assert!(names.len() >= 60, "the shapes are not where they should be");
    for path in names {
        let bytes = fs::read(&path).unwrap();
        let expected = fs::read_to_string(path.with_extension("expected")).unwrap();
        let events = gathered([bytes.as_slice()]);
        let shown = shown(&events);
        // A failure may be expected without the words of the JSON reader.
        let fits = |(line, expected): (&str, &str)| {
            line == expected || (expected.starts_with("failed ") && line.starts_with(expected))
        };
        let all = shown.lines().count() == expected.lines().count() && shown.lines().zip(expected.lines()).all(fits);
        assert!(all, "{} gives\n{shown}not\n{expected}", path.display());
        assert_eq!(gathered(bytes.chunks(1)), events, "{} byte by byte", path.display());
        for cut in 0..=bytes.len() {
            let (before, after) = bytes.split_at(cut);
            assert_eq!(gathered([before, after]), events, "{} cut at {cut}", path.display());
        }
    }
}

/// However a stream is cut off, a call that comes of it is the whole call.
#[test]
fn a_stream_that_breaks_off_anywhere_never_gives_half_a_call() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/streams");
    for name in ["call", "two_calls", "two_calls_index_repeated", "text_and_call"] {
        let bytes = fs::read(folder.join(name).with_extension("sse")).unwrap();
        let calls = |bytes: &[u8]| -> Vec<_> {
            gathered([bytes]).into_iter().filter(|event| matches!(event, StreamEvent::Call(_))).collect()
        };
        let whole = calls(&bytes);
        let mut failed = 0;
        for cut in 0..bytes.len() {
            let some = calls(&bytes[..cut]);
            assert!(some.is_empty() || some == whole, "{name} cut at {cut}");
            failed += usize::from(some.is_empty());
        }
        assert!(failed > bytes.len() / 2, "{name}");
    }
}

/// A server that says the reply is over and then hangs has replied all the same.
#[test]
fn the_end_is_seen_before_the_stream_ends() {
    let mut gather = Gather::new(LIMIT);
    gather.feed(b"data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\n");
    assert!(!gather.end_seen());
    gather.feed(b"data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}],\"usage\":{\"prompt_tokens\":1,\"completion_tokens\":1}}\n\n");
    assert!(gather.end_seen() && !gather.done());
    assert_eq!(gather.usage(), Some(Usage::new(1, 1)));
    assert!(matches!(gather.end().last(), Some(StreamEvent::Finished(_))));
}

#[test]
fn the_tokens_used_are_known_of_a_failed_reply_too() {
    let mut gather = Gather::new(LIMIT);
    gather.feed(b"data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"odd\"}],\"usage\":{\"prompt_tokens\":1,\"completion_tokens\":1}}\n\ndata: [DONE]\n\n");
    assert!(gather.done());
    assert_eq!(gather.usage(), Some(Usage::new(1, 1)));
}

#[test]
fn a_reply_has_at_most_the_bytes_allowed() {
    let stream = frames(&Reply::text("words"), 1, false).concat();
    let fed = |limit: usize| Gather::new(limit).feed(stream.as_bytes());
    assert!(matches!(fed(stream.len()).last(), Some(StreamEvent::Finished(_))));
    let short = stream.len() - 30;
    assert!(
        shown(&fed(short)).ends_with(&format!("failed too_long the reply is longer than the {short} bytes allowed\n"))
    );
    let endless = [b"{".as_slice(), &[b' '; 50]].concat();
    assert!(shown(&Gather::new(40).feed(&endless)).starts_with("failed too_long"));
}

/// The decoder alone, as the proxy uses it.
#[test]
fn frames_keep_their_kind_and_their_size() {
    let mut decoder = Decoder::new(20);
    let frames = decoder.feed(b"event: ping\ndata:  x \ndata: y\n\nevent: lost\n\ndata: z\n\n").unwrap();
    assert_eq!((frames[0].event.as_str(), frames[0].data.as_str()), ("ping", " x \ny"));
    assert_eq!((frames[1].event.as_str(), frames[1].data.as_str()), ("", "z"), "a kind without data is no frame");
    assert_eq!(decoder.feed(b"data: 0123456789\ndata: 0123456789"), Err(SseError::TooLong(20)));
    assert_eq!(Decoder::new(20).feed(b"\xff\n"), Err(SseError::NotUtf8));
}

#[test]
fn an_error_can_be_sent_within_a_stream() {
    let error = ErrorBody::new("gone", "upstream", "502");
    assert_eq!(
        gathered([error_frame(&error).as_bytes()]),
        [StreamEvent::Failed(tandem_llm::chat::ReplyError::Endpoint(error))]
    );
}

prop_compose! {
    fn any_reply()(
        text in ".{0,20}", calls in prop::collection::vec(any_call(), 0..3), tokens in any::<Option<u16>>(),
        length in any::<bool>(),
    ) -> Reply {
        let mut seen = std::collections::BTreeSet::new();
        let calls: Vec<_> = calls.into_iter().filter(|call| seen.insert(call.id.clone())).collect();
        let finish = match length {
            _ if !calls.is_empty() => Finish::ToolCalls,
            true => Finish::Length,
            false => Finish::Stop,
        };
        let usage = tokens.map(|tokens| Usage::new(tokens.into(), 3));
        Reply { id: "r".to_owned(), created: 7, model: "m".to_owned(), text, calls, finish, usage }
    }
}

/// Bytes cut at these places.
fn cut_at(bytes: &[u8], mut places: Vec<usize>) -> Vec<&[u8]> {
    places.iter_mut().for_each(|place| *place %= bytes.len() + 1);
    places.extend([0, bytes.len()]);
    places.sort_unstable();
    places.windows(2).map(|pair| &bytes[pair[0]..pair[1]]).collect()
}

proptest! {
    #[test]
    fn a_reply_sent_in_pieces_comes_back_whole(
        reply in any_reply(), piece in 0..9usize, places in prop::collection::vec(any::<usize>(), 0..20), ends in 0..3usize,
    ) {
        let stream = frames(&reply, piece, true).concat().replace('\n', ["\n", "\r\n", "\r"][ends]);
        let events = gathered(cut_at(stream.as_bytes(), places));
        let text: String = events
            .iter()
            .filter_map(|event| if let StreamEvent::Text(text) = event { Some(text.as_str()) } else { None })
            .collect();
        prop_assert_eq!(&text, &reply.text);
        prop_assert_eq!(events.last(), Some(&StreamEvent::Finished(reply)));
    }

    #[test]
    fn no_bytes_make_it_panic_and_cuts_never_count(
        bytes in prop::collection::vec(any::<u8>(), 0..300), places in prop::collection::vec(any::<usize>(), 0..9),
    ) {
        prop_assert_eq!(gathered(cut_at(&bytes, places)), gathered([bytes.as_slice()]));
    }

    /// Bytes that look more like a stream than chance does.
    #[test]
    fn no_muddle_makes_it_panic_and_cuts_never_count(
        words in prop::collection::vec(0..MUDDLE.len(), 0..40), places in prop::collection::vec(any::<usize>(), 0..9),
    ) {
        let stream: String = words.into_iter().map(|word| MUDDLE[word]).collect();
        let events = gathered([stream.as_bytes()]);
        prop_assert_eq!(&gathered(cut_at(stream.as_bytes(), places)), &events);
        for event in events {
            if let StreamEvent::Call(call) = event {
                let whole = serde_json::from_str::<serde_json::Map<_, _>>(&call.arguments);
                prop_assert!(whole.is_ok() && !call.name.is_empty(), "{call:?}");
            }
        }
    }
}

const MUDDLE: &[&str] = &[
    "data: ",
    "data: ",
    "data: ",
    "\n",
    "\n\n",
    "\n\n",
    "\n\n",
    "\r\n",
    "\r",
    ": x\n\n",
    "event: error\n",
    "[DONE]",
    "é",
    r#"{"choices":[{"index":0,"delta":{"content":"a"}}]}"#,
    r#"{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"c","function":{"name":"go","arguments":"{\"x\""}}]}}]}"#,
    r#"{"choices":[{"delta":{"tool_calls":[{"id":"d","function":{"name":"go","arguments":null}}]}}]}"#,
    r#"{"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":":1}"}}]}}]}"#,
    r#"{"choices":[{"delta":{"tool_calls":[{"function":{"name":"say","arguments":"{}"}}]}}]}"#,
    r#"{"choices":[{"delta":{},"finish_reason":"tool_calls"}]}"#,
    r#"{"choices":[{"delta":{},"finish_reason":"stop"}]}"#,
    r#"{"choices":[{"delta":null,"finish_reason":"length"}]}"#,
    r#"{"error":null,"choices":[]}"#,
];
