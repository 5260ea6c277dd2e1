//! Inference on the CPU.

use crate::Guide;
use crate::convolve::Feature;
use crate::head::{Memory, Mind, Output};
use crate::network::{Encoder, Head};
use crate::vision::{Kind, Scene, Vision, kinds};
use tandem_cogrip::{Board, Cell};

/// The Guide on one thread, without anything but its weights.
pub struct Cpu {
    vision: Vision,
    mind: Mind,
    scene: Option<Scene>,
    memory: Memory,
}

impl Cpu {
    /// From trained weights.
    pub fn new(encoder: &Encoder, head: &Head) -> Self {
        Self { vision: Vision::new(encoder), mind: Mind::new(head), scene: None, memory: Memory::default() }
    }

    /// A new episode on a board, given by the kinds of its tiles, row by row, without a gripper.
    pub fn begin_on(&mut self, kinds: Vec<Kind>) {
        self.memory = Memory::default();
        self.scene = Some(self.vision.scene(kinds));
    }

    /// What it would make of this tile if an episode began there; the episode it is in stays as it is. `None` before one
    /// has begun.
    pub fn opening(&mut self, gripper: Cell) -> Option<Output> {
        let features = self.features(gripper)?;
        Some(self.mind.step(&features, &mut Memory::default()))
    }

    /// What the network sees with the gripper on a tile; `None` before an episode has begun.
    pub fn features(&mut self, gripper: Cell) -> Option<Feature> {
        Some(self.vision.features(self.scene.as_mut()?, gripper))
    }
}

impl Guide for Cpu {
    fn begin(&mut self, board: &Board, target: usize) -> bool {
        self.forget();
        kinds(board, target).map(|kinds| self.begin_on(kinds)).is_some()
    }

    fn step(&mut self, gripper: Cell) -> Option<Output> {
        let features = self.features(gripper)?;
        Some(self.mind.step(&features, &mut self.memory))
    }

    fn forget(&mut self) {
        self.scene = None;
        self.memory = Memory::default();
    }
}
