//! Plain data across the border to JavaScript.

use crate::failure::Failure;
use serde::Serialize;
use serde::de::DeserializeOwned;
use wasm_bindgen::JsValue;

/// Data as the JavaScript objects that JSON would give.
pub fn to_js(data: &impl Serialize) -> Result<JsValue, JsValue> {
    let serializer = serde_wasm_bindgen::Serializer::json_compatible();
    data.serialize(&serializer).map_err(|error| Failure::new("internal", error.to_string()).into())
}

/// A JavaScript object as data; `what` names it in the failure.
pub fn from_js<T: DeserializeOwned>(value: JsValue, what: &str) -> Result<T, Failure> {
    serde_wasm_bindgen::from_value(value).map_err(|error| Failure::new("config", format!("{what}: {error}")))
}
