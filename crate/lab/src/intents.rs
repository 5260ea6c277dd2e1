//! `gnomes intents`: what messages mean, and how often that is right.

use crate::cli::{Intents, ParserName};
use crate::failure::{bad, read_text};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fmt::Write as _;
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
}

/// A message to be read.
struct Question {
    id: Value,
    message: String,
    last_request: Option<Action>,
    right: Option<Flag<Action>>,
}

/// What a message was read as.
#[derive(Serialize)]
struct Reading<'a> {
    id: &'a Value,
    flag: &'static str,
}

/// All flags, as rows and columns of the confusion table.
const FLAGS: [Flag<Action>; 9] = [
    Flag::Do(Action::Right),
    Flag::Do(Action::Up),
    Flag::Do(Action::Left),
    Flag::Do(Action::Down),
    Flag::Do(Action::Stay),
    Flag::Inquiry,
    Flag::Accept,
    Flag::Reject,
    Flag::None,
];

/// Reads every message of the file. Accuracy goes to standard error.
///
/// # Errors
/// A line that is none (nothing is printed then), or a parser that is not here yet.
pub fn run(asked: &Intents) -> anyhow::Result<String> {
    if asked.parser == ParserName::Llm {
        return Err(bad("the llm parser needs the proxy to a language model, which this version does not have yet; \
                        use --parser embedded"));
    }
    let text = read_text(&asked.file)?;
    let mut questions = Vec::new();
    for (index, line) in text.trim_start_matches('\u{feff}').lines().enumerate() {
        if !line.trim().is_empty() {
            let place = |problem| bad(format_args!("{}: line {}: {problem}", asked.file.display(), index + 1));
            questions.push(question(line).map_err(place)?);
        }
    }
    let mut parser = Embedded;
    let mut out = String::new();
    let mut judged = Vec::new();
    for Question { id, message, last_request, right } in &questions {
        let found = parser.flag(message, *last_request);
        writeln!(out, "{}", serde_json::to_string(&Reading { id, flag: found.name() })?)?;
        judged.extend(right.map(|right| (right, found)));
    }
    if !judged.is_empty() {
        eprint!("{}", judgement(&judged)?);
    }
    Ok(out)
}

fn question(line: &str) -> Result<Question, String> {
    let Line { id, message, last_agent_request, flag } =
        serde_json::from_str(line).map_err(|error| error.to_string())?;
    if !(id.is_string() || id.is_number()) {
        return Err(format!("id is {id}; it must be a text or a number"));
    }
    let last_request = last_agent_request.map(|name| action(&name)).transpose()?;
    let right = flag
        .map(|name| {
            let flag = Flag::named(&name).or_else(|| action(&name).ok().map(Flag::Do));
            let known = || FLAGS.map(Flag::name).join(", ");
            flag.ok_or_else(|| format!("there is no flag {name:?}; there are {}", known()))
        })
        .transpose()?;
    Ok(Question { id, message, last_request, right })
}

/// The action of that name, by the paper's words for staying too.
fn action(name: &str) -> Result<Action, String> {
    match name {
        "noop" | "stay put" => Ok(Action::Stay),
        _ => Action::named(name).ok_or_else(|| {
            format!("last_agent_request is {name:?}; it must be null, {}", Action::ALL.map(Action::name).join(", "))
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
    for column in FLAGS {
        write!(text, "{:>9}", column.name())?;
    }
    for row in FLAGS {
        write!(text, "\n{:<13}", row.name())?;
        for column in FLAGS {
            write!(text, "{:>9}", judged.iter().filter(|pair| **pair == (row, column)).count())?;
        }
    }
    Ok(text + "\n")
}
