//! Guides and Followers at the table of a session, and a registry that makes them by name.

use super::{Always, Autonomy, Follower, Guide, Heuristic, Random, Readings, Silent};
use crate::language::{Sentence, Situation};
use crate::view::{FOLLOWER, GUIDE, Sees};
use crate::{Action, Cogrip, Intent, News, View};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tandem_core::{Agent, ConfigError, Deed, Seat, Stream, Thought};

/// An agent as a page offers it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct AgentInfo {
    /// Its name in configs and traces.
    pub name: &'static str,
    /// Where it sits: 0 the Guide, 1 the Follower.
    pub seat: Seat,
    /// One line about it.
    pub note: &'static str,
}

/// The agents there are.
pub fn list() -> [AgentInfo; 6] {
    let agent = |name, seat, note| AgentInfo { name, seat, note };
    [
        agent("heuristic", GUIDE, "Names the target well once, then speaks only when the gripper hesitates or strays."),
        agent("reference", GUIDE, "Names the target at every step, in one order of properties."),
        agent("silent", GUIDE, "Never says a word."),
        agent("random", GUIDE, "Says anything."),
        agent("cautious", FOLLOWER, "Does what it is told, and takes only when told."),
        agent("eager", FOLLOWER, "Looks for the target by itself, and takes what it believes to be it."),
    ]
}

/// The settings of `reference`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ReferenceOptions {
    /// The preference order, as an intent: `pcs` and so on.
    order: Intent,
}

/// The settings of `cautious` and `eager`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct FollowerOptions {
    /// The confidence discount, from 0 to 1.
    phi: f64,
    /// How the paper is read.
    readings: Readings,
}

impl Default for FollowerOptions {
    fn default() -> Self {
        Self { phi: 0.95, readings: Readings::default() }
    }
}

/// Makes the agent of that name for a seat; `config` is null for its defaults.
///
/// # Errors
/// The name is unknown or sits at the other seat (the problem lists who may sit here), or a setting is wrong.
pub fn make(seat: Seat, name: &str, config: &Value) -> Result<Box<dyn Agent<Cogrip>>, ConfigError> {
    if !list().iter().any(|agent| agent.name == name && agent.seat == seat) {
        let known: Vec<&str> = list().iter().filter(|agent| agent.seat == seat).map(|agent| agent.name).collect();
        let problem = format!("no {name:?} sits at {seat}; there are {}", known.join(", "));
        return Err(ConfigError::new("name", problem));
    }
    let none = |guide: Box<dyn Guide>| match config.is_null() {
        true => Ok(guide),
        false => Err(ConfigError::new("config", format!("the {name} Guide has no settings"))),
    };
    let guide: Box<dyn Guide> = match name {
        "heuristic" => none(Box::<Heuristic>::default())?,
        "silent" => none(Box::new(Silent))?,
        "random" => none(Box::new(Random))?,
        "reference" => {
            let ReferenceOptions { order } = settings(config)?.unwrap_or(ReferenceOptions { order: Intent::ALL[8] });
            if !matches!(order, Intent::Refer(_)) {
                return Err(ConfigError::new("config.order", format!("{order} is no order; pcs is one")));
            }
            Box::new(Always(order))
        }
        _ => return follower(name, config),
    };
    Ok(Box::new(Speaker { name: name.to_owned(), guide, begun: None }))
}

fn follower(name: &str, config: &Value) -> Result<Box<dyn Agent<Cogrip>>, ConfigError> {
    let FollowerOptions { phi, readings } = settings(config)?.unwrap_or_default();
    if !(0.0..=1.0).contains(&phi) {
        return Err(ConfigError::new("config.phi", format!("{phi} is not a number from 0 to 1")));
    }
    let autonomy = if name == "eager" { Autonomy::Eager } else { Autonomy::Cautious };
    Ok(Box::new(Mover { phi, autonomy, follower: Follower::new(autonomy, phi, readings), round: 0 }))
}

fn settings<T: for<'de> Deserialize<'de>>(config: &Value) -> Result<Option<T>, ConfigError> {
    if config.is_null() {
        return Ok(None);
    }
    if !config.is_object() {
        return Err(ConfigError::new("config", format!("{config} is not an object of settings")));
    }
    serde_json::from_value(config.clone()).map(Some).map_err(|error| ConfigError::new("config", error.to_string()))
}

/// A Guide at seat 0.
struct Speaker {
    name: String,
    guide: Box<dyn Guide>,
    /// The round it has begun.
    begun: Option<usize>,
}

impl Agent<Cogrip> for Speaker {
    fn think(&mut self, view: &View, _: &[News], stream: &mut Stream) -> Thought<Action> {
        let Sees::Guide { board, target, .. } = &view.sees else { return Thought::idle() };
        if view.turn != Some(view.seat) {
            return Thought::idle();
        }
        if self.begun != Some(view.round) {
            self.begun = Some(view.round);
            self.guide.begin();
        }
        let situation = Situation { board, target: *target, gripper: view.gripper };
        let intent = self.guide.intend(situation, view.step, stream);
        let because = json!({ "agent": self.name, "intent": intent });
        Thought::just(Deed::Act(Action::Say(intent))).because(because)
    }
}

/// The Follower at seat 1.
struct Mover {
    phi: f64,
    autonomy: Autonomy,
    follower: Follower,
    round: usize,
}

impl Agent<Cogrip> for Mover {
    fn think(&mut self, view: &View, _: &[News], stream: &mut Stream) -> Thought<Action> {
        let Sees::Follower(sight) = &view.sees else { return Thought::idle() };
        if view.turn != Some(view.seat) {
            return Thought::idle();
        }
        if self.round != view.round {
            self.round = view.round;
            self.follower.reset();
        }
        let act = self.follower.step(&view.heard.unwrap_or(Sentence::SILENCE), sight, stream);
        let rounded = |confidence: f64| (confidence * 1e4).round() / 1e4;
        let plan: Vec<Value> =
            self.follower.plan().into_iter().map(|(act, confidence)| json!([act, rounded(confidence)])).collect();
        let because = json!({
            "agent": self.autonomy.name(),
            "phi": self.phi,
            "knows": self.follower.target(),
            "plan": plan,
            "goal": self.follower.goal(),
            "act": act,
        });
        Thought::just(Deed::Act(Action::Do(act))).because(because)
    }
}
