//! The worlds this build knows, and what the facade asks of each.

use crate::failure::Failure;
use crate::settings::Settings;
use crate::table::{Reel, Seated, Shown, Table};
use serde_json::{Value, json};
use tandem_cogrip::Cogrip;
use tandem_cogrip::view::GUIDE;
use tandem_core::trace::{Replay, Trace};
use tandem_core::{Agent, Chair, ConfigError, Seat, SeatSetup, Session, Setup, World};
use tandem_gnomes::Gnomes;

/// A world with its registry of agents and boards.
pub trait Game: World + 'static {
    /// The agent of that name for a seat.
    ///
    /// # Errors
    /// The name or a setting is unknown; the problem lists what is known.
    fn agent(seat: Seat, name: &str, config: &Value) -> Result<Box<dyn Agent<Self>>, ConfigError>;

    /// What a page needs to offer the world: `{name, title, rules, boards, partners}`.
    fn about() -> Value;
}

impl Game for Gnomes {
    fn agent(_: Seat, name: &str, config: &Value) -> Result<Box<dyn Agent<Self>>, ConfigError> {
        tandem_gnomes::agents::make(name, config)
    }

    fn about() -> Value {
        json!({
            "name": Self::NAME,
            "title": "Gnomes at Night",
            "rules": Self::RULES,
            "boards": tandem_gnomes::boards::list(),
            "partners": tandem_gnomes::agents::list(),
        })
    }
}

impl Game for Cogrip {
    fn agent(seat: Seat, name: &str, config: &Value) -> Result<Box<dyn Agent<Self>>, ConfigError> {
        if name == tandem_guide::agent::NAME && seat == GUIDE {
            return Ok(Box::new(tandem_guide::agent::Learned::new(config)?));
        }
        tandem_cogrip::agents::make(seat, name, config)
    }

    fn about() -> Value {
        json!({
            "name": Self::NAME,
            "title": "CoGRIP reference game",
            "rules": Self::RULES,
            "boards": tandem_cogrip::boards::list(),
            "partners": std::iter::once(tandem_guide::agent::INFO).chain(tandem_cogrip::agents::list()).collect::<Vec<_>>(),
        })
    }
}

/// All worlds, described.
pub fn worlds() -> Vec<Value> {
    vec![Gnomes::about(), Cogrip::about()]
}

/// Opens a table for a new session.
pub fn open(settings: &Settings) -> Result<Box<dyn Table>, Failure> {
    match settings.world.as_str() {
        Gnomes::NAME => open_as::<Gnomes>(settings),
        Cogrip::NAME => open_as::<Cogrip>(settings),
        other => Err(unknown_world(other)),
    }
}

/// Opens a table again as its trace left it.
pub fn resume(trace: &Trace) -> Result<Box<dyn Table>, Failure> {
    match trace.header().world.as_str() {
        Gnomes::NAME => resume_as::<Gnomes>(trace),
        Cogrip::NAME => resume_as::<Cogrip>(trace),
        other => Err(Failure { line: Some(1), ..unknown_world(other) }),
    }
}

/// Plays a trace again.
pub fn replay(trace: Trace) -> Result<Box<dyn Reel>, Failure> {
    match trace.header().world.as_str() {
        Gnomes::NAME => Ok(Box::new(Shown(Replay::<Gnomes>::new(trace)?))),
        Cogrip::NAME => Ok(Box::new(Shown(Replay::<Cogrip>::new(trace)?))),
        other => Err(Failure { line: Some(1), ..unknown_world(other) }),
    }
}

fn open_as<G: Game>(settings: &Settings) -> Result<Box<dyn Table>, Failure> {
    let config = settings.config.clone().unwrap_or_else(|| json!({}));
    let config = serde_json::from_value(config).map_err(|error| ConfigError::new("config", error.to_string()))?;
    let setup = Setup {
        config,
        seed: settings.seed()?,
        seats: settings.seats.clone(),
        pace: settings.pace()?,
        host: settings.host.clone(),
    };
    let session = Session::<G>::new(setup, chairs::<G>(&settings.seats)?)?;
    Ok(Box::new(Seated::new(session, &settings.seats)))
}

fn resume_as<G: Game>(trace: &Trace) -> Result<Box<dyn Table>, Failure> {
    let seats = &trace.header().seats;
    let session = Session::<G>::resume(trace, chairs::<G>(seats)?)?;
    Ok(Box::new(Seated::new(session, seats)))
}

fn chairs<G: Game>(seats: &[SeatSetup]) -> Result<Vec<Chair<G>>, ConfigError> {
    let chair = |(index, seat): (usize, &SeatSetup)| match seat {
        SeatSetup::Human {} => Ok(Chair::Human),
        SeatSetup::Agent { name, config } => match G::agent(Seat(index as u8), name, config) {
            Ok(agent) => Ok(Chair::Agent(agent)),
            Err(error) => Err(ConfigError::new(format!("seats[{index}].{}", error.field), error.problem)),
        },
    };
    seats.iter().enumerate().map(chair).collect()
}

fn unknown_world(name: &str) -> Failure {
    ConfigError::new("world", format!("there is no world {name:?}; there are {} and {}", Gnomes::NAME, Cogrip::NAME))
        .into()
}
