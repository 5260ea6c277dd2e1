//! What the whole-project tests share: games between agents, played to the end without a clock.

use serde_json::Value;
use tandem_core::{Chair, Event, Millis, SeatSetup, Seed, Session, Setup, What};
use tandem_gnomes::{Config, Gnomes, agents, boards};

/// A game of two agents on the named board, begun but not played.
///
/// # Panics
/// A name is unknown.
pub fn game(board: &str, seats: [&str; 2], seed: u64) -> Session<Gnomes> {
    let config = Config { board: boards::BoardSource::Text(board.into()), max_turns: Some(3000), ..Config::default() };
    let setup = Setup {
        config,
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
pub fn chairs(seats: [&str; 2]) -> Vec<Chair<Gnomes>> {
    seats.map(|name| Chair::Agent(agents::make(name, &Value::Null).expect("a known agent"))).into_iter().collect()
}

/// Lets everything happen that is due, until nothing is any more or `most` wakes have rung.
///
/// # Panics
/// The session refuses its own timers.
pub fn run(session: &mut Session<Gnomes>, most: usize) {
    for _ in 0..most {
        let Some((ticket, at)) = session.next_wake() else { break };
        session.handle(Event { at, what: What::Wake { ticket } }).expect("its own timer");
    }
}

/// A whole game of two agents.
pub fn played(board: &str, seats: [&str; 2], seed: u64) -> Session<Gnomes> {
    let mut session = game(board, seats, seed);
    run(&mut session, usize::MAX);
    session
}
