//! `trace`: recorded games, checked and read.

use crate::failure::{bad, read};
use std::fmt::Write as _;
use std::path::Path;
use tandem_core::trace::{Derived, End, Entry, Recorded, Replay, Trace};
use tandem_core::{Millis, SeatSetup};
use tandem_gnomes::Gnomes;

/// Plays the trace again; says what was in it if all is well.
///
/// # Errors
/// The first line that is wrong.
pub fn check(file: &Path) -> anyhow::Result<String> {
    let replay = replay(file)?;
    let trace = replay.trace();
    let end = match trace.end() {
        Some(End::Over { .. }) => "played to its end",
        Some(End::Stopped { .. }) => "stopped before its end",
        None => "not ended",
    };
    let (lines, steps, digest) = (trace.texts().len(), replay.frames() - 1, replay.digest());
    let cut = if trace.cut() { "; a last, unfinished line was left out" } else { "" };
    Ok(format!("ok: {lines} lines, {steps} steps, {end}, digest {digest:016x}{cut}\n"))
}

/// The trace as a list of what happened.
///
/// # Errors
/// The first line that is wrong.
pub fn show(file: &Path) -> anyhow::Result<String> {
    let replay = replay(file)?;
    let trace = replay.trace();
    let header = trace.header();
    let mut out = String::new();
    writeln!(out, "{}, {}, seed {}, library {}", header.world, header.rules, header.seed.get(), header.library)?;
    writeln!(out, "config {}", header.config)?;
    for (seat, setup) in header.seats.iter().enumerate() {
        match setup {
            SeatSetup::Human {} => writeln!(out, "seat {seat}: a person")?,
            SeatSetup::Agent { name, config } if config.is_null() => writeln!(out, "seat {seat}: {name:?}")?,
            SeatSetup::Agent { name, config } => writeln!(out, "seat {seat}: {name:?} with {config}")?,
        }
    }
    for (index, line) in trace.lines().iter().enumerate() {
        if let Some(words) = words(&line.entry) {
            writeln!(out, "{:>6} {:>10}  {words}", Trace::line_number(index), clock(line.at))?;
        }
    }
    Ok(out)
}

fn replay(file: &Path) -> anyhow::Result<Replay<Gnomes>> {
    let wrong = |error| bad(format_args!("{}: {error}", file.display()));
    Replay::new(Trace::read_bytes(&read(file)?).map_err(wrong)?).map_err(wrong)
}

/// What the line tells. Timers tell nothing. Texts are quoted: a trace may hold anything, also what moves the cursor.
fn words(entry: &Entry) -> Option<String> {
    Some(match entry {
        Entry::Header(_) | Entry::Event(Recorded::Wake { .. }) => return None,
        Entry::Event(Recorded::Start {}) => "the session starts".into(),
        Entry::Event(Recorded::Resume {}) => "the session goes on".into(),
        Entry::Event(Recorded::Act { seat, action }) => format!("{seat} acts: {action}"),
        Entry::Event(Recorded::Say { seat, text }) => format!("{seat} says: {text:?}"),
        Entry::Event(Recorded::Answer { ticket, answer, .. }) => {
            format!("question {} is answered: {answer:?}", ticket.0)
        }
        Entry::Derived(Derived::Thought { seat, because }) => format!("{seat} thinks: {because}"),
        Entry::Derived(Derived::Ask { seat, ticket, body }) => format!("{seat} asks question {}: {body}", ticket.0),
        Entry::Derived(Derived::Fault { seat, problem }) => format!("{seat} fails: {problem:?}"),
        Entry::End(End::Over { outcome, digest }) => format!("the game is over: {outcome}, digest {digest:?}"),
        Entry::End(End::Stopped { digest }) => format!("the session is stopped, digest {digest:?}"),
    })
}

/// `m:ss.mmm`.
fn clock(at: Millis) -> String {
    let Millis(millis) = at;
    format!("{}:{:02}.{:03}", millis / 60_000, millis / 1000 % 60, millis % 1000)
}
