//! Flags: what a message means, in the few words the planner understands (section 4 of the paper).

use crate::Action;
use std::fmt;

/// What a player expresses. A flag that names an action is what the speaker wants the partner to do next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Flag<A> {
    /// The partner should do this.
    Do(A),
    /// A question about walls, the treasure or plans.
    Inquiry,
    /// Agreement with what was asked.
    Accept,
    /// Refusal of what was asked.
    Reject,
    /// Nothing the planner can use.
    None,
}

impl<A: Copy> Flag<A> {
    /// The action asked for, if it is one.
    pub fn action(self) -> Option<A> {
        match self {
            Self::Do(action) => Some(action),
            _ => None,
        }
    }
}

impl Flag<Action> {
    /// All flags, in the order in which they are listed.
    pub const ALL: [Self; 9] = [
        Self::Do(Action::Right),
        Self::Do(Action::Up),
        Self::Do(Action::Left),
        Self::Do(Action::Down),
        Self::Do(Action::Stay),
        Self::Inquiry,
        Self::Accept,
        Self::Reject,
        Self::None,
    ];

    /// The flag's name: an action's, or `inquiry`, `accept`, `reject`, `none`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Do(action) => action.name(),
            Self::Inquiry => "inquiry",
            Self::Accept => "accept",
            Self::Reject => "reject",
            Self::None => "none",
        }
    }

    /// The flag of that name.
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "inquiry" => Some(Self::Inquiry),
            "accept" => Some(Self::Accept),
            "reject" => Some(Self::Reject),
            "none" => Some(Self::None),
            _ => Action::named(name).map(Self::Do),
        }
    }
}

impl fmt::Display for Flag<Action> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
