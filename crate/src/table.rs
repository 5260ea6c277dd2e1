//! Sessions and replays of any world, their data as JSON.

use crate::failure::Failure;
use crate::settings::human_seats;
use serde::Deserialize;
use serde_json::{Value, json};
use tandem_core::trace::{End, Replay};
use tandem_core::{
    Answer, Digest, Effect, Event, Illegal, Millis, Question, Refused, Seat, SeatSetup, Session, Ticket, Turn, What,
    World,
};

/// An event as JavaScript gives it.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "event", rename_all = "lowercase")]
pub enum Happening {
    /// The session begins.
    Start {},
    /// A person acts.
    Act {
        /// At which seat.
        seat: Seat,
        /// In the world's form.
        action: Value,
    },
    /// A person talks.
    Say {
        /// At which seat.
        seat: Seat,
        /// Their words.
        text: String,
    },
    /// A timer rings.
    Wake {
        /// Which.
        ticket: Ticket,
    },
    /// A question is answered.
    Answer {
        /// Which.
        ticket: Ticket,
        /// The answer.
        answer: Answer,
        /// How it came about, for the trace.
        #[serde(default)]
        record: Option<Value>,
    },
    /// The session goes on from its journal.
    Resume {},
    /// The session ends before the game is over.
    Stop {},
}

/// An effect with its data as JSON.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// The views have changed: the news, each with its audience.
    Show(Value),
    /// A timer is to be set.
    Wake(Ticket, Millis),
    /// A question is to be answered.
    Ask(Seat, Ticket, Question),
    /// A line is to be kept.
    Save(String),
    /// The game is over: outcome and digest.
    Over(Value, String),
}

impl Outcome {
    /// The effect as JavaScript gets it.
    pub fn to_json(&self) -> Value {
        match self {
            Self::Show(news) => json!({ "effect": "show", "news": news }),
            Self::Wake(ticket, at) => json!({ "effect": "wake", "ticket": ticket, "at": at }),
            Self::Ask(seat, ticket, Question { to, body, within }) => {
                let question = json!({ "seat": seat, "to": to, "body": body, "within": within });
                json!({ "effect": "ask", "ticket": ticket, "question": question })
            }
            Self::Save(line) => json!({ "effect": "save", "line": line }),
            Self::Over(outcome, digest) => json!({ "effect": "over", "outcome": outcome, "digest": digest }),
        }
    }
}

/// A session of any world.
pub trait Table {
    /// Takes in what happened.
    fn handle(&mut self, at: Millis, happening: Happening) -> Result<Vec<Outcome>, Failure>;
    /// What a seat may know.
    fn view(&self, seat: Seat) -> Result<Value, Failure>;
    /// What a seat may attempt.
    fn legal(&self, seat: Seat) -> Result<Value, Failure>;
    /// The whole state, if it may be shown.
    fn reveal(&self) -> Result<Value, Failure>;
    /// The seat to move, if it is one.
    fn turn(&self) -> Option<Seat>;
    /// The seats whose views the page may have: the people's, or all if no person plays.
    fn open_seats(&self) -> Vec<Seat>;
    /// How many seats there are.
    fn seats(&self) -> u8;
    /// Whether the session has ended.
    fn over(&self) -> bool;
    /// The time of the last event.
    fn now(&self) -> Millis;
    /// Whether the answer to this question is still waited for.
    fn waits_for(&self, ticket: Ticket) -> bool;
    /// The earliest timer.
    fn next_wake(&self) -> Option<(Ticket, Millis)>;
    /// The trace so far.
    fn trace(&self) -> String;
    /// The digest of the state, hexadecimal.
    fn digest(&self) -> String;
}

/// A session with its seats.
pub struct Seated<W: World> {
    session: Session<W>,
    humans: Vec<Seat>,
}

impl<W: World> Seated<W> {
    /// The session at which `seats` sit.
    pub fn new(session: Session<W>, seats: &[SeatSetup]) -> Self {
        Self { session, humans: human_seats(seats) }
    }

    fn seat(&self, seat: Seat) -> Result<Seat, Failure> {
        if seat.0 < self.session.world().seats() { Ok(seat) } else { Err(Refused::NoSeat(seat).into()) }
    }
}

impl<W: World> Table for Seated<W> {
    fn handle(&mut self, at: Millis, happening: Happening) -> Result<Vec<Outcome>, Failure> {
        let what = match happening {
            Happening::Start {} => What::Start,
            Happening::Act { seat, action } => What::Act { seat, action: parse_action::<W>(action)? },
            Happening::Say { seat, text } => What::Say { seat, text },
            Happening::Wake { ticket } => What::Wake { ticket },
            Happening::Answer { ticket, answer, record } => What::Answer { ticket, answer, record },
            Happening::Resume {} => What::Resume,
            Happening::Stop {} => What::Stop,
        };
        let effects = self.session.handle(Event { at, what })?;
        effects.into_iter().map(outcome).collect()
    }

    fn view(&self, seat: Seat) -> Result<Value, Failure> {
        json_of(&self.session.view(self.seat(seat)?))
    }

    fn legal(&self, seat: Seat) -> Result<Value, Failure> {
        json_of(&self.session.world().legal(self.seat(seat)?))
    }

    fn reveal(&self) -> Result<Value, Failure> {
        if self.session.over() || self.humans.is_empty() {
            return Ok(self.session.world().reveal());
        }
        Err(Failure::new("hidden", "the whole board is shown when the game is over"))
    }

    fn turn(&self) -> Option<Seat> {
        match self.session.world().turn() {
            Turn::One(seat) => Some(seat),
            Turn::Free | Turn::Over => None,
        }
    }

    fn open_seats(&self) -> Vec<Seat> {
        if self.humans.is_empty() { (0..self.seats()).map(Seat).collect() } else { self.humans.clone() }
    }

    fn seats(&self) -> u8 {
        self.session.world().seats()
    }

    fn over(&self) -> bool {
        self.session.over()
    }

    fn now(&self) -> Millis {
        self.session.now()
    }

    fn waits_for(&self, ticket: Ticket) -> bool {
        self.session.waits_for(ticket)
    }

    fn next_wake(&self) -> Option<(Ticket, Millis)> {
        self.session.next_wake()
    }

    fn trace(&self) -> String {
        self.session.trace()
    }

    fn digest(&self) -> String {
        Digest::hex(self.session.world().digest())
    }
}

/// A replay of any world.
pub trait Reel {
    /// The trace's header.
    fn header(&self) -> Result<Value, Failure>;
    /// How many frames there are.
    fn frames(&self) -> usize;
    /// One frame.
    fn frame(&self, index: usize) -> Result<Value, Failure>;
    /// What replaying has shown.
    fn verdict(&self) -> Value;
}

/// A replay, its data as JSON.
pub struct Shown<W: World>(pub Replay<W>);

impl<W: World> Reel for Shown<W> {
    fn header(&self) -> Result<Value, Failure> {
        json_of(self.0.trace().header())
    }

    fn frames(&self) -> usize {
        self.0.frames()
    }

    fn frame(&self, index: usize) -> Result<Value, Failure> {
        let Some(frame) = self.0.frame(index) else {
            let last = self.0.frames() - 1;
            return Err(Failure::new("config", format!("there is no frame {index}; the last one is {last}")));
        };
        let views: Vec<W::View> = (0..frame.world.seats()).map(|seat| frame.world.view(Seat(seat))).collect();
        let thoughts = frame.thoughts.iter().map(|(seat, because)| json!({ "seat": seat, "because": because }));
        Ok(json!({
            "at": frame.at,
            "line": frame.line,
            "event": json_of(&frame.event)?,
            "views": json_of(&views)?,
            "reveal": frame.world.reveal(),
            "thoughts": thoughts.collect::<Vec<_>>(),
            "news": json_of(&frame.news)?,
        }))
    }

    fn verdict(&self) -> Value {
        let trace = self.0.trace();
        let (complete, matches, note) = match trace.end() {
            Some(End::Over { .. }) => (true, Some(true), "Replayed to the end: outcome and digest are equal"),
            Some(End::Stopped { .. }) => {
                (false, Some(true), "The session was stopped before the end; the digest is equal")
            }
            None => (false, None, "The session breaks off before its end, so there is no digest to compare"),
        };
        json!({
            "complete": complete,
            "cut": trace.cut(),
            "digest": Digest::hex(self.0.digest()),
            "matches": matches,
            "note": note,
        })
    }
}

fn parse_action<W: World>(action: Value) -> Result<W::Action, Failure> {
    let wrong = |error: serde_json::Error| Failure::from(Refused::Illegal(Illegal::new(error.to_string())));
    serde_json::from_value(action).map_err(wrong)
}

fn outcome<W: World>(effect: Effect<W>) -> Result<Outcome, Failure> {
    Ok(match effect {
        Effect::Show(news) => Outcome::Show(json_of(&news)?),
        Effect::Wake { ticket, at } => Outcome::Wake(ticket, at),
        Effect::Ask { seat, ticket, question } => Outcome::Ask(seat, ticket, question),
        Effect::Save(line) => Outcome::Save(line),
        Effect::Over { outcome, digest } => Outcome::Over(json_of(&outcome)?, Digest::hex(digest)),
    })
}

fn json_of(data: &impl serde::Serialize) -> Result<Value, Failure> {
    serde_json::to_value(data).map_err(|error| Failure::new("internal", error.to_string()))
}
