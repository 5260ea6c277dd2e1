//! Language by a model: what is asked, what of a reply counts, and that a planner goes on whatever the model does.

mod common;

use common::seed;
use proptest::prelude::*;
use serde_json::{Value, json};
use std::collections::VecDeque;
use tandem_core::trace::Trace;
use tandem_core::{
    Answer, Chair, Effect, Event, Fault, Millis, Question, Seat, SeatSetup, Session, Setup, Ticket, What,
};
use tandem_gnomes::language::model::{self, Situation};
use tandem_gnomes::language::{Embedded, Parser};
use tandem_gnomes::{Action, Config, Flag, Gnomes, agents};
use tandem_llm::chat::{ChatRequest, Finish, Reply, ToolCall};
use tandem_llm::{Script, ask};

const HUMAN: Seat = Seat(0);
const MODEL: &str = "small";

/// The scripted provider's rules that come with the crate.
const RULES: &str = include_str!("../language/scripted.json");

/// A person at seat 0 and a planner at seat 1 that asks a model.
struct Sitting {
    session: Session<Gnomes>,
    /// Questions that nobody has answered.
    open: VecDeque<(Ticket, Question)>,
    now: u64,
}

impl Sitting {
    fn new() -> Self {
        Self::of(&json!({"language": {"model": MODEL, "within": 500}}))
    }

    fn of(options: &Value) -> Self {
        let (seats, chairs) = (seats(options), chairs(options));
        let setup = Setup { config: Config::default(), seed: seed(3), seats, pace: Millis(100), host: None };
        let session = Session::new(setup, chairs).expect("the table is set");
        let mut sitting = Self { session, open: VecDeque::new(), now: 0 };
        sitting.feed(What::Start);
        sitting
    }

    fn feed(&mut self, what: What<Action>) {
        let effects = self.session.handle(Event { at: Millis(self.now), what }).expect("a fitting event");
        for effect in effects {
            if let Effect::Ask { ticket, question, .. } = effect {
                self.open.push_back((ticket, question));
            }
        }
    }

    fn say(&mut self, text: &str) {
        self.feed(What::Say { seat: HUMAN, text: text.to_owned() });
    }

    fn act(&mut self, action: Action) {
        self.feed(What::Act { seat: HUMAN, action });
    }

    /// The next timer rings.
    fn ring(&mut self) {
        let (ticket, at) = self.session.next_wake().expect("something is due");
        self.now = at.0;
        self.feed(What::Wake { ticket });
    }

    fn answer(&mut self, answer: Answer) {
        let (ticket, _) = self.open.pop_front().expect("a question is open");
        self.now += 20;
        self.feed(What::Answer { ticket, answer, record: Some(json!({"latency_millis": 20})) });
    }

    fn asked(&self) -> ChatRequest {
        let (_, question) = self.open.front().expect("a question is open");
        ask::request(question).expect("a chat request")
    }

    /// All that was heard, by the planner's last explanation.
    fn heard(&self) -> Value {
        let thoughts = self.session.lines().iter().rev().filter_map(|line| {
            let line: Value = serde_json::from_str(line).expect("a line is JSON");
            (line["derived"] == "thought").then(|| line["because"]["heard"].clone())
        });
        thoughts.into_iter().next().unwrap_or_default()
    }

    fn said(&self) -> Vec<String> {
        let messages = self.session.view(HUMAN).messages;
        messages.into_iter().filter(|message| message.seat != HUMAN).map(|message| message.text).collect()
    }

    fn human_to_move(&self) -> bool {
        self.session.view(HUMAN).turn == Some(HUMAN)
    }
}

fn seats(options: &Value) -> Vec<SeatSetup> {
    vec![SeatSetup::Human {}, SeatSetup::Agent { name: "comm".to_owned(), config: options.clone() }]
}

fn chairs(options: &Value) -> Vec<Chair<Gnomes>> {
    vec![Chair::Human, Chair::Agent(agents::make("comm", options).expect("the options are right"))]
}

fn reply(text: &str) -> Answer {
    ask::answer(&Ok(Reply::text(text)))
}

#[test]
fn the_move_waits_for_the_model_and_the_trace_says_who_read() {
    let mut sitting = Sitting::new();
    sitting.say("could we try south maybe");
    sitting.act(Action::Stay);
    sitting.ring();
    assert!(!sitting.human_to_move(), "it waits for the model");
    assert_eq!(sitting.asked().messages.last().map(|message| message.text()), Some("could we try south maybe"));
    sitting.answer(reply(r#"{"label":"down"}"#));
    assert!(sitting.human_to_move(), "it has moved");
    assert_eq!(sitting.heard(), json!([{"text": "could we try south maybe", "flag": "down", "by": MODEL}]));
}

#[test]
fn a_fault_of_any_kind_is_read_by_the_embedded_parser() {
    let cut = ask::answer(&Ok(Reply { finish: Finish::Length, ..Reply::text(r#"{"label":"le"#) }));
    for (answer, fault) in [
        (Answer::Failed(Fault::Late), "no reply in time"),
        (Answer::Failed(Fault::Absent), "there is no model to ask"),
        (Answer::Failed(Fault::Broken("status 500".into())), "status 500"),
        (Answer::Reply(json!({"choices": []})), "the reply cannot be read"),
        (reply("I think the label is down."), "expected exactly one of"),
        (cut, "the reply ended with length"),
    ] {
        let mut sitting = Sitting::new();
        sitting.say("go right");
        sitting.act(Action::Stay);
        sitting.ring();
        sitting.answer(answer);
        assert!(sitting.human_to_move(), "{fault}: it has moved all the same");
        let heard = &sitting.heard()[0];
        assert_eq!((&heard["flag"], &heard["by"]), (&json!("right"), &json!("embedded")), "{fault}");
        assert!(heard["fault"].as_str().is_some_and(|told| told.contains(fault)), "{fault}: {heard}");
    }
}

#[test]
fn a_silent_model_costs_one_deadline_however_much_is_said() {
    let mut sitting = Sitting::new();
    for text in ["go right", "where is the treasure?", "sorry, go down"] {
        sitting.say(text);
    }
    sitting.act(Action::Stay);
    sitting.ring();
    let asked_at = sitting.now;
    sitting.ring();
    assert_eq!(sitting.now - asked_at, 500, "the deadline rings");
    assert!(sitting.human_to_move(), "it has moved");
    assert_eq!(sitting.open.len(), 1, "nothing else was asked");
    assert!(sitting.said().iter().any(|text| text.contains("treasure")), "the question was answered");
    let readers: Vec<_> = sitting.heard().as_array().into_iter().flatten().map(|heard| heard["by"].clone()).collect();
    assert_eq!(readers, ["embedded", "embedded", "embedded"]);
}

#[test]
fn a_question_is_answered_in_the_models_words_or_in_ours() {
    for (second, words, by) in [
        (reply("I can go right or down,\nbut I don't see it."), "I can go right or down, but I don't see it.", MODEL),
        (Answer::Failed(Fault::Late), "I don't see the treasure this round, only you do.", "embedded"),
        (reply("   "), "I don't see the treasure this round, only you do.", "embedded"),
    ] {
        let mut sitting = Sitting::new();
        sitting.say("where's the treasure");
        sitting.ring();
        sitting.answer(reply("inquiry"));
        let facts = sitting.asked().messages[0].text().to_owned();
        assert!(facts.contains("You do not see the treasure in this round"), "{facts}");
        sitting.answer(second);
        assert_eq!(sitting.said(), [words]);
        let heard = &sitting.heard()[0];
        assert_eq!((&heard["by"], &heard["answered_by"]), (&json!(MODEL), &json!(by)));
        assert!(sitting.human_to_move(), "an answer is no move");
    }
}

/// What is said counts as of when it was said: a refusal is noted for the cell where the token stood then.
#[test]
fn messages_and_moves_are_taken_in_in_order() {
    let run = |options: &Value, label: Option<&str>| {
        let mut sitting = Sitting::of(options);
        let mut marks = Value::Null;
        for _ in 0..30 {
            sitting.act(Action::Stay);
            sitting.ring();
            let asked_a_step = sitting.said().last().is_some_and(|text| text.contains("go ") || text.contains("move "));
            if !asked_a_step {
                continue;
            }
            sitting.say("no");
            sitting.act(Action::Right);
            sitting.ring();
            if let Some(label) = label {
                sitting.answer(reply(label));
            }
            let last = sitting.session.lines().iter().rev().find(|line| line.contains("\"derived\":\"thought\""));
            let last: Value = serde_json::from_str(last.expect("a thought")).expect("a line is JSON");
            marks = last["because"]["hidden"].clone();
            break;
        }
        (marks, sitting.session.view(HUMAN).token)
    };
    let embedded = run(&Value::Null, None);
    assert_ne!(embedded.0, json!([]), "a step was asked for and refused");
    assert_eq!(run(&json!({"language": {"model": MODEL}}), Some("reject")), embedded);
}

#[test]
fn a_trace_is_resumed_and_replayed_without_a_model() {
    let options = json!({"language": {"model": MODEL, "within": 500}});
    let mut sitting = Sitting::of(&options);
    sitting.say("go down");
    sitting.act(Action::Stay);
    sitting.ring();
    sitting.answer(reply("down"));
    sitting.say("what do you see?");
    sitting.ring();
    sitting.answer(reply("inquiry"));
    sitting.ring();
    let text = sitting.session.trace();
    assert!(text.contains(r#""record":{"latency_millis":20}"#), "{text}");
    let trace = Trace::read(&text).expect("the trace is whole");
    let again = Session::<Gnomes>::resume(&trace, chairs(&options)).expect("the agents decide as they did");
    assert_eq!(again.trace(), text);
    let replay = tandem_core::trace::Replay::<Gnomes>::new(trace).expect("it replays");
    let digest = |world: &Gnomes| tandem_core::World::digest(world);
    assert_eq!(replay.digest(), digest(sitting.session.world()));
}

#[test]
fn options_that_cannot_be_are_named() {
    for (options, field) in [
        (json!({"language": {"model": " "}}), "config.language.model"),
        (json!({"language": {"model": "m", "within": 0}}), "config.language.within"),
        (json!({"language": {"model": "m", "within": 60_001}}), "config.language.within"),
        (json!({"language": {"model": "m", "url": "http://x"}}), "config"),
    ] {
        assert_eq!(agents::make("comm", &options).err().expect("refused").field, field);
    }
}

#[test]
fn prompts_hold_no_message_of_the_unseen_set() {
    let intent = model::intent_request(MODEL, "", None).messages[0].text().to_lowercase();
    let step = model::next_action_request(MODEL, Situation { message: "", last_request: None, open: None });
    let prompts = intent + &step.messages[0].text().to_lowercase();
    let mut compared = 0;
    for line in include_str!("../intents/unseen.jsonl").lines() {
        let line: Value = serde_json::from_str(line).expect("a line is JSON");
        let message = line["message"].as_str().expect("a message").to_lowercase();
        if message.split_whitespace().count() > 2 {
            compared += 1;
            assert!(!prompts.contains(&message), "{} stands in a prompt", line["id"]);
        }
    }
    assert!(compared > 100, "there is something to compare");
}

/// What models send in place of a label.
#[test]
fn hostile_replies_are_no_intent_and_no_step() {
    let call = ToolCall { id: "1".into(), name: "move".into(), arguments: "{}".into() };
    let calls = Reply { finish: Finish::ToolCalls, calls: vec![call], ..Reply::text("left") };
    let mut replies: Vec<Reply> = [
        "",
        "{\"label\": \"lef",
        "{\"label\": \"north\"}",
        "{\"label\": \"left\", \"why\": \"said so\"}",
        "{\"label\": [\"left\"]}",
        "{\"label\": 1e400}",
        "{\"label\": 99999999999999999999999999}",
        "[\"left\"]",
        "Sure! {\"label\": \"left\"}",
        "{\"label\": \"left\"} because it says so",
        "{\"label\": \"left\"}{\"label\": \"right\"}",
        "left or right",
        "not left",
        "left left",
        "null",
        "18446744073709551616",
        "\u{0}left",
    ]
    .into_iter()
    .map(Reply::text)
    .collect();
    replies.push(Reply { finish: Finish::Length, ..Reply::text("left") });
    replies.push(Reply { finish: Finish::ContentFilter, ..Reply::text("left") });
    replies.push(calls);
    for reply in replies {
        assert!(model::read_intent(&reply).is_err(), "{reply:?}");
        assert!(model::read_next_action(&reply).is_err(), "{reply:?}");
    }
    assert_eq!(model::read_intent(&Reply::text(" \"Left.\" ")), Ok(Flag::Do(Action::Left)));
    assert_eq!(model::read_next_action(&Reply::text("{\"label\":\"stay\"}")), Ok(Action::Stay));
    assert!(model::read_next_action(&Reply::text("inquiry")).is_err(), "a flag is no step");
}

#[test]
fn answers_that_are_no_sentence_are_refused() {
    for text in ["", " \n ", "{\"answer\": \"x\"}", "```json", "<think>hm", "...", "a\u{7}b", &"word ".repeat(200)] {
        assert!(model::read_answer(&Reply::text(text)).is_err(), "{text:?}");
    }
    assert!(model::read_answer(&Reply { finish: Finish::Length, ..Reply::text("From here I") }).is_err());
    assert_eq!(model::read_answer(&Reply::text("\"I am\n  stuck.\"")).as_deref(), Ok("I am stuck."));
}

#[test]
fn requests_are_what_an_endpoint_takes() {
    let view = Sitting::new().session.view(HUMAN);
    let open = [Action::Right, Action::Stay];
    let situation = Situation { message: "go", last_request: Some(Action::Stay), open: Some(&open) };
    for request in [
        model::intent_request(MODEL, "go", Some(Action::Left)),
        model::inquiry_request(MODEL, "where?", &view),
        model::next_action_request(MODEL, situation),
    ] {
        request.check().expect("the request is well formed");
        let body = serde_json::to_vec(&request).expect("it is JSON");
        assert_eq!(ChatRequest::read(&body), Ok(request));
    }
}

#[test]
fn the_scripted_rules_play_every_kind_of_message() {
    let script = Script::read(RULES).expect("the rules are right");
    let flag = |text: &str, request: Option<Action>| {
        let reply = script.reply(&model::intent_request(MODEL, text, request)).expect("no refusal");
        model::read_intent(&reply)
    };
    for (text, request, right) in [
        ("go left please", None, Flag::Do(Action::Left)),
        ("head south", None, Flag::Do(Action::Down)),
        ("I can't, there is a wall", Some(Action::Up), Flag::Reject),
        ("ok", Some(Action::Up), Flag::Accept),
        ("ok", None, Flag::None),
        ("Where is the treasure?", None, Flag::Inquiry),
        ("wait here", None, Flag::Do(Action::Stay)),
        ("nice weather", None, Flag::None),
    ] {
        assert_eq!(flag(text, request), Ok(right), "{text}");
    }
    let view = Sitting::new().session.view(HUMAN);
    let reply = script.reply(&model::inquiry_request(MODEL, "Where is the treasure?", &view)).expect("no refusal");
    assert!(model::read_answer(&reply).is_ok());
    let situation = Situation { message: "go up", last_request: None, open: None };
    let reply = script.reply(&model::next_action_request(MODEL, situation)).expect("no refusal");
    assert_eq!(model::read_next_action(&reply), Ok(Action::Up));
}

proptest! {
    /// Whatever comes back, the planner moves on its turn, and by no other reading than the model's or its own.
    #[test]
    fn whatever_comes_back_the_planner_moves(text in ".{0,60}", finish in 0..4_usize, message in "[ -~é→?]{1,40}") {
        let finish = [Finish::Stop, Finish::Length, Finish::ToolCalls, Finish::ContentFilter][finish];
        let mut sitting = Sitting::new();
        let spoken = sitting.session.handle(Event {
            at: Millis(0),
            what: What::Say { seat: HUMAN, text: message.clone() },
        });
        prop_assume!(spoken.is_ok());
        sitting.act(Action::Stay);
        sitting.ring();
        let answered = Reply { finish, ..Reply::text(text) };
        let read = model::read_intent(&answered);
        let mut rounds = 0;
        while !sitting.open.is_empty() {
            sitting.answer(Answer::Reply(answered.clone().into()));
            rounds += 1;
            prop_assert!(rounds <= 2, "one question about the meaning, one for the answer");
        }
        prop_assert!(sitting.human_to_move());
        let heard = &sitting.heard()[0];
        if !model::readable(&message) || heard["by"] == "embedded" {
            let flag = Embedded.flag(&message, None);
            prop_assert_eq!(&heard["flag"], flag.name());
        } else {
            prop_assert_eq!(&heard["flag"], read.expect("it was taken").name());
        }
    }
}
