//! The bare session machine for JavaScript.

use crate::failure::Failure;
use crate::game;
use crate::table::{Happening, Table};
use crate::value::{from_js, to_js};
use js_sys::Reflect;
use tandem_core::trace::Trace;
use tandem_core::{Millis, Seat};
use wasm_bindgen::prelude::*;

/// A session without timers: events in, effects out. Whoever holds it sets the timers, keeps the lines and answers the
/// questions. [`crate::Player`] does all that by itself.
#[wasm_bindgen]
pub struct Session {
    table: Box<dyn Table>,
    resumed: bool,
}

#[wasm_bindgen]
impl Session {
    /// Opens a session with `{world, seed?, config?, seats, pace?, host?}`.
    ///
    /// # Errors
    /// A setting is wrong; the failure names it.
    #[wasm_bindgen(constructor)]
    pub fn new(settings: JsValue) -> Result<Session, JsValue> {
        let settings = from_js(settings, "settings")?;
        Ok(Self { table: game::open(&settings)?, resumed: false })
    }

    /// Opens a session as its trace left it, the agents' memories included.
    ///
    /// # Errors
    /// The trace cannot be gone on with; the failure names line and reason.
    pub fn resume(trace: &str) -> Result<Session, JsValue> {
        let trace = Trace::read(trace).map_err(Failure::from)?;
        Ok(Self { table: game::resume(&trace)?, resumed: !trace.lines().is_empty() })
    }

    /// Begins, or goes on after [`Session::resume`]. `at` in milliseconds of the session.
    ///
    /// # Errors
    /// The session runs already, or is over.
    pub fn start(&mut self, at: f64) -> Result<JsValue, JsValue> {
        let happening = if self.resumed { Happening::Resume {} } else { Happening::Start {} };
        self.feed(Millis(at as u64), happening)
    }

    /// Takes in `{at, event: "act"|"say"|"wake"|"answer"|"stop", …}` and returns the effects.
    ///
    /// # Errors
    /// The event is not accepted; nothing has changed.
    pub fn handle(&mut self, event: JsValue) -> Result<JsValue, JsValue> {
        let at = Reflect::get(&event, &"at".into()).ok().and_then(|at| at.as_f64()).unwrap_or_default();
        self.feed(Millis(at as u64), from_js(event, "event")?)
    }

    /// What a seat may know.
    ///
    /// # Errors
    /// There is no such seat.
    pub fn view(&self, seat: u8) -> Result<JsValue, JsValue> {
        to_js(&self.table.view(Seat(seat))?)
    }

    /// What a seat may attempt now.
    ///
    /// # Errors
    /// There is no such seat.
    pub fn legal(&self, seat: u8) -> Result<JsValue, JsValue> {
        to_js(&self.table.legal(Seat(seat))?)
    }

    /// The whole state, once the game is over or if no person plays.
    ///
    /// # Errors
    /// A person is still playing.
    pub fn reveal(&self) -> Result<JsValue, JsValue> {
        to_js(&self.table.reveal()?)
    }

    /// The seat to move; nothing when the game is over or everybody may act.
    pub fn turn(&self) -> Option<u8> {
        self.table.turn().map(|seat| seat.0)
    }

    /// Whether the session has ended.
    pub fn over(&self) -> bool {
        self.table.over()
    }

    /// The time of the last event, in milliseconds of the session.
    pub fn now(&self) -> f64 {
        self.table.now().0 as f64
    }

    /// The trace so far.
    pub fn trace(&self) -> String {
        self.table.trace()
    }

    /// The digest of the state.
    pub fn digest(&self) -> String {
        self.table.digest()
    }

    fn feed(&mut self, at: Millis, happening: Happening) -> Result<JsValue, JsValue> {
        let outcomes = self.table.handle(at, happening)?;
        to_js(&outcomes.iter().map(|outcome| outcome.to_json()).collect::<Vec<_>>())
    }
}
