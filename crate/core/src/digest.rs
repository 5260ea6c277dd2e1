//! A fingerprint of a state, equal on every machine.

use sha2::{Digest as _, Sha256};

/// Builds the 64-bit fingerprint of a state: the first eight bytes of SHA-256 over a tagged, length-prefixed encoding.
///
/// ```
/// use tandem_core::Digest;
/// let one = Digest::new("game-1").u64(3).text("ab").finish();
/// let other = Digest::new("game-1").u64(3).text("a").text("b").finish();
/// assert_ne!(one, other, "lengths are part of what is hashed");
/// ```
#[derive(Clone, Debug)]
pub struct Digest(Sha256);

impl Digest {
    /// Begins a digest; `tag` names what is hashed and its version, usually the rules version.
    pub fn new(tag: &str) -> Self {
        Self(Sha256::new()).text(tag)
    }

    /// Adds a number.
    pub fn u64(mut self, number: u64) -> Self {
        self.0.update(number.to_le_bytes());
        self
    }

    /// Adds a text, with its length.
    pub fn text(mut self, text: &str) -> Self {
        self.0.update((text.len() as u64).to_le_bytes());
        self.0.update(text.as_bytes());
        self
    }

    /// The fingerprint.
    pub fn finish(self) -> u64 {
        let hash = self.0.finalize();
        let mut first = [0; 8];
        first.copy_from_slice(&hash[..8]);
        u64::from_be_bytes(first)
    }

    /// A fingerprint as it stands in traces: sixteen hexadecimal figures.
    pub fn hex(digest: u64) -> String {
        format!("{digest:016x}")
    }
}
