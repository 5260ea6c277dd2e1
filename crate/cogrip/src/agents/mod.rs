//! Who plays: the Follower, and the Guides that need no training.

mod follower;
mod guide;
mod heuristic;
mod plan;
mod readings;
mod seats;

pub use follower::{Autonomy, Follower, PHIS};
pub use guide::{Always, Guide, Random, Silent};
pub use heuristic::Heuristic;
pub use plan::{HORIZON, LEAST};
pub use readings::{ApproachedWhen, Readings, WanderWhen};
pub use seats::{AgentInfo, list, make};
