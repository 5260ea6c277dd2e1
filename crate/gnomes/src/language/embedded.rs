//! The embedded parser: reads messages by rules, without a network.
//!
//! The idea: a message is cut into clauses. In each clause every direction word (and every word for staying) gets a
//! role from the words around it: a step wanted of the partner, a step forbidden, a step of the speaker's own, or a mere
//! description of walls and places. The ten rules of the flag then decide between what was found, in the order in which
//! they outweigh each other. `intents/README.md` states the rules; numbers in comments are theirs.

use super::Parser;
use super::clause::{
    CORRECTIONS, Clause, FIRST_PERSON, NEGATION, PARTNER, Role, STAYING, UNDOING, WAITING, WALLS, clauses,
};
use super::lexicon::{ACCEPT, ACCEPT_PHRASES, MOTION, REJECT, REJECT_PHRASES, direction};
use super::tokens::tokens;
use crate::{Action, Flag};

/// Reads messages by rules; needs nothing and remembers nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Embedded;

impl Parser for Embedded {
    fn flag(&mut self, message: &str, last_request: Option<Action>) -> Flag<Action> {
        let words = tokens(message);
        if words.iter().all(|word| !word.chars().any(char::is_alphanumeric)) {
            return Flag::None;
        }
        Reading::of(&words).flag(last_request)
    }

    fn name(&self) -> &'static str {
        "embedded"
    }
}

/// A step in a message.
#[derive(Clone, Copy, Debug)]
struct Mention {
    action: Action,
    role: Role,
    /// When it is to be taken: earlier is smaller; the place in the message unless words of time say otherwise.
    time: i32,
    /// It stands beside words that ask somebody to do something, so it is no echo of a request.
    urged: bool,
}

/// Everything the rules look at.
#[derive(Default)]
struct Reading {
    mentions: Vec<Mention>,
    question: bool,
    wall: bool,
    accepts: bool,
    rejects: bool,
    undo: bool,
    /// It begins with a "right" that only agrees.
    agrees_with_right: bool,
    /// The partner is to do what the speaker cannot.
    hands_over: bool,
    /// A prohibition that names no step.
    prohibits: bool,
    /// "the other way"
    other_way: bool,
    /// The speaker has moved or moves, it does not say where.
    reports: bool,
}

/// What a prohibition without a direction forbids.
const FORBIDDEN: &[&str] =
    &["go", "do", "try", "head", "follow", "take", "that", "move", "going", "doing", "come", "it", "turn"];

/// Reports of a move whose direction goes without saying.
const REPORTS: &[&str] = &["went", "moved", "moving", "going", "did", "doing", "heading", "trying", "gone", "executed"];

impl Reading {
    fn of(words: &[String]) -> Self {
        let mut reading = Self::default();
        let clauses = clauses(words);
        for (number, clause) in clauses.iter().enumerate() {
            reading.read_clause(clause, number as i32, &clauses);
        }
        reading.order_in_time(words);
        let text = format!(
            " {} ",
            words.iter().filter(|word| word.chars().any(char::is_alphanumeric)).cloned().collect::<Vec<_>>().join(" ")
        );
        let has = |phrases: &[&str]| phrases.iter().any(|phrase| text.contains(&format!(" {phrase} ")));
        let behind_right: Vec<&str> =
            words.iter().skip(1).map(String::as_str).filter(|word| *word != "," && *word != ".").collect();
        reading.agrees_with_right = words.first().is_some_and(|word| word == "right")
            && behind_right.first().is_some_and(|word| ACCEPT.contains(word) || *word == "will")
            && reading.mentions.len() == 1
            || text.trim() == "right";
        reading.hands_over = has(&[
            "do that one",
            "please do it",
            "do it please",
            "do it for me",
            "you do it",
            "you do that",
            "do that for me",
            "its on you",
            "you have to",
            "you take it",
            "you try",
            "can you do it",
            "can you do that",
            "you can",
            "can you",
            "you go",
            "you should go",
            "your job",
        ]) && (reading.wall || has(&["cant", "cannot", "unable"]));
        reading.accepts = has(ACCEPT) || has(ACCEPT_PHRASES);
        let taken_back = {
            let last = |list: &[&str]| words.iter().rposition(|word| list.contains(&word.as_str()));
            let noes = ["no", "nope", "nah", "naw"];
            let others: Vec<&str> = REJECT.iter().copied().filter(|word| !noes.contains(word)).collect();
            // "no... ok fine": the last word counts (8).
            last(&noes) < last(ACCEPT) && last(&noes).is_some() && !has(&others) && !has(REJECT_PHRASES)
        };
        reading.rejects = (has(REJECT) || has(REJECT_PHRASES)) && !taken_back;
        reading
    }

    fn read_clause(&mut self, clause: &Clause, number: i32, all: &[Clause]) {
        let words: Vec<&str> = clause.words.iter().map(String::as_str).collect();
        let any = |set: &[&str]| words.iter().any(|word| set.contains(word));
        let steps: Vec<(usize, Action)> =
            words.iter().enumerate().filter_map(|(at, word)| Some((at, direction(word)?))).collect();
        let request = clause.is_request();
        let question = clause.is_question();
        self.question |= question && !(request && (!steps.is_empty() || any(STAYING) || any(WAITING)));
        let wall = any(WALLS) || (any(&["open", "free", "clear"]) && any(&["isnt", "not", "is"]));
        self.wall |= any(WALLS) || any(&["only"]) && any(&["open", "free", "clear"]);
        self.undo |= any(UNDOING)
            || clause.contains("go back")
            || clause.contains("take back")
            || clause.contains("take that back")
            || clause.contains("take it back")
            || clause.contains("move back");
        let lone_no = words.len() == 1 && ["no", "nope", "nah", "wait"].contains(&words[0]);
        if lone_no && all.get(number as usize + 1).is_some_and(Clause::names_a_step) {
            self.take_back();
        }
        // "right no left", "right oh no sorry left": the first is taken back.
        let slip = |between: &[&str]| {
            let signs = ["no", "nope", "sorry", "oops", "er", "actually", "meant", "mean", "correction", "whoops"];
            let others = ["wait", "um", "uh", "i", "oh", "make", "that", "its", "ok", "well"];
            between.iter().any(|word| signs.contains(word))
                && between.iter().all(|word| signs.contains(word) || others.contains(word))
        };
        if steps.len() == 2 && slip(&words[steps[0].0 + 1..steps[1].0]) {
            self.mentions.push(Mention { action: steps[0].1, role: Role::Place, time: 0, urged: false });
            self.mentions.push(Mention { action: steps[1].1, role: Role::Wanted, time: number * 100, urged: true });
            return;
        }
        // "..., don't" after a step forbids the step before (3).
        if steps.is_empty() && words.len() <= 2 && any(&["dont", "not", "no"]) && !any(&["way"]) {
            let before =
                self.mentions.last_mut().filter(|_| words.first() == Some(&"dont") || words.last() == Some(&"dont"));
            if let Some(before) = before {
                before.role = Role::Forbidden;
            }
        }
        let asks_what_was_meant = question && (clause.contains("you mean") || clause.contains("you meant"));
        if !asks_what_was_meant && any(CORRECTIONS) || clause.contains("no wait") || clause.contains("wait no") {
            let corrected = !steps.is_empty() || all.get(number as usize + 1).is_some_and(|next| next.names_a_step());
            if corrected {
                let at =
                    words.iter().position(|word| CORRECTIONS.contains(word) || *word == "wait").unwrap_or_default();
                self.take_back();
                for (place, action) in steps.iter().copied().filter(|(place, _)| *place < at) {
                    self.mentions.push(Mention {
                        action,
                        role: Role::Place,
                        time: number * 100 + place as i32,
                        urged: false,
                    });
                }
                for (place, action) in steps.iter().copied().filter(|(place, _)| *place > at) {
                    let wrong = words[..place].iter().any(|word| ["shouldnt", "dont", "not"].contains(word))
                        || words[place + 1..].iter().any(|word| ["was", "wrong", "mistake", "bad"].contains(word));
                    let role = if wall || wrong { Role::Place } else { Role::Wanted };
                    self.mentions.push(Mention { action, role, time: number * 100 + place as i32, urged: true });
                }
                return;
            }
        }
        for (at, action) in &steps {
            let role = clause.role(*at, wall, request, question);
            // "two down and one left" of the treasure: both say where it is.
            let described = self.mentions.last().is_some_and(|before| before.role == Role::Place);
            let role = if clause.continues && described && !any(MOTION) && !any(PARTNER) { Role::Place } else { role };
            // In an undo only the way back is urged; else the step named is the one to take back.
            let lead = &words[..*at];
            let way_back =
                [&["back"][..], &["to", "the"], &["go"], &["back", "to"]].iter().any(|end| lead.ends_with(end));
            let way_back = way_back || words.len() == 1 && number > 0;
            let undoing = any(UNDOING) || clause.contains("take back") || clause.contains("take that back");
            let urged = role == Role::Wanted
                && if undoing {
                    way_back
                } else if self.undo {
                    true
                } else {
                    let we_go = words[*at + 1..].starts_with(&["we", "go"]);
                    (any(MOTION) || any(PARTNER)) && !we_go || request || lead.last() == Some(&"back")
                };
            // "I went left and then up": the report goes on.
            let reported = clause.continues
                && role == Role::Wanted
                && self.mentions.last().is_some_and(|before| before.role == Role::Own)
                && words
                    .iter()
                    .all(|word| direction(word).is_some() || ["then", "and", "again", "after"].contains(word));
            let role = if reported { Role::Own } else { role };
            let role = if clause.contains("can wait") { Role::Place } else { role };
            self.mentions.push(Mention { action: *action, role, time: number * 100 + *at as i32, urged });
        }
        // "don't go there": nothing named, but forbidden (3).
        let fillers = ["please", "no", "just", "you", "ok", "hey", "bro", "and", "wait"];
        let opening: Vec<&str> = words.iter().copied().filter(|word| !fillers.contains(word)).take(2).collect();
        self.prohibits |= steps.is_empty()
            && (opening == ["dont"]
                || matches!(opening[..], ["dont" | "never" | "stop" | "avoid" | "shouldnt" | "quit", verb] if FORBIDDEN.contains(&verb)))
            && !any(&["i", "worry"]);
        self.other_way |= any(&["otherway"]);
        // "moved", "went there already": a report without a direction (6).
        let reported =
            words.iter().find(|word| !fillers.contains(word) && !ACCEPT.contains(word) && !FIRST_PERSON.contains(word));
        self.reports |= steps.is_empty()
            && reported.is_some_and(|word| {
                REPORTS.contains(word) || *word == "already" && words.iter().any(|word| REPORTS.contains(word))
            })
            && !any(PARTNER)
            && !any(NEGATION)
            && !question;
        self.read_staying(clause, &words, number, question, request);
    }

    /// What was wanted so far is no longer.
    fn take_back(&mut self) {
        for mention in self.mentions.iter_mut().filter(|mention| mention.role == Role::Wanted) {
            mention.role = Role::Place;
        }
    }

    /// Words for staying are a step like others (5); words for waiting only if no step is asked for beside them.
    fn read_staying(&mut self, clause: &Clause, words: &[&str], number: i32, question: bool, request: bool) {
        let nowhere = [
            "dont move",
            "do nothing",
            "dont go anywhere",
            "not move",
            "no move",
            "hold still",
            "not moving",
            "no moving",
            "wont move",
            "let me take this turn",
            "sit tight",
            "dont do anything",
            "sit still",
            "hang tight",
            "stand still",
            "hang back",
            "hold your position",
            "hold position",
            "stop moving",
            "dont step",
            "keep still",
            "do not move",
            "sit this one out",
            "hold your ground",
            "stand by",
            "take a break",
            "chill",
            "rest this turn",
            "let me go",
            "give me a turn",
            "dont budge",
            "stand there",
            "be still",
        ];
        let told_to_stay =
            nowhere.iter().any(|phrase| clause.contains(phrase)) && !words.iter().any(|word| direction(word).is_some());
        // "keep left", "stay left" are no wish to stay.
        let stays = |at: usize, word: &str| {
            STAYING.contains(&word) && words.get(at + 1).is_none_or(|next| direction(next).is_none() || word == "pass")
        };
        let at = words.iter().enumerate().position(|(at, word)| stays(at, word));
        let waits = words.iter().position(|word| WAITING.contains(word));
        let Some(place) = at.or(if told_to_stay { Some(0) } else { waits }) else { return };
        let before = &words[..place];
        let firm = at.is_some() || told_to_stay;
        let has_step = words.iter().any(|word| direction(word).is_some());
        if !firm
            && (has_step
                || words[place] == "stop"
                    && words.len() > place + 1
                    && !clause.contains("stop there")
                    && !clause.contains("stop here"))
        {
            return;
        }
        if !firm && words[place] == "hold" && words.len() > 3 {
            return;
        }
        let negated = !told_to_stay && before.iter().rev().take(3).any(|word| NEGATION.contains(word));
        let participle =
            ["staying", "waiting", "passing", "skipping", "stayed", "passed", "waited"].contains(&words[place]);
        let told = participle && before.iter().all(|word| ACCEPT.contains(word) || *word == "just")
            || clause.contains("not moving")
            || clause.contains("i wont move")
            || clause.contains("i stay");
        let own = told
            || before.iter().any(|word| FIRST_PERSON.contains(word))
                && !before.iter().any(|word| ["you", "need", "want", "please"].contains(word));
        let role = if negated {
            Role::Place
        } else if own {
            Role::Own
        } else if question && !request {
            Role::Place
        } else {
            Role::Wanted
        };
        // A mere "wait" is outweighed by any step.
        let time = if firm { number * 100 + place as i32 } else { 9_000 + place as i32 };
        let role = if role == Role::Place && negated && firm && words.len() <= 3 { Role::Forbidden } else { role };
        self.mentions.push(Mention { action: Action::Stay, role, time, urged: true });
    }

    /// Words of time: "first" and "now" draw a step forward, "later" and "after" put one back (2).
    fn order_in_time(&mut self, words: &[String]) {
        let positions: Vec<usize> =
            words.iter().enumerate().filter(|(_, word)| direction(word).is_some()).map(|(at, _)| at).collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let moves: Vec<usize> =
            (0..self.mentions.len()).filter(|at| self.mentions[*at].action != Action::Stay).collect();
        if positions.len() != moves.len() {
            return;
        }
        for (mention, at) in moves.into_iter().zip(positions) {
            let (ahead, behind) = neighbours(&words, at);
            let begins = |words: &[&str], phrases: &[&str]| {
                let text = format!("{} ", words.join(" "));
                phrases.iter().any(|phrase| text.starts_with(&format!("{phrase} ")))
            };
            let has = |list: &[&str]| ahead.iter().any(|word| list.contains(word));
            let text = format!(" {} ", ahead.join(" "));
            let after_that = ["that", "this", "it"].iter().any(|word| text.contains(&format!(" after {word} ")));
            let after_word = has(&["after"]) && !after_that;
            let now = &["first", "now", "firstly", "for now", "this turn", "to start", "to begin", "right now"];
            let first = begins(behind, now)
                || has(&["first", "firstly", "now", "start", "starting", "begin", "initially", "immediately"])
                || text.contains(" this turn ");
            let soon = [
                "later",
                "afterwards",
                "eventually",
                "last",
                "lastly",
                "finally",
                "after that",
                "next turn",
                "next time",
            ];
            let soon_after =
                ["after", "in a", "at the end", "in the end", "second", "comes after", "comes later", "can wait"];
            let later = after_that && !has(&["now"])
                || begins(behind, &soon)
                || begins(behind, &soon_after) && !(behind[0] == "after" && behind.len() > 1)
                || has(&[
                    "later",
                    "eventually",
                    "finally",
                    "lastly",
                    "ultimately",
                    "end",
                    "finish",
                    "ending",
                    "afterwards",
                ])
                || text.contains(" next turn ");
            let before_word = has(&["before"]);
            let mention = &mut self.mentions[mention];
            if first && !later || after_word {
                mention.time -= 5_000;
                if after_word && mention.role == Role::Own {
                    mention.role = Role::Wanted;
                }
            }
            if later || before_word {
                mention.time += 5_000;
                if before_word && mention.role == Role::Own {
                    mention.role = Role::Wanted;
                }
            }
        }
    }

    fn flag(&self, last_request: Option<Action>) -> Flag<Action> {
        let wanted: Vec<&Mention> = self.mentions.iter().filter(|mention| mention.role == Role::Wanted).collect();
        let first = wanted.iter().min_by_key(|mention| mention.time).copied();
        // An undo that names its step is the step back (10).
        if self.undo && !(self.question && self.mentions.is_empty()) {
            let back = first.map(|mention| mention.action);
            let wrong = self
                .mentions
                .iter()
                .find(|mention| mention.action != Action::Stay)
                .map(|mention| mention.action.opposite());
            return back.filter(|_| !self.undoes_named()).or(wrong).map_or(Flag::None, Flag::Do);
        }
        // "right, ok": agreement, not a direction (9).
        if self.agrees_with_right && last_request.is_some_and(|request| request != Action::Right) {
            return if self.rejects || self.wall { Flag::Reject } else { Flag::Accept };
        }
        // "south is walled for me, could you do that one": the wall named is the step asked for (7).
        let blocked =
            self.mentions.iter().find(|mention| mention.role == Role::Place && mention.action != Action::Stay);
        if let (None, true, Some(blocked)) = (first, self.hands_over, blocked) {
            return Flag::Do(blocked.action);
        }
        // "no, the other way": against what was asked.
        if let (None, true, Some(request)) = (first, self.other_way && !self.question, last_request) {
            return Flag::Do(request.opposite());
        }
        // Rule 1, but an echo of the request beside consent is consent ("left, gotcha").
        if let Some(mention) = first {
            let echo = Some(mention.action) == last_request && self.accepts && !mention.urged && wanted.len() == 1;
            if echo {
                return if self.rejects || self.wall { Flag::Reject } else { Flag::Accept };
            }
            return Flag::Do(mention.action);
        }
        if self.question {
            return Flag::Inquiry;
        }
        // A prohibition alone (3).
        if self.prohibits || self.mentions.iter().any(|mention| mention.role == Role::Forbidden) {
            return Flag::Reject;
        }
        let Some(request) = last_request else { return Flag::None };
        // The speaker's own step (6).
        if let Some(own) = self.mentions.iter().rev().find(|mention| mention.role == Role::Own) {
            return if own.action == request && (!self.rejects || request == Action::Stay) {
                Flag::Accept
            } else {
                Flag::Reject
            };
        }
        // A wall, an inability, a refusal (7, 8).
        if self.wall || self.rejects {
            return Flag::Reject;
        }
        if self.reports {
            return if request == Action::Stay { Flag::Reject } else { Flag::Accept };
        }
        if self.accepts {
            return Flag::Accept;
        }
        // "left is open for me", "right it is".
        let named = self.mentions.iter().any(|mention| mention.role == Role::Place && mention.action == request);
        if named && self.accepts { Flag::Accept } else { Flag::None }
    }

    /// The undo names the wrong step itself ("undo the up") rather than the way back ("undo that, back to the left").
    fn undoes_named(&self) -> bool {
        self.mentions.iter().any(|mention| mention.role == Role::Own)
            || self.mentions.iter().all(|mention| !mention.urged)
    }
}

/// The words of the clause between the step named at `at` and the steps before and behind it.
fn neighbours<'a>(words: &'a [&'a str], at: usize) -> (&'a [&'a str], &'a [&'a str]) {
    let bound = |word: &&str| direction(word).is_some() || ["?", ".", ",", "but", "so", "then"].contains(word);
    let start = words[..at].iter().rposition(bound).map_or(0, |before| before + 1);
    let end = words[at + 1..].iter().position(bound).map_or(words.len(), |behind| at + 1 + behind);
    (&words[start..at], &words[at + 1..end])
}
