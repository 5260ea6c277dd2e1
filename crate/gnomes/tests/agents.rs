//! The partners at the table: what they take in, what they say, and that they only do what they may.

mod common;

use common::{known, seed};
use proptest::prelude::*;
use serde_json::{Value, json};
use tandem_core::{Agent, Deed, Millis, Seat, Stream, Thought, Told, Turn, World};
use tandem_gnomes::agents::{Planner, PlannerOptions};
use tandem_gnomes::board::Setup;
use tandem_gnomes::boards::BoardSource;
use tandem_gnomes::language::{Embedded, Parser};
use tandem_gnomes::{Action, Board, Cell, Config, Flag, Gnomes, News, Side, agents, ascii};

const HUMAN: Seat = Seat(0);
const AGENT: Seat = Seat(1);

/// A person at seat 0, scripted by the test, and an agent at seat 1.
struct Sitting {
    world: Gnomes,
    agent: Box<dyn Agent<Gnomes>>,
    stream: Stream,
    news: Vec<News>,
}

impl Sitting {
    fn new(board: &Board, agent: &str, number: u64) -> Self {
        let config = Config { board: BoardSource::Text(ascii::write(board)), ..Config::default() };
        let world = Gnomes::new(config, seed(number)).expect("the board is playable");
        let agent = agents::make(agent, &Value::Null).expect("the agent is known");
        let mut sitting = Self { world, agent, stream: seed(number).stream("agent"), news: Vec::new() };
        assert_eq!(sitting.think(), Thought::idle(), "the human begins");
        sitting
    }

    fn hear(&mut self, told: Vec<Told<News>>) {
        self.news.extend(told.into_iter().filter(|told| told.to.includes(AGENT)).map(|told| told.news));
    }

    fn act(&mut self, seat: Seat, action: Action) {
        let told = self.world.step(seat, action, Millis(0)).expect("a legal step");
        self.hear(told);
    }

    fn say(&mut self, seat: Seat, text: &str) {
        let told = self.world.say(seat, text, Millis(0)).expect("a message");
        self.hear(told);
    }

    /// Wakes the agent and does what it decides; a deed that is not legal fails the test.
    fn think(&mut self) -> Thought<Action> {
        let news = std::mem::take(&mut self.news);
        let thought = self.agent.think(&self.world.view(AGENT), &news, &mut self.stream);
        for deed in &thought.deeds {
            match deed {
                Deed::Act(action) => {
                    assert!(self.world.legal(AGENT).contains(action), "{action} may not be attempted");
                    self.act(AGENT, *action);
                }
                Deed::Say(text) => self.say(AGENT, text),
                Deed::Ask(_) | Deed::Pause(_) => panic!("these agents neither ask nor pause"),
            }
        }
        thought
    }

    /// The human stays, the agent takes its turn and explains itself.
    fn turn(&mut self) -> Value {
        self.act(HUMAN, Action::Stay);
        self.think().because.expect("a planner explains itself")
    }

    /// Turns go by until the agent asks for a move: where the token is then, and which move.
    fn asked_for_a_move(&mut self) -> (Cell, Action) {
        for _ in 0..50 {
            if let Some(step) = requested(&self.turn()).filter(|step| *step != Action::Stay) {
                return (self.token(), step);
            }
        }
        panic!("it never asks for a move")
    }

    fn token(&self) -> Cell {
        self.world.view(AGENT).token
    }
}

/// A board without inner walls: nothing but what is said tells one step from another.
fn meadow(width: u8, height: u8) -> Board {
    let sides = [Side::without_walls(width, height), Side::without_walls(width, height)];
    let corner = Cell::new(width - 1, height - 1);
    let (name, note) = ("meadow".into(), "Open.".into());
    Setup { name, note, start: Cell::new(0, 0), treasures: vec![corner], sides }.check().expect("playable")
}

/// The step that the agent asked for in its last turn.
fn requested(because: &Value) -> Option<Action> {
    because["flag_out"].as_str().and_then(Action::named)
}

fn hidden(because: &Value) -> Vec<(Cell, Action)> {
    let marks = because["hidden"].as_array().expect("the marks");
    let number = |value: &Value| value.as_u64().expect("a coordinate") as u8;
    let step = |value: &Value| value.as_str().and_then(Action::named).expect("a step");
    marks.iter().map(|mark| (Cell::new(number(&mark[0]), number(&mark[1])), step(&mark[2]))).collect()
}

/// Whether a mark forbids the partner this step, said from either of its cells.
fn forbids(marks: &[(Cell, Action)], cell: Cell, step: Action) -> bool {
    marks.iter().any(|(at, towards)| {
        (*at, *towards) == (cell, step) || (Some(*at), *towards) == (cell.after(step), step.opposite())
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// A refusal stands for the cell where the token is when it is said, whatever the human does next. A refused stay
    /// says nothing about walls.
    #[test]
    fn a_refusal_is_noted_where_the_token_stands(number in 0_u64..1000, wander in 0_usize..5, words in refusals()) {
        let mut sitting = Sitting::new(&meadow(7, 7), "comm", number);
        for _ in 0..wander {
            sitting.turn();
        }
        let request = requested(&sitting.turn());
        let cell = sitting.token();
        sitting.say(HUMAN, words);
        sitting.act(HUMAN, Action::Stay);
        let because = sitting.think().because.expect("it explains itself");
        let expected: Vec<_> = request.filter(|step| *step != Action::Stay).map(|step| (cell, step)).into_iter().collect();
        prop_assert_eq!(&hidden(&because), &expected);
        prop_assert_eq!(&because["heard"], &json!([{ "text": words, "flag": "reject" }]));
        prop_assert_eq!(&because["flag_in"], "reject");
    }

    /// What was refused is not asked for again, from either side of the wall, as long as it is remembered.
    #[test]
    fn what_was_refused_is_not_asked_for_again(number in 0_u64..1000) {
        let board = known("9A");
        let mut sitting = Sitting::new(&board, "comm", number);
        let mut wish = Action::Stay;
        for _ in 0..40 {
            if sitting.world.turn() != Turn::One(HUMAN) {
                break;
            }
            sitting.act(HUMAN, wish);
            let Some(because) = sitting.think().because else { break };
            let Some(request) = requested(&because) else { continue };
            let cell = sitting.token();
            prop_assert!(!forbids(&hidden(&because), cell, request), "{because}");
            let open = board.sides()[0].open(cell, request);
            wish = if open { request } else { Action::Stay };
            if !open {
                sitting.say(HUMAN, "I can't, there is a wall.");
                sitting.think();
            }
        }
    }

    /// All marks are true if the human tells the truth.
    #[test]
    fn honest_refusals_make_true_marks(number in 0_u64..1000) {
        let board = known("9A");
        let mut sitting = Sitting::new(&board, "comm", number);
        let mut marks = Vec::new();
        for _ in 0..40 {
            if sitting.world.turn() != Turn::One(HUMAN) {
                break;
            }
            sitting.act(HUMAN, Action::Stay);
            let Some(because) = sitting.think().because else { break };
            marks = hidden(&because);
            let refused = requested(&because).filter(|step| !board.sides()[0].open(sitting.token(), *step));
            if refused.is_some() {
                sitting.say(HUMAN, "no, there's a wall");
            }
        }
        for (cell, step) in marks {
            prop_assert!(!board.sides()[0].open(cell, step), "{cell:?} {step}");
        }
    }

    /// A step against the agent's own wall is refused in words that the other side understands as a refusal.
    #[test]
    fn a_wish_against_its_own_wall_is_refused(number in 0_u64..1000) {
        let board = known("9A");
        let mut sitting = Sitting::new(&board, "comm", number);
        sitting.turn();
        let blocked = Action::MOVES.into_iter().filter(|step| !board.sides()[1].open(sitting.token(), *step));
        let blocked: Vec<Action> = blocked.collect();
        prop_assume!(!blocked.is_empty());
        let asked = blocked[number as usize % blocked.len()];
        sitting.say(HUMAN, &format!("go {asked}"));
        sitting.act(HUMAN, Action::Stay);
        let thought = sitting.think();
        let because = thought.because.expect("it explains itself");
        prop_assert_eq!(&because["flag_in"], asked.name());
        prop_assert_eq!(&because["flag_out"], "reject");
        let [Deed::Say(words), Deed::Act(_)] = thought.deeds.as_slice() else { panic!("{:?}", thought.deeds) };
        prop_assert_eq!(Embedded.flag(words, Some(asked)), Flag::Reject);
    }
}

fn refusals() -> impl Strategy<Value = &'static str> {
    proptest::sample::select(vec!["can't, there is a wall", "no, I'm blocked there", "there's a wall in my way"])
}

/// The human agreed and yet the token did not move: there is a wall. Without the agreement it may just have waited.
#[test]
fn a_failed_attempt_shows_only_after_agreement() {
    for number in 0..20 {
        for agrees in [true, false] {
            let mut sitting = Sitting::new(&meadow(7, 7), "comm", number);
            let request = requested(&sitting.turn()).filter(|step| *step != Action::Stay);
            let cell = sitting.token();
            if agrees {
                sitting.say(HUMAN, "ok");
            }
            let marks = hidden(&sitting.turn());
            let expected: Vec<_> = request.filter(|_| agrees).map(|step| (cell, step)).into_iter().collect();
            assert_eq!(marks, expected);
        }
    }
}

/// Who says "I can't" and then goes there all the same is believed by its feet.
#[test]
fn a_move_through_a_believed_wall_takes_it_away() {
    for number in 0..20 {
        let mut sitting = Sitting::new(&meadow(7, 7), "comm", number);
        let asked = sitting.asked_for_a_move();
        sitting.say(HUMAN, "can't, there is a wall");
        sitting.think();
        sitting.act(HUMAN, asked.1);
        let because = sitting.think().because.expect("it explains itself");
        assert_eq!(hidden(&because), []);
    }
}

/// A question is answered at once, out of turn and in words; the next move is planned as if it had not been asked.
#[test]
fn a_question_is_answered_at_once() {
    let mut sitting = Sitting::new(&known("9A"), "comm", 4);
    sitting.turn();
    sitting.say(HUMAN, "which way can you go from there?");
    let thought = sitting.think();
    assert!(matches!(thought.deeds.as_slice(), [Deed::Say(_)]), "{:?}", thought.deeds);
    assert_eq!(thought.because.expect("it explains its answer")["heard"][0]["flag"], "inquiry");
    let because = sitting.turn();
    assert_eq!(because["flag_in"], "none");
    assert!(requested(&because).is_some());
}

/// A question that arrives together with the human's move is answered once, with the own move.
#[test]
fn a_question_with_a_move_is_answered_once() {
    let mut sitting = Sitting::new(&known("9A"), "comm", 4);
    sitting.say(HUMAN, "what walls do you have?");
    sitting.act(HUMAN, Action::Stay);
    let thought = sitting.think();
    let [Deed::Say(answer), Deed::Say(request), Deed::Act(_)] = thought.deeds.as_slice() else {
        panic!("{:?}", thought.deeds)
    };
    assert_ne!(answer, request);
    assert!(matches!(Embedded.flag(request, None), Flag::Do(_)), "{request}");
}

/// Of several messages all refusals count, and the last step asked for is the one the search hears of.
#[test]
fn of_several_messages_the_last_wish_counts() {
    let mut sitting = Sitting::new(&meadow(7, 7), "comm", 2);
    let (cell, request) = sitting.asked_for_a_move();
    for words in ["go down", "I can't, there is a wall", "go right", "great"] {
        sitting.say(HUMAN, words);
    }
    let because = sitting.turn();
    assert_eq!(because["flag_in"], "right");
    assert_eq!(hidden(&because), [(cell, request)]);
    assert_eq!(because["heard"].as_array().map(Vec::len), Some(4));
}

/// What was heard before a move is done with after it.
#[test]
fn a_wish_lasts_one_turn() {
    let mut sitting = Sitting::new(&meadow(7, 7), "comm", 2);
    sitting.say(HUMAN, "go right");
    assert_eq!(sitting.turn()["flag_in"], "right");
    let because = sitting.turn();
    assert_eq!(because["flag_in"], "none");
    assert_eq!(because["heard"], json!([]));
}

/// A wish or a place said twice at one cell is not twice as true; said from another cell, it is news.
#[test]
fn what_is_repeated_is_no_news() {
    let belief = |words: &[&str]| {
        let mut sitting = Sitting::new(&known("9A"), "comm", 4);
        for words in words {
            sitting.say(HUMAN, words);
        }
        sitting.turn()["belief"].clone()
    };
    for once in ["go right", "the treasure is at the bottom"] {
        assert_ne!(belief(&[once]), belief(&[]));
        assert_eq!(belief(&[once, once, once]), belief(&[once]));
    }
    assert_ne!(belief(&["go right", "go down"]), belief(&["go right"]));
}

/// The omniscient planner, for the lab alone: it finds its own way and never asks for what the human cannot do, while
/// the ordinary one, with the same board and stream, does.
#[test]
fn the_omniscient_one_knows_the_other_side() {
    let board = known("9A");
    let impossible = |omniscient: bool| {
        let planner = Planner::comm(PlannerOptions::default(), Box::new(Embedded));
        let mut sitting = Sitting::new(&board, "comm", 3);
        sitting.agent = Box::new(if omniscient { planner.omniscient(board.clone()) } else { planner });
        sitting.think();
        let mut impossible = 0;
        for _ in 0..30 {
            let because = sitting.turn();
            assert_eq!(because["knowledge"], if omniscient { "omniscient" } else { "own view" });
            impossible += usize::from(
                requested(&because).is_some_and(|step| !board.sides()[HUMAN.index()].open(sitting.token(), step)),
            );
        }
        impossible
    };
    assert_eq!(impossible(true), 0);
    assert!(impossible(false) > 0);
}

/// Before anything is tried, all own steps are alike to the search; it says so with what it found.
#[test]
fn priors_are_even() {
    let mut sitting = Sitting::new(&known("9A"), "comm", 4);
    let because = sitting.turn();
    for branches in [&because["root"], &because["replies"]] {
        let priors: Vec<f64> = branches.as_array().unwrap().iter().map(|one| one["prior"].as_f64().unwrap()).collect();
        assert!(priors.len() > 1 && priors.iter().all(|prior| *prior == priors[0]), "{priors:?}");
        assert!((priors.iter().sum::<f64>() - 1.0).abs() < 1e-3, "{priors:?}");
    }
}

/// Two mute agents, one talked to and one not, do and think the same; neither says a word.
#[test]
fn the_mute_one_hears_nothing() {
    let decide = |words: &[&str]| {
        let mut sitting = Sitting::new(&known("9A"), "mute", 6);
        let mut all = Vec::new();
        for _ in 0..8 {
            for words in words {
                sitting.say(HUMAN, words);
                assert_eq!(sitting.think().deeds, []);
            }
            sitting.act(HUMAN, Action::Stay);
            let thought = sitting.think();
            assert!(matches!(thought.deeds.as_slice(), [Deed::Act(_)]), "{:?}", thought.deeds);
            all.push(thought);
        }
        all
    };
    assert_eq!(decide(&[]), decide(&["go right", "no, a wall", "the treasure is bottom left"]));
}

/// What is learnt about the human's walls outlasts the round; the belief about the treasure does not.
#[test]
fn walls_are_remembered_over_rounds() {
    let board = known("9A");
    let mut sitting = Sitting::new(&board, "comm", 8);
    let asked = sitting.asked_for_a_move();
    sitting.say(HUMAN, "can't, there is a wall");
    let before = hidden(&sitting.turn());
    assert_eq!(before, [asked]);
    // The human finds the first treasure, with the agent's part played by hand.
    let sides = [board.sides()[0].clone(), board.sides()[1].clone()];
    while sitting.world.view(HUMAN).round == 1 {
        let Turn::One(seat) = sitting.world.turn() else { panic!("the game goes on") };
        let way = tandem_gnomes::solver::shortest_path(&sides, sitting.token(), board.treasures()[0], seat.0);
        let step = way.expect("there is a way").first().copied().expect("not there yet");
        sitting.act(seat, step);
    }
    if sitting.world.turn() == Turn::One(HUMAN) {
        sitting.act(HUMAN, Action::Stay);
    }
    let because = sitting.think().because.expect("it explains itself");
    assert_eq!(hidden(&because), before);
    assert_eq!(because["belief"], Value::Null, "it sees the second treasure");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// Whatever is said and done around them, the agents' deeds are legal and only their own turns are used.
    #[test]
    fn agents_do_what_they_may(
        board in common::some_board(),
        name in proptest::sample::select(vec!["comm", "mute", "random", "simulated"]),
        number in 0_u64..1000,
        script in proptest::collection::vec((common::any_action(), proptest::option::of(words())), 1..25),
    ) {
        let mut sitting = Sitting::new(&board, name, number);
        for (action, words) in script {
            if sitting.world.turn() == Turn::Over {
                break;
            }
            if let Some(words) = words {
                sitting.say(HUMAN, &words);
                let thought = sitting.think();
                prop_assert!(!thought.deeds.iter().any(|deed| matches!(deed, Deed::Act(_))), "out of turn");
            }
            if sitting.world.turn() == Turn::One(HUMAN) {
                sitting.act(HUMAN, action);
            }
            while sitting.world.turn() == Turn::One(AGENT) {
                let thought = sitting.think();
                let acts = thought.deeds.iter().filter(|deed| matches!(deed, Deed::Act(_))).count();
                prop_assert_eq!(acts, 1);
            }
        }
    }
}

/// Sensible words, and any.
fn words() -> impl Strategy<Value = String> {
    let sensible = ["right", "can you go up?", "no, there is a wall", "ok", "where is it?", "the treasure is top left"];
    prop_oneof![proptest::sample::select(sensible.map(String::from).to_vec()), "x\\PC{0,40}"]
}

/// What is wrong with an agent's name or settings is said with its place.
#[test]
fn wrong_settings_are_refused_with_their_place() {
    let refused = |name: &str, config: Value, field: &str| {
        let error = agents::make(name, &config).err().unwrap_or_else(|| panic!("{name} takes {config}"));
        assert_eq!(error.field, field, "{error}");
    };
    refused("oracle", Value::Null, "name");
    refused("random", json!({}), "config");
    refused("comm", json!({ "obedience": 1 }), "config");
    refused("comm", json!({ "search": { "iterations": 0 } }), "config.search.iterations");
    refused("comm", json!({ "search": { "iterations": 100_000_000 } }), "config.search.iterations");
    refused("mute", json!({ "search": { "exploration": -1.0 } }), "config.search.exploration");
    refused("mute", json!({ "search": { "horizon": 0 } }), "config.search.horizon");
    refused("simulated", json!({ "obedience": 1.5 }), "config.obedience");
    refused("simulated", json!({ "error": -0.1 }), "config.error");
    refused("simulated", json!([0.9]), "config");
    for agent in agents::list() {
        assert!(agents::make(agent.name, &Value::Null).is_ok(), "{}", agent.name);
    }
}
