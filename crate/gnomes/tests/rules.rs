//! The bare rules, and the solver, against slower ones written another way.

mod common;

use common::{any_action, known, some_board};
use proptest::prelude::*;
use tandem_gnomes::rules::{Game, Round, Step};
use tandem_gnomes::{Action, Board, Cell, Side, ascii, solver};

#[test]
fn a_round_is_scored_to_the_tenth() {
    let board = ascii::parse(
        "name: tiny\n\n\
         +--+--+   +--+--+\n\
         |S |1 |   |S    |\n\
         +  +  +   +--+--+\n\
         |     |   |    2|\n\
         +--+--+   +--+--+\n",
    )
    .expect("a good level");
    let mut game = Game::new(&board, 0, None);
    let still = |cell, blocked| Step { from: cell, to: cell, blocked, found: false, round_over: false };
    let start = board.start();
    assert_eq!(game.play(Action::Right), (still(start, true), None));
    assert_eq!((game.state().seat, game.state().now.reward), (1, -6), "a wall costs, and the turn passes");
    assert_eq!(game.play(Action::Stay), (still(start, false), None));
    assert_eq!((game.state().seat, game.state().now.reward), (0, -7));
    assert_eq!(game.play(Action::Up), (still(start, true), None));
    assert_eq!(game.state().now.reward, -13, "the border is a wall");
    let found = Step { from: start, to: Cell::new(1, 0), blocked: false, found: true, round_over: true };
    let round = Round { turns: 4, reward: 186, completed: true };
    assert_eq!(game.play(Action::Right), (found, Some(round)));
    assert_eq!((game.state().token, game.state().seat, game.state().round), (start, 0, 1));
    assert_eq!(game.state().now, Round::default());
    game.play(Action::Down);
    let (_, round) = game.play(Action::Right);
    assert_eq!(round, Some(Round { turns: 2, reward: 198, completed: true }));
    assert!(game.over());
    let end = game.state().clone();
    game.play(Action::Down);
    assert_eq!(game.state(), &end, "nothing moves after the end");
    game.restart();
    assert_eq!(game.state(), Game::new(&board, 0, None).state());
}

#[test]
fn board_9a_takes_the_papers_numbers_of_turns() {
    let board = known("9A");
    assert_eq!(solver::solve(&board, 0), [5, 11, 7, 9, 11]);
    let wall = |x| !board.sides()[0].open(Cell::new(x, 6), Action::Down);
    assert!((0..9).all(wall), "a wall right across closes the last treasure to seat 0");
}

#[test]
fn an_edge_is_the_same_from_both_ends() {
    for board in tandem_gnomes::boards::all() {
        for side in board.sides() {
            for cell in (0..side.cells()).map(|index| side.cell(index)) {
                assert!(side.open(cell, Action::Stay));
                for action in Action::MOVES {
                    match cell.after(action).filter(|next| side.contains(*next)) {
                        Some(next) => assert_eq!(side.open(cell, action), side.open(next, action.opposite())),
                        None => assert!(!side.open(cell, action), "{} is open over the border", board.name()),
                    }
                }
            }
        }
    }
}

/// The rules once more, slowly: walls as lists, rewards as sums.
struct Slow<'a> {
    board: &'a Board,
    first: usize,
    cap: Option<u32>,
    round: usize,
    /// Actions of the round so far, and the cells after each.
    path: Vec<(Action, bool, Cell)>,
}

impl Slow<'_> {
    fn token(&self) -> Cell {
        self.path.last().map_or(self.board.start(), |(_, _, cell)| *cell)
    }

    fn seat(&self) -> usize {
        (self.first + self.path.len()) % 2
    }

    fn play(&mut self, action: Action) -> Option<Round> {
        let treasure = *self.board.treasures().get(self.round)?;
        let side = &self.board.sides()[self.seat()];
        let from = self.token();
        let (right, below) = (side.walls(Action::Right), side.walls(Action::Down));
        let (x, y) = (from.x, from.y);
        let way = match action {
            Action::Stay => Some(from),
            Action::Right => (x + 1 < side.width() && !right.contains(&from)).then(|| Cell::new(x + 1, y)),
            Action::Down => (y + 1 < side.height() && !below.contains(&from)).then(|| Cell::new(x, y + 1)),
            Action::Left => (x > 0 && !right.contains(&Cell::new(x - 1, y))).then(|| Cell::new(x - 1, y)),
            Action::Up => (y > 0 && !below.contains(&Cell::new(x, y - 1))).then(|| Cell::new(x, y - 1)),
        };
        self.path.push((action, way.is_none(), way.unwrap_or(from)));
        let turns = self.path.len() as u32;
        let completed = self.token() == treasure;
        if !completed && self.cap != Some(turns) {
            return None;
        }
        let walls = self.path.iter().filter(|(_, blocked, _)| *blocked).count() as f64;
        let reward = if completed { 20.0 } else { 0.0 } - 0.5 * walls - 0.1 * f64::from(turns);
        self.path.clear();
        self.round += 1;
        Some(Round { turns, reward: (10.0 * reward).round() as i64, completed })
    }
}

/// The fewest turns by repeated relaxation instead of a queue.
fn relaxed(board: &Board, first: usize) -> Vec<Option<usize>> {
    let sides = board.sides();
    let mut turns = vec![[usize::MAX; 2]; sides[0].cells()];
    turns[sides[0].index(board.start())][first] = 0;
    loop {
        let before = turns.clone();
        for (index, seats) in before.iter().enumerate() {
            for (seat, taken) in seats.iter().enumerate().filter(|(_, taken)| **taken != usize::MAX) {
                for action in Action::ALL {
                    let next = sides[seat].index(sides[seat].after(sides[seat].cell(index), action));
                    turns[next][1 - seat] = turns[next][1 - seat].min(taken + 1);
                }
            }
        }
        if turns == before {
            let least = |[one, other]: &[usize; 2]| Some(*one.min(other)).filter(|least| *least != usize::MAX);
            return turns.iter().map(least).collect();
        }
    }
}

proptest! {
    #[test]
    fn the_fast_rules_are_the_slow_ones(
        board in some_board(),
        first in 0u8..2,
        cap in proptest::option::of(1u32..40),
        actions in proptest::collection::vec(any_action(), 0..200),
    ) {
        let mut fast = Game::new(&board, first, cap);
        let mut slow = Slow { board: &board, first: first.into(), cap, round: 0, path: Vec::new() };
        for action in actions {
            let (mover, from) = (usize::from(fast.state().seat), fast.state().token);
            let over = fast.over();
            let (step, round) = fast.play(action);
            prop_assert_eq!(round, slow.play(action));
            prop_assert_eq!(step.round_over, round.is_some());
            prop_assert_eq!(step.from, from);
            prop_assert!(step.to == from || board.sides()[mover].open(from, action), "through a wall");
            if !step.round_over && !over {
                prop_assert_eq!(usize::from(fast.state().seat), 1 - mover);
                prop_assert_eq!(fast.state().token, step.to);
            }
            prop_assert_eq!((fast.state().token, fast.state().round), (slow.token(), slow.round));
            prop_assert_eq!(usize::from(fast.state().seat), slow.seat());
        }
    }

    #[test]
    fn the_solver_finds_what_relaxation_finds(board in some_board(), first in 0u8..2) {
        let turns = solver::turns_from(board.sides(), board.start(), first);
        prop_assert_eq!(&turns, &relaxed(&board, first.into()));
        for (index, fewest) in turns.into_iter().enumerate() {
            let cell = board.sides()[0].cell(index);
            prop_assert_eq!(solver::fewest_turns(board.sides(), board.start(), cell, first), fewest);
        }
    }

    #[test]
    fn the_shortest_paths_win_the_game(board in some_board(), first in 0u8..2) {
        let mut game = Game::new(&board, first, None);
        let mut results = Vec::new();
        for treasure in board.treasures() {
            let path = solver::shortest_path(board.sides(), board.start(), *treasure, first).unwrap_or_default();
            for action in path {
                let (step, round) = game.play(action);
                prop_assert!(!step.blocked);
                results.extend(round);
            }
        }
        prop_assert!(game.over());
        let turns: Vec<usize> = results.iter().map(|round| round.turns as usize).collect();
        prop_assert_eq!(turns, solver::solve(&board, first));
        for round in results {
            prop_assert_eq!((round.completed, round.reward), (true, 200 - i64::from(round.turns)));
        }
    }

    #[test]
    fn distances_are_a_single_players_shortest_ways(board in some_board()) {
        // With a partner who never moves, twice the way less one turn is what the seat that begins needs.
        let [one, _] = board.sides();
        let mut shut = Side::without_walls(one.width(), one.height());
        for cell in (0..one.cells()).map(|index| one.cell(index)) {
            Action::MOVES.into_iter().for_each(|action| shut.add_wall(cell, action));
        }
        let turns = solver::turns_from(&[one.clone(), shut], board.start(), 0);
        let back = solver::distances(one, board.start(), |cell, action| one.open(cell, action));
        for (turns, steps) in turns.into_iter().zip(back) {
            prop_assert_eq!(turns, steps.map(|steps| (2 * usize::from(steps)).saturating_sub(1)));
        }
    }
}

#[test]
fn actions_have_their_names_and_ways_back() {
    for (action, name) in Action::ALL.into_iter().zip(["stay", "right", "up", "left", "down"]) {
        assert_eq!((action.name(), Action::named(name)), (name, Some(action)));
        assert_eq!(serde_json::to_string(&action).ok(), Some(format!("{name:?}")));
        assert_eq!(Action::ALL[action.index()], action);
        assert_eq!(action.opposite().opposite(), action);
        let middle = Cell::new(5, 5);
        let back = middle.after(action).and_then(|cell| cell.after(action.opposite()));
        assert_eq!(back, Some(middle));
    }
    assert_eq!(Cell::new(0, 3).after(Action::Left), None);
    assert_eq!(serde_json::to_string(&Cell::new(4, 2)).ok().as_deref(), Some("[4,2]"));
}
