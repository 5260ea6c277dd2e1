//! The hidden information dictionary (Ω in the paper): which steps the partner is believed unable to make, and where.

use crate::aismctsf::Actions;
use crate::{Action, Cell, Side};

/// What is believed about the partner's walls. A wall stops both ways, so each mark stands on both its cells.
#[derive(Clone, Debug)]
pub struct Memory {
    grid: Side,
    /// The marks in the order in which they were made, one direction each.
    marks: Vec<(Cell, Action)>,
}

impl Memory {
    /// Nothing is known yet.
    pub fn new(width: u8, height: u8) -> Self {
        Self { grid: Side::without_walls(width, height), marks: Vec::new() }
    }

    /// The partner cannot take this step from this cell. Staying put is always possible, and over the border nobody
    /// goes: such marks are ignored.
    pub fn mark(&mut self, cell: Cell, step: Action) {
        let inner = step != Action::Stay && self.grid.open(cell, step);
        if inner && !self.refuses(cell, step) {
            self.marks.push((cell, step));
        }
    }

    /// The partner did take this step: whatever was believed, there is no wall.
    pub fn unmark(&mut self, cell: Cell, step: Action) {
        if let Some(at) = self.find(cell, step) {
            self.marks.remove(at);
        }
    }

    /// Whether the partner is believed unable to take the step.
    pub fn refuses(&self, cell: Cell, step: Action) -> bool {
        self.find(cell, step).is_some()
    }

    /// The steps refused at a cell, as the planner wants them.
    pub fn refused(&self, cell: Cell) -> Actions {
        let refused = Action::MOVES.into_iter().filter(|step| self.refuses(cell, *step));
        refused.fold(0, |set, step| set | 1 << step.index())
    }

    /// Drops the oldest mark; false if there is none. For when what is believed cannot all be true.
    pub fn forget_oldest(&mut self) -> bool {
        let any = !self.marks.is_empty();
        if any {
            self.marks.remove(0);
        }
        any
    }

    /// Every mark once, oldest first.
    pub fn marks(&self) -> &[(Cell, Action)] {
        &self.marks
    }

    /// The place of a mark on this edge, made from either of its cells.
    fn find(&self, cell: Cell, step: Action) -> Option<usize> {
        let other = cell.after(step);
        let same = |mark: &(Cell, Action)| *mark == (cell, step) || Some(mark.0) == other && mark.1 == step.opposite();
        self.marks.iter().position(same)
    }
}
