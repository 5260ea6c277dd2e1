//! Any request, for the properties.

use proptest::prelude::*;
use serde_json::{Value, json};
use tandem_llm::chat::{ChatRequest, Message, ResponseFormat, ToolCall, ToolSpec};

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

pub fn any_call() -> impl Strategy<Value = ToolCall> {
    ("[a-z0-9]{1,8}", "[a-z_]{1,8}", any_json()).prop_map(|(id, name, value)| {
        let arguments = json!({"value": value}).to_string();
        ToolCall { id, name, arguments }
    })
}

fn any_format() -> impl Strategy<Value = Option<ResponseFormat>> {
    let schema = any_json().prop_map(|schema| ResponseFormat::JsonSchema {
        name: "s".to_owned(),
        description: None,
        schema: Some(json!({"s": schema})),
        strict: Some(true),
    });
    prop_oneof![Just(None), Just(Some(ResponseFormat::JsonObject)), schema.prop_map(Some)]
}

prop_compose! {
    pub fn any_request()(
        model in "[a-z]{1,6}", said in prop::collection::vec(".{0,12}", 1..4),
        calls in prop::collection::vec(any_call(), 0..3), schema in any_json(), response_format in any_format(),
        temperature in prop::option::of(0.0..=2.0), max_tokens in prop::option::of(1..9999u32),
        seed in any::<Option<i64>>(), stream in any::<bool>(),
    ) -> ChatRequest {
        let mut messages: Vec<_> = said.into_iter().map(Message::User).collect();
        let result = |call: &ToolCall| Message::Tool { call: call.id.clone(), text: call.name.clone() };
        let results: Vec<_> = calls.iter().map(result).collect();
        messages.push(Message::Assistant { text: Some("…".to_owned()), calls });
        messages.extend(results);
        let parameters = Some(json!({"s": schema}));
        let tools = vec![ToolSpec { name: "t".to_owned(), description: None, parameters, strict: None }];
        let plain = ChatRequest::new(model, messages);
        ChatRequest { tools, temperature, max_tokens, seed, stream, response_format, ..plain }
    }
}

/// Writes the same JSON with the keys of all objects the other way round, and other spaces.
pub fn reversed(value: &Value, out: &mut String) {
    match value {
        Value::Array(items) => {
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                out.push_str(if index > 0 { ", " } else { " " });
                reversed(item, out);
            }
            out.push(']');
        }
        Value::Object(fields) => {
            out.push('{');
            for (index, (key, item)) in fields.iter().rev().enumerate() {
                out.push_str(if index > 0 { ",\n" } else { "" });
                out.push_str(&Value::from(key.as_str()).to_string());
                out.push_str(" : ");
                reversed(item, out);
            }
            out.push('}');
        }
        plain => out.push_str(&plain.to_string()),
    }
}
