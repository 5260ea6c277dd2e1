//! What a page asks for when it opens a game.

use crate::failure::Failure;
use crate::language::LanguageSettings;
use serde::Deserialize;
use serde_json::Value;
use tandem_core::{ConfigError, Millis, Seat, SeatSetup, Seed};

/// The settings of a session, as JavaScript gives them.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// The world's name.
    pub world: String,
    /// The seed of all chance; drawn by lot if it is missing.
    #[serde(default)]
    pub seed: Option<f64>,
    /// The world's config; its defaults if it is missing.
    #[serde(default)]
    pub config: Option<Value>,
    /// Who sits where.
    pub seats: Vec<SeatSetup>,
    /// How long an agent waits before each thought, in milliseconds.
    #[serde(default)]
    pub pace: Option<f64>,
    /// What the page wants to have in the trace's header.
    #[serde(default)]
    pub host: Option<Value>,
    /// Where language models are asked. It stands in no trace: an address may be private, a token is.
    #[serde(default)]
    pub language: Option<LanguageSettings>,
}

/// The pace when none is asked for: long enough to see that the partner thinks, short enough not to wait for it.
const DEFAULT_PACE: Millis = Millis(900);
/// The slowest pace; more is a mistake.
const SLOWEST_PACE: f64 = 60_000.0;

impl Settings {
    /// The seed, drawn by lot if none is given. Below the facade nothing may draw lots.
    pub fn seed(&self) -> Result<Seed, Failure> {
        let wrong =
            |given: f64| ConfigError::new("seed", format!("{given} is not a whole number from 0 to {}", Seed::MAX));
        let number = match self.seed {
            None => (js_sys::Math::random() * 1e9) as u64,
            Some(given) if given >= 0.0 && given.fract() == 0.0 && given <= Seed::MAX as f64 => given as u64,
            Some(given) => return Err(wrong(given).into()),
        };
        Ok(Seed::new(number).map_err(|error| ConfigError::new("seed", error.to_string()))?)
    }

    /// The pace.
    pub fn pace(&self) -> Result<Millis, Failure> {
        match self.pace {
            None => Ok(DEFAULT_PACE),
            Some(given) if (0.0..=SLOWEST_PACE).contains(&given) => Ok(Millis(given as u64)),
            Some(given) => Err(ConfigError::new(
                "pace",
                format!("{given} is not a number of milliseconds from 0 to {SLOWEST_PACE}"),
            )
            .into()),
        }
    }
}

/// The seats at which people sit.
pub fn human_seats(seats: &[SeatSetup]) -> Vec<Seat> {
    let numbered = (0..).map(Seat).zip(seats);
    numbered.filter(|(_, seat)| matches!(seat, SeatSetup::Human {})).map(|(number, _)| number).collect()
}
