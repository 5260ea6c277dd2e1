//! Conditions by rounds, as people read them.

use crate::Estimate;
use std::fmt::Write as _;

/// A table of means: one row a condition, one column a round.
#[derive(Clone, Debug, PartialEq)]
pub struct TwoWayTable {
    /// What the first column holds.
    pub corner: String,
    /// Names of the columns.
    pub columns: Vec<String>,
    /// Names of the rows, with their cells.
    pub rows: Vec<(String, Vec<Estimate>)>,
}

impl TwoWayTable {
    /// The table in aligned columns for a terminal: mean and interval, one decimal.
    pub fn text(&self) -> String {
        let lines = self.lines();
        let columns = lines.iter().map(Vec::len).max().unwrap_or(0);
        let width = |column: usize| lines.iter().filter_map(|line| line.get(column)).map(|c| c.chars().count()).max();
        let widths: Vec<usize> = (0..columns).map(|column| width(column).unwrap_or(0)).collect();
        let mut text = String::new();
        for line in &lines {
            let cells = line.iter().zip(&widths).enumerate().map(|(index, (cell, width))| {
                if index == 0 { format!("{cell:<width$}") } else { format!("{cell:>width$}") }
            });
            let _ = writeln!(text, "{}", cells.collect::<Vec<_>>().join("  ").trim_end());
        }
        text
    }

    /// The table in Markdown.
    pub fn markdown(&self) -> String {
        let mut lines = self.lines().into_iter();
        let mut text = String::new();
        if let Some(head) = lines.next() {
            let _ = writeln!(text, "| {} |", head.join(" | "));
            let _ = writeln!(text, "|---|{}", "---:|".repeat(head.len() - 1));
        }
        for line in lines {
            let _ = writeln!(text, "| {} |", line.join(" | "));
        }
        text
    }

    fn lines(&self) -> Vec<Vec<String>> {
        let head = std::iter::once(self.corner.clone()).chain(self.columns.iter().cloned()).collect();
        let row = |(name, cells): &(String, Vec<Estimate>)| {
            std::iter::once(name.clone()).chain(cells.iter().map(cell)).collect()
        };
        std::iter::once(head).chain(self.rows.iter().map(row)).collect()
    }
}

/// `12.3 [11.8, 12.8]`.
fn cell(estimate: &Estimate) -> String {
    match estimate.interval {
        Some([low, high]) => format!("{:.1} [{low:.1}, {high:.1}]", estimate.mean),
        None => format!("{:.1}", estimate.mean),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> TwoWayTable {
        let sure = Estimate { n: 4, mean: 12.25, sd: 1.0, interval: Some([10.66, 13.84]) };
        let single = Estimate { n: 1, mean: 7.0, sd: 0.0, interval: None };
        TwoWayTable {
            corner: "agent".into(),
            columns: vec!["round 1".into(), "round 2".into()],
            rows: vec![("comm".into(), vec![sure, single]), ("a".into(), vec![single, sure])],
        }
    }

    #[test]
    fn text_is_aligned() {
        let expected = "\
agent            round 1            round 2
comm   12.2 [10.7, 13.8]                7.0
a                    7.0  12.2 [10.7, 13.8]
";
        assert_eq!(table().text(), expected);
    }

    #[test]
    fn markdown_is_a_table() {
        let expected = "\
| agent | round 1 | round 2 |
|---|---:|---:|
| comm | 12.2 [10.7, 13.8] | 7.0 |
| a | 7.0 | 12.2 [10.7, 13.8] |
";
        assert_eq!(table().markdown(), expected);
    }
}
