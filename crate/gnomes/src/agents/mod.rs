//! The partners: one file each, and a registry that makes them by name.

mod memory;
mod options;
mod planner;
mod random;
mod simulated;

pub use memory::Memory;
pub use options::{Checked, PlannerOptions, SimulatedOptions};
pub use planner::Planner;
pub use random::Random;
pub use simulated::Simulated;

use crate::Gnomes;
use crate::language::Embedded;
use serde::Serialize;
use serde_json::Value;
use tandem_core::{Agent, ConfigError};

/// An agent as a page offers it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct AgentInfo {
    /// Its name in configs and traces.
    pub name: &'static str,
    /// One line about it.
    pub note: &'static str,
}

/// The agents there are.
pub fn list() -> [AgentInfo; 4] {
    let agent = |name, note| AgentInfo { name, note };
    [
        agent("comm", "Plans with AISMCTS-F and talks: asks, refuses, answers."),
        agent("mute", "The same planner without a word."),
        agent("random", "Takes any open step by chance."),
        agent("simulated", "Stands in for a human: plans sensibly, talks, mostly does what it is asked."),
    ]
}

/// Makes the agent of that name; `config` is null for its defaults.
///
/// # Errors
/// The name is unknown (the problem lists the known ones), or a setting is wrong.
pub fn make(name: &str, config: &Value) -> Result<Box<dyn Agent<Gnomes>>, ConfigError> {
    Ok(match name {
        "comm" => Box::new(Planner::comm(PlannerOptions::from_json(config)?, Box::new(Embedded))),
        "mute" => Box::new(Planner::mute(PlannerOptions::from_json(config)?)),
        "random" if config.is_null() => Box::new(Random),
        "random" => return Err(ConfigError::new("config", "the random partner has no settings")),
        "simulated" => Box::new(Simulated::new(SimulatedOptions::from_json(config)?)),
        _ => {
            let known = list().map(|agent| agent.name).join(", ");
            return Err(ConfigError::new("name", format!("there is no partner {name:?}; there are {known}")));
        }
    })
}
