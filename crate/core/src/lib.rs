//! The vocabulary of cooperation games: who plays ([`Seat`]), by which rules ([`World`]),
//! with which partner ([`Agent`]), how one sitting runs ([`Session`]) and what is kept of it ([`trace`]).
//!
//! # The tour
//!
//! A [`World`] is a pure state machine. It hands every seat a view of what that seat may know, takes actions,
//! and tells what happened as news. It reads no clock and no random source of the system: time comes in with each
//! action as [`Millis`], chance comes from named [`Stream`]s of one [`Seed`].
//!
//! An [`Agent`] is a participant that is not human. It is given views and news, never the state, and answers with a
//! [`Thought`]: what to do, what to say, what to ask a model, how long to wait.
//!
//! A [`Session`] seats people and agents at one world. Everything enters by [`Session::handle`] as an [`Event`],
//! everything leaves as [`Effect`]s: the caller owns the timers, the network and the storage. The same session serves
//! a person with an agent, two agents, a batch of thousands and a replay.
//!
//! The [`trace`] is the list of the events, one JSON line each, chained by hashes. Fed again, it reaches the same
//! digest on every machine.
//!
//! *Architecture Invariant:* nothing here knows a particular game, a browser or an operating system.

mod agent;
mod digest;
mod seat;
mod seed;
mod session;
mod time;
pub mod trace;
mod world;

pub use agent::{Agent, Answer, Deed, Faculty, Fault, Question, Thought};
pub use digest::Digest;
pub use seat::{Audience, Seat, Told};
pub use seed::{Seed, SeedTooLarge, Stream};
pub use session::{Chair, Effect, Event, Refused, SeatSetup, Session, Setup, Ticket, What};
pub use time::Millis;
pub use world::{ConfigError, Illegal, Turn, World};

/// The version of the library, written into every trace.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");
