//! Prompts, tools, structured replies and labels: what does not fit is an error that says where.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use tandem_llm::chat::{ChatRequest, Finish, Message, Reply, ResponseFormat, ToolCall};
use tandem_llm::{Labels, LabelsError, Templates, Toolbox, format_of, schema_of, structured};

#[test]
fn a_prompt_has_no_empty_places() {
    let fails = |text: &'static str, values: serde_json::Value| {
        Templates::new([("t", text)]).and_then(|templates| templates.render("t", values)).unwrap_err().to_string()
    };
    let some = || json!({"view": {"token": [1, 2]}, "list": [1]});
    assert_eq!(fails("a\n\n{{ name }}", some()), "template t, line 3: undefined value: `name` is undefined");
    assert!(fails("{{ view.treasure }}", some()).contains("`view.treasure` is undefined"));
    assert!(fails("{% if seen %}x{% endif %}", some()).contains("`seen` is undefined"));
    assert!(fails("{% for wall in walls %}x{% endfor %}", some()).contains("`walls` is undefined"));
    assert!(fails("{{ name | upper }}", some()).contains("`name` is undefined"));
    assert!(fails("a\n{% for %}", some()).starts_with("template t, line 2: syntax error"));
    assert!(fails("{{ list | shout }}", some()).contains("shout"));
    assert!(Templates::new([]).unwrap().render("t", some()).unwrap_err().to_string().contains("\"t\" does not exist"));
}

#[test]
fn a_prompt_has_the_filters_it_needs() {
    let text = "{{ a | join(', ') }} {{ a | length }} {{ b | trim | upper | lower }} {% if c is defined %}c{% endif %}";
    let values = json!({"a": [1, 2], "b": " X "});
    assert_eq!(Templates::new([("t", text)]).unwrap().render("t", values).unwrap(), "1, 2 2 x ");
}

#[test]
fn a_prompt_is_text_and_not_a_web_page() {
    let templates =
        Templates::new([("page.html", "{{ a }}\n"), ("list", "{% for x in a %}\n  {{ x }},\n  {% endfor %}\nend")]);
    let templates = templates.unwrap();
    assert_eq!(templates.render("page.html", json!({"a": "<b> & \"c\""})).unwrap(), "<b> & \"c\"\n");
    assert_eq!(templates.render("list", json!({"a": ["x", "y"]})).unwrap(), "  x,\n  y,\nend");
}

/// Not shown to the model.
#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
struct Put {
    /// What to put down.
    object: String,
    /// How many.
    count: Option<u8>,
    at: Place,
}

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Place {
    x: i32,
    y: i32,
}

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
struct Look {}

#[derive(Debug, PartialEq)]
enum Action {
    Put(Put),
    Look,
}

impl From<Put> for Action {
    fn from(put: Put) -> Self {
        Self::Put(put)
    }
}

impl From<Look> for Action {
    fn from(_: Look) -> Self {
        Self::Look
    }
}

fn tools() -> Toolbox<Action> {
    Toolbox::new().with::<Put>("put", "Puts something down.").with::<Look>("look", "Looks around.")
}

#[test]
fn a_schema_says_what_the_type_takes_and_nothing_servers_do_not_know() {
    let place = json!({"type": "object", "properties": {"x": {"type": "integer"}, "y": {"type": "integer"}},
        "required": ["x", "y"], "additionalProperties": false});
    assert_eq!(
        schema_of::<Put>(),
        json!({
            "type": "object",
            "properties": {
                "object": {"description": "What to put down.", "type": "string"},
                "count": {"description": "How many.", "type": ["integer", "null"], "minimum": 0, "maximum": 255},
                "at": place,
            },
            "required": ["object", "at"],
            "additionalProperties": false,
        })
    );
    assert_eq!(schema_of::<Look>(), json!({"type": "object", "properties": {}, "additionalProperties": false}));
    let request = ChatRequest { tools: tools().specs(), ..ChatRequest::new("m", vec![Message::User(String::new())]) };
    assert!(request.check().is_ok());
    assert_eq!(request.tools[0].description.as_deref(), Some("Puts something down."));
}

#[test]
fn arguments_are_read_strictly_and_the_error_names_the_argument() {
    let read = |name: &str, arguments: &str| {
        let call = ToolCall { id: "c".to_owned(), name: name.to_owned(), arguments: arguments.to_owned() };
        tools().read(&call).map_err(|error| error.to_string())
    };
    let at = Place { x: 1, y: -2 };
    let put = Put { object: "mug".to_owned(), count: None, at };
    assert_eq!(read("put", r#"{"object": "mug", "at": {"x": 1, "y": -2}}"#), Ok(Action::Put(put)));
    assert_eq!(read("look", "{}"), Ok(Action::Look));
    let fails = |name: &str, arguments: &str, words: &str| {
        let error = read(name, arguments).unwrap_err();
        assert!(error.contains(words), "{name} {arguments}: {error}");
    };
    fails("jump", "{}", "there is no tool \"jump\"; there are put, look");
    fails("put", "{}", "put: the argument object: missing field `object`");
    fails("put", r#"{"object": 3, "at": {"x": 1, "y": 2}}"#, "the argument object: invalid type: integer `3`");
    fails("put", r#"{"object": "m", "at": {"x": "east", "y": 2}}"#, "the argument at.x: invalid type");
    fails("put", r#"{"object": "m", "at": {"x": 1, "y": 2, "z": 3}}"#, "the argument at.z: unknown field `z`");
    fails("put", r#"{"object": "m", "count": 300, "at": {"x": 1, "y": 2}}"#, "the argument count: invalid value");
    fails("put", r#"{"object": "m", "at": {"x": 1, "y": 2}, "loud": true}"#, "the argument loud: is not known");
    fails("look", r#"{"where": "up"}"#, "the argument where: is not known");
    fails("look", "[]", "the argument object: invalid type: sequence");
    fails("put", r#"{"object": "m", "object": "n", "at": {"x": 1, "y": 2}}"#, "duplicate field `object`");
    fails("look", "{} {}", "trailing");
    fails("look", "{", "EOF");
}

#[test]
fn a_structured_reply_is_the_object_and_nothing_else() {
    let read = |text: &str| structured::<Place>(&Reply::text(text)).map_err(|error| error.to_string());
    for text in
        ["{\"x\":1,\"y\":2}", " {\"x\":1,\"y\":2}\n", "```json\n{\"x\":1,\"y\":2}\n```", "```\n{\"x\":1,\"y\":2}```"]
    {
        assert_eq!(read(text), Ok(Place { x: 1, y: 2 }), "{text}");
    }
    for text in
        ["", "Sure! {\"x\":1,\"y\":2}", "{\"x\":1,\"y\":2} Done.", "{\"x\":1}", "{\"x\":1,\"y\":2,\"z\":3}", "null"]
    {
        assert!(read(text).is_err(), "{text}");
    }
    assert!(read("{\"x\":1,\"y\":\"b\"}").unwrap_err().starts_with("y: invalid type"));
    let cut = Reply { finish: Finish::Length, ..Reply::text("{\"x\":1,\"y\":2}") };
    assert!(structured::<Place>(&cut).unwrap_err().to_string().contains("length"));
    let ResponseFormat::JsonSchema { name, schema, strict, .. } = format_of::<Place>("place") else { panic!() };
    assert_eq!((name.as_str(), schema, strict), ("place", Some(schema_of::<Place>()), Some(true)));
}

#[test]
fn a_reply_is_exactly_one_label_or_none() {
    let labels = Labels::new(["Left", "Stay", "Stay put", "none"]).unwrap();
    let read = |text: &str| labels.read(&Reply::text(text)).ok();
    let same = [
        ("Left", "Left"),
        (" left\n", "Left"),
        ("LEFT.", "Left"),
        ("\"left\"", "Left"),
        ("**Left**", "Left"),
        ("`stay put`", "Stay put"),
        ("Stay", "Stay"),
        ("{\"label\": \"stay put\"}", "Stay put"),
        ("none", "none"),
    ];
    for (text, label) in same {
        assert_eq!(read(text), Some(label), "{text}");
    }
    let not = [
        "",
        "Left or Stay",
        "not left",
        "The label is left",
        "left, left",
        "lef",
        "leftwards",
        "le ft",
        "{\"label\": \"up\"}",
        "{\"label\": 1}",
        "{\"label\": \"Left\", \"why\": \"\"}",
        "{\"flag\": \"Left\"}",
        "[\"Left\"]",
    ];
    for text in not {
        assert_eq!(read(text), None, "{text}");
    }
    // A whole object with spaces after it, which were cut off; half an object may become anything.
    let spaces = Reply { finish: Finish::Length, ..Reply::text("{\n  \"label\": \"stay\"\n}\n   ") };
    assert_eq!(labels.read(&spaces), Ok("Stay"));
    assert!(labels.read(&Reply { finish: Finish::Length, ..Reply::text("{\"label\": \"stay") }).is_err());
    let cut = Reply { finish: Finish::Length, ..Reply::text("Stay") };
    assert!(labels.read(&cut).is_err(), "it may have been meant to go on");
    let call = ToolCall { id: "c".to_owned(), name: "go".to_owned(), arguments: "{}".to_owned() };
    assert!(labels.read(&Reply { calls: vec![call], ..Reply::text("Left") }).is_err());
    let error = labels.read(&Reply::text("up")).unwrap_err().to_string();
    assert_eq!(error, "the reply is \"up\"; expected exactly one of Left, Stay, Stay put, none");
}

#[test]
fn labels_can_be_told_apart_and_read_back() {
    let no: [&str; 0] = [];
    assert_eq!(Labels::new(no), Err(LabelsError::None));
    assert_eq!(Labels::new(["a", "A"]), Err(LabelsError::Twice("A".to_owned())));
    for label in ["", " ", "a.", "'a", "*"] {
        assert_eq!(Labels::new([label]), Err(LabelsError::Unreadable(label.to_owned())));
    }
    let ResponseFormat::JsonSchema { schema: Some(schema), .. } = Labels::new(["a", "b"]).unwrap().format() else {
        panic!()
    };
    assert_eq!(schema["properties"]["label"]["enum"], json!(["a", "b"]));
}
