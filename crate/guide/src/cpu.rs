//! Inference on the CPU.

use crate::Guide;
use crate::convolve::Feature;
use crate::head::{Memory, Mind, Output};
use crate::network::{Encoder, Head};
use crate::vision::{Scene, Vision};
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

    /// What the network sees with the gripper on a tile; `None` before an episode has begun.
    pub fn features(&mut self, gripper: Cell) -> Option<Feature> {
        Some(self.vision.features(self.scene.as_mut()?, gripper))
    }
}

impl Guide for Cpu {
    fn begin(&mut self, board: &Board, target: usize) -> bool {
        self.memory = Memory::default();
        self.scene = self.vision.begin(board, target);
        self.scene.is_some()
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
