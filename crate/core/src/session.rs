//! One sitting: people and agents at one world.
//!
//! A session is a state machine without a clock, a network or a disk. What happens outside comes in as an [`Event`] by
//! [`Session::handle`]; what should happen outside goes out as [`Effect`]s. Whoever runs it (the page's player, the
//! lab's loop, a test) owns the timers and obeys.
//!
//! # How agents are woken
//!
//! An agent thinks when it is woken, not when something happens: news for it schedules a wake after the session's pace,
//! so that a person sees it ponder, and all that was said meanwhile is taken into account. What the thought decides is
//! done at once. News of an agent's own doing wakes it only if it is to move again. At every moment an agent has at most
//! one wake ahead of it and any number of open questions; each question has a wake of its own, its deadline.
//!
//! Whatever comes of it is deterministic: the same setup and the same events give the same trace, byte for byte. That is
//! what [`Session::resume`] leans on to go on from a journal, agents' memories included.

use crate::trace::{Derived, End, Entry, Header, Recorded, Trace, TraceError, Writer};
use crate::{
    Agent, Answer, ConfigError, Deed, Digest, Fault, Illegal, Millis, Question, Seat, Seed, Stream, Thought, Told,
    Turn, World,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// Names a timer or an open question of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Ticket(pub u32);

/// Who sits at a seat, as the trace tells it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
pub enum SeatSetup {
    /// A person.
    Human {},
    /// An agent.
    Agent {
        /// Its name in the world's registry.
        name: String,
        /// Its settings.
        #[serde(default, skip_serializing_if = "Value::is_null")]
        config: Value,
    },
}

/// Everything that decides how a session goes, but for what people do.
#[derive(Clone, Debug, PartialEq)]
pub struct Setup<C> {
    /// The world's config.
    pub config: C,
    /// The seed of all chance.
    pub seed: Seed,
    /// Who sits where, one entry a seat.
    pub seats: Vec<SeatSetup>,
    /// How long agents wait before each thought.
    pub pace: Millis,
    /// What the host wants to have in the trace's header.
    pub host: Option<Value>,
}

/// Who sits at a seat, ready to play.
pub enum Chair<W: World> {
    /// A person, whose actions come in as events.
    Human,
    /// An agent, asked by the session.
    Agent(Box<dyn Agent<W>>),
}

/// Something that happened outside.
#[derive(Clone, Debug, PartialEq)]
pub struct Event<A> {
    /// When, in milliseconds of the session. A moment before the last event's counts as that one's.
    pub at: Millis,
    /// What.
    pub what: What<A>,
}

/// What happened outside.
#[derive(Clone, Debug, PartialEq)]
pub enum What<A> {
    /// The session begins.
    Start,
    /// A person acts.
    Act {
        /// At which seat.
        seat: Seat,
        /// What they do.
        action: A,
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
    /// A question is answered, or nobody can answer it.
    Answer {
        /// Which.
        ticket: Ticket,
        /// The answer.
        answer: Answer,
        /// How it came about, in the faculty's own form: how long it took, how often it was tried, what it cost. For
        /// the trace; no agent sees it.
        record: Option<Value>,
    },
    /// The session goes on from its journal; all its timers are asked for anew, and so are the questions still open.
    Resume,
    /// The session ends here, though the game is not over.
    Stop,
}

/// Something to be done outside.
#[derive(Clone, Debug)]
pub enum Effect<W: World> {
    /// The views have changed; this is the news, each with its audience.
    Show(Vec<Told<W::News>>),
    /// Feed back [`What::Wake`] with this ticket at this time.
    Wake {
        /// The timer.
        ticket: Ticket,
        /// When.
        at: Millis,
    },
    /// Get an answer and feed back [`What::Answer`]. The deadline is the session's own affair.
    Ask {
        /// Whose agent asks.
        seat: Seat,
        /// The question's ticket.
        ticket: Ticket,
        /// The question.
        question: Question,
    },
    /// Append this line to the journal.
    Save(String),
    /// The game has ended.
    Over {
        /// How.
        outcome: W::Outcome,
        /// The last state's digest.
        digest: u64,
    },
}

/// An event that was not accepted; nothing has changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// The rules do not allow it.
    #[error(transparent)]
    Illegal(#[from] Illegal),
    /// An agent sits there.
    #[error("{0} is played by an agent")]
    NotYours(Seat),
    /// There is no such seat.
    #[error("there is no {0} at this table")]
    NoSeat(Seat),
    /// The session has not begun.
    #[error("the session has not been started")]
    NotStarted,
    /// The session has begun already.
    #[error("the session has been started already")]
    StartedAlready,
    /// The session has ended.
    #[error("the session is over")]
    Over,
}

/// One agent at the table.
struct Sitter<W: World> {
    agent: Box<dyn Agent<W>>,
    stream: Stream,
    inbox: Vec<W::News>,
}

/// A running timer.
#[derive(Debug)]
struct Timer {
    at: Millis,
    purpose: Purpose,
}

/// What a timer is for.
#[derive(Debug, PartialEq)]
enum Purpose {
    /// The seat's agent is to think.
    Think(Seat),
    /// The seat's agent has waited long enough for an answer to this question.
    Deadline(Seat, Question),
    /// The world's own time has something due.
    World,
}

/// What one event brings about, gathered while it is handled.
struct Turning<W: World> {
    at: Millis,
    effects: Vec<Effect<W>>,
    show: bool,
}

/// One sitting: a world, who plays, what has happened. See the module's introduction.
pub struct Session<W: World> {
    world: W,
    sitters: Vec<Option<Sitter<W>>>,
    timers: BTreeMap<Ticket, Timer>,
    next_ticket: u32,
    pace: Millis,
    now: Millis,
    started: bool,
    ended: bool,
    writer: Writer,
    lines: Vec<String>,
    /// How many of the lines have gone out to be saved.
    saved: usize,
    /// News not yet handed out, with the seat whose doing it was.
    fresh: Vec<(Option<Seat>, Told<W::News>)>,
}

impl<W: World> Session<W> {
    /// Sets the table. `chairs` has one entry a seat, matching `setup.seats`.
    ///
    /// # Errors
    /// The world refuses its config, or the number of seats is not the world's.
    pub fn new(setup: Setup<W::Config>, chairs: Vec<Chair<W>>) -> Result<Self, ConfigError> {
        let world = W::new(setup.config.clone(), setup.seed)?;
        let needed = usize::from(world.seats());
        if setup.seats.len() != needed || chairs.len() != needed {
            let given = setup.seats.len();
            return Err(ConfigError::new("seats", format!("{given} given, but {} has {needed}", W::NAME)));
        }
        let config =
            serde_json::to_value(&setup.config).map_err(|error| ConfigError::new("config", error.to_string()))?;
        let sitters = chairs.into_iter().enumerate().map(|(index, chair)| match chair {
            Chair::Human => None,
            Chair::Agent(agent) => {
                let stream = setup.seed.stream(&format!("agent/{index}"));
                Some(Sitter { agent, stream, inbox: Vec::new() })
            }
        });
        let mut session = Self {
            world,
            sitters: sitters.collect(),
            timers: BTreeMap::new(),
            next_ticket: 0,
            pace: setup.pace,
            now: Millis::ZERO,
            started: false,
            ended: false,
            writer: Writer::new(),
            lines: Vec::new(),
            saved: 0,
            fresh: Vec::new(),
        };
        let header = Header {
            trace: crate::trace::FORMAT.into(),
            world: W::NAME.into(),
            rules: W::RULES.into(),
            library: crate::VERSION.into(),
            seed: setup.seed,
            config,
            seats: setup.seats,
            pace: setup.pace,
            host: setup.host,
        };
        session.lines.push(session.writer.header(&header));
        Ok(session)
    }

    /// Takes in what happened and says what is to be done. The first event is [`What::Start`].
    ///
    /// # Errors
    /// The event is not accepted, for instance an illegal action; nothing has changed.
    pub fn handle(&mut self, event: Event<W::Action>) -> Result<Vec<Effect<W>>, Refused> {
        self.check(&event.what)?;
        let mut turning = Turning { at: event.at.max(self.now), effects: Vec::new(), show: false };
        // Advancing is additive, so it does no harm if the event is then refused.
        self.now = turning.at;
        let arrived = self.world.advance(turning.at);
        self.fresh.extend(arrived.into_iter().map(|told| (None, told)));
        match event.what {
            What::Start => {
                self.started = true;
                self.record(&turning, &Recorded::Start {});
                for seat in self.agent_seats() {
                    self.wake_after(seat, self.pace, &mut turning);
                }
                turning.show = true;
            }
            What::Act { seat, action } => self.act(seat, action, &mut turning)?,
            What::Say { seat, text } => self.say(seat, &text, &mut turning)?,
            What::Wake { ticket } => self.ring(ticket, &mut turning),
            What::Answer { ticket, answer, record } => self.take_answer(ticket, answer, record, &mut turning),
            What::Resume => {
                self.record(&turning, &Recorded::Resume {});
                let at = turning.at;
                turning.effects.extend(
                    self.timers.iter().map(|(ticket, timer)| Effect::Wake { ticket: *ticket, at: timer.at.max(at) }),
                );
                // Whoever was to answer is gone: what was open is asked anew.
                turning.effects.extend(self.timers.iter().filter_map(|(ticket, timer)| match &timer.purpose {
                    Purpose::Deadline(seat, question) => {
                        Some(Effect::Ask { seat: *seat, ticket: *ticket, question: question.clone() })
                    }
                    Purpose::Think(_) | Purpose::World => None,
                }));
                turning.show = true;
            }
            What::Stop => {
                let digest = Digest::hex(self.world.digest());
                self.end(&turning, &End::Stopped { digest });
            }
        }
        self.settle(&mut turning);
        let unsaved = self.lines[self.saved..].iter().cloned().map(Effect::Save);
        let effects = unsaved.chain(turning.effects).collect();
        self.saved = self.lines.len();
        Ok(effects)
    }

    /// The world, for whoever may see everything: the lab, a replay, the page when the game is over.
    pub fn world(&self) -> &W {
        &self.world
    }

    /// What `seat` may know now.
    pub fn view(&self, seat: Seat) -> W::View {
        self.world.view(seat)
    }

    /// The time of the last event.
    pub fn now(&self) -> Millis {
        self.now
    }

    /// Whether the session has ended.
    pub fn over(&self) -> bool {
        self.ended
    }

    /// The earliest timer still running: what a caller without a clock feeds back next.
    pub fn next_wake(&self) -> Option<(Ticket, Millis)> {
        self.timers.iter().min_by_key(|(ticket, timer)| (timer.at, **ticket)).map(|(ticket, timer)| (*ticket, timer.at))
    }

    /// Whether the answer to this question is still waited for.
    pub fn waits_for(&self, ticket: Ticket) -> bool {
        matches!(self.timers.get(&ticket), Some(Timer { purpose: Purpose::Deadline(..), .. }))
    }

    /// The trace so far, without line ends.
    pub fn lines(&self) -> &[String] {
        &self.lines
    }

    /// The trace so far as the text of a file.
    pub fn trace(&self) -> String {
        let mut text = self.lines.join("\n");
        text.push('\n');
        text
    }

    /// Sets the table again as `trace` left it: the events are fed again, the agents think again and come to remember
    /// what they knew. Feed [`What::Resume`] next. `chairs` must hold fresh agents of the trace's seats.
    ///
    /// # Errors
    /// The trace is of another world or version, or the agents now decide otherwise than they did (line and reason).
    pub fn resume(trace: &Trace, chairs: Vec<Chair<W>>) -> Result<Self, TraceError> {
        let header = trace.header();
        let first = |reason: String| TraceError { line: 1, reason };
        if header.world != W::NAME || header.rules != W::RULES {
            return Err(first(format!("was played as {} under {}; this is {}", header.world, header.rules, W::RULES)));
        }
        if header.library != crate::VERSION {
            let (theirs, ours) = (&header.library, crate::VERSION);
            return Err(first(format!(
                "was begun with version {theirs} and cannot go on with {ours}; it can be replayed"
            )));
        }
        let config =
            serde_json::from_value(header.config.clone()).map_err(|error| first(format!("config: {error}")))?;
        let setup = Setup {
            config,
            seed: header.seed,
            seats: header.seats.clone(),
            pace: header.pace,
            host: header.host.clone(),
        };
        let mut session = Self::new(setup, chairs).map_err(|error| first(error.to_string()))?;
        session.compare(trace, 0)?;
        for (index, line) in trace.lines().iter().enumerate() {
            let Entry::Event(event) = &line.entry else { continue };
            let already_written = session.lines.len() > index + 1;
            if already_written {
                continue;
            }
            let here = |reason: String| TraceError { line: Trace::line_number(index), reason };
            let before = session.lines.len();
            let what = session.what(event).map_err(here)?;
            session.handle(Event { at: line.at, what }).map_err(|refused| here(refused.to_string()))?;
            session.compare(trace, before)?;
        }
        session.saved = trace.texts().len();
        Ok(session)
    }

    /// Compares what was written from line `from` on with the trace's lines. What goes beyond a trace that was cut off
    /// is new, and fine.
    fn compare(&self, trace: &Trace, from: usize) -> Result<(), TraceError> {
        for (index, line) in self.lines.iter().enumerate().skip(from) {
            if trace.texts().get(index).is_some_and(|recorded| recorded != line) {
                return Err(TraceError {
                    line: index + 1,
                    reason: "the partner would now act otherwise than recorded".into(),
                });
            }
        }
        Ok(())
    }

    fn what(&self, event: &Recorded) -> Result<What<W::Action>, String> {
        Ok(match event.clone() {
            Recorded::Start {} => What::Start,
            Recorded::Act { seat, action } => {
                let action = serde_json::from_value(action).map_err(|error| format!("action: {error}"))?;
                What::Act { seat, action }
            }
            Recorded::Say { seat, text } => What::Say { seat, text },
            Recorded::Wake { ticket } => What::Wake { ticket },
            Recorded::Answer { ticket, answer, record } => What::Answer { ticket, answer, record },
            Recorded::Resume {} => What::Resume,
        })
    }

    fn check(&self, what: &What<W::Action>) -> Result<(), Refused> {
        match what {
            What::Start if self.started => return Err(Refused::StartedAlready),
            What::Start => return Ok(()),
            _ if !self.started => return Err(Refused::NotStarted),
            _ if self.ended => return Err(Refused::Over),
            What::Act { seat, .. } | What::Say { seat, .. } => match self.sitters.get(seat.index()) {
                None => return Err(Refused::NoSeat(*seat)),
                Some(Some(_)) => return Err(Refused::NotYours(*seat)),
                Some(None) => {}
            },
            What::Wake { .. } | What::Answer { .. } | What::Resume | What::Stop => {}
        }
        Ok(())
    }

    /// A person or an agent acts. Nothing is changed or written unless the rules allow it.
    fn act(&mut self, seat: Seat, action: W::Action, turning: &mut Turning<W>) -> Result<(), Illegal> {
        let recorded = serde_json::to_value(&action).map_err(|error| Illegal::new(error.to_string()))?;
        let news = self.world.step(seat, action, turning.at)?;
        self.record(turning, &Recorded::Act { seat, action: recorded });
        self.fresh.extend(news.into_iter().map(|told| (Some(seat), told)));
        Ok(())
    }

    /// A person or an agent talks.
    fn say(&mut self, seat: Seat, text: &str, turning: &mut Turning<W>) -> Result<(), Illegal> {
        let news = self.world.say(seat, text, turning.at)?;
        self.record(turning, &Recorded::Say { seat, text: text.to_owned() });
        self.fresh.extend(news.into_iter().map(|told| (Some(seat), told)));
        Ok(())
    }

    /// A timer rings. One that no longer runs is ignored: its owner was woken earlier.
    fn ring(&mut self, ticket: Ticket, turning: &mut Turning<W>) {
        let Some(timer) = self.timers.remove(&ticket) else { return };
        self.record(turning, &Recorded::Wake { ticket });
        match timer.purpose {
            Purpose::Think(seat) => self.think(seat, None, turning),
            Purpose::Deadline(seat, _) => self.think(seat, Some(Answer::Failed(Fault::Late)), turning),
            Purpose::World => {}
        }
    }

    /// A question is answered. An answer after the deadline is ignored: the agent has fallen back already.
    fn take_answer(&mut self, ticket: Ticket, answer: Answer, record: Option<Value>, turning: &mut Turning<W>) {
        let Some(&Timer { purpose: Purpose::Deadline(seat, _), .. }) = self.timers.get(&ticket) else { return };
        self.timers.remove(&ticket);
        self.record(turning, &Recorded::Answer { ticket, answer: answer.clone(), record });
        self.think(seat, Some(answer), turning);
    }

    /// The seat's agent thinks, or takes an answer, and what it decides is done.
    fn think(&mut self, seat: Seat, answer: Option<Answer>, turning: &mut Turning<W>) {
        let Some(sitter) = self.sitters.get_mut(seat.index()).and_then(Option::as_mut) else { return };
        let view = self.world.view(seat);
        let thought = match answer {
            Some(answer) => sitter.agent.answered(answer, &view, &mut sitter.stream),
            None => {
                let news = std::mem::take(&mut sitter.inbox);
                sitter.agent.think(&view, &news, &mut sitter.stream)
            }
        };
        self.carry_out(seat, thought, turning);
    }

    fn carry_out(&mut self, seat: Seat, thought: Thought<W::Action>, turning: &mut Turning<W>) {
        if let Some(because) = thought.because {
            self.derive(turning, &Derived::Thought { seat, because });
        }
        for deed in thought.deeds {
            let done = match deed {
                _ if self.world.turn() == Turn::Over => break,
                Deed::Act(action) => self.act(seat, action, turning),
                Deed::Say(text) => self.say(seat, &text, turning),
                Deed::Ask(question) => {
                    self.ask(seat, question, turning);
                    Ok(())
                }
                Deed::Pause(time) => {
                    self.wake_after(seat, time, turning);
                    Ok(())
                }
            };
            if let Err(illegal) = done {
                self.derive(turning, &Derived::Fault { seat, problem: illegal.reason });
            }
        }
    }

    fn ask(&mut self, seat: Seat, question: Question, turning: &mut Turning<W>) {
        let deadline = Purpose::Deadline(seat, question.clone());
        let ticket = self.set_timer(turning.at + question.within, deadline, turning);
        self.derive(turning, &Derived::Ask { seat, ticket, body: question.body.clone() });
        turning.effects.push(Effect::Ask { seat, ticket, question });
    }

    /// Hands the news out, sees to it that nobody waits for ever, and ends the session with the game.
    fn settle(&mut self, turning: &mut Turning<W>) {
        loop {
            self.hand_out_news(turning);
            if self.ended {
                return;
            }
            if let (Turn::Over, Some(outcome)) = (self.world.turn(), self.world.outcome()) {
                let digest = self.world.digest();
                let recorded = serde_json::to_value(&outcome).unwrap_or_default();
                self.end(turning, &End::Over { outcome: recorded, digest: Digest::hex(digest) });
                turning.effects.push(Effect::Over { outcome, digest });
                return;
            }
            let Some(stuck) = self.stuck_agent() else { break };
            let problem = "the agent did nothing on its turn; a harmless action was taken for it".to_owned();
            self.derive(turning, &Derived::Fault { seat: stuck, problem });
            let passed = self.world.pass(stuck).map(|action| self.act(stuck, action, turning));
            if !matches!(passed, Some(Ok(()))) {
                break;
            }
        }
        self.watch_world_time(turning);
    }

    fn hand_out_news(&mut self, turning: &mut Turning<W>) {
        let fresh = std::mem::take(&mut self.fresh);
        let to_move = self.world.turn();
        for seat in self.agent_seats() {
            let Some(sitter) = self.sitters[seat.index()].as_mut() else { continue };
            let mut of_others = false;
            for (doer, told) in fresh.iter().filter(|(_, told)| told.to.includes(seat)) {
                of_others |= *doer != Some(seat);
                sitter.inbox.push(told.news.clone());
            }
            let again = to_move == Turn::One(seat) && !fresh.is_empty();
            if (of_others || again) && to_move != Turn::Over {
                self.wake_after(seat, self.pace, turning);
            }
        }
        if turning.show || !fresh.is_empty() {
            turning.show = false;
            turning.effects.push(Effect::Show(fresh.into_iter().map(|(_, told)| told).collect()));
        }
    }

    /// The agent that is to move but has nothing ahead of it that would make it move.
    fn stuck_agent(&self) -> Option<Seat> {
        let Turn::One(seat) = self.world.turn() else { return None };
        self.sitters.get(seat.index())?.as_ref()?;
        let waits = |timer: &Timer| match timer.purpose {
            Purpose::Think(of) | Purpose::Deadline(of, _) => of == seat,
            Purpose::World => false,
        };
        (!self.timers.values().any(waits)).then_some(seat)
    }

    /// Keeps one timer at the world's next due moment.
    fn watch_world_time(&mut self, turning: &mut Turning<W>) {
        let watched = self.timers.iter().find(|(_, timer)| timer.purpose == Purpose::World);
        let watched = watched.map(|(ticket, timer)| (*ticket, timer.at));
        let due = self.world.due();
        if watched.map(|(_, at)| at) == due {
            return;
        }
        if let Some((ticket, _)) = watched {
            self.timers.remove(&ticket);
        }
        if let Some(due) = due {
            self.set_timer(due, Purpose::World, turning);
        }
    }

    /// Sees to it that the seat's agent thinks after `time` at the latest.
    fn wake_after(&mut self, seat: Seat, time: Millis, turning: &mut Turning<W>) {
        let at = turning.at + time;
        let present = self.timers.iter().find(|(_, timer)| timer.purpose == Purpose::Think(seat));
        if let Some((ticket, due)) = present.map(|(ticket, timer)| (*ticket, timer.at)) {
            if due <= at {
                return;
            }
            self.timers.remove(&ticket);
        }
        self.set_timer(at, Purpose::Think(seat), turning);
    }

    fn set_timer(&mut self, at: Millis, purpose: Purpose, turning: &mut Turning<W>) -> Ticket {
        let ticket = Ticket(self.next_ticket);
        self.next_ticket += 1;
        self.timers.insert(ticket, Timer { at, purpose });
        turning.effects.push(Effect::Wake { ticket, at });
        ticket
    }

    fn agent_seats(&self) -> Vec<Seat> {
        let seats = (0..self.world.seats()).map(Seat);
        seats.filter(|seat| self.sitters[seat.index()].is_some()).collect()
    }

    fn record(&mut self, turning: &Turning<W>, event: &Recorded) {
        let line = self.writer.event(turning.at, event);
        self.lines.push(line);
    }

    fn derive(&mut self, turning: &Turning<W>, derived: &Derived) {
        let line = self.writer.derived(turning.at, derived);
        self.lines.push(line);
    }

    fn end(&mut self, turning: &Turning<W>, end: &End) {
        let line = self.writer.end(turning.at, end);
        self.lines.push(line);
        self.ended = true;
        self.timers.clear();
    }
}
