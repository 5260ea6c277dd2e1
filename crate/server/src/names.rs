//! Names that may become part of a path or a log line.

/// What a plain name is, in words for an error.
pub const RULE: &str = "1 to 64 letters a-z or A-Z, digits, dashes or underscores, beginning with a letter or digit";

/// Whether a name is plain, so that it can name a file on every system and needs no quoting anywhere.
pub fn is_plain(name: &str) -> bool {
    let mut bytes = name.bytes();
    bytes.next().is_some_and(|first| first.is_ascii_alphanumeric())
        && name.len() <= 64
        && bytes.all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_')
}

#[cfg(test)]
mod tests {
    use super::is_plain;

    #[test]
    fn only_plain_names_are_plain() {
        for name in ["a", "P07", "pilot-2", "a_b", &"x".repeat(64)] {
            assert!(is_plain(name), "{name}");
        }
        for name in ["", ".", "..", "a/b", "a\\b", "a.b", "-a", "_a", "é", "a b", "a\0", "a\n", &"x".repeat(65)] {
            assert!(!is_plain(name), "{name:?}");
        }
    }
}
