//! Sentences over a small vocabulary.

use serde::{Serialize, Serializer};
use std::fmt;

/// The most words a sentence may have (appendix A.1).
pub const LONGEST: usize = 12;

/// Names every word once.
macro_rules! vocabulary {
    ($($word:ident $text:literal),* $(,)?) => {
        /// A word of the Guide's language. The paper's list misses "not", "up" and "down", which its templates need, and
        /// has words that no template uses; this is what the templates need.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[expect(missing_docs, reason = "the words say what they are")]
        pub enum Word { $($word),* }

        impl Word {
            /// All words.
            pub const ALL: &'static [Self] = &[$(Self::$word),*];

            /// How it is written.
            pub fn text(self) -> &'static str {
                match self { $(Self::$word => $text),* }
            }
        }
    };
}

vocabulary! {
    P "P", X "X", T "T", Z "Z", W "W", U "U", N "N", F "F", Y "Y",
    Red "red", Green "green", Blue "blue", Yellow "yellow", Brown "brown", Purple "purple",
    Left "left", Right "right", Up "up", Down "down", Top "top", Bottom "bottom", Center "center",
    Take "take", The "the", Piece "piece", At "at", Yes "yes", Not "not", This "this", Way "way", Go "go",
}

impl Word {
    /// The word that is written so, in small or capital letters.
    pub fn read(text: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|word| word.text().eq_ignore_ascii_case(text))
    }
}

/// A sentence of at most [`LONGEST`] words; silence has none.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Sentence {
    words: [Word; LONGEST],
    length: u8,
}

impl Sentence {
    /// Nothing is said.
    pub const SILENCE: Self = Self { words: [Word::P; LONGEST], length: 0 };

    /// The sentence of these words; `None` if they are too many.
    pub fn of(words: impl IntoIterator<Item = Word>) -> Option<Self> {
        let mut sentence = Self::SILENCE;
        for word in words {
            if !sentence.push(word) {
                return None;
            }
        }
        Some(sentence)
    }

    /// Adds a word; whether there was room.
    pub(super) fn push(&mut self, word: Word) -> bool {
        let room = usize::from(self.length) < LONGEST;
        if room {
            self.words[usize::from(self.length)] = word;
            self.length += 1;
        }
        room
    }

    /// Its words.
    pub fn words(&self) -> &[Word] {
        &self.words[..usize::from(self.length)]
    }

    /// Whether nothing is said.
    pub fn is_silence(&self) -> bool {
        self.length == 0
    }
}

impl fmt::Display for Sentence {
    /// As it is written: the first word with a capital letter.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, word) in self.words().iter().enumerate() {
            let text = word.text();
            if number == 0 {
                write!(f, "{}{}", text[..1].to_ascii_uppercase(), &text[1..])?;
            } else {
                write!(f, " {text}")?;
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Sentence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.to_string())
    }
}

impl Serialize for Sentence {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
