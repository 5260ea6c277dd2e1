//! Browsers for tests and measurements: the system's, installed by apt where that is possible.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Result, bail};

use crate::project::Project;
use crate::{apt, rust, shell};

/// Where a browser may be found, and what brings it where it is not.
struct Browser {
    name: &'static str,
    /// The environment variable that names the program, whatever else is installed.
    variable: &'static str,
    programs: &'static [&'static str],
    applications: &'static [&'static str],
    packages: &'static [&'static str],
}

const CHROMIUM: Browser = Browser {
    name: "Chromium",
    variable: "TANDEM_CHROMIUM",
    programs: &["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"],
    applications: &[
        "/Applications/Chromium.app/Contents/MacOS/Chromium",
        "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    ],
    packages: &["chromium", "chromium-driver"],
};

const FIREFOX: Browser = Browser {
    name: "Firefox",
    variable: "TANDEM_FIREFOX",
    programs: &["firefox-esr", "firefox"],
    applications: &["/Applications/Firefox.app/Contents/MacOS/firefox"],
    packages: &["firefox-esr"],
};

impl Browser {
    fn ensure(&self) -> Result<PathBuf> {
        if let Some(path) = env::var_os(self.variable) {
            let path = PathBuf::from(path);
            if !path.is_file() {
                bail!("{} names {}, and there is no such file", self.variable, path.display());
            }
            return Ok(path);
        }
        if let Some(path) = self.find() {
            return Ok(path);
        }
        if apt::present() {
            apt::ensure(self.packages, &format!("{} for the browser tests", self.name))?;
        }
        match self.find() {
            Some(path) => Ok(path),
            None => {
                bail!("the browser tests need {}: install it, or set {} to the path of one", self.name, self.variable)
            }
        }
    }

    fn find(&self) -> Option<PathBuf> {
        let programs = self.programs.iter().find_map(|name| shell::which(name));
        programs.or_else(|| self.applications.iter().map(PathBuf::from).find(|path| path.is_file()))
    }
}

/// What a program that drives a browser is told, by environment variables.
pub struct Stage {
    chromium: PathBuf,
    firefox: Option<PathBuf>,
    server: PathBuf,
}

impl Stage {
    /// Finds or installs Chromium, and Firefox too where the caller needs it; builds the server.
    pub fn set(project: &Project, with_firefox: bool) -> Result<Self> {
        Ok(Self {
            chromium: CHROMIUM.ensure()?,
            firefox: if with_firefox { Some(FIREFOX.ensure()?) } else { None },
            server: rust::server(project)?,
        })
    }

    /// Tells a command where everything is.
    pub fn tell<'a>(&self, command: &'a mut Command, site: &Path) -> &'a mut Command {
        if let Some(firefox) = &self.firefox {
            command.env("TANDEM_FIREFOX", firefox);
        }
        command.env("TANDEM_CHROMIUM", &self.chromium).env("TANDEM_SERVER", &self.server).env("TANDEM_SITE", site)
    }
}
