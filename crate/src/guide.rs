//! The trained Guide's network on the CPU, for a page that has fetched its weights.

use crate::failure::Failure;
use tandem_cogrip::Cell;
use tandem_cogrip::observation::SIDE;
use tandem_guide::network::INTENTS;
use tandem_guide::vision::{KINDS, TILES};
use tandem_guide::weights::{WeightsError, read};
use tandem_guide::{Cpu, Guide as _, Output};
use wasm_bindgen::prelude::*;

/// The network with its weights, and the episode it is in.
#[wasm_bindgen]
pub struct CpuGuide(Cpu);

#[wasm_bindgen]
impl CpuGuide {
    /// From the two weights files.
    ///
    /// # Errors
    /// One of them is no such file.
    #[wasm_bindgen(constructor)]
    pub fn new(encoder: &[u8], head: &[u8]) -> Result<CpuGuide, JsValue> {
        let broken = |error: WeightsError| Failure::new("weights", error.to_string());
        Ok(Self(Cpu::new(&read(encoder).map_err(broken)?, &read(head).map_err(broken)?)))
    }

    /// A new episode on a board of 441 tiles, row by row: four times the number of the piece's colour, counted from 1 (0
    /// for an empty tile), and 1 more for the target's.
    ///
    /// # Errors
    /// It is no such board.
    pub fn begin(&mut self, tiles: &[u8]) -> Result<(), JsValue> {
        if tiles.len() != TILES || tiles.iter().any(|kind| usize::from(*kind) >= KINDS || kind & 2 != 0) {
            let problem = format!("a board has {TILES} tiles, each 4 times a colour, and 1 more for the target");
            return Err(Failure::new("tiles", problem).into());
        }
        self.0.begin_on(tiles.iter().map(|kind| usize::from(*kind)).collect());
        Ok(())
    }

    /// A step of it, with the gripper at column `x` and row `y`: fourteen logits, then the value.
    ///
    /// # Errors
    /// No episode has begun, or there is no such tile.
    pub fn step(&mut self, x: u32, y: u32) -> Result<Vec<f32>, JsValue> {
        let output = self.0.step(tile(x, y)?).ok_or_else(not_begun)?;
        Ok(flat(&output).collect())
    }

    /// What would be said if an episode began with the gripper on each tile of row `y`: for each tile fourteen logits,
    /// then the value. The episode is left as it is.
    ///
    /// # Errors
    /// As for a step.
    pub fn row(&mut self, y: u32) -> Result<Vec<f32>, JsValue> {
        let mut row = Vec::with_capacity(SIDE * (INTENTS + 1));
        for x in 0..SIDE as u32 {
            row.extend(flat(&self.0.opening(tile(x, y)?).ok_or_else(not_begun)?));
        }
        Ok(row)
    }
}

fn tile(x: u32, y: u32) -> Result<Cell, Failure> {
    let along = |at: u32| u8::try_from(at).ok().filter(|at| usize::from(*at) < SIDE);
    let tile = along(x).zip(along(y)).map(|(x, y)| Cell::new(x, y));
    tile.ok_or_else(|| Failure::new("tiles", format!("there is no tile {x}, {y}")))
}

fn not_begun() -> Failure {
    Failure::new("order", "no episode has begun")
}

fn flat(output: &Output) -> impl Iterator<Item = f32> {
    output.logits.into_iter().chain([output.value])
}
