//! The browser's time.

use js_sys::Reflect;
use wasm_bindgen::JsCast;

/// The browser's monotonic clock, in a page or a worker alike; where there is none, its wall clock.
pub fn monotonic_millis() -> f64 {
    let performance = Reflect::get(&js_sys::global(), &"performance".into()).ok();
    match performance.and_then(|performance| performance.dyn_into::<web_sys::Performance>().ok()) {
        Some(performance) => performance.now(),
        None => js_sys::Date::now(),
    }
}
