//! The session machine on a small game: two seats count to a goal together, taking turns; one may add 1 or 2.

use proptest::prelude::*;
use serde::{Deserialize, Serialize};
use tandem_core::trace::{Replay, Trace, rechain};
use tandem_core::*;

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Goal {
    goal: u64,
}

#[derive(Clone)]
struct Counting {
    goal: u64,
    sum: u64,
    turn: Seat,
    said: Vec<String>,
}

#[derive(Clone, Debug, Serialize)]
enum News {
    Added(Seat, u64),
    Said(String),
    Private,
}

impl World for Counting {
    const NAME: &'static str = "counting";
    const RULES: &'static str = "counting-1";
    type Config = Goal;
    type Action = u64;
    type View = (u64, u8);
    type News = News;
    type Outcome = u64;

    fn new(config: Goal, _: Seed) -> Result<Self, ConfigError> {
        if config.goal == 0 {
            return Err(ConfigError::new("goal", "must be at least 1"));
        }
        Ok(Self { goal: config.goal, sum: 0, turn: Seat(0), said: Vec::new() })
    }
    fn seats(&self) -> u8 {
        2
    }
    fn turn(&self) -> Turn {
        if self.sum >= self.goal { Turn::Over } else { Turn::One(self.turn) }
    }
    fn legal(&self, _: Seat) -> Vec<u64> {
        vec![1, 2]
    }
    fn view(&self, _: Seat) -> (u64, u8) {
        (self.sum, self.turn.0)
    }
    fn step(&mut self, seat: Seat, action: u64, _: Millis) -> Result<Vec<Told<News>>, Illegal> {
        if self.turn() != Turn::One(seat) || !(1..=2).contains(&action) {
            return Err(Illegal::new("not now, or not that"));
        }
        self.sum += action;
        self.turn = Seat(1 - seat.0);
        Ok(vec![Told::everyone(News::Added(seat, action)), Told::only(seat, News::Private)])
    }
    fn say(&mut self, _: Seat, text: &str, _: Millis) -> Result<Vec<Told<News>>, Illegal> {
        self.said.push(text.into());
        Ok(vec![Told::everyone(News::Said(text.into()))])
    }
    fn pass(&self, _: Seat) -> Option<u64> {
        Some(1)
    }
    fn outcome(&self) -> Option<u64> {
        (self.sum >= self.goal).then_some(self.sum)
    }
    fn reveal(&self) -> serde_json::Value {
        serde_json::json!({ "sum": self.sum })
    }
    fn digest(&self) -> u64 {
        let mut digest = Digest::new(Self::RULES).u64(self.sum).u64(self.turn.0.into());
        for text in &self.said {
            digest = digest.text(text);
        }
        digest.finish()
    }
}

/// Adds by chance, answers every word, and asks a question before it moves when it has been told to.
struct Adder {
    asks: bool,
    private: usize,
}

impl Agent<Counting> for Adder {
    fn think(&mut self, view: &(u64, u8), news: &[News], stream: &mut Stream) -> Thought<u64> {
        use rand::RngExt;
        self.private += news.iter().filter(|news| matches!(news, News::Private)).count();
        let mut deeds = Vec::new();
        if news.iter().any(|news| matches!(news, News::Said(text) if text == "hello")) {
            deeds.push(Deed::Say("good day".into()));
        }
        if view.1 == 1 {
            deeds.push(match self.asks {
                true => Deed::Ask(Question { to: Faculty::Language, body: "which?".into(), within: Millis(500) }),
                false => Deed::Act(stream.random_range(1..=2)),
            });
        }
        Thought { deeds, because: Some(serde_json::json!({ "seen": view.0 })) }
    }
    fn answered(&mut self, answer: Answer, _: &(u64, u8), _: &mut Stream) -> Thought<u64> {
        Thought::just(Deed::Act(if matches!(answer, Answer::Reply(_)) { 2 } else { 1 }))
    }
}

/// Does nothing at all.
struct Sleeper;
impl Agent<Counting> for Sleeper {
    fn think(&mut self, _: &(u64, u8), _: &[News], _: &mut Stream) -> Thought<u64> {
        Thought::idle()
    }
}

fn agent(asks: bool) -> Vec<Chair<Counting>> {
    vec![Chair::Human, Chair::Agent(Box::new(Adder { asks, private: 0 }))]
}

fn setup(goal: u64, pace: u64) -> Setup<Goal> {
    let seats = vec![SeatSetup::Human {}, SeatSetup::Agent { name: "adder".into(), config: serde_json::Value::Null }];
    Setup { config: Goal { goal }, seed: Seed::new(7).unwrap(), seats, pace: Millis(pace), host: None }
}

fn event(at: u64, what: What<u64>) -> Event<u64> {
    Event { at: Millis(at), what }
}

fn ring_all(session: &mut Session<Counting>) {
    while let Some((ticket, at)) = session.next_wake() {
        session.handle(Event { at, what: What::Wake { ticket } }).unwrap();
    }
}

/// A person who adds 1 each time, and says a word first now and then.
fn play(goal: u64, pace: u64, chairs: Vec<Chair<Counting>>) -> Session<Counting> {
    let mut session = Session::new(setup(goal, pace), chairs).unwrap();
    session.handle(event(0, What::Start)).unwrap();
    ring_all(&mut session);
    let mut turn = 0;
    while !session.over() {
        turn += 1;
        let at = session.now().0 + 10;
        if turn % 3 == 0 {
            session.handle(event(at, What::Say { seat: Seat(0), text: "hello".into() })).unwrap();
        }
        session.handle(event(at, What::Act { seat: Seat(0), action: 1 })).unwrap();
        ring_all(&mut session);
    }
    session
}

#[test]
fn a_game_is_played_and_its_trace_replays_to_the_same_digest() {
    let session = play(20, 100, agent(false));
    let replay = Replay::<Counting>::new(Trace::read(&session.trace()).unwrap()).unwrap();
    assert_eq!(replay.digest(), session.world().digest());
    assert_eq!(replay.outcome(), session.world().outcome().as_ref());
    let last = replay.frame(replay.frames() - 1).unwrap();
    assert_eq!(last.world.digest(), replay.digest());
    assert!(replay.frame(replay.frames()).is_none());
}

#[test]
fn agents_explain_before_they_act_and_hear_only_their_news() {
    let session = play(6, 0, agent(false));
    let replay = Replay::<Counting>::new(Trace::read(&session.trace()).unwrap()).unwrap();
    let explained = (1..replay.frames()).filter(|i| !replay.frame(*i).unwrap().thoughts.is_empty()).count();
    assert!(explained > 0);
    assert!(session.lines().iter().all(|line| !line.contains("Private")));
}

#[test]
fn an_agent_that_does_nothing_is_passed_over_and_the_trace_says_so() {
    let session = play(8, 0, vec![Chair::Human, Chair::Agent(Box::new(Sleeper))]);
    assert!(session.over());
    assert!(session.lines().iter().any(|line| line.contains("\"derived\":\"fault\"")));
}

#[test]
fn a_question_without_an_answer_ends_at_its_deadline() {
    let mut session = Session::new(setup(10, 0), agent(true)).unwrap();
    session.handle(event(0, What::Start)).unwrap();
    ring_all(&mut session);
    session.handle(event(5, What::Act { seat: Seat(0), action: 1 })).unwrap();
    let (ticket, at) = session.next_wake().unwrap();
    let effects = session.handle(Event { at, what: What::Wake { ticket } }).unwrap();
    assert!(effects.iter().any(|effect| matches!(effect, Effect::Ask { .. })));
    let (deadline, at) = session.next_wake().unwrap();
    assert_eq!(at, Millis(505));
    session.handle(Event { at, what: What::Wake { ticket: deadline } }).unwrap();
    assert_eq!(session.view(Seat(0)), (2, 0), "it fell back to adding 1");
    let late = What::Answer { ticket: deadline, answer: Answer::Reply("2".into()), record: None };
    session.handle(event(600, late)).unwrap();
    assert_eq!(session.view(Seat(0)), (2, 0), "the late answer changes nothing");
}

#[test]
fn what_is_not_allowed_is_refused_and_leaves_no_line() {
    let mut session = Session::new(setup(10, 0), agent(false)).unwrap();
    assert_eq!(session.handle(event(0, What::Resume)).err(), Some(Refused::NotStarted));
    session.handle(event(0, What::Start)).unwrap();
    let before = session.trace();
    let act = |seat, action| event(1, What::Act { seat: Seat(seat), action });
    assert!(matches!(session.handle(act(0, 9)), Err(Refused::Illegal(_))));
    assert_eq!(session.handle(act(1, 1)).err(), Some(Refused::NotYours(Seat(1))));
    assert_eq!(session.handle(act(5, 1)).err(), Some(Refused::NoSeat(Seat(5))));
    assert_eq!(session.handle(event(1, What::Start)).err(), Some(Refused::StartedAlready));
    assert_eq!(session.trace(), before);
    session.handle(event(2, What::Stop)).unwrap();
    assert_eq!(session.handle(act(0, 1)).err(), Some(Refused::Over));
}

#[test]
fn a_question_that_was_open_is_asked_anew_after_resuming() {
    let mut session = Session::new(setup(10, 0), agent(true)).unwrap();
    session.handle(event(0, What::Start)).unwrap();
    session.handle(event(1, What::Act { seat: Seat(0), action: 1 })).unwrap();
    let asked = |effects: &[Effect<Counting>]| {
        effects.iter().find_map(|effect| match effect {
            Effect::Ask { seat, ticket, question } => Some((*seat, *ticket, question.clone())),
            _ => None,
        })
    };
    let mut before = None;
    while before.is_none() {
        let (ticket, at) = session.next_wake().unwrap();
        before = asked(&session.handle(Event { at, what: What::Wake { ticket } }).unwrap());
    }
    let trace = Trace::read(&session.trace()).unwrap();
    let mut session = Session::resume(&trace, agent(true)).unwrap();
    let again = asked(&session.handle(event(2, What::Resume)).unwrap());
    assert_eq!(again, before);
    let ticket = again.unwrap().1;
    let answer = Answer::Reply("2".into());
    session.handle(event(3, What::Answer { ticket, answer, record: None })).unwrap();
    assert_eq!(
        asked(&session.handle(event(4, What::Resume)).unwrap()),
        None,
        "an answered question is not asked again"
    );
}

#[test]
fn resuming_with_another_partner_is_refused_where_it_differs() {
    let trace = Trace::read(&play(20, 0, agent(false)).trace()).unwrap();
    let error = Session::resume(&trace, vec![Chair::Human, Chair::Agent(Box::new(Sleeper))]).err().unwrap();
    assert!(error.reason.contains("otherwise"), "{error}");
}

proptest! {
    /// A trace cut off at any byte gives back all its whole lines, and the session goes on from there to an end whose
    /// trace replays.
    #[test]
    fn a_cut_trace_is_recovered_and_goes_on(goal in 3_u64..30, pace in 0_u64..50, at in 0.0..1.0_f64) {
        let whole = play(goal, pace, agent(false)).trace();
        let bytes = &whole.as_bytes()[..(whole.len() as f64 * at) as usize];
        let header_end = whole.find('\n').unwrap();
        match Trace::read_bytes(bytes) {
            Err(error) => prop_assert!(bytes.len() < header_end && error.line == 1, "{error}"),
            Ok(trace) => {
                let lines = whole.lines().zip(trace.texts());
                prop_assert!(lines.clone().all(|(one, other)| one == other));
                let broken_off = bytes.iter().filter(|byte| **byte == b'\n').count();
                prop_assert!(trace.texts().len() >= broken_off);
                Replay::<Counting>::new(trace.clone()).unwrap();
                let mut session = Session::resume(&trace, agent(false)).unwrap();
                if trace.lines().is_empty() || session.over() {
                    return Ok(());
                }
                let at = session.now();
                session.handle(Event { at, what: What::Resume }).unwrap();
                ring_all(&mut session);
                while !session.over() {
                    session.handle(Event { at, what: What::Act { seat: Seat(0), action: 1 } }).unwrap();
                    ring_all(&mut session);
                }
                let replay = Replay::<Counting>::new(Trace::read(&session.trace()).unwrap()).unwrap();
                prop_assert_eq!(replay.digest(), session.world().digest());
            }
        }
    }

    /// Any change to a whole trace is refused, and at the right line.
    #[test]
    fn an_edited_trace_is_refused_where_it_was_edited(goal in 3_u64..20, line in 0.0..1.0_f64, place in 0.0..1.0_f64, byte in 32_u8..127) {
        let whole = play(goal, 5, agent(false)).trace();
        let mut lines: Vec<String> = whole.lines().map(str::to_owned).collect();
        let index = (lines.len() as f64 * line) as usize;
        let mut bytes = lines[index].clone().into_bytes();
        let place = (bytes.len() as f64 * place) as usize;
        prop_assume!(bytes[place] != byte);
        bytes[place] = byte;
        lines[index] = String::from_utf8(bytes).unwrap();
        let error = Trace::read(&(lines.join("\n") + "\n")).unwrap_err();
        prop_assert_eq!(error.line, index + 1, "{}", error);
    }

    #[test]
    fn reordered_or_missing_lines_are_refused(goal in 5_u64..20, one in 0.0..1.0_f64, other in 0.0..1.0_f64) {
        let whole = play(goal, 5, agent(false)).trace();
        let lines: Vec<&str> = whole.lines().collect();
        let at = |share: f64| (lines.len() as f64 * share) as usize;
        let (one, other) = (at(one), at(other));
        prop_assume!(one != other);
        let mut swapped = lines.clone();
        swapped.swap(one, other);
        let error = Trace::read(&(swapped.join("\n") + "\n")).unwrap_err();
        prop_assert_eq!(error.line, one.min(other) + 1);
        let mut missing = lines.clone();
        missing.remove(one.min(other));
        prop_assert!(Trace::read(&(missing.join("\n") + "\n")).is_err() );
    }

    /// Whatever text comes, reading it never panics.
    #[test]
    fn any_text_is_read_or_refused(text in ".{0,200}", bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let _ = Trace::read(&text);
        let _ = Trace::read_bytes(&bytes);
    }

    /// A trace edited with the chain mended is still refused where it breaks the rules, never with a panic.
    #[test]
    fn an_edit_with_a_mended_chain_is_replayed_or_refused(goal in 3_u64..20, line in 0.0..1.0_f64, place in 0.0..1.0_f64, byte in 32_u8..127) {
        let whole = play(goal, 5, agent(false)).trace();
        prop_assert_eq!(&rechain(&whole), &whole);
        let mut lines: Vec<String> = whole.lines().map(str::to_owned).collect();
        let index = (lines.len() as f64 * line) as usize;
        let mut bytes = lines[index].clone().into_bytes();
        let place = (bytes.len() as f64 * place) as usize;
        bytes[place] = byte;
        lines[index] = String::from_utf8(bytes).unwrap();
        let text = rechain(&(lines.join("\n") + "\n"));
        let replay = Trace::read(&text).and_then(Replay::<Counting>::new);
        if let Err(error) = replay {
            prop_assert!(error.line >= 1 && error.line <= lines.len() && !error.reason.is_empty());
        }
    }
}
