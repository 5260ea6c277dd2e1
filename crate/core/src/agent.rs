//! The contract of a participant that is not human.

use crate::{Millis, Stream, World};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A participant that is not human. It is handed views and news, never the state: a world's state type does not occur
/// in its methods, so an agent has no way to look behind the view.
pub trait Agent<W: World> {
    /// Decides what to do next. Called once at the start, and again whenever others have made news or a pause is over.
    /// `news` is all that happened since the last call, the agent's own doings included. When it is not the agent's
    /// move, it may still talk, ask or just take note.
    fn think(&mut self, view: &W::View, news: &[W::News], stream: &mut Stream) -> Thought<W::Action>;

    /// Takes the answer to a question it asked, or word that none came.
    fn answered(&mut self, answer: Answer, view: &W::View, stream: &mut Stream) -> Thought<W::Action> {
        let _ = (answer, view, stream);
        Thought::idle()
    }
}

/// What an agent has decided.
#[derive(Clone, Debug, PartialEq)]
pub struct Thought<A> {
    /// What it does, in order. Empty: nothing for now.
    pub deeds: Vec<Deed<A>>,
    /// Why, for the trace and for the curious: search statistics, intents, beliefs.
    pub because: Option<Value>,
}

impl<A> Thought<A> {
    /// Nothing for now.
    pub fn idle() -> Self {
        Self { deeds: Vec::new(), because: None }
    }

    /// One deed, unexplained.
    pub fn just(deed: Deed<A>) -> Self {
        Self { deeds: vec![deed], because: None }
    }

    /// The same thought with its explanation.
    pub fn because(mut self, why: Value) -> Self {
        self.because = Some(why);
        self
    }
}

/// One thing an agent does.
#[derive(Clone, Debug, PartialEq)]
pub enum Deed<A> {
    /// Acts in the world.
    Act(A),
    /// Talks to the others.
    Say(String),
    /// Asks something outside: a language model, a network. The answer comes by [`Agent::answered`]; others may act
    /// meanwhile, and several questions may be open at once.
    Ask(Question),
    /// Wants to be woken after this time, if nothing happens before.
    Pause(Millis),
}

/// What can answer a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Faculty {
    /// A language model behind the chat endpoint.
    Language,
    /// A neural network on this machine.
    Network,
}

/// Something an agent wants to know from outside. It always has a deadline: a person never waits for ever.
#[derive(Clone, Debug, PartialEq)]
pub struct Question {
    /// Who can answer.
    pub to: Faculty,
    /// The request in the faculty's own form.
    pub body: Value,
    /// After how long the agent is told that no answer came.
    pub within: Millis,
}

/// The answer to a [`Question`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Answer {
    /// The reply in the faculty's own form.
    Reply(Value),
    /// No reply; the agent falls back to what it has declared.
    Failed(Fault),
}

/// Why no answer came.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Fault {
    /// The deadline passed.
    Late,
    /// Nobody here can answer such questions.
    Absent,
    /// It was tried and went wrong; in words.
    Broken(String),
}
