//! Laws that every board and every trace must obey.

use proptest::prelude::*;
use tandem_cogrip::{Cogrip, view::Sees};
use tandem_core::trace::{Replay, Trace};
use tandem_core::{Event, Seat, Session, What, World};
use tandem_gnomes::{Gnomes, boards};
use tandem_tests::{Tested, as_kept, chairs, game, played, run};

/// The game ends, its trace replays to the same digest, and the same seed gives the same trace, byte for byte.
fn is_played_replayed_and_repeated<W: Tested>(board: &str, seats: [&str; 2]) {
    let session = played::<W>(board, seats, 11);
    assert!(session.over(), "{board} with {seats:?}");
    let replay = Replay::<W>::new(Trace::read(&session.trace()).unwrap()).unwrap();
    assert_eq!(replay.digest(), session.world().digest(), "{board} with {seats:?}");
    assert_eq!(played::<W>(board, seats, 11).trace(), session.trace());
}

#[test]
fn every_board_of_gnomes_is_played_replayed_and_repeated() {
    for board in boards::list() {
        for partner in ["comm", "mute", "random"] {
            if partner != "comm" && board.width > 9 {
                continue; // Without talk the large boards take thousands of turns; nothing new is learnt from them.
            }
            is_played_replayed_and_repeated::<Gnomes>(&board.name, ["simulated", partner]);
        }
    }
}

#[test]
fn every_board_of_cogrip_is_played_replayed_and_repeated() {
    for board in tandem_cogrip::boards::list() {
        for guide in ["heuristic", "reference", "silent", "random"] {
            for follower in ["cautious", "eager"] {
                is_played_replayed_and_repeated::<Cogrip>(&board.name, [guide, follower]);
            }
        }
    }
}

/// The boards of this list are all solved by the communicating pair.
#[test]
fn the_communicating_pair_completes_every_board() {
    for board in boards::list() {
        let outcome = played::<Gnomes>(&board.name, ["simulated", "comm"], 3).world().outcome().unwrap();
        assert!(outcome.completed, "{}: {outcome:?}", board.name);
    }
}

/// A trace cut anywhere goes on to the very game that would have been played without the cut: all but the times at which
/// things happen, since the game stood still for a while.
fn goes_on_when_cut<W: Tested>(board: &str, seats: [&str; 2]) {
    let whole = played::<W>(board, seats, 5);
    let text = whole.trace();
    for part in 1..20 {
        let cut = text.len() * part / 20;
        let cut = (cut..).find(|at| text.is_char_boundary(*at)).unwrap();
        let trace = Trace::read(&text[..cut]).unwrap();
        let mut session = Session::<W>::resume(&trace, chairs(seats)).unwrap();
        if !session.over() {
            let at = session.now();
            session.handle(Event { at, what: What::Resume }).unwrap();
            run(&mut session, usize::MAX);
        }
        assert_eq!(session.world().reveal(), whole.world().reveal(), "{board} cut at {cut}");
        assert_eq!(deeds(&session.trace()), deeds(&text), "{board} cut at {cut}");
        Replay::<W>::new(Trace::read(&session.trace()).unwrap()).unwrap();
    }
}

/// What was done and said, in order.
fn deeds(trace: &str) -> Vec<serde_json::Value> {
    let lines = trace.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    lines.filter(|line| line["event"] == "act" || line["event"] == "say").map(|line| line["action"].clone()).collect()
}

#[test]
fn a_cut_game_goes_on_as_if_nothing_had_happened() {
    goes_on_when_cut::<Gnomes>("5A", ["simulated", "comm"]);
    goes_on_when_cut::<Cogrip>("random", ["heuristic", "eager"]);
    goes_on_when_cut::<Cogrip>("corners", ["random", "cautious"]);
}

/// The files that the browser tests replay: they must be what this version would write (`TANDEM_BLESS=1` writes them
/// anew).
fn is_kept<W: Tested>(name: &str, board: &str, seats: [&str; 2]) {
    let path = format!("traces/{name}.jsonl");
    let same = as_kept(&path, &played::<W>(board, seats, 20).trace());
    assert!(same, "{path} differs: set TANDEM_BLESS=1 once if the change is meant");
}

#[test]
fn the_traces_for_the_browser_are_those_of_this_version() {
    is_kept::<Gnomes>("9a-comm", "9A", ["simulated", "comm"]);
    is_kept::<Gnomes>("5a-mute", "5A", ["simulated", "mute"]);
    is_kept::<Gnomes>("practice-random", "practice", ["simulated", "random"]);
    is_kept::<Cogrip>("cogrip-heuristic-eager", "random", ["heuristic", "eager"]);
    is_kept::<Cogrip>("cogrip-heuristic-cautious", "test-7", ["heuristic", "cautious"]);
    is_kept::<Cogrip>("cogrip-random-eager", "crowd", ["random", "eager"]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Drawn boards of any size are playable, and no seat's view tells the other side's walls.
    #[test]
    fn drawn_boards_obey_the_laws(width in 4_u8..13, height in 4_u8..13, seed in 0_u64..10_000) {
        let name = format!("random-{width}x{height}-{seed}");
        let mut session = game::<Gnomes>(&name, ["simulated", "comm"], seed);
        run(&mut session, 60);
        let replay = Replay::<Gnomes>::new(Trace::read(&session.trace()).unwrap()).unwrap();
        prop_assert_eq!(replay.digest(), session.world().digest());
        for seat in [Seat(0), Seat(1)] {
            let view = session.view(seat);
            let own = &session.world().board().sides()[seat.index()];
            prop_assert_eq!(&view.walls.right, &own.walls(tandem_gnomes::Action::Right));
            prop_assert!(view.treasure.is_none() || view.treasure_seat == seat);
            prop_assert!(view.history.iter().all(|past| past.attempt.is_none() || past.seat == seat));
        }
    }

    /// Drawn boards of any size are playable, and what one seat may not see is not in its view: the Follower's has
    /// neither the pieces nor the target, the Guide's not what the Follower did.
    #[test]
    fn drawn_boards_of_cogrip_obey_the_laws(size in 12_u8..=30, pieces in 2_usize..=8, seed in 0_u64..10_000) {
        let name = format!("random-{size}-{pieces}");
        let mut session = game::<Cogrip>(&name, ["heuristic", "eager"], seed);
        run(&mut session, 40);
        let replay = Replay::<Cogrip>::new(Trace::read(&session.trace()).unwrap()).unwrap();
        prop_assert_eq!(replay.digest(), session.world().digest());
        let guide = session.view(Seat(0));
        let sees_all = matches!(guide.sees, Sees::Guide { .. });
        prop_assert!(sees_all);
        prop_assert!(guide.history.iter().all(|past| past.act.is_none()));
        let follower = session.view(Seat(1));
        prop_assert!(matches!(follower.sees, Sees::Follower(_)));
        let told = serde_json::to_value(&follower).unwrap();
        prop_assert!(told["sees"]["pieces"].is_null() && told["sees"]["target"].is_null());
    }
}
