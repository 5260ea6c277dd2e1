//! Tasks: a board and which of its pieces is the target (section 3.6, appendix A.2).

mod file;
mod generate;
mod split;

pub use file::{TaskError, read, write};
pub use generate::{SIZE, TrainingTasks, board, test, training, validation};
pub use split::{Splits, known};

use crate::Board;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A task: lead the Follower to this piece of this board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Task {
    /// The board; tasks of one board share it.
    pub board: Arc<Board>,
    /// The target, by its number on the board.
    pub target: usize,
}

/// The three sets of tasks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Split {
    /// 2,500 tasks on 700 boards.
    Train,
    /// 175 tasks.
    Val,
    /// 420 tasks.
    Test,
}

impl Split {
    /// All three.
    pub const ALL: [Self; 3] = [Self::Train, Self::Val, Self::Test];

    /// Its name in files and on the command line.
    pub fn name(self) -> &'static str {
        ["train", "val", "test"][self as usize]
    }

    /// How many tasks it has.
    pub fn count(self) -> usize {
        [2500, 175, 420][self as usize]
    }

    /// Its tasks, from the seed that fixes all three.
    pub fn tasks(self, seed: tandem_core::Seed) -> Vec<Task> {
        match self {
            Self::Train => training(seed),
            Self::Val => validation(seed),
            Self::Test => test(seed),
        }
    }
}
