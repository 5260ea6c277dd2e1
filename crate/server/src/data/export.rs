//! All sessions of a study in one file: as they are, zipped, or as one table.

use super::{Place, Store};
use crate::names;
use serde_json::Value;
use std::fs::File;
use std::io::{self, BufWriter, Seek as _, Write};

/// The form of the file.
#[derive(Clone, Copy)]
pub(super) enum Form {
    /// `PARTICIPANT/SESSION.jsonl`, each as the page would download it.
    Zip,
    /// A row for each line of each trace.
    Csv,
}

impl Form {
    pub(super) fn of(ending: &str) -> Option<Self> {
        match ending {
            "zip" => Some(Self::Zip),
            "csv" => Some(Self::Csv),
            _ => None,
        }
    }

    pub(super) fn content_type(self) -> &'static str {
        match self {
            Self::Zip => "application/zip",
            Self::Csv => "text/csv; charset=utf-8",
        }
    }
}

/// Writes the study's sessions to a file without a name, and gives it with its length; nothing if there are none.
pub(super) fn write(store: &Store, study: &str, form: Form) -> io::Result<Option<(File, u64)>> {
    let places = store.sessions(study)?;
    if places.is_empty() {
        return Ok(None);
    }
    let mut out = BufWriter::new(tempfile::tempfile()?);
    match form {
        Form::Zip => zipped(store, &places, &mut out)?,
        Form::Csv => table(store, &places, &mut out)?,
    }
    let mut file = out.into_inner().map_err(io::IntoInnerError::into_error)?;
    let length = file.stream_position()?;
    file.rewind()?;
    Ok(Some((file, length)))
}

fn zipped(store: &Store, places: &[Place], out: &mut BufWriter<File>) -> io::Result<()> {
    let mut zip = zip::ZipWriter::new(out);
    let options = zip::write::SimpleFileOptions::default();
    for place in places {
        zip.start_file(format!("{}/{}.jsonl", place.participant, place.session), options)?;
        zip.write_all(&store.read(place)?)?;
    }
    zip.finish()?;
    Ok(())
}

/// The columns: where a line is from, its number and time, what it is (`header`, `event`, `derived` or `end`) by which
/// name and of which seat, and the line itself.
fn table(store: &Store, places: &[Place], out: &mut BufWriter<File>) -> io::Result<()> {
    let mut csv = csv::Writer::from_writer(out);
    csv.write_record(["study", "participant", "session", "n", "at", "kind", "name", "seat", "line"])?;
    for place in places {
        let data = store.read(place)?;
        for line in data.split(|&byte| byte == b'\n').filter(|line| !line.is_empty()) {
            let value: Value = serde_json::from_slice(line).unwrap_or_default();
            let (kind, name) = kind(&value);
            let fields = [number(&value, "n"), number(&value, "at"), kind.to_owned(), name, number(&value, "seat")];
            csv.write_field(&place.study)?;
            csv.write_field(&place.participant)?;
            csv.write_field(&place.session)?;
            for field in fields {
                csv.write_field(field)?;
            }
            csv.write_field(line)?;
            csv.write_record(None::<&[u8]>)?;
        }
    }
    csv.flush()
}

/// What a line is. A spreadsheet takes a field that begins with `=`, `+`, `-` or `@` for a formula, and whoever sent the
/// line may know that: only plain names get into the table, and a line itself begins with a brace.
fn kind(line: &Value) -> (&'static str, String) {
    let named = |field: &str| {
        line.get(field).map(|name| name.as_str().filter(|name| names::is_plain(name)).unwrap_or_default().to_owned())
    };
    ["event", "derived", "end"]
        .into_iter()
        .find_map(|kind| Some((kind, named(kind)?)))
        .or_else(|| Some(("header", named("trace")?)))
        .unwrap_or_default()
}

fn number(line: &Value, field: &str) -> String {
    line.get(field).and_then(Value::as_u64).map(|number| number.to_string()).unwrap_or_default()
}
