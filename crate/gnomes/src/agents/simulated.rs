//! A simulated human, for the lab: sees one side, plans sensibly, talks in words, does mostly what it is asked.
//!
//! The idea: where it sees the treasure, it looks for a shortest way over (cell, whose turn), its own walls known and the
//! partner's side taken to be open but for what was refused; it takes the first step and asks for the second. Where it
//! does not, it does what it is asked, and else explores: open steps to cells the token has visited least. It refuses
//! what its walls forbid, now and then ignores a request, and now and then errs.
//!
//! A partner that does not do what the way needs, twice at the same place, is taken to be unable to; so it never waits
//! for ever for a partner that does not talk.

use super::memory::Memory;
use super::options::SimulatedOptions;
use super::planner::{other, partner_open};
use crate::language::{self, Embedded, Parser};
use crate::{Action, Cell, Flag, Gnomes, News, Side, View, solver};
use rand::RngExt;
use rand::seq::IndexedRandom;
use std::collections::BTreeMap;
use tandem_core::{Agent, Deed, Stream, Thought};

/// After how many vain waits for the same step the partner is taken to be unable to make it.
const PATIENCE: u32 = 2;

/// The simulated human.
pub struct Simulated {
    options: SimulatedOptions,
    parser: Embedded,
    memory: Option<Memory>,
    round: Round,
}

/// What it keeps within a round.
#[derive(Default)]
struct Round {
    /// Where the token was when the partner's turn began.
    token: Cell,
    /// The step it asked for, or would need.
    wanted: Option<Action>,
    /// What the partner asks for.
    asked: Option<Action>,
    visits: BTreeMap<Cell, u32>,
    vain: BTreeMap<(Cell, Action), u32>,
}

impl Simulated {
    /// A simulated human of these habits.
    pub fn new(options: SimulatedOptions) -> Self {
        Self { options, parser: Embedded, memory: None, round: Round::default() }
    }

    fn take_in(&mut self, view: &View, news: &[News]) {
        let partner = other(view.seat);
        let memory = self.memory.get_or_insert_with(|| Memory::new(view.width, view.height));
        for news in news {
            let round = &mut self.round;
            match news {
                News::Moved { seat, action, from, to } if *seat == partner => {
                    memory.unmark(*from, *action);
                    round.partner_moved(Some(*action), memory);
                    round.arrive(*to);
                }
                News::Stayed { seat } if *seat == partner => round.partner_moved(None, memory),
                News::Moved { to, .. } => round.arrive(*to),
                News::Said { seat, text } if *seat == partner => match self.parser.flag(text, round.wanted) {
                    Flag::Reject => {
                        if let Some(wanted) = round.wanted.take() {
                            memory.mark(round.token, wanted);
                        }
                    }
                    Flag::Do(step) => round.asked = Some(step),
                    Flag::Inquiry | Flag::Accept | Flag::None => {}
                },
                News::Round { .. } => *round = Round { token: view.start, ..Round::default() },
                _ => {}
            }
        }
    }

    /// Its step, and the step it wants of the partner next.
    fn choose(&mut self, view: &View, own: &Side, stream: &mut Stream) -> (Action, Option<Action>) {
        let asked = self.round.asked.take().filter(|step| own.open(view.token, *step));
        let obeys = asked.filter(|_| stream.random_bool(self.options.obedience));
        if stream.random_bool(self.options.error) {
            return (view.open.choose(stream).copied().unwrap_or(Action::Stay), None);
        }
        match view.treasure {
            Some(treasure) => self.towards(view, own, treasure, obeys),
            None => (obeys.unwrap_or_else(|| self.explore(view, own, stream)), None),
        }
    }

    /// A shortest way to the treasure, or the step asked for if that is no longer.
    fn towards(&mut self, view: &View, own: &Side, treasure: Cell, asked: Option<Action>) -> (Action, Option<Action>) {
        let Some(memory) = &mut self.memory else { return (Action::Stay, None) };
        loop {
            let partner = believed_side(own, memory);
            let mut sides = [own.clone(), partner];
            let me = usize::from(view.seat.0);
            if me == 1 {
                sides.swap(0, 1);
            }
            let way = |from: Cell, mover: u8| solver::shortest_path(&sides, from, treasure, mover);
            let Some(best) = way(view.token, view.seat.0) else {
                if memory.forget_oldest() {
                    continue;
                }
                return (Action::Stay, None);
            };
            if let Some(asked) = asked {
                let after = way(own.after(view.token, asked), 1 - view.seat.0);
                if let Some(after) = after.filter(|after| after.len() < best.len()) {
                    return (asked, after.first().copied());
                }
            }
            return (best.first().copied().unwrap_or(Action::Stay), best.get(1).copied());
        }
    }

    fn explore(&self, view: &View, own: &Side, stream: &mut Stream) -> Action {
        let steps: Vec<Action> = own.actions(view.token).filter(|step| *step != Action::Stay).collect();
        let visits = |step: &Action| self.round.visits.get(&own.after(view.token, *step)).copied().unwrap_or_default();
        let fewest = steps.iter().map(visits).min().unwrap_or_default();
        let fresh: Vec<Action> = steps.into_iter().filter(|step| visits(step) == fewest).collect();
        fresh.choose(stream).copied().unwrap_or(Action::Stay)
    }
}

impl Round {
    fn arrive(&mut self, cell: Cell) {
        self.token = cell;
        *self.visits.entry(cell).or_default() += 1;
    }

    /// The partner has had its turn. If it did not do what was wanted, that was in vain.
    fn partner_moved(&mut self, moved: Option<Action>, memory: &mut Memory) {
        let Some(wanted) = self.wanted.take().filter(|wanted| *wanted != Action::Stay) else { return };
        if moved == Some(wanted) {
            return;
        }
        let vain = self.vain.entry((self.token, wanted)).or_default();
        *vain += 1;
        if *vain >= PATIENCE {
            memory.mark(self.token, wanted);
            *vain = 0;
        }
    }
}

/// The partner's side as far as it is known.
fn believed_side(own: &Side, memory: &Memory) -> Side {
    let mut side = Side::without_walls(own.width(), own.height());
    for index in 0..side.cells() {
        let cell = side.cell(index);
        for step in [Action::Right, Action::Down] {
            if !partner_open(own, memory, cell, step) {
                side.add_wall(cell, step);
            }
        }
    }
    side
}

impl Agent<Gnomes> for Simulated {
    fn think(&mut self, view: &View, news: &[News], stream: &mut Stream) -> Thought<Action> {
        self.take_in(view, news);
        if view.turn != Some(view.seat) {
            return Thought::idle();
        }
        let own = view.side();
        let mut deeds = Vec::new();
        let variant = stream.random_range(0..1000);
        let refused = self.round.asked.filter(|step| !own.open(view.token, *step));
        if let Some(step) = refused {
            deeds.push(Deed::Say(language::refusal(step, variant)));
        }
        let (action, wanted) = self.choose(view, &own, stream);
        if let Some(wanted) = wanted.filter(|_| stream.random_bool(self.options.talk)) {
            deeds.push(Deed::Say(language::request(wanted, variant)));
        }
        self.round.wanted = wanted;
        self.round.asked = None;
        deeds.push(Deed::Act(action));
        Thought { deeds, because: None }
    }
}
