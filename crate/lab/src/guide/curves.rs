//! Curves of a run: a CSV file that grows with it.

use anyhow::{Context, Result};
use std::fmt::Write as _;
use std::path::PathBuf;

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
        std::fs::write(&self.file, text).with_context(|| self.file.display().to_string())
    }
}

/// Six digits, without zeros at the end.
fn rounded(number: f64) -> String {
    let text = format!("{number:.6}");
    text.trim_end_matches('0').trim_end_matches('.').to_string()
}
