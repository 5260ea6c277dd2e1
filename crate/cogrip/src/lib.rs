//! CoGRIP-GL: a reference game on a board with Pentomino pieces. A Guide sees everything and may only talk; a Follower
//! sees what is near and may only move the gripper. Together they take the one piece that only the Guide knows. From
//! "Learning Communication Policies for Different Follower Behaviors in a Collaborative Reference Game"; where the paper
//! leaves something open, `DESIGN.md` says what was chosen.
//!
//! # The tour
//!
//! [`symbol`] says what a piece looks like and where it lies, [`board`] lays pieces out, [`tasks`] draws boards with a
//! target and reads and writes them. [`Intent`] is what the Guide means, [`language`] the words for it. [`rules`] is one
//! episode, bare and fast, [`eval`] plays it between two of the [`agents`]: the Follower, which sees a [`sight`] of the
//! board, and the Guides that need no training. [`Cogrip`] makes it a [`tandem_core::World`], [`view`] is what a seat may
//! see of it; [`observation`] is what the trained Guide's network sees.

mod cell;
mod intent;

pub mod agents;
pub mod bench;
pub mod board;
pub mod boards;
pub mod eval;
pub mod language;
pub mod observation;
pub mod rules;
pub mod sight;
pub mod symbol;
pub mod tasks;
pub mod view;
mod world;

pub use board::{Board, Piece};
pub use cell::{Cell, Direction};
pub use intent::{Intent, Kind, Order, Property};
pub use symbol::{Area, Color, Shape, Symbol};
pub use tasks::{Split, Task};
pub use view::{News, View};
pub use world::{Action, Cogrip, Config, LONGEST_MESSAGE, MOST_ROUNDS};
