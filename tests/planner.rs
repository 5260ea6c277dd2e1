//! The planner against the paper: nothing leaks, and the arena decides as the listing's two trees do.

use proptest::prelude::*;
use rand::Rng;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use std::collections::BTreeMap;
use tandem_core::{Event, Millis, Seat, Session, What};
use tandem_gnomes::aismctsf::{self, Mover, Options, SharedControl, decide};
use tandem_gnomes::ascii;
use tandem_gnomes::belief::Belief;
use tandem_gnomes::board::Setup;
use tandem_gnomes::maze::Maze;
use tandem_gnomes::{Action, Board, Cell, Config, Flag, Gnomes, boards, generator};
use tandem_tests::{chairs, run};

/// The same board with other walls on the human's side and, where the agent does not see it, another treasure.
fn with_other_secrets(board: &Board, walls: &[(u8, u8, bool)], treasure: Cell) -> Option<Board> {
    let mut setup: Setup = board.setup().clone();
    for (x, y, down) in walls {
        let cell = Cell::new(x % board.width(), y % board.height());
        setup.sides[0].add_wall(cell, if *down { Action::Down } else { Action::Right });
    }
    setup.treasures[0] = treasure;
    setup.check().ok()
}

/// What the agent at seat 1 explains and does on its first turn, after the human has stayed put and said `words`.
fn first_decision(board: &Board, words: &str, seed: u64) -> String {
    let config = Config { board: boards::BoardSource::Text(ascii::write(board)), ..Config::default() };
    let seats = vec![
        tandem_core::SeatSetup::Human {},
        tandem_core::SeatSetup::Agent { name: "comm".into(), config: serde_json::Value::Null },
    ];
    let seed = tandem_core::Seed::new(seed).unwrap();
    let setup = tandem_core::Setup { config, seed, seats, pace: Millis(0), host: None };
    let mut table = chairs(["comm", "comm"]);
    table[0] = tandem_core::Chair::Human;
    let mut session = Session::<Gnomes>::new(setup, table).unwrap();
    session.handle(Event { at: Millis(0), what: What::Start }).unwrap();
    run(&mut session, 9);
    if !words.is_empty() {
        session.handle(Event { at: Millis(1), what: What::Say { seat: Seat(0), text: words.into() } }).unwrap();
        run(&mut session, 9);
    }
    session.handle(Event { at: Millis(2), what: What::Act { seat: Seat(0), action: Action::Stay } }).unwrap();
    run(&mut session, 1);
    let thought = session.lines().iter().rfind(|line| line.contains("\"derived\":\"thought\"")).cloned().unwrap();
    let mut thought: serde_json::Value = serde_json::from_str(&thought).unwrap();
    assert!(thought["because"]["chosen"].is_string(), "{thought}");
    let said: Vec<_> = session.world().messages().iter().filter(|message| message.seat == Seat(1)).cloned().collect();
    format!("{} {said:?}", thought["because"].take())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// Change the human's walls and the treasure that the agent does not see: its decision, its statistics and its words
    /// stay the same.
    #[test]
    fn a_decision_does_not_depend_on_what_is_hidden(
        seed in 0_u64..5_000,
        walls in proptest::collection::vec((0_u8..9, 0_u8..9, any::<bool>()), 0..12),
        treasure in (1_u8..9, 1_u8..9),
        words in prop_oneof![Just(""), Just("go right"), Just("can't, there is a wall"), Just("where are your walls?")],
    ) {
        let board = generator::generate(9, 9, tandem_core::Seed::new(seed).unwrap()).unwrap();
        let treasure = Cell::new(treasure.0, treasure.1);
        let other = with_other_secrets(&board, &walls, treasure);
        prop_assume!(other.is_some());
        prop_assert_eq!(first_decision(&board, words, seed), first_decision(&other.unwrap(), words, seed));
    }

    /// The arena's visits are those of both printed trees, and the decision follows from them.
    #[test]
    fn the_arena_decides_as_the_listing_does(seed in 0_u64..5_000, at in (0_u8..6, 0_u8..6), wish in 0_u8..5) {
        let board = generator::generate(6, 6, tandem_core::Seed::new(seed).unwrap()).unwrap();
        let cell = Cell::new(at.0, at.1);
        prop_assume!(cell != board.treasures()[1]);
        let maze = Maze::new(&board.sides()[1], |_| 0).with_treasure(board.treasures()[1]);
        let options = Options { iterations: 60, horizon: 200, ..Options::default() };
        let root = maze.index(cell);
        let mut chance = Xoshiro256PlusPlus::seed_from_u64(seed);
        let tree = aismctsf::search(&maze, root, &options, &mut chance, |_| true);
        let mut chance = Xoshiro256PlusPlus::seed_from_u64(seed);
        let listing = listing(&maze, root, &options, &mut chance);
        let visits: BTreeMap<u8, u32> = tree.branches(&[]).iter().map(|branch| (branch.action, branch.visits)).collect();
        prop_assert_eq!(&visits, &listing[0]);
        prop_assert_eq!(&visits, &listing[1]);
        let mut chance = Xoshiro256PlusPlus::seed_from_u64(seed);
        let decision = decide(&tree, Flag::Do(wish), maze.actions(Mover::Ego, root), |_| 0, &mut chance);
        let most = visits.values().max().copied();
        prop_assert_eq!(visits.get(&decision.action).copied(), most);
        if visits.get(&wish).copied() == most {
            prop_assert_eq!(decision.action, wish, "ties go to the input flag");
        }
        let valid = maze.actions(Mover::Ego, root) & (1 << wish) != 0;
        prop_assert_eq!(decision.flag == Flag::Reject, !valid);
    }
}

/// A node of the listing's trees.
#[derive(Clone, Default)]
struct Node {
    visits: u32,
    total: f64,
    children: BTreeMap<u8, usize>,
}

/// Algorithm 1 as it is printed: a tree for each player, both given every action. Draws chance in the same order as the
/// search does. Returns the visits of the roots' children in both trees.
fn listing(maze: &Maze, root: u16, options: &Options, chance: &mut impl Rng) -> [BTreeMap<u8, u32>; 2] {
    let mut trees = [vec![Node::default()], vec![Node::default()]];
    for _ in 0..options.iterations {
        let treasure = maze.draw(chance);
        let (mut state, mut mover, mut steps, mut total) = (root, Mover::Ego, 0, 0.0);
        let mut paths = [vec![0], vec![0]];
        while steps < options.horizon && !maze.is_final(state, treasure) {
            let own = usize::from(mover == Mover::Partner);
            let here = &trees[own][*paths[own].last().unwrap()];
            let possible = maze.actions(mover, state);
            let untried: Vec<u8> =
                (0..5).filter(|action| possible & (1 << action) != 0 && !here.children.contains_key(action)).collect();
            let action = if untried.is_empty() {
                let log = libm_log(here.visits);
                let bound = |action: &u8| {
                    let child = &trees[own][here.children[action]];
                    child.total / f64::from(child.visits) + options.exploration * (log / f64::from(child.visits)).sqrt()
                };
                let mut best = (f64::NEG_INFINITY, 0);
                for action in here.children.keys() {
                    if bound(action) > best.0 {
                        best = (bound(action), *action);
                    }
                }
                best.1
            } else {
                use rand::RngExt;
                untried[chance.random_range(0..untried.len() as u32) as usize]
            };
            let after = maze.after(mover, state, action);
            total += maze.reward(state, action, after, treasure);
            for (tree, path) in trees.iter_mut().zip(&mut paths) {
                let (node, fresh) = (*path.last().unwrap(), tree.len());
                let child = *tree[node].children.entry(action).or_insert(fresh);
                if child == fresh {
                    tree.push(Node::default());
                }
                path.push(child);
            }
            (state, mover, steps) = (after, mover.other(), steps + 1);
            if !untried.is_empty() {
                total += maze.rollout(mover, state, treasure, options.horizon - steps, chance);
                break;
            }
        }
        for (tree, path) in trees.iter_mut().zip(&paths) {
            for node in path {
                tree[*node].visits += 1;
                tree[*node].total += total;
            }
        }
    }
    trees.map(|tree| (0..5).filter_map(|action| Some((action, tree[*tree[0].children.get(&action)?].visits))).collect())
}

/// The same logarithm as the planner's; any other may differ in the last bit and so decide a tie otherwise.
fn libm_log(visits: u32) -> f64 {
    libm::log(f64::from(visits))
}

/// The table-driven rollout draws from the same distribution as the plain one: means over many rollouts agree.
#[test]
fn the_fast_rollout_agrees_with_the_plain_one() {
    struct Plain<'a>(&'a Maze);
    impl SharedControl for Plain<'_> {
        type State = u16;
        type Hypothesis = u16;
        fn actions(&self, mover: Mover, state: u16) -> aismctsf::Actions {
            self.0.actions(mover, state)
        }
        fn after(&self, mover: Mover, state: u16, action: u8) -> u16 {
            self.0.after(mover, state, action)
        }
        fn reward(&self, state: u16, action: u8, after: u16, treasure: u16) -> f64 {
            self.0.reward(state, action, after, treasure)
        }
        fn is_final(&self, state: u16, treasure: u16) -> bool {
            self.0.is_final(state, treasure)
        }
        fn draw(&self, chance: &mut impl Rng) -> u16 {
            self.0.draw(chance)
        }
    }
    let board = boards::named("5A").unwrap();
    let mut belief = Belief::uniform(5, 5);
    belief.exclude(board.start());
    let maze = Maze::new(&board.sides()[1], |_| 0).with_belief(&belief, board.start());
    let treasure = maze.index(board.treasures()[2]);
    let mut chance = Xoshiro256PlusPlus::seed_from_u64(9);
    let mut mean = |plain: bool| {
        let one = |chance: &mut Xoshiro256PlusPlus| match plain {
            true => Plain(&maze).rollout(Mover::Ego, 0, treasure, 100_000, chance),
            false => maze.rollout(Mover::Ego, 0, treasure, 100_000, chance),
        };
        let returns: Vec<f64> = (0..40_000).map(|_| one(&mut chance)).collect();
        let mean = returns.iter().sum::<f64>() / returns.len() as f64;
        let variance = returns.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / returns.len() as f64;
        (mean, (variance / returns.len() as f64).sqrt())
    };
    let ((plain, error), (fast, other_error)) = (mean(true), mean(false));
    // The seed is fixed, so this either always holds or never; five standard errors leave no room for a real difference.
    assert!((plain - fast).abs() < 5.0 * error.hypot(other_error), "{plain} and {fast}");
}
