//! One episode, bare: the gripper, the steps, the Guide's effort, the end and the reward (sections 3.1 to 3.4).

use crate::language::Situation;
use crate::{Cell, Direction, Kind, Task};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// After so many steps an episode ends as a failure (`T_max` in the paper).
pub const MOST_STEPS: u32 = 30;

/// What the Follower can do in a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Act {
    /// Moves the gripper one tile.
    Move(Direction),
    /// Does nothing.
    Wait,
    /// Takes the piece under the gripper; on an empty tile nothing happens.
    Take,
}

impl Act {
    /// All six.
    pub const ALL: [Self; 6] = [
        Self::Move(Direction::Left),
        Self::Move(Direction::Right),
        Self::Move(Direction::Up),
        Self::Move(Direction::Down),
        Self::Wait,
        Self::Take,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Move(direction) => direction.name(),
            Self::Wait => "wait",
            Self::Take => "take",
        }
    }
}

impl Serialize for Act {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for Act {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        Self::ALL.into_iter().find(|act| act.name() == name).ok_or_else(|| {
            let known = Self::ALL.map(Self::name).join(", ");
            serde::de::Error::custom(format!("there is no {name:?}; there are {known}"))
        })
    }
}

/// How an episode ended.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Ending {
    /// The target was taken.
    pub success: bool,
    /// The piece that was taken, if any.
    pub taken: Option<usize>,
    /// How many steps it took (T in the paper).
    pub steps: u32,
    /// The Guide's effort, in tenths: over all steps but the last.
    pub effort_tenths: u32,
}

impl Ending {
    /// The Guide's effort (Equation 3).
    pub fn effort(&self) -> f64 {
        f64::from(self.effort_tenths) / 10.0
    }

    /// The reward of Equation 4: the mean of what is left of the time (Equation 1) and of the effort (Equation 2), and one
    /// more for the target, one less for anything else.
    pub fn reward(&self) -> f64 {
        (share_left(f64::from(self.steps)) + self.guide_reward()) / 2.0 + if self.success { 1.0 } else { -1.0 }
    }

    /// The reward as the paper's Table 2 must have been reckoned: Equation 4 for a success, but a failure counts the
    /// Guide's effort alone.
    pub fn table_reward(&self) -> f64 {
        if self.success { self.reward() } else { self.guide_reward() - 1.0 }
    }

    fn guide_reward(&self) -> f64 {
        share_left(self.effort())
    }
}

/// `1 - 0.9 x / T_max`.
fn share_left(used: f64) -> f64 {
    1.0 - 0.9 * used / f64::from(MOST_STEPS)
}

/// An episode in play. In each step the Guide speaks, then the Follower acts.
#[derive(Clone, Debug)]
pub struct Episode {
    task: Task,
    gripper: Cell,
    steps: u32,
    /// Effort of the steps that are over.
    billed_tenths: u32,
    /// Effort of this step: billed once the next one begins.
    due_tenths: u32,
    ending: Option<Ending>,
}

impl Episode {
    /// At the start of a task, the gripper in the middle.
    pub fn new(task: Task) -> Self {
        let gripper = task.board.start();
        Self { task, gripper, steps: 0, billed_tenths: 0, due_tenths: 0, ending: None }
    }

    /// The task.
    pub fn task(&self) -> &Task {
        &self.task
    }

    /// Where the gripper is.
    pub fn gripper(&self) -> Cell {
        self.gripper
    }

    /// How many steps are over.
    pub fn steps(&self) -> u32 {
        self.steps
    }

    /// The effort so far, in tenths.
    pub fn effort_tenths(&self) -> u32 {
        self.billed_tenths
    }

    /// How it ended; `None` while it goes on.
    pub fn ending(&self) -> Option<Ending> {
        self.ending
    }

    /// What words depend on.
    pub fn situation(&self) -> Situation<'_> {
        Situation { board: &self.task.board, target: self.task.target, gripper: self.gripper }
    }

    /// The Guide speaks with an utterance of this kind.
    pub fn speak(&mut self, kind: Kind) {
        self.billed_tenths += std::mem::replace(&mut self.due_tenths, kind.effort_tenths());
    }

    /// The Follower acts, and the step is over. A move over the edge is no move. After the end nothing happens.
    pub fn act(&mut self, act: Act) {
        if self.ending.is_some() {
            return;
        }
        self.steps += 1;
        let mut taken = None;
        match act {
            Act::Move(direction) => {
                self.gripper = self.gripper.after(direction, self.task.board.size()).unwrap_or(self.gripper);
            }
            Act::Take => taken = self.task.board.piece_at(self.gripper),
            Act::Wait => {}
        }
        if taken.is_some() || self.steps == MOST_STEPS {
            self.ending = Some(Ending {
                success: taken == Some(self.task.target),
                taken,
                steps: self.steps,
                effort_tenths: self.billed_tenths,
            });
        }
    }
}
