//! Where a player who does not see the treasure takes it to be.
//!
//! The idea: at first every cell but the start is as likely as any other. A cell the token has stood on without the round
//! ending is out. What the partner says shifts the rest: who asks for a step most likely wants to get nearer, so cells to
//! which the step leads nearer (along a shortest way, as far as this player knows) gain against the others.

use crate::solver;
use crate::{Action, Cell, Side};

/// How much likelier a request is when its step leads nearer to the treasure than when it does not. People ask for
/// detours too, where a wall of their own is in the way that this player does not know of; so the others are not out.
pub const NEARER_RATIO: f64 = 8.0;

/// A probability for each cell.
#[derive(Clone, Debug, PartialEq)]
pub struct Belief {
    grid: Side,
    shares: Vec<f64>,
}

impl Belief {
    /// All cells alike.
    pub fn uniform(width: u8, height: u8) -> Self {
        let grid = Side::without_walls(width, height);
        let cells = grid.cells();
        Self { grid, shares: vec![1.0 / cells as f64; cells] }
    }

    /// The probability of each cell, row by row; they add up to one.
    pub fn probabilities(&self) -> &[f64] {
        &self.shares
    }

    /// The number of columns.
    pub fn width(&self) -> u8 {
        self.grid.width()
    }

    /// The treasure is not here: the token stood here, and the round went on.
    pub fn exclude(&mut self, cell: Cell) {
        let index = self.grid.index(cell);
        self.shares[index] = 0.0;
        self.normalise();
    }

    /// The partner wants the token to go from `cell` by `step`. `open` tells where it can go, as far as is known.
    pub fn asked(&mut self, cell: Cell, step: Action, open: impl Fn(Cell, Action) -> bool) {
        let Some(next) = cell.after(step).filter(|next| step != Action::Stay && self.grid.contains(*next)) else {
            return;
        };
        let from_here = solver::distances(&self.grid, cell, &open);
        let from_there = solver::distances(&self.grid, next, &open);
        self.weigh(|index| match (from_here[index], from_there[index]) {
            (Some(here), Some(there)) if there < here => NEARER_RATIO,
            (None, Some(_)) => NEARER_RATIO,
            _ => 1.0,
        });
    }

    /// The cells for which `likely` holds gain by `ratio` against the others.
    pub fn hint(&mut self, ratio: f64, likely: impl Fn(Cell) -> bool) {
        let grid = self.grid.clone();
        self.weigh(|index| if likely(grid.cell(index)) { ratio } else { 1.0 });
    }

    fn weigh(&mut self, weight: impl Fn(usize) -> f64) {
        for (index, share) in self.shares.iter_mut().enumerate() {
            *share *= weight(index);
        }
        self.normalise();
    }

    /// If nothing is left, what was excluded was excluded wrongly, and all cells are alike again.
    fn normalise(&mut self) {
        let sum: f64 = self.shares.iter().sum();
        let even = 1.0 / self.shares.len() as f64;
        for share in &mut self.shares {
            *share = if sum > 0.0 { *share / sum } else { even };
        }
    }
}
