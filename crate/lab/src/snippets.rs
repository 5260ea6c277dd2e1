//! `gnomes snippets`: recorded games as lines for `intents` and `h1`, each a message with what its reader did next.
//!
//! The idea: all that a snippet needs stands in what the reader of the message may know when the game is over: its own
//! steps with where it made them, its own walls, and the chat. What the reader had asked before is what it said since
//! its last step but one, as in play. Several messages of one turn are one snippet.
//!
//! What a message means is known where an agent said it, since agents speak in templates made from what they mean and
//! which the embedded parser reads without a mistake. What people said, somebody has to annotate. Templates are few:
//! with a file of annotated messages, a template is exchanged for one of them with the same meaning in answer to the
//! same request, if there is one.

use crate::cli::Snippets;
use crate::failure::{bad, read};
use crate::intents::{Question, questions};
use rand::seq::{IndexedRandom, SliceRandom};
use serde::Serialize;
use std::path::{Path, PathBuf};
use tandem_core::trace::{Replay, Trace};
use tandem_core::{Seat, SeatSetup, Seed, Stream, World};
use tandem_gnomes::language::{Embedded, Parser};
use tandem_gnomes::view::Message;
use tandem_gnomes::{Action, Flag, Gnomes, View};

/// One message and what came of it.
#[derive(Serialize)]
struct Snippet {
    id: String,
    message: String,
    last_agent_request: Option<Action>,
    #[serde(skip_serializing_if = "Option::is_none")]
    flag: Option<&'static str>,
    open: Vec<Action>,
    next_action: Action,
}

/// The snippets of all games.
///
/// # Errors
/// A trace that is none, a file of words that is none, or not one message.
pub fn run(asked: &Snippets) -> anyhow::Result<String> {
    let words = asked.words.as_deref().map(questions).transpose()?.unwrap_or_default();
    let mut stream = Seed::new(asked.seed).map_err(bad)?.stream("snippets");
    let mut out = String::new();
    for file in files(&asked.traces)? {
        let wrong = |error| bad(format_args!("{}: {error}", file.display()));
        let replay = Replay::<Gnomes>::new(Trace::read_bytes(&read(&file)?).map_err(wrong)?).map_err(wrong)?;
        let game = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        for (number, snippet) in of_game(&replay, Seat(asked.speaker)).into_iter().enumerate() {
            let snippet = Snippet { id: format!("{game}-{number}"), ..reworded(snippet, &words, &mut stream) };
            out.push_str(&serde_json::to_string(&snippet)?);
            out.push('\n');
        }
    }
    if out.is_empty() {
        return Err(bad(format_args!("seat {} says nothing in these games", asked.speaker)));
    }
    let lines: Vec<&str> = out.lines().collect();
    let Some(most) = asked.most.filter(|most| *most < lines.len()) else { return Ok(out) };
    // A draw, not the beginning: games begin alike.
    let mut all: Vec<usize> = (0..lines.len()).collect();
    let (drawn, _) = all.partial_shuffle(&mut stream, most);
    drawn.sort_unstable();
    Ok(drawn.iter().map(|index| format!("{}\n", lines[*index])).collect())
}

/// The traces named, and those in the directories named, in order of their names.
fn files(named: &[PathBuf]) -> anyhow::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for path in named {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let failed = |error: std::io::Error| bad(format_args!("{}: {error}", path.display()));
        let mut inside = Vec::new();
        for entry in path.read_dir().map_err(failed)? {
            inside.push(entry.map_err(failed)?.path());
        }
        inside.retain(|file| file.extension() == Some(Path::new("jsonl").as_os_str()));
        inside.sort();
        files.extend(inside);
    }
    Ok(files)
}

/// The snippets of a game: what `speaker` said, and what the other seat did.
fn of_game(replay: &Replay<Gnomes>, speaker: Seat) -> Vec<Snippet> {
    let agent = matches!(replay.trace().header().seats.get(speaker.index()), Some(SeatSetup::Agent { .. }));
    let reader = Seat(1 - speaker.0);
    let Some(last) = replay.frame(replay.frames() - 1) else { return Vec::new() };
    let view = last.world.view(reader);
    let side = view.side();
    let mut snippets = Vec::new();
    let turns =
        view.messages.chunk_by(|one, other| (one.seat, one.round, one.turn) == (other.seat, other.round, other.turn));
    for said in turns.filter(|said| said[0].seat == speaker) {
        let (round, turn) = (said[0].round, said[0].turn);
        let next = view.history.iter().find(|past| past.round == round && past.turn > turn && past.seat == reader);
        let Some((past, next_action)) = next.and_then(|past| Some((past, past.attempt?))) else { continue };
        let request = open_request(&view, reader, round, turn);
        snippets.push(Snippet {
            id: String::new(),
            message: said.iter().map(|message| message.text.as_str()).collect::<Vec<_>>().join(" "),
            last_agent_request: request,
            flag: agent.then(|| meant(said, request).name()),
            open: side.actions(past.from).collect(),
            next_action,
        });
    }
    snippets
}

/// What the reader had asked for when it was answered: what it said since its last step but one.
fn open_request(view: &View, reader: Seat, round: usize, turn: u32) -> Option<Action> {
    let since = |message: &&Message| message.round == round && (turn.saturating_sub(1)..=turn).contains(&message.turn);
    let asked = view.messages.iter().filter(|message| message.seat == reader).filter(since);
    asked.filter_map(|message| Embedded.flag(&message.text, None).action()).next_back()
}

/// What an agent meant by all it said in a turn: a step asked for outweighs the rest.
fn meant(said: &[Message], request: Option<Action>) -> Flag<Action> {
    let flags = || said.iter().map(|message| Embedded.flag(&message.text, request));
    flags().find(|flag| flag.action().is_some()).or_else(|| flags().next_back()).unwrap_or(Flag::None)
}

/// The snippet in other words that mean the same in answer to the same request, if there are such.
fn reworded(snippet: Snippet, words: &[Question], stream: &mut Stream) -> Snippet {
    let same = |one: &&Question| {
        one.last_request == snippet.last_agent_request
            && snippet.flag.is_some_and(|flag| one.right.is_some_and(|right| right.name() == flag))
    };
    let fit: Vec<&Question> = words.iter().filter(same).collect();
    match fit.choose(stream) {
        Some(other) => Snippet { message: other.message.clone(), ..snippet },
        None => snippet,
    }
}
