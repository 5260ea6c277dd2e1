//! Sources: nothing left over, nothing huge.

use super::{Finding, Repository};

/// No committed file is larger, in bytes.
const LARGEST: u64 = 1 << 20;

/// Files that may be larger all the same.
const MAY_BE_LARGE: [&str; 0] = [];

/// Kinds of files that hold code.
const CODE: [&str; 8] = [".rs", ".ts", ".mts", ".js", ".mjs", ".css", ".html", ".toml"];

/// Marks of unfinished work and of debugging; written in two halves, so that this file passes.
const LEFT_OVER: [(&str, &str); 3] = [
    (concat!("TO", "DO"), "do it, or describe it in an issue"),
    (concat!("FIX", "ME"), "mend it, or describe it in an issue"),
    (concat!("dbg", "!("), "remove what debugging left over"),
];

pub fn check(repository: &Repository, findings: &mut Vec<Finding>) {
    for text in &repository.texts {
        if CODE.iter().any(|end| text.path.ends_with(end)) {
            left_over(&text.path, &text.content, findings);
        }
    }
    for file in &repository.files {
        let size = repository.root.join(file).metadata().map_or(0, |data| data.len());
        if size > LARGEST && !MAY_BE_LARGE.contains(&file.as_str()) {
            findings.push(Finding::new(file, 0, format!("has {size} bytes; at most {LARGEST} are committed")));
        }
    }
}

fn left_over(path: &str, content: &str, findings: &mut Vec<Finding>) {
    for (number, line) in content.lines().enumerate() {
        for (mark, right) in LEFT_OVER {
            if line.contains(mark) {
                findings.push(Finding::new(path, number + 1, format!("{mark} is left over; {right}")));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::left_over;

    #[test]
    fn marks_are_found_with_their_line() {
        let mut findings = Vec::new();
        left_over("a.rs", &format!("fn a() {{}}\n// {}: later\n", concat!("TO", "DO")), &mut findings);
        assert_eq!(findings.len(), 1);
        assert!(findings[0].to_string().starts_with("a.rs:2: "), "{}", findings[0]);
    }
}
