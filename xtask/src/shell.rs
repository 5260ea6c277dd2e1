//! Running other programs, with errors that name the command.

use std::env;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context, Result, bail};

/// Prints one progress line.
pub fn say(line: impl AsRef<str>) {
    eprintln!("> {}", line.as_ref());
}

/// Runs a step of the work, and prints how long it took when that was noticeable.
pub fn timed<T>(what: &str, step: impl FnOnce() -> Result<T>) -> Result<T> {
    say(format!("{what} ..."));
    let start = Instant::now();
    let result = step()?;
    let seconds = start.elapsed().as_secs_f64();
    if seconds >= 1.0 {
        say(format!("{what}: {seconds:.0} s"));
    }
    Ok(result)
}

/// Runs a command to its end; its output goes to the terminal.
pub fn run(command: &mut Command) -> Result<()> {
    let status = command.stdin(Stdio::null()).status().with_context(|| format!("cannot start `{}`", line(command)))?;
    if !status.success() {
        bail!("`{}` failed ({status})", line(command));
    }
    Ok(())
}

/// Runs a command to its end and returns its standard output.
pub fn output(command: &mut Command) -> Result<String> {
    let output = command
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()
        .with_context(|| format!("cannot start `{}`", line(command)))?;
    if !output.status.success() {
        bail!("`{}` failed ({})", line(command), output.status);
    }
    String::from_utf8(output.stdout).with_context(|| format!("`{}` printed no UTF-8", line(command)))
}

/// Whether a command starts and ends well; it prints nothing.
pub fn succeeds(command: &mut Command) -> bool {
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

/// The first program of this name in PATH.
pub fn which(name: &str) -> Option<PathBuf> {
    let file = format!("{name}{}", env::consts::EXE_SUFFIX);
    env::split_paths(&env::var_os("PATH")?).map(|dir| dir.join(&file)).find(|path| path.is_file())
}

/// A cargo command for this machine's own target, with the cargo that runs us.
pub fn cargo(root: &Path) -> Command {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.current_dir(root);
    for name in inherited_from_cargo() {
        command.env_remove(name);
    }
    command
}

/// Variables `cargo run` set for us that another cargo must not take for its own.
pub fn inherited_from_cargo() -> impl Iterator<Item = String> {
    env::vars_os().filter_map(|(name, _)| name.into_string().ok()).filter(|name| {
        name == "CARGO"
            || name == "OUT_DIR"
            || ["CARGO_PKG_", "CARGO_MANIFEST_", "CARGO_BIN_", "CARGO_CRATE_"]
                .iter()
                .any(|prefix| name.starts_with(prefix))
    })
}

/// The command as one would type it.
fn line(command: &Command) -> String {
    let word = |word: &OsStr| word.to_string_lossy().into_owned();
    std::iter::once(word(command.get_program())).chain(command.get_args().map(word)).collect::<Vec<_>>().join(" ")
}

/// Reads a file, naming it when that fails.
pub fn read(path: &Path) -> Result<Vec<u8>> {
    fs::read(path).with_context(|| format!("cannot read {}", path.display()))
}

/// Writes a file and the directories above it, naming it when that fails.
pub fn write(path: &Path, content: impl AsRef<[u8]>) -> Result<()> {
    if let Some(dir) = path.parent() {
        fs::create_dir_all(dir).with_context(|| format!("cannot make {}", dir.display()))?;
    }
    fs::write(path, content).with_context(|| format!("cannot write {}", path.display()))
}
