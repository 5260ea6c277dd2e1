//! The border to JavaScript.
//!
//! Whatever goes wrong ends as a rejected promise: no adapter, a device refused or lost, and a panic too, which would
//! otherwise end the instance and leave whoever waits waiting. After a panic the instance is of no use; its owner drops it.

use crate::guide::{GpuError, GpuGuide, Pending};
use burn::tensor::Device;
use js_sys::{Error, Float32Array, Function, Object, Promise, Reflect};
use std::cell::RefCell;
use std::future::Future;
use tandem_cogrip::Cell;
use tandem_guide::network::INTENTS;
use tandem_guide::vision::TILES;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::spawn_local;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r"
/** What the network makes of a position: a logit for each of the fourteen intents, and the reward it expects. */
export interface Decision { logits: Float32Array; value: number }
/** The same for each of the 441 tiles, row by row: fourteen logits a tile, and a value a tile. */
export interface DecisionMap { logits: Float32Array; values: Float32Array }
";

thread_local! {
    /// The one device of this instance; burn knows it from then on.
    static DEVICE: RefCell<Option<Device>> = const { RefCell::new(None) };
    /// How to reject the promises that are waited for.
    static WAITING: RefCell<Vec<Function>> = const { RefCell::new(Vec::new()) };
}

#[wasm_bindgen(start)]
fn start() {
    std::panic::set_hook(Box::new(|panic| {
        console_error_panic_hook::hook(panic);
        let error = JsValue::from(Error::new(&format!("the GPU's program broke down: {panic}")));
        let waiting = WAITING.try_with(|waiting| waiting.try_borrow_mut().map(|mut list| std::mem::take(&mut *list)));
        for reject in waiting.into_iter().flatten().flatten() {
            // There is nobody left to tell if this fails.
            let _ = reject.call1(&JsValue::NULL, &error);
        }
    }));
}

/// Opens a Guide on the browser's GPU from two weights files, and runs it once so that its shaders are ready.
///
/// # Errors
/// The promise is rejected if there is no adapter, the device is refused, or a file is not as it should be.
#[wasm_bindgen(unchecked_return_type = "Promise<Guide>")]
pub fn open(encoder: Vec<u8>, head: Vec<u8>) -> Promise {
    promised(async move {
        let device = device().await?;
        let mut guide = GpuGuide::read(&encoder, &head, &device)?;
        guide.begin(vec![0; TILES])?;
        guide.step(Cell::new(0, 0))?.outputs().await?;
        guide.forget();
        Ok(Guide(guide).into())
    })
}

/// The device, asked for once.
async fn device() -> Result<Device, GpuError> {
    if let Some(device) = DEVICE.with_borrow(Clone::clone) {
        return Ok(device);
    }
    let device = Device::wgpu_options().init_async().await.map_err(|error| GpuError::Device(error.to_string()))?;
    DEVICE.set(Some(device.clone()));
    Ok(device)
}

/// A Guide on the GPU.
#[wasm_bindgen]
pub struct Guide(GpuGuide);

#[wasm_bindgen]
impl Guide {
    /// A new episode on a board of 441 tiles, row by row: four times the number of the piece's colour, counted from 1 (0 for
    /// an empty tile), and 1 more for the target's.
    ///
    /// # Errors
    /// The network does not know such a board.
    pub fn begin(&mut self, tiles: &[u8]) -> Result<(), Error> {
        self.0.begin(tiles.iter().map(|kind| usize::from(*kind)).collect()).map_err(|error| told(&error))
    }

    /// A step with the gripper at column `x` and row `y`.
    #[wasm_bindgen(unchecked_return_type = "Promise<Decision>")]
    pub fn step(&mut self, x: u8, y: u8) -> Promise {
        answer(
            || self.0.step(Cell::new(x, y)),
            |logits, values| object([("logits", logits.into()), ("value", values.get_index(0).into())]),
        )
    }

    /// What would be said if an episode began with the gripper on each tile.
    #[wasm_bindgen(unchecked_return_type = "Promise<DecisionMap>")]
    pub fn map(&self) -> Promise {
        answer(|| self.0.map(), |logits, values| object([("logits", logits.into()), ("values", values.into())]))
    }

    /// The episode is over.
    pub fn forget(&mut self) {
        self.0.forget();
    }
}

/// Sends work to the GPU and promises what comes back, as an object made of logits and values.
fn answer(
    work: impl FnOnce() -> Result<Pending, GpuError>,
    shape: impl FnOnce(Float32Array, Float32Array) -> Result<JsValue, GpuError> + 'static,
) -> Promise {
    // At once and not when the promise's turn comes: steps are taken in the order of their calls.
    let pending = work();
    promised(async move {
        let outputs = pending?.outputs().await?;
        let mut logits = Vec::with_capacity(outputs.len() * INTENTS);
        outputs.iter().for_each(|output| logits.extend(output.logits));
        let values: Vec<f32> = outputs.iter().map(|output| output.value).collect();
        shape(Float32Array::from(logits.as_slice()), Float32Array::from(values.as_slice()))
    })
}

/// A promise of what a future gives; a panic rejects it too.
fn promised(work: impl Future<Output = Result<JsValue, GpuError>> + 'static) -> Promise {
    let mut work = Some(work);
    Promise::new(&mut |resolve, reject| {
        let Some(work) = work.take() else { return };
        WAITING.with_borrow_mut(|waiting| waiting.push(reject.clone()));
        spawn_local(async move {
            let result = work.await;
            WAITING.with_borrow_mut(|waiting| waiting.retain(|other| *other != reject));
            let called = match result {
                Ok(value) => resolve.call1(&JsValue::NULL, &value),
                Err(error) => reject.call1(&JsValue::NULL, &told(&error).into()),
            };
            // The functions of a promise never throw.
            debug_assert!(called.is_ok());
        });
    })
}

fn told(error: &GpuError) -> Error {
    Error::new(&error.to_string())
}

fn object<const N: usize>(members: [(&str, JsValue); N]) -> Result<JsValue, GpuError> {
    let object = Object::new();
    for (name, value) in members {
        Reflect::set(&object, &name.into(), &value).map_err(|error| GpuError::Lost(format!("{error:?}")))?;
    }
    Ok(object.into())
}
