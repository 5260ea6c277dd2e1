//! Situations for the encoder to learn from: boards by the rules of the training tasks, any of their pieces as the target,
//! and grippers where they matter: on the target, near it, on other pieces, in the middle, anywhere.

use super::graph::{CUT, REACH, Views};
use super::parameters::flat;
use super::questions::{Answers, answers};
use burn::tensor::{Device, Tensor};
use rand::RngExt;
use rand::seq::IndexedRandom;
use std::sync::Arc;
use tandem_cogrip::language::Situation;
use tandem_cogrip::observation::{CHANNELS, SIDE, observe};
use tandem_cogrip::tasks::TrainingTasks;
use tandem_cogrip::{Board, Cell, Task};
use tandem_core::Stream;

/// A batch: what is seen, and what is right.
pub struct Batch {
    /// What is seen.
    pub views: Views,
    /// One for each gripper, board by board.
    pub answers: Vec<Answers>,
    /// Board, target and gripper of each.
    #[cfg(test)]
    pub places: Vec<(Arc<Board>, usize, Cell)>,
}

/// Where boards come from.
pub enum Source {
    /// These tasks, any of them each time.
    Set(Vec<Task>),
    /// A new one each time.
    Fresh(TrainingTasks),
}

impl Source {
    fn board(&self, chance: &mut Stream) -> Option<Arc<Board>> {
        match self {
            Self::Set(tasks) => tasks.choose(chance).map(|task| task.board.clone()),
            Self::Fresh(tasks) => Some(tasks.draw(chance).board),
        }
    }
}

/// Draws a batch of so many boards with so many grippers each.
pub fn draw(source: &Source, boards: usize, grippers: usize, chance: &mut Stream, device: &Device) -> Batch {
    let sides = [CUT, CUT - 2, CUT - 4, CUT - 6];
    let mut plain = Vec::with_capacity(boards * CHANNELS * SIDE * SIDE);
    let mut cuts = Vec::with_capacity(boards * grippers * CHANNELS * CUT * CUT);
    let mut inside: [Vec<f32>; 4] = Default::default();
    let mut beyond = Vec::with_capacity(boards * grippers * SIDE * SIDE);
    let mut right = Vec::with_capacity(boards * grippers);
    #[cfg(test)]
    let mut places = Vec::new();
    for _ in 0..boards {
        let Some(board) = source.board(chance) else { continue };
        let board = &board;
        let target = chance.random_range(0..board.pieces().len());
        let bare = image(Situation { board, target, gripper: Cell::new(0, 0) }, None);
        for channel in 0..CHANNELS {
            plain.extend((0..SIDE * SIDE).map(|tile| bare[tile * CHANNELS + channel]));
        }
        for number in 0..grippers {
            let gripper = place(board, target, number, chance);
            let situation = Situation { board, target, gripper };
            let seen = image(situation, Some(gripper));
            let at = |x: usize, y: usize, side: usize| tile(gripper, x, y, side);
            for channel in 0..CHANNELS {
                for (y, x) in square(CUT) {
                    cuts.push(at(x, y, CUT).map_or(0.0, |tile| seen[tile * CHANNELS + channel]));
                }
            }
            for (mask, side) in inside.iter_mut().zip(sides) {
                mask.extend(square(side).map(|(y, x)| f32::from(u8::from(at(x, y, side).is_some()))));
            }
            let reached = |tile: usize| {
                let (x, y) = ((tile % SIDE) as u8, (tile / SIDE) as u8);
                usize::from(x.abs_diff(gripper.x).max(y.abs_diff(gripper.y))) <= REACH
            };
            beyond.extend((0..SIDE * SIDE).map(|tile| if reached(tile) { 0.0 } else { 1.0 }));
            right.push(answers(situation, chance));
            #[cfg(test)]
            places.push((board.clone(), target, gripper));
        }
    }
    let count = boards * grippers;
    let mut masks =
        inside.into_iter().zip(sides).map(|(mask, side)| flat(mask, device).reshape([count, 1, side, side]));
    let mut mask = || masks.next().unwrap_or_else(|| Tensor::zeros([count, 1, 1, 1], device));
    let views = Views {
        boards: flat(plain, device).reshape([boards, CHANNELS, SIDE, SIDE]),
        cuts: flat(cuts, device).reshape([count, CHANNELS, CUT, CUT]),
        inside: [mask(), mask(), mask(), mask()],
        beyond: flat(beyond, device).reshape([boards, grippers, 1, SIDE * SIDE]),
    };
    Batch {
        views,
        answers: right,
        #[cfg(test)]
        places,
    }
}

/// An observation, tile by tile; without a gripper its channel is 1 everywhere.
fn image(situation: Situation, gripper: Option<Cell>) -> Vec<f32> {
    let mut image = observe(situation).map_or_else(|| vec![1.0; SIDE * SIDE * CHANNELS], |image| image.to_vec());
    if gripper.is_none() {
        image.iter_mut().skip(3).step_by(CHANNELS).for_each(|value| *value = 1.0);
    }
    image
}

/// Where a gripper is put: each kind of place in turn.
fn place(board: &Board, target: usize, number: usize, chance: &mut Stream) -> Cell {
    let last = board.size() - 1;
    let on = |piece: usize, chance: &mut Stream| board.pieces()[piece].tiles()[chance.random_range(0..5)];
    let beside = |cell: Cell, reach: u8, chance: &mut Stream| {
        let mut about = |at: u8| chance.random_range(at.saturating_sub(reach)..=(at + reach).min(last));
        Cell::new(about(cell.x), about(cell.y))
    };
    match number % 8 {
        0 | 1 => on(target, chance),
        2 | 3 => beside(on(target, chance), REACH as u8 + 1, chance),
        4 => on(chance.random_range(0..board.pieces().len()), chance),
        5 => beside(board.start(), chance.random_range(0..=REACH as u8), chance),
        _ => Cell::new(chance.random_range(0..=last), chance.random_range(0..=last)),
    }
}

/// The rows and columns of a square, row by row.
fn square(side: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..side * side).map(move |at| (at / side, at % side))
}

/// The board's tile at a place of a cut around the gripper; `None` beyond the edge.
fn tile(gripper: Cell, x: usize, y: usize, side: usize) -> Option<usize> {
    let x = (usize::from(gripper.x) + x).checked_sub(side / 2)?;
    let y = (usize::from(gripper.y) + y).checked_sub(side / 2)?;
    (x < SIDE && y < SIDE).then_some(y * SIDE + x)
}
