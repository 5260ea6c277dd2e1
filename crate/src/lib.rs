//! Tandem in the browser: the only crate that knows JavaScript.
//!
//! Three classes go out. [`Session`] is the bare machine: events in, effects out, no timers. [`Player`] runs a session by
//! itself, timers and all, and tells its owner what happens; it is made to live in a worker. [`Replay`] plays a trace
//! again. `docs/embedding.md` describes them, and the custom element built on them, for whoever writes a page.
//!
//! *Architecture Invariant:* no rules here. What a world is called, which agents it has and what its JSON looks like is
//! asked of the world ([`game::Game`]).

mod clock;
mod failure;
mod game;
mod guide;
mod language;
mod player;
mod replay;
mod session;
mod settings;
mod table;
mod value;

pub use guide::CpuGuide;
pub use player::Player;
pub use replay::Replay;
pub use session::Session;

use wasm_bindgen::prelude::*;

/// Runs once when the library is loaded.
#[wasm_bindgen(start)]
pub fn loaded() {
    console_error_panic_hook::set_once();
}

/// The library's version.
#[wasm_bindgen]
pub fn version() -> String {
    tandem_core::VERSION.to_owned()
}

/// The worlds that can be played: name, title, rules, boards, partners.
///
/// # Errors
/// None in practice; the list is plain data.
#[wasm_bindgen]
pub fn worlds() -> Result<JsValue, JsValue> {
    value::to_js(&game::worlds())
}

/// How many AISMCTS-F iterations a second this machine makes on one thread: searches of the default size on board 9A,
/// first round, the treasure unseen and rollouts uncapped, for about `millis` milliseconds.
#[wasm_bindgen]
pub fn bench_search(millis: f64) -> f64 {
    let began = clock::monotonic_millis();
    let mut searches = tandem_gnomes::bench::Searches::new();
    let mut iterations = 0.0;
    loop {
        iterations += f64::from(searches.run_one());
        let spent = clock::monotonic_millis() - began;
        if spent >= millis {
            return iterations / spent * 1000.0;
        }
    }
}
