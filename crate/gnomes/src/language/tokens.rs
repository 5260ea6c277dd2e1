//! From a message to plain words: signs spelled out, typing errors mended, idioms taken out.

use super::lexicon::{self, IDIOMS, LOOKALIKES, OFTEN_MISTYPED, SIGNS};

/// The words and the punctuation marks (`.` for any full stop, `,`, `?`) of a message, in order.
pub(super) fn tokens(message: &str) -> Vec<String> {
    let mut text = message.to_lowercase();
    for (sign, word) in SIGNS {
        text = text.replace(sign, word);
    }
    let mut spaced = String::with_capacity(text.len() + 8);
    let mut last = ' ';
    for char in text.chars() {
        match char {
            '\'' | '`' | '*' => continue,
            '?' => spaced.push_str(" ? "),
            ',' | '(' | ')' | ':' | '…' => spaced.push_str(" , "),
            '.' | ';' | '!' | '\n' => spaced.push_str(" . "),
            _ if char.is_alphanumeric() => {
                if last.is_ascii_digit() && char.is_ascii_alphabetic() {
                    spaced.push(' ');
                }
                spaced.push(char);
            }
            _ => spaced.push(' '),
        }
        last = char;
    }
    let words: Vec<String> = spaced.split_whitespace().map(|word| mend(&shorten(word))).collect();
    let words = spell_out_letters(words);
    replace_idioms(&words)
}

/// Letters repeated three times or more are written once.
fn shorten(word: &str) -> String {
    let chars: Vec<char> = word.chars().collect();
    let mut short = String::new();
    let mut at = 0;
    while at < chars.len() {
        let run = chars[at..].iter().take_while(|char| **char == chars[at]).count();
        let keep = if run >= 3 && chars[at].is_alphabetic() { 1 } else { run };
        short.extend(std::iter::repeat_n(chars[at], keep));
        at += run;
    }
    short
}

/// Mends common respellings and typing errors.
fn mend(word: &str) -> String {
    let plain = match word {
        "ur" | "yr" => "your",
        "pls" | "plz" | "plss" | "pleas" => "please",
        "dnt" | "dun" | "donot" => "dont",
        "lft" | "lef" | "letf" => "left",
        "rgt" | "rght" | "rite" | "righ" => "right",
        "upp" | "uup" | "uo" => "up",
        "dwn" | "donw" | "dow" => "down",
        "wanna" => "want",
        "imma" | "ima" => "ill",
        "gotta" => "got",
        "cuz" | "cos" | "coz" | "bc" => "because",
        "tho" => "though",
        "thru" => "through",
        "wat" | "wht" => "what",
        "wats" => "whats",
        "wheres" | "whr" | "wer" => "where",
        "ya" => "yes",
        _ => word,
    };
    let known = plain.len() < 4 || lexicon::direction(plain).is_some() || LOOKALIKES.contains(&plain);
    if known || OFTEN_MISTYPED.contains(&plain) {
        return plain.to_owned();
    }
    let meant = OFTEN_MISTYPED.iter().find(|meant| one_slip(plain, meant));
    meant.map_or(plain, |meant| meant).to_owned()
}

/// Whether `typed` is `meant` with one letter missing, doubled, wrong or swapped with its neighbour.
fn one_slip(typed: &str, meant: &str) -> bool {
    let (typed, meant): (Vec<char>, Vec<char>) = (typed.chars().collect(), meant.chars().collect());
    if typed.first() != meant.first() && typed.get(1) != meant.first() {
        return false;
    }
    let same = typed.iter().zip(&meant).take_while(|(one, other)| one == other).count();
    let rest = |word: &[char], from: usize| word.get(from..).unwrap_or_default().to_vec();
    match typed.len() as i64 - meant.len() as i64 {
        -1 => rest(&typed, same) == rest(&meant, same + 1),
        1 => rest(&typed, same + 1) == rest(&meant, same),
        0 => {
            let swapped = typed.get(same) == meant.get(same + 1) && typed.get(same + 1) == meant.get(same);
            rest(&typed, same + 1) == rest(&meant, same + 1)
                || swapped && typed.get(same + 1).is_some() && rest(&typed, same + 2) == rest(&meant, same + 2)
        }
        _ => false,
    }
}

/// Single letters are directions where nothing but directions stands, or after a word of motion; else `u` is "you".
fn spell_out_letters(words: Vec<String>) -> Vec<String> {
    let few = ["then", "and", "go", "please", "now", "move", "again", "first", "x"];
    let bare = words.iter().all(|word| {
        lexicon::letter(word).is_some()
            || lexicon::direction(word).is_some()
            || few.contains(&word.as_str())
            || word.chars().all(|char| !char.is_alphabetic())
    });
    let mut spelled: Vec<String> = Vec::with_capacity(words.len());
    for word in words {
        let after_motion =
            spelled.last().is_some_and(|last| ["go", "move", "head", "step", "goto"].contains(&last.as_str()));
        let direction = lexicon::letter(&word).filter(|_| bare || after_motion && word != "u");
        spelled.push(match (direction, word.as_str()) {
            (Some(direction), _) => direction.name().to_owned(),
            (None, "u") => "you".to_owned(),
            _ => word,
        });
    }
    spelled
}

/// Puts the plain meaning in the place of every idiom; an idiom without one becomes `*`.
fn replace_idioms(words: &[String]) -> Vec<String> {
    let mut replaced: Vec<String> = Vec::with_capacity(words.len());
    let mut at = 0;
    while at < words.len() {
        let matching = |idiom: &&(&str, &str)| {
            let mut length = 0;
            let same = idiom.0.split(' ').all(|word| {
                length += 1;
                words.get(at + length - 1).is_some_and(|there| there == word)
            });
            same && (length > 1 || idiom.0 == words[at])
        };
        match IDIOMS.iter().filter(matching).max_by_key(|idiom| idiom.0.split(' ').count()) {
            Some((idiom, plain)) => {
                replaced.extend(plain.split(' ').map(str::to_owned));
                at += idiom.split(' ').count();
            }
            None => {
                replaced.push(words[at].clone());
                at += 1;
            }
        }
    }
    replaced
}
