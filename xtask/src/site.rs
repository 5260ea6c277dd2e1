//! The whole product: `pkg/` for whoever embeds a game, `www/site/` for whoever visits.

use std::fs::{self, File, TryLockError};
use std::path::PathBuf;
use std::process::Stdio;

use anyhow::{Context, Result, bail};

use crate::project::Project;
use crate::shell::{self, say, timed};
use crate::stamp::Inputs;
use crate::wasm::{BASE, GPU, Library};
use crate::{npm, tree};

/// Directories of `www/` that hold products and caches, not sources.
const NOT_SOURCES: [&str; 3] = ["node_modules", "site", ".vite"];

/// Builds one library alone, with its bindings.
pub fn build_library(project: &Project, library: &Library) -> Result<PathBuf> {
    let _lock = lock(project)?;
    if project.www().join("package.json").exists() {
        npm::install(project, "www")?;
    }
    library.build(project)
}

/// Builds everything, the Guide on the GPU too, which takes long the first time.
pub fn build_whole(project: &Project) -> Result<PathBuf> {
    build_library(project, &GPU)?;
    build(project)
}

/// Builds everything that changed but the Guide on the GPU, which the site has if it was built before; the finished site's
/// directory is returned.
pub fn build(project: &Project) -> Result<PathBuf> {
    let _lock = lock(project)?;
    npm::install(project, "www")?;
    BASE.build(project)?;

    let site = project.site();
    let made = [site.join("index.html"), project.pkg().join("tandem-game.js"), site.join("pkg/tandem-game.js")];
    let mut inputs = Inputs::of("npm run build")
        .dir(&project.www(), &NOT_SOURCES)?
        .dir(&BASE.folder(project), &[])?
        .dir(&project.weights(), &[])?
        .file(&project.pkg().join("package.json"))?;
    if GPU.folder(project).exists() {
        inputs = inputs.dir(&GPU.folder(project), &[])?;
    }
    let stamp = inputs.stamp(project, "site");
    if stamp.is_fresh(&made) {
        return Ok(site);
    }
    clear_products(project)?;
    timed("Building the elements and the site", || shell::run(&mut npm::script(project, "www", "build")))?;
    tree::replace(&project.weights(), &project.pkg().join("weights"), &[])?;
    tree::replace(&project.pkg(), &site.join("pkg"), &["node_modules"])?;
    // Last of all: the service worker lists every file of the site.
    if npm::has_script(project, "www", "sw")? {
        shell::run(npm::script(project, "www", "sw").stdout(Stdio::null()))?;
    }
    if let Some(missing) = made.iter().find(|path| !path.exists()) {
        bail!("`npm run build` in www made no {}", missing.display());
    }
    stamp.set()?;
    Ok(site)
}

/// Removes the elements of earlier builds from `pkg/`: files with hashed names would pile up.
fn clear_products(project: &Project) -> Result<()> {
    const KEPT: [&str; 5] = ["package.json", "README.md", "wasm", "gpu", "node_modules"];
    for entry in fs::read_dir(project.pkg())? {
        let path = entry?.path();
        if KEPT.iter().any(|name| path.ends_with(name)) {
            continue;
        }
        let removed = if path.is_dir() { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
        removed.with_context(|| format!("cannot remove {}", path.display()))?;
    }
    Ok(())
}

/// Two builds at once would overwrite each other's products: the second waits.
fn lock(project: &Project) -> Result<File> {
    let path = project.wasm_target().join("xtask.lock");
    fs::create_dir_all(project.wasm_target())?;
    let file = File::create(&path).with_context(|| format!("cannot make {}", path.display()))?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => {
            say("Waiting for another `cargo xtask` to finish its build");
            file.lock()?;
        }
        Err(TryLockError::Error(error)) => return Err(error).context("cannot lock the build directory"),
    }
    Ok(file)
}
