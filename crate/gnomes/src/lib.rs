//! Gnomes at Night: two players move one token through a maze whose two sides have different walls. Each sees only one
//! side, and only one of them sees the treasure. From "Human-Agent Cooperation in Games under Incomplete Information
//! through Natural Language Communication"; where the paper leaves something open, `DESIGN.md` says what was chosen.
//!
//! # The tour
//!
//! [`rules`] is the game itself, bare and fast; [`Gnomes`] makes it a [`tandem_core::World`] with talk and time;
//! [`view`] is what a seat may see of it. [`board`] says what a board is, [`boards`] which there are, [`ascii`] and
//! [`layout`] read and write them, [`generator`] draws new ones, [`solver`] finds the fewest turns.
//! [`agents`] play: the planner with and without talk, a random one, a simulated human. They plan with [`aismctsf`],
//! which knows nothing of mazes, and understand each other by [`language`] and its [`Flag`]s.

mod action;
pub mod agents;
pub mod aismctsf;
pub mod ascii;
pub mod belief;
pub mod bench;
pub mod board;
pub mod boards;
mod flag;
pub mod generator;
pub mod language;
pub mod layout;
pub mod maze;
pub mod rules;
pub mod solver;
pub mod view;
mod world;

pub use action::Action;
pub use board::{Board, Cell, Side};

pub use flag::Flag;
pub use view::{News, View};
pub use world::{Config, Gnomes, LONGEST_MESSAGE};
