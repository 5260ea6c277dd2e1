//! The agents' settings.

use crate::aismctsf;
use crate::language::model::ModelOptions;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tandem_core::ConfigError;

/// The most iterations a search may have. Its tree then takes some hundred MiB and a page waits for seconds; ten times
/// more would not fit into a page's memory.
const MOST_ITERATIONS: u32 = 1_000_000;

/// The settings of `comm` and `mute`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct PlannerOptions {
    /// How the search goes about it.
    pub search: aismctsf::Options,
    /// The language model that reads messages and answers questions; the embedded parser and responder if none is
    /// named. The mute planner asks none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<ModelOptions>,
}

/// The settings of `simulated`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SimulatedOptions {
    /// How likely it does what it is asked, if it can.
    pub obedience: f64,
    /// How likely it takes any step by mistake.
    pub error: f64,
    /// How likely it asks for the partner's next step when it sees the treasure.
    pub talk: f64,
}

impl Default for SimulatedOptions {
    fn default() -> Self {
        Self { obedience: 0.9, error: 0.05, talk: 0.9 }
    }
}

/// Settings that say what is wrong with them.
pub trait Checked: Default + DeserializeOwned {
    /// Finds a setting out of its range.
    ///
    /// # Errors
    /// The first one found.
    fn check(&self) -> Result<(), ConfigError>;

    /// The settings from their JSON; nothing at all means the defaults.
    ///
    /// # Errors
    /// An unknown setting, one of the wrong type or one out of its range.
    fn from_json(config: &Value) -> Result<Self, ConfigError> {
        if config.is_null() {
            return Ok(Self::default());
        }
        if !config.is_object() {
            return Err(ConfigError::new("config", format!("{config} is not an object of settings")));
        }
        let options: Self =
            serde_json::from_value(config.clone()).map_err(|error| ConfigError::new("config", error.to_string()))?;
        options.check()?;
        Ok(options)
    }
}

impl Checked for PlannerOptions {
    fn check(&self) -> Result<(), ConfigError> {
        let aismctsf::Options { iterations, exploration, horizon } = self.search;
        if !(1..=MOST_ITERATIONS).contains(&iterations) {
            let problem = format!("{iterations} is not a number from 1 to {MOST_ITERATIONS}");
            return Err(ConfigError::new("config.search.iterations", problem));
        }
        if !(exploration.is_finite() && exploration >= 0.0) {
            return Err(ConfigError::new(
                "config.search.exploration",
                format!("{exploration} is not a number from 0 up"),
            ));
        }
        if horizon == 0 {
            return Err(ConfigError::new("config.search.horizon", "a search must look at least one step ahead"));
        }
        let Some(ModelOptions { model, within }) = &self.language else { return Ok(()) };
        if model.trim().is_empty() {
            return Err(ConfigError::new("config.language.model", "is empty; name a model, or leave language out"));
        }
        if within.0 == 0 || *within > ModelOptions::LONGEST_WAIT {
            let longest = ModelOptions::LONGEST_WAIT.0;
            let problem = format!("{} is not a number of milliseconds from 1 to {longest}", within.0);
            return Err(ConfigError::new("config.language.within", problem));
        }
        Ok(())
    }
}

impl Checked for SimulatedOptions {
    fn check(&self) -> Result<(), ConfigError> {
        for (name, share) in [("obedience", self.obedience), ("error", self.error), ("talk", self.talk)] {
            if !(0.0..=1.0).contains(&share) {
                return Err(ConfigError::new(
                    format!("config.{name}"),
                    format!("{share} is not a probability from 0 to 1"),
                ));
            }
        }
        Ok(())
    }
}
