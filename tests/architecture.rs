//! The edges between packages that ARCHITECTURE.md allows, and no other.

use cargo_metadata::{DependencyKind, MetadataCommand};
use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

/// What each package may depend on among the workspace's own.
const ALLOWED: &[(&str, &[&str])] = &[
    ("tandem-core", &[]),
    ("tandem-gnomes", &["tandem-core", "tandem-llm"]),
    ("tandem-cogrip", &["tandem-core"]),
    ("tandem-guide", &["tandem-core", "tandem-cogrip"]),
    ("tandem-guide-gpu", &["tandem-cogrip", "tandem-guide"]),
    ("tandem-llm", &["tandem-core"]),
    ("tandem-study", &["tandem-core"]),
    ("tandem", &["tandem-core", "tandem-llm", "tandem-gnomes", "tandem-cogrip", "tandem-guide", "tandem-study"]),
    ("tandem-lab", &["tandem-core", "tandem-llm", "tandem-gnomes", "tandem-cogrip", "tandem-guide", "tandem-study"]),
    ("tandem-server", &["tandem-llm"]),
    ("tandem-tests", &["tandem-core", "tandem-gnomes", "tandem-cogrip"]),
    ("xtask", &[]),
];

/// Packages that only the named ones may depend on.
const RESERVED: &[(&[&str], &[&str])] = &[
    (&["wasm-bindgen", "js-sys", "wasm-bindgen-futures"], &["tandem", "tandem-guide-gpu"]),
    (&["web-sys", "gloo", "gloo-net", "serde-wasm-bindgen"], &["tandem"]),
    (&["burn", "burn-wgpu", "cubecl", "wgpu"], &["tandem-guide-gpu", "tandem-lab"]),
    (&["tokio", "axum", "tower-http"], &["tandem-server"]),
    (&["wasm-bindgen-cli-support"], &["xtask"]),
];

/// What a world or the core must not reach, directly or not: clocks, system chance, the browser.
const IMPURE: &[&str] = &["getrandom", "wasm-bindgen", "js-sys", "web-sys", "web-time", "tokio", "chrono", "time"];

#[test]
fn packages_depend_one_way() {
    let workspace = MetadataCommand::new().exec().unwrap();
    // A workspace of its own.
    let gpu = MetadataCommand::new().manifest_path("../crate/guide/gpu/Cargo.toml").no_deps().exec().unwrap();
    let own: BTreeMap<&str, &[&str]> = ALLOWED.iter().copied().collect();
    let mut seen = BTreeSet::new();
    for package in workspace.workspace_packages().into_iter().chain(gpu.workspace_packages()) {
        let name = package.name.as_str();
        let allowed = own.get(name).unwrap_or_else(|| panic!("{name} is new: say here what it may depend on"));
        seen.insert(name);
        for dependency in package.dependencies.iter().filter(|one| one.kind == DependencyKind::Normal) {
            let other = dependency.name.as_str();
            assert!(!own.contains_key(other) || allowed.contains(&other), "{name} must not depend on {other}");
            for (reserved, users) in RESERVED {
                assert!(!reserved.contains(&other) || users.contains(&name), "{name} must not depend on {other}");
            }
        }
    }
    assert_eq!(seen, own.keys().copied().collect(), "ALLOWED names packages that are not there");
}

#[test]
fn nothing_below_the_facade_reaches_a_clock_chance_or_the_browser() {
    for pure in ["tandem-core", "tandem-gnomes", "tandem-cogrip", "tandem-guide", "tandem-llm"] {
        // Not by `cargo metadata`: it joins the features that all packages of the workspace ask for.
        let tree = Command::new(env!("CARGO"))
            .args(["tree", "-p", pure, "-e", "normal", "--prefix", "none", "--format", "{p}"])
            .args(["--target", "wasm32-unknown-unknown", "--locked"])
            .output()
            .unwrap();
        assert!(tree.status.success(), "{}", String::from_utf8_lossy(&tree.stderr));
        let tree = String::from_utf8(tree.stdout).unwrap();
        let reached: BTreeSet<&str> = tree.lines().filter_map(|line| line.split(' ').next()).collect();
        assert!(reached.contains("rand"), "the list is not what was expected: {reached:?}");
        for impure in IMPURE {
            assert!(!reached.contains(impure), "{pure} reaches {impure}");
        }
    }
}
