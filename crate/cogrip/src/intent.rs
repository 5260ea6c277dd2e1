//! What the Guide can intend (section 3.2).

use crate::Direction;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// A property of pieces that a reference can name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Property {
    /// Where it lies.
    Position,
    /// Its colour.
    Color,
    /// Its shape.
    Shape,
}

/// A preference order: in which order properties are compared between the target and its distractors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "the letters are the order: P position, C colour, S shape")]
pub enum Order {
    Pcs,
    Psc,
    Cps,
    Csp,
    Spc,
    Scp,
}

impl Order {
    /// All six, in the order of the Guide's intents.
    pub const ALL: [Self; 6] = [Self::Pcs, Self::Psc, Self::Cps, Self::Csp, Self::Spc, Self::Scp];

    /// The properties, the most preferred first.
    pub fn properties(self) -> [Property; 3] {
        use Property::{Color, Position, Shape};
        match self {
            Self::Pcs => [Position, Color, Shape],
            Self::Psc => [Position, Shape, Color],
            Self::Cps => [Color, Position, Shape],
            Self::Csp => [Color, Shape, Position],
            Self::Spc => [Shape, Position, Color],
            Self::Scp => [Shape, Color, Position],
        }
    }

    /// Its three letters.
    pub fn name(self) -> &'static str {
        ["pcs", "psc", "cps", "csp", "spc", "scp"][self as usize]
    }
}

/// One of the Guide's fourteen intents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Intent {
    /// Nothing is said.
    Silence,
    /// Go on like this.
    Confirm,
    /// Not like this.
    Decline,
    /// Go that way.
    Go(Direction),
    /// Take what is under the gripper.
    Take,
    /// A referring expression for the target, its properties chosen in this order.
    Refer(Order),
}

/// The five kinds of intents that Table 3 counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "the names say it")]
pub enum Kind {
    Silence,
    Confirm,
    Decline,
    Directive,
    Reference,
}

impl Kind {
    /// All five, in the order of Table 3.
    pub const ALL: [Self; 5] = [Self::Silence, Self::Confirm, Self::Decline, Self::Directive, Self::Reference];

    /// Its name.
    pub fn name(self) -> &'static str {
        ["silence", "confirm", "decline", "directive", "reference"][self as usize]
    }

    /// What an utterance of this kind costs the Guide, in tenths (Equation 3).
    pub fn effort_tenths(self) -> u32 {
        [0, 10, 10, 11, 12][self as usize]
    }
}

impl Intent {
    /// All fourteen, by their number.
    pub const ALL: [Self; 14] = [
        Self::Silence,
        Self::Confirm,
        Self::Decline,
        Self::Go(Direction::Left),
        Self::Go(Direction::Right),
        Self::Go(Direction::Up),
        Self::Go(Direction::Down),
        Self::Take,
        Self::Refer(Order::Pcs),
        Self::Refer(Order::Psc),
        Self::Refer(Order::Cps),
        Self::Refer(Order::Csp),
        Self::Refer(Order::Spc),
        Self::Refer(Order::Scp),
    ];

    /// Its number, 0 to 13: the network's outputs are in this order.
    pub fn index(self) -> usize {
        match self {
            Self::Silence => 0,
            Self::Confirm => 1,
            Self::Decline => 2,
            Self::Go(direction) => 3 + direction as usize,
            Self::Take => 7,
            Self::Refer(order) => 8 + order as usize,
        }
    }

    /// Its kind.
    pub fn kind(self) -> Kind {
        match self {
            Self::Silence => Kind::Silence,
            Self::Confirm => Kind::Confirm,
            Self::Decline => Kind::Decline,
            Self::Go(_) | Self::Take => Kind::Directive,
            Self::Refer(_) => Kind::Reference,
        }
    }

    /// Its name in traces and settings.
    pub fn name(self) -> &'static str {
        match self {
            Self::Silence => "silence",
            Self::Confirm => "confirm",
            Self::Decline => "decline",
            Self::Go(direction) => direction.name(),
            Self::Take => "take",
            Self::Refer(order) => order.name(),
        }
    }

    /// The intent of that name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|intent| intent.name() == name)
    }
}

impl fmt::Display for Intent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Serialize for Intent {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for Intent {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        Self::named(&name).ok_or_else(|| {
            let known = Self::ALL.map(Self::name).join(", ");
            serde::de::Error::custom(format!("there is no intent {name:?}; there are {known}"))
        })
    }
}
