//! The planning partner: AISMCTS-F with talk (`comm`, the paper's A-Comm) or without (`mute`, its A-Mute).
//!
//! It keeps what it learns about the other side over the rounds of a game ([`Memory`]), and within a round what it
//! believes about a treasure it does not see ([`Belief`]). It takes messages in as they come, in the order of what
//! happened: a refusal is noted for the cell where the token stood when it was said, and a question is answered at
//! once, also out of turn. Its move waits for its turn; then it searches, moves, and asks for the partner's next step.
//!
//! Where a language model reads, the news stops at a message until the model has said what it means, and goes on in
//! order from there; a move waits as well. So whatever a message means is taken as of when it was said, as with the
//! embedded parser. The first reply that is late, missing or not what was asked for is replaced by the embedded parser's
//! reading, and so is everything else that has come in by then: nobody waits for one deadline after another.

use super::memory::Memory;
use super::options::PlannerOptions;
use crate::aismctsf::{self, Actions, Branch, Decision, Mover, SharedControl, Tree};
use crate::belief::Belief;
use crate::language::model::{self, ModelOptions};
use crate::language::{self, Hint, Parser};
use crate::maze::Maze;
use crate::{Action, Board, Cell, Flag, Gnomes, News, Side, View};
use rand::{Rng, RngExt};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use serde_json::{Value, json};
use std::collections::VecDeque;
use tandem_core::{Agent, Answer, Deed, Fault, Seat, Stream, Thought};
use tandem_llm::ask;
use tandem_llm::chat::Reply;

/// How much likelier cells become that lie where the partner says the treasure is.
const HINT_RATIO: f64 = 8.0;
/// The name of the responder that needs no model.
const EMBEDDED: &str = "embedded";

/// The planning partner.
pub struct Planner {
    name: &'static str,
    options: PlannerOptions,
    /// Who reads the partner's messages, or reads them where the language model fails; nobody for the mute one.
    parser: Option<Box<dyn Parser>>,
    /// What happened and was not taken in yet.
    inbox: VecDeque<News>,
    /// What the language model was asked and has not answered.
    asked: Option<Asked>,
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
    reader: Source,
    /// Who worded the answer to a question, once it is answered.
    answerer: Option<Source>,
}

/// What a language model is asked about a message.
enum Asked {
    /// What it means.
    Meaning(String),
    /// The answer to the question that it is.
    Answer(String),
}

/// Who read a message, or worded an answer.
struct Source {
    /// The parser's or the model's name.
    name: String,
    /// Why it was not the model, where one was asked.
    fault: Option<String>,
}

impl Source {
    fn new(name: &str) -> Self {
        Self { name: name.to_owned(), fault: None }
    }
}

impl Planner {
    /// The partner that talks, its ears being `parser`.
    pub fn comm(options: PlannerOptions, parser: Box<dyn Parser>) -> Self {
        Self { name: "comm", parser: Some(parser), ..Self::mute(options) }
    }

    /// The same planner without messages.
    pub fn mute(options: PlannerOptions) -> Self {
        Self {
            name: "mute",
            options,
            parser: None,
            inbox: VecDeque::new(),
            asked: None,
            round: None,
            memory: None,
            truth: None,
        }
    }

    /// The same planner with `knowledge: omniscient`: it searches the true game, the partner's walls and every treasure
    /// included, as the rollouts of the authors' published program do. No seat may know that much in play; it is there
    /// for comparison in the lab, and [`super::make`] does not offer it.
    #[must_use]
    pub fn omniscient(self, board: Board) -> Self {
        Self { truth: Some(board), ..self }
    }

    /// Takes in what has happened, in order, up to a message that the model must read first. With `patient` false
    /// nothing more is asked: the model has just failed.
    fn take_in(&mut self, view: &View, patient: bool, deeds: &mut Vec<Deed<Action>>) {
        while self.asked.is_none() {
            let Some(news) = self.inbox.pop_front() else { return };
            self.take_in_one(news, view, patient, deeds);
        }
    }

    fn take_in_one(&mut self, news: News, view: &View, patient: bool, deeds: &mut Vec<Deed<Action>>) {
        let memory = self.memory.get_or_insert_with(|| Memory::new(view.width, view.height));
        let round = self.round.get_or_insert_with(|| Round::new(view));
        match news {
            News::Moved { seat, action, from, to } => {
                if seat != view.seat {
                    memory.unmark(from, action);
                }
                round.token = to;
                round.belief.exclude(to);
            }
            News::Stayed { seat } if seat != view.seat => {
                // It agreed to the step and yet the token did not move: the attempt has visibly failed.
                if let Some(request) = round.request.filter(|_| round.agreed) {
                    memory.mark(round.token, request);
                }
            }
            News::Said { seat, text } if seat != view.seat && self.parser.is_some() => {
                self.hear(text, view, patient, deeds);
            }
            News::Round { .. } => *round = Round::new(view),
            _ => {}
        }
    }

    /// Hears a message: the model is asked, or the parser reads it at once.
    fn hear(&mut self, text: String, view: &View, patient: bool, deeds: &mut Vec<Deed<Action>>) {
        let request = self.round.as_ref().and_then(|round| round.request);
        match &self.options.language {
            Some(ModelOptions { model, within }) if patient && model::readable(&text) => {
                let question = ask::question(&model::intent_request(model, &text, request), *within);
                deeds.push(Deed::Ask(question));
                self.asked = Some(Asked::Meaning(text));
            }
            _ => self.parse(text, None, view, deeds),
        }
    }

    /// The parser reads a message; `fault` says why it was not the model.
    fn parse(&mut self, text: String, fault: Option<String>, view: &View, deeds: &mut Vec<Deed<Action>>) {
        let request = self.round.as_ref().and_then(|round| round.request);
        let Some(parser) = &mut self.parser else { return };
        let flag = parser.flag(&text, request);
        let reader = Source { name: parser.name().to_owned(), fault };
        self.understood(text, flag, reader, false, view, deeds);
    }

    /// Takes in what a message means. A question is answered: by the model if it is `patient`ly asked, else at once.
    fn understood(
        &mut self,
        text: String,
        flag: Flag<Action>,
        reader: Source,
        patient: bool,
        view: &View,
        deeds: &mut Vec<Deed<Action>>,
    ) {
        let (Some(round), Some(memory)) = (&mut self.round, &mut self.memory) else { return };
        round.hear(&text, flag, view, memory);
        let mut heard = Heard { text, flag, reader, answerer: None };
        if flag == Flag::Inquiry {
            match &self.options.language {
                Some(ModelOptions { model, within }) if patient => {
                    let question = ask::question(&model::inquiry_request(model, &heard.text, view), *within);
                    deeds.push(Deed::Ask(question));
                    self.asked = Some(Asked::Answer(heard.text.clone()));
                }
                _ => {
                    deeds.push(Deed::Say(language::answer(&heard.text, view)));
                    heard.answerer = Some(Source::new(EMBEDDED));
                }
            }
        }
        round.heard.push(heard);
    }

    /// The model has told what a message means, or has failed to.
    fn read(&mut self, text: String, reply: Result<Reply, Fault>, view: &View, deeds: &mut Vec<Deed<Action>>) -> bool {
        let read = reply
            .map_err(|fault| words_of(&fault))
            .and_then(|reply| model::read_intent(&reply).map_err(|error| error.to_string()));
        match (read, &self.options.language) {
            (Ok(flag), Some(language)) => {
                let reader = Source::new(&language.model);
                self.understood(text, flag, reader, true, view, deeds);
                true
            }
            (read, _) => {
                self.parse(text, read.err(), view, deeds);
                false
            }
        }
    }

    /// The model has worded the answer to a question, or has failed to.
    fn reply(&mut self, text: &str, reply: Result<Reply, Fault>, view: &View, deeds: &mut Vec<Deed<Action>>) -> bool {
        let said = reply
            .map_err(|fault| words_of(&fault))
            .and_then(|reply| model::read_answer(&reply).map_err(|error| error.to_string()));
        let (words, answerer) = match (said, &self.options.language) {
            (Ok(words), Some(language)) => (words, Source::new(&language.model)),
            (said, _) => (language::answer(text, view), Source { name: EMBEDDED.to_owned(), fault: said.err() }),
        };
        let usable = answerer.fault.is_none();
        deeds.push(Deed::Say(words));
        let open = self.round.as_mut().and_then(|round| round.heard.last_mut());
        if let Some(heard) = open {
            heard.answerer = Some(answerer);
        }
        usable
    }

    /// Moves if it is its turn and nothing is left to be read.
    fn go_on(&mut self, view: &View, stream: &mut Stream, mut deeds: Vec<Deed<Action>>, read: bool) -> Thought<Action> {
        if self.asked.is_some() || view.turn != Some(view.seat) {
            let explains = read || deeds.iter().any(|deed| matches!(deed, Deed::Say(_)));
            let because = explains.then(|| self.explain(view, None));
            return Thought { deeds, because };
        }
        let Some(plan) = self.plan(view, stream) else { return Thought { deeds, because: None } };
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

    /// Plans and decides; `None` before anything is known.
    fn plan(&mut self, view: &View, stream: &mut Stream) -> Option<Plan> {
        let memory = self.memory.as_mut()?;
        let round = self.round.as_mut()?;
        let own = view.side();
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

    /// Who reads first.
    fn reader<'a>(&'a self, parser: &'a str) -> &'a str {
        self.options.language.as_ref().map_or(parser, |language| &language.model)
    }

    fn explain(&self, view: &View, plan: Option<&Plan>) -> Value {
        let Some(round) = &self.round else { return Value::Null };
        let memory = self.memory.as_ref();
        let marks =
            memory.map(|memory| memory.marks().iter().map(|(cell, step)| json!([cell.x, cell.y, step])).collect());
        let asks = self.options.language.is_some();
        let heard = round.heard.iter().map(|heard| heard_json(heard, asks));
        let mut because = json!({
            "agent": self.name,
            "knowledge": if self.truth.is_some() { "omniscient" } else { "own view" },
            "heard": heard.collect::<Vec<_>>(),
            "parser": self.parser.as_ref().map(|parser| self.reader(parser.name())),
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
        self.memory.get_or_insert_with(|| Memory::new(view.width, view.height));
        self.round.get_or_insert_with(|| Round::new(view));
        self.inbox.extend(news.iter().cloned());
        let mut deeds = Vec::new();
        self.take_in(view, true, &mut deeds);
        self.go_on(view, stream, deeds, false)
    }

    fn answered(&mut self, answer: Answer, view: &View, stream: &mut Stream) -> Thought<Action> {
        let Some(asked) = self.asked.take() else { return Thought::idle() };
        let reply = ask::reply(answer);
        let mut deeds = Vec::new();
        let patient = match asked {
            Asked::Meaning(text) => self.read(text, reply, view, &mut deeds),
            Asked::Answer(question) => self.reply(&question, reply, view, &mut deeds),
        };
        self.take_in(view, patient, &mut deeds);
        self.go_on(view, stream, deeds, true)
    }
}

impl Round {
    fn new(view: &View) -> Self {
        let mut belief = Belief::uniform(view.width, view.height);
        belief.exclude(view.start);
        belief.exclude(view.token);
        Self { token: view.start, belief, evidence: Vec::new(), request: None, agreed: false, heard: Vec::new() }
    }

    /// Takes in what a message says about walls and the treasure.
    fn hear(&mut self, text: &str, flag: Flag<Action>, view: &View, memory: &mut Memory) {
        match flag {
            Flag::Reject => {
                if let Some(request) = self.request {
                    memory.mark(self.token, request);
                }
            }
            Flag::Accept => self.agreed = true,
            Flag::Do(step) if view.treasure_seat != view.seat && self.is_new(Evidence::Asked(self.token, step)) => {
                let own = view.side();
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
            .or_else(|| last(|heard| heard.flag == Flag::Inquiry && heard.answerer.is_none()))
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

/// A message and its reading. Who read it is told where it may have been one or the other.
fn heard_json(heard: &Heard, asks: bool) -> Value {
    let mut told = json!({ "text": heard.text, "flag": heard.flag.name() });
    if let (true, Some(fields)) = (asks, told.as_object_mut()) {
        let mut tell = |who: &str, why: &str, source: &Source| {
            fields.insert(who.to_owned(), json!(source.name));
            if let Some(fault) = &source.fault {
                fields.insert(why.to_owned(), json!(fault));
            }
        };
        tell("by", "fault", &heard.reader);
        if let Some(answerer) = &heard.answerer {
            tell("answered_by", "answer_fault", answerer);
        }
    }
    told
}

/// Why there is no reply, in words.
fn words_of(fault: &Fault) -> String {
    match fault {
        Fault::Late => "no reply in time".to_owned(),
        Fault::Absent => "there is no model to ask".to_owned(),
        Fault::Broken(what) => what.clone(),
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
