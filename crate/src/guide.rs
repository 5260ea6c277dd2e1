//! The trained Guide's network on the CPU, for a page that has fetched its weights.

use crate::failure::Failure;
use tandem_cogrip::Cell;
use tandem_cogrip::observation::SIDE;
use tandem_guide::head::{Memory, Mind, Output};
use tandem_guide::network::INTENTS;
use tandem_guide::vision::{KINDS, Scene, TILES, Vision};
use tandem_guide::weights;
use wasm_bindgen::prelude::*;

/// The network with its weights, and the episode it is in.
#[wasm_bindgen]
pub struct CpuGuide {
    vision: Vision,
    mind: Mind,
    scene: Option<Scene>,
    memory: Memory,
}

#[wasm_bindgen]
impl CpuGuide {
    /// From the two weights files.
    ///
    /// # Errors
    /// One of them is no such file.
    #[wasm_bindgen(constructor)]
    pub fn new(encoder: &[u8], head: &[u8]) -> Result<CpuGuide, JsValue> {
        let broken = |error: weights::WeightsError| Failure::new("weights", error.to_string());
        let vision = Vision::new(&weights::read(encoder).map_err(broken)?);
        let mind = Mind::new(&weights::read(head).map_err(broken)?);
        Ok(Self { vision, mind, scene: None, memory: Memory::default() })
    }

    /// A new episode on a board of 441 tiles, row by row: four times the number of the piece's colour, counted from 1 (0
    /// for an empty tile), and 1 more for the target's.
    ///
    /// # Errors
    /// It is no such board.
    pub fn begin(&mut self, tiles: &[u8]) -> Result<(), JsValue> {
        if tiles.len() != TILES || tiles.iter().any(|kind| usize::from(*kind) >= KINDS || kind & 2 != 0) {
            return Err(Failure::new(
                "tiles",
                format!("a board has {TILES} tiles, each 4 times a colour, and 1 more for the target"),
            )
            .into());
        }
        self.scene = Some(self.vision.scene(tiles.iter().map(|kind| usize::from(*kind)).collect()));
        self.memory = Memory::default();
        Ok(())
    }

    /// A step of it, with the gripper at column `x` and row `y`: fourteen logits, then the value.
    ///
    /// # Errors
    /// No episode has begun, or there is no such tile.
    pub fn step(&mut self, x: u32, y: u32) -> Result<Vec<f32>, JsValue> {
        let output = Self::look(&mut self.vision, self.scene.as_mut(), &self.mind, &mut self.memory, x, y)?;
        Ok(flat(&output))
    }

    /// What would be said if an episode began with the gripper on each tile of row `y`: for each tile fourteen logits,
    /// then the value. The episode is left as it is.
    ///
    /// # Errors
    /// As for a step.
    pub fn row(&mut self, y: u32) -> Result<Vec<f32>, JsValue> {
        let mut row = Vec::with_capacity(SIDE * (INTENTS + 1));
        for x in 0..SIDE as u32 {
            let mut memory = Memory::default();
            row.extend(flat(&Self::look(&mut self.vision, self.scene.as_mut(), &self.mind, &mut memory, x, y)?));
        }
        Ok(row)
    }

    fn look(
        vision: &mut Vision,
        scene: Option<&mut Scene>,
        mind: &Mind,
        memory: &mut Memory,
        x: u32,
        y: u32,
    ) -> Result<Output, Failure> {
        let Some(scene) = scene else { return Err(Failure::new("order", "no episode has begun".to_owned())) };
        let along = |at: u32| u8::try_from(at).ok().filter(|at| usize::from(*at) < SIDE);
        let Some((x, y)) = along(x).zip(along(y)) else {
            return Err(Failure::new("tiles", format!("there is no tile {x}, {y}")));
        };
        Ok(mind.step(&vision.features(scene, Cell::new(x, y)), memory))
    }
}

fn flat(output: &Output) -> Vec<f32> {
    output.logits.iter().copied().chain([output.value]).collect()
}
