//! The trained Guide at a table: it asks, draws from the answer, and falls back to the hand-written Guide without one.

use serde_json::{Value, json};
use tandem_cogrip::{Cogrip, Config};
use tandem_core::{
    Agent, Answer, Chair, Effect, Event, Faculty, Fault, Millis, Question, Seat, SeatSetup, Seed, Session, Setup, What,
};
use tandem_guide::agent::{Learned, NAME};

/// Plays a round with the eager Follower; `network` answers each question's body. Gives what the Guide explained.
fn play(network: impl Fn(&Value) -> Answer) -> Vec<Value> {
    let seat = |name: &str| SeatSetup::Agent { name: name.into(), config: Value::Null };
    let setup = Setup {
        config: Config { board: "test-3".into(), rounds: 1 },
        seed: Seed::new(1).unwrap(),
        seats: vec![seat(NAME), seat("eager")],
        pace: Millis(0),
        host: None,
    };
    let chairs = vec![
        Chair::Agent(Box::new(Learned::new(&Value::Null).unwrap()) as Box<dyn Agent<Cogrip>>),
        Chair::Agent(tandem_cogrip::agents::make(Seat(1), "eager", &Value::Null).unwrap()),
    ];
    let mut session = Session::new(setup, chairs).unwrap();
    let mut at = Millis(0);
    let mut effects = session.handle(Event { at, what: What::Start }).unwrap();
    let mut lines: Vec<String> = Vec::new();
    loop {
        let mut asked = None;
        for effect in effects {
            match effect {
                Effect::Ask { ticket, question: Question { to, body, .. }, .. } => {
                    assert_eq!(to, Faculty::Network);
                    asked = Some((ticket, network(&body)));
                }
                Effect::Save(line) => lines.push(line),
                _ => {}
            }
        }
        let what = match asked {
            Some((ticket, answer)) => What::Answer { ticket, answer, record: None },
            None => match session.next_wake() {
                Some((ticket, when)) => {
                    at = when;
                    What::Wake { ticket }
                }
                None => break,
            },
        };
        effects = session.handle(Event { at, what }).unwrap();
    }
    let because = |line: &String| serde_json::from_str::<Value>(line).unwrap().get("because").cloned();
    lines.iter().filter_map(because).filter(|because| because["agent"] == NAME).collect()
}

#[test]
fn it_says_what_the_network_makes_likely() {
    let sure = |body: &Value| {
        let path = body["path"].as_array().unwrap();
        assert_eq!(path[0], 10 * 21 + 10);
        assert_eq!(body["guide"], "eager-0.95");
        let mut logits = [0.0; 14];
        // The first reference at the start, then silence.
        logits[if path.len() == 1 { 8 } else { 0 }] = 90.0;
        Answer::Reply(json!({ "logits": logits, "value": 1.5, "backend": "cpu", "millis": 0.4 }))
    };
    let said = play(sure);
    assert_eq!(said[0]["intent"], "pcs");
    assert_eq!(said[0]["value"], 1.5);
    assert_eq!(said[0]["distribution"][8], json!(["pcs", 1.0]));
    assert!(said[1..].iter().all(|because| because["intent"] == "silence"));
}

#[test]
fn without_an_answer_the_hand_written_guide_speaks() {
    let broken = json!({ "logits": [1, 2], "value": 0, "backend": "cpu", "millis": 0 });
    for answer in [Answer::Failed(Fault::Absent), Answer::Reply(broken)] {
        let said = play(|_| answer.clone());
        assert!(!said.is_empty());
        assert!(said.iter().all(|because| because["instead"] == "heuristic" && !because["fault"].is_null()));
        assert_ne!(said[0]["intent"], "silence");
    }
}
