//! The embedded parser against the annotated sets and against its own templates.

use proptest::prelude::*;
use serde_json::Value;
use tandem_gnomes::language::{Embedded, Parser, place_hint, refusal, request};
use tandem_gnomes::{Action, Flag};

/// The right and all lines of a set; with `SHOW` set, the tuning set's mistakes are printed.
fn accuracy(set: &str, show: bool) -> (usize, usize) {
    let mut right = 0;
    let mut all = 0;
    for line in set.lines() {
        let line: Value = serde_json::from_str(line).unwrap();
        let request = line["last_agent_request"].as_str().map(|name| Action::named(name).unwrap());
        let message = line["message"].as_str().unwrap();
        let flag = Embedded.flag(message, request);
        let wanted = Flag::named(line["flag"].as_str().unwrap()).unwrap();
        all += 1;
        right += usize::from(flag == wanted);
        if show && flag != wanted {
            println!("{message:?} after {request:?}: {flag}, not {wanted}");
        }
    }
    (right, all)
}

#[test]
fn the_tuning_set_is_read_well() {
    let (right, all) = accuracy(include_str!("../intents/tuning.jsonl"), true);
    assert!(right * 100 >= all * 97, "{right} of {all}");
}
