//! Server-sent events, one byte after the other.
//!
//! The idea: bytes are gathered into a line until its end, and only a whole line is decoded; so it does not matter how
//! the bytes were cut, not even within a character. Lines are gathered into a frame until an empty line. Line ends are
//! LF, CR or CRLF, as the standard has it; to see a CRLF as one end, the LF after a CR is swallowed.

/// One event of a stream.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Frame {
    /// Its kind; empty where none was given.
    pub event: String,
    /// Its data, several `data:` lines joined by line ends.
    pub data: String,
}

/// A stream that cannot be read on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SseError {
    /// A line that is not UTF-8.
    #[error("a line of the stream is not UTF-8")]
    NotUtf8,
    /// One frame has more bytes than were allowed.
    #[error("a frame of the stream is longer than the {0} bytes allowed")]
    TooLong(usize),
}

/// Takes bytes, in any pieces, and gives frames.
///
/// ```
/// use tandem_llm::stream::Decoder;
/// let mut decoder = Decoder::new(1000);
/// assert!(decoder.feed(b": keep-alive\r\n\r\ndata: {\"a\"").unwrap().is_empty());
/// let frames = decoder.feed(b":1}\r\n\r\n").unwrap();
/// assert_eq!(frames[0].data, "{\"a\":1}");
/// ```
#[derive(Clone, Debug)]
pub struct Decoder {
    limit: usize,
    line: Vec<u8>,
    event: String,
    data: Option<String>,
    after_cr: bool,
    begun: bool,
}

impl Decoder {
    /// A decoder that allows so many bytes in one frame.
    pub fn new(limit: usize) -> Self {
        Self { limit, line: Vec::new(), event: String::new(), data: None, after_cr: false, begun: false }
    }

    /// The frames that end within these bytes.
    pub fn feed(&mut self, bytes: &[u8]) -> Result<Vec<Frame>, SseError> {
        let mut frames = Vec::new();
        for &byte in bytes {
            frames.extend(self.push(byte)?);
        }
        Ok(frames)
    }

    /// No more bytes will come. The standard drops a frame without an empty line after it; servers do end so, and it is
    /// given here: whether it is whole shows when its data are read.
    pub fn end(&mut self) -> Result<Option<Frame>, SseError> {
        if !self.line.is_empty() {
            self.line_ended()?;
        }
        Ok(self.frame_ended())
    }

    /// Takes one byte; gives the frame that ends with it.
    pub(crate) fn push(&mut self, byte: u8) -> Result<Option<Frame>, SseError> {
        let after_cr = std::mem::replace(&mut self.after_cr, byte == b'\r');
        match byte {
            b'\n' if after_cr => Ok(None),
            b'\n' | b'\r' if self.line.is_empty() => Ok(self.frame_ended()),
            b'\n' | b'\r' => self.line_ended().map(|()| None),
            _ if self.line.len() + self.data.as_ref().map_or(0, String::len) + self.event.len() >= self.limit => {
                Err(SseError::TooLong(self.limit))
            }
            _ => {
                self.line.push(byte);
                Ok(None)
            }
        }
    }

    fn line_ended(&mut self) -> Result<(), SseError> {
        let line = std::mem::take(&mut self.line);
        let mut line = str::from_utf8(&line).map_err(|_| SseError::NotUtf8)?;
        if !std::mem::replace(&mut self.begun, true) {
            line = line.strip_prefix('\u{feff}').unwrap_or(line);
        }
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "event" => value.clone_into(&mut self.event),
            "data" => match &mut self.data {
                Some(data) => {
                    data.push('\n');
                    data.push_str(value);
                }
                none => *none = Some(value.to_owned()),
            },
            // A comment (nothing before the colon), `id`, `retry`, or what nobody knows.
            _ => {}
        }
        Ok(())
    }

    fn frame_ended(&mut self) -> Option<Frame> {
        let event = std::mem::take(&mut self.event);
        self.data.take().map(|data| Frame { event, data })
    }
}
