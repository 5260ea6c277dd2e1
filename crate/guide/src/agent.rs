//! The trained Guide as a participant of a session.
//!
//! The idea: it carries no weights. At each step it asks a network (a [`Faculty::Network`] question) what it makes of the
//! board and of the gripper's whole path in this episode, so that whoever answers, and wherever the network runs, may begin
//! in the middle: another backend that takes over loses nothing. From the answer it draws its intent with its own chance.
//! If no answer comes, the hand-written Guide, which has watched all along, speaks in its place for this step.

use crate::head::Output;
use crate::network::INTENTS;
use crate::vision::{TILES, kinds};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tandem_cogrip::agents::{AgentInfo, Autonomy, Guide, Heuristic, PHIS};
use tandem_cogrip::language::Situation;
use tandem_cogrip::observation::SIDE;
use tandem_cogrip::view::{GUIDE, Sees};
use tandem_cogrip::{Action, Cell, Cogrip, Intent, News, View};
use tandem_core::{Agent, Answer, ConfigError, Deed, Faculty, Fault, Millis, Question, Stream, Thought};

/// Its name in configs and traces.
pub const NAME: &str = "ppo";

/// How a page offers it.
pub const INFO: AgentInfo =
    AgentInfo { name: NAME, seat: GUIDE, note: "The trained network: says what it learned to be worth saying." };

/// How long it waits for the network.
const PATIENCE: Millis = Millis(8000);

/// Its settings.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Options {
    /// The Follower it was trained with.
    follower: Autonomy,
    /// That Follower's confidence discount.
    phi: f64,
}

impl Default for Options {
    fn default() -> Self {
        Self { follower: Autonomy::Eager, phi: 0.95 }
    }
}

/// The Guide at a table.
pub struct Learned {
    weights: String,
    round: Option<usize>,
    /// The gripper's tiles in this episode.
    path: Vec<usize>,
    teacher: Heuristic,
    /// What the teacher would say now.
    otherwise: Intent,
}

impl Learned {
    /// With settings as in a session's setup: `{follower?, phi?}`, by default those trained with an eager Follower of 0.95.
    ///
    /// # Errors
    /// A setting is unknown, or no Guide was trained with such a Follower.
    pub fn new(config: &Value) -> Result<Self, ConfigError> {
        let options = if config.is_null() { Ok(Options::default()) } else { Options::deserialize(config) };
        let Options { follower, phi } = options.map_err(|error| ConfigError::new("config", error.to_string()))?;
        if !PHIS.contains(&phi) {
            let known = PHIS.map(|phi| phi.to_string()).join(", ");
            return Err(ConfigError::new("config.phi", format!("no Guide was trained with {phi}; there are {known}")));
        }
        Ok(Self {
            weights: weights_name(follower, phi),
            round: None,
            path: Vec::new(),
            teacher: Heuristic::default(),
            otherwise: Intent::Silence,
        })
    }

    /// The hand-written Guide speaks, and the trace says why.
    fn instead(&self, fault: &Fault) -> Thought<Action> {
        say(self.otherwise, json!({ "agent": NAME, "intent": self.otherwise, "instead": "heuristic", "fault": fault }))
    }
}

/// The name of the weights trained with a Follower: `eager-0.95`.
pub fn weights_name(follower: Autonomy, phi: f64) -> String {
    format!("{}-{phi:.2}", follower.name())
}

impl Agent<Cogrip> for Learned {
    fn think(&mut self, view: &View, _: &[News], stream: &mut Stream) -> Thought<Action> {
        let Sees::Guide { board, target, .. } = &view.sees else { return Thought::idle() };
        if view.turn != Some(view.seat) {
            return Thought::idle();
        }
        if self.round != Some(view.round) {
            self.round = Some(view.round);
            self.path.clear();
            self.teacher.begin();
        }
        let situation = Situation { board, target: *target, gripper: view.gripper };
        self.otherwise = self.teacher.intend(situation, view.step, stream);
        self.path.push(index(view.gripper));
        let Some(kinds) = kinds(board, *target) else {
            return self.instead(&Fault::Broken("the network knows boards of 21 tiles only".into()));
        };
        let pieces: Vec<[usize; 2]> =
            kinds.into_iter().enumerate().filter(|(_, kind)| *kind > 0).map(|(tile, kind)| [tile, kind]).collect();
        let body = json!({ "guide": self.weights, "tiles": pieces, "path": self.path });
        Thought::just(Deed::Ask(Question { to: Faculty::Network, body, within: PATIENCE }))
    }

    fn answered(&mut self, answer: Answer, view: &View, stream: &mut Stream) -> Thought<Action> {
        if view.turn != Some(view.seat) {
            return Thought::idle();
        }
        let fault = match answer {
            Answer::Reply(reply) => match Reply::deserialize(&reply) {
                Ok(Reply { logits, value, backend, millis, chosen })
                    if logits.iter().chain([&value]).all(|number| number.is_finite()) =>
                {
                    let output = Output { logits, value };
                    let intent = output.draw(stream);
                    let shares = Intent::ALL.into_iter().zip(output.distribution());
                    let distribution: Vec<Value> =
                        shares.map(|(intent, share)| json!([intent, (share * 1e4).round() / 1e4])).collect();
                    let because = json!({
                        "agent": NAME,
                        "weights": self.weights,
                        "intent": intent,
                        "distribution": distribution,
                        "value": (f64::from(value) * 1e4).round() / 1e4,
                        "backend": backend,
                        "millis": millis,
                        "chosen": chosen,
                    });
                    return say(intent, because);
                }
                Ok(_) => Fault::Broken("a logit is not a number".into()),
                Err(error) => Fault::Broken(error.to_string()),
            },
            Answer::Failed(fault) => fault,
        };
        self.instead(&fault)
    }
}

/// What the network says.
#[derive(Deserialize)]
struct Reply {
    logits: [f32; INTENTS],
    value: f32,
    /// What computed it.
    backend: String,
    /// How long that took.
    millis: f64,
    /// How it came to that, where there was a choice.
    chosen: Option<Chosen>,
}

/// How it came to who computes.
#[derive(Deserialize, Serialize)]
struct Chosen {
    /// What was asked for: `auto`, `cpu` or `gpu`.
    asked: String,
    /// Milliseconds of a warm step; on the GPU where there was a race.
    cpu_millis: f64,
    gpu_millis: Option<f64>,
    /// Why the GPU does not compute, if it was asked for.
    reason: Option<String>,
}

fn say(intent: Intent, because: Value) -> Thought<Action> {
    Thought::just(Deed::Act(Action::Say(intent))).because(because)
}

fn index(cell: Cell) -> usize {
    (usize::from(cell.y) * SIDE + usize::from(cell.x)).min(TILES - 1)
}
