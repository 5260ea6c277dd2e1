//! What is asked and what is replied: read strictly, written back the same, and named by its hash.

mod any;

use any::{any_call, any_json};
use proptest::prelude::*;
use serde_json::{Value, json};
use tandem_llm::chat::{
    ChatRequest, ErrorBody, Finish, Message, ModelList, Reply, ReplyError, ResponseFormat, Stop, ToolCall, ToolChoice,
    ToolSpec, Usage,
};
use tandem_llm::request_hash;

fn read(value: Value) -> Result<ChatRequest, String> {
    ChatRequest::read(value.to_string().as_bytes()).map_err(|error| error.to_string())
}

/// The plainest request with one more field.
fn with(field: &str, value: Value) -> Value {
    let mut request = json!({"model": "m", "messages": [{"role": "user", "content": "hello"}]});
    request[field] = value;
    request
}

/// A request with everything in it.
fn full() -> Value {
    json!({
        "model": "m",
        "messages": [
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": "Where?"},
            {"role": "assistant", "content": null, "tool_calls": [
                {"id": "c1", "type": "function", "function": {"name": "look", "arguments": "{}"}}]},
            {"role": "tool", "content": "a wall", "tool_call_id": "c1"},
            {"role": "assistant", "content": "By the wall."},
        ],
        "tools": [{"type": "function", "function": {"name": "look", "description": "Looks around.",
            "parameters": {"type": "object", "properties": {}}, "strict": true}}],
        "tool_choice": {"type": "function", "function": {"name": "look"}},
        "parallel_tool_calls": false,
        "response_format": {"type": "json_schema",
            "json_schema": {"name": "answer", "schema": {"type": "object"}, "strict": true}},
        "temperature": 0.25, "top_p": 0.5, "max_tokens": 20, "seed": -3, "stop": ["\n"],
        "stream": true, "stream_options": {"include_usage": true},
    })
}

#[test]
fn a_full_request_is_written_back_as_it_was_read() {
    let request = read(full()).unwrap();
    assert_eq!(serde_json::to_value(&request).unwrap(), full());
    assert_eq!(request.tool_choice, Some(ToolChoice::Tool("look".to_owned())));
    assert_eq!(request.messages[3].text(), "a wall");
}

/// Each refusal names the field, so that whoever wrote the request finds it.
#[test]
fn what_is_not_known_or_not_right_is_refused_by_name() {
    let message = |message: Value| with("messages", json!([message]));
    let tool = |tool: Value| with("tools", json!([{"type": "function", "function": tool}]));
    let cases = [
        (with("logit_bias", json!({})), "logit_bias"),
        (with("functions", json!([])), "functions"),
        (with("n", json!(2)), "n: only one reply"),
        (with("temperature", json!(2.5)), "temperature"),
        (with("temperature", json!("hot")), "temperature"),
        (with("top_p", json!(-1)), "top_p"),
        (with("max_tokens", json!(0)), "max_tokens"),
        (with("max_tokens", json!(-1)), "max_tokens"),
        (with("max_tokens", json!(1.5)), "max_tokens"),
        (with("stream", json!("yes")), "stream"),
        (with("stream_options", json!({"include_usage": true})), "stream_options"),
        (with("stop", json!(["a", "b", "c", "d", "e"])), "stop"),
        (with("stop", json!(7)), "stop"),
        (with("tool_choice", json!("perhaps")), "tool_choice"),
        (with("tool_choice", json!("required")), "tool_choice"),
        (with("tool_choice", json!({"type": "function", "function": {"name": "x"}})), "tool_choice"),
        (with("tools", json!([{"type": "web_search"}])), "tools[0]"),
        (tool(json!({"name": "a b"})), "tools[0].function.name"),
        (tool(json!({"name": "a", "extra": 1})), "extra"),
        (with("response_format", json!({"type": "xml"})), "response_format"),
        (with("response_format", json!({"type": "text", "more": 1})), "more"),
        (with("response_format", json!({"type": "json_schema", "json_schema": {"name": ""}})), "response_format"),
        (with("model", json!("")), "model"),
        (with("messages", json!([])), "messages"),
        (message(json!({"role": "user"})), "messages[0]: content"),
        (message(json!({"role": "wizard", "content": ""})), "wizard"),
        (message(json!({"role": "user", "content": "", "name": "Bob"})), "name"),
        (message(json!({"role": "user", "content": "", "tool_calls": []})), "tool_calls"),
        (message(json!({"role": "user", "content": "", "tool_call_id": "c"})), "tool_call_id"),
        (message(json!({"role": "tool", "content": ""})), "tool_call_id"),
        (message(json!({"role": "tool", "content": "", "tool_call_id": "c"})), "messages[0].tool_call_id"),
        (message(json!({"role": "assistant"})), "content or tool_calls"),
        (message(json!({"role": "assistant", "content": "", "audio": {"id": "x"}})), "audio"),
        (message(json!({"role": "user", "content": [{"type": "image_url", "image_url": {"url": "u"}}]})), "content"),
        (json!({"messages": []}), "model"),
        (json!(7), "body"),
    ];
    for (request, named) in cases {
        let error = read(request.clone()).expect_err(&request.to_string());
        assert!(error.contains(named), "{request}\n  says {error:?}, not {named:?}");
    }
    let mut both = with("max_tokens", json!(1));
    both["max_completion_tokens"] = json!(1);
    assert!(read(both).unwrap_err().contains("not both"));
    let same = json!({"type": "function", "function": {"name": "a"}});
    assert!(read(with("tools", json!([same, same]))).unwrap_err().contains("tools[1].function.name"));
    let refused = |body: &[u8]| ChatRequest::read(body).unwrap_err().to_string();
    assert!(refused(br#"{"model":"m","messages":[{"role":"user","content":""}]}{}"#).contains("trailing"));
    assert!(refused(br#"{"model":"m","model":"n","messages":[]}"#).contains("duplicate field `model`"));
}

/// What official client libraries send beside the plain form.
#[test]
fn what_client_libraries_send_is_read() {
    for field in ["tools", "tool_choice", "response_format", "stream", "stream_options", "n", "seed", "stop"] {
        assert!(read(with(field, Value::Null)).is_ok(), "{field}");
    }
    assert!(read(with("n", json!(1))).is_ok());
    assert_eq!(read(with("max_completion_tokens", json!(9))).unwrap().reply_tokens(), Some(9));
    assert_eq!(read(with("stop", json!("."))).unwrap().stop, Some(Stop::One(".".to_owned())));
    let echoed = json!([
        {"role": "developer", "content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]},
        {"role": "assistant", "content": "x", "refusal": null, "annotations": [], "audio": null, "function_call": null,
            "tool_calls": [{"index": 0, "id": "c", "type": "function", "function": {"name": "f", "arguments": ""}}]},
    ]);
    let request = read(with("messages", echoed)).unwrap();
    assert_eq!(request.messages[0], Message::System("a\nb".to_owned()));
}

/// A reply of one choice.
fn replied(message: Value, reason: Value) -> Result<Reply, ReplyError> {
    let choices = json!([{"index": 0, "message": message, "finish_reason": reason}]);
    Reply::read(json!({"id": "r", "model": "m", "choices": choices, "more": 1}).to_string().as_bytes())
}

fn call(arguments: Value) -> Value {
    json!({"content": null, "tool_calls": [{"id": "c", "type": "function",
        "function": {"name": "go", "arguments": arguments}}]})
}

#[test]
fn whole_replies_are_read_whatever_else_is_in_them() {
    let reply = replied(json!({"role": "assistant", "content": "Hi", "reasoning": "…"}), json!("eos")).unwrap();
    assert_eq!((reply.text.as_str(), reply.finish), ("Hi", Finish::Stop));
    let reply = replied(call(json!("{\"x\": 1}")), json!("stop")).unwrap();
    assert_eq!((reply.calls[0].arguments.as_str(), reply.finish), ("{\"x\": 1}", Finish::ToolCalls));
    for nothing in [json!(""), json!(null), json!("{}"), json!({})] {
        assert_eq!(replied(call(nothing), json!("tool_calls")).unwrap().calls[0].arguments, "{}");
    }
    let reply = replied(json!({"content": [{"type": "thinking"}, {"type": "text", "text": "Hi"}]}), json!(null));
    assert_eq!(reply.unwrap().text, "Hi");
    let same = json!({"function": {"name": "go"}, "id": "c"});
    let reply = replied(json!({"tool_calls": [same, same, {"function": {"name": "go"}}]}), json!("tool_calls"));
    let ids: Vec<_> = reply.unwrap().calls.into_iter().map(|call| call.id).collect();
    assert_eq!(ids, ["c", "call_1", "call_2"], "results refer to calls by their ids");
}

#[test]
fn a_reply_that_is_not_whole_is_an_error_of_its_kind() {
    let kind = |message: Value, reason: &str| replied(message, json!(reason)).unwrap_err().kind();
    assert_eq!(kind(call(json!("{\"x\": 1")), "tool_calls"), "call");
    assert_eq!(kind(call(json!("[1]")), "tool_calls"), "call");
    assert_eq!(kind(call(json!(7)), "tool_calls"), "form");
    assert_eq!(kind(json!({"tool_calls": [{"function": {"arguments": "{}"}}]}), "tool_calls"), "call");
    assert_eq!(kind(call(json!("{\"x\": 1}")), "length"), "cut", "whole as it looks, more may have been meant");
    assert_eq!(kind(call(json!("{}")), "content_filter"), "filtered");
    assert_eq!(kind(json!({"content": "x"}), "tool_calls"), "form");
    assert_eq!(kind(json!({"content": "x"}), "error"), "form");
    assert_eq!(kind(json!({"content": 7}), "stop"), "form");
    assert_eq!(kind(json!({"content": null, "refusal": "No."}), "stop"), "refused");
    assert_eq!(Reply::read(b"{\"choices\": [").unwrap_err().kind(), "cut");
    assert_eq!(Reply::read(b"<html>").unwrap_err().kind(), "form");
    assert_eq!(Reply::read(b"{\"choices\": []}").unwrap_err().kind(), "form");
    let error = Reply::read(b"{\"error\": {\"message\": \"no\", \"type\": \"t\", \"code\": 404}}").unwrap_err();
    assert_eq!(error.to_string(), "the endpoint reports an error: no (404)");
}

#[test]
fn errors_of_many_servers_are_read() {
    let text = |body: &str| ErrorBody::read(body.as_bytes()).to_string();
    assert_eq!(text(r#"{"error":{"message":"no","type":"t","code":null}}"#), "no (t)");
    assert_eq!(text(r#"{"error":"no"}"#), "no");
    assert_eq!(text(r#"[{"error":{"message":"no","code":400}}]"#), "no (400)");
    assert_eq!(text(r#"{"object":"error","message":"no","code":400}"#), "no (400)");
    assert_eq!(text(r#"{"detail":"no"}"#), "no");
    assert_eq!(text("  upstream gone \n"), "upstream gone");
    assert_eq!(text(&"x".repeat(9000)).len(), 500);
    let error = ErrorBody::new("no", "t", "c");
    let written = serde_json::to_value(&error).unwrap();
    assert_eq!(written, json!({"error": {"message": "no", "type": "t", "code": "c"}}));
    assert_eq!(serde_json::from_value::<ErrorBody>(written).unwrap(), error);
}

#[test]
fn models_are_listed() {
    let written = serde_json::to_value(ModelList::of(["a"], "tandem")).unwrap();
    let model = json!({"id": "a", "object": "model", "created": 0, "owned_by": "tandem"});
    assert_eq!(written, json!({"object": "list", "data": [model]}));
    assert_eq!(serde_json::from_value::<ModelList>(json!({"data": [{"id": "a"}]})).unwrap().data[0].id, "a");
}

/// The hash is fixed: cassettes are found by it. It was computed from the description by another program (Python's
/// json and hashlib).
#[test]
fn the_hash_is_fixed() {
    assert_eq!(request_hash(&read(full()).unwrap()), PYTHON_HASH);
}

const PYTHON_HASH: &str = "0f93f4a08cd83ddf2f8bbc4d87df1f373743907f966b461d3dbf0f2fa6e9753b";

#[test]
fn the_hash_is_of_what_is_asked_and_not_of_how_it_comes() {
    let hash = |value: Value| request_hash(&read(value).unwrap());
    let whole = hash(full());
    let mut same = full();
    same["stream"] = json!(false);
    same.as_object_mut().unwrap().remove("stream_options");
    same["n"] = json!(1);
    assert_eq!(hash(same), whole);
    let others = json!({
        "model": "o", "temperature": 0.5, "top_p": 0.25, "max_tokens": 21, "seed": 3, "stop": "\n", "tool_choice": "auto",
        "parallel_tool_calls": true, "response_format": {"type": "text"},
        "messages": [{"role": "user", "content": "Where?"}],
        "tools": [{"type": "function", "function": {"name": "look"}}],
    });
    for (field, other) in others.as_object().unwrap() {
        let mut changed = full();
        changed[field] = other.clone();
        assert_ne!(hash(changed), whole, "{field}");
    }
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
    fn any_request()(
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
fn reversed(value: &Value, out: &mut String) {
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

proptest! {
    #[test]
    fn requests_come_back_as_they_were(request in any_request()) {
        let body = serde_json::to_vec(&request).unwrap();
        prop_assert_eq!(ChatRequest::read(&body).unwrap(), request);
    }

    #[test]
    fn the_order_of_keys_does_not_count(request in any_request()) {
        let mut text = String::new();
        reversed(&serde_json::to_value(&request).unwrap(), &mut text);
        prop_assert_eq!(request_hash(&ChatRequest::read(text.as_bytes()).unwrap()), request_hash(&request));
    }

    #[test]
    fn replies_come_back_as_they_were(
        text in ".{0,12}", calls in prop::collection::vec(any_call(), 0..3), tokens in any::<Option<u32>>(),
    ) {
        let mut seen = std::collections::BTreeSet::new();
        let calls: Vec<_> = calls.into_iter().filter(|call| seen.insert(call.id.clone())).collect();
        let finish = if calls.is_empty() { Finish::Stop } else { Finish::ToolCalls };
        let usage = tokens.map(|tokens| Usage::new(tokens.into(), 3));
        let reply = Reply { id: "r".to_owned(), created: 7, model: "m".to_owned(), text, calls, finish, usage };
        prop_assert_eq!(Reply::read(&serde_json::to_vec(&reply).unwrap()).unwrap(), reply);
    }

    #[test]
    fn no_bytes_make_it_panic(bytes in prop::collection::vec(any::<u8>(), 0..200), value in any_json()) {
        let _ = ChatRequest::read(&bytes);
        let _ = Reply::read(&bytes);
        let _ = ErrorBody::read(&bytes);
        let _ = Reply::try_from(json!({"choices": [{"message": value, "finish_reason": "stop"}]}));
        let _ = Reply::try_from(json!({"choices": [{"message": {"tool_calls": [value]}}]}));
        let request = json!({"model": "m", "messages": [value], "tools": [value]});
        let _ = ChatRequest::read(request.to_string().as_bytes());
    }
}
