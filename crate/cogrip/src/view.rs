//! What a seat may know. The Guide sees the whole board and the target, the Follower a cut around the gripper; both know
//! what was said and where the gripper went.
//!
//! *Architecture Invariant:* the Follower's view holds nothing of the board but the cut and the board's size, and the
//! Guide's nothing of the Follower but the gripper: a wait, a take of nothing and a move against the edge look alike.

use crate::language::Sentence;
use crate::rules::Act;
use crate::sight::{SIDE, Sight, Tile};
use crate::{Board, Cell, Intent, Kind, Symbol};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use serde_json::{Value, json};
use std::sync::Arc;
use tandem_core::{Millis, Seat};

/// The Guide's seat.
pub const GUIDE: Seat = Seat(0);
/// The Follower's seat.
pub const FOLLOWER: Seat = Seat(1);

/// What one seat may know now.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct View {
    /// The world's name, for a page that shows several.
    pub world: &'static str,
    /// Whose view it is.
    pub seat: Seat,
    /// The board's name.
    pub board: String,
    /// The board's side, in tiles.
    pub size: u8,
    /// The seat to move; none when the game is over.
    pub turn: Option<Seat>,
    /// The round, from 1.
    pub round: usize,
    /// How many rounds there are.
    pub rounds: usize,
    /// Steps of this round that are over.
    pub step: u32,
    /// After how many steps a round is lost.
    pub most_steps: u32,
    /// Where the gripper is.
    pub gripper: Cell,
    /// The Guide's effort in this round so far (Equation 3).
    pub effort: f64,
    /// What the Guide said in this step; none while it has not yet spoken.
    pub heard: Option<Sentence>,
    /// What this seat sees of the board.
    pub sees: Sees,
    /// What was said, silences left out.
    pub messages: Vec<Message>,
    /// How the gripper went, step by step.
    pub history: Vec<Past>,
    /// The rounds that are over.
    pub finished: Vec<Finished>,
    /// The result, when the game is over.
    pub outcome: Option<Outcome>,
}

/// What a seat sees of the board.
#[derive(Clone, Debug, PartialEq)]
pub enum Sees {
    /// Everything, and which piece is the target.
    Guide {
        /// The board.
        board: Arc<Board>,
        /// The target's number.
        target: usize,
        /// What each intent would say now.
        phrases: Vec<(Intent, Sentence)>,
    },
    /// The cut around the gripper.
    Follower(Box<Sight>),
}

impl Serialize for Sees {
    /// `{pieces, target, phrases}` for the Guide, `{area, cut}` for the Follower: the cut row by row, null beyond the
    /// edge, `{}` for an empty tile, `{color, shape}` for a part of a piece.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        match self {
            Self::Guide { board, target, phrases } => {
                map.serialize_entry("pieces", &pieces(board))?;
                map.serialize_entry("target", target)?;
                let phrase = |(intent, sentence): &(Intent, Sentence)| {
                    let kind = intent.kind();
                    let effort = f64::from(kind.effort_tenths()) / 10.0;
                    json!({ "intent": intent, "kind": kind, "effort": effort, "sentence": sentence })
                };
                map.serialize_entry("phrases", &phrases.iter().map(phrase).collect::<Vec<_>>())?;
            }
            Self::Follower(sight) => {
                map.serialize_entry("area", &sight.area())?;
                let tile = |tile: &Tile| match tile {
                    Tile::Outside => Value::Null,
                    Tile::Empty => json!({}),
                    Tile::Part(color, shape) => json!({ "color": color, "shape": shape }),
                };
                let rows = sight.tiles().chunks(SIDE).map(|row| row.iter().map(tile).collect::<Vec<_>>());
                map.serialize_entry("cut", &rows.collect::<Vec<_>>())?;
            }
        }
        map.end()
    }
}

/// The pieces of a board, for a page.
pub(crate) fn pieces(board: &Board) -> Vec<Value> {
    let piece = |number: usize| {
        let Symbol { shape, color, area } = board.symbol(number);
        json!({ "shape": shape, "color": color, "position": area, "tiles": board.pieces()[number].tiles() })
    };
    (0..board.pieces().len()).map(piece).collect()
}

/// Something the Guide said.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Message {
    /// Who said it.
    pub seat: Seat,
    /// For the Guide the words as they were written; for the Follower, and if an agent guides, the sentence.
    pub text: String,
    /// The sentence that the Follower heard.
    pub sentence: Sentence,
    /// In which round, from 1.
    pub round: usize,
    /// In which step of the round, from 0.
    pub step: u32,
    /// When.
    pub at: Millis,
}

/// A step that is over.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Past {
    /// In which round, from 1.
    pub round: usize,
    /// Which step of it, from 0.
    pub step: u32,
    /// What kind of thing the Guide said.
    pub kind: Kind,
    /// What the Guide said.
    pub sentence: Sentence,
    /// What the Follower did; only the Follower knows.
    pub act: Option<Act>,
    /// Where the gripper was.
    pub from: Cell,
    /// Where it is now.
    pub to: Cell,
    /// When the Follower acted.
    pub at: Millis,
}

/// A round that is over.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Finished {
    /// Which, from 1.
    pub round: usize,
    /// The target was taken.
    pub success: bool,
    /// The piece that was taken.
    pub taken: Option<Symbol>,
    /// What was to be taken: told when the round is over.
    pub target: Symbol,
    /// How many steps it took.
    pub steps: u32,
    /// The Guide's effort.
    pub effort: f64,
    /// The reward of Equation 4.
    pub reward: f64,
    /// How long it took.
    pub millis: Millis,
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Outcome {
    /// Every target was taken.
    pub completed: bool,
    /// The rounds.
    pub rounds: Vec<Finished>,
    /// The mean reward of the rounds.
    pub reward: f64,
}

/// What happened, as a seat may hear of it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum News {
    /// The Guide said something; words and the sentence that was heard.
    Said {
        /// The Guide.
        seat: Seat,
        /// Its words.
        text: String,
        /// What the Follower heard.
        sentence: Sentence,
    },
    /// The Guide said nothing.
    Silence,
    /// A person's words were not understood; nothing was said.
    NotUnderstood {
        /// Their words.
        text: String,
        /// What would be understood.
        answer: String,
    },
    /// The gripper moved.
    Moved {
        /// From here.
        from: Cell,
        /// To here.
        to: Cell,
    },
    /// The gripper stayed where it was.
    Stayed,
    /// What the Follower did, for itself: its own act.
    Did {
        /// The act.
        act: Act,
    },
    /// A round is over.
    Ended(Finished),
    /// Another round begins.
    Round {
        /// Which, from 1.
        round: usize,
    },
    /// The game is over.
    Over,
}
