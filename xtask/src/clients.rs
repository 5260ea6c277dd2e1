//! OpenAI's own client libraries against the server with scripted replies: that any client works is a promise.
//!
//! They are fetched from their registries on the first run, so this is no part of `cargo xtask test`.

use std::io::{BufRead as _, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use anyhow::{Context, Result, bail};

use crate::project::Project;
use crate::shell::{self, say};
use crate::{npm, rust};

/// Where the scripts, their rules and the pinned versions are.
const FOLDER: &str = "tests/clients";

/// The server; ended when this is dropped.
struct Server(Child);

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended by itself; then there is nothing to do.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Runs both scripts against one server.
pub fn clients(project: &Project) -> Result<()> {
    let python = environment(project)?;
    npm::install(project, FOLDER)?;
    let program = rust::server(project)?;
    let mut command = Command::new(program);
    command.current_dir(project.path(FOLDER)).args(["--config", "server.toml"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().context("cannot start the server")?;
    let out = child.stdout.take();
    let _server = Server(child);
    let mut line = String::new();
    BufReader::new(out.context("the server has no output")?).read_line(&mut line)?;
    let url = line.trim();
    if url.is_empty() {
        bail!("the server ended at once");
    }
    for (program, script) in [(python, "clients.py"), (PathBuf::from("node"), "clients.mjs")] {
        let mut command = Command::new(program);
        shell::run(command.current_dir(project.path(FOLDER)).arg(script).arg(url))?;
    }
    Ok(())
}

/// A Python environment with the pinned library; its interpreter.
fn environment(project: &Project) -> Result<PathBuf> {
    let home = project.path("target/clients-python");
    let python = home.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" });
    if !python.exists() {
        say("Making a Python environment for the client library ...");
        shell::run(Command::new("python3").args(["-m", "venv"]).arg(&home))?;
    }
    let mut pip = Command::new(&python);
    pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--requirement"]);
    shell::run(pip.arg(project.path(FOLDER).join("requirements.txt")))?;
    Ok(python)
}
