//! The browser library: compiled, bound to JavaScript, optimised.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use wasm_bindgen_cli_support::Bindgen;

use crate::project::Project;
use crate::shell::{self, say, timed};
use crate::stamp::Inputs;
use crate::toolchain::{TARGET, Toolchain};

/// The optimiser's level, and just the features rustc emits and every current browser has.
///
/// Not `--all-features`: that writes compact imports, which browsers refuse.
const WASM_OPT: [&str; 8] = [
    "-O3",
    "--enable-bulk-memory",
    "--enable-sign-ext",
    "--enable-nontrapping-float-to-int",
    "--enable-mutable-globals",
    "--enable-reference-types",
    "--enable-multivalue",
    "--enable-simd",
];

/// The finished library, with its JavaScript and its types beside it.
pub fn library(project: &Project) -> PathBuf {
    project.pkg().join("wasm/tandem_bg.wasm")
}

/// Builds `pkg/wasm/`: `tandem_bg.wasm`, `tandem.js`, `tandem.d.ts`.
pub fn build(project: &Project) -> Result<PathBuf> {
    let compiled = compile(project)?;
    bind(project, &compiled)?;
    Ok(library(project))
}

/// Compiles the package `tandem` for wasm; cargo decides what is to do.
fn compile(project: &Project) -> Result<PathBuf> {
    let toolchain = Toolchain::ensure(project)?;
    let mut command = toolchain.build(project);
    command.args(["--package", "tandem", "--lib", "--profile", "wasm"]);
    timed(&format!("Compiling the browser library{}", toolchain.describe()), || shell::run(&mut command))
        .context("the browser library does not compile for wasm")?;
    let compiled = project.wasm_target().join(TARGET).join("wasm/tandem.wasm");
    if !compiled.is_file() {
        bail!("cargo built no {}; the package `tandem` must be a cdylib", compiled.display());
    }
    Ok(compiled)
}

/// Generates the bindings and optimises, unless both were done for these very bytes by this very program.
fn bind(project: &Project, compiled: &Path) -> Result<()> {
    let optimiser = project.www().join("node_modules/binaryen/bin/wasm-opt");
    let stamp = Inputs::of(&format!("{WASM_OPT:?} {}", optimiser.exists()))
        .file(compiled)?
        .file(&env::current_exe()?)?
        .stamp(project, "bindings");
    let out = project.pkg().join("wasm");
    let library = library(project);
    if stamp.is_fresh(&[library.clone(), out.join("tandem.js"), out.join("tandem.d.ts")]) {
        return Ok(());
    }

    // Into a directory aside first: whoever serves pkg/ never sees half a build.
    let aside = project.wasm_target().join("bindings");
    if aside.exists() {
        fs::remove_dir_all(&aside)?;
    }
    let mut bindgen = Bindgen::new();
    bindgen
        .input_path(compiled)
        .out_name("tandem")
        .typescript(true)
        .remove_name_section(true)
        .remove_producers_section(true)
        // The loader is told where the wasm file is: a default would have bundlers inline a second copy.
        .omit_default_module_path(true)
        .web(true)?;
    bindgen.generate(&aside).context("wasm-bindgen cannot bind the browser library")?;

    let bound = aside.join("tandem_bg.wasm");
    if optimiser.exists() {
        timed("Optimising the browser library", || {
            let optimised = aside.join("optimised.wasm");
            let mut command = Command::new("node");
            command.arg(&optimiser).args(WASM_OPT).arg(&bound).arg("-o").arg(&optimised);
            shell::run(command.stdout(Stdio::null()))?;
            fs::rename(&optimised, &bound).context("wasm-opt wrote nothing")
        })?;
    } else if project.www().join("package.json").exists() {
        bail!("www/package.json must have binaryen among its devDependencies: wasm-opt comes from there");
    } else {
        say("www/package.json is not there yet: the browser library stays unoptimised");
    }

    if out.exists() {
        fs::remove_dir_all(&out)?;
    }
    fs::create_dir_all(project.pkg())?;
    fs::rename(&aside, &out).with_context(|| format!("cannot fill {}", out.display()))?;
    stamp.set()
}
