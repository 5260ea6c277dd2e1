//! Laws that every board and every trace must obey.

use proptest::prelude::*;
use tandem_core::trace::{Replay, Trace};
use tandem_core::{Event, Seat, Session, What, World};
use tandem_gnomes::{Gnomes, boards};
use tandem_tests::{chairs, game, played, run};

/// On every board, with every partner: the game ends, its trace replays to the same digest, and the same seed gives the
/// same trace, byte for byte.
#[test]
fn every_board_is_played_replayed_and_repeated() {
    for board in boards::list() {
        for partner in ["comm", "mute", "random"] {
            if partner != "comm" && board.width > 9 {
                continue; // Without talk the large boards take thousands of turns; nothing new is learnt from them.
            }
            let seats = ["simulated", partner];
            let session = played(&board.name, seats, 11);
            assert!(session.over(), "{} with {partner}", board.name);
            let replay = Replay::<Gnomes>::new(Trace::read(&session.trace()).unwrap()).unwrap();
            assert_eq!(replay.digest(), session.world().digest(), "{} with {partner}", board.name);
            assert_eq!(played(&board.name, seats, 11).trace(), session.trace());
        }
    }
}

/// The boards of this list are all solved by the communicating pair.
#[test]
fn the_communicating_pair_completes_every_board() {
    for board in boards::list() {
        let outcome = played(&board.name, ["simulated", "comm"], 3).world().outcome().unwrap();
        assert!(outcome.completed, "{}: {outcome:?}", board.name);
    }
}

/// A trace cut anywhere goes on to the very game that would have been played without the cut.
#[test]
fn a_cut_game_goes_on_as_if_nothing_had_happened() {
    let seats = ["simulated", "comm"];
    let whole = played("5A", seats, 5);
    let text = whole.trace();
    for part in 1..20 {
        let cut = text.len() * part / 20;
        let cut = (cut..).find(|at| text.is_char_boundary(*at)).unwrap();
        let trace = Trace::read(&text[..cut]).unwrap();
        let mut session = Session::<Gnomes>::resume(&trace, chairs(seats)).unwrap();
        if !session.over() {
            let at = session.now();
            session.handle(Event { at, what: What::Resume }).unwrap();
            run(&mut session, usize::MAX);
        }
        let outcome = |session: &Session<Gnomes>| {
            session.world().outcome().unwrap().rounds.iter().map(|round| round.turns).collect::<Vec<_>>()
        };
        assert_eq!(outcome(&session), outcome(&whole), "cut at {cut}");
        Replay::<Gnomes>::new(Trace::read(&session.trace()).unwrap()).unwrap();
    }
}

/// The file that the browser tests replay: it must be what this version would write (`TANDEM_BLESS=1` writes it anew).
#[test]
fn the_traces_for_the_browser_are_those_of_this_version() {
    for (name, board, partner) in
        [("9a-comm", "9A", "comm"), ("5a-mute", "5A", "mute"), ("practice-random", "practice", "random")]
    {
        let path = format!("{}/traces/{name}.jsonl", env!("CARGO_MANIFEST_DIR"));
        let trace = played(board, ["simulated", partner], 20).trace();
        if std::env::var_os("TANDEM_BLESS").is_some() {
            std::fs::write(&path, &trace).unwrap();
        }
        let kept = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(kept == trace, "{name}.jsonl differs: set TANDEM_BLESS=1 once if the change is meant");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Drawn boards of any size are playable, and no seat's view tells the other side's walls.
    #[test]
    fn drawn_boards_obey_the_laws(width in 4_u8..13, height in 4_u8..13, seed in 0_u64..10_000) {
        let name = format!("random-{width}x{height}-{seed}");
        let mut session = game(&name, ["simulated", "comm"], seed);
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
}
