//! The boards a game can name: a few made by hand, the numbered tasks of the three sets, and boards drawn by lot.

use crate::board::{FEWEST, LARGEST, MOST, SMALLEST};
use crate::tasks::{self, Split, Task};
use rand::RngExt;
use rand::seq::IndexedRandom;
use serde::Serialize;
use std::sync::Arc;
use tandem_core::{Seed, Stream};

/// The seed of the published task sets. `docs/cogrip-calibration.md` says why this one.
pub const TASKS_SEED: u64 = 12;

/// A board made by hand.
struct Level {
    name: &'static str,
    note: &'static str,
    task: &'static str,
}

const LEVELS: [Level; 5] = [
    Level { name: "first", note: "Two pieces, the target close by.", task: include_str!("../levels/first.jsonl") },
    Level {
        name: "corners",
        note: "A piece in every corner, none in sight.",
        task: include_str!("../levels/corners.jsonl"),
    },
    Level { name: "twins", note: "Two pieces alike but for their place.", task: include_str!("../levels/twins.jsonl") },
    Level {
        name: "crowd",
        note: "Eight pieces, two of each of some colours.",
        task: include_str!("../levels/crowd.jsonl"),
    },
    Level { name: "small", note: "A board of twelve tiles a side.", task: include_str!("../levels/small.jsonl") },
];

/// A board as a page offers it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BoardInfo {
    /// Its name.
    pub name: String,
    /// Columns.
    pub width: u8,
    /// Rows.
    pub height: u8,
    /// How many rounds a game on it has.
    pub rounds: usize,
    /// One line about it.
    pub note: String,
}

/// The boards made by hand, and what else can be named.
pub fn list() -> Vec<BoardInfo> {
    let mut boards: Vec<BoardInfo> = Vec::new();
    for Level { name, note, task } in &LEVELS {
        if let Some(task) = tasks::read(task).ok().and_then(|tasks| tasks.into_iter().next()) {
            let size = task.board.size();
            boards.push(BoardInfo { name: (*name).into(), width: size, height: size, rounds: 1, note: (*note).into() });
        }
    }
    let lot = |name: &str, note: &str| BoardInfo {
        name: name.into(),
        width: tasks::SIZE,
        height: tasks::SIZE,
        rounds: 1,
        note: note.into(),
    };
    boards.push(lot("random", "Drawn by the game's seed: two to eight pieces."));
    boards.push(lot("test-0", "The first of the 420 test tasks; test-1 and so on are the others."));
    boards
}

/// Where a game's tasks come from.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Source {
    /// One task, the same in every round.
    Fixed(Task),
    /// The tasks of a set, and the number of the first round's; the next round has the next one.
    Numbered(Arc<[Task]>, usize),
    /// Drawn anew each round: the side, and how many pieces if that is said.
    Drawn(u8, Option<usize>),
}

impl Source {
    /// Reads a board's name: a level, `test-7`, `random`, `random-SIZE`, `random-SIZE-PIECES`; or a task as a task file
    /// has it.
    pub fn named(name: &str) -> Result<Self, String> {
        if name.trim_start().starts_with('{') {
            let task = tasks::read(name).map_err(|error| error.to_string())?;
            return task.into_iter().next().map(Self::Fixed).ok_or_else(|| "no task".to_owned());
        }
        if let Some(level) = LEVELS.iter().find(|level| level.name == name) {
            return Self::named(level.task);
        }
        let mut parts = name.split('-');
        let kind = parts.next().unwrap_or_default();
        let numbers = parts.map(str::parse::<usize>).collect::<Result<Vec<_>, _>>().map_err(|_| unknown(name))?;
        let split = Split::ALL.into_iter().find(|split| split.name() == kind);
        match (split, kind, numbers[..].as_ref()) {
            (Some(split), _, [number]) if *number < split.count() => {
                let seed = Seed::new(TASKS_SEED).map_err(|error| error.to_string())?;
                Ok(Self::Numbered(split.tasks(seed).into(), *number))
            }
            (Some(split), _, [_]) => Err(format!("{kind} has the tasks {kind}-0 to {kind}-{}", split.count() - 1)),
            (None, "random", []) => Ok(Self::Drawn(tasks::SIZE, None)),
            (None, "random", [size]) => Ok(Self::Drawn(a_size(*size)?, None)),
            (None, "random", [size, pieces]) => Ok(Self::Drawn(a_size(*size)?, Some(a_count(*pieces)?))),
            _ => Err(unknown(name)),
        }
    }

    /// The task of a round, from 0.
    pub fn task(&self, round: usize, chance: &mut Stream) -> Task {
        match self {
            Self::Fixed(task) => task.clone(),
            Self::Numbered(all, number) => all[(number + round) % all.len()].clone(),
            Self::Drawn(size, pieces) => {
                let symbols = tasks::known();
                let target = *symbols.choose(chance).unwrap_or(&symbols[0]);
                let count = pieces.unwrap_or_else(|| chance.random_range(FEWEST..=MOST));
                Task { board: tasks::board(*size, target, &symbols, count, chance).into(), target: 0 }
            }
        }
    }
}

fn a_size(size: usize) -> Result<u8, String> {
    let range = SMALLEST..=LARGEST;
    u8::try_from(size)
        .ok()
        .filter(|size| range.contains(size))
        .ok_or_else(|| format!("a board has {SMALLEST} to {LARGEST} tiles a side, not {size}"))
}

fn a_count(pieces: usize) -> Result<usize, String> {
    let fits = (FEWEST..=MOST).contains(&pieces);
    if fits { Ok(pieces) } else { Err(format!("a board has {FEWEST} to {MOST} pieces, not {pieces}")) }
}

fn unknown(name: &str) -> String {
    let levels = LEVELS.map(|level| level.name).join(", ");
    format!("there is no board {name:?}; there are {levels}, test-0 (and val-, train-), random and random-SIZE-PIECES")
}
