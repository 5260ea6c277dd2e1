//! Runs the program for the tests and catches what it says.

use serde_json::Value;
use std::fs;
use std::process::Command;
use tempfile::TempDir;

/// What a run of the program left behind.
pub struct Ran {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

/// Runs the program.
pub fn lab(arguments: &[&str]) -> Ran {
    let output = Command::new(env!("CARGO_BIN_EXE_tandem-lab")).args(arguments).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Ran { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
}

/// Runs what must succeed in silence and gives what it printed.
pub fn printed(arguments: &[&str]) -> String {
    let Ran { code, out, err } = lab(arguments);
    assert_eq!((code, err.as_str()), (Some(0), ""), "{arguments:?}");
    out
}

/// Runs what prints an object.
pub fn json(arguments: &[&str]) -> Value {
    serde_json::from_str(&printed(arguments)).unwrap()
}

/// Runs what must be refused, without a word on standard output, for all these reasons.
pub fn refused(arguments: &[&str], reasons: &[&str]) {
    let Ran { code, out, err } = lab(arguments);
    assert_eq!((code, out.as_str()), (Some(2), ""), "{arguments:?}: {err}");
    for reason in reasons {
        assert!(err.contains(reason), "{arguments:?}: {err:?} does not mention {reason:?}");
    }
    assert!(!err.contains("panicked"), "{err}");
}

/// Writes a file and gives its path.
pub fn file(dir: &TempDir, name: &str, content: impl AsRef<[u8]>) -> String {
    let path = dir.path().join(name);
    fs::write(&path, content).unwrap();
    path.to_str().unwrap().to_owned()
}
