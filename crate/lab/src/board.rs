//! Boards by name or from a file.

use crate::failure::{bad, read_text};
use std::path::Path;
use tandem_gnomes::boards::{BoardSource, named};
use tandem_gnomes::layout::Layout;
use tandem_gnomes::{Board, ascii, layout};

/// The board of that name, or the one in that file (a level file or a JSON layout), and how a config writes it.
///
/// # Errors
/// There is neither, or the file is no board: then with its line and column.
pub fn open(place: &str) -> anyhow::Result<(Board, BoardSource)> {
    let unknown = match named(place) {
        Ok(board) => return Ok((board, BoardSource::Text(place.to_owned()))),
        Err(problem) => problem,
    };
    let path = Path::new(place);
    if !path.exists() {
        return Err(bad(format_args!("{unknown}; nor is there a file {place:?}")));
    }
    let text = read_text(path)?;
    let at = path.display();
    if text.trim_start_matches('\u{feff}').trim_start().starts_with('{') {
        let text = text.trim_start_matches('\u{feff}');
        let board = layout::parse(text).map_err(|error| bad(format_args!("{at}: {error}")))?;
        let layout: Layout = serde_json::from_str(text)?;
        return Ok((board, BoardSource::Layout(Box::new(layout))));
    }
    let board = ascii::parse(&text).map_err(|error| bad(format_args!("{at}: {error}")))?;
    Ok((board, BoardSource::Text(text)))
}
