//! Keys, kept from logs and errors.

use serde::de::{Deserializer, Error, Visitor};
use sha2::{Digest as _, Sha256};
use std::fmt;
use subtle::ConstantTimeEq as _;

/// So many characters of a key say something about it.
const TELLING: usize = 4;

/// A key. It is never printed: not by `Debug`, not in the error of a configuration that has it in a wrong form.
#[derive(Clone)]
pub struct Secret(String);

impl Secret {
    /// Takes a key.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The key itself: for signing and for the header of one request, and nothing else.
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// Whether this is the key, in a time that does not tell how much of it was right.
    pub fn is(&self, offered: &str) -> bool {
        // Digests have one length, so not even the key's length shows.
        Sha256::digest(&self.0).ct_eq(&Sha256::digest(offered)).into()
    }

    /// The text without the key in it, wherever it may come from. Long texts of others are cut, perhaps in the middle of
    /// a key: what may be its beginning, at the end of the text, is taken out too.
    pub fn redact(&self, text: &str) -> String {
        if self.0.is_empty() {
            return text.to_owned();
        }
        let mut text = text.replace(&self.0, "[key]");
        let begun =
            (TELLING..self.0.len()).rev().find(|&length| self.0.get(..length).is_some_and(|b| text.ends_with(b)));
        if let Some(length) = begun {
            text.replace_range(text.len() - length.., "[key]");
        }
        text
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[key]")
    }
}

impl<'de> serde::Deserialize<'de> for Secret {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Text)
    }
}

/// Reads a text; serde's own errors would repeat a number found in its place.
struct Text;

impl Visitor<'_> for Text {
    type Value = Secret;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key in quotes")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Secret, E> {
        Ok(Secret(text.to_owned()))
    }

    fn visit_i64<E: Error>(self, _: i64) -> Result<Secret, E> {
        Err(E::custom("a key must be in quotes"))
    }

    fn visit_u64<E: Error>(self, _: u64) -> Result<Secret, E> {
        Err(E::custom("a key must be in quotes"))
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<Secret, E> {
        Err(E::custom("a key must be in quotes"))
    }
}

#[cfg(test)]
mod tests {
    use super::Secret;

    #[test]
    fn a_key_is_compared_and_never_shown() {
        let key = Secret::new("sk-1234");
        assert!(key.is("sk-1234"));
        for other in ["", "sk-123", "sk-12345", "sk-1235"] {
            assert!(!key.is(other), "{other}");
        }
        assert!(!format!("{key:?}").contains("1234"));
        assert_eq!(key.redact("wrong key sk-1234!"), "wrong key [key]!");
        // Cut off within the key.
        assert_eq!(key.redact("wrong key sk-123"), "wrong key [key]");
        assert_eq!(key.redact("sk-1234, I said: sk-1"), "[key], I said: [key]");
        assert_eq!(key.redact("a risk"), "a risk");
    }

    #[test]
    fn the_error_of_a_key_without_quotes_does_not_repeat_it() {
        #[derive(Debug, serde::Deserialize)]
        struct Has {
            #[expect(dead_code)]
            key: Secret,
        }
        for text in ["key = 12345678", "key = 1234.5678"] {
            let error = toml::from_str::<Has>(text).unwrap_err();
            assert!(!error.message().contains("1234"), "{}", error.message());
        }
    }
}
