//! The game as a [`World`]: rounds of the bare rules, with words, time and what each seat may see.

use crate::boards::Source;
use crate::language::{self, Sentence};
use crate::rules::{Act, Episode, MOST_STEPS};
use crate::sight::Sight;
use crate::view::{FOLLOWER, Finished, GUIDE, Message, News, Outcome, Past, Sees, View, pieces};
use crate::{Intent, Kind};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tandem_core::{ConfigError, Digest, Illegal, Millis, Seat, Seed, Stream, Told, Turn, World};

/// The longest text a person may write, in characters.
pub const LONGEST_MESSAGE: usize = 300;
/// The most rounds of a game.
pub const MOST_ROUNDS: usize = 100;

/// What can be chosen before a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Config {
    /// A level's name, `test-7`, `random`, `random-SIZE-PIECES`, or a task as a task file has it.
    pub board: String,
    /// How many boards are played: the same again, the next numbered ones, or newly drawn ones.
    pub rounds: usize,
}

impl Default for Config {
    fn default() -> Self {
        Self { board: "random".into(), rounds: 1 }
    }
}

/// What a seat can do: the Guide says an intent, the Follower does something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Action {
    /// The Guide's: `{"say": "pcs"}`.
    Say(Intent),
    /// The Follower's: `{"do": "left"}`.
    Do(Act),
}

/// A game of CoGRIP-GL.
#[derive(Clone, Debug)]
pub struct Cogrip {
    config: Config,
    source: Source,
    chance: Stream,
    episode: Episode,
    /// What the Guide said in this step, once it has spoken.
    heard: Option<(Kind, Sentence)>,
    messages: Vec<Message>,
    history: Vec<Past>,
    finished: Vec<Finished>,
    round_began: Millis,
}

impl Cogrip {
    /// The episode in play, or the last one.
    pub fn episode(&self) -> &Episode {
        &self.episode
    }

    fn over(&self) -> bool {
        self.finished.len() == self.config.rounds
    }

    /// The round in play, from 1.
    fn round(&self) -> usize {
        (self.finished.len() + 1).min(self.config.rounds)
    }

    fn check_turn(&self, seat: Seat) -> Result<(), Illegal> {
        match self.turn() {
            Turn::One(to_move) if to_move == seat => Ok(()),
            Turn::One(GUIDE) => Err(Illegal::new("the Guide has not spoken yet")),
            Turn::One(_) => Err(Illegal::new("the Follower is to act")),
            Turn::Free | Turn::Over => Err(Illegal::new("the game is over")),
        }
    }

    /// The Guide speaks.
    fn speak(&mut self, kind: Kind, text: Option<&str>, sentence: Sentence, at: Millis) -> Vec<Told<News>> {
        self.episode.speak(kind);
        self.heard = Some((kind, sentence));
        if sentence.is_silence() {
            return vec![Told::everyone(News::Silence)];
        }
        let words = sentence.to_string();
        let text = text.map_or_else(|| words.clone(), str::to_owned);
        let (round, step) = (self.round(), self.episode.steps());
        self.messages.push(Message { seat: GUIDE, text: text.clone(), sentence, round, step, at });
        let said = |text| News::Said { seat: GUIDE, text, sentence };
        if text == words {
            return vec![Told::everyone(said(text))];
        }
        // A person's own words may say more than the sentence, which is all that the Follower hears.
        vec![Told::only(GUIDE, said(text)), Told::only(FOLLOWER, said(words))]
    }

    /// The Follower acts, and the step is over.
    fn act(&mut self, act: Act, at: Millis) -> Vec<Told<News>> {
        let (kind, sentence) = self.heard.take().unwrap_or((Kind::Silence, Sentence::SILENCE));
        let (from, step, round) = (self.episode.gripper(), self.episode.steps(), self.round());
        self.episode.act(act);
        let to = self.episode.gripper();
        self.history.push(Past { round, step, kind, sentence, act: Some(act), from, to, at });
        let went = if from == to { News::Stayed } else { News::Moved { from, to } };
        let mut news = vec![Told::only(FOLLOWER, News::Did { act }), Told::everyone(went)];
        if let Some(ending) = self.episode.ending() {
            let task = self.episode.task();
            let finished = Finished {
                round,
                success: ending.success,
                taken: ending.taken.map(|piece| task.board.symbol(piece)),
                target: task.board.symbol(task.target),
                steps: ending.steps,
                effort: ending.effort(),
                reward: ending.reward(),
                millis: at - self.round_began,
            };
            self.finished.push(finished.clone());
            self.round_began = at;
            news.push(Told::everyone(News::Ended(finished)));
            if self.over() {
                news.push(Told::everyone(News::Over));
            } else {
                self.episode = Episode::new(self.source.task(self.finished.len(), &mut self.chance));
                news.push(Told::everyone(News::Round { round: self.round() }));
            }
        }
        news
    }
}

impl World for Cogrip {
    const NAME: &'static str = "cogrip";
    const RULES: &'static str = "cogrip-1";

    type Config = Config;
    type Action = Action;
    type View = View;
    type News = News;
    type Outcome = Outcome;

    fn new(config: Config, seed: Seed) -> Result<Self, ConfigError> {
        let source = Source::named(&config.board).map_err(|problem| ConfigError::new("board", problem))?;
        if !(1..=MOST_ROUNDS).contains(&config.rounds) {
            let problem = format!("{} is not a number of rounds from 1 to {MOST_ROUNDS}", config.rounds);
            return Err(ConfigError::new("rounds", problem));
        }
        let mut chance = seed.stream("world");
        let episode = Episode::new(source.task(0, &mut chance));
        Ok(Self {
            config,
            source,
            chance,
            episode,
            heard: None,
            messages: Vec::new(),
            history: Vec::new(),
            finished: Vec::new(),
            round_began: Millis::ZERO,
        })
    }

    fn seats(&self) -> u8 {
        2
    }

    fn turn(&self) -> Turn {
        match &self.heard {
            _ if self.over() => Turn::Over,
            None => Turn::One(GUIDE),
            Some(_) => Turn::One(FOLLOWER),
        }
    }

    fn legal(&self, seat: Seat) -> Vec<Action> {
        match self.turn() {
            Turn::One(GUIDE) if seat == GUIDE => Intent::ALL.map(Action::Say).to_vec(),
            Turn::One(FOLLOWER) if seat == FOLLOWER => Act::ALL.map(Action::Do).to_vec(),
            _ => Vec::new(),
        }
    }

    fn view(&self, seat: Seat) -> View {
        let situation = self.episode.situation();
        let task = self.episode.task();
        let sees = if seat == GUIDE {
            let phrase = |intent| (intent, language::verbalise(intent, situation));
            let phrases = Intent::ALL.map(phrase).to_vec();
            Sees::Guide { board: task.board.clone(), target: task.target, phrases }
        } else {
            Sees::Follower(Box::new(Sight::of(&task.board, self.episode.gripper())))
        };
        let own = |past: &Past| Past { act: past.act.filter(|_| seat == FOLLOWER), ..past.clone() };
        let heard = |message: &Message| match seat {
            GUIDE => message.clone(),
            _ => Message { text: message.sentence.to_string(), ..message.clone() },
        };
        View {
            world: Self::NAME,
            seat,
            board: board_name(&self.config.board),
            size: task.board.size(),
            turn: match self.turn() {
                Turn::One(seat) => Some(seat),
                Turn::Free | Turn::Over => None,
            },
            round: self.round(),
            rounds: self.config.rounds,
            step: self.episode.steps(),
            most_steps: MOST_STEPS,
            gripper: self.episode.gripper(),
            effort: f64::from(self.episode.effort_tenths()) / 10.0,
            heard: self.heard.map(|(_, sentence)| sentence),
            sees,
            messages: self.messages.iter().map(heard).collect(),
            history: self.history.iter().map(own).collect(),
            finished: self.finished.clone(),
            outcome: self.outcome(),
        }
    }

    fn step(&mut self, seat: Seat, action: Action, at: Millis) -> Result<Vec<Told<News>>, Illegal> {
        match action {
            Action::Say(_) if seat != GUIDE => return Err(Illegal::new("only the Guide may speak")),
            Action::Do(_) if seat != FOLLOWER => return Err(Illegal::new("only the Follower may move the gripper")),
            _ => self.check_turn(seat)?,
        }
        Ok(match action {
            Action::Say(intent) => {
                let sentence = language::verbalise(intent, self.episode.situation());
                self.speak(intent.kind(), None, sentence, at)
            }
            Action::Do(act) => self.act(act, at),
        })
    }

    /// A Guide that is a person may write freely. What is understood is said in the language's own words and costs as
    /// much as any utterance of its kind; what is not is answered, and nothing was said.
    fn say(&mut self, seat: Seat, text: &str, at: Millis) -> Result<Vec<Told<News>>, Illegal> {
        if seat != GUIDE {
            return Err(Illegal::new("the Follower cannot speak"));
        }
        self.check_turn(seat)?;
        let length = text.chars().count();
        if length > LONGEST_MESSAGE {
            let problem = format!("a message has at most {LONGEST_MESSAGE} characters; this one has {length}");
            return Err(Illegal::new(problem));
        }
        Ok(match language::free(text) {
            Ok(meaning) => self.speak(meaning.kind(), Some(text.trim()), language::word(meaning), at),
            Err(error) => {
                let (text, answer) = (text.to_owned(), error.to_string());
                vec![Told::only(GUIDE, News::NotUnderstood { text, answer })]
            }
        })
    }

    fn pass(&self, seat: Seat) -> Option<Action> {
        Some(if seat == GUIDE { Action::Say(Intent::Silence) } else { Action::Do(Act::Wait) })
    }

    fn outcome(&self) -> Option<Outcome> {
        self.over().then(|| Outcome {
            completed: self.finished.iter().all(|round| round.success),
            rounds: self.finished.clone(),
            reward: self.finished.iter().map(|round| round.reward).sum::<f64>() / self.finished.len() as f64,
        })
    }

    fn reveal(&self) -> Value {
        let task = self.episode.task();
        json!({
            "size": task.board.size(),
            "pieces": pieces(&task.board),
            "target": task.target,
            "gripper": self.episode.gripper(),
            "round": self.round(),
        })
    }

    fn digest(&self) -> u64 {
        let board = crate::tasks::write(std::slice::from_ref(self.episode.task()));
        let gripper = self.episode.gripper();
        let mut digest = Digest::new(Self::RULES).text(&board);
        digest = digest.u64(u64::from(gripper.x)).u64(u64::from(gripper.y)).u64(u64::from(self.episode.steps()));
        digest = digest.u64(u64::from(self.episode.effort_tenths())).u64(self.history.len() as u64);
        for past in &self.history {
            digest = digest.text(&past.sentence.to_string()).text(past.act.map_or("", Act::name)).u64(past.at.0);
        }
        digest = digest.u64(self.messages.len() as u64);
        for message in &self.messages {
            digest = digest.text(&message.text).u64(message.at.0);
        }
        digest.u64(self.finished.len() as u64).u64(u64::from(self.heard.is_some())).finish()
    }
}

/// The board's name; one that was given as a task has none.
fn board_name(board: &str) -> String {
    if board.trim_start().starts_with('{') { "own".to_owned() } else { board.to_owned() }
}
