//! Files of numbered chunks that lose nothing that was acknowledged.
//!
//! The idea: a session has two files. `NAME.jsonl` holds the chunks one after the other and nothing else, so it is what
//! the page would download. `NAME.chunks` is the register: a line for each chunk with its number, where it ends in the
//! data, and the hash of its bytes. A chunk is appended to the data and synchronised, then its line to the register and
//! synchronised, and only then is it acknowledged. So what the register says is in the data, whatever happens; what
//! lies beyond, a tail torn by a full disk or a power cut, was never acknowledged and is cut off before the next chunk.
//! New directories are synchronised too: a file is only as durable as its name.
//!
//! Nothing is kept in memory between chunks; each append reads the register anew.

use crate::names;
use sha2::{Digest as _, Sha256};
use std::collections::HashMap;
use std::fmt::Write as _;
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};

/// How much may be stored.
#[derive(Clone, Copy, Debug)]
pub struct Room {
    /// Bytes of one session's data.
    pub session_bytes: u64,
    /// Sessions of one participant.
    pub sessions: usize,
    /// Bytes of all data.
    pub all_bytes: Option<u64>,
}

/// What became of a chunk that was not refused: it is stored, durably.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stored {
    /// The number of the chunk that is wanted next.
    pub next: u64,
    /// Bytes in the session's file.
    pub bytes: u64,
    /// It was stored before.
    pub again: bool,
}

/// Why a chunk is not stored.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// A name cannot be part of a path.
    #[error("{0:?} is no plain name: {rule}", rule = names::RULE)]
    Name(String),
    /// Chunks before this one are missing.
    #[error("chunk {wanted} is wanted next")]
    Gap {
        /// The number that is wanted.
        wanted: u64,
    },
    /// The number was used for other bytes.
    #[error("chunk {number} was stored with other content")]
    Differs {
        /// The number.
        number: u64,
    },
    /// The session's file would be too large.
    #[error("the session's file would be larger than {0} bytes")]
    SessionFull(u64),
    /// The participant has too many sessions.
    #[error("there are {0} sessions of this participant already")]
    Sessions(usize),
    /// All files together would be too large.
    #[error("the data sink is full")]
    Full,
    /// The register promises more than the data has. Nothing is changed: a person must look.
    #[error("the files of this session are damaged")]
    Damaged,
    /// The system failed.
    #[error("the data could not be written: {0}")]
    Io(#[from] io::Error),
}

/// Why a store cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// Another server has the directory.
    #[error("{} is in use by another server", .0.display())]
    InUse(PathBuf),
    /// The system failed.
    #[error("{}: {cause}", path.display())]
    Io {
        /// Where.
        path: PathBuf,
        /// What it says.
        cause: io::Error,
    },
}

/// A session's place.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Place {
    /// The study.
    pub study: String,
    /// The participant.
    pub participant: String,
    /// The session.
    pub session: String,
}

/// The files below one directory.
pub struct Store {
    root: PathBuf,
    room: Room,
    used: AtomicU64,
    busy: Mutex<HashMap<Place, Weak<Mutex<()>>>>,
    /// One participant's sessions are counted and made by one request at a time.
    making: Mutex<()>,
    /// Held as long as the store is.
    _lock: File,
}

impl Store {
    /// Opens a directory, making it if it is not there.
    pub fn open(root: &Path, room: Room) -> Result<Self, OpenError> {
        let failed = |cause| OpenError::Io { path: root.to_owned(), cause };
        fs::create_dir_all(root).map_err(failed)?;
        let lock = OpenOptions::new().create(true).append(true).open(root.join(".lock")).map_err(failed)?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(fs::TryLockError::WouldBlock) => return Err(OpenError::InUse(root.to_owned())),
            Err(fs::TryLockError::Error(cause)) => return Err(failed(cause)),
        }
        let store = Self {
            root: root.to_owned(),
            room,
            used: AtomicU64::new(0),
            busy: Mutex::default(),
            making: Mutex::default(),
            _lock: lock,
        };
        let mut used = 0;
        for study in plain_entries(root, "").map_err(failed)? {
            for place in store.sessions(&study).map_err(failed)? {
                used += fs::metadata(store.data_path(&place)).map_or(0, |data| data.len());
            }
        }
        store.used.store(used, Ordering::Relaxed);
        Ok(store)
    }

    /// Stores a chunk of one session. When this returns, it is on the disk.
    pub fn append(&self, place: &Place, number: u64, chunk: &[u8]) -> Result<Stored, StoreError> {
        for name in [&place.study, &place.participant, &place.session] {
            if !names::is_plain(name) {
                return Err(StoreError::Name(name.clone()));
            }
        }
        let turn = self.turn(place);
        let _turn = turn.lock().unwrap_or_else(PoisonError::into_inner);
        let register = Register::read(&self.register_path(place))?;
        let (next, end) = (register.chunks.len() as u64, register.end());
        let hash = hex(&Sha256::digest(chunk));
        if number > next {
            return Err(StoreError::Gap { wanted: next });
        }
        if let Some(known) = usize::try_from(number).ok().and_then(|number| register.chunks.get(number)) {
            if known.hash != hash {
                return Err(StoreError::Differs { number });
            }
            return Ok(Stored { next, bytes: end, again: true });
        }
        let length = chunk.len() as u64;
        if end + length > self.room.session_bytes {
            return Err(StoreError::SessionFull(self.room.session_bytes));
        }
        let room = self.reserve(length)?;
        let mut data = self.open_data(place, number)?;
        let there = data.metadata()?.len();
        if there < end {
            return Err(StoreError::Damaged);
        }
        if there > end {
            data.set_len(end)?;
        }
        data.seek(SeekFrom::Start(end))?;
        if let Err(error) = data.write_all(chunk).and_then(|()| data.sync_all()) {
            // If this fails too, the next append cuts the tail off.
            let _ = data.set_len(end);
            return Err(error.into());
        }
        // If this fails, the data stay: should the line have reached the disk all the same, it must not promise too much.
        register.append(&self.register_path(place), &Chunk { end: end + length, hash })?;
        room.keep();
        Ok(Stored { next: next + 1, bytes: end + length, again: false })
    }

    /// The sessions of a study, in order.
    pub fn sessions(&self, study: &str) -> io::Result<Vec<Place>> {
        let mut places = Vec::new();
        let below = self.root.join(study);
        for participant in plain_entries(&below, "")? {
            for session in plain_entries(&below.join(&participant), ".jsonl")? {
                places.push(Place { study: study.to_owned(), participant: participant.clone(), session });
            }
        }
        Ok(places)
    }

    /// The acknowledged data of a session.
    pub fn read(&self, place: &Place) -> io::Result<Vec<u8>> {
        let end = Register::read(&self.register_path(place))?.end();
        let mut data = Vec::new();
        File::open(self.data_path(place))?.take(end).read_to_end(&mut data)?;
        Ok(data)
    }

    fn data_path(&self, place: &Place) -> PathBuf {
        self.root.join(&place.study).join(&place.participant).join(format!("{}.jsonl", place.session))
    }

    fn register_path(&self, place: &Place) -> PathBuf {
        self.data_path(place).with_extension("chunks")
    }

    /// The lock of a session: its chunks are stored one at a time.
    fn turn(&self, place: &Place) -> Arc<Mutex<()>> {
        let mut busy = self.busy.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(turn) = busy.get(place).and_then(Weak::upgrade) {
            return turn;
        }
        busy.retain(|_, turn| turn.strong_count() > 0);
        let turn = Arc::new(Mutex::new(()));
        busy.insert(place.clone(), Arc::downgrade(&turn));
        turn
    }

    /// Opens the data for writing; the first chunk makes file and directories.
    fn open_data(&self, place: &Place, number: u64) -> Result<File, StoreError> {
        let path = self.data_path(place);
        if number > 0 {
            return Ok(OpenOptions::new().write(true).open(path)?);
        }
        let _making = self.making.lock().unwrap_or_else(PoisonError::into_inner);
        let directory = self.root.join(&place.study).join(&place.participant);
        fs::create_dir_all(&directory)?;
        if !path.exists() && plain_entries(&directory, ".jsonl")?.len() >= self.room.sessions {
            return Err(StoreError::Sessions(self.room.sessions));
        }
        let data = OpenOptions::new().write(true).create(true).truncate(false).open(path)?;
        // A server that was killed may have made them without getting this far.
        for made in [&directory, &self.root.join(&place.study), &self.root] {
            sync_directory(made)?;
        }
        Ok(data)
    }

    fn reserve(&self, bytes: u64) -> Result<Reserved<'_>, StoreError> {
        let used = self.used.fetch_add(bytes, Ordering::Relaxed);
        let reserved = Reserved { store: self, bytes };
        if self.room.all_bytes.is_some_and(|all| used + bytes > all) { Err(StoreError::Full) } else { Ok(reserved) }
    }
}

/// Bytes counted as used; given back unless kept.
struct Reserved<'a> {
    store: &'a Store,
    bytes: u64,
}

impl Reserved<'_> {
    fn keep(mut self) {
        self.bytes = 0;
    }
}

impl Drop for Reserved<'_> {
    fn drop(&mut self) {
        self.store.used.fetch_sub(self.bytes, Ordering::Relaxed);
    }
}

/// What is known of a stored chunk.
struct Chunk {
    /// Where it ends in the data.
    end: u64,
    /// SHA-256 of its bytes, in hexadecimal.
    hash: String,
}

/// The stored chunks of a session, by their numbers.
struct Register {
    chunks: Vec<Chunk>,
    /// Bytes of whole lines in the file.
    length: u64,
}

impl Register {
    /// Reads the whole lines; one that breaks off was not acknowledged.
    fn read(path: &Path) -> io::Result<Self> {
        let text = match fs::read(path) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => Vec::new(),
            Err(error) => return Err(error),
        };
        let mut register = Self { chunks: Vec::new(), length: 0 };
        for line in text.split_inclusive(|&byte| byte == b'\n') {
            let Some(chunk) = str::from_utf8(line).ok().and_then(|line| register.parse(line)) else { break };
            register.chunks.push(chunk);
            register.length += line.len() as u64;
        }
        Ok(register)
    }

    fn parse(&self, line: &str) -> Option<Chunk> {
        let mut parts = line.strip_suffix('\n')?.split(' ');
        let (number, end, hash) = (parts.next()?, parts.next()?, parts.next()?);
        let end = end.parse().ok()?;
        let right = number.parse() == Ok(self.chunks.len()) && end > self.end() && hash.len() == 64;
        right.then(|| Chunk { end, hash: hash.to_owned() })
    }

    /// Where the acknowledged data end.
    fn end(&self) -> u64 {
        self.chunks.last().map_or(0, |chunk| chunk.end)
    }

    /// Writes one more line durably, or leaves the file as it was.
    fn append(&self, path: &Path, chunk: &Chunk) -> io::Result<()> {
        let mut file = OpenOptions::new().write(true).create(true).truncate(false).open(path)?;
        file.set_len(self.length)?;
        file.seek(SeekFrom::Start(self.length))?;
        let line = format!("{} {} {}\n", self.chunks.len(), chunk.end, chunk.hash);
        let written = file.write_all(line.as_bytes()).and_then(|()| file.sync_all());
        let named = match (self.length, path.parent()) {
            (0, Some(directory)) => written.and_then(|()| sync_directory(directory)),
            _ => written,
        };
        named.inspect_err(|_| {
            let _ = file.set_len(self.length).and_then(|()| file.sync_all());
        })
    }
}

#[cfg(unix)]
fn sync_directory(path: &Path) -> io::Result<()> {
    File::open(path)?.sync_all()
}

/// Elsewhere directories cannot be opened as files; names are durable once the system says so.
#[cfg(not(unix))]
fn sync_directory(_: &Path) -> io::Result<()> {
    Ok(())
}

/// The plain names in a directory, without their ending, in order; none if there is no such directory.
fn plain_entries(directory: &Path, ending: &str) -> io::Result<Vec<String>> {
    let entries = match fs::read_dir(directory) {
        Ok(entries) => entries,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    let mut found = Vec::new();
    for entry in entries {
        let name = entry?.file_name();
        found.extend(name.to_str().and_then(|name| name.strip_suffix(ending)).map(str::to_owned));
    }
    found.retain(|name| names::is_plain(name));
    found.sort();
    Ok(found)
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}
