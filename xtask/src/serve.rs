//! The site on this machine, with the proxy and the data sink beside it: no network and no key is needed.

use std::fs;
use std::process::Command;

use anyhow::{Context, Result};

use crate::project::Project;
use crate::{rust, site};

/// What the server is to do, seen from the top directory.
const CONFIG: &str = "crate/server/demo.toml";

/// Where the configuration has data and log.
const KEPT: &str = "target/serve";

/// Builds what changed, then becomes the server.
pub fn serve(project: &Project, port: u16, open: bool) -> Result<()> {
    let site = site::build(project)?;
    fs::create_dir_all(project.path(KEPT)).with_context(|| format!("cannot make {KEPT}"))?;
    let mut server = Command::new(rust::server(project)?);
    server.current_dir(project.root()).args(["--config", CONFIG]).arg("--dir").arg(site.strip_prefix(project.root())?);
    server.args(["--port", &port.to_string(), "--or-next"]);
    if open {
        server.arg("--open");
    }
    become_program(server)
}

/// Gives this process to the server, so that signals meant for one reach the other.
#[cfg(unix)]
fn become_program(mut program: Command) -> Result<()> {
    use std::os::unix::process::CommandExt;

    Err(program.exec()).map_err(|error| anyhow::Error::new(error).context("cannot start the server"))
}

#[cfg(not(unix))]
fn become_program(mut program: Command) -> Result<()> {
    crate::shell::run(&mut program)
}
