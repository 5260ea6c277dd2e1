//! Figures: sizes, native speeds, speeds in the browser.
//!
//! Each goes to standard output as `METRIC name value unit`, and all into `bench.json`, one flat object.

use std::collections::BTreeMap;
use std::io::Write;
use std::process::Command;

use anyhow::{Context, Result, bail};
use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::{Map, Value};

use crate::browser::Stage;
use crate::project::Project;
use crate::shell::{self, timed};
use crate::wasm::Library;
use crate::{npm, rust, site, tree, wasm};

/// What must be measured at the end; more is welcome.
const REQUIRED: [&str; 13] = [
    "base_wasm_gzip_kib",
    "guide_full_pass_ms",
    "guide_gpu_wasm_gzip_kib",
    "guide_step_new_ms",
    "guide_step_seen_ms",
    "weights_kib",
    "aismctsf_iterations_per_s_wasm",
    "gnomes_steps_per_s_native",
    "cogrip_steps_per_s_native",
    "cogrip_verbalise_ns",
    "first_view_ms",
    "proxy_added_p50_us",
    "proxy_added_p99_us",
];

/// How long the streams go through the server, in seconds; `docs/server.md` has a minute.
const LOAD_SECONDS: &str = "12";

/// Values by name; the name carries the unit.
type Figures = BTreeMap<String, f64>;

/// One way of measuring.
type Measure = fn(&Project) -> Result<Figures>;

/// Measures everything; what cannot be measured is named at the end, after the rest is written.
pub fn bench(project: &Project) -> Result<()> {
    site::build_whole(project)?;
    let parts: [(&str, Measure); 4] =
        [("sizes", sizes), ("native figures", native), ("what the proxy adds", proxy), ("browser figures", browser)];
    let mut figures = Figures::new();
    let mut failures = Vec::new();
    for (name, measure) in parts {
        match timed(&format!("Measuring {name}"), || measure(project)) {
            Ok(more) => figures.extend(more),
            Err(error) => failures.push(format!("{name}: {error:#}")),
        }
    }

    for (name, value) in &figures {
        println!("METRIC {name} {value} {}", unit(name));
    }
    let object: Map<String, Value> = figures.iter().map(|(name, value)| (name.clone(), (*value).into())).collect();
    let mut text = serde_json::to_string_pretty(&object)?;
    text.push('\n');
    shell::write(&project.path("bench.json"), text)?;

    failures.extend(
        REQUIRED.iter().filter(|name| !figures.contains_key(**name)).map(|name| format!("{name}: nobody measured it")),
    );
    if !failures.is_empty() {
        bail!("not everything could be measured:\n  {}", failures.join("\n  "));
    }
    Ok(())
}

fn sizes(project: &Project) -> Result<Figures> {
    let gzip_kib = |library: &Library| -> Result<f64> {
        let bytes = gzip_size(&shell::read(&library.file(project))?)?;
        Ok((bytes as f64 / 1024.0 * 10.0).round() / 10.0)
    };
    let mut weights = 0;
    for file in tree::files(&project.weights(), &[])? {
        if file.extension().is_some_and(|end| end == "safetensors") {
            weights += project.weights().join(file).metadata()?.len();
        }
    }
    Ok(Figures::from([
        ("base_wasm_gzip_kib".to_owned(), gzip_kib(&wasm::BASE)?),
        ("guide_gpu_wasm_gzip_kib".to_owned(), gzip_kib(&wasm::GPU)?),
        ("weights_kib".to_owned(), (weights as f64 / 1024.0).round()),
    ]))
}

fn native(project: &Project) -> Result<Figures> {
    let mut command = shell::cargo(project.root());
    command.args(["run", "--quiet", "--release", "--package", "tandem-lab", "--", "bench", "--json"]);
    flat(&shell::output(&mut command)?).context("tandem-lab bench --json")
}

/// 200 streams at once, straight and through the server.
fn proxy(project: &Project) -> Result<Figures> {
    let mut build = shell::cargo(project.root());
    build.args(["build", "--quiet", "--release", "--package", "tandem-server", "--bin", "tandem-server"]);
    build.args(["--message-format", "json-render-diagnostics"]);
    let server = rust::executable(&shell::output(&mut build)?, "tandem-server").context("cargo built no server")?;
    let mut load = shell::cargo(project.root());
    load.args(["run", "--quiet", "--release", "--package", "tandem-server", "--example", "load", "--"]);
    load.args(["--streams", "200", "--seconds", LOAD_SECONDS]).arg("--server").arg(server);
    let mut figures = flat(&shell::output(&mut load)?).context("the load tool")?;
    if let Some(errors) = figures.get("errors").filter(|errors| **errors > 0.0) {
        bail!("{errors} streams failed");
    }
    figures.retain(|name, _| name.starts_with("proxy_added_"));
    Ok(figures)
}

fn browser(project: &Project) -> Result<Figures> {
    npm::install(project, "tests/browser")?;
    let stage = Stage::set(project, false)?;
    let mut command = Command::new("node");
    command.current_dir(project.path("tests/browser")).arg("bench.mjs");
    flat(&shell::output(stage.tell(&mut command, &project.site()))?).context("tests/browser/bench.mjs")
}

/// The size after `gzip -9`, in bytes.
fn gzip_size(bytes: &[u8]) -> Result<usize> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes)?;
    Ok(encoder.finish()?.len())
}

/// Reads one flat object from name to number.
fn flat(json: &str) -> Result<Figures> {
    let object: Map<String, Value> = serde_json::from_str(json.trim()).context("printed no JSON object")?;
    object
        .into_iter()
        .map(|(name, value)| match value.as_f64() {
            Some(number) => Ok((name, number)),
            None => bail!("{name} is {value}, no number"),
        })
        .collect()
}

/// The unit, which a figure's name carries.
fn unit(name: &str) -> &'static str {
    let words: Vec<&str> = name.split('_').collect();
    match words.as_slice() {
        words if words.windows(2).any(|pair| pair == ["per", "s"]) => "1/s",
        [.., "kib"] => "KiB",
        [.., "ms"] => "ms",
        [.., "us"] => "us",
        [.., "ns"] => "ns",
        [.., "percent"] => "%",
        _ => "1",
    }
}

#[cfg(test)]
mod tests {
    use super::{flat, gzip_size, unit};

    #[test]
    fn names_carry_units() {
        assert_eq!(unit("base_wasm_gzip_kib"), "KiB");
        assert_eq!(unit("first_view_ms"), "ms");
        assert_eq!(unit("cogrip_verbalise_ns"), "ns");
        assert_eq!(unit("proxy_added_p99_us"), "us");
        assert_eq!(unit("gnomes_steps_per_s_native"), "1/s");
        assert_eq!(unit("boards"), "1");
    }

    #[test]
    fn only_flat_numbers_are_taken() {
        assert_eq!(flat("{\"a\": 1, \"b\": 2.5}\n").unwrap()["b"], 2.5);
        assert!(flat("{\"a\": {\"b\": 1}}").unwrap_err().to_string().contains("a is"));
        assert!(flat("Compiling ...").is_err());
    }

    #[test]
    fn gzip_packs() {
        assert!(gzip_size(&[7; 10_000]).unwrap() < 100);
    }
}
