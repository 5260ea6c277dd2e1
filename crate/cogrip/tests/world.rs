//! The game as a world: turns, words, news, and above all what a seat may not know.

mod common;

use common::{any_intent, any_task, seed};
use proptest::prelude::*;
use serde_json::json;
use std::collections::BTreeSet;
use tandem_cogrip::agents::{list, make};
use tandem_cogrip::language::{Meaning, parse};
use tandem_cogrip::rules::{Act, MOST_STEPS};
use tandem_cogrip::sight::REACH;
use tandem_cogrip::view::{FOLLOWER, GUIDE, News, Sees};
use tandem_cogrip::{
    Action, Area, Board, Cell, Cogrip, Config, Direction, Intent, LONGEST_MESSAGE, Piece, Task, View, boards, tasks,
};
use tandem_core::{Audience, Illegal, Millis, Seat, Told, Turn, World};

/// A game of one round on a task.
fn game(task: &Task) -> Cogrip {
    let board = tasks::write(std::slice::from_ref(task));
    Cogrip::new(Config { board, rounds: 1 }, seed(1)).expect("a good config")
}

/// A red T whose tiles are (3..=5, 3), (4, 4), (4, 5), the target; a blue X with (11, 5), (10..=12, 6), (11, 7).
fn two_pieces() -> Cogrip {
    game(&common::task(&["red T 2,2", "blue X 9,4"]))
}

fn told(to: Audience, news: News) -> Told<News> {
    Told { to, news }
}

fn heard_by(seat: Seat, news: Vec<Told<News>>) -> Vec<News> {
    news.into_iter().filter(|told| told.to.includes(seat)).map(|told| told.news).collect()
}

const UP: Act = Act::Move(Direction::Up);

#[test]
fn the_guide_speaks_then_the_follower_acts_and_each_hears_what_it_may() {
    let mut game = two_pieces();
    assert_eq!((game.turn(), game.seats()), (Turn::One(GUIDE), 2));
    let news = game.step(GUIDE, Action::Say(Intent::Go(Direction::Up)), Millis(5)).expect("its turn");
    let sentence = tandem_cogrip::language::word(Meaning::Go(Direction::Up));
    let said = News::Said { seat: GUIDE, text: "Go up".into(), sentence };
    assert_eq!(news, [told(Audience::Everyone, said)]);
    assert_eq!(game.turn(), Turn::One(FOLLOWER));
    let (from, to) = (Cell::new(10, 10), Cell::new(10, 9));
    assert_eq!(
        game.step(FOLLOWER, Action::Do(UP), Millis(6)).expect("its turn"),
        [told(Audience::Only(FOLLOWER), News::Did { act: UP }), told(Audience::Everyone, News::Moved { from, to })]
    );
    let news = game.step(GUIDE, Action::Say(Intent::Silence), Millis(7)).expect("its turn");
    assert_eq!(news, [told(Audience::Everyone, News::Silence)]);
    assert_eq!(
        game.step(FOLLOWER, Action::Do(Act::Take), Millis(8)).expect("its turn"),
        [told(Audience::Only(FOLLOWER), News::Did { act: Act::Take }), told(Audience::Everyone, News::Stayed)]
    );
    let [guide, follower] = [GUIDE, FOLLOWER].map(|seat| game.view(seat));
    assert_eq!((guide.step, guide.gripper, guide.effort), (2, to, 1.1));
    assert_eq!(guide.history.iter().map(|past| past.act).collect::<Vec<_>>(), [None, None]);
    assert_eq!(follower.history.iter().map(|past| past.act).collect::<Vec<_>>(), [Some(UP), Some(Act::Take)]);
}

#[test]
fn a_round_ends_with_its_result_told_to_all() {
    let mut game = two_pieces();
    for act in [Act::Move(Direction::Right), UP, UP, UP] {
        game.step(GUIDE, Action::Say(Intent::Confirm), Millis(1)).expect("its turn");
        game.step(FOLLOWER, Action::Do(act), Millis(2)).expect("its turn");
    }
    game.step(GUIDE, Action::Say(Intent::Decline), Millis(3)).expect("its turn");
    let news = heard_by(FOLLOWER, game.step(FOLLOWER, Action::Do(Act::Take), Millis(40)).expect("its turn"));
    let [News::Did { .. }, News::Stayed, News::Ended(ended), News::Over] = &news[..] else { panic!("{news:?}") };
    assert_eq!((ended.success, ended.steps, ended.effort, ended.millis), (false, 5, 4.0, Millis(40)));
    // Game 0.85, Guide 0.88: half of both, less 1.
    assert!((ended.reward + 0.135).abs() < 1e-12, "{ended:?}");
    assert_eq!(ended.taken.map(|piece| piece.to_string()).as_deref(), Some("blue X at top center"));
    assert_eq!(ended.target.to_string(), "red T at top left");
    assert_eq!((game.turn(), game.legal(GUIDE), game.legal(FOLLOWER)), (Turn::Over, vec![], vec![]));
    let outcome = game.outcome().expect("over");
    assert_eq!((outcome.completed, outcome.rounds.len(), outcome.reward), (false, 1, ended.reward));
    assert_eq!(game.say(GUIDE, "left", Millis(50)), Err(Illegal::new("the game is over")));
}

#[test]
fn what_is_out_of_turn_is_refused_and_changes_nothing() {
    let mut game = two_pieces();
    let before = game.digest();
    let refused = |game: &mut Cogrip, seat, action, reason: &str| {
        assert_eq!(game.step(seat, action, Millis(1)), Err(Illegal::new(reason)));
    };
    refused(&mut game, FOLLOWER, Action::Do(UP), "the Guide has not spoken yet");
    refused(&mut game, FOLLOWER, Action::Say(Intent::Take), "only the Guide may speak");
    refused(&mut game, GUIDE, Action::Do(UP), "only the Follower may move the gripper");
    assert_eq!(game.say(FOLLOWER, "left", Millis(1)), Err(Illegal::new("the Follower cannot speak")));
    assert_eq!(game.digest(), before);
    game.step(GUIDE, Action::Say(Intent::Silence), Millis(1)).expect("its turn");
    let before = game.digest();
    refused(&mut game, GUIDE, Action::Say(Intent::Silence), "the Follower is to act");
    assert_eq!(game.say(GUIDE, "left", Millis(1)), Err(Illegal::new("the Follower is to act")));
    assert_eq!(game.digest(), before);
}

#[test]
fn a_persons_words_are_heard_as_the_sentence_they_mean() {
    let mut game = two_pieces();
    let text = "please grab the red one in the top left corner, you will love it";
    let news = game.say(GUIDE, text, Millis(1)).expect("its turn");
    assert_eq!(game.turn(), Turn::One(FOLLOWER));
    let texts = |seat| {
        let heard = heard_by(seat, news.clone());
        let [News::Said { text, sentence, .. }] = &heard[..] else { panic!("{heard:?}") };
        (text.clone(), sentence.to_string())
    };
    let sentence = "Take the red piece at top left".to_owned();
    assert_eq!(texts(GUIDE), (text.to_owned(), sentence.clone()), "the speaker's own words, and what was made of them");
    assert_eq!(texts(FOLLOWER), (sentence.clone(), sentence.clone()), "the Follower hears the sentence alone");
    let kept = |seat| game.view(seat).messages.into_iter().map(|message| message.text).collect::<Vec<_>>();
    assert_eq!((kept(GUIDE), kept(FOLLOWER)), (vec![text.to_owned()], vec![sentence]));
    game.step(FOLLOWER, Action::Do(Act::Wait), Millis(2)).expect("its turn");
    game.step(GUIDE, Action::Say(Intent::Silence), Millis(3)).expect("its turn");
    assert_eq!(game.view(GUIDE).effort, 1.2, "it costs what a reference costs");
}

#[test]
fn words_that_are_not_understood_are_answered_and_nothing_is_said() {
    let mut game = two_pieces();
    let before = game.digest();
    let news = game.say(GUIDE, "the one above the blue X", Millis(1)).expect("an answer");
    let [Told { to: Audience::Only(GUIDE), news: News::NotUnderstood { text, answer } }] = &news[..] else {
        panic!("{news:?}")
    };
    assert_eq!(text, "the one above the blue X");
    assert!(answer.contains("where a piece lies by another") && answer.contains("\"go left\""), "{answer}");
    assert_eq!((game.turn(), game.digest()), (Turn::One(GUIDE), before));
    let long = "left ".repeat(LONGEST_MESSAGE);
    let refused = game.say(GUIDE, &long, Millis(1)).expect_err("too long").reason;
    assert_eq!(refused, format!("a message has at most 300 characters; this one has {}", 5 * LONGEST_MESSAGE));
}

#[test]
fn a_config_that_cannot_be_played_is_refused_by_name() {
    let refused = |board: &str, rounds| {
        let config = Config { board: board.into(), rounds };
        Cogrip::new(config, seed(1)).expect_err("no game").to_string()
    };
    let known = "first, corners, twins, crowd, small, test-0 (and val-, train-), random and random-SIZE-PIECES";
    assert_eq!(refused("frist", 1), format!("board: there is no board \"frist\"; there are {known}"));
    assert_eq!(refused("test-420", 1), "board: test has the tasks test-0 to test-419");
    assert_eq!(refused("random-31", 1), "board: a board has 12 to 30 tiles a side, not 31");
    assert_eq!(refused("random-21-9", 1), "board: a board has 2 to 8 pieces, not 9");
    assert!(refused("random-21-3-3", 1).starts_with("board: there is no board"));
    assert_eq!(refused("random", 0), "rounds: 0 is not a number of rounds from 1 to 100");
    assert!(refused("{\"size\":21}", 1).starts_with("board: line 1: missing field"));
    assert!(serde_json::from_value::<Config>(json!({ "bord": "first" })).is_err(), "unknown settings are refused");
}

#[test]
fn every_board_of_the_list_can_be_played() {
    let names: Vec<String> = boards::list().into_iter().map(|board| board.name).collect();
    assert_eq!(names, ["first", "corners", "twins", "crowd", "small", "random", "test-0"]);
    for board in boards::list() {
        let game = Cogrip::new(Config { board: board.name.clone(), rounds: 1 }, seed(1)).expect("a good board");
        assert_eq!(game.view(FOLLOWER).size, board.width, "{}", board.name);
        assert!(!board.note.is_empty() && board.width == board.height);
    }
}

#[test]
fn agents_are_made_by_name_for_their_seat_and_bad_settings_are_refused() {
    for agent in list() {
        assert!(make(agent.seat, agent.name, &serde_json::Value::Null).is_ok(), "{}", agent.name);
        assert!(make(Seat(1 - agent.seat.0), agent.name, &serde_json::Value::Null).is_err(), "{}", agent.name);
    }
    let refused = |seat, name, config| match make(seat, name, &config) {
        Ok(_) => panic!("{name} takes {config}"),
        Err(error) => error.to_string(),
    };
    assert_eq!(
        refused(GUIDE, "eager", json!(null)),
        "name: no \"eager\" sits at seat 0; there are heuristic, reference, silent, random"
    );
    assert_eq!(refused(GUIDE, "silent", json!({})), "config: the silent Guide has no settings");
    assert_eq!(refused(GUIDE, "reference", json!({ "order": "left" })), "config.order: left is no order; pcs is one");
    assert_eq!(refused(FOLLOWER, "eager", json!({ "phi": 1.5 })), "config.phi: 1.5 is not a number from 0 to 1");
    assert!(refused(FOLLOWER, "eager", json!({ "fi": 0.9 })).contains("unknown field `fi`"));
    assert!(refused(FOLLOWER, "eager", json!([0.9])).contains("is not an object of settings"));
    for tiles in [json!([5, 3]), json!([0, 2]), json!([3, 11])] {
        let error = refused(FOLLOWER, "eager", json!({ "readings": { "wander_tiles": tiles } }));
        assert!(error.contains("wander_tiles is ["), "{error}");
    }
    let good = json!({ "phi": 0.85, "readings": { "wander": "never", "wander_tiles": [1, 10] } });
    assert!(make(FOLLOWER, "eager", &good).is_ok());
}

#[test]
fn rounds_follow_each_other_on_new_boards() {
    let mut game = Cogrip::new(Config { board: "random".into(), rounds: 3 }, seed(4)).expect("a good config");
    let mut seen = BTreeSet::new();
    for round in 1..=3 {
        assert_eq!(game.view(GUIDE).round, round);
        seen.insert(game.reveal()["pieces"].to_string());
        for step in 0..MOST_STEPS {
            assert_eq!(game.view(GUIDE).step, step);
            for seat in [GUIDE, FOLLOWER] {
                let pass = game.pass(seat).expect("a harmless action");
                game.step(seat, pass, Millis(1)).expect("its turn");
            }
        }
    }
    assert_eq!(seen.len(), 3);
    assert_eq!(game.outcome().map(|outcome| outcome.rounds.len()), Some(3));
}

fn any_act() -> impl Strategy<Value = Act> {
    prop::sample::select(Act::ALL.to_vec())
}

/// A sentence by its words, true or not.
fn any_words() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "",
        "Yes this way",
        "Not this way",
        "Go left",
        "Go down",
        "Take piece",
        "Take the red piece",
        "Take the T at top left",
        "Take the blue X at bottom right",
    ])
}

/// What a seat knows while the game goes on.
fn known(game: &Cogrip, seat: Seat) -> (String, View) {
    let view = game.view(seat);
    (serde_json::to_string(&view).expect("JSON"), view)
}

proptest! {
    /// Two games that differ in nothing a Follower may know, the target least of all, look the same to it.
    #[test]
    fn the_follower_sees_nothing_but_the_cut_and_hears_nothing_but_the_sentence(
        task in any_task(),
        other in any_task(),
        steps in prop::collection::vec((any_words(), any_act()), 1..29),
        target in any::<prop::sample::Index>(),
    ) {
        let mut here = game(&task);
        let mut grippers = vec![here.episode().gripper()];
        let mut seen = vec![known(&here, FOLLOWER)];
        let mut news = Vec::new();
        let mut played = Vec::new();
        for (words, act) in steps {
            let mut heard = here.say(GUIDE, words, Millis(1)).expect("a sentence");
            // Which piece a take ends on is the Guide's secret; the round ends there.
            let over_a_piece = task.board.piece_at(here.episode().gripper()).is_some();
            let act = if over_a_piece && act == Act::Take { Act::Wait } else { act };
            heard.extend(here.step(FOLLOWER, Action::Do(act), Millis(2)).expect("its turn"));
            news.push(heard_by(FOLLOWER, heard));
            played.push((words, act));
            grippers.push(here.episode().gripper());
            seen.push(known(&here, FOLLOWER));
        }
        let near = |cell: Cell| {
            grippers.iter().any(|at| at.x.abs_diff(cell.x) <= REACH && at.y.abs_diff(cell.y) <= REACH)
        };
        let unseen = |piece: &Piece| !piece.tiles().into_iter().any(near);
        let mut pieces: Vec<Piece> = task.board.pieces().iter().filter(|piece| !unseen(piece)).copied().collect();
        for piece in other.board.pieces().iter().filter(|piece| unseen(piece)) {
            pieces.push(*piece);
            if pieces.len() > 8 || pieces.len() > 2 && Board::new(task.board.size(), pieces.clone()).is_err() {
                pieces.pop();
            }
        }
        let board = Board::new(task.board.size(), pieces.clone());
        prop_assume!(board.is_ok());
        let elsewhere = Task { board: board.expect("just checked").into(), target: target.index(pieces.len()) };
        prop_assume!(elsewhere != task);
        let mut there = game(&elsewhere);
        prop_assert_eq!(&known(&there, FOLLOWER), &seen[0]);
        for (number, (words, act)) in played.into_iter().enumerate() {
            let mut heard = there.say(GUIDE, words, Millis(1)).expect("a sentence");
            heard.extend(there.step(FOLLOWER, Action::Do(act), Millis(2)).expect("its turn"));
            prop_assert_eq!(&heard_by(FOLLOWER, heard), &news[number]);
            prop_assert_eq!(&known(&there, FOLLOWER), &seen[number + 1]);
        }
    }

    /// A wait, a take of nothing and a move against the edge look alike to the Guide.
    #[test]
    fn the_guide_sees_only_where_the_gripper_goes(
        task in any_task(),
        steps in prop::collection::vec((any_intent(), any_act()), 1..29),
    ) {
        let [mut one, mut other] = [(); 2].map(|()| game(&task));
        for (intent, act) in steps {
            let gripper = one.episode().gripper();
            let board = &task.board;
            let idle = match act {
                Act::Move(direction) => gripper.after(direction, board.size()).is_none(),
                Act::Take => board.piece_at(gripper).is_none(),
                Act::Wait => true,
            };
            if act == Act::Take && !idle {
                break;
            }
            let news = [(&mut one, act), (&mut other, if idle { Act::Wait } else { act })].map(|(game, act)| {
                let mut news = game.step(GUIDE, Action::Say(intent), Millis(1)).expect("its turn");
                news.extend(game.step(FOLLOWER, Action::Do(act), Millis(2)).expect("its turn"));
                heard_by(GUIDE, news)
            });
            prop_assert_eq!(&news[0], &news[1]);
            prop_assert_eq!(known(&one, GUIDE), known(&other, GUIDE));
        }
    }

    #[test]
    fn equal_histories_have_equal_digests_and_others_have_not(
        task in any_task(),
        steps in prop::collection::vec((any_intent(), any_act(), 0u64..100), 1..20),
        changed in any::<prop::sample::Index>(),
    ) {
        let run = |steps: &[(Intent, Act, u64)]| {
            let mut game = game(&task);
            let mut played = 0;
            let mut now = 0;
            for (intent, act, later) in steps {
                if game.turn() == Turn::Over {
                    break;
                }
                now += later;
                game.step(GUIDE, Action::Say(*intent), Millis(now)).expect("its turn");
                game.step(FOLLOWER, Action::Do(*act), Millis(now)).expect("its turn");
                played += 1;
            }
            (game.digest(), played)
        };
        let (digest, played) = run(&steps);
        prop_assert_eq!(run(&steps), (digest, played));
        let changed = changed.index(played);
        let mut later = steps.clone();
        later[changed].2 += 1;
        prop_assert_ne!(run(&later).0, digest, "another moment");
        let mut otherwise = steps.clone();
        otherwise[changed].0 = if steps[changed].0 == Intent::Take { Intent::Silence } else { Intent::Take };
        prop_assert_ne!(run(&otherwise).0, digest, "another word");
        prop_assert_ne!(run(&steps[..changed]).0, digest, "a shorter game");
    }

    #[test]
    fn the_phrases_offered_are_what_would_be_said(task in any_task(), acts in prop::collection::vec(any_act(), 0..20)) {
        let mut game = game(&task);
        for act in acts {
            if game.turn() == Turn::Over {
                break;
            }
            let view = game.view(GUIDE);
            let Sees::Guide { target, phrases, board } = &view.sees else { panic!("the Guide sees all") };
            prop_assert_eq!((*target, &**board), (task.target, &*task.board));
            prop_assert_eq!(phrases.iter().map(|(intent, _)| *intent).collect::<Vec<_>>(), Intent::ALL);
            for (intent, sentence) in phrases {
                prop_assert!(parse(sentence).is_ok());
                let news = game.clone().step(GUIDE, Action::Say(*intent), Millis(1)).expect("its turn");
                let said = match &news[0].news {
                    News::Said { sentence, .. } => sentence.to_string(),
                    _ => String::new(),
                };
                prop_assert_eq!(said, sentence.to_string());
            }
            game.step(GUIDE, Action::Say(Intent::Silence), Millis(1)).expect("its turn");
            game.step(FOLLOWER, Action::Do(act), Millis(1)).expect("its turn");
        }
    }
}

#[test]
fn actions_are_written_as_documented() {
    let json = |action: Action| serde_json::to_string(&action).expect("JSON");
    assert_eq!(json(Action::Say(Intent::ALL[8])), r#"{"say":"pcs"}"#);
    assert_eq!(json(Action::Do(Act::Move(Direction::Left))), r#"{"do":"left"}"#);
    assert!(serde_json::from_str::<Action>(r#"{"do":"fly"}"#).is_err());
}

#[test]
fn the_followers_view_has_neither_pieces_nor_target() {
    let view = serde_json::to_value(two_pieces().view(FOLLOWER)).expect("JSON");
    let sees = view["sees"].as_object().expect("an object");
    assert_eq!(sees.keys().collect::<Vec<_>>(), ["area", "cut"]);
    assert_eq!(sees["area"], json!(Area::MIDDLE));
    let cut = sees["cut"].as_array().expect("rows");
    assert_eq!((cut.len(), cut[0].as_array().map(Vec::len)), (11, Some(11)));
    // The gripper is at (10, 10): the X's (11, 5) is in the first row, one right of the middle.
    assert_eq!(cut[0][6], json!({ "color": "blue", "shape": "X" }));
    assert_eq!(cut[5][5], json!({}));
}
