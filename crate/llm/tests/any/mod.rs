//! Any JSON and any call, for the properties.

use proptest::prelude::*;
use serde_json::{Value, json};
use tandem_llm::chat::ToolCall;

/// Any JSON value, not too deep.
pub fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        ".{0,8}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map(".{0,6}", inner, 0..4).prop_map(|map| map.into_iter().collect()),
        ]
    })
}

/// A call with any arguments.
pub fn any_call() -> impl Strategy<Value = ToolCall> {
    ("[a-z0-9]{1,8}", "[a-z_]{1,8}", any_json()).prop_map(|(id, name, value)| {
        let arguments = json!({"value": value}).to_string();
        ToolCall { id, name, arguments }
    })
}
