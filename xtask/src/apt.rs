//! Debian packages: installed when missing and allowed, otherwise named with the command to type.

use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use crate::shell::{self, say};

/// Whether this machine installs software with apt.
pub fn present() -> bool {
    Path::new("/etc/debian_version").exists() && shell::which("apt-get").is_some()
}

/// Whether a package is installed.
pub fn installed(package: &str) -> bool {
    Command::new("dpkg-query")
        .args(["-W", "-f=${Status}", package])
        .output()
        .is_ok_and(|output| String::from_utf8_lossy(&output.stdout) == "install ok installed")
}

/// Makes sure that packages are installed; `why` is said when that takes an installation.
pub fn ensure(packages: &[&str], why: &str) -> Result<()> {
    let missing: Vec<&str> = packages.iter().copied().filter(|package| !installed(package)).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let by_hand = format!("apt-get install -y --no-install-recommends {}", missing.join(" "));
    if !is_root() {
        bail!("{why}: this needs Debian packages, and only root may install them. Type: sudo {by_hand}");
    }
    say(format!("{why}: installing {} (minutes)", missing.join(" ")));
    let mut install = apt_get();
    install.args(["install", "-y", "--no-install-recommends"]).args(&missing).stdout(Stdio::null());
    if shell::succeeds(&mut install) {
        return Ok(());
    }
    // A fresh machine's package lists are empty or old, so a refusal is believed only after fetching them.
    shell::succeeds(apt_get().arg("update"));
    install.stderr(Stdio::inherit());
    shell::run(&mut install).with_context(|| format!("{why}: apt cannot install what is needed; try: {by_hand}"))
}

fn apt_get() -> Command {
    let mut command = Command::new("apt-get");
    command.env("DEBIAN_FRONTEND", "noninteractive").args(["-qq", "-o", "DPkg::Lock::Timeout=120"]);
    command
}

fn is_root() -> bool {
    Command::new("id").arg("-u").output().is_ok_and(|output| output.stdout.trim_ascii() == b"0")
}
