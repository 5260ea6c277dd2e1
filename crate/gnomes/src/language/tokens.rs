//! From a message to plain words: signs spelled out, typing errors mended, idioms taken out.

use super::lexicon::{self, SIGNS};
use super::{idioms, senses, spelling};

/// The words and the punctuation marks (`.` for any full stop, `,`, `?`) of a message, in order.
pub(super) fn tokens(message: &str) -> Vec<String> {
    let mut text = message.to_lowercase();
    for (sign, word) in SIGNS {
        text = text.replace(sign, word);
    }
    text = text.replace(" - ", " , ").replace("—", " , ").replace(" – ", " , ");
    let stars = text.chars().filter(|char| *char == '*').count();
    let mut spaced = String::with_capacity(text.len() + 8);
    let mut last = ' ';
    for char in text.chars() {
        match char {
            '\'' | '`' => continue,
            // "lefft *right": the starred word corrects the one before.
            '*' if stars == 1 => spaced.push_str(" , meant "),
            '*' => continue,
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
    let words: Vec<String> = spaced
        .split_whitespace()
        .flat_map(|word| spelling::mend(word).split(' ').map(str::to_owned).collect::<Vec<_>>())
        .collect();
    let mut words = idioms::plain(&spell_out_letters(words));
    // "no go right": a refusal, then a step.
    if words.len() > 2
        && ["no", "nope", "nah", "naw"].contains(&words[0].as_str())
        && lexicon::MOTION.contains(&words[1].as_str())
    {
        words.insert(1, ",".into());
    }
    senses::blank(&mut words);
    words
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
    for (at, word) in words.iter().cloned().enumerate() {
        let next = words.get(at + 1).map_or("", String::as_str);
        if word == "r"
            && (["u", "you", "ya", "we", "they", "there"].contains(&next)
                || spelled.last().is_some_and(|last| last == "you"))
        {
            spelled.push("are".into());
            continue;
        }
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
