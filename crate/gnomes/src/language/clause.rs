//! Clauses: what a stretch of a message asks, and the role of each step named in it.

use super::lexicon::{ACCEPT, MOTION, OWN_MOTION, direction};

/// What a step in a message is to the speaker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// The partner should take it.
    Wanted,
    /// The partner should not take it.
    Forbidden,
    /// The speaker takes it, took it, or will.
    Own,
    /// It says where something is, or that the speaker cannot go there.
    Place,
}

pub(super) const QUESTION_WORDS: &[&str] =
    &["where", "what", "whats", "why", "how", "hows", "which", "who", "whos", "when", "whose", "wherever"];
pub(super) const ASKING: &[&str] = &[
    "can", "could", "would", "will", "shall", "may", "might", "mind", "should", "cant", "couldnt", "wouldnt", "able",
    "lets", "wanna", "want", "please", "possible", "cud", "wud",
];
pub(super) const VERBS_OF_BEING: &[&str] = &[
    "is", "are", "do", "does", "did", "am", "was", "were", "have", "has", "any", "isnt", "arent", "dont", "doesnt",
    "should", "u",
];
pub(super) const NEGATION: &[&str] = &[
    "not", "dont", "never", "no", "stop", "forgo", "avoid", "quit", "without", "shouldnt", "nor", "mustnt", "neither",
    "cease", "against", "except", "anything", "anywhere",
];
pub(super) const INABILITY: &[&str] =
    &["cant", "cannot", "cnt", "couldnt", "unable", "impossible", "wont", "doesnt", "didnt", "stuck", "nope"];
pub(super) const WALLS: &[&str] = &[
    "wall",
    "walls",
    "walled",
    "blocked",
    "block",
    "blocks",
    "closed",
    "deadend",
    "hedge",
    "barrier",
    "obstacle",
    "obstructed",
    "bricked",
    "shut",
    "blocking",
    "fence",
];
pub(super) const FIRST_PERSON: &[&str] = &["i", "im", "ill", "ive", "id", "me", "my", "myself", "iam"];
pub(super) const PARTNER: &[&str] =
    &["you", "youre", "youll", "youd", "your", "yourself", "we", "lets", "us", "partner", "y", "yall"];
pub(super) const STAYING: &[&str] = &[
    "stay", "pass", "skip", "freeze", "remain", "noop", "stays", "passing", "staying", "skipping", "idle", "linger",
    "stayed", "passed", "waited",
];
pub(super) const WAITING: &[&str] = &["wait", "waiting", "hold", "stop", "pause", "waits", "halt", "holdon"];
pub(super) const UNDOING: &[&str] =
    &["undo", "reverse", "revert", "rewind", "backtrack", "retrace", "unmove", "takeback"];
pub(super) const CORRECTIONS: &[&str] =
    &["meant", "mean", "actually", "scratch", "oops", "correction", "jk", "jkjk", "whoops", "typo"];

/// A stretch of a message without a pause in it.
pub(super) struct Clause {
    pub(super) words: Vec<String>,
    /// It ends with a question mark.
    pub(super) asks: bool,
    /// It goes on after an "and".
    pub(super) continues: bool,
}

/// Cuts a message at its marks and at words that begin a new thought.
pub(super) fn clauses(words: &[String]) -> Vec<Clause> {
    let mut clauses = vec![Clause { words: Vec::new(), asks: false, continues: false }];
    for (at, word) in words.iter().enumerate() {
        let Some(last) = clauses.last_mut() else { break };
        match word.as_str() {
            "?" => {
                last.asks = true;
                clauses.push(Clause { words: Vec::new(), asks: false, continues: false });
            }
            "." | "," => clauses.push(Clause { words: Vec::new(), asks: false, continues: false }),
            "but" | "so" | "then" | "because" | "though" | "cause" | "while" | "since" | "and" | "or"
                if last.words.len() > usize::from(word == "or" || word == "and") =>
            {
                // "up and down" stays whole only where the next word is no new sentence.
                let opens = word != "or" || words.get(at + 1).is_some_and(|next| FIRST_PERSON.contains(&next.as_str()));
                if opens {
                    clauses.push(Clause { words: Vec::new(), asks: false, continues: word == "and" || word == "then" });
                } else {
                    last.words.push(word.clone());
                }
            }
            // "I have a wall here you should go", "I went left now go up": a second thought without a pause.
            "you" | "now"
                if last.words.iter().any(|word| FIRST_PERSON.contains(&word.as_str()))
                    && last.words.iter().any(|there| {
                        WALLS.contains(&there.as_str()) || word == "now" && direction(there).is_some()
                    })
                    && words.get(at + 1).is_some() =>
            {
                clauses.push(Clause { words: vec![word.clone()], asks: false, continues: false });
            }
            _ => last.words.push(word.clone()),
        }
    }
    // A question mark asks for all that led up to it since the last full stop or comma.
    clauses.retain(|clause| !clause.words.is_empty() || clause.asks);
    clauses
}

impl Clause {
    pub(super) fn contains(&self, phrase: &str) -> bool {
        format!(" {} ", self.words.join(" ")).contains(&format!(" {phrase} "))
    }

    pub(super) fn first(&self) -> &str {
        let fillers = [
            "ok", "hey", "hi", "yo", "um", "hmm", "well", "and", "so", "wait", "please", "sorry", "lol", "bro", "dude",
            "man", "maybe", "perhaps", "or", "hm", "uh", "oh", "but", "mate", "buddy", "partner", "then", "also",
        ];
        self.words.iter().map(String::as_str).find(|word| !fillers.contains(word)).unwrap_or_default()
    }

    pub(super) fn names_a_step(&self) -> bool {
        self.words.iter().any(|word| direction(word).is_some())
    }

    pub(super) fn has(&self, set: &[&str]) -> bool {
        self.words.iter().any(|word| set.contains(&word.as_str()))
    }

    /// Something is to be told, not done (4).
    pub(super) fn is_question(&self) -> bool {
        let tell = [
            "tell me",
            "give me direction",
            "any luck",
            "need to know",
            "help me find",
            "guide me",
            "let me know",
            "describe",
            "explain",
            "do you see",
            "do you know",
            "give me a hint",
            "can you see",
            "can you tell",
            "any idea",
            "any walls",
            "any clue",
            "show me",
            "i wonder",
            "not sure where",
            "say where",
            "cantsee",
        ];
        let told = tell.iter().any(|phrase| self.contains(phrase));
        let asked_first = QUESTION_WORDS.contains(&self.first())
            || VERBS_OF_BEING.contains(&self.first()) && self.first() != "dont" && self.asks;
        let inverted = ["is", "are", "does", "did", "do", "have", "has", "am"].contains(&self.first())
            && (self.contains("there")
                || self.words.iter().skip(1).take(2).any(|word| {
                    ["you", "your", "there", "the", "my", "we", "i", "this", "that", "any", "anything"]
                        .contains(&word.as_str())
                        || *word == "it" && self.first() != "did"
                }))
            && (self.first() != "do" || self.has(&["you", "i", "we"]));
        // "is down open"
        let inverted = inverted
            || ["is", "are", "isnt"].contains(&self.first()) && self.names_a_step() && self.has(WALLS)
            || ["is", "isnt"].contains(&self.first())
                && self.names_a_step()
                && self.has(&["open", "free", "clear", "possible", "ok", "safe"]);
        let whither = self.words.iter().any(|word| ["where", "what", "which", "why", "whats"].contains(&word.as_str()))
            && !self.contains("stay where")
            && !self.contains("where we were")
            && !self.contains("know what")
            && !self.contains("where you are")
            && !self.contains("no matter what");
        self.contains("should i")
            || told && !self.contains("cantsee")
            || asked_first
            || inverted
            || whither
            || self.asks && !self.has(&["rhetorical"])
    }

    /// It asks for a step, be it in the form of a question (4).
    pub(super) fn is_request(&self) -> bool {
        let first = self.first();
        if QUESTION_WORDS.contains(&first) {
            return self.contains("how about")
                || self.contains("what about")
                || self.contains("what if you")
                || self.contains("what if we")
                || self.contains("why dont you")
                || self.contains("why dont we")
                || self.contains("what do you say we")
                || self.contains("why not");
        }
        let asks_own =
            ["can i", "should i", "could i", "shall i", "do i", "may i go", "may i move", "am i", "if i", "will i"]
                .iter()
                .any(|phrase| self.contains(phrase));
        let asks_why = self.has(&["where", "what", "which", "why", "see", "know", "tell", "whether"])
            && !self.contains("where you are")
            && !self.contains("see if you can");
        let asking = self.words.iter().take(4).any(|word| ASKING.contains(&word.as_str()))
            || self.contains("is it ok if you")
            || self.contains("is it possible")
            || self.contains("are you able")
            || self.contains("would it be")
            || self.contains("do you mind")
            || self.contains("ask you to");
        let wants_to_know = ["do you want", "want me", "need me"].iter().any(|phrase| self.contains(phrase));
        // "up?", "go left?"
        let bare = self.asks
            && (direction(first).is_some() || MOTION.contains(&first))
            && !self.has(WALLS)
            && !self.has(&[
                "or", "treasure", "open", "free", "clear", "it", "is", "chest", "gem", "gold", "side", "corner",
            ]);
        (asking || bare) && !asks_own && !asks_why && !wants_to_know
    }

    /// The role of the step named at place `at`.
    pub(super) fn role(&self, at: usize, wall: bool, request: bool, question: bool) -> Role {
        let words: Vec<&str> = self.words.iter().map(String::as_str).collect();
        let before = &words[..at];
        let last_step = before.iter().rposition(|word| direction(word).is_some()).map_or(0, |place| place + 1);
        let lead = &before[last_step..];
        let any = |set: &[&str], words: &[&str]| words.iter().any(|word| set.contains(word));
        let partner = any(PARTNER, before) || request;
        let motion = lead.iter().any(|word| MOTION.contains(word));
        let me = any(FIRST_PERSON, before);
        let advice = self.contains("id go")
            || self.contains("id try")
            || self.contains("id say")
            || self.contains("id move")
            || self.contains("i say")
            || self.contains("i need you")
            || self.contains("i want you")
            || (self.contains("i think")
                || self.contains("i believe")
                || self.contains("i feel")
                || self.contains("i reckon"))
                && !["think i", "think ill", "think im", "think id", "think i am"].iter().any(|own| self.contains(own))
            || self.contains("id head")
            || self.contains("i vote")
            || self.contains("i suggest")
            || self.contains("i would go")
            || self.contains("i ask you")
            || self.contains("i meant")
            || self.contains("i said")
            || self.contains("id like you")
            || self.contains("i need")
            || self.contains("i recommend");
        let next = words.get(at + 1).copied().unwrap_or_default();
        // Where things are: "my left", "top right corner", "left of the tree", "two rows up from here".
        let side = [
            "side",
            "sides",
            "corner",
            "edge",
            "of",
            "wall",
            "walls",
            "row",
            "column",
            "border",
            "neighbour",
            "hand",
            "area",
            "part",
            "half",
            "quadrant",
            "cell",
            "square",
        ]
        .contains(&next);
        let possessive = lead.last().is_some_and(|word| {
            ["my", "your", "its", "our", "upper", "top", "bottom", "lower", "far", "mid", "middle"].contains(word)
        });
        let located = any(
            &["treasure", "chest", "its", "goal", "gold", "target", "it", "prize", "loot", "somewhere", "located"],
            before,
        ) && !motion
            && !request
            && !any(&["undo"], before)
            && !self.contains("do it")
            && !self.contains("bring it")
            && !(any(&["not"], before) && last_step > 0 && before.first() == Some(&"its"));
        let on_the = lead.len() >= 2 && lead.ends_with(&["on", "the"])
            || lead.ends_with(&["to", "my"])
            || lead.ends_with(&["to", "your"])
            || lead.ends_with(&["on", "my"])
            || lead.ends_with(&["on", "your"])
            || lead.ends_with(&["at", "the"])
            || lead.ends_with(&["in", "the"])
            || lead.last() == Some(&"whats")
            || lead.last() == Some(&"on") && !motion;
        let says_where = (side || possessive) && (me || !motion) || located || on_the && !request;
        // A step forbidden, or one the speaker cannot take.
        let cannot = any(INABILITY, lead) && !any(&["you", "we"], lead) && !self.contains("why cant");
        // "left is no good", "up isn't possible": said of the step, not asked for.
        let tail = &words[at + 1..];
        let tail = &tail[..tail.iter().position(|word| direction(word).is_some()).unwrap_or(tail.len()).min(4)];
        let tail = tail.strip_prefix(&["move"]).or(tail.strip_prefix(&["turn"])).unwrap_or(tail);
        let spoken_of = tail
            .first()
            .is_some_and(|word| ["is", "isnt", "doesnt", "wont", "was", "would", "looks", "seems"].contains(word));
        if spoken_of && any(&["bad", "wrong", "not", "isnt", "doesnt", "wont", "mistake", "worse", "impossible"], tail)
        {
            return Role::Place;
        }
        if tail.first() == Some(&"no") && at + 2 == words.len()
            || lead.last() == Some(&"leave") && tail.first() == Some(&"alone")
        {
            return Role::Forbidden;
        }
        let agreeable = ["works", "fine", "free", "good", "ok", "possible", "okay", "clear"];
        if tail.first().is_some_and(|word| *word == "works" || *word == "is") && any(&agreeable, tail) && !request {
            return Role::Own;
        }
        // "don't go left or right": the negation goes on.
        let goes_on =
            !lead.is_empty() && lead.iter().all(|word| ["or", "nor", "and"].contains(word)) && any(NEGATION, before);
        let negated = (any(NEGATION, lead) || goes_on)
            && !any(&["said", "meant"], lead)
            && !self.contains("dont stop")
            && !self.contains("dont wait")
            && !self.contains("dont be");
        // Walking into walls is never meant (8).
        let jest = ["into the wall", "into a wall", "into wall", "through the wall", "through a wall", "through walls"];
        let jest = jest.iter().any(|phrase| self.contains(phrase));
        if jest {
            return Role::Place;
        }
        // Beside a wall a step is only asked for where the partner is plainly urged to take it (7).
        let urged = motion && (request || partner && !me && !question);
        if cannot || wall && !urged {
            return Role::Place;
        }
        if negated {
            return if me && !advice && !any(&["dont", "stop"], lead) { Role::Place } else { Role::Forbidden };
        }
        if question && !request {
            return Role::Place;
        }
        if says_where {
            return Role::Place;
        }
        // A step of the speaker's own (6).
        let told_own = me && !advice && !any(&["you"], lead) && any(OWN_MOTION, before)
            || me && !advice && lead.iter().any(|word| ["ill", "im"].contains(word)) && !any(&["you"], lead);
        let fillers = ["just", "already", "now", "well", "and"];
        let announced =
            before.iter().find(|word| !fillers.contains(word) && !ACCEPT.contains(word)).is_some_and(|word| {
                [
                    "going", "moving", "heading", "headed", "went", "moved", "gonna", "tried", "took", "stepped",
                    "turning", "will", "happy", "glad", "trying", "taking", "doing", "stepping", "choosing", "picking",
                    "walking", "pushing",
                ]
                .contains(word)
            }) && !any(&["you"], before)
                && !any(&["keep", "by"], before);
        if told_own || announced {
            return Role::Own;
        }
        Role::Wanted
    }
}
