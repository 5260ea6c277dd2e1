//! Markdown: links lead somewhere, prose has one sentence a line.

use std::path::Path;

use super::{Finding, Repository};

pub fn check(repository: &Repository, findings: &mut Vec<Finding>) {
    for text in repository.texts.iter().filter(|text| text.is_markdown()) {
        for (number, line) in prose(&text.content) {
            for target in links(line) {
                if !leads_somewhere(&repository.root, &text.path, target) {
                    findings.push(Finding::new(&text.path, number, format!("links to {target}, and nothing is there")));
                }
            }
            if let Some(second) = second_sentence(line) {
                let what = format!("has more than one sentence; start a line with {second:?}");
                findings.push(Finding::new(&text.path, number, what));
            }
        }
    }
}

/// Lines outside code blocks, with their numbers from 1.
pub fn prose(content: &str) -> impl Iterator<Item = (usize, &str)> {
    fenced(content).filter(|(_, _, code)| !code).map(|(number, line, _)| (number, line))
}

/// Lines inside code blocks, with their numbers from 1.
pub fn code(content: &str) -> impl Iterator<Item = (usize, &str)> {
    fenced(content).filter(|(_, _, code)| *code).map(|(number, line, _)| (number, line))
}

/// Every line but the fences, with its number from 1 and whether it is code.
fn fenced(content: &str) -> impl Iterator<Item = (usize, &str, bool)> {
    let mut code = false;
    content.lines().enumerate().filter_map(move |(number, line)| {
        if line.trim_start().starts_with("```") {
            code = !code;
            return None;
        }
        Some((number + 1, line, code))
    })
}

/// The targets of a line's links and pictures.
fn links(line: &str) -> Vec<&str> {
    let targets = line.split("](").skip(1).filter_map(|rest| rest.split([')', ' ']).next());
    targets.collect()
}

/// Whether a link of a file leads outside, within the page, or to something that exists.
fn leads_somewhere(root: &Path, file: &str, target: &str) -> bool {
    if target.contains("://") || target.starts_with("mailto:") || target.starts_with('#') {
        return true;
    }
    let path = target.split('#').next().unwrap_or_default();
    let dir = Path::new(file).parent().unwrap_or(Path::new(""));
    root.join(dir).join(path).exists()
}

/// The start of a second sentence in a line of prose, if there is one.
///
/// A sentence ends with a point, question or exclamation mark behind a word, and a capital after one space.
/// Tables, headings and quoted code are let pass, and so are abbreviations and initials.
fn second_sentence(line: &str) -> Option<&str> {
    if line.trim_start().starts_with(['|', '#', '<', '>']) {
        return None;
    }
    let starts = line.match_indices(['.', '?', '!']).filter_map(|(end, _)| {
        let rest = line[end + 1..].strip_prefix(' ')?;
        let word = line[..end].rsplit([' ', '(', '*', '_']).next().unwrap_or_default();
        let in_code = line[..end].matches('`').count() % 2 == 1;
        let in_quote = line[..end].matches('"').count() % 2 == 1;
        let ends_sentence = word.chars().count() > 2
            && !word.contains('.')
            && word.chars().all(|letter| letter.is_alphanumeric() || "-'`)]\"/%".contains(letter))
            && !word.chars().all(|letter| letter.is_ascii_digit())
            && !["etc", "approx", "resp", "Fig", "Eq", "Sec", "No"].contains(&word);
        (ends_sentence && !in_code && !in_quote && rest.starts_with(char::is_uppercase)).then_some(rest)
    });
    starts.map(|rest| rest.split(' ').next().unwrap_or(rest)).next()
}

#[cfg(test)]
mod tests {
    use super::{code, leads_somewhere, links, prose, second_sentence};
    use std::path::Path;

    #[test]
    fn code_and_prose_are_told_apart() {
        let page = "one\n```sh\ntwo\n```\nthree";
        assert_eq!(prose(page).collect::<Vec<_>>(), [(1, "one"), (5, "three")]);
        assert_eq!(code(page).collect::<Vec<_>>(), [(3, "two")]);
    }

    #[test]
    fn links_are_followed_from_their_file() {
        assert_eq!(links("See [a](a.md) and ![b](img/b.png \"B\")."), ["a.md", "img/b.png"]);
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        assert!(leads_somewhere(root, "src/x.md", "main.rs#L1"));
        assert!(leads_somewhere(root, "src/x.md", "../Cargo.toml"));
        assert!(leads_somewhere(root, "x.md", "https://example.org/"));
        assert!(!leads_somewhere(root, "x.md", "missing.md"));
    }

    #[test]
    fn second_sentences_are_seen() {
        for (line, second) in [
            ("The first ends. The second starts.", Some("The")),
            ("- Really? Yes.", Some("Yes.")),
            ("It ends in `code`. Then more.", Some("Then")),
            ("One sentence, with a file.rs and v. 1.5 in it.", None),
            ("By M. Smith et al. Two thousand.", None),
            ("1. First of a list.", None),
            ("| a cell. Another | b |", None),
            ("Type `a. B` here.", None),
            ("He said \"Go. Now.\" and left.", None),
        ] {
            assert_eq!(second_sentence(line), second, "{line}");
        }
    }
}
