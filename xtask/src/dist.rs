//! The static site to put on any host, under any path: a folder and a zip.

use std::fs::File;
use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result, bail};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use crate::project::{Project, VERSION};
use crate::shell::{self, say};
use crate::{site, tree};

/// Ways in which a page or a style sheet asks for the top of its host instead of its own place.
const ABSOLUTE: [&str; 5] = ["=\"/", "='/", "url(/", "url(\"/", "url('/"];

/// Writes `dist/tandem-<version>/` and `dist/tandem-<version>.zip`.
pub fn dist(project: &Project) -> Result<()> {
    let site = site::build_whole(project)?;
    let name = format!("tandem-{VERSION}");
    let folder = project.path("dist").join(&name);
    tree::replace(&site, &folder, &[])?;
    let absolute = absolute_urls(&folder)?;
    if !absolute.is_empty() {
        bail!("these break below a sub-path; make them relative:\n  {}", absolute.join("\n  "));
    }
    let archive = project.path("dist").join(format!("{name}.zip"));
    pack(&folder, &name, &archive)?;
    let bytes = archive.metadata()?.len();
    say(format!("dist/{name}/ and dist/{name}.zip ({} KiB) work under any path of any static host", bytes / 1024));
    Ok(())
}

/// Zips a folder under a name, with fixed times and order: equal sites give equal archives.
fn pack(folder: &Path, name: &str, archive: &Path) -> Result<()> {
    let file = File::create(archive).with_context(|| format!("cannot write {}", archive.display()))?;
    let mut zip = ZipWriter::new(file);
    let options = SimpleFileOptions::default().unix_permissions(0o644);
    for file in tree::files(folder, &[])? {
        let parts: Vec<_> = file.iter().map(|part| part.to_string_lossy()).collect();
        zip.start_file(format!("{name}/{}", parts.join("/")), options)?;
        zip.write_all(&shell::read(&folder.join(&file))?)?;
    }
    zip.finish()?;
    Ok(())
}

/// The places of pages and style sheets that name an absolute path, as `file:line: text`.
fn absolute_urls(folder: &Path) -> Result<Vec<String>> {
    let mut found = Vec::new();
    for file in tree::files(folder, &[])? {
        if !file.extension().is_some_and(|end| end == "html" || end == "css" || end == "webmanifest") {
            continue;
        }
        let text = shell::read(&folder.join(&file))?;
        for (number, line) in String::from_utf8_lossy(&text).lines().enumerate() {
            if let Some(at) = absolute_url(line) {
                let start: String = line[at..].chars().take(60).collect();
                found.push(format!("{}:{}: {start}", file.display(), number + 1));
            }
        }
    }
    Ok(found)
}

/// Where in a line an absolute path is asked for, if anywhere.
fn absolute_url(line: &str) -> Option<usize> {
    ABSOLUTE.iter().filter_map(|start| line.find(start)).min()
}

#[cfg(test)]
mod tests {
    use super::absolute_url;

    #[test]
    fn absolute_paths_are_seen_and_relative_ones_let_pass() {
        for line in [
            r#"<a href="/gnomes/">"#,
            "<script src='/assets/a.js'>",
            "background: url(/a.png)",
            r#"<link href="//elsewhere/a.css">"#,
        ] {
            assert!(absolute_url(line).is_some(), "{line}");
        }
        for line in
            [r#"<a href="../gnomes/">"#, r#"<a href="https://doi.org/x">"#, "url(data:image/svg+xml,x)", "a / b"]
        {
            assert!(absolute_url(line).is_none(), "{line}");
        }
    }
}
