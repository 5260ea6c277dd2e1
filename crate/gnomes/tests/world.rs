//! The game as a world: turns, talk, news, and above all what a seat may not know.

mod common;

use common::{any_action, known, seed, some_board};
use proptest::prelude::*;
use proptest::sample::Index;
use tandem_core::{Audience, Illegal, Millis, Seat, Told, Turn, World};
use tandem_gnomes::boards::BoardSource;
use tandem_gnomes::{Action, Board, Cell, Config, Gnomes, LONGEST_MESSAGE, News, View, ascii, solver};

fn game(board: &Board, first: u8, max_turns: Option<u32>) -> Gnomes {
    let board = BoardSource::Text(ascii::write(board));
    Gnomes::new(Config { board, first: Seat(first), max_turns }, seed(1)).expect("a good config")
}

fn seat_to_move(game: &Gnomes) -> Option<Seat> {
    match game.turn() {
        Turn::One(seat) => Some(seat),
        Turn::Free | Turn::Over => None,
    }
}

/// Lets whoever is to move attempt `action` at that moment.
fn play(game: &mut Gnomes, action: Action, at: u64) -> Vec<Told<News>> {
    let seat = seat_to_move(game).expect("the game goes on");
    game.step(seat, action, Millis(at)).expect("every attempt is legal in turn")
}

fn told(to: Audience, news: News) -> Told<News> {
    Told { to, news }
}

#[test]
fn what_happens_is_told_to_those_who_may_know() {
    let mut game = game(&known("9A"), 0, None);
    let (one, other) = (Seat(0), Seat(1));
    let moved = |seat, action, from, to| told(Audience::Everyone, News::Moved { seat, action, from, to });
    let start = Cell::new(0, 0);
    assert_eq!(play(&mut game, Action::Right, 5), [moved(one, Action::Right, start, Cell::new(1, 0))]);
    assert_eq!(play(&mut game, Action::Stay, 6), [told(Audience::Everyone, News::Stayed { seat: other })]);
    // A wall: only who tried hears of it; to the other it looks like staying.
    assert_eq!(
        play(&mut game, Action::Right, 7),
        [
            told(Audience::Only(one), News::Blocked { seat: one, action: Action::Right }),
            told(Audience::AllBut(one), News::Stayed { seat: one }),
        ]
    );
    let [mine, theirs] = [one, other].map(|seat| game.view(seat).history);
    assert_eq!((mine[2].attempt, mine[2].moved), (Some(Action::Right), None));
    assert_eq!((theirs[2].attempt, theirs[2].moved), (None, None));
    assert_eq!((mine[1].attempt, theirs[1].attempt), (None, Some(Action::Stay)));
    play(&mut game, Action::Right, 8);
    play(&mut game, Action::Right, 9);
    play(&mut game, Action::Stay, 10);
    let treasure = Cell::new(4, 0);
    assert_eq!(
        play(&mut game, Action::Right, 1234),
        [
            moved(one, Action::Right, Cell::new(3, 0), treasure),
            told(Audience::Everyone, News::Found { round: 1, turns: 7, millis: Millis(1234), treasure }),
            told(Audience::Everyone, News::Round { round: 2, treasure_seat: other }),
        ]
    );
    let [mine, theirs] = [one, other].map(|seat| game.view(seat));
    assert_eq!((mine.treasure, theirs.treasure), (None, Some(Cell::new(6, 2))));
    assert_eq!((mine.round, mine.turns, mine.token, mine.turn), (2, 0, start, Some(one)));
    assert_eq!(mine.finished.len(), 1);
    assert_eq!((mine.finished[0].treasure, mine.finished[0].millis), (Some(treasure), Millis(1234)));
}

#[test]
fn steps_out_of_turn_are_refused_and_change_nothing() {
    let mut game = game(&known("practice"), 1, Some(1));
    let before = game.digest();
    let refused = game.step(Seat(0), Action::Stay, Millis(1));
    assert_eq!(refused, Err(Illegal::new("it is your partner's turn")));
    assert_eq!(game.digest(), before);
    assert_eq!((game.legal(Seat(0)), game.legal(Seat(1))), (vec![], Action::ALL.to_vec()));
    for at in 0..5 {
        assert_eq!(seat_to_move(&game), Some(Seat(1)), "the same seat begins every round");
        play(&mut game, Action::Stay, at);
    }
    assert_eq!(game.step(Seat(1), Action::Stay, Millis(9)), Err(Illegal::new("the game is over")));
    assert_eq!(game.say(Seat(1), "well", Millis(9)), Err(Illegal::new("the game is over")));
    assert_eq!((game.turn(), game.legal(Seat(1))), (Turn::Over, vec![]));
}

#[test]
fn a_round_at_its_cap_is_given_up_and_the_game_goes_on() {
    let mut game = game(&known("9A"), 0, Some(3));
    play(&mut game, Action::Right, 10);
    play(&mut game, Action::Stay, 20);
    let news = play(&mut game, Action::Right, 30);
    assert!(news.contains(&told(Audience::Everyone, News::Unfound { round: 1, turns: 3 })), "{news:?}");
    assert!(news.contains(&told(Audience::Everyone, News::Round { round: 2, treasure_seat: Seat(1) })), "{news:?}");
    let theirs = game.view(Seat(1));
    assert_eq!((theirs.token, theirs.round), (Cell::new(0, 0), 2));
    assert_eq!(theirs.finished[0].treasure, None, "what was not found stays unknown");
    let mut last = Vec::new();
    for at in 40..52 {
        assert_eq!(game.outcome(), None);
        last = play(&mut game, Action::Stay, at);
    }
    assert!(last.contains(&told(Audience::Everyone, News::Over)));
    let outcome = game.outcome().expect("over");
    assert!(!outcome.completed);
    assert_eq!(outcome.rounds.len(), 5);
    assert_eq!(
        (outcome.rounds[0].turns, outcome.rounds[0].millis, outcome.rounds[0].completed),
        (3, Millis(30), false)
    );
    assert_eq!((outcome.rounds[0].reward, outcome.reward), (-0.8, -2.0));
    let view = game.view(Seat(0));
    assert_eq!((view.turn, view.treasure, view.outcome), (None, None, Some(outcome)));
}

#[test]
fn talk_is_plain_text_of_some_length() {
    let mut game = game(&known("9A"), 0, None);
    let mut say = |text: &str| game.say(Seat(1), text, Millis(7)).map_err(|illegal| illegal.reason);
    let said = News::Said { seat: Seat(1), text: "can you go right? \u{1f642}".into() };
    // Out of turn too: talk is free.
    assert_eq!(say("can you go right? \u{1f642}"), Ok(vec![told(Audience::Everyone, said)]));
    assert!(say(&"\u{e4}".repeat(LONGEST_MESSAGE)).is_ok());
    for (text, reason) in [
        ("x".repeat(LONGEST_MESSAGE + 1), "a message has at most 500 characters; this one has 501"),
        ("beep\u{7}".into(), "a message is plain text, without control characters"),
        (" \n ".into(), "a message needs words"),
        (String::new(), "a message needs words"),
    ] {
        assert_eq!(say(&text), Err(reason.into()));
    }
    let messages = game.view(Seat(0)).messages;
    assert_eq!(messages.len(), 2);
    assert_eq!((messages[0].seat, messages[0].round, messages[0].turn, messages[0].at), (Seat(1), 1, 0, Millis(7)));
}

#[test]
fn a_bad_config_is_answered_with_the_field() {
    let check = |json: &str, expected: &str| {
        let config: Config = serde_json::from_str(json).expect("well-formed");
        let error = Gnomes::new(config, seed(1)).map(|_| ()).expect_err(json).to_string();
        assert!(error.starts_with(expected), "{json}: {error}");
    };
    check(r#"{"board": "10Z"}"#, "board: there is no board \"10Z\"; there are practice");
    check(r#"{"board": "+\n"}"#, "board: line 1, column 1: ");
    check(r#"{"first": 2}"#, "first: there is no seat 2");
    check(r#"{"max_turns": 0}"#, "max_turns: a round needs at least one turn");
    let default: Config = serde_json::from_str("{}").expect("every field has a default");
    assert_eq!(default, Config::default());
    let game = Gnomes::new(default, seed(1)).expect("the default can be played");
    assert_eq!((game.board().name(), seat_to_move(&game)), ("9A", Some(Seat(0))));
}

#[test]
fn everything_is_revealed_to_those_who_may_see_it() {
    let mut game = game(&known("9A"), 0, None);
    play(&mut game, Action::Up, 1);
    let reveal = game.reveal();
    let board = known("9A");
    assert_eq!(reveal["treasures"], serde_json::json!(board.treasures()));
    for (side, seat) in board.sides().iter().zip(0..) {
        assert_eq!(reveal["sides"][seat]["right"], serde_json::json!(side.walls(Action::Right)));
        assert_eq!(reveal["sides"][seat]["below"], serde_json::json!(side.walls(Action::Down)));
    }
    assert_eq!((&reveal["round"], &reveal["turn"], &reveal["reward"]), (&1.into(), &1.into(), &(-0.6).into()));
}

/// The same board with other walls on the side of the seat that is not `seat`, except for the edges that `kept` lists,
/// and with the treasures in `hidden` (rounds from 0) elsewhere. `None` if that cannot be played.
fn elsewhere(
    board: &Board,
    seat: Seat,
    kept: &[(Cell, Action)],
    hidden: &[usize],
    visited: &[Vec<Cell>],
    walls: &[bool],
    places: &[Index],
) -> Option<Board> {
    let mut setup = board.setup().clone();
    let side = &mut setup.sides[1 - seat.index()];
    let edges: Vec<(Cell, Action)> = (0..side.cells())
        .flat_map(|index| [Action::Right, Action::Down].map(|action| (side.cell(index), action)))
        .collect();
    for ((cell, action), wall) in edges.into_iter().zip(walls.iter().cycle()) {
        if *wall { side.add_wall(cell, action) } else { side.remove_wall(cell, action) }
    }
    for (cell, action) in kept {
        side.remove_wall(*cell, *action);
    }
    for (round, place) in hidden.iter().zip(places.iter().cycle()) {
        let grid = &board.sides()[0];
        let free = |cell: &Cell| {
            *cell != board.start()
                && !setup.treasures.contains(cell)
                && !visited.get(*round).is_some_and(|visited| visited.contains(cell))
        };
        let cells: Vec<Cell> = (0..grid.cells()).map(|index| grid.cell(index)).filter(free).collect();
        if !cells.is_empty() {
            setup.treasures[*round] = *place.get(&cells);
        }
    }
    setup.check().ok()
}

proptest! {
    /// Two games that differ in nothing a seat may know look the same to that seat, in views and in news.
    #[test]
    fn a_seat_sees_nothing_of_the_other_side(
        board in some_board(),
        (seat, first) in (0u8..2, 0u8..2),
        cap in proptest::option::of(5u32..40),
        actions in proptest::collection::vec(any_action(), 0..60),
        walls in proptest::collection::vec(proptest::bool::weighted(0.25), 97),
        places in proptest::collection::vec(any::<Index>(), 9),
    ) {
        let seat = Seat(seat);
        let heard = |news: Vec<Told<News>>| -> Vec<News> {
            news.into_iter().filter(|told| told.to.includes(seat)).map(|told| told.news).collect()
        };
        let mut here = game(&board, first, cap);
        let (mut seen, mut kept, mut deeds) = (vec![here.view(seat)], Vec::new(), Vec::new());
        let mut visited = vec![Vec::new(); board.treasures().len()];
        let mut news_here = Vec::new();
        for (action, at) in actions.into_iter().zip(0..) {
            let Some(mover) = seat_to_move(&here) else { break };
            let round = here.state().round;
            news_here.push(heard(play(&mut here, action, at)));
            let past = here.view(mover).history.pop().expect("just played");
            visited[round].push(past.to);
            // In the other game the partner does what could be seen of it here.
            if mover == seat {
                deeds.push(action);
            } else {
                deeds.push(past.moved.unwrap_or(Action::Stay));
                kept.extend(past.moved.map(|moved| (past.from, moved)));
            }
            seen.push(here.view(seat));
        }
        // Hidden so far: treasures shown to the other seat and not found, and those of rounds to come.
        let rounds = 0..board.treasures().len();
        let shown = |round: usize| Gnomes::treasure_seat(round) == seat && round <= here.state().round;
        let found = |round: usize| here.finished().get(round).is_some_and(|(round, _)| round.completed);
        let hidden: Vec<usize> = rounds.filter(|round| !shown(*round) && !found(*round)).collect();
        let Some(other) = elsewhere(&board, seat, &kept, &hidden, &visited, &walls, &places) else {
            return Err(TestCaseError::reject("cannot be played"));
        };
        let mut there = game(&other, first, cap);
        // The score of a finished game tells of the partner's walls, and may.
        let playing = |view: View| View { outcome: None, ..view };
        prop_assert_eq!(playing(there.view(seat)), playing(seen[0].clone()));
        for (((action, at), news), seen) in deeds.into_iter().zip(0..).zip(news_here).zip(&seen[1..]) {
            prop_assert_eq!(heard(play(&mut there, action, at)), news);
            prop_assert_eq!(playing(there.view(seat)), playing(seen.clone()));
        }
    }

    #[test]
    fn equal_histories_have_equal_digests_and_others_have_not(
        board in some_board(),
        cap in proptest::option::of(2u32..20),
        deeds in proptest::collection::vec((any_action(), proptest::option::of("[a-z ]{1,9}[a-z]"), 0u64..1000), 1..40),
        changed in any::<Index>(),
    ) {
        let run = |deeds: &[(Action, Option<String>, u64)]| {
            let mut game = game(&board, 0, cap);
            let mut now = 0;
            for (action, words, later) in deeds {
                let Some(seat) = seat_to_move(&game) else { break };
                now += later;
                if let Some(words) = words {
                    game.say(seat, words, Millis(now)).expect("plain words");
                }
                play(&mut game, *action, now);
            }
            let played = game.view(Seat(0)).history.len();
            (game.digest(), played)
        };
        let (digest, played) = run(&deeds);
        prop_assert_eq!(run(&deeds).0, digest);
        let changed = changed.index(played);
        let mut others = deeds.clone();
        others[changed].2 += 1;
        prop_assert_ne!(run(&others).0, digest, "another moment");
        let mut others = deeds.clone();
        others[changed].1 = Some("another word".into());
        prop_assert_ne!(run(&others).0, digest, "another word");
        let mut others = deeds[..played].to_vec();
        others.truncate(changed);
        prop_assert_ne!(run(&others).0, digest, "a shorter game");
    }

    #[test]
    fn a_game_keeps_its_books(
        board in some_board(),
        first in 0u8..2,
        cap in 3u32..30,
        actions in proptest::collection::vec(any_action(), 0..150),
    ) {
        let mut game = game(&board, first, Some(cap));
        for (action, at) in actions.into_iter().zip(0..) {
            let Some(seat) = seat_to_move(&game) else { break };
            prop_assert_eq!(game.legal(seat), Action::ALL.to_vec());
            prop_assert!(game.pass(seat).is_some_and(|pass| game.legal(seat).contains(&pass)));
            prop_assert!(game.clone().step(Seat(1 - seat.0), action, Millis(at)).is_err());
            play(&mut game, action, at);
        }
        for seat in [Seat(0), Seat(1)] {
            let view = game.view(seat);
            let turns: u32 = view.finished.iter().map(|round| round.turns).sum();
            prop_assert_eq!(view.history.len(), (turns + view.turns) as usize);
            for past in &view.history {
                prop_assert_eq!(past.attempt.is_some(), past.seat == seat);
                prop_assert_eq!(past.moved.is_some(), past.from != past.to);
                let began = past.turn == 1;
                prop_assert!(!began || (past.from == view.start && past.seat == Seat(first)));
            }
            prop_assert_eq!(view.open, board.sides()[seat.index()].actions(view.token).collect::<Vec<_>>());
            prop_assert_eq!(view.outcome.is_some(), view.turn.is_none());
        }
    }

    #[test]
    fn two_who_know_everything_find_every_treasure(board in some_board(), first in 0u8..2) {
        let mut game = game(&board, first, None);
        for treasure in board.treasures() {
            for action in solver::shortest_path(board.sides(), board.start(), *treasure, first).unwrap_or_default() {
                play(&mut game, action, 1);
            }
        }
        let outcome = game.outcome();
        let turns: usize = solver::solve(&board, first).iter().sum();
        let reward = (200 * board.treasures().len() - turns) as f64 / 10.0;
        prop_assert_eq!(outcome.map(|outcome| (outcome.completed, outcome.reward)), Some((true, reward)));
    }
}
