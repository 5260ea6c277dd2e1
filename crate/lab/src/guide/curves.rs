//! Curves of a run: a CSV file that grows with it, and beside it the same drawn.

use crate::cogrip::chart::{COLOURS, Frame, Picture};
use anyhow::{Context, Result};
use std::fmt::Write as _;
use std::path::PathBuf;

/// What begins the name of a column that was measured in validation.
const VALIDATION: &str = "val-";
/// Panels side by side, and the width and height of each.
const ACROSS: usize = 3;
const WIDTH: f64 = 260.0;
const HEIGHT: f64 = 180.0;

/// A table of numbers in a file, its first column the step.
pub struct Curves {
    file: PathBuf,
    columns: Vec<String>,
    rows: Vec<Vec<f64>>,
}

impl Curves {
    /// The file's rows so far; none if there is no file.
    ///
    /// # Errors
    /// The file cannot be read, or has other columns.
    pub fn open(file: PathBuf, columns: Vec<String>) -> Result<Self> {
        let mut rows = Vec::new();
        if let Ok(text) = std::fs::read_to_string(&file) {
            let mut lines = text.lines();
            anyhow::ensure!(lines.next() == Some(columns.join(",").as_str()), "{}: other columns", file.display());
            for line in lines {
                rows.push(line.split(',').map(str::parse).collect::<Result<Vec<f64>, _>>()?);
            }
        }
        Ok(Self { file, columns, rows })
    }

    /// Forgets the rows after a step: those of a run that was stopped before its checkpoint.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn cut(&mut self, step: f64) -> Result<()> {
        self.rows.retain(|row| row[0] <= step);
        self.write()
    }

    /// Adds a row.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn push(&mut self, row: &[f64]) -> Result<()> {
        self.rows.push(row.to_vec());
        self.write()
    }

    /// A row in words.
    pub fn line(&self, row: &[f64]) -> String {
        let mut line = String::new();
        for (name, number) in self.columns.iter().zip(row) {
            let _ = write!(line, "{name} {} ", rounded(*number));
        }
        line
    }

    fn write(&self) -> Result<()> {
        let mut text = self.columns.join(",") + "\n";
        for row in &self.rows {
            text += &row.iter().map(|number| rounded(*number)).collect::<Vec<_>>().join(",");
            text.push('\n');
        }
        std::fs::write(&self.file, text).with_context(|| self.file.display().to_string())?;
        let drawn = self.file.with_extension("svg");
        std::fs::write(&drawn, self.drawn()).with_context(|| drawn.display().to_string())
    }

    /// A panel for each column; what was measured in validation goes with what it is of.
    fn drawn(&self) -> String {
        let name = self.file.file_stem().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        let shown: Vec<&String> = self.columns[1..].iter().filter(|name| !name.starts_with(VALIDATION)).collect();
        let rows = shown.len().div_ceil(ACROSS);
        let mut picture = Picture::new(16.0 + WIDTH * ACROSS as f64, 64.0 + HEIGHT * rows as f64, &name);
        picture.text(16.0, 24.0, "start", &format!("{name}, by {}", self.columns[0]));
        if self.columns.iter().any(|name| name.starts_with(VALIDATION)) {
            for (series, word) in ["training", "validation"].into_iter().enumerate() {
                let x = 380.0 + 110.0 * series as f64;
                picture.mark(series, x, 20.0);
                picture.text(x + 10.0, 24.0, "start", word);
            }
        }
        for (number, column) in shown.into_iter().enumerate() {
            let (left, top) = (56.0 + WIDTH * (number % ACROSS) as f64, 72.0 + HEIGHT * (number / ACROSS) as f64);
            let series = [self.values(column), self.values(&format!("{VALIDATION}{column}"))];
            let all = || series.iter().flatten().map(|(_, value)| *value);
            let (low, high) = (all().fold(f64::INFINITY, f64::min), all().fold(f64::NEG_INFINITY, f64::max));
            let room = (0.05 * (high - low)).max(0.005);
            let (right, bottom) = (left + WIDTH - 64.0, top + HEIGHT - 64.0);
            let frame = Frame { left, right, top, bottom, low: low - room, high: high + room };
            picture.text(left, top - 12.0, "start", column);
            if low > high {
                continue;
            }
            picture.levels(&frame);
            let (first, last) = self.span();
            picture.text(left, bottom + 18.0, "start", &rounded(first));
            picture.text(right, bottom + 18.0, "end", &rounded(last));
            for (points, colour) in series.iter().zip(COLOURS) {
                let place = |step: f64| frame.x((step - first) / (last - first).max(1.0));
                let points: Vec<(f64, f64)> =
                    points.iter().map(|(step, value)| (place(*step), frame.y(*value))).collect();
                if !points.is_empty() {
                    picture.line(&points, colour, 1.5);
                }
            }
        }
        picture.finish()
    }

    /// The steps and finite values of a column; none if there is no such column.
    fn values(&self, name: &str) -> Vec<(f64, f64)> {
        let Some(column) = self.columns.iter().position(|column| column == name) else { return Vec::new() };
        self.rows.iter().map(|row| (row[0], row[column])).filter(|(_, value)| value.is_finite()).collect()
    }

    /// The first step and the last.
    fn span(&self) -> (f64, f64) {
        let step = |row: Option<&Vec<f64>>| row.map_or(0.0, |row| row[0]);
        (step(self.rows.first()), step(self.rows.last()))
    }
}

/// Six digits, without zeros at the end.
fn rounded(number: f64) -> String {
    let text = format!("{number:.6}");
    text.trim_end_matches('0').trim_end_matches('.').to_string()
}
