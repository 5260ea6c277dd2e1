//! Time as the worlds know it.

use serde::{Deserialize, Serialize};
use std::ops::{Add, Sub};

/// Milliseconds since the session began. Whole numbers, so that every machine counts alike.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Millis(pub u64);

impl Millis {
    /// The session's first moment.
    pub const ZERO: Self = Self(0);
}

impl Add for Millis {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl Sub for Millis {
    type Output = Self;
    /// The time between two moments; zero if `other` is the later one.
    fn sub(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }
}
