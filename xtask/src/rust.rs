//! Programs of the workspace, built for this machine.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::{Context, Result};
use serde_json::Value;

use crate::project::Project;
use crate::shell;

/// Builds the server and returns its path.
pub fn server(project: &Project) -> Result<PathBuf> {
    let mut command = shell::cargo(project.root());
    command.args(["build", "--package", "tandem-server", "--message-format", "json-render-diagnostics"]);
    let messages = shell::output(&mut command).context("the server does not compile")?;
    executable(&messages, "tandem-server").context("cargo built no program tandem-server")
}

/// The program called `name` among cargo's messages, one JSON object a line.
pub fn executable(messages: &str, name: &str) -> Option<PathBuf> {
    messages
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok())
        .filter(|message| message["target"]["name"] == name)
        .find_map(|message| message["executable"].as_str().map(PathBuf::from))
}

/// Whether a part of the toolchain (`fmt`, `clippy`, `nextest`) is there.
pub fn has_subcommand(project: &Project, name: &str) -> bool {
    shell::succeeds(shell::cargo(project.root()).args([name, "--version"]))
}

/// Has rustup add a component, without retries; whether it is there now.
pub fn add_component(project: &Project, component: &str) -> bool {
    let mut command = Command::new("rustup");
    command.current_dir(project.root()).args(["component", "add", component]).env("RUSTUP_MAX_RETRIES", "0");
    shell::succeeds(command.stderr(Stdio::null()))
}

#[cfg(test)]
mod tests {
    use super::executable;

    #[test]
    fn the_program_is_found_among_cargos_messages() {
        let messages = r#"
{"reason":"compiler-artifact","target":{"name":"tandem_server"},"executable":null}
{"reason":"compiler-artifact","target":{"name":"tandem-server"},"executable":"/t/debug/tandem-server"}
{"reason":"build-finished","success":true}"#;
        assert_eq!(executable(messages, "tandem-server"), Some("/t/debug/tandem-server".into()));
        assert_eq!(executable(messages, "tandem-lab"), None);
        assert_eq!(executable("error: no JSON", "tandem-server"), None);
    }
}
