//! What documents promise: packages, commands, versions, rules.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::{Context, Result};
use clap::CommandFactory;
use serde_json::Value;

use super::markdown::code;
use super::{Finding, Repository, Text};
use crate::project::{Project, VERSION};
use crate::{Cli, shell};

/// Files every checkout has, beside those the other checks read.
const REQUIRED: [&str; 7] = [
    "Cargo.lock",
    "DESIGN.md",
    "CITATION.cff",
    "LICENSE-MIT",
    "LICENSE-APACHE",
    "www/package-lock.json",
    "pkg/README.md",
];

pub fn check(project: &Project, repository: &Repository, findings: &mut Vec<Finding>) -> Result<()> {
    for path in REQUIRED {
        if !repository.files.iter().any(|file| file == path) {
            findings.push(Finding::new(path, 0, "is missing"));
        }
    }
    if let Some(page) = repository.text("ARCHITECTURE.md", findings) {
        packages(page, &workspace(project)?, findings);
    }
    commands(repository, findings);
    versions(repository, findings);
    rules(repository, findings);
    Ok(())
}

/// The packages that the table lists, as (folder, name): the workspace's, and those with a workspace of their own.
fn workspace(project: &Project) -> Result<BTreeSet<(String, String)>> {
    let mut packages = packages_of(project, "Cargo.toml")?;
    packages.extend(packages_of(project, "crate/guide/gpu/Cargo.toml")?);
    Ok(packages)
}

/// The packages of the workspace with that manifest.
fn packages_of(project: &Project, manifest: &str) -> Result<BTreeSet<(String, String)>> {
    let mut cargo = shell::cargo(project.root());
    cargo.args(["metadata", "--no-deps", "--offline", "--format-version", "1", "--manifest-path", manifest]);
    let metadata: Value =
        serde_json::from_str(&shell::output(&mut cargo)?).context("cargo metadata printed no JSON")?;
    let packages = metadata["packages"].as_array().context("cargo metadata lists no packages")?;
    packages
        .iter()
        .map(|package| {
            let manifest = Path::new(package["manifest_path"].as_str().unwrap_or_default());
            let folder = manifest.parent().and_then(|dir| dir.strip_prefix(project.root()).ok());
            let folder = folder.context("a package lies outside the repository")?.to_string_lossy().replace('\\', "/");
            Ok((format!("{folder}/"), package["name"].as_str().unwrap_or_default().to_owned()))
        })
        .collect()
}

/// The table of ARCHITECTURE.md, whose rows start with a folder and a package in code quotes, is the workspace.
fn packages(page: &Text, workspace: &BTreeSet<(String, String)>, findings: &mut Vec<Finding>) {
    let mut rows = BTreeSet::new();
    for (number, line) in page.content.lines().enumerate() {
        let Some(row) = table_row(line) else { continue };
        if row.0.starts_with("crate/") && !workspace.contains(&row) {
            let what = format!("names the package {} in {}, which the workspace lacks", row.1, row.0);
            findings.push(Finding::new(&page.path, number + 1, what));
        }
        rows.insert(row);
    }
    for (folder, name) in workspace {
        if !rows.contains(&(folder.clone(), name.clone())) {
            let what = format!("its table lacks a row that starts: | `{folder}` | `{name}` |");
            findings.push(Finding::new(&page.path, 0, what));
        }
    }
}

/// The first two cells of a table's row, if they are a folder and a package in code quotes.
fn table_row(line: &str) -> Option<(String, String)> {
    let mut cells = line.trim().strip_prefix('|')?.split('|').map(str::trim);
    let mut quoted = || Some(cells.next()?.strip_prefix('`')?.strip_suffix('`')?.to_owned());
    let folder = quoted()?;
    Some((folder, quoted()?))
}

/// Every `cargo xtask` command in a code block exists, and CI runs the test command of the README.
fn commands(repository: &Repository, findings: &mut Vec<Finding>) {
    const TEST: &str = "cargo xtask test";
    let known: Vec<String> = Cli::command().get_subcommands().map(|command| command.get_name().to_owned()).collect();
    for text in repository.texts.iter().filter(|text| text.is_markdown()) {
        for (number, line) in code(&text.content) {
            for name in xtask_commands(line).filter(|name| !known.iter().any(|known| known == name)) {
                let what = format!("cargo xtask has no command {name}; it has {}", known.join(", "));
                findings.push(Finding::new(&text.path, number, what));
            }
        }
    }
    for path in ["README.md", ".ci/run"] {
        if let Some(text) = repository.text(path, findings)
            && !text.content.lines().any(|line| line.trim().starts_with(TEST))
        {
            findings.push(Finding::new(path, 0, format!("has no line with the test command, {TEST}")));
        }
    }
}

/// The commands of `cargo xtask` a line of code calls.
fn xtask_commands(line: &str) -> impl Iterator<Item = &str> {
    let called = line.split("cargo xtask ").skip(1);
    called.filter_map(|rest| rest.split_whitespace().next()).filter(|word| word.starts_with(char::is_alphabetic))
}

/// One version everywhere, and the changelog tells of it.
fn versions(repository: &Repository, findings: &mut Vec<Finding>) {
    for (path, line) in [
        ("pkg/package.json", format!("\"version\": \"{VERSION}\"")),
        ("CITATION.cff", format!("version: {VERSION}")),
        ("CHANGELOG.md", format!("## {VERSION}")),
    ] {
        if let Some(text) = repository.text(path, findings)
            && !text.content.replace("version: \"", "version: ").contains(&line)
        {
            findings.push(Finding::new(path, 0, format!("does not name the current version; it should have: {line}")));
        }
    }
}

/// The rules' version in the source of a world is one, and the documents name that one.
fn rules(repository: &Repository, findings: &mut Vec<Finding>) {
    const WORLD: &str = "gnomes";
    let source = format!("crate/{WORLD}/src/");
    let sources = || repository.texts.iter().filter(|text| text.path.starts_with(&source));
    let quoted: BTreeSet<String> =
        sources().flat_map(|text| rules_versions(&text.content, &format!("\"{WORLD}-"))).collect();
    let [version] = Vec::from_iter(&quoted)[..] else {
        let what = format!("should name one version of the rules, as \"{WORLD}-1\"; it names {quoted:?}");
        findings.push(Finding::new(source, 0, what));
        return;
    };
    let name = format!("{WORLD}-{version}");
    if !repository.texts.iter().any(|text| text.is_markdown() && text.content.contains(&name)) {
        findings.push(Finding::new(source, 0, format!("has the rules {name}, and no document says so")));
    }
}

/// The numbers that follow `prefix` and are followed by a quote.
fn rules_versions(content: &str, prefix: &str) -> Vec<String> {
    let candidates = content.split(prefix).skip(1).filter_map(|rest| rest.split('"').next());
    candidates.filter(|word| word.parse::<u32>().is_ok()).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::super::Text;
    use super::{packages, rules_versions, table_row, xtask_commands};

    #[test]
    fn rows_name_folder_and_package() {
        let row = table_row("| `crate/core/` | `tandem-core` | vocabulary |").unwrap();
        assert_eq!(row, ("crate/core/".to_owned(), "tandem-core".to_owned()));
        assert_eq!(table_row("| `www/` | | the site |"), None);
        assert_eq!(table_row("some `crate/core/`"), None);
    }

    #[test]
    fn table_and_workspace_must_agree() {
        let package = |folder: &str, name: &str| (folder.to_owned(), name.to_owned());
        let page = Text {
            path: "ARCHITECTURE.md".to_owned(),
            content: "| `crate/core/` | `tandem-core` | a |\n| `crate/gone/` | `tandem-gone` | b |".to_owned(),
        };
        let mut findings = Vec::new();
        packages(&page, &[package("crate/core/", "tandem-core"), package("xtask/", "xtask")].into(), &mut findings);
        let lines: Vec<String> = findings.iter().map(ToString::to_string).collect();
        assert_eq!(lines.len(), 2, "{lines:?}");
        assert!(lines[0].starts_with("ARCHITECTURE.md:2: ") && lines[0].contains("tandem-gone"), "{lines:?}");
        assert!(lines[1].contains("| `xtask/` | `xtask` |"), "{lines:?}");
    }

    #[test]
    fn commands_and_rules_are_read_from_text() {
        assert_eq!(
            xtask_commands("cargo xtask test && cargo xtask serve --port 1").collect::<Vec<_>>(),
            ["test", "serve"]
        );
        assert_eq!(xtask_commands("cargo xtask --help").count(), 0);
        assert_eq!(rules_versions("const RULES: &str = \"gnomes-1\"; // \"gnomes-x\"", "\"gnomes-"), ["1"]);
    }
}
