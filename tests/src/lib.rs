//! What the whole-project tests share: games between agents, played to the end without a clock.

use serde_json::Value;
use tandem_cogrip::Cogrip;
use tandem_core::{Agent, Chair, Event, Millis, Seat, SeatSetup, Seed, Session, Setup, What, World};
use tandem_gnomes::{Gnomes, boards};

/// A world as these tests set it up: by a board's and the agents' names.
pub trait Tested: World {
    /// A game on the named board.
    fn config(board: &str) -> Self::Config;
    /// The agent of that name, with its defaults.
    ///
    /// # Panics
    /// The name is unknown.
    fn agent(seat: Seat, name: &str) -> Box<dyn Agent<Self>>;
}

impl Tested for Gnomes {
    fn config(board: &str) -> Self::Config {
        let board = boards::BoardSource::Text(board.into());
        tandem_gnomes::Config { board, max_turns: Some(3000), ..Default::default() }
    }

    fn agent(_: Seat, name: &str) -> Box<dyn Agent<Self>> {
        tandem_gnomes::agents::make(name, &Value::Null).expect("a known agent")
    }
}

impl Tested for Cogrip {
    fn config(board: &str) -> Self::Config {
        // Boards drawn by lot change from round to round: two of them, so that this is seen.
        tandem_cogrip::Config { board: board.into(), rounds: if board.starts_with("random") { 2 } else { 1 } }
    }

    fn agent(seat: Seat, name: &str) -> Box<dyn Agent<Self>> {
        tandem_cogrip::agents::make(seat, name, &Value::Null).expect("a known agent")
    }
}

/// A game of two agents on the named board, begun but not played.
///
/// # Panics
/// A name is unknown.
pub fn game<W: Tested>(board: &str, seats: [&str; 2], seed: u64) -> Session<W> {
    let setup = Setup {
        config: W::config(board),
        seed: Seed::new(seed).expect("a small seed"),
        seats: seats.map(|name| SeatSetup::Agent { name: name.into(), config: Value::Null }).to_vec(),
        pace: Millis(100),
        host: None,
    };
    let mut session = Session::new(setup, chairs(seats)).expect("a known board");
    session.handle(Event { at: Millis::ZERO, what: What::Start }).expect("a fresh session starts");
    session
}

/// Fresh agents for the seats.
///
/// # Panics
/// A name is unknown.
pub fn chairs<W: Tested>(seats: [&str; 2]) -> Vec<Chair<W>> {
    (0..).map(Seat).zip(seats).map(|(seat, name)| Chair::Agent(W::agent(seat, name))).collect()
}

/// Lets everything happen that is due, until nothing is any more or `most` wakes have rung.
///
/// # Panics
/// The session refuses its own timers.
pub fn run<W: World>(session: &mut Session<W>, most: usize) {
    for _ in 0..most {
        let Some((ticket, at)) = session.next_wake() else { break };
        session.handle(Event { at, what: What::Wake { ticket } }).expect("its own timer");
    }
}

/// A whole game of two agents.
pub fn played<W: Tested>(board: &str, seats: [&str; 2], seed: u64) -> Session<W> {
    let mut session = game(board, seats, seed);
    run(&mut session, usize::MAX);
    session
}

/// Compares a text with the file at `path` under this package; with `TANDEM_BLESS` set it writes the file instead.
///
/// # Panics
/// The file cannot be written.
pub fn as_kept(path: &str, text: &str) -> bool {
    let path = format!("{}/{path}", env!("CARGO_MANIFEST_DIR"));
    if std::env::var_os("TANDEM_BLESS").is_some() {
        std::fs::write(&path, text).expect("the file can be written");
    }
    std::fs::read_to_string(&path).unwrap_or_default() == text
}
