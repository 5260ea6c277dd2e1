//! The compiler for wasm32-unknown-unknown.
//!
//! Normally it is the developer's own: a Rust with the target installed, or rustup adding it.
//! Where rustup cannot fetch the target (a machine that reaches only package registries), Debian's compiler serves:
//! it comes with the standard library's source, which cargo then builds for wasm once.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, bail};

use crate::apt;
use crate::project::Project;
use crate::shell::{self, say};

/// The target triple of the browser library.
pub const TARGET: &str = "wasm32-unknown-unknown";

/// Set to `rustup` or `debian`, it decides which compiler builds the wasm library.
const CHOICE: &str = "TANDEM_WASM_TOOLCHAIN";

/// The Debian packages that together compile for wasm.
const DEBIAN_PACKAGES: [&str; 4] = ["rustc-web", "cargo-web", "rust-web-src", "lld-22"];

/// Fetching the target is given up after this long.
const PATIENCE: Duration = Duration::from_secs(300);

/// A compiler that can build for wasm.
pub enum Toolchain {
    /// The developer's own Rust, with the target's standard library installed.
    Own,
    /// Debian's, by full paths, since rustup's come first in PATH.
    Debian { cargo: PathBuf, rustc: PathBuf, linker: PathBuf },
}

impl Toolchain {
    /// Finds a compiler for wasm, installing what is missing.
    pub fn ensure(project: &Project) -> Result<Self> {
        match env::var(CHOICE).as_deref() {
            Ok("debian") => return Self::debian(),
            Ok("rustup") => {
                return if own_has_target(project) { Ok(Self::Own) } else { add_target().map(|()| Self::Own) };
            }
            Ok(other) => bail!("{CHOICE} is {other:?}; it may be \"rustup\" or \"debian\""),
            Err(_) => {}
        }
        if own_has_target(project) {
            return Ok(Self::Own);
        }
        let refusal = match remembered_refusal(project) {
            Some(refusal) => refusal,
            None => match add_target() {
                Ok(()) => return Ok(Self::Own),
                Err(error) => format!("{error:#}"),
            },
        };
        if !apt::present() {
            bail!(
                "the Rust target {TARGET} is missing: {refusal}.\n\
                 Install it by hand (`rustup target add {TARGET}`), with a network that lets rustup through."
            );
        }
        let forget = refusal_file(project);
        let forget = forget.strip_prefix(project.root())?.display();
        say(format!("{refusal}: Debian's Rust compiles for wasm instead (remove {forget} to try again)"));
        let debian = Self::debian()?;
        shell::write(&refusal_file(project), format!("{}\n{refusal}", own_version(project)))?;
        Ok(debian)
    }

    fn debian() -> Result<Self> {
        if !apt::present() {
            bail!("{CHOICE} is \"debian\", and this machine has no apt");
        }
        apt::ensure(&DEBIAN_PACKAGES, "compiling for wasm")?;
        Ok(Self::Debian {
            cargo: packaged("cargo-web", "bin/cargo")?,
            rustc: packaged("rustc-web", "bin/rustc")?,
            linker: packaged("lld-22", "bin/wasm-ld-22")?,
        })
    }

    /// A cargo command that builds for wasm in a directory of its own; the caller adds what to build.
    ///
    /// RUSTFLAGS of the environment are meant for the machine's own target and would hide those of `.cargo/config.toml`.
    pub fn build(&self, project: &Project, target_dir: &Path) -> Command {
        let mut command = shell::cargo(project.root());
        if let Self::Debian { cargo, rustc, linker } = self {
            command = Command::new(cargo);
            command.current_dir(project.root());
            let foreign = ["RUSTUP_TOOLCHAIN", "RUSTUP_HOME", "LD_LIBRARY_PATH", "DYLD_FALLBACK_LIBRARY_PATH"];
            for name in shell::inherited_from_cargo().chain(foreign.map(str::to_owned)) {
                command.env_remove(name);
            }
            command
                .env("RUSTC", rustc)
                .env("RUSTC_BOOTSTRAP", "1")
                .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", linker);
        }
        command.env_remove("RUSTFLAGS").env_remove("CARGO_ENCODED_RUSTFLAGS").arg("build");
        if matches!(self, Self::Debian { .. }) {
            command.arg("-Zbuild-std=std,panic_abort");
        }
        command.args(["--target", TARGET, "--target-dir"]).arg(target_dir);
        command
    }

    /// A few words for progress lines.
    pub fn describe(&self) -> &'static str {
        match self {
            Self::Own => "",
            Self::Debian { .. } => " (Debian's Rust, standard library included)",
        }
    }
}

/// Whether the developer's own Rust has the target's standard library.
fn own_has_target(project: &Project) -> bool {
    let asked =
        own_rustc(project).args(["--print", "target-libdir", "--target", TARGET]).stderr(Stdio::null()).output();
    asked.is_ok_and(|output| {
        let dir = String::from_utf8_lossy(&output.stdout).trim().to_owned();
        output.status.success() && fs::read_dir(dir).is_ok_and(|mut files| files.next().is_some())
    })
}

fn own_rustc(project: &Project) -> Command {
    let mut command = Command::new(env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
    command.current_dir(project.root());
    command
}

fn own_version(project: &Project) -> String {
    shell::output(own_rustc(project).arg("--version")).unwrap_or_default().trim().to_owned()
}

/// Has rustup add the target: no retries, and no waiting for ever.
fn add_target() -> Result<()> {
    if shell::which("rustup").is_none() {
        bail!("there is no rustup");
    }
    say(format!("Adding the Rust target {TARGET}"));
    let child = Command::new("rustup")
        .args(["target", "add", TARGET])
        .env("RUSTUP_MAX_RETRIES", "0")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .context("cannot start rustup")?;
    if wait(child, PATIENCE)? { Ok(()) } else { bail!("rustup cannot fetch {TARGET}") }
}

/// Waits for a child; false if it failed, or was ended for taking too long.
fn wait(mut child: Child, patience: Duration) -> Result<bool> {
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status.success());
        }
        if start.elapsed() > patience {
            child.kill()?;
            child.wait()?;
            return Ok(false);
        }
        thread::sleep(Duration::from_millis(50));
    }
}

/// Where it is kept that rustup could not add the target: the compiler's version, then the reason.
fn refusal_file(project: &Project) -> PathBuf {
    project.stamps().join("no-wasm-target")
}

/// Why rustup could not add the target to this very compiler, if an earlier run saw that and found another way.
fn remembered_refusal(project: &Project) -> Option<String> {
    let text = fs::read_to_string(refusal_file(project)).ok()?;
    let (version, refusal) = text.split_once('\n')?;
    (version == own_version(project)).then(|| refusal.to_owned())
}

/// The file of a Debian package whose path ends so.
fn packaged(package: &str, end: &str) -> Result<PathBuf> {
    let files = shell::output(Command::new("dpkg").args(["-L", package]))?;
    files
        .lines()
        .map(Path::new)
        .find(|path| path.ends_with(end) && path.is_file())
        .map(Path::to_owned)
        .ok_or_else(|| anyhow!("Debian's package {package} has no {end}; try: apt-get install --reinstall {package}"))
}
