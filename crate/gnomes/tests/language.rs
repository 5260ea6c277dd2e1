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

/// Nobody who works on the parser reads this set; the test tells no more than the count.
#[test]
fn the_unseen_set_is_read_nine_times_in_ten() {
    let (right, all) = accuracy(include_str!("../intents/unseen.jsonl"), false);
    println!("{right} of {all}");
    assert!(right * 10 >= all * 9, "{right} of {all}");
}

#[test]
fn own_words_are_understood() {
    for action in Action::ALL {
        for variant in 0..12 {
            let words = request(action, variant);
            assert_eq!(Embedded.flag(&words, None), Flag::Do(action), "{words:?}");
            assert_eq!(Embedded.flag(&words, Some(action.opposite())), Flag::Do(action), "{words:?}");
        }
    }
    for action in Action::MOVES {
        for variant in 0..12 {
            let words = refusal(action, variant);
            assert_eq!(Embedded.flag(&words, Some(action)), Flag::Reject, "{words:?}");
        }
    }
}

#[test]
fn places_are_told_apart_from_talk() {
    let hint = place_hint("the treasure is in the top right corner").unwrap();
    assert_eq!((hint.across, hint.along, hint.part), (Some(Action::Right), Some(Action::Up), true));
    let hint = place_hint("its two rows below us").unwrap();
    assert_eq!((hint.across, hint.along, hint.part), (None, Some(Action::Down), false));
    assert_eq!(place_hint("go right"), None);
    assert_eq!(place_hint("where is the treasure, left or right?"), None);
}

proptest! {
    #[test]
    fn any_text_is_read(message in ".{0,80}", request in proptest::option::of(0_usize..5)) {
        let request = request.map(|index| Action::ALL[index]);
        let flag = Embedded.flag(&message, request);
        prop_assert_eq!(Flag::named(flag.name()), Some(flag));
        let _ = place_hint(&message);
    }

    /// Talk without letters or figures says nothing.
    #[test]
    fn signs_alone_say_nothing(message in "[ .,;:!_~]{0,20}") {
        prop_assert_eq!(Embedded.flag(&message, Some(Action::Up)), Flag::None);
    }
}

/// Messages of all kinds that are read rightly and must stay so: flag, request, message.
#[test]
fn what_was_understood_is_understood_still() {
    for line in include_str!("checks.tsv").lines() {
        let [flag, request, message] = line.split('\t').collect::<Vec<_>>()[..] else { panic!("{line:?}") };
        let read = Embedded.flag(message, Action::named(request));
        assert_eq!(read.name(), flag, "{message:?} after {request}");
    }
}
