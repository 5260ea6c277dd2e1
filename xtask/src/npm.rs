//! Node and npm: packages exactly as locked, scripts of a project.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::project::Project;
use crate::shell::{self, timed};
use crate::stamp::Inputs;

/// The oldest Node that serves.
const NODE_MAJOR: u32 = 20;

const NPM: &str = if cfg!(windows) { "npm.cmd" } else { "npm" };
const NPX: &str = if cfg!(windows) { "npx.cmd" } else { "npx" };

/// Installs the locked packages of the npm project in `dir`, unless they are.
pub fn install(project: &Project, dir: &str) -> Result<()> {
    require_node()?;
    let at = project.path(dir);
    if !at.join("package-lock.json").is_file() {
        bail!("{dir}/package-lock.json is missing; make it with `npm install` in {dir} and commit it");
    }
    let modules = at.join("node_modules");
    let stamp = Inputs::of("npm ci")
        .file(&at.join("package.json"))?
        .file(&at.join("package-lock.json"))?
        .stamp(project, &format!("npm-{}", dir.replace('/', "-")));
    if stamp.is_fresh(&[modules]) {
        return Ok(());
    }
    timed(&format!("Installing the npm packages of {dir}"), || {
        let mut command = npm(&at);
        // Browsers come from the system; those that packages would download are not wanted.
        command.env("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1").env("PUPPETEER_SKIP_DOWNLOAD", "1");
        shell::run(command.args(["ci", "--no-audit", "--no-fund", "--loglevel=error"]))
    })
    .with_context(|| format!("npm cannot install the packages of {dir}; is the npm registry reachable?"))?;
    stamp.set()
}

/// A script of the npm project in `dir`, ready to run.
pub fn script(project: &Project, dir: &str, name: &str) -> Command {
    let mut command = npm(&project.path(dir));
    command.args(["run", "--silent", name]);
    command
}

/// A program of the installed packages of `dir`, ready for its arguments.
pub fn program(project: &Project, dir: &str, name: &str) -> Command {
    let mut command = Command::new(NPX);
    command.current_dir(project.path(dir)).args(["--no-install", name]);
    command
}

/// Whether the npm project in `dir` has such a script.
pub fn has_script(project: &Project, dir: &str, name: &str) -> Result<bool> {
    let manifest = project.path(dir).join("package.json");
    let manifest: Value = serde_json::from_slice(&shell::read(&manifest)?)
        .with_context(|| format!("{} is no JSON", manifest.display()))?;
    Ok(manifest["scripts"].get(name).is_some())
}

fn npm(dir: &Path) -> Command {
    let mut command = Command::new(NPM);
    command.current_dir(dir);
    command
}

fn require_node() -> Result<()> {
    let wanted = format!("Node.js {NODE_MAJOR} or newer with npm is needed (https://nodejs.org)");
    let Ok(version) = shell::output(Command::new("node").arg("--version")) else {
        bail!("there is no Node.js; {wanted}");
    };
    let version = version.trim();
    if major(version).is_none_or(|major| major < NODE_MAJOR) {
        bail!("Node.js is {version}; {wanted}");
    }
    if !shell::succeeds(Command::new(NPM).arg("--version")) {
        bail!("there is no npm; {wanted}");
    }
    Ok(())
}

/// The 20 of `v20.20.2`.
fn major(version: &str) -> Option<u32> {
    version.strip_prefix('v')?.split('.').next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::major;

    #[test]
    fn node_tells_its_major_version() {
        assert_eq!(major("v20.20.2"), Some(20));
        assert_eq!(major("v9"), Some(9));
        assert_eq!(major("command not found"), None);
    }
}
