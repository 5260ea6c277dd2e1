//! Whose fault it is: the input's or ours.

use anyhow::Error;
use std::fmt;
use std::path::Path;

/// Input that cannot be used, in words for whoever gave it.
#[derive(Debug)]
pub struct BadInput(String);

impl fmt::Display for BadInput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for BadInput {}

/// An error that blames the input.
pub fn bad(reason: impl fmt::Display) -> Error {
    BadInput(reason.to_string()).into()
}

/// The exit code for an error.
pub fn code(error: &Error) -> u8 {
    if error.downcast_ref::<BadInput>().is_some() { 2 } else { 1 }
}

/// A file's bytes; one that cannot be read is bad input.
pub fn read(file: &Path) -> anyhow::Result<Vec<u8>> {
    std::fs::read(file).map_err(|error| bad(format_args!("{}: {error}", file.display())))
}

/// A file's text, which must be UTF-8.
pub fn read_text(file: &Path) -> anyhow::Result<String> {
    String::from_utf8(read(file)?).map_err(|error| {
        let good = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = 1 + good.iter().filter(|byte| **byte == b'\n').count();
        bad(format_args!("{}: line {line} is not UTF-8 text", file.display()))
    })
}
