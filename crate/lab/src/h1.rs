//! `gnomes h1`: hypothesis H1 of the paper (section 5.1). The same model reads what messages mean, and predicts the next
//! step directly from the same messages; how often each is right, and whether that differs.
//!
//! A reply that is none counts as wrong for both alike: what a model cannot say it does not know.

use crate::cli::H1;
use crate::failure::bad;
use crate::intents::questions;
use crate::model::{Model, Took};
use serde::Serialize;
use tandem_gnomes::language::model::Situation;
use tandem_study::{LEVEL, McNemar, Proportion, mcnemar, proportion};

/// What the comparison comes to.
#[derive(Serialize)]
struct Found {
    model: String,
    flags: Proportion,
    next_actions: Proportion,
    /// First is the flag, second the next action.
    mcnemar: McNemar,
    /// Replies that were none, or did not come: for flags, for next actions.
    unanswered: [usize; 2],
    /// Milliseconds to a whole reply, of either kind.
    millis: Option<Took>,
}

/// Asks the model about every line, twice.
///
/// # Errors
/// A line that is none or lacks the flag or the next action, or no model to ask.
pub fn run(asked: &H1) -> anyhow::Result<String> {
    let questions = questions(&asked.file)?;
    let mut pairs = Vec::new();
    for (index, question) in questions.iter().enumerate() {
        let (Some(flag), Some(action)) = (question.right, question.next_action) else {
            let place = asked.file.display();
            return Err(bad(format_args!("{place}: message {} needs both flag and next_action", index + 1)));
        };
        pairs.push((question, flag, action));
    }
    if pairs.is_empty() {
        return Err(bad(format_args!("{}: there are no messages", asked.file.display())));
    }
    let mut model = Model::new(&asked.model)?;
    let (mut flags, mut actions) = (Vec::new(), Vec::new());
    let mut problems = [Vec::new(), Vec::new()];
    for (question, flag, action) in pairs {
        let read = model.intent(&question.message, question.last_request);
        let situation = Situation {
            message: &question.message,
            last_request: question.last_request,
            open: question.open.as_deref(),
        };
        let predicted = model.next_action(situation);
        flags.push(read == Ok(flag));
        actions.push(predicted == Ok(action));
        problems[0].extend(read.err());
        problems[1].extend(predicted.err());
    }
    for (what, problems) in ["flags", "next actions"].into_iter().zip(&problems) {
        if let Some(first) = problems.first() {
            eprintln!("{} {what} were not answered; the first because: {first}", problems.len());
        }
    }
    let share = |right: &[bool]| {
        let count = right.iter().filter(|right| **right).count();
        proportion(count as u64, right.len() as u64, LEVEL)
    };
    let only = |one: &[bool], other: &[bool]| one.iter().zip(other).filter(|(one, other)| **one && !**other).count();
    let found = Found {
        model: model.name().to_owned(),
        flags: share(&flags)?,
        next_actions: share(&actions)?,
        mcnemar: mcnemar(only(&flags, &actions) as u64, only(&actions, &flags) as u64),
        unanswered: problems.map(|problems| problems.len()),
        millis: model.took(),
    };
    Ok(if asked.json { format!("{}\n", serde_json::to_string(&found)?) } else { found.words() })
}

impl Found {
    fn words(&self) -> String {
        let row = |name: &str, Proportion { successes, trials, share, interval }: &Proportion| {
            let [low, high] = interval.map(|bound| 100.0 * bound);
            let percent = 100.0 * share;
            format!("{name:<13}{successes} of {trials} right: {percent:.2}% (95% interval {low:.2}% to {high:.2}%)\n")
        };
        let McNemar { only_first, only_second, p } = self.mcnemar;
        format!(
            "{}{}McNemar's exact test: only the flag right {only_first}, only the next action right {only_second}, \
             p = {p:.4}\n",
            row("flags", &self.flags),
            row("next actions", &self.next_actions),
        )
    }
}
