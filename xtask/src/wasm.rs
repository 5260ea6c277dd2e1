//! The libraries for the browser: compiled, bound to JavaScript, optimised.

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

/// Just the features rustc emits and every current browser has.
///
/// Not `--all-features`: that writes compact imports, which browsers refuse.
const FEATURES: [&str; 7] = [
    "--enable-bulk-memory",
    "--enable-sign-ext",
    "--enable-nontrapping-float-to-int",
    "--enable-mutable-globals",
    "--enable-reference-types",
    "--enable-multivalue",
    "--enable-simd",
];

/// The optimiser's level. Higher ones make files that gzip packs less well (DESIGN.md).
const LEVEL: &str = "-O1";

/// A wasm file and its bindings.
pub struct Library {
    /// For people.
    title: &'static str,
    package: &'static str,
    /// The workspace it belongs to.
    manifest: &'static str,
    /// Its folder in `pkg/`.
    folder: &'static str,
    /// The files' name.
    name: &'static str,
    /// Cargo's directory, below that of all wasm builds.
    target: &'static str,
}

/// What every page loads.
pub const BASE: Library = Library {
    title: "browser library",
    package: "tandem",
    manifest: "Cargo.toml",
    folder: "wasm",
    name: "tandem",
    target: "",
};

/// The Guide on the GPU, loaded when it is wanted.
pub const GPU: Library = Library {
    title: "Guide on the GPU",
    package: "tandem-guide-gpu",
    manifest: "crate/guide/gpu/Cargo.toml",
    folder: "gpu",
    name: "tandem_guide_gpu",
    target: "gpu",
};

impl Library {
    /// Where it and its bindings are: `NAME_bg.wasm`, `NAME.js`, `NAME.d.ts`.
    pub fn folder(&self, project: &Project) -> PathBuf {
        project.pkg().join(self.folder)
    }

    /// The finished wasm file.
    pub fn file(&self, project: &Project) -> PathBuf {
        self.folder(project).join(format!("{}_bg.wasm", self.name))
    }

    /// Builds it, with its JavaScript and its types beside it.
    pub fn build(&self, project: &Project) -> Result<PathBuf> {
        let compiled = self.compile(project)?;
        self.bind(project, &compiled)?;
        Ok(self.file(project))
    }

    /// Compiles the package for wasm; cargo decides what is to do.
    fn compile(&self, project: &Project) -> Result<PathBuf> {
        let toolchain = Toolchain::ensure(project)?;
        let target = project.wasm_target().join(self.target);
        let mut command = toolchain.build(project, &target);
        command.arg("--manifest-path").arg(project.path(self.manifest));
        command.args(["--package", self.package, "--lib", "--profile", "wasm"]);
        timed(&format!("Compiling the {}{}", self.title, toolchain.describe()), || shell::run(&mut command))
            .with_context(|| format!("the {} does not compile for wasm", self.title))?;
        let compiled = target.join(TARGET).join(format!("wasm/{}.wasm", self.package.replace('-', "_")));
        if !compiled.is_file() {
            bail!("cargo built no {}; the package `{}` must be a cdylib", compiled.display(), self.package);
        }
        Ok(compiled)
    }

    /// Generates the bindings and optimises, unless both were done for these very bytes by this very program.
    fn bind(&self, project: &Project, compiled: &Path) -> Result<()> {
        let optimiser = project.www().join("node_modules/binaryen/bin/wasm-opt");
        let stamp = Inputs::of(&format!("{LEVEL} {FEATURES:?} {}", optimiser.exists()))
            .file(compiled)?
            .file(&env::current_exe()?)?
            .stamp(project, &format!("bindings-{}", self.folder));
        let out = self.folder(project);
        let beside = |end: &str| out.join(format!("{}{end}", self.name));
        if stamp.is_fresh(&[self.file(project), beside(".js"), beside(".d.ts")]) {
            return Ok(());
        }

        // Into a directory aside first: whoever serves pkg/ never sees half a build.
        let aside = project.wasm_target().join(format!("bindings-{}", self.folder));
        if aside.exists() {
            fs::remove_dir_all(&aside)?;
        }
        let mut bindgen = Bindgen::new();
        bindgen
            .input_path(compiled)
            .out_name(self.name)
            .typescript(true)
            .remove_name_section(true)
            .remove_producers_section(true)
            // The loader is told where the wasm file is: a default would have bundlers inline a second copy.
            .omit_default_module_path(true)
            .web(true)?;
        bindgen.generate(&aside).with_context(|| format!("wasm-bindgen cannot bind the {}", self.title))?;

        let bound = aside.join(format!("{}_bg.wasm", self.name));
        if optimiser.exists() {
            timed(&format!("Optimising the {}", self.title), || {
                let optimised = aside.join("optimised.wasm");
                let mut command = Command::new("node");
                command.arg(&optimiser).arg(LEVEL).args(FEATURES).arg(&bound).arg("-o").arg(&optimised);
                shell::run(command.stdout(Stdio::null()))?;
                fs::rename(&optimised, &bound).context("wasm-opt wrote nothing")
            })?;
        } else if project.www().join("package.json").exists() {
            bail!("www/package.json must have binaryen among its devDependencies: wasm-opt comes from there");
        } else {
            say(format!("www/package.json is not there yet: the {} stays unoptimised", self.title));
        }

        if out.exists() {
            fs::remove_dir_all(&out)?;
        }
        fs::create_dir_all(project.pkg())?;
        fs::rename(&aside, &out).with_context(|| format!("cannot fill {}", out.display()))?;
        stamp.set()
    }
}
