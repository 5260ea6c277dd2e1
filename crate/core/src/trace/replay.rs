//! Playing a trace again.

use super::{End, Entry, Recorded, Trace, TraceError};
use crate::{Digest, Millis, Seat, Seed, Told, World};
use serde_json::Value;
use std::collections::BTreeMap;

/// A trace that has been played again from first to last line: every action was legal, and where the trace gives a
/// digest, the state agrees with it.
///
/// Agents are not asked again: what they did stands in the trace. ([`crate::Session::resume`] does ask them again.)
#[derive(Clone, Debug)]
pub struct Replay<W: World> {
    trace: Trace,
    config: W::Config,
    seed: Seed,
    /// The lines (as indices) that changed the world, in order.
    steps: Vec<usize>,
    digest: u64,
    outcome: Option<W::Outcome>,
}

/// The table after one step of a replay.
#[derive(Clone, Debug)]
pub struct Frame<W: World> {
    /// When, in milliseconds of the session.
    pub at: Millis,
    /// The line of the file that led here, counted from 1; the header's for the first frame.
    pub line: usize,
    /// The event that led here; none for the first frame.
    pub event: Option<Recorded>,
    /// The state after it.
    pub world: W,
    /// What it told the seats.
    pub news: Vec<Told<W::News>>,
    /// Each agent's latest explanation up to here, by seat: why this step was taken, or the last one before it.
    pub thoughts: BTreeMap<Seat, Value>,
}

impl<W: World> Replay<W> {
    /// Plays the trace through and checks it.
    ///
    /// # Errors
    /// The first line that cannot have been written in a game of this world, and why.
    pub fn new(trace: Trace) -> Result<Self, TraceError> {
        let header = trace.header();
        if header.world != W::NAME {
            return Err(TraceError::new(1, format!("is of the world {:?}, not {:?}", header.world, W::NAME)));
        }
        if header.rules != W::RULES {
            let played = &header.rules;
            return Err(TraceError::new(
                1,
                format!("was played under the rules {played:?}; this version has {:?}", W::RULES),
            ));
        }
        let config: W::Config = serde_json::from_value(header.config.clone())
            .map_err(|error| TraceError::new(1, format!("config: {error}")))?;
        let seed = header.seed;
        let mut world = W::new(config.clone(), seed).map_err(|error| TraceError::new(1, error.to_string()))?;
        if header.seats.len() != usize::from(world.seats()) {
            let (given, needed) = (header.seats.len(), world.seats());
            return Err(TraceError::new(1, format!("names {given} seats where the world has {needed}")));
        }
        let mut steps = Vec::new();
        for (index, line) in trace.lines().iter().enumerate() {
            let here = |reason: String| TraceError::new(Trace::line_number(index), reason);
            match &line.entry {
                Entry::Event(event) => {
                    if apply(&mut world, line.at, event).map_err(here)?.is_some() {
                        steps.push(index);
                    }
                }
                Entry::End(end) => {
                    world.advance(line.at);
                    check_end(&world, end).map_err(here)?;
                }
                Entry::Header(_) | Entry::Derived(_) => {}
            }
        }
        let (digest, outcome) = (world.digest(), world.outcome());
        Ok(Self { trace, config, seed, steps, digest, outcome })
    }

    /// The trace.
    pub fn trace(&self) -> &Trace {
        &self.trace
    }

    /// The number of frames: one for the start, one for every step.
    pub fn frames(&self) -> usize {
        self.steps.len() + 1
    }

    /// The digest of the last state.
    pub fn digest(&self) -> u64 {
        self.digest
    }

    /// How the game ended, if it did.
    pub fn outcome(&self) -> Option<&W::Outcome> {
        self.outcome.as_ref()
    }

    /// The table after `index` steps; `None` beyond the last. Plays from the start each time: worlds are quick, and a
    /// long trace then costs no memory.
    pub fn frame(&self, index: usize) -> Option<Frame<W>> {
        let last_line = match index {
            0 => None,
            _ => Some(*self.steps.get(index - 1)?),
        };
        let mut frame = Frame {
            at: Millis::ZERO,
            line: 1,
            event: None,
            world: W::new(self.config.clone(), self.seed).ok()?,
            news: Vec::new(),
            thoughts: BTreeMap::new(),
        };
        let Some(last_line) = last_line else { return Some(frame) };
        for (number, line) in self.trace.lines()[..=last_line].iter().enumerate() {
            match &line.entry {
                Entry::Event(event) => {
                    let news = apply(&mut frame.world, line.at, event).ok()?;
                    if let Some(news) = news {
                        frame.at = line.at;
                        frame.line = Trace::line_number(number);
                        frame.event = Some(event.clone());
                        frame.news = news;
                    }
                }
                Entry::Derived(super::Derived::Thought { seat, because }) => {
                    frame.thoughts.insert(*seat, because.clone());
                }
                Entry::Derived(_) | Entry::Header(_) | Entry::End(_) => {}
            }
        }
        Some(frame)
    }
}

/// What an event told the seats; `None` if it does not concern the world.
type NewsOf<W> = Option<Vec<Told<<W as World>::News>>>;

fn apply<W: World>(world: &mut W, at: Millis, event: &Recorded) -> Result<NewsOf<W>, String> {
    let mut news = world.advance(at);
    match event {
        Recorded::Act { seat, action } => {
            let action = serde_json::from_value(action.clone()).map_err(|error| format!("action: {error}"))?;
            news.extend(check_seat(world, *seat)?.step(*seat, action, at).map_err(|error| error.to_string())?);
            Ok(Some(news))
        }
        Recorded::Say { seat, text } => {
            news.extend(check_seat(world, *seat)?.say(*seat, text, at).map_err(|error| error.to_string())?);
            Ok(Some(news))
        }
        Recorded::Start {} | Recorded::Wake { .. } | Recorded::Answer { .. } | Recorded::Resume {} => Ok(None),
    }
}

fn check_seat<W: World>(world: &mut W, seat: Seat) -> Result<&mut W, String> {
    if seat.0 < world.seats() { Ok(world) } else { Err(format!("there is no {seat} at this table")) }
}

fn check_end<W: World>(world: &W, end: &End) -> Result<(), String> {
    let digest = match end {
        End::Over { digest, outcome } => {
            let reached = serde_json::to_value(world.outcome()).unwrap_or_default();
            if reached != *outcome {
                return Err("says another outcome than the one that replaying reaches".into());
            }
            digest
        }
        End::Stopped { digest } => digest,
    };
    let reached = Digest::hex(world.digest());
    if reached == *digest { Ok(()) } else { Err(format!("says digest {digest}, but replaying reaches {reached}")) }
}
