//! `gnomes intents`: what messages mean, and how often that is right.

use crate::cli::{Intents, ParserName};
use crate::failure::{bad, read_text};
use crate::model::{Model, Took};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fmt::Write as _;
use std::path::Path;
use tandem_gnomes::language::model::readable;
use tandem_gnomes::language::{Embedded, Parser};
use tandem_gnomes::{Action, Flag};
use tandem_study::{LEVEL, proportion};

/// One line of the file.
#[derive(Deserialize)]
struct Line {
    id: Value,
    message: String,
    #[serde(default)]
    last_agent_request: Option<String>,
    #[serde(default)]
    flag: Option<String>,
    #[serde(default)]
    next_action: Option<String>,
    #[serde(default)]
    open: Option<Vec<String>>,
}

/// A message to be read.
pub struct Question {
    id: Value,
    /// The message.
    pub message: String,
    /// What its reader had asked of its sender.
    pub last_request: Option<Action>,
    /// What it means, if somebody has said so.
    pub right: Option<Flag<Action>>,
    /// What its reader did next, if that is known.
    pub next_action: Option<Action>,
    /// The steps that were open to its reader, if that is known.
    pub open: Option<Vec<Action>>,
}

/// What a message was read as.
#[derive(Serialize)]
struct Reading<'a> {
    id: &'a Value,
    flag: &'static str,
}

/// Reads every message of the file. Accuracy goes to standard error, as does how often a model failed and the embedded
/// parser read in its place, as it would in play.
///
/// # Errors
/// A line that is none (nothing is printed then), or no model to ask where one is to read.
pub fn run(asked: &Intents) -> anyhow::Result<String> {
    let questions = questions(&asked.file)?;
    let mut model = match asked.parser {
        ParserName::Embedded => None,
        ParserName::Llm => Some(Model::new(&asked.model)?),
    };
    let mut out = String::new();
    let mut judged = Vec::new();
    let mut failed = Vec::new();
    for Question { id, message, last_request, right, .. } in &questions {
        let found = match &mut model {
            Some(model) if readable(message) => match model.intent(message, *last_request) {
                Ok(flag) => flag,
                Err(problem) => {
                    failed.push(problem);
                    Embedded.flag(message, *last_request)
                }
            },
            _ => Embedded.flag(message, *last_request),
        };
        writeln!(out, "{}", serde_json::to_string(&Reading { id, flag: found.name() })?)?;
        judged.extend(right.map(|right| (right, found)));
    }
    if let Some(first) = failed.first() {
        eprintln!(
            "{} of {} were read by the embedded parser; the first because: {first}",
            failed.len(),
            questions.len()
        );
    }
    if let Some(Took { median, p95 }) = model.as_ref().and_then(Model::took) {
        eprintln!("replies took {median} ms in the median, {p95} ms at the 95th percentile");
    }
    if !judged.is_empty() {
        eprint!("{}", judgement(&judged)?);
    }
    Ok(out)
}

/// The lines of a file.
///
/// # Errors
/// The file cannot be read, or a line is none; then with its number.
pub fn questions(file: &Path) -> anyhow::Result<Vec<Question>> {
    let text = read_text(file)?;
    let mut questions = Vec::new();
    for (index, line) in text.trim_start_matches('\u{feff}').lines().enumerate() {
        if !line.trim().is_empty() {
            let place = |problem| bad(format_args!("{}: line {}: {problem}", file.display(), index + 1));
            questions.push(question(line).map_err(place)?);
        }
    }
    Ok(questions)
}

fn question(line: &str) -> Result<Question, String> {
    let Line { id, message, last_agent_request, flag, next_action, open } =
        serde_json::from_str(line).map_err(|error| error.to_string())?;
    if !(id.is_string() || id.is_number()) {
        return Err(format!("id is {id}; it must be a text or a number"));
    }
    let last_request = last_agent_request.map(|name| action("last_agent_request", &name)).transpose()?;
    let next_action = next_action.map(|name| action("next_action", &name)).transpose()?;
    let open = open.map(|names| names.iter().map(|name| action("open", name)).collect()).transpose()?;
    let right = flag
        .map(|name| {
            let flag = Flag::named(&name).or_else(|| action("flag", &name).ok().map(Flag::Do));
            let known = || Flag::ALL.map(Flag::name).join(", ");
            flag.ok_or_else(|| format!("there is no flag {name:?}; there are {}", known()))
        })
        .transpose()?;
    Ok(Question { id, message, last_request, right, next_action, open })
}

/// The action of that name, by the paper's words for staying too.
fn action(field: &str, name: &str) -> Result<Action, String> {
    match name {
        "noop" | "stay put" => Ok(Action::Stay),
        _ => Action::named(name).ok_or_else(|| {
            format!("{field} is {name:?}; it must be null, {}", Action::ALL.map(Action::name).join(", "))
        }),
    }
}

/// Accuracy, and which flags were taken for which.
fn judgement(judged: &[(Flag<Action>, Flag<Action>)]) -> anyhow::Result<String> {
    let right = judged.iter().filter(|(right, found)| right == found).count();
    let share = proportion(right as u64, judged.len() as u64, LEVEL)?;
    let [low, high] = share.interval.map(|bound| 100.0 * bound);
    let mut text = format!(
        "{right} of {} right: {:.2}% (95% interval {low:.2}% to {high:.2}%)\n\nright \\ found",
        judged.len(),
        100.0 * share.share
    );
    for column in Flag::ALL {
        write!(text, "{:>9}", column.name())?;
    }
    for row in Flag::ALL {
        write!(text, "\n{:<13}", row.name())?;
        for column in Flag::ALL {
            write!(text, "{:>9}", judged.iter().filter(|pair| **pair == (row, column)).count())?;
        }
    }
    Ok(text + "\n")
}
