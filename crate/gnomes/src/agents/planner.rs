//! The planning partner: AISMCTS-F with talk (`comm`, the paper's A-Comm) or without (`mute`, its A-Mute).
//!
//! It keeps what it learns about the other side over the rounds of a game ([`Memory`]), and within a round what it
//! believes about a treasure it does not see ([`Belief`]). It takes messages in as they come, in the order of what
//! happened: a refusal is noted for the cell where the token stood when it was said, and a question is answered at
//! once, also out of turn. Its move waits for its turn; then it searches, moves, and asks for the partner's next step.

use super::memory::Memory;
use super::options::PlannerOptions;
use crate::aismctsf::{self, Actions, Branch, Decision, Mover, SharedControl, Tree};
use crate::belief::Belief;
use crate::language::{self, Hint, Parser};
use crate::maze::Maze;
use crate::{Action, Board, Cell, Flag, Gnomes, News, Side, View};
use rand::{Rng, RngExt};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use serde_json::{Value, json};
use tandem_core::{Agent, Deed, Seat, Stream, Thought};

/// How much likelier cells become that lie where the partner says the treasure is.
const HINT_RATIO: f64 = 8.0;

/// The planning partner.
pub struct Planner {
    name: &'static str,
    options: PlannerOptions,
    /// Who reads the partner's messages; nobody for the mute one.
    parser: Option<Box<dyn Parser>>,
    round: Option<Round>,
    memory: Option<Memory>,
    /// The true board, for the omniscient planner alone.
    truth: Option<Board>,
}

/// What it keeps within a round.
struct Round {
    token: Cell,
    belief: Belief,
    /// What the belief was moved by. Said again, it is no news.
    evidence: Vec<Evidence>,
    /// What it last asked of the partner, and whether the partner agreed (f_last in the paper).
    request: Option<Action>,
    agreed: bool,
    /// What it heard since its last move, and how it was read.
    heard: Vec<Heard>,
}

/// What a message says about a treasure that the planner does not see.
#[derive(PartialEq)]
enum Evidence {
    /// The partner wants this step made from here.
    Asked(Cell, Action),
    /// The partner says where it is, the token being here.
    Hint(Cell, Hint),
}

/// A message and its reading.
struct Heard {
    text: String,
    flag: Flag<Action>,
    /// A question that was answered already.
    answered: bool,
}

impl Planner {
    /// The partner that talks, its ears being `parser`.
    pub fn comm(options: PlannerOptions, parser: Box<dyn Parser>) -> Self {
        Self { name: "comm", options, parser: Some(parser), round: None, memory: None, truth: None }
    }

    /// The same planner without messages.
    pub fn mute(options: PlannerOptions) -> Self {
        Self { name: "mute", options, parser: None, round: None, memory: None, truth: None }
    }

    /// The same planner with `knowledge: omniscient`: it searches the true game, the partner's walls and every treasure
    /// included, as the rollouts of the authors' published program do. No seat may know that much in play; it is there
    /// for comparison in the lab, and [`super::make`] does not offer it.
    #[must_use]
    pub fn omniscient(self, board: Board) -> Self {
        Self { truth: Some(board), ..self }
    }

    /// Takes in what happened since the last thought. Returns the answers to questions.
    fn take_in(&mut self, view: &View, news: &[News]) -> Vec<String> {
        let memory = self.memory.get_or_insert_with(|| Memory::new(view.width, view.height));
        let round = self.round.get_or_insert_with(|| Round::new(view));
        let mut answers = Vec::new();
        for news in news {
            match news {
                News::Moved { seat, action, from, to } => {
                    if *seat != view.seat {
                        memory.unmark(*from, *action);
                    }
                    round.token = *to;
                    round.belief.exclude(*to);
                }
                News::Stayed { seat } if *seat != view.seat => {
                    // It agreed to the step and yet the token did not move: the attempt has visibly failed.
                    if let Some(request) = round.request.filter(|_| round.agreed) {
                        memory.mark(round.token, request);
                    }
                }
                News::Said { seat, text } if *seat != view.seat => {
                    if let Some(parser) = &mut self.parser {
                        let flag = parser.flag(text, round.request);
                        answers.extend(round.hear(text, flag, view, memory));
                    }
                }
                News::Round { .. } => *round = Round::new(view),
                _ => {}
            }
        }
        answers
    }

    /// Plans and decides; `None` before anything is known.
    fn plan(&mut self, view: &View, stream: &mut Stream) -> Option<Plan> {
        let memory = self.memory.as_mut()?;
        let round = self.round.as_mut()?;
        let own = own_side(view);
        let maze = match &self.truth {
            Some(board) => true_maze(&own, board, view),
            None => believable_maze(&own, memory, view, round),
        };
        let root = maze.index(view.token);
        let input = round.input();
        let mut chance = Xoshiro256PlusPlus::seed_from_u64(stream.next_u64());
        let tree = aismctsf::search(&maze, root, &self.options.search, &mut chance, |_| true);
        let valid = maze.actions(Mover::Ego, root);
        let refused = |action: u8| {
            let cell = maze.cell(maze.after(Mover::Ego, root, action));
            self.truth
                .as_ref()
                .map_or_else(|| memory.refused(cell), |board| walls(&board.sides()[other(view.seat).index()], cell))
        };
        let decision = aismctsf::decide(&tree, to_number(input), valid, refused, stream);
        Some(Plan { input, tree, decision })
    }

    /// What is said with the move, if anything.
    fn words(&self, view: &View, plan: &Plan, stream: &mut Stream) -> Option<String> {
        let round = self.round.as_ref().filter(|_| self.parser.is_some())?;
        let variant = stream.random_range(0..1000);
        match plan.decision.flag {
            Flag::Do(action) => {
                // The move that ends the round leaves nothing to ask for.
                let chosen = Action::ALL[usize::from(plan.decision.action)];
                let ends = view.treasure.is_some_and(|treasure| view.token.after(chosen) == Some(treasure));
                (!ends).then(|| language::request(Action::ALL[usize::from(action)], variant))
            }
            Flag::Reject => plan.input.action().map(|asked| language::refusal(asked, variant)),
            Flag::Inquiry => {
                let question = round.heard.iter().rfind(|heard| heard.flag == Flag::Inquiry)?;
                Some(language::answer(&question.text, view))
            }
            Flag::Accept | Flag::None => None,
        }
    }

    fn explain(&self, view: &View, plan: Option<&Plan>) -> Value {
        let Some(round) = &self.round else { return Value::Null };
        let memory = self.memory.as_ref();
        let marks =
            memory.map(|memory| memory.marks().iter().map(|(cell, step)| json!([cell.x, cell.y, step])).collect());
        let heard = round.heard.iter().map(|heard| json!({ "text": heard.text, "flag": heard.flag.name() }));
        let mut because = json!({
            "agent": self.name,
            "knowledge": if self.truth.is_some() { "omniscient" } else { "own view" },
            "heard": heard.collect::<Vec<_>>(),
            "parser": self.parser.as_ref().map(|parser| parser.name()),
            "belief": if view.treasure.is_some() { Value::Null } else { belief_json(&round.belief) },
            "hidden": marks.unwrap_or(Value::Array(Vec::new())),
        });
        if let (Some(plan), Some(fields)) = (plan, because.as_object_mut()) {
            let decision = &plan.decision;
            let branches = |branches: &[Branch]| branches.iter().map(branch_json).collect::<Vec<_>>();
            fields.extend([
                ("flag_in".to_owned(), json!(plan.input.name())),
                ("flag_out".to_owned(), json!(from_number(decision.flag).name())),
                ("chosen".to_owned(), json!(Action::ALL[usize::from(decision.action)])),
                ("iterations".to_owned(), json!(plan.tree.iterations())),
                ("root".to_owned(), json!(branches(&decision.root))),
                ("replies".to_owned(), json!(branches(&decision.replies))),
                ("tree".to_owned(), tree_json(&plan.tree, &mut Vec::new(), 3)),
            ]);
        }
        because
    }
}

/// What a search came to.
struct Plan {
    input: Flag<Action>,
    tree: Tree,
    decision: Decision,
}

impl Agent<Gnomes> for Planner {
    fn think(&mut self, view: &View, news: &[News], stream: &mut Stream) -> Thought<Action> {
        let answers = self.take_in(view, news);
        let mut deeds: Vec<Deed<Action>> = answers.into_iter().map(Deed::Say).collect();
        if view.turn != Some(view.seat) {
            let because = if deeds.is_empty() { None } else { Some(self.explain(view, None)) };
            return Thought { deeds, because };
        }
        let Some(plan) = self.plan(view, stream) else { return Thought::idle() };
        deeds.extend(self.words(view, &plan, stream).map(Deed::Say));
        deeds.push(Deed::Act(Action::ALL[usize::from(plan.decision.action)]));
        let because = self.explain(view, Some(&plan));
        if let Some(round) = &mut self.round {
            round.request = from_number(plan.decision.flag).action();
            round.agreed = false;
            round.heard.clear();
        }
        Thought { deeds, because: Some(because) }
    }
}

impl Round {
    fn new(view: &View) -> Self {
        let mut belief = Belief::uniform(view.width, view.height);
        belief.exclude(view.start);
        belief.exclude(view.token);
        Self { token: view.start, belief, evidence: Vec::new(), request: None, agreed: false, heard: Vec::new() }
    }

    /// Takes a message in. Returns the answer if it is a question.
    fn hear(&mut self, text: &str, flag: Flag<Action>, view: &View, memory: &mut Memory) -> Option<String> {
        match flag {
            Flag::Reject => {
                if let Some(request) = self.request {
                    memory.mark(self.token, request);
                }
            }
            Flag::Accept => self.agreed = true,
            Flag::Do(step) if view.treasure_seat != view.seat && self.is_new(Evidence::Asked(self.token, step)) => {
                let own = own_side(view);
                let open = |cell: Cell, step: Action| own.open(cell, step) || partner_open(&own, memory, cell, step);
                self.belief.asked(self.token, step, open);
            }
            Flag::Do(_) | Flag::Inquiry | Flag::None => {}
        }
        if view.treasure_seat != view.seat
            && matches!(flag, Flag::None | Flag::Do(_) | Flag::Reject)
            && let Some(hint) = language::place_hint(text)
            && self.is_new(Evidence::Hint(self.token, hint))
        {
            let token = self.token;
            let size = (view.width, view.height);
            self.belief.hint(HINT_RATIO, |cell| hint.fits(cell, token, size));
        }
        let answer = (flag == Flag::Inquiry).then(|| language::answer(text, view));
        self.heard.push(Heard { text: text.to_owned(), flag, answered: answer.is_some() });
        answer
    }

    /// Whether this was not said before in this round; takes note of it.
    fn is_new(&mut self, evidence: Evidence) -> bool {
        let new = !self.evidence.contains(&evidence);
        if new {
            self.evidence.push(evidence);
        }
        new
    }

    /// The input flag of the next search: the last step asked for; else a refusal, a question still open, or agreement.
    fn input(&self) -> Flag<Action> {
        let last =
            |wanted: fn(&Heard) -> bool| self.heard.iter().rev().find(|heard| wanted(heard)).map(|heard| heard.flag);
        last(|heard| heard.flag.action().is_some())
            .or_else(|| last(|heard| heard.flag == Flag::Reject))
            .or_else(|| last(|heard| heard.flag == Flag::Inquiry && !heard.answered))
            .or_else(|| last(|heard| heard.flag == Flag::Accept))
            .unwrap_or(Flag::None)
    }
}

/// The maze as it is known. If what is believed of the partner's walls puts the treasure out of reach, some of it must
/// be wrong: the oldest marks are dropped until it can be reached again.
fn believable_maze(own: &Side, memory: &mut Memory, view: &View, round: &Round) -> Maze {
    loop {
        let maze = Maze::new(own, |cell| memory.refused(cell));
        let reachable = maze.reachable(view.token);
        let possible = match view.treasure {
            Some(treasure) => reachable[usize::from(maze.index(treasure))],
            None => {
                round.belief.probabilities().iter().zip(&reachable).any(|(share, reached)| *reached && *share > 0.0)
            }
        };
        if possible || !memory.forget_oldest() {
            return match view.treasure {
                Some(treasure) => maze.with_treasure(treasure),
                None => maze.with_belief(&round.belief, view.token),
            };
        }
    }
}

/// The maze as it is, for the omniscient planner.
fn true_maze(own: &Side, board: &Board, view: &View) -> Maze {
    let treasure = board.treasures().get(view.round.saturating_sub(1)).copied().unwrap_or(view.token);
    let partner = &board.sides()[other(view.seat).index()];
    Maze::new(own, |cell| walls(partner, cell)).with_treasure(treasure)
}

/// The steps that a side's walls stop at a cell.
fn walls(side: &Side, cell: Cell) -> Actions {
    let closed = Action::MOVES.into_iter().filter(|step| !side.open(cell, *step));
    closed.fold(0, |set, step| set | 1 << step.index())
}

/// The viewer's own side, from its walls.
pub(super) fn own_side(view: &View) -> Side {
    let mut side = Side::without_walls(view.width, view.height);
    for cell in &view.walls.right {
        side.add_wall(*cell, Action::Right);
    }
    for cell in &view.walls.below {
        side.add_wall(*cell, Action::Down);
    }
    side
}

/// Whether the partner can take a step as far as is known: on the board, and not refused.
pub(super) fn partner_open(own: &Side, memory: &Memory, cell: Cell, step: Action) -> bool {
    cell.after(step).is_some_and(|next| own.contains(next)) && !memory.refuses(cell, step)
}

fn to_number(flag: Flag<Action>) -> Flag<u8> {
    match flag {
        Flag::Do(action) => Flag::Do(action.index() as u8),
        Flag::Inquiry => Flag::Inquiry,
        Flag::Accept => Flag::Accept,
        Flag::Reject => Flag::Reject,
        Flag::None => Flag::None,
    }
}

fn from_number(flag: Flag<u8>) -> Flag<Action> {
    match flag {
        Flag::Do(action) => Flag::Do(Action::ALL[usize::from(action)]),
        Flag::Inquiry => Flag::Inquiry,
        Flag::Accept => Flag::Accept,
        Flag::Reject => Flag::Reject,
        Flag::None => Flag::None,
    }
}

fn branch_json(branch: &Branch) -> Value {
    let action = Action::ALL[usize::from(branch.action)];
    json!({ "action": action, "visits": branch.visits, "value": rounded(branch.value), "prior": rounded(branch.prior) })
}

/// The most visited part of the tree, a few levels deep.
fn tree_json(tree: &Tree, path: &mut Vec<u8>, levels: usize) -> Value {
    let visited = tree.branches(path).into_iter().filter(|branch| branch.visits > 1);
    let children = visited.map(|branch| {
        let mut node = branch_json(&branch);
        path.push(branch.action);
        let below = if levels > 1 { tree_json(tree, path, levels - 1) } else { json!([]) };
        path.pop();
        node["children"] = below;
        node
    });
    Value::Array(children.collect())
}

/// The likely cells with their probabilities.
fn belief_json(belief: &Belief) -> Value {
    let width = usize::from(belief.width());
    let likely = belief.probabilities().iter().enumerate().filter(|(_, share)| **share > 0.0005);
    likely.map(|(index, share)| json!([index % width, index / width, rounded(*share)])).collect()
}

/// Four places are enough to read, and keep the trace small.
fn rounded(number: f64) -> f64 {
    (number * 1e4).round() / 1e4
}

/// The seat across the table.
pub(super) fn other(seat: Seat) -> Seat {
    Seat(1 - seat.0)
}
