//! One game between two agents, without a clock.

use anyhow::{Context, bail};
use serde_json::{Value, json};
use tandem_core::{Agent, Chair, ConfigError, Event, Millis, Seat, SeatSetup, Seed, Session, Setup, What, World};
use tandem_gnomes::agents::{Checked, Planner, PlannerOptions};
use tandem_gnomes::boards::BoardSource;
use tandem_gnomes::language::Embedded;
use tandem_gnomes::{Board, Config, Gnomes, agents};

/// Ends the names of the planners that know more than their seat may, which the lab alone has.
const OMNISCIENT: &str = "-omniscient";

/// What all games of a batch share.
pub struct Table {
    /// The board, as it is and as a game's settings name it.
    pub board: Board,
    /// See there.
    pub source: BoardSource,
    /// After how many turns a round is given up.
    pub max_turns: u32,
    /// Iterations of the planners' search, if not their default.
    pub iterations: Option<u32>,
}

/// What is measured in one game.
#[derive(Clone, Debug, PartialEq)]
pub struct Played {
    /// Turns of every round, and whether its treasure was found.
    pub rounds: Vec<(u32, bool)>,
    /// What the partner (seat 0) and the agent (seat 1) said, each message's length in words.
    pub words: [Vec<usize>; 2],
}

impl Table {
    /// An agent's settings.
    pub fn settings(&self, agent: &str) -> Value {
        match self.iterations {
            Some(iterations) if ["comm", "mute"].contains(&agent.trim_end_matches(OMNISCIENT)) => {
                json!({ "search": { "iterations": iterations } })
            }
            _ => Value::Null,
        }
    }

    /// Makes an agent for the seat across the partner's: one of the library's, or a planner that knows the true board.
    ///
    /// # Errors
    /// The name is unknown, or a setting is wrong.
    pub fn make(&self, name: &str, config: &Value) -> Result<Box<dyn Agent<Gnomes>>, ConfigError> {
        let options = || PlannerOptions::from_json(config);
        let planner = match name.strip_suffix(OMNISCIENT) {
            Some("comm") => Planner::comm(options()?, Box::new(Embedded)),
            Some("mute") => Planner::mute(options()?),
            _ => return agents::make(name, config),
        };
        Ok(Box::new(planner.omniscient(self.board.clone())))
    }

    /// Plays one game, the partner at seat 0 and the agent at seat 1; also gives its trace.
    ///
    /// # Errors
    /// Unknown agents, settings that are wrong, or a session that comes to a halt before the game is over.
    pub fn play(&self, partner: &str, agent: &str, seed: Seed) -> anyhow::Result<(Played, String)> {
        let mut seats = Vec::new();
        let mut chairs = Vec::new();
        for name in [partner, agent] {
            let config = self.settings(name);
            chairs.push(Chair::Agent(self.make(name, &config)?));
            seats.push(SeatSetup::Agent { name: name.to_owned(), config });
        }
        let config = Config { board: self.source.clone(), first: Seat(0), max_turns: Some(self.max_turns) };
        let mut session =
            Session::<Gnomes>::new(Setup { config, seed, seats, pace: Millis::ZERO, host: None }, chairs)?;
        session.handle(Event { at: Millis::ZERO, what: What::Start })?;
        while !session.over() {
            let Some((ticket, at)) = session.next_wake() else { bail!("nobody is about to do anything") };
            session.handle(Event { at, what: What::Wake { ticket } })?;
        }
        let outcome = session.world().outcome().context("the session is over but the game is not")?;
        let mut words = [Vec::new(), Vec::new()];
        for message in session.world().messages() {
            words[message.seat.index()].push(message.text.split_whitespace().count());
        }
        let rounds = outcome.rounds.iter().map(|round| (round.turns, round.completed)).collect();
        Ok((Played { rounds, words }, session.trace()))
    }
}
