//! The Follower (section 4): confidence, the five kinds of sentences, autonomy, and that it hears the sentence and sees
//! the cut and nothing more.

mod common;

use common::{any_intent, any_task, chance, task};
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::sync::Arc;
use tandem_cogrip::agents::{ApproachedWhen, Autonomy, Follower, HORIZON, LEAST, PHIS, Readings, WanderWhen};
use tandem_cogrip::language::{Descriptor, Meaning, Sentence, verbalise, word};
use tandem_cogrip::rules::{Act, Episode};
use tandem_cogrip::sight::{REACH, Sight, Tile};
use tandem_cogrip::{Area, Board, Cell, Color, Direction, Intent, Order, Piece, Shape, Task};
use tandem_core::Stream;

/// A Follower in an episode, told sentence after sentence.
struct Scene {
    follower: Follower,
    episode: Episode,
    chance: Stream,
}

impl Scene {
    fn new(task: Task, autonomy: Autonomy, phi: f64, readings: Readings, number: u64) -> Self {
        let follower = Follower::new(autonomy, phi, readings);
        Self { follower, episode: Episode::new(task), chance: chance(number) }
    }

    /// With a confidence that never falls, so that nothing is left to chance but the choice of the way.
    fn sure(pieces: &[&str], autonomy: Autonomy) -> Self {
        Self::new(task(pieces), autonomy, 1.0, Readings::default(), 1)
    }

    fn hear(&mut self, sentence: Sentence) -> Act {
        let sight = Sight::of(&self.episode.task().board, self.episode.gripper());
        let act = self.follower.step(&sentence, &sight, &mut self.chance);
        self.episode.act(act);
        act
    }

    fn mean(&mut self, meaning: Meaning) -> Act {
        self.hear(word(meaning))
    }

    fn intend(&mut self, intent: Intent) -> Act {
        let sentence = verbalise(intent, self.episode.situation());
        self.hear(sentence)
    }

    /// Silence, so many times.
    fn silence(&mut self, times: usize) -> Vec<Act> {
        (0..times).map(|_| self.mean(Meaning::Silence)).collect()
    }
}

const LEFT: Act = Act::Move(Direction::Left);
const UP: Act = Act::Move(Direction::Up);

fn confidences(follower: &Follower) -> Vec<f64> {
    follower.plan().into_iter().map(|(_, confidence)| confidence).collect()
}

const FAR: [&str; 2] = ["red T 0,0", "blue X 16,16"];

/// Equation 5.
#[test]
fn confidence_falls_with_the_place_in_the_plan_until_it_is_told_yes() {
    for phi in PHIS {
        let mut scene = Scene::new(task(&FAR), Autonomy::Cautious, phi, Readings::default(), 1);
        assert_eq!(scene.mean(Meaning::Go(Direction::Left)), LEFT, "the first action is sure");
        let expected: Vec<f64> = (1..HORIZON as i32).map(|place| phi.powi(place).max(LEAST)).collect();
        let confidences_now = confidences(&scene.follower);
        assert_eq!(confidences_now.len(), 9);
        assert!(confidences_now.iter().zip(&expected).all(|(is, should)| (is - should).abs() < 1e-12), "{phi}");
        assert_eq!(scene.mean(Meaning::Confirm(Descriptor::default())), LEFT, "a yes makes it sure");
        assert_eq!(confidences(&scene.follower), [1.0; 8]);
        assert_eq!(scene.silence(4), [LEFT; 4], "and it stays so");
    }
}

/// It goes on with the probability of its confidence, and waiting uses nothing up.
#[test]
fn hesitation_is_as_frequent_as_confidence_says() {
    let trials = 4000u64;
    let mut moved = [0u32; 2];
    for number in 0..trials {
        let mut scene = Scene::new(task(&FAR), Autonomy::Cautious, 0.75, Readings::default(), number);
        scene.mean(Meaning::Go(Direction::Left));
        let plan = scene.follower.plan();
        let act = scene.mean(Meaning::Silence);
        if act == Act::Wait {
            assert_eq!(scene.follower.plan(), plan, "a wait consumes nothing");
        } else {
            assert_eq!((act, scene.follower.plan()), (LEFT, plan[1..].to_vec()));
        }
        moved[0] += u32::from(act == LEFT);
        // The last action of a plan has the least confidence.
        while scene.follower.plan().len() > 1 {
            scene.mean(Meaning::Silence);
        }
        moved[1] += u32::from(scene.mean(Meaning::Silence) == LEFT);
    }
    // Four standard deviations of a proportion among 4,000 are 0.028 and 0.032.
    let share = moved.map(|moved| f64::from(moved) / trials as f64);
    assert!((share[0] - 0.75).abs() < 0.028 && (share[1] - 0.5).abs() < 0.032, "{share:?}");
}

#[test]
fn a_refusal_empties_the_plan_and_a_direction_replaces_it() {
    let mut scene = Scene::sure(&FAR, Autonomy::Cautious);
    scene.mean(Meaning::Go(Direction::Left));
    assert_eq!(scene.mean(Meaning::Go(Direction::Up)), UP);
    assert_eq!(scene.follower.plan(), vec![(UP, 1.0); 9]);
    assert_eq!(scene.mean(Meaning::Decline(Descriptor::default())), Act::Wait);
    assert_eq!(scene.follower.plan(), []);
    assert_eq!(scene.silence(3), [Act::Wait; 3], "the cautious one waits to be told");
    assert_eq!(scene.mean(Meaning::Take(Descriptor::default())), Act::Take, "also where nothing lies");
    assert_eq!(scene.follower.plan(), []);
}

#[test]
fn at_the_edge_it_stops() {
    let mut scene = Scene::sure(&FAR, Autonomy::Cautious);
    scene.mean(Meaning::Go(Direction::Up));
    assert_eq!(scene.silence(9), [UP; 9], "a plan has ten actions");
    assert_eq!(scene.episode.gripper(), Cell::new(10, 0));
    assert_eq!(scene.mean(Meaning::Go(Direction::Up)), Act::Wait, "the plan would lead over the edge");
    assert_eq!(scene.follower.plan(), []);
}

/// The target is at (6..=8, 7), (7, 8), (7, 9): four or more steps away, in view from the start.
#[test]
fn a_reference_to_a_piece_in_view_leads_there_by_a_shortest_way() {
    for number in 0..40 {
        let near = task(&["red T 5,6", "blue X 16,16"]);
        let mut scene = Scene::new(near, Autonomy::Cautious, 1.0, Readings::default(), number);
        scene.intend(Intent::Refer(Order::Csp));
        let steps = scene.follower.plan().len() as u8 + 1;
        scene.silence(10);
        let gripper = scene.episode.gripper();
        assert!(scene.episode.task().board.piece_at(gripper) == Some(0), "{gripper:?}");
        assert_eq!(steps, Cell::new(10, 10).distance(gripper));
        assert_eq!(scene.silence(2), [Act::Wait; 2], "there it waits for the word");
        assert_eq!(scene.intend(Intent::Take), Act::Take);
        assert!(scene.episode.ending().is_some_and(|ending| ending.success));
    }
}

#[test]
fn any_tile_of_the_target_may_be_gone_for() {
    let ends: BTreeSet<Cell> = (0..200)
        .map(|number| {
            let near = task(&["red T 5,6", "blue X 16,16"]);
            let mut scene = Scene::new(near, Autonomy::Cautious, 1.0, Readings::default(), number);
            scene.intend(Intent::Refer(Order::Csp));
            scene.silence(12);
            scene.episode.gripper()
        })
        .collect();
    assert_eq!(ends, task(&["red T 5,6", "blue X 16,16"]).piece_tiles(0));
}

/// Steps across and along are mixed, so that no way is preferred.
#[test]
fn ways_to_one_tile_differ() {
    let ways: BTreeSet<String> = (0..200)
        .map(|number| {
            let mut scene = Scene::new(task(&FAR), Autonomy::Cautious, 1.0, Readings::default(), number);
            scene.mean(Meaning::Refer(Descriptor { area: Some(Area::AROUND[0]), ..Descriptor::default() }));
            format!("{:?}", scene.follower.plan())
        })
        .collect();
    // To (3, 3), of which the first ten of fourteen steps are planned; any mixture may come.
    assert!(ways.len() > 100, "{}", ways.len());
}

trait Tiles {
    fn piece_tiles(&self, piece: usize) -> BTreeSet<Cell>;
}

impl Tiles for Task {
    fn piece_tiles(&self, piece: usize) -> BTreeSet<Cell> {
        self.board.pieces()[piece].tiles().into_iter().collect()
    }
}

#[test]
fn what_was_said_of_the_target_is_remembered_and_overwritten() {
    let mut scene = Scene::sure(&FAR, Autonomy::Cautious);
    let [color, shape, area] = [
        Descriptor { color: Some(Color::Red), ..Descriptor::default() },
        Descriptor { shape: Some(Shape::T), ..Descriptor::default() },
        Descriptor { area: Some(Area::AROUND[0]), ..Descriptor::default() },
    ];
    for news in [color, shape, area] {
        scene.mean(Meaning::Refer(news));
    }
    let all = Descriptor { color: Some(Color::Red), shape: Some(Shape::T), area: Some(Area::AROUND[0]) };
    assert_eq!(scene.follower.target(), all);
    for other in [Meaning::Silence, Meaning::Confirm(color), Meaning::Decline(color), Meaning::Go(Direction::Up)] {
        scene.mean(other);
        assert_eq!(scene.follower.target(), all);
    }
    scene.mean(Meaning::Refer(Descriptor { color: Some(Color::Blue), ..Descriptor::default() }));
    assert_eq!(scene.follower.target(), Descriptor { color: Some(Color::Blue), ..all });
}

/// The target is out of sight: its position is walked to, and there it is found.
#[test]
fn a_position_out_of_sight_is_walked_to() {
    for autonomy in Autonomy::ALL {
        let mut scene = Scene::sure(&["red T 16,16", "blue X 0,0"], autonomy);
        scene.intend(Intent::Refer(Order::Pcs));
        scene.silence(24);
        match autonomy {
            Autonomy::Cautious => assert_eq!(scene.episode.gripper().distance(Cell::new(10, 10)), 10, "a plan's reach"),
            Autonomy::Eager => assert!(scene.episode.ending().is_some_and(|ending| ending.success)),
        }
    }
}

/// Without a word the eager Follower explores what it sees, and the cautious one does not.
#[test]
fn only_the_eager_one_explores() {
    let near = ["red T 5,6", "blue X 16,16"];
    let mut cautious = Scene::sure(&near, Autonomy::Cautious);
    assert_eq!(cautious.silence(30), [Act::Wait; 30]);
    let mut eager = Scene::sure(&near, Autonomy::Eager);
    let acts = eager.silence(8);
    assert!(acts.contains(&Act::Take), "{acts:?}");
    assert!(eager.episode.ending().is_some_and(|ending| ending.taken == Some(0)));
}

/// Told what to look for, the eager one goes past what does not agree.
#[test]
fn the_eager_one_takes_what_agrees_and_nothing_else() {
    for number in 0..60 {
        let board = task(&["red T 5,6", "blue X 14,12", "red X 14,6", "blue T 6,13"]);
        let mut scene = Scene::new(board, Autonomy::Eager, 0.9, Readings::default(), number);
        scene.intend(Intent::Refer(Order::Csp));
        scene.silence(29);
        let ending = scene.episode.ending().expect("30 steps at most");
        assert!(ending.success, "{ending:?}");
    }
}

#[test]
fn a_follower_that_is_reset_is_as_new() {
    let mut scene = Scene::sure(&["red T 16,16", "blue X 0,0"], Autonomy::Cautious);
    for meaning in [
        Meaning::Refer(Descriptor { area: Some(Area::AROUND[7]), ..Descriptor::default() }),
        Meaning::Silence,
        Meaning::Silence,
    ] {
        scene.mean(meaning);
    }
    scene.follower.reset();
    let fresh = Follower::new(Autonomy::Cautious, 1.0, Readings::default());
    assert_eq!(format!("{:?}", scene.follower), format!("{fresh:?}"));
}

#[test]
fn words_that_are_no_sentence_are_taken_for_silence() {
    use tandem_cogrip::language::Word;
    let [mut one, mut other] = [(); 2].map(|()| Scene::sure(&FAR, Autonomy::Cautious));
    for scene in [&mut one, &mut other] {
        scene.mean(Meaning::Go(Direction::Left));
    }
    let nonsense = Sentence::of([Word::Go, Word::Top]).expect("two words");
    assert_eq!(one.hear(nonsense), other.mean(Meaning::Silence));
    assert_eq!(one.follower.plan(), other.follower.plan());
}

fn any_readings() -> impl Strategy<Value = Readings> {
    let approached = prop::sample::select(vec![ApproachedWhen::Chosen, ApproachedWhen::Reached]);
    let wander = prop::sample::select(vec![WanderWhen::Never, WanderWhen::TargetKnown, WanderWhen::Always]);
    (approached, wander, any::<[bool; 6]>(), 1usize..6, 0usize..6).prop_map(
        |(approached, wander, flags, least, more)| {
            let [keeps_goal, keeps_explored, keeps_walk, walks_to_known_area, plans_take, takes_in_passing] = flags;
            Readings {
                approached,
                keeps_goal,
                keeps_explored,
                keeps_walk,
                walks_to_known_area,
                plans_take,
                takes_in_passing,
                wander,
                wander_tiles: (least, least + more),
            }
        },
    )
}

fn any_autonomy() -> impl Strategy<Value = Autonomy> {
    prop::sample::select(Autonomy::ALL.to_vec())
}

fn any_piece() -> impl Strategy<Value = Descriptor> {
    let color = prop::option::of(prop::sample::select(Color::ALL.to_vec()));
    let shape = prop::option::of(prop::sample::select(Shape::ALL.to_vec()));
    let area = prop::option::of(prop::sample::select(Area::AROUND.to_vec()));
    (color, shape, area).prop_map(|(color, shape, area)| Descriptor { color, shape, area })
}

/// Any sentence, whether it is true or not.
fn any_meaning() -> impl Strategy<Value = Meaning> {
    let pointed_at = Descriptor { color: Some(Color::Red), shape: Some(Shape::T), area: None };
    prop_oneof![
        3 => Just(Meaning::Silence),
        1 => prop::sample::select(vec![Meaning::Confirm(Descriptor::default()), Meaning::Confirm(pointed_at)]),
        1 => Just(Meaning::Decline(Descriptor::default())),
        1 => prop::sample::select(Direction::ALL.to_vec()).prop_map(Meaning::Go),
        1 => Just(Meaning::Take(Descriptor::default())),
        3 => any_piece().prop_filter("names nothing", |piece| !piece.is_empty()).prop_map(Meaning::Refer),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    /// However the paper is read, on any board, whatever it is told: it never leaves the board, and takes of its own
    /// accord only where a piece lies; the cautious one takes only when it is told to.
    #[test]
    fn it_stays_on_the_board_and_takes_only_pieces(
        task in any_task(),
        (autonomy, readings) in (any_autonomy(), any_readings()),
        phi in prop::sample::select(PHIS.to_vec()),
        meanings in prop::collection::vec(any_meaning(), 30),
        number in 0u64..1 << 40,
    ) {
        let mut scene = Scene::new(task, autonomy, phi, readings, number);
        for meaning in meanings {
            if scene.episode.ending().is_some() {
                break;
            }
            let (from, size) = (scene.episode.gripper(), scene.episode.task().board.size());
            let here = Sight::of(&scene.episode.task().board, from).here();
            let told = matches!(meaning, Meaning::Take(_));
            match scene.mean(meaning) {
                Act::Move(way) => prop_assert!(from.after(way, size).is_some(), "{:?} from {:?}", way, from),
                Act::Take if !told => {
                    prop_assert!(matches!(here, Tile::Part(..)), "takes nothing at {:?}", from);
                    prop_assert_eq!(autonomy, Autonomy::Eager);
                }
                Act::Take | Act::Wait => {}
            }
            let plan = scene.follower.plan();
            prop_assert!(plan.len() <= HORIZON);
            prop_assert!(plan.iter().all(|(_, confidence)| (LEAST..=1.0).contains(confidence)));
            prop_assert!(plan.windows(2).all(|two| two[0].1 >= two[1].1), "confidence never rises");
        }
    }

    /// What it takes of its own accord agrees with all it was told.
    #[test]
    fn the_eager_one_takes_nothing_that_contradicts_what_it_knows(
        task in any_task(),
        readings in any_readings(),
        meanings in prop::collection::vec(any_meaning(), 30),
        number in 0u64..1 << 40,
    ) {
        let mut scene = Scene::new(task, Autonomy::Eager, 0.95, readings, number);
        for meaning in meanings.into_iter().filter(|meaning| !matches!(meaning, Meaning::Take(_))) {
            if scene.episode.ending().is_some() {
                break;
            }
            let board = scene.episode.task().board.clone();
            let here = scene.episode.gripper();
            if scene.mean(meaning) == Act::Take {
                let known = scene.follower.target();
                let piece = board.pieces()[board.piece_at(here).expect("a piece")];
                prop_assert!(known.color.is_none_or(|color| color == piece.color), "{:?} {:?}", known, piece);
                prop_assert!(known.shape.is_none_or(|shape| shape == piece.shape), "{:?} {:?}", known, piece);
                let area = Area::of(here, board.size());
                prop_assert!(known.area.is_none_or(|known| known == area), "{:?} {:?}", known, piece);
            }
        }
    }

    /// Change anything it has not seen, and which piece is the target, and it acts the same.
    #[test]
    fn it_knows_nothing_but_the_sentence_and_the_cut(
        task in any_task(),
        other in any_task(),
        (autonomy, readings) in (any_autonomy(), any_readings()),
        meanings in prop::collection::vec(any_meaning(), 30),
        target in any::<prop::sample::Index>(),
        number in 0u64..1 << 40,
    ) {
        let size = task.board.size();
        let mut here = Scene::new(task.clone(), autonomy, 0.85, readings, number);
        let mut acts = Vec::new();
        let mut grippers = vec![here.episode.gripper()];
        for meaning in &meanings {
            if here.episode.ending().is_some() {
                break;
            }
            acts.push(here.mean(*meaning));
            grippers.push(here.episode.gripper());
        }
        let near = |cell: Cell| {
            grippers.iter().any(|at| at.x.abs_diff(cell.x) <= REACH && at.y.abs_diff(cell.y) <= REACH)
        };
        let unseen = |piece: &Piece| !piece.tiles().into_iter().any(near);
        // The pieces seen stay; of the others none does; foreign ones lie where nothing was seen.
        let mut pieces: Vec<Piece> = task.board.pieces().iter().filter(|piece| !unseen(piece)).copied().collect();
        let seen = pieces.len();
        for piece in other.board.pieces().iter().filter(|piece| unseen(piece)) {
            pieces.push(*piece);
            if pieces.len() > 8 || pieces.len() > 2 && Board::new(size, pieces.clone()).is_err() {
                pieces.pop();
            }
        }
        let board = Board::new(size, pieces.clone());
        prop_assume!(board.is_ok());
        prop_assume!(pieces.len() > seen || pieces.len() < task.board.pieces().len());
        let elsewhere = Task { board: Arc::new(board.expect("just checked")), target: target.index(pieces.len()) };
        let mut there = Scene::new(elsewhere, autonomy, 0.85, readings, number);
        for (meaning, act) in meanings.iter().zip(&acts) {
            prop_assert_eq!(there.mean(*meaning), *act);
        }
        prop_assert_eq!(there.follower.plan(), here.follower.plan());
        prop_assert_eq!(there.episode.gripper(), here.episode.gripper());
    }

    /// The words alone count: two intents with one sentence are one to it.
    #[test]
    fn intents_with_the_same_words_are_the_same_to_it(
        task in any_task(),
        autonomy in any_autonomy(),
        intents in prop::collection::vec(any_intent(), 30),
        number in 0u64..1 << 40,
    ) {
        let scene = |()| Scene::new(task.clone(), autonomy, 0.9, Readings::default(), number);
        let [mut one, mut other] = [(); 2].map(scene);
        for intent in intents {
            if one.episode.ending().is_some() {
                break;
            }
            let sentence = verbalise(intent, one.episode.situation());
            let twins = Intent::ALL.into_iter().filter(|twin| verbalise(*twin, one.episode.situation()) == sentence);
            let twin = twins.max().expect("the intent itself");
            prop_assert_eq!(one.intend(intent), other.intend(twin));
        }
    }
}
