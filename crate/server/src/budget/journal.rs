//! Spending that outlives the process.
//!
//! The idea: each reservation is a line before the call is made, each settlement a line after it. Read again, a
//! reservation without its settlement counts at its worst case: the process died, and upstream may have worked. At each
//! start the sums are written anew, so that the file does not grow for ever.

use super::{Accounts, Amounts};
use crate::caller::Who;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// A file of budgets that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// The system failed.
    #[error("the file of budgets {}: {cause}", file.display())]
    Io {
        /// Which file.
        file: PathBuf,
        /// What the system says.
        cause: io::Error,
    },
    /// A line is none that this program wrote.
    #[error("the file of budgets {}:{line}: {what}", file.display())]
    Line {
        /// Which file.
        file: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        what: String,
    },
    /// Another server has it.
    #[error("the file of budgets {} is in use by another server", .0.display())]
    InUse(PathBuf),
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "line", rename_all = "lowercase", deny_unknown_fields)]
pub(super) enum Line {
    /// A sum: of a participant, of a day, or of everything.
    Sum {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        who: Option<Who>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        day: Option<u64>,
        spent: Amounts,
    },
    Reserved {
        id: u64,
        who: Who,
        day: u64,
        worst: Amounts,
    },
    Settled {
        id: u64,
        used: Amounts,
    },
}

pub(super) struct Journal {
    file: File,
    /// Held as long as the journal is. A file of its own, since the journal is replaced at the start.
    _lock: File,
}

impl Journal {
    /// Adds what the file says to the accounts, writes the sums anew, and goes on from there.
    pub(super) fn open(path: &Path, accounts: &mut Accounts) -> Result<Self, JournalError> {
        let failed = |cause| JournalError::Io { file: path.to_owned(), cause };
        let beside = |ending: &str| {
            let mut name = path.as_os_str().to_owned();
            name.push(ending);
            PathBuf::from(name)
        };
        let lock = OpenOptions::new().create(true).append(true).open(beside(".lock")).map_err(failed)?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(JournalError::InUse(path.to_owned())),
            Err(TryLockError::Error(cause)) => return Err(failed(cause)),
        }
        match fs::read_to_string(path) {
            Ok(text) => read(&text, accounts).map_err(|(line, what)| JournalError::Line {
                file: path.to_owned(),
                line,
                what,
            })?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(failed(error)),
        }
        let file = rewrite(path, &beside(".new"), accounts).map_err(failed)?;
        Ok(Self { file, _lock: lock })
    }

    /// Appends a line in one piece, or nothing. Called by one at a time.
    pub(super) fn write(&self, line: &Line) -> io::Result<()> {
        let mut text = serde_json::to_string(line)?;
        text.push('\n');
        let before = self.file.metadata()?.len();
        (&self.file).write_all(text.as_bytes()).inspect_err(|_| {
            let _ = self.file.set_len(before);
        })
    }
}

fn read(text: &str, accounts: &mut Accounts) -> Result<(), (usize, String)> {
    let mut open = BTreeMap::new();
    // A last line that breaks off was not written whole: the call was not made, or keeps its worst case.
    let whole = text.rfind('\n').map_or("", |end| &text[..end]);
    for (index, line) in whole.lines().enumerate() {
        let line: Line = serde_json::from_str(line).map_err(|error| (index + 1, error.to_string()))?;
        match line {
            Line::Sum { who: Some(who), spent, .. } => {
                let account = accounts.sessions.entry(who).or_default();
                account.spent = account.spent.plus(spent);
            }
            Line::Sum { day: Some(day), spent, .. } if day == accounts.today => {
                accounts.day.spent = accounts.day.spent.plus(spent);
            }
            Line::Sum { day: Some(_), .. } => {}
            Line::Sum { spent, .. } => accounts.all.spent = accounts.all.spent.plus(spent),
            Line::Reserved { id, who, day, worst } => {
                open.insert(id, (who, day, worst));
            }
            Line::Settled { id, used } => {
                let (who, day, _) =
                    open.remove(&id).ok_or_else(|| (index + 1, format!("nothing was reserved as {id}")))?;
                accounts.each(&who, day, |account| account.spent = account.spent.plus(used));
            }
        }
    }
    for (who, day, worst) in open.into_values() {
        accounts.each(&who, day, |account| account.spent = account.spent.plus(worst));
    }
    Ok(())
}

/// Writes the sums to a new file, durably, and puts it in the place of the old one.
fn rewrite(path: &Path, new: &Path, accounts: &Accounts) -> io::Result<File> {
    let mut text = String::new();
    let day = Line::Sum { who: None, day: Some(accounts.today), spent: accounts.day.spent };
    let all = Line::Sum { who: None, day: None, spent: accounts.all.spent };
    let sessions = accounts.sessions.iter();
    let sessions = sessions.map(|(who, one)| Line::Sum { who: Some(who.clone()), day: None, spent: one.spent });
    for line in sessions.chain([day, all]) {
        text.push_str(&serde_json::to_string(&line)?);
        text.push('\n');
    }
    let mut file = File::create(new)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()?;
    fs::rename(new, path)?;
    OpenOptions::new().append(true).open(path)
}
