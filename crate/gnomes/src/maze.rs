//! The maze as one player knows it, for planning: its own walls, what the partner has refused, and where the treasure
//! is, or may be.

use crate::aismctsf::{Actions, Mover, SharedControl};
use crate::belief::Belief;
use crate::rules::{STEP_REWARD, TREASURE_REWARD};
use crate::{Action, Cell, Side};
use rand::Rng;

/// The entries of a cell in the rollout table. 60 can be shared out evenly among one to five actions.
const SHARES: usize = 60;
/// Room for a cell in the rollout table, a power of two so that a place in it is a shift.
const ROOM: usize = 64;

/// A maze for the planner.
#[derive(Clone, Debug)]
pub struct Maze {
    grid: Side,
    /// For each place (cell and mover), what the mover can do there.
    actions: Vec<u8>,
    /// For each place, [`SHARES`] places one step on, each possible step equally often.
    table: Vec<u16>,
    goals: Goals,
}

/// Where the planner takes the treasure to be.
#[derive(Clone, Debug)]
enum Goals {
    Seen(u16),
    /// The cells with the running sum of their probabilities.
    Believed(Vec<(f64, u16)>),
}

/// A cell together with whose move it is: cell index * 2, plus one for the partner.
fn place(cell: u16, mover: Mover) -> usize {
    usize::from(cell) * 2 + usize::from(mover == Mover::Partner)
}

impl Maze {
    /// The maze for a player whose side is `own`; `refused` tells, cell by cell, which steps the partner cannot make.
    pub fn new(own: &Side, refused: impl Fn(Cell) -> Actions) -> Self {
        let grid = Side::without_walls(own.width(), own.height());
        let mut actions = vec![0; 2 * grid.cells()];
        for index in 0..grid.cells() {
            let cell = grid.cell(index);
            let set = |side: &Side| side.actions(cell).fold(0, |set: u8, action| set | 1 << action.index());
            let stay = 1 << Action::Stay.index();
            actions[place(index as u16, Mover::Ego)] = set(own);
            actions[place(index as u16, Mover::Partner)] = set(&grid) & !(refused(cell) as u8) | stay;
        }
        let table = rollout_table(&grid, &actions);
        Self { grid, actions, table, goals: Goals::Believed(Vec::new()) }
    }

    /// The same maze with the treasure in plain sight.
    #[must_use]
    pub fn with_treasure(self, cell: Cell) -> Self {
        let goals = Goals::Seen(self.grid.index(cell) as u16);
        Self { goals, ..self }
    }

    /// The same maze with a belief about the treasure. Cells out of reach are left out, unless all are.
    #[must_use]
    pub fn with_belief(self, belief: &Belief, token: Cell) -> Self {
        let reachable = self.reachable(token);
        let within = |only_reachable: bool| {
            let mut sum = 0.0;
            let cells = belief.probabilities().iter().enumerate();
            let cells = cells.filter(|(index, share)| **share > 0.0 && (!only_reachable || reachable[*index]));
            let sums = cells.map(|(index, share)| {
                sum += share;
                (sum, index as u16)
            });
            sums.collect::<Vec<_>>()
        };
        let reached = within(true);
        let goals = Goals::Believed(if reached.is_empty() { within(false) } else { reached });
        Self { goals, ..self }
    }

    /// The cells that the two players together can reach from `cell`, as far as this player knows. Row by row.
    pub fn reachable(&self, cell: Cell) -> Vec<bool> {
        let mut reached = vec![false; self.grid.cells()];
        let mut open = vec![self.index(cell)];
        reached[open[0] as usize] = true;
        while let Some(index) = open.pop() {
            for mover in [Mover::Ego, Mover::Partner] {
                for next in self.table[place(index, mover) * ROOM..][..SHARES].iter().map(|place| place / 2) {
                    if !std::mem::replace(&mut reached[usize::from(next)], true) {
                        open.push(next);
                    }
                }
            }
        }
        reached
    }

    /// A cell's number, the planner's state.
    pub fn index(&self, cell: Cell) -> u16 {
        self.grid.index(cell) as u16
    }

    /// The cell of a number.
    pub fn cell(&self, index: u16) -> Cell {
        self.grid.cell(usize::from(index))
    }
}

/// One step on from every place, written out so that a random step is one look-up.
fn rollout_table(grid: &Side, actions: &[u8]) -> Vec<u16> {
    let mut table = vec![0; actions.len() * ROOM];
    for index in 0..grid.cells() {
        for mover in [Mover::Ego, Mover::Partner] {
            let here = place(index as u16, mover);
            let possible = Action::ALL.into_iter().filter(|action| actions[here] & (1 << action.index()) != 0);
            let next = possible.map(|action| {
                let cell = grid.after(grid.cell(index), action);
                place(grid.index(cell) as u16, mover.other()) as u16
            });
            let next: Vec<u16> = next.collect();
            for share in 0..SHARES {
                table[here * ROOM + share] = next[share % next.len()];
            }
        }
    }
    table
}

/// A reward in tenths as the planner counts it.
fn reward(tenths: i64) -> f64 {
    tenths as f64 / 10.0
}

impl SharedControl for Maze {
    type State = u16;
    /// The treasure's cell.
    type Hypothesis = u16;

    fn actions(&self, mover: Mover, state: u16) -> Actions {
        self.actions[place(state, mover)].into()
    }

    fn after(&self, _: Mover, state: u16, action: u8) -> u16 {
        self.index(self.grid.after(self.cell(state), Action::ALL[usize::from(action)]))
    }

    fn reward(&self, _: u16, _: u8, after: u16, treasure: u16) -> f64 {
        if after == treasure { reward(STEP_REWARD + TREASURE_REWARD) } else { reward(STEP_REWARD) }
    }

    fn is_final(&self, state: u16, treasure: u16) -> bool {
        state == treasure
    }

    fn draw(&self, chance: &mut impl Rng) -> u16 {
        match &self.goals {
            Goals::Seen(cell) => *cell,
            Goals::Believed(sums) => {
                let all = sums.last().map_or(0.0, |(sum, _)| *sum);
                let drawn = (chance.next_u64() >> 11) as f64 / (1_u64 << 53) as f64 * all;
                let at = sums.partition_point(|(sum, _)| *sum <= drawn);
                sums.get(at).or(sums.last()).map_or(0, |(_, cell)| *cell)
            }
        }
    }

    /// A walk on the table. A 64-bit number gives six figures below 60: multiplied by 60, the high half of a 32-bit
    /// number is the figure and the low half goes on. Each figure is uniform to within 1 in 10,000.
    fn rollout(&self, mover: Mover, state: u16, treasure: u16, cap: u32, chance: &mut impl Rng) -> f64 {
        let mut here = place(state, mover);
        let treasure = usize::from(treasure);
        if here >> 1 == treasure {
            return 0.0;
        }
        let mut steps = 0;
        while steps < cap {
            let drawn = chance.next_u64();
            for mut rest in [drawn & 0xffff_ffff, drawn >> 32] {
                for _ in 0..3 {
                    rest *= SHARES as u64;
                    here = usize::from(self.table[here * ROOM + (rest >> 32) as usize]);
                    rest &= 0xffff_ffff;
                    steps += 1;
                    if here >> 1 == treasure {
                        return f64::from(steps) * reward(STEP_REWARD) + reward(TREASURE_REWARD);
                    }
                    if steps == cap {
                        return f64::from(steps) * reward(STEP_REWARD);
                    }
                }
            }
        }
        0.0
    }
}
