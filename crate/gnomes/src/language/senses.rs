//! Direction words in another sense (rule 9): "2 moves left", "you're right", "mess this up", "calm down".
//!
//! Each of the four words is told by its neighbours; what stands after a verb of motion is always a direction. Phrases
//! that are fixed as a whole are in [`super::idioms`].

use super::lexicon::{MOTION, OWN_MOTION};

/// Puts `*` in the place of every direction word that is none.
pub(super) fn blank(words: &mut [String]) {
    for at in 0..words.len() {
        let context = Context { words, at };
        let other = match words[at].as_str() {
            "right" | "rights" => context.right(),
            "left" => context.left(),
            "up" => context.up(),
            "down" => context.down(),
            _ => false,
        };
        if other {
            words[at] = "*".into();
        }
    }
}

/// A word among its neighbours.
struct Context<'a> {
    words: &'a [String],
    at: usize,
}

fn among(word: &str, list: &str) -> bool {
    list.split_ascii_whitespace().any(|listed| listed == word)
}

impl Context<'_> {
    /// The word that many places on (or back); marks count as places.
    fn word(&self, offset: isize) -> &str {
        let at = self.at.checked_add_signed(offset);
        at.and_then(|at| self.words.get(at)).map_or("", String::as_str)
    }

    fn is(&self, offset: isize, list: &str) -> bool {
        among(self.word(offset), list)
    }

    /// The clause ends behind the word, but for words without weight.
    fn ends(&self) -> bool {
        self.is(1, ". , ? ok lol then and but so though about haha bro dude sorry my") || self.word(1).is_empty()
    }

    /// A verb of motion stands before it in the same clause, no more than three words back.
    fn led_by_motion(&self) -> bool {
        (1..=3).take_while(|back| !self.is(-back, ". , ?") && !self.word(-back).is_empty()).any(|back| {
            (MOTION.contains(&self.word(-back)) || OWN_MOTION.contains(&self.word(-back)))
                && !self.is(-back, "get lets do did made got")
        })
    }

    fn right(&self) -> bool {
        let judged = self.is(-1, "youre were im thats hes was quite totally absolutely probably")
            || self.is(-1, "be") && self.is(-2, "better could might must will may would you")
            || self.is(-1, "are am") && self.is(-2, "you i we they")
            || self.is(-1, "is was") && self.is(-2, "that this he she everything")
            || self.is(-1, "sounds seems looks feels all")
            || self.is(-1, "it this that him") && self.is(-2, "get got do did doing getting done")
            || self.is(-1, "your you") && (self.is(-2, ". , ?") || self.word(-2).is_empty()) && self.ends();
        if judged && !self.is(1, "of wall side corner") && !self.is(-2, "should wanna want") {
            return self.word(-1) != "was" || self.ends();
        }
        if self.is(1, "way direction path track one call idea choice thing answer place spot decision time order track")
        {
            return !self.is(-1, "go move head try turn to your my");
        }
        if self.is(1, "here there away back about beside behind") || self.is(1, "next") && self.word(2) == "to" {
            return true;
        }
        self.is(1, "at by in on under above below up against into around over outside before where")
            && !self.led_by_motion()
            && !self.is(-1, "the to my your on a then first and")
            && self.is(2, "my your the this next 2 turn") == self.is(1, "in on")
    }

    fn left(&self) -> bool {
        if self.is(1, "it") && self.is(2, "is") {
            return false;
        }
        let verb = self.is(1, "me us him her them it behind over off alone hanging handed my early")
            || self.is(1, "the a") && self.is(-1, "i he she they who just you") && !self.is(2, "bit little few couple")
            || self.is(-1, "he she they who everyone")
            || self.is(1, "out");
        if verb && !self.led_by_motion() {
            return true;
        }
        let counted = "moves turns rounds round time minutes minute seconds secs mins tries try chances chance options option choice \
            choices ways patience energy ideas idea brain hope much many lot lots few treasures games places things nothing anything \
            something everything none only left levels attempts stuff people lives life brains cells room more points";
        let rest = self.is(-1, counted)
            || self.is(-1, "turn move one treasure round game chance")
                && self.is(-2, "one 1 last final only more treasure")
            || self.word(-1).bytes().all(|byte| byte.is_ascii_digit()) && self.is(1, "to") && !self.word(-1).is_empty();
        let rest =
            rest && (!self.is(-1, "only more few one lot") || self.is(-2, "the have got are is theres a only how"));
        if rest && (!self.led_by_motion() || self.is(-1, "nothing anything something everything much many")) {
            return true;
        }
        (self.is(-1, "is are whats whos got have has been") && self.asked_how_much())
            || self.is(-1, "have got has im") && self.ends()
            || self.is(-1, "im get gets being") && self.is(1, "with out")
    }

    /// "what is left", "how much do we have left".
    fn asked_how_much(&self) -> bool {
        self.words[..self.at].iter().rev().take(6).any(|word| among(word, "what whats how who whos all thats"))
    }

    fn up(&self) -> bool {
        if self.is(1, "to") && self.is(2, "you u me us him date speed your")
            || self.is(1, "against") && !self.led_by_motion()
        {
            return true;
        }
        if self.is(1, "for") && self.is(2, "it that this anything grabs whatever") {
            return true;
        }
        let verbs = "give gave giving shut hurry hurrying speed speeding mess messed messing screw screwed screwing mix mixed mixing \
            wrap wrapping end ended ending catch speak spoke pick picked line lined lining backed man keep set stand stood sum use used \
            using cheer make made follow show showed shows open opens opened wake woke blow blew freeze froze frozen slip slipped team \
            heat listen warm beat chin clear clears think look looks lighten load loading loaded close hold hang whats wassup fed fuck fucked \
            fking fuckin stuck clean suck eff lock locked lagged lag throw threw call called grow growing pop pops rush buckle \
            crack cracked teaming stuffed jacked eat heads next times thumbs shit tied botch botched loosen read ready level rev \
            pump pumped hook sign signed add adds build break broke broken split hype hyped signing piss man finish finishing finished \
            held saddle gear straighten sober own owned wise pipe mucked muck goof goofed cock cocked";
        let object = self.is(-1, "it this that things us everything them you me all me our");
        self.is(-1, verbs) && !self.is(-1, "load look throw bring")
            || object && self.is(-2, verbs) && !self.is(-2, "follow step use bring")
            || self.is(-1, "is almost nearly")
                && [-2, -3].iter().any(|back| self.is(*back, "time times game what what's round jig"))
            || self.is(-1, "youre your") && self.ends() && self.word(-2).is_empty()
    }

    fn down(&self) -> bool {
        let verbs = "calm calming slow slowing slows slowed let letting lets shut settle sit sitting count counting narrow narrowed \
            write wrote writing note noted break breaking broke cool boil track hunt double melt bog bogged dumb lay lie burn burned stand \
            crack wear wears tone tie tied water pipe feel feels felt simmer turned crash crashed knuckle hunker jot put feeling broken";
        let object = self.is(-1, "it this that things us them you me everything");
        let agreeing = |offset: isize| self.is(offset, "im") || self.is(offset, "am") && self.is(offset - 1, "i");
        let degree = "so totally always really kinda definitely completely fully also sooo very kind of still";
        if (agreeing(-1) || self.is(-1, degree) && (agreeing(-2) || agreeing(-3)))
            && !self.is(1, "here below at in a one on by")
        {
            return true;
        }
        if self.is(1, "for with") && self.is(2, "that it this anything whatever the you") {
            return true;
        }
        if self.is(-1, "went is goes was keeps going are")
            && self.is(
                -2,
                "internet wifi connection server site net game computer pc \
            system website power morale battery mood network everything spirits",
            )
        {
            return true;
        }
        self.is(-1, verbs) && !(self.is(-1, "lets let sit lay lie") && self.word(-1) == "lets")
            || object && self.is(-2, verbs) && self.word(-2) != "lets"
            || object
                && self.is(-2, "get gets getting got bring brings brought turn hold keep took turning")
                && self.is(-1, "me")
            || self.is(1, "to") && self.is(2, "earth business one two three the") && self.is(-1, "comes come its boils")
            || self.is(-1, "upside hands thumbs")
    }
}
