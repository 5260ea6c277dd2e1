//! The game as a [`World`]: the bare rules, with talk, time and what each seat may see.

use crate::boards::BoardSource;
use crate::rules::{Round, State, Step};
use crate::view::{Finished, Message, News, Outcome, Past, RoundOutcome, View, Walls};
use crate::{Action, Board};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::sync::Arc;
use tandem_core::{ConfigError, Digest, Illegal, Millis, Seat, Seed, Told, Turn, World};

/// The longest message, in characters.
pub const LONGEST_MESSAGE: usize = 500;

/// What can be chosen before a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Config {
    /// The board.
    pub board: BoardSource,
    /// The seat that begins every round, 0 (the human) or 1.
    pub first: Seat,
    /// After how many turns a round is given up; people play without a cap.
    pub max_turns: Option<u32>,
}

impl Default for Config {
    fn default() -> Self {
        Self { board: BoardSource::Text("9A".into()), first: Seat(0), max_turns: None }
    }
}

/// A game of Gnomes at Night.
#[derive(Clone, Debug)]
pub struct Gnomes {
    board: Arc<Board>,
    state: State,
    history: Vec<Past>,
    messages: Vec<Message>,
    /// Rounds that are over, with the time each took.
    finished: Vec<(Round, Millis)>,
    round_began: Millis,
}

impl Gnomes {
    /// The board.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The state of play.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// The seat that is shown the treasure of a round (from 0): seat 0 in the first, then in turn.
    pub fn treasure_seat(round: usize) -> Seat {
        Seat((round % 2) as u8)
    }

    /// The rounds that are over, with the time each took.
    pub fn finished(&self) -> &[(Round, Millis)] {
        &self.finished
    }

    /// What was said.
    pub fn messages(&self) -> &[Message] {
        &self.messages
    }

    fn over(&self) -> bool {
        self.state.over(&self.board)
    }

    fn check_turn(&self, seat: Seat) -> Result<(), Illegal> {
        match self.turn() {
            Turn::One(to_move) if to_move == seat => Ok(()),
            Turn::One(_) => Err(Illegal::new("it is your partner's turn")),
            Turn::Free | Turn::Over => Err(Illegal::new("the game is over")),
        }
    }

    /// The news of a step by `seat` in `round` (from 0).
    fn news(&self, seat: Seat, action: Action, round: usize, step: Step) -> Vec<Told<News>> {
        let mut news = Vec::with_capacity(3);
        if step.blocked {
            news.push(Told::only(seat, News::Blocked { seat, action }));
            news.push(Told::all_but(seat, News::Stayed { seat }));
        } else if action == Action::Stay {
            news.push(Told::everyone(News::Stayed { seat }));
        } else {
            news.push(Told::everyone(News::Moved { seat, action, from: step.from, to: step.to }));
        }
        if step.round_over {
            let (result, millis) = self.finished[round];
            let (round, turns) = (round + 1, result.turns);
            news.push(Told::everyone(match step.found {
                true => News::Found { round, turns, millis, treasure: step.to },
                false => News::Unfound { round, turns },
            }));
            news.push(Told::everyone(match self.over() {
                true => News::Over,
                false => News::Round { round: round + 1, treasure_seat: Self::treasure_seat(round) },
            }));
        }
        news
    }
}

impl World for Gnomes {
    const NAME: &'static str = "gnomes";
    const RULES: &'static str = "gnomes-1";

    type Config = Config;
    type Action = Action;
    type View = View;
    type News = News;
    type Outcome = Outcome;

    fn new(config: Config, _seed: Seed) -> Result<Self, ConfigError> {
        let board = config.board.open().map_err(|problem| ConfigError::new("board", problem))?;
        if config.first.0 > 1 {
            return Err(ConfigError::new("first", format!("there is no {}; seat 0 or 1 begins", config.first)));
        }
        if config.max_turns == Some(0) {
            return Err(ConfigError::new("max_turns", "a round needs at least one turn"));
        }
        let state = State::new(&board, config.first.0, config.max_turns);
        Ok(Self {
            board: Arc::new(board),
            state,
            history: Vec::new(),
            messages: Vec::new(),
            finished: Vec::new(),
            round_began: Millis::ZERO,
        })
    }

    fn seats(&self) -> u8 {
        2
    }

    fn turn(&self) -> Turn {
        if self.over() { Turn::Over } else { Turn::One(Seat(self.state.seat)) }
    }

    fn legal(&self, seat: Seat) -> Vec<Action> {
        if self.turn() == Turn::One(seat) { Action::ALL.to_vec() } else { Vec::new() }
    }

    fn view(&self, seat: Seat) -> View {
        let side = &self.board.sides()[seat.index()];
        let round = self.state.round.min(self.board.treasures().len() - 1);
        let treasure_seat = Self::treasure_seat(round);
        let turn = match self.turn() {
            Turn::One(seat) => Some(seat),
            Turn::Free | Turn::Over => None,
        };
        let own = |past: &Past| Past { attempt: past.attempt.filter(|_| past.seat == seat), ..past.clone() };
        let finished = self.finished.iter().zip(self.board.treasures()).zip(1..);
        let finished = finished.map(|(((result, millis), treasure), round)| Finished {
            round,
            turns: result.turns,
            millis: *millis,
            treasure: Some(*treasure).filter(|_| result.completed),
        });
        View {
            world: Self::NAME,
            seat,
            board: self.board.name().to_owned(),
            width: self.board.width(),
            height: self.board.height(),
            start: self.board.start(),
            walls: Walls { right: side.walls(Action::Right), below: side.walls(Action::Down) },
            token: self.state.token,
            turn,
            round: round + 1,
            rounds: self.board.treasures().len(),
            turns: self.state.now.turns,
            treasure: Some(self.board.treasures()[round]).filter(|_| seat == treasure_seat && turn.is_some()),
            treasure_seat,
            open: side.actions(self.state.token).collect(),
            messages: self.messages.clone(),
            history: self.history.iter().map(own).collect(),
            finished: finished.collect(),
            outcome: self.outcome(),
        }
    }

    fn step(&mut self, seat: Seat, action: Action, at: Millis) -> Result<Vec<Told<News>>, Illegal> {
        self.check_turn(seat)?;
        let round = self.state.round;
        let (step, finished) = self.state.play(&self.board, action);
        self.history.push(Past {
            round: round + 1,
            turn: finished.map_or(self.state.now.turns, |finished| finished.turns),
            seat,
            attempt: Some(action),
            moved: Some(action).filter(|_| step.from != step.to),
            from: step.from,
            to: step.to,
            at,
        });
        if let Some(finished) = finished {
            self.finished.push((finished, at - self.round_began));
            self.round_began = at;
        }
        Ok(self.news(seat, action, round, step))
    }

    fn say(&mut self, seat: Seat, text: &str, at: Millis) -> Result<Vec<Told<News>>, Illegal> {
        if self.over() {
            return Err(Illegal::new("the game is over"));
        }
        let length = text.chars().count();
        if length > LONGEST_MESSAGE {
            return Err(Illegal::new(format!(
                "a message has at most {LONGEST_MESSAGE} characters; this one has {length}"
            )));
        }
        if text.chars().any(|char| char.is_control() && char != '\n') {
            return Err(Illegal::new("a message is plain text, without control characters"));
        }
        if text.trim().is_empty() {
            return Err(Illegal::new("a message needs words"));
        }
        let (round, turn) = (self.state.round + 1, self.state.now.turns);
        self.messages.push(Message { seat, text: text.to_owned(), round, turn, at });
        Ok(vec![Told::everyone(News::Said { seat, text: text.to_owned() })])
    }

    fn pass(&self, _seat: Seat) -> Option<Action> {
        Some(Action::Stay)
    }

    fn outcome(&self) -> Option<Outcome> {
        if !self.over() {
            return None;
        }
        let rounds = self.finished.iter().zip(1..).map(|((result, millis), round)| RoundOutcome {
            round,
            turns: result.turns,
            millis: *millis,
            reward: result.reward as f64 / 10.0,
            completed: result.completed,
        });
        let reward: i64 = self.finished.iter().map(|(result, _)| result.reward).sum();
        Some(Outcome {
            completed: self.finished.iter().all(|(result, _)| result.completed),
            rounds: rounds.collect(),
            reward: reward as f64 / 10.0,
        })
    }

    fn reveal(&self) -> Value {
        let walls = |seat: usize| {
            let side = &self.board.sides()[seat];
            json!({ "right": side.walls(Action::Right), "below": side.walls(Action::Down) })
        };
        let reward: i64 = self.finished.iter().map(|(result, _)| result.reward).sum::<i64>() + self.state.now.reward;
        json!({
            "width": self.board.width(),
            "height": self.board.height(),
            "start": self.board.start(),
            "treasures": self.board.treasures(),
            "sides": [walls(0), walls(1)],
            "token": self.state.token,
            "round": (self.state.round + 1).min(self.board.treasures().len()),
            "turn": match self.turn() { Turn::One(seat) => Some(seat), _ => None },
            "reward": reward as f64 / 10.0,
        })
    }

    fn digest(&self) -> u64 {
        let mut digest = self.state.add_to(Digest::new(Self::RULES).text(&crate::ascii::write(&self.board)));
        digest = digest.u64(self.history.len() as u64);
        for past in &self.history {
            let attempt = past.attempt.map_or(9, Action::index) as u64;
            digest = digest.u64(u64::from(past.seat.0)).u64(attempt).u64(past.at.0);
        }
        digest = digest.u64(self.messages.len() as u64);
        for message in &self.messages {
            digest = digest.u64(u64::from(message.seat.0)).text(&message.text).u64(message.at.0);
        }
        digest.finish()
    }
}
