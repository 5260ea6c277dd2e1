//! Replays for JavaScript.

use crate::failure::Failure;
use crate::game;
use crate::table::Reel;
use crate::value::to_js;
use tandem_core::trace::Trace;
use wasm_bindgen::prelude::*;

/// A trace that was checked and can be looked through frame by frame.
#[wasm_bindgen]
pub struct Replay {
    reel: Box<dyn Reel>,
}

#[wasm_bindgen]
impl Replay {
    /// Checks the text of a trace and plays it through.
    ///
    /// # Errors
    /// It is no trace, was altered, or could not have been played; the failure names line and reason.
    #[wasm_bindgen(constructor)]
    pub fn new(trace: &str) -> Result<Replay, JsValue> {
        let trace = Trace::read(trace).map_err(Failure::from)?;
        Ok(Self { reel: game::replay(trace)? })
    }

    /// The trace's header.
    ///
    /// # Errors
    /// None in practice; the header is plain data.
    pub fn header(&self) -> Result<JsValue, JsValue> {
        to_js(&self.reel.header()?)
    }

    /// The number of frames: one for the start and one for every action or message.
    pub fn length(&self) -> usize {
        self.reel.frames()
    }

    /// The table after `index` steps: `{at, line, event, views, reveal, thoughts, news}`.
    ///
    /// # Errors
    /// There is no such frame.
    pub fn frame(&self, index: usize) -> Result<JsValue, JsValue> {
        to_js(&self.reel.frame(index)?)
    }

    /// What replaying has shown: `{complete, cut, digest, matches, note}`.
    ///
    /// # Errors
    /// None in practice; the verdict is plain data.
    pub fn verdict(&self) -> Result<JsValue, JsValue> {
        to_js(&self.reel.verdict())
    }
}
