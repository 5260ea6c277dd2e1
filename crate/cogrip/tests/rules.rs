//! One episode: steps, effort, rewards, the end (sections 3.1 to 3.4), and what the Follower can see (section 3.5).

mod common;

use common::{any_intent, any_task, task};
use proptest::prelude::*;
use tandem_cogrip::rules::{Act, Ending, Episode, MOST_STEPS};
use tandem_cogrip::sight::{REACH, SIDE, Sight, Tile};
use tandem_cogrip::{Area, Cell, Direction, Intent, Kind, Order};

const REFER: Intent = Intent::Refer(Order::Pcs);

/// A red T whose tiles are (3..=5, 3), (4, 4), (4, 5); a blue X whose tiles are (11, 5), (10..=12, 6), (11, 7).
fn episode() -> Episode {
    Episode::new(task(&["red T 2,2", "blue X 9,4"]))
}

/// Plays steps of an intent and an act each; the last ending.
fn run(episode: &mut Episode, steps: &[(Intent, Act)]) -> Option<Ending> {
    for (intent, act) in steps {
        episode.speak(intent.kind());
        episode.act(*act);
    }
    episode.ending()
}

fn close(value: f64, expected: f64) -> bool {
    (value - expected).abs() < 1e-12
}

const UP: Act = Act::Move(Direction::Up);
const LEFT: Act = Act::Move(Direction::Left);

/// Equations 1 to 4 by hand.
#[test]
fn rewards_are_those_worked_out_by_hand() {
    // From (10, 10) six to the left, five up: on (4, 5) of the T after 11 steps, taken in the 12th.
    // Effort: a reference, a yes, a direction, a no: 1.2 + 1.0 + 1.1 + 1.0 = 4.3. The last step's word, 1.1, is free.
    let mut steps = vec![(Intent::Silence, LEFT); 6];
    steps.extend([(Intent::Silence, UP); 5]);
    for (at, intent) in [(0, REFER), (1, Intent::Confirm), (4, Intent::Go(Direction::Left)), (9, Intent::Decline)] {
        steps[at].0 = intent;
    }
    let mut good = episode();
    assert_eq!(run(&mut good, &steps), None);
    assert_eq!((good.gripper(), good.steps()), (Cell::new(4, 5), 11));
    let ending = run(&mut good, &[(Intent::Take, Act::Take)]).expect("taken");
    assert_eq!(ending, Ending { success: true, taken: Some(0), steps: 12, effort_tenths: 43 });
    // Game: 1 - 0.9 x 12 / 30 = 0.64. Guide: 1 - 0.9 x 4.3 / 30 = 0.871. Half of both, and 1.
    assert!(close(ending.reward(), 1.7555) && close(ending.table_reward(), 1.7555), "{}", ending.reward());

    // The wrong piece: (11, 7) of the X, one to the right and three up, taken in the fifth step.
    let wrong = [(REFER, Act::Move(Direction::Right)), (REFER, UP), (Intent::Silence, UP), (Intent::Silence, UP)];
    let mut bad = episode();
    run(&mut bad, &wrong);
    let ending = run(&mut bad, &[(Intent::Decline, Act::Take)]).expect("taken");
    assert_eq!(ending, Ending { success: false, taken: Some(1), steps: 5, effort_tenths: 24 });
    // Game: 0.85. Guide: 1 - 0.9 x 2.4 / 30 = 0.928. Half of both less 1; in the table the Guide's less 1.
    assert!(close(ending.reward(), -0.111) && close(ending.table_reward(), -0.072), "{ending:?}");
}

/// The rows of Table 2 for a Follower that never takes.
#[test]
fn thirty_steps_are_a_failure() {
    for (intent, effort_tenths, reward, table) in
        [(Intent::Silence, 0, -0.45, 0.0), (REFER, 29 * 12, -0.972, -1.044), (Intent::Confirm, 290, -0.885, -0.87)]
    {
        let mut episode = episode();
        assert_eq!(run(&mut episode, &[(intent, Act::Wait); 29]), None);
        let ending = run(&mut episode, &[(intent, Act::Wait)]).expect("30 steps");
        assert_eq!(ending, Ending { success: false, taken: None, steps: MOST_STEPS, effort_tenths });
        assert!(close(ending.reward(), reward) && close(ending.table_reward(), table), "{intent}: {ending:?}");
    }
}

#[test]
fn a_target_taken_in_the_last_step_counts() {
    let mut steps = vec![(Intent::Silence, Act::Wait); 18];
    steps.extend([(Intent::Silence, LEFT); 6]);
    steps.extend([(Intent::Silence, UP); 5]);
    steps.push((Intent::Take, Act::Take));
    let ending = run(&mut episode(), &steps).expect("30 steps");
    assert_eq!(ending, Ending { success: true, taken: Some(0), steps: 30, effort_tenths: 0 });
}

#[test]
fn taking_where_nothing_lies_and_moving_over_the_edge_only_cost_time() {
    let mut episode = episode();
    assert_eq!(run(&mut episode, &[(Intent::Take, Act::Take); 3]), None);
    assert_eq!((episode.gripper(), episode.steps(), episode.effort_tenths()), (Cell::new(10, 10), 3, 22));
    run(&mut episode, &[(Intent::Silence, UP); 12]);
    assert_eq!((episode.gripper(), episode.steps()), (Cell::new(10, 0), 15));
}

#[test]
fn after_the_end_nothing_happens() {
    let mut episode = episode();
    let ending = run(&mut episode, &[(Intent::Silence, Act::Wait); 30]);
    assert_eq!(run(&mut episode, &[(REFER, LEFT), (REFER, Act::Take)]), ending);
    assert_eq!((episode.gripper(), episode.steps()), (Cell::new(10, 10), 30));
}

#[test]
fn acts_have_names() {
    let json = serde_json::to_string(&Act::ALL).expect("names");
    assert_eq!(json, r#"["left","right","up","down","wait","take"]"#);
    assert_eq!(serde_json::from_str::<Vec<Act>>(&json).expect("the same names"), Act::ALL);
    let error = serde_json::from_str::<Act>("\"jump\"").expect_err("no act").to_string();
    assert!(error.starts_with("there is no \"jump\"; there are left, right, up, down, wait, take"), "{error}");
}

fn any_act() -> impl Strategy<Value = Act> {
    prop::sample::select(Act::ALL.to_vec())
}

proptest! {
    /// Books kept again by another hand.
    #[test]
    fn an_episode_keeps_its_books(
        task in any_task(),
        steps in prop::collection::vec((any_intent(), any_act()), 0..40),
    ) {
        let size = task.board.size();
        let mut episode = Episode::new(task.clone());
        let (mut x, mut y) = (i16::from(size) / 2, i16::from(size) / 2);
        let mut kinds: Vec<Kind> = Vec::new();
        for (intent, act) in steps {
            if episode.ending().is_some() {
                break;
            }
            episode.speak(intent.kind());
            episode.act(act);
            kinds.push(intent.kind());
            let (dx, dy) = match act {
                Act::Move(Direction::Left) => (-1, 0),
                Act::Move(Direction::Right) => (1, 0),
                Act::Move(Direction::Up) => (0, -1),
                Act::Move(Direction::Down) => (0, 1),
                Act::Wait | Act::Take => (0, 0),
            };
            (x, y) = ((x + dx).clamp(0, i16::from(size) - 1), (y + dy).clamp(0, i16::from(size) - 1));
            prop_assert_eq!((i16::from(episode.gripper().x), i16::from(episode.gripper().y)), (x, y));
            prop_assert_eq!(episode.steps() as usize, kinds.len());
            let billed: u32 = kinds[..kinds.len() - 1].iter().map(|kind| kind.effort_tenths()).sum();
            prop_assert_eq!(episode.effort_tenths(), billed);
            let taken = if act == Act::Take { task.board.piece_at(episode.gripper()) } else { None };
            let over = taken.is_some() || kinds.len() == 30;
            let success = taken == Some(task.target);
            let expected = Ending { success, taken, steps: kinds.len() as u32, effort_tenths: billed };
            prop_assert_eq!(episode.ending(), over.then_some(expected));
            if let Some(ending) = episode.ending() {
                let (time, effort) = (1.0 - 0.03 * f64::from(ending.steps), 1.0 - 0.003 * f64::from(billed));
                let outcome = if success { 1.0 } else { -1.0 };
                prop_assert!((ending.reward() - ((time + effort) / 2.0 + outcome)).abs() < 1e-9);
                let table = if success { ending.reward() } else { effort - 1.0 };
                prop_assert!((ending.table_reward() - table).abs() < 1e-9);
            }
        }
    }

    #[test]
    fn the_cut_shows_what_is_near_and_nothing_else(task in any_task(), x in 0u8..30, y in 0u8..30) {
        let board = &task.board;
        let gripper = Cell::new(x % board.size(), y % board.size());
        let sight = Sight::of(board, gripper);
        prop_assert_eq!((sight.size, sight.gripper, sight.tiles().len()), (board.size(), gripper, SIDE * SIDE));
        prop_assert_eq!(SIDE, 11);
        for (index, tile) in sight.tiles().iter().enumerate() {
            let x = i16::from(gripper.x) + (index % SIDE) as i16 - i16::from(REACH);
            let y = i16::from(gripper.y) + (index / SIDE) as i16 - i16::from(REACH);
            let inside = [x, y].iter().all(|at| (0..i16::from(board.size())).contains(at));
            let expected = match inside.then(|| board.piece_at(Cell::new(x as u8, y as u8))) {
                None => Tile::Outside,
                Some(None) => Tile::Empty,
                Some(Some(piece)) => Tile::Part(board.pieces()[piece].color, board.pieces()[piece].shape),
            };
            prop_assert_eq!(*tile, expected);
        }
        prop_assert_eq!(sight.here(), sight.tiles()[60]);
        prop_assert_eq!(sight.area(), Area::of(gripper, board.size()));
        let near = |cell: &Cell| cell.x.abs_diff(gripper.x) <= 5 && cell.y.abs_diff(gripper.y) <= 5;
        let tiles = board.pieces().iter().flat_map(|piece| piece.tiles());
        let parts = sight.parts().map(|(cell, ..)| cell).collect::<std::collections::BTreeSet<_>>();
        prop_assert_eq!(parts, tiles.filter(near).collect());
    }
}
