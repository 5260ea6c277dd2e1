//! One seed a session, and named streams of chance derived from it.
//!
//! The idea: every place that needs chance asks for a stream by name ("world", "agent/1"), so that one place drawing
//! more or fewer numbers never shifts what another draws. A stream is ChaCha with 8 rounds; its 32-byte key is
//! `SHA-256("tandem-stream-1" ‖ seed as 8 bytes little-endian ‖ name in UTF-8)`. The derivation is part of the trace
//! format: changing it would change every replay.

use rand::rand_core::{Infallible, TryRng};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use std::fmt;

/// The number from which all chance of a session comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "u64", into = "u64")]
pub struct Seed(u64);

/// A seed that a JavaScript number cannot hold exactly.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the seed {0} is too large: a seed is a whole number from 0 to 9007199254740991")]
pub struct SeedTooLarge(pub u64);

impl Seed {
    /// The largest seed, 2^53 - 1: every JSON reader keeps it exactly.
    pub const MAX: u64 = (1 << 53) - 1;

    /// A seed from 0 to [`Seed::MAX`].
    pub fn new(number: u64) -> Result<Self, SeedTooLarge> {
        if number <= Self::MAX { Ok(Self(number)) } else { Err(SeedTooLarge(number)) }
    }

    /// The seed as a number.
    pub fn get(self) -> u64 {
        self.0
    }

    /// The stream of that name.
    pub fn stream(self, name: &str) -> Stream {
        Stream(ChaCha8Rng::from_seed(self.key("tandem-stream-1", name)))
    }

    /// A seed of its own for the part of that name, for instance one game of a batch.
    pub fn part(self, name: &str) -> Self {
        let key = self.key("tandem-seed-1", name);
        let mut first = [0; 8];
        first.copy_from_slice(&key[..8]);
        Self(u64::from_le_bytes(first) & Self::MAX)
    }

    fn key(self, tag: &str, name: &str) -> [u8; 32] {
        Sha256::new().chain_update(tag).chain_update(self.0.to_le_bytes()).chain_update(name).finalize().into()
    }
}

impl TryFrom<u64> for Seed {
    type Error = SeedTooLarge;
    fn try_from(number: u64) -> Result<Self, SeedTooLarge> {
        Self::new(number)
    }
}

impl From<Seed> for u64 {
    fn from(seed: Seed) -> Self {
        seed.0
    }
}

impl fmt::Display for Seed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A named source of chance; use it as any [`rand::Rng`].
#[derive(Clone, Debug)]
pub struct Stream(ChaCha8Rng);

impl TryRng for Stream {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        self.0.try_next_u32()
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        self.0.try_next_u64()
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        self.0.try_fill_bytes(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::Rng;

    fn first(seed: u64, name: &str) -> u64 {
        Seed(seed).stream(name).next_u64()
    }

    #[test]
    fn streams_differ_by_seed_and_by_name_and_repeat() {
        assert_eq!(first(7, "world"), first(7, "world"));
        assert_ne!(first(7, "world"), first(8, "world"));
        assert_ne!(first(7, "world"), first(7, "agent/1"));
    }

    /// The derivation is fixed: this key stands behind every recorded trace. It was computed from the module's
    /// definition by another program (Python's hashlib).
    #[test]
    fn the_derivation_is_fixed() {
        let key = Seed(7).key("tandem-stream-1", "world");
        assert_eq!(key.iter().map(|byte| format!("{byte:02x}")).collect::<String>(), PYTHON_KEY);
    }

    const PYTHON_KEY: &str = "d10121d90bd88f14f3cbe9a90eb578bdb13b5a53751c02460a239c6e13f31a05";

    #[test]
    fn seeds_beyond_a_browser_number_are_refused() {
        assert!(Seed::new(Seed::MAX).is_ok());
        assert_eq!(Seed::new(Seed::MAX + 1), Err(SeedTooLarge(Seed::MAX + 1)));
        assert!(serde_json::from_str::<Seed>("9007199254740992").is_err());
    }
}
