//! One command that proves everything; each part also alone.

use anyhow::{Context, Result};
use clap::ValueEnum;

use crate::browser::Stage;
use crate::project::Project;
use crate::shell::{self, say, timed};
use crate::{npm, rust, site, tidy};

/// A part of the proof.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Part {
    /// Formatting, lints, tests and documentation tests of the workspace, and tidy.
    Rust,
    /// The build of elements and site, and their own checks and tests.
    Web,
    /// The site in real browsers.
    Browser,
    /// The Guide on the GPU: its lints, its code on burn's CPU backend, and in Chromium on a GPU that is software. Not
    /// among what is run without a part, because burn compiles for a quarter of an hour there.
    Gpu,
    /// The training of the Guide: the lints and tests of what only the feature `train` compiles. It compiles burn
    /// too, natively and in minutes, so it comes last.
    Train,
}

/// Runs one part, or all; `playwright` goes to Playwright as it is.
pub fn test(project: &Project, part: Option<Part>, playwright: &[String]) -> Result<()> {
    let wanted = |candidate| part.is_none_or(|part| part == candidate);
    if part == Some(Part::Gpu) {
        gpu_part(project, playwright)?;
    }
    let mut unproven = Vec::new();
    if wanted(Part::Rust) {
        unproven = rust_part(project)?;
    }
    if wanted(Part::Web) {
        web_part(project)?;
    }
    if wanted(Part::Browser) {
        browser_part(project, playwright)?;
    }
    if wanted(Part::Train) {
        train_part(project)?;
    }
    match (unproven.as_slice(), part) {
        ([], None) => say("Everything holds."),
        ([], Some(_)) => say("This part holds."),
        (missing, _) => say(format!("The rest holds, but this machine could not check: {}.", missing.join(", "))),
    }
    Ok(())
}

/// The workspace; returns what could not be checked for want of a component.
fn rust_part(project: &Project) -> Result<Vec<&'static str>> {
    let cargo = |args: &[&str]| {
        let mut command = shell::cargo(project.root());
        command.args(args);
        shell::run(&mut command)
    };
    let mut unproven = Vec::new();
    if component(project, "fmt", "rustfmt") {
        timed("Formatting", || cargo(&["fmt", "--all", "--check"])).context("`cargo fmt` mends this")?;
    } else {
        unproven.push("formatting");
    }
    timed("Tidy", || tidy::tidy(project))?;
    if component(project, "clippy", "clippy") {
        timed("Lints", || {
            cargo(&["clippy", "--quiet", "--locked", "--workspace", "--all-targets", "--", "-D", "warnings"])
        })?;
    } else {
        unproven.push("lints");
    }
    if rust::has_subcommand(project, "nextest") {
        timed("Tests", || cargo(&["nextest", "run", "--locked", "--workspace", "--status-level", "fail"]))?;
    } else {
        timed("Tests", || {
            cargo(&["test", "--quiet", "--locked", "--workspace", "--lib", "--bins", "--tests", "--examples"])
        })?;
    }
    timed("Documentation tests", || cargo(&["test", "--quiet", "--locked", "--workspace", "--doc"]))?;
    Ok(unproven)
}

/// The Guide on the GPU.
fn gpu_part(project: &Project, playwright: &[String]) -> Result<()> {
    let cargo = |command: &str, args: &[&str]| {
        let mut cargo = shell::cargo(project.root());
        cargo.args([command, "--manifest-path", "crate/guide/gpu/Cargo.toml"]).args(args);
        shell::run(&mut cargo)
    };
    timed("Formatting", || cargo("fmt", &["--check"])).context("`cargo fmt` in crate/guide/gpu mends this")?;
    let flex = ["--quiet", "--locked", "--no-default-features", "--features", "flex"];
    let lints = [flex.as_slice(), &["--all-targets", "--", "-D", "warnings"]].concat();
    timed("Lints", || cargo("clippy", &lints))?;
    timed("Tests on burn's CPU backend", || cargo("test", &flex))?;

    let golden = project.wasm_target().join("golden");
    let mut example = shell::cargo(project.root());
    example.args(["run", "--quiet", "--locked", "--package", "tandem-guide", "--example", "golden"]).arg(&golden);
    timed("Writing golden positions", || shell::run(&mut example))?;
    let site = site::build_whole(project)?;
    npm::install(project, "tests/browser")?;
    let stage = Stage::set(project, false)?;
    let mut command = npm::program(project, "tests/browser", "playwright");
    command.env("TANDEM_GOLDEN", golden);
    stage.tell(&mut command, &site).args(["test", "gpu.spec.ts", "gpu-game.spec.ts"]).args(playwright);
    timed("The Guide on a GPU in Chromium", || shell::run(&mut command))
}

/// The Guide's training. In release mode, because the tests train.
fn train_part(project: &Project) -> Result<()> {
    let cargo = |command: &str, more: &[&str]| {
        let mut cargo = shell::cargo(project.root());
        cargo.args([command, "--quiet", "--locked", "--release", "--package", "tandem-lab", "--features", "train"]);
        shell::run(cargo.args(more))
    };
    timed("Lints", || cargo("clippy", &["--all-targets", "--", "-D", "warnings"]))?;
    timed("Tests", || cargo("test", &[]))
}

/// Whether a component of the toolchain is there, adding it if possible.
fn component(project: &Project, subcommand: &str, name: &str) -> bool {
    let there = rust::has_subcommand(project, subcommand)
        || (rust::add_component(project, name) && rust::has_subcommand(project, subcommand));
    if !there {
        say(format!("{name} is missing and rustup cannot add it; `rustup component add {name}` would"));
    }
    there
}

fn web_part(project: &Project) -> Result<()> {
    site::build(project)?;
    for script in ["check", "test"] {
        if npm::has_script(project, "www", script)? {
            timed(&format!("npm run {script} in www"), || shell::run(&mut npm::script(project, "www", script)))?;
        }
    }
    Ok(())
}

fn browser_part(project: &Project, playwright: &[String]) -> Result<()> {
    let site = site::build(project)?;
    npm::install(project, "tests/browser")?;
    let stage = Stage::set(project, true)?;
    let mut command = npm::program(project, "tests/browser", "playwright");
    stage.tell(&mut command, &site).arg("test").args(playwright);
    timed("The site in real browsers", || shell::run(&mut command))
}
