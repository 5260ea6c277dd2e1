//! Language by a model: what it is asked, and what of its reply counts.
//!
//! The idea: a model is asked for one label, a sentence or a step, and its reply counts only if it is exactly that.
//! Whatever else comes is an error in words, and the agent does what it would do without a model: it reads with the
//! embedded parser and answers from the same facts in fixed words. Nothing is asked here: a [`ChatRequest`] goes out, a
//! [`Reply`] comes in, and whoever owns the network is in between.
//!
//! Each request has one system message, since not every server takes several, and the person's words alone as the last
//! message. What is known beside them (the open request, the facts) stands at the end of the system message.
//!
//! [`next_action_request`] is the baseline of hypothesis H1 (section 5.1 of the paper): the step is predicted directly
//! from the message, without an intent in between. No agent plays by it.

use crate::{Action, Cell, Flag, LONGEST_MESSAGE, View};
use serde::{Deserialize, Serialize};
use tandem_core::Millis;
use tandem_llm::chat::{ChatRequest, Finish, Message, Reply, StreamOptions};
use tandem_llm::{LabelError, Labels};

/// The model an agent asks, and how long it waits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ModelOptions {
    /// The model's name at the endpoint. Where the endpoint is, only whoever owns the network knows.
    pub model: String,
    /// How long a person waits for one reply, in milliseconds; then the embedded parser reads.
    #[serde(default = "ModelOptions::usual_wait")]
    pub within: Millis,
}

impl ModelOptions {
    /// The most that may be asked for: longer, a person would give up.
    pub const LONGEST_WAIT: Millis = Millis(60_000);

    /// This model, with the usual wait.
    pub fn new(model: impl Into<String>) -> Self {
        Self { model: model.into(), within: Self::usual_wait() }
    }

    fn usual_wait() -> Millis {
        Millis(8_000)
    }
}

/// A sentence that cannot be said as it is.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the reply is no answer to a player: {0}")]
pub struct AnswerError(String);

/// What the model knows of a message whose consequence it predicts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Situation<'a> {
    /// The message.
    pub message: &'a str,
    /// What its reader had asked of its sender before.
    pub last_request: Option<Action>,
    /// The steps that the reader's own walls leave open, where that is known.
    pub open: Option<&'a [Action]>,
}

const INTENT: &str = "\
You read the chat of a maze game. Two players share one gnome and move it in turns, one step each; neither sees the other's \
walls. You are one of them. Say what the other player's message tells you to do or to know, as exactly one label:
right, up, left, down: they want you to make this step next.
stay: they want you to stay where you are, to wait or to pass.
inquiry: they ask about walls, the treasure, your plans, or want to be told something.
accept: they agree to what you asked of them, or report that they did it.
reject: they refuse it, cannot do it, did something else, or forbid a step without naming another.
none: nothing of this, or nothing that can be read.
How to decide:
- A step they want of you outweighs everything else in the message, such as thanks, a refusal or a question it replaces.
- Of several steps, the one to be made first in time counts.
- Where one step is denied and another given, the other one counts.
- A wish put as a question is the step; \"stay\" only where staying, waiting or passing itself is wanted.
- What they say of their own step is accept if it is what you asked for, reject if it is another, none if you asked nothing.
- A wall in answer to your request is reject; as the reason why you must move, it is that step; else none.
- Irony goes by what is meant, and words such as \"right\" or \"left\" in another sense name no step.
- To undo a named step is the step back.
Examples, with what you had asked in brackets:
[nothing] \"try going east from there\" is {\"label\": \"right\"}
[up] \"i bumped into something, up is shut\" is {\"label\": \"reject\"}
[left] \"sounds good, moving now\" is {\"label\": \"accept\"}
[nothing] \"which ways can you walk from this spot\" is {\"label\": \"inquiry\"}
[down] \"no, not down yet, first you do right\" is {\"label\": \"right\"}
[nothing] \"this maze is fun\" is {\"label\": \"none\"}
Reply with the JSON object alone.";

const INQUIRY: &str = "\
You play a maze game. You and the other player share one gnome and move it in turns, one step each; neither sees the other's \
walls. The other player asks you something. Answer in one or two short, friendly sentences, in their language, from the facts \
below alone. Say so if the facts do not tell. No lists, no coordinates, no quotation marks. Steps are called right, up, left \
and down. What you know:";

const NEXT_ACTION: &str = "\
You read the chat of a maze game. Two players share one gnome and move it in turns, one step each; neither sees the other's \
walls. One player has just got a message from the other and is to move. Predict the move as exactly one label: right, up, \
left, down, or stay for staying in place.
Examples, with what the player had asked of the other in brackets:
[nothing] \"try going east from there\" is {\"label\": \"right\"}
[up] \"i bumped into something, up is shut\" is {\"label\": \"right\"}
[left] \"sounds good, moving now\" is {\"label\": \"left\"}
[nothing] \"which ways can you walk from this spot\" is {\"label\": \"stay\"}
[down] \"no, not down yet, first you do right\" is {\"label\": \"right\"}
[nothing] \"this maze is fun\" is {\"label\": \"down\"}
Reply with the JSON object alone.";

/// The most tokens of a label in its object, with room for models that put spaces between.
const LABEL_TOKENS: u32 = 32;
/// The most tokens of an answer.
const ANSWER_TOKENS: u32 = 160;
/// How far around the token the responder is told its own walls, in cells.
const NEARBY: u8 = 2;

/// Asks what a message means to a player who had asked `last_request` of its sender.
pub fn intent_request(model: &str, message: &str, last_request: Option<Action>) -> ChatRequest {
    let system = format!("{INTENT}\n{}", open_request(last_request));
    labelled(model, system, message, &flags())
}

/// The flag a reply names.
///
/// # Errors
/// The reply is anything but exactly one flag.
pub fn read_intent(reply: &Reply) -> Result<Flag<Action>, LabelError> {
    let flags = flags();
    let name = flags.read(reply)?;
    Ok(Flag::named(name).unwrap_or(Flag::None))
}

/// Asks for the answer to a question, from what the seat knows.
pub fn inquiry_request(model: &str, question: &str, view: &View) -> ChatRequest {
    let system = format!("{INQUIRY}\n{}", facts(view));
    ChatRequest { max_tokens: Some(ANSWER_TOKENS), ..request(model, system, question) }
}

/// The words to be said in answer, as one line.
///
/// # Errors
/// The reply was cut off, calls tools, says nothing, is longer than a message may be, or is no sentence.
pub fn read_answer(reply: &Reply) -> Result<String, AnswerError> {
    let wrong = |what: &str| Err(AnswerError(what.to_owned()));
    if reply.finish != Finish::Stop || !reply.calls.is_empty() {
        return wrong(&format!("it ended with {}", reply.finish.name()));
    }
    let words: Vec<&str> = reply.text.split_whitespace().collect();
    let line = words.join(" ");
    let line = line.strip_prefix('"').and_then(|line| line.strip_suffix('"')).unwrap_or(&line).trim();
    if !line.chars().any(char::is_alphanumeric) {
        return wrong("it says nothing");
    }
    if line.starts_with(['{', '[', '<', '`']) {
        return wrong("it is no sentence");
    }
    if line.chars().any(char::is_control) {
        return wrong("it has control characters");
    }
    if line.chars().count() > LONGEST_MESSAGE {
        return wrong("it is too long");
    }
    Ok(line.to_owned())
}

/// Asks for the next step of the player who has read the message.
pub fn next_action_request(model: &str, situation: Situation<'_>) -> ChatRequest {
    let mut system = format!("{NEXT_ACTION}\n{}", open_request(situation.last_request));
    if let Some(open) = situation.open {
        system.push_str(&format!("\nOpen to the player who is to move: {}.", list(open)));
    }
    labelled(model, system, situation.message, &actions())
}

/// The step a reply names.
///
/// # Errors
/// The reply is anything but exactly one step.
pub fn read_next_action(reply: &Reply) -> Result<Action, LabelError> {
    let actions = actions();
    let name = actions.read(reply)?;
    Ok(Action::named(name).unwrap_or(Action::Stay))
}

/// Whether there is anything to be read; if not, the flag is none, and no model is asked (section 4.2 of the paper).
pub fn readable(message: &str) -> bool {
    message.chars().any(|sign| !sign.is_whitespace() && !sign.is_control())
}

fn request(model: &str, system: String, last: &str) -> ChatRequest {
    ChatRequest {
        temperature: Some(0.0),
        stream: true,
        stream_options: Some(StreamOptions { include_usage: true, include_obfuscation: None }),
        ..ChatRequest::new(model, vec![Message::System(system), Message::User(last.to_owned())])
    }
}

fn labelled(model: &str, system: String, last: &str, labels: &Labels) -> ChatRequest {
    let format = Some(labels.format());
    ChatRequest { max_tokens: Some(LABEL_TOKENS), response_format: format, ..request(model, system, last) }
}

fn flags() -> Labels {
    Labels::new(Flag::ALL.map(Flag::name)).expect("the flags' names differ and are words")
}

fn actions() -> Labels {
    Labels::new(Action::ALL.map(Action::name)).expect("the actions' names differ and are words")
}

fn open_request(last_request: Option<Action>) -> String {
    match last_request {
        None => "Now: no request is open.".to_owned(),
        Some(Action::Stay) => "Now: the open request to the other player is to stay.".to_owned(),
        Some(action) => format!("Now: the open request to the other player is to go {action}."),
    }
}

/// What the seat knows that a question may be about: the token, the treasure if it sees it, its own walls nearby.
fn facts(view: &View) -> String {
    let View { token, width, height, .. } = view;
    let mut facts = vec![format!(
        "The gnome is in column {} of {width} from the left and row {} of {height} from the top.",
        token.x + 1,
        token.y + 1
    )];
    facts.push(match view.treasure {
        Some(treasure) => format!("The treasure, which only you see, is {} of the gnome.", way(*token, treasure)),
        None => "You do not see the treasure in this round; only the other player does.".to_owned(),
    });
    let own = view.side();
    for y in token.y.saturating_sub(NEARBY)..=(token.y + NEARBY).min(height - 1) {
        for x in token.x.saturating_sub(NEARBY)..=(token.x + NEARBY).min(width - 1) {
            let cell = Cell { x, y };
            let open: Vec<Action> = Action::MOVES.into_iter().filter(|step| own.open(cell, *step)).collect();
            let place = if cell == *token { "where the gnome is".to_owned() } else { way(*token, cell) };
            facts.push(format!("Open to you {place}: {}.", list(&open)));
        }
    }
    facts.push("You do not know the other player's walls.".to_owned());
    facts.join("\n")
}

/// Where a cell lies as seen from another.
fn way(from: Cell, to: Cell) -> String {
    let (across, along) = (i16::from(to.x) - i16::from(from.x), i16::from(to.y) - i16::from(from.y));
    let part = |steps: i16, more: &str, less: &str| match steps {
        0 => None,
        1.. => Some(format!("{steps} {more}")),
        _ => Some(format!("{} {less}", -steps)),
    };
    let parts: Vec<String> = [part(across, "right", "left"), part(along, "down", "up")].into_iter().flatten().collect();
    parts.join(" and ")
}

fn list(actions: &[Action]) -> String {
    if actions.is_empty() {
        return "nothing".to_owned();
    }
    actions.iter().map(|action| action.name()).collect::<Vec<_>>().join(", ")
}
