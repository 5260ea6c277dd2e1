//! One call of an endpoint: what is sent when, and what comes of all that can go wrong.

use proptest::prelude::*;
use tandem_core::{Answer, Faculty, Fault, Millis, Question, Seed};
use tandem_llm::ask;
use tandem_llm::chat::{ChatRequest, Finish, Message, Reply, ReplyError, Usage};
use tandem_llm::exchange::{Deadline, Effect, Exchange, Input, Outcome, Patience, Trouble};
use tandem_llm::stream::frames;

const PATIENCE: Patience = Patience {
    first_byte: Millis(1_000),
    idle: Millis(300),
    total: Millis(5_000),
    attempts: 3,
    pause: Millis(400),
    longest_pause: Millis(600),
    bytes: 2_000,
};

fn request() -> ChatRequest {
    ChatRequest { stream: true, ..ChatRequest::new("m", vec![Message::User("Where?".to_owned())]) }
}

fn begin(seed: u64) -> (Exchange, Vec<Effect>) {
    Exchange::begin(
        &ask::question(&request(), Millis(0)).body,
        PATIENCE,
        Seed::new(seed).unwrap().stream("llm"),
        Millis(100),
    )
}

fn head(attempt: u32, status: u16) -> Input<'static> {
    Input::Head { attempt, status, retry_after: None }
}

fn bytes(bytes: &str) -> Input<'_> {
    Input::Bytes { attempt: 1, bytes: bytes.as_bytes() }
}

/// The time of the timer that was asked for.
fn timer(effects: &[Effect]) -> Option<u64> {
    effects.iter().find_map(|effect| if let Effect::Wake(at) = effect { Some(at.0) } else { None })
}

fn outcome(effects: &[Effect]) -> &Outcome {
    match effects.last() {
        Some(Effect::Over(outcome)) => outcome,
        _ => panic!("it is not over: {effects:?}"),
    }
}

fn trouble(effects: &[Effect]) -> Trouble {
    outcome(effects).result.clone().unwrap_err()
}

fn reply() -> Reply {
    Reply { id: "r".to_owned(), model: "m".to_owned(), usage: Some(Usage::new(5, 2)), ..Reply::text("Over here") }
}

#[test]
fn a_reply_streams_in_and_is_recorded() {
    let (mut exchange, effects) = begin(1);
    let [Effect::Send { attempt: 1, key, body }, Effect::Wake(Millis(1_100))] = effects.as_slice() else {
        panic!("{effects:?}")
    };
    assert_eq!((ChatRequest::read(body).unwrap(), key.len()), (request(), 32));
    assert!(exchange.handle(Millis(200), head(1, 200)).is_empty());
    let stream = frames(&reply(), 4, true);
    assert_eq!(timer(&exchange.handle(Millis(300), bytes(&stream[0]))), Some(600));
    assert_eq!(exchange.handle(Millis(400), bytes(&stream[1])), [Effect::Text("Over".to_owned())], "the timer runs");
    assert_eq!(timer(&exchange.handle(Millis(600), Input::Wake)), Some(700), "it rang for nothing");
    let effects = exchange.handle(Millis(650), bytes(&stream[2..].concat()));
    assert_eq!(effects[0], Effect::Text(" her".to_owned()));
    assert_eq!(effects[2], Effect::Drop { attempt: 1 });
    let Outcome { result, record } = outcome(&effects);
    assert_eq!(result, &Ok(reply()));
    assert_eq!((record.attempts, record.latency_millis, record.first_byte_millis), (1, 550, Some(200)));
    assert_eq!((record.prompt_tokens, record.completion_tokens), (Some(5), Some(2)));
    assert_eq!((record.finish, record.error.as_deref()), (Some(Finish::Stop), None));
    assert_eq!(record.request, tandem_llm::request_hash(&request()));
    assert!(exchange.over());
    assert!(
        exchange.handle(Millis(9_999), Input::Wake).is_empty()
            && exchange.handle(Millis(9_999), Input::Cancel).is_empty()
    );
}

#[test]
fn every_deadline_ends_it() {
    let (mut exchange, _) = begin(1);
    assert!(exchange.handle(Millis(1_099), Input::Wake).iter().all(|effect| matches!(effect, Effect::Wake(_))));
    let effects = exchange.handle(Millis(1_100), Input::Wake);
    assert_eq!(effects[0], Effect::Drop { attempt: 1 });
    assert_eq!(trouble(&effects), Trouble::Late(Deadline::FirstByte));
    assert_eq!(outcome(&effects).record.error.as_deref(), Some("late_first_byte"));

    let (mut exchange, _) = begin(1);
    exchange.handle(Millis(200), head(1, 200));
    assert_eq!(trouble(&exchange.handle(Millis(1_100), Input::Wake)), Trouble::Late(Deadline::FirstByte), "no body");

    let (mut exchange, _) = begin(1);
    exchange.handle(Millis(200), head(1, 200));
    exchange.handle(Millis(1_100), bytes(": in the last moment\n\n"));
    assert_eq!(trouble(&exchange.handle(Millis(1_401), bytes(":"))), Trouble::Late(Deadline::Idle), "even unrung");

    let (mut exchange, _) = begin(1);
    exchange.handle(Millis(200), head(1, 200));
    for at in (300..5_100).step_by(300) {
        assert!(!exchange.handle(Millis(at), bytes(":\n")).iter().any(|effect| matches!(effect, Effect::Over(_))));
    }
    assert_eq!(trouble(&exchange.handle(Millis(5_100), Input::Wake)), Trouble::Late(Deadline::Total), "kept alive");
}

#[test]
fn the_total_is_never_waited_past() {
    let patience = Patience { total: Millis(500), ..PATIENCE };
    let body = ask::question(&request(), Millis(0)).body;
    let (mut exchange, effects) = Exchange::begin(&body, patience, Seed::new(1).unwrap().stream("llm"), Millis(100));
    assert_eq!(timer(&effects), Some(600), "though the first byte may take longer");
    assert_eq!(trouble(&exchange.handle(Millis(600), Input::Wake)), Trouble::Late(Deadline::Total));
}

#[test]
fn a_finished_reply_counts_though_the_endpoint_hangs_or_breaks_off() {
    let done = frames(&reply(), 99, true);
    let undone = done[..done.len() - 1].concat();
    for (at, input) in
        [(600, Input::Wake), (500, Input::Broken { attempt: 1, what: "reset" }), (500, Input::End { attempt: 1 })]
    {
        let (mut exchange, _) = begin(1);
        exchange.handle(Millis(200), head(1, 200));
        exchange.handle(Millis(300), bytes(&undone));
        assert_eq!(outcome(&exchange.handle(Millis(at), input)).result, Ok(reply()));
    }
    let half = done[..2].concat();
    for (at, input, kind) in [
        (600, Input::Wake, "late_idle"),
        (500, Input::Broken { attempt: 1, what: "reset" }, "network"),
        (500, Input::End { attempt: 1 }, "cut"),
    ] {
        let (mut exchange, _) = begin(1);
        exchange.handle(Millis(200), head(1, 200));
        exchange.handle(Millis(300), bytes(&half));
        assert_eq!(trouble(&exchange.handle(Millis(at), input)).kind(), kind);
    }
}

/// The pause before the second attempt after this answer, and the effects.
fn pause(seed: u64, status: u16, retry_after: Option<&str>) -> Option<u64> {
    let (mut exchange, _) = begin(seed);
    let effects = exchange.handle(Millis(200), Input::Head { attempt: 1, status, retry_after });
    if effects.is_empty() || effects[0] != (Effect::Drop { attempt: 1 }) {
        return None;
    }
    // The first timer may ring before the pause is over.
    let mut at = timer(&effects).unwrap_or(1_100);
    loop {
        let effects = exchange.handle(Millis(at), Input::Wake);
        if let Some(Effect::Send { attempt: 2, .. }) = effects.first() {
            return Some(at - 200);
        }
        at = timer(&effects).unwrap();
    }
}

#[test]
fn only_what_may_pass_is_tried_again() {
    for status in [408, 429, 500, 502, 503, 504] {
        assert!(pause(1, status, None).is_some(), "{status}");
    }
    for status in [301, 400, 401, 403, 404, 413, 422] {
        assert!(pause(1, status, None).is_none(), "{status}");
    }
    let pauses: Vec<_> = (0..50).map(|seed| pause(seed, 503, None).unwrap()).collect();
    assert!(pauses.iter().all(|pause| (200..=400).contains(pause)), "{pauses:?}");
    assert!(pauses.iter().any(|pause| *pause < 260) && pauses.iter().any(|pause| *pause > 340), "{pauses:?}");
    assert_eq!(pause(3, 503, None), pause(3, 503, None));
    assert!((2_200..=2_400).contains(&pause(1, 429, Some(" 2 ")).unwrap()), "at least as long as asked");
    assert!((200..=400).contains(&pause(1, 429, Some("Tue, 01 Dec 2026 00:00:00 GMT")).unwrap()), "there is no clock");
    assert_eq!(pause(1, 429, Some("5")), None, "that is beyond the total");
    assert_eq!(pause(1, 429, Some("99999999999999999999")), pause(1, 429, None));
    assert_eq!(pause(1, 429, Some("18446744073709551615")), None);
}

type Sent = (String, Vec<u8>);

/// An exchange whose three attempts were refused, what was sent (keys and bodies), and when.
fn tried_thrice(seed: u64) -> (Exchange, Vec<Sent>, Vec<u64>) {
    let (mut exchange, mut effects) = begin(seed);
    let (mut sent, mut times, mut at) = (Vec::new(), Vec::new(), 100);
    for attempt in 1..=3 {
        while !matches!(effects.first(), Some(Effect::Send { .. })) {
            at = timer(&effects).unwrap_or(1_100);
            effects = exchange.handle(Millis(at), Input::Wake);
        }
        let Effect::Send { key, body, .. } = effects.swap_remove(0) else { unreachable!() };
        sent.push((key, body));
        times.push(at);
        let stale = exchange.handle(Millis(at), head(attempt - 1, 200));
        assert!(stale.is_empty(), "an attempt given up says nothing: {stale:?}");
        effects = exchange.handle(Millis(at), head(attempt, 503));
    }
    (exchange, sent, times)
}

#[test]
fn attempts_come_to_an_end_and_share_a_key() {
    let (mut exchange, sent, times) = tried_thrice(1);
    assert!(sent[0] == sent[1] && sent[1] == sent[2]);
    let at = Millis(times[2]);
    exchange.handle(at, Input::Bytes { attempt: 3, bytes: b"{\"error\":{\"message\":" });
    exchange.handle(at, Input::Bytes { attempt: 3, bytes: b"\"overloaded\"}}" });
    let effects = exchange.handle(at, Input::End { attempt: 3 });
    assert_eq!(trouble(&effects).to_string(), "the endpoint refused the request: status 503: overloaded");
    assert_eq!(outcome(&effects).record.attempts, 3);
}

#[test]
fn pauses_double_up_to_the_longest() {
    let second: Vec<_> = (0..50).map(|seed| tried_thrice(seed).2).map(|times| times[2] - times[1]).collect();
    assert!(second.iter().all(|pause| (300..=600).contains(pause)), "{second:?}");
    assert!(second.iter().any(|pause| *pause > 400), "{second:?}");
}

#[test]
fn bytes_of_an_attempt_given_up_are_not_mixed_in() {
    let (mut exchange, _) = begin(1);
    let mut effects = exchange.handle(Millis(100), head(1, 503));
    while !matches!(effects.first(), Some(Effect::Send { .. })) {
        effects = exchange.handle(Millis(timer(&effects).unwrap_or(1_100)), Input::Wake);
    }
    exchange.handle(Millis(600), head(2, 200));
    let stream = frames(&reply(), 99, true).concat();
    assert!(exchange.handle(Millis(610), bytes(&stream)).is_empty());
    assert!(exchange.handle(Millis(610), Input::End { attempt: 1 }).is_empty());
    let effects = exchange.handle(Millis(620), Input::Bytes { attempt: 2, bytes: stream.as_bytes() });
    assert_eq!(outcome(&effects).result, Ok(reply()));
}

#[test]
fn another_key_for_another_call() {
    let key = |seed: u64| match begin(seed).1.swap_remove(0) {
        Effect::Send { key, .. } => key,
        other => panic!("{other:?}"),
    };
    assert_ne!(key(1), key(2));
}

#[test]
fn an_error_page_without_end_is_not_read_without_end() {
    let (mut exchange, _) = begin(1);
    exchange.handle(Millis(200), head(1, 400));
    let page = "x".repeat(20_000);
    assert_eq!(trouble(&exchange.handle(Millis(300), bytes(&page))).kind(), "refused_by_endpoint");
    let (mut exchange, _) = begin(1);
    exchange.handle(Millis(200), head(1, 400));
    assert_eq!(trouble(&exchange.handle(Millis(500), Input::Wake)).kind(), "refused_by_endpoint", "nor waited for");
    let (mut exchange, _) = begin(1);
    exchange.handle(Millis(200), head(1, 200));
    let effects = exchange.handle(Millis(300), bytes(&page));
    assert_eq!(trouble(&effects), Trouble::Reply(ReplyError::TooLong(PATIENCE.bytes)));
}

#[test]
fn cancelling_drops_the_connection_if_there_is_one() {
    let (mut exchange, _) = begin(1);
    let effects = exchange.handle(Millis(200), Input::Cancel);
    assert_eq!((effects[0].clone(), trouble(&effects)), (Effect::Drop { attempt: 1 }, Trouble::Cancelled));
    let (mut exchange, _) = begin(1);
    exchange.handle(Millis(200), head(1, 500));
    let effects = exchange.handle(Millis(210), Input::Cancel);
    assert_eq!(effects.len(), 1, "the connection was dropped before the pause");
    assert_eq!(trouble(&effects), Trouble::Cancelled);
}

#[test]
fn what_an_agent_is_told() {
    let (mut exchange, _) = begin(1);
    assert_eq!(trouble(&exchange.handle(Millis(200), Input::Offline)).fault(), Fault::Absent);
    let (mut exchange, _) = begin(1);
    assert_eq!(trouble(&exchange.handle(Millis(1_100), Input::Wake)).fault(), Fault::Late);
    let (mut exchange, _) = begin(1);
    let broken = trouble(&exchange.handle(Millis(200), Input::Broken { attempt: 1, what: "refused" }));
    assert_eq!(broken.fault(), Fault::Broken("the connection failed: refused".to_owned()));
    let refused = |status| {
        let (mut exchange, _) = begin(1);
        exchange.handle(Millis(200), head(1, status));
        trouble(&exchange.handle(Millis(200), Input::End { attempt: 1 })).fault()
    };
    assert_eq!((refused(404), refused(405)), (Fault::Absent, Fault::Absent), "a static host has no endpoint");
    assert!(matches!(refused(401), Fault::Broken(_)));
}

#[test]
fn a_question_carries_a_request_and_an_answer_a_reply() {
    let question = ask::question(&request(), Millis(7));
    assert_eq!((question.to, question.within), (Faculty::Language, Millis(7)));
    assert_eq!(ask::request(&question), Ok(request()));
    let network = Question { to: Faculty::Network, ..question.clone() };
    assert!(ask::request(&network).is_err());
    let mut odd = question.clone();
    odd.body["tempo"] = 3.into();
    assert!(ask::request(&odd).unwrap_err().to_string().contains("tempo"));
    let mut empty = question;
    empty.body["messages"] = serde_json::json!([]);
    assert_eq!(ask::request(&empty).unwrap_err().field, "messages");

    assert_eq!(ask::reply(ask::answer(&Ok(reply()))), Ok(reply()));
    assert_eq!(ask::reply(ask::answer(&Err(Trouble::Offline))), Err(Fault::Absent));
    let forged = Answer::Reply(serde_json::json!({"choices": [{"message": {"tool_calls": [{"function": {"name": "go",
        "arguments": "{\"x\""}}]}}]}));
    assert!(matches!(ask::reply(forged), Err(Fault::Broken(_))), "half a call, also out of a trace");
}

#[derive(Clone, Debug)]
enum Doing {
    Head(u16, Option<String>),
    Bytes(Vec<u8>),
    Frames,
    End,
    Broken,
    Wake,
    Cancel,
    Offline,
}

fn any_doing() -> impl Strategy<Value = Doing> {
    prop_oneof![
        3 => (prop_oneof![Just(200), Just(429), Just(503), Just(404), any::<u16>()], prop::option::of("[0-9]{1,2}|soon"))
            .prop_map(|(status, after)| Doing::Head(status, after)),
        2 => prop::collection::vec(any::<u8>(), 0..40).prop_map(Doing::Bytes),
        2 => Just(Doing::Frames),
        1 => Just(Doing::End),
        1 => Just(Doing::Broken),
        4 => Just(Doing::Wake),
        1 => Just(Doing::Cancel),
        1 => Just(Doing::Offline),
    ]
}

/// What was seen of an exchange, and whether it may be.
#[derive(Default)]
struct Watch {
    sent: u32,
    over: bool,
    timers: Vec<u64>,
}

impl Watch {
    fn take(&mut self, exchange: &Exchange, effects: Vec<Effect>) {
        for effect in effects {
            assert!(!self.over, "after the end came {effect:?}");
            match effect {
                Effect::Send { attempt, .. } => {
                    self.sent += 1;
                    assert_eq!(attempt, self.sent);
                }
                Effect::Drop { attempt } => assert_eq!(attempt, self.sent),
                Effect::Wake(at) => self.timers.push(at.0),
                Effect::Text(text) => assert!(!text.is_empty()),
                Effect::Over(outcome) => {
                    self.over = true;
                    assert_eq!(outcome.record.attempts, self.sent);
                    assert_eq!(outcome.record.error.is_some(), outcome.result.is_err());
                }
            }
        }
        assert!(self.sent <= PATIENCE.attempts);
        assert_eq!(exchange.over(), self.over);
    }

    /// Lets the timers ring that come before this time.
    fn ring(&mut self, exchange: &mut Exchange, before: u64) {
        while let Some((place, &at)) = self.timers.iter().enumerate().min_by_key(|(_, at)| **at)
            && at < before
        {
            self.timers.swap_remove(place);
            let effects = exchange.handle(Millis(at), Input::Wake);
            self.take(exchange, effects);
        }
    }
}

proptest! {
    /// Whatever the network does: at most the attempts allowed, one end, by the total deadline at the latest, nothing
    /// after it, and as long as it is not over a timer runs.
    #[test]
    fn it_ends_once_and_in_time(
        doings in prop::collection::vec((0..900u64, any_doing(), 0..2u32), 0..30), seed in 0..99u64,
    ) {
        let (mut exchange, effects) = begin(seed);
        let mut watch = Watch::default();
        watch.take(&exchange, effects);
        let stream = frames(&reply(), 4, true).concat();
        let mut at = 100;
        for (after, doing, behind) in &doings {
            at += after;
            watch.ring(&mut exchange, at);
            let attempt = watch.sent - behind;
            let input = match doing {
                Doing::Head(status, after) => Input::Head { attempt, status: *status, retry_after: after.as_deref() },
                Doing::Bytes(bytes) => Input::Bytes { attempt, bytes },
                Doing::Frames => Input::Bytes { attempt, bytes: stream.as_bytes() },
                Doing::End => Input::End { attempt },
                Doing::Broken => Input::Broken { attempt, what: "reset" },
                Doing::Wake => Input::Wake,
                Doing::Cancel => Input::Cancel,
                Doing::Offline => Input::Offline,
            };
            let effects = exchange.handle(Millis(at), input);
            watch.take(&exchange, effects);
        }
        watch.ring(&mut exchange, 5_101);
        prop_assert!(watch.over);
    }
}
