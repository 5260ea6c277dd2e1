//! The PPO Guide of CoGRIP-GL (sections 3.5 and 5 of its paper): a network that sees the whole board and says how likely it
//! would say each of the Guide's fourteen intents.
//!
//! # The tour
//!
//! [`network`] says what the parts are and how many parameters they have, [`weights`] reads and writes them. [`Cpu`] is
//! inference without a GPU: [`vision`] encodes the board, [`head`] remembers the episode and decides. Other makers of the
//! same [`Guide`] give the same results to within 1e-3.
//!
//! *Architecture Invariant:* nothing here knows a GPU, a browser, or how the weights were trained.

pub mod agent;
pub mod convolve;
mod cpu;
pub mod head;
pub mod network;
pub mod vision;
pub mod weights;

pub use cpu::Cpu;
pub use head::Output;

use tandem_cogrip::{Board, Cell};

/// Inference, wherever it is done.
pub trait Guide {
    /// A new episode. False if the network does not know boards of this size.
    fn begin(&mut self, board: &Board, target: usize) -> bool;

    /// A step of it, with the gripper where it is now; `None` before an episode has begun.
    fn step(&mut self, gripper: Cell) -> Option<Output>;

    /// The episode is over: nothing of it is remembered.
    fn forget(&mut self);
}
