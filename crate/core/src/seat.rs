//! Who sits at the table, and who is told what.

use serde::{Deserialize, Serialize};
use std::fmt;

/// A place at the table, counted from 0. What a seat stands for (the human side, the Guide) is the world's to say.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Seat(pub u8);

impl Seat {
    /// The seat as an index into a list with one entry a seat.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "seat {}", self.0)
    }
}

/// Which seats a piece of news is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Audience {
    /// All seats.
    Everyone,
    /// One seat alone.
    Only(Seat),
    /// All seats but one.
    AllBut(Seat),
}

impl Audience {
    /// Whether `seat` is among the audience.
    pub fn includes(self, seat: Seat) -> bool {
        match self {
            Self::Everyone => true,
            Self::Only(one) => one == seat,
            Self::AllBut(one) => one != seat,
        }
    }
}

/// News with its audience.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Told<N> {
    /// Who may know it.
    pub to: Audience,
    /// What happened.
    pub news: N,
}

impl<N> Told<N> {
    /// News for all seats.
    pub fn everyone(news: N) -> Self {
        Self { to: Audience::Everyone, news }
    }

    /// News for one seat alone.
    pub fn only(seat: Seat, news: N) -> Self {
        Self { to: Audience::Only(seat), news }
    }

    /// News for all seats but one.
    pub fn all_but(seat: Seat, news: N) -> Self {
        Self { to: Audience::AllBut(seat), news }
    }
}
