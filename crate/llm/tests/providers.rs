//! Cassettes and scripts: answers without a model.

use serde_json::{Value, json};
use tandem_llm::chat::{ChatRequest, ErrorBody, Finish, Message, Refusal, Reply, ToolCall, ToolSpec};
use tandem_llm::{Cassette, Miss, Player, Script, format_of, request_hash};

fn asks(text: &str) -> ChatRequest {
    ChatRequest::new("m", vec![Message::User(text.to_owned())])
}

fn refusal() -> Refusal {
    Refusal { status: 429, error: ErrorBody::new("busy", "rate_limit", "429") }
}

fn recorded() -> Cassette {
    let mut cassette = Cassette::default();
    let call = ToolCall { id: "c".to_owned(), name: "go".to_owned(), arguments: "{}".to_owned() };
    cassette.record(&asks("a"), Ok(Reply::text("first\n\"line\"")));
    cassette.record(&asks("b"), Err(refusal()));
    cassette.record(&asks("a"), Ok(Reply { calls: vec![call], finish: Finish::ToolCalls, ..Reply::default() }));
    cassette
}

#[test]
fn a_cassette_comes_back_as_it_was_recorded() {
    let cassette = recorded();
    let text = cassette.write();
    assert_eq!(text.lines().count(), 3);
    assert_eq!(Cassette::read(&text).unwrap(), cassette);
    let crlf = format!("\n{}\n", text.replace('\n', "\r\n"));
    assert_eq!(Cassette::read(&crlf).unwrap(), cassette, "empty lines and other line ends do not count");
}

#[test]
fn answers_are_played_in_their_order_by_what_is_asked() {
    let cassette = recorded();
    let mut player = Player::default();
    let mut streamed = asks("a");
    streamed.stream = true;
    assert_eq!(player.play(&cassette, &streamed).unwrap().unwrap().text, "first\n\"line\"");
    assert_eq!(player.play(&cassette, &asks("b")).unwrap(), Err(refusal()));
    assert_eq!(player.play(&cassette, &asks("a")).unwrap().unwrap().calls.len(), 1);
    let hash = request_hash(&asks("a"));
    assert_eq!(player.play(&cassette, &asks("a")), Err(Miss::Exhausted { hash: hash.clone(), had: 2 }));
    assert!(player.play(&cassette, &asks("a")).unwrap_err().to_string().contains(&hash));
    let unknown = player.play(&cassette, &asks("c")).unwrap_err();
    assert!(unknown.to_string().contains(&request_hash(&asks("c"))), "{unknown}");
    assert!(Player::default().play(&cassette, &asks("a")).is_ok(), "another listener has its own place");
}

#[test]
fn a_cassette_that_was_tampered_with_is_refused_with_its_line() {
    let text = recorded().write();
    let lines: Vec<_> = text.lines().collect();
    let fails = |second: &str, words: &str| {
        let error = Cassette::read(&format!("{}\n{second}\n", lines[0])).unwrap_err();
        assert_eq!(error.line, 2);
        assert!(error.to_string().contains(words), "{error}");
    };
    fails(&lines[1].replace("\"content\":\"b\"", "\"content\":\"B\""), "the hash of its request is");
    fails(&lines[1].replace("\"refusal\"", "\"refused\""), "refused");
    fails(&lines[1].replace("\"request\"", "\"reply\""), "choices");
    fails("{\"hash\":\"x\"}", "either a reply or a refusal");
    fails("{\"hash\":", "EOF");
    let bare = lines[0].replace(&serde_json::to_string(&asks("a")).unwrap(), "null");
    assert_eq!(Cassette::read(&bare).unwrap().lines()[0].request, None, "the request may be left out");
}

fn script(rules: Value) -> Script {
    Script::read(&json!({"rules": rules, "otherwise": {"say": "else"}}).to_string()).unwrap()
}

/// Each condition decides on its own.
#[test]
fn a_rule_fits_if_all_it_says_holds() {
    let mut request = ChatRequest::new("m", vec![]);
    request.messages =
        vec![Message::System("You play Gnomes.".to_owned()), Message::User("Go left, not up!".to_owned())];
    request.tools = vec![ToolSpec { name: "move".to_owned(), description: None, parameters: None, strict: None }];
    request.response_format = Some(format_of::<bool>("flag"));
    let fits =
        |when: Value| script(json!([{"when": when, "then": [{"say": "yes"}]}])).reply(&request).unwrap().text == "yes";
    for when in [
        json!({}),
        json!({"model": "m"}),
        json!({"role": "user"}),
        json!({"any": ["right", "LEFT"]}),
        json!({"all": ["go left", "up"]}),
        json!({"none": ["right", "lef"]}),
        json!({"system": ["gnomes"]}),
        json!({"tool": "move"}),
        json!({"schema": "flag"}),
    ] {
        assert!(fits(when.clone()), "{when}");
    }
    for when in [
        json!({"model": "n"}),
        json!({"role": "tool"}),
        json!({"any": ["right", "lef"]}),
        json!({"any": ["eft"]}),
        json!({"all": ["left", "down"]}),
        json!({"none": ["right", "left"]}),
        json!({"system": ["left"]}),
        json!({"tool": "speak"}),
        json!({"schema": "label"}),
        json!({"any": ["gnomes"]}),
    ] {
        assert!(!fits(when.clone()), "{when}");
    }
}

#[test]
fn answers_are_given_in_turn_and_the_first_rule_counts() {
    let script = script(json!([
        {"when": {"any": ["hello"]}, "then": [{"say": "one"}, {"say": "Moving.", "call": [{"name": "move", "arguments": {"x": 1}},
            {"name": "look"}]}, {"refuse": {"status": 429, "message": "busy"}}]},
        {"then": [{"say": "never mind"}]},
    ]));
    let mut request = asks("hello");
    assert_eq!(script.reply(&request).unwrap().text, "one");
    assert_eq!(script.reply(&request), script.reply(&request), "nothing is remembered");
    let spoke = || Message::Assistant { text: Some("x".to_owned()), calls: vec![] };
    request.messages.insert(0, spoke());
    let reply = script.reply(&request).unwrap();
    assert_eq!((reply.text.as_str(), reply.finish), ("Moving.", Finish::ToolCalls));
    let calls: Vec<_> = reply.calls.iter().map(|call| (call.name.as_str(), call.arguments.as_str())).collect();
    assert_eq!(calls, [("move", "{\"x\":1}"), ("look", "{}")]);
    assert_ne!(reply.calls[0].id, reply.calls[1].id);
    request.messages.insert(0, spoke());
    assert_eq!(script.reply(&request).unwrap_err().status, 429);
    request.messages.insert(0, spoke());
    assert_eq!(script.reply(&request).unwrap().text, "one", "it begins again");
    assert_eq!(script.reply(&asks("bye")).unwrap().text, "never mind");
}

#[test]
fn the_limit_of_tokens_holds_for_a_script_too() {
    let script = script(json!([
        {"when": {"any": ["talk"]}, "then": [{"say": "äbcdefghij"}]},
        {"when": {"any": ["call"]}, "then": [{"say": "äbcd", "call": [{"name": "go"}]}]},
    ]));
    let reply = |text: &str, limit: u32| script.reply(&ChatRequest { max_tokens: Some(limit), ..asks(text) }).unwrap();
    let whole = reply("talk", 3);
    assert_eq!((whole.text.as_str(), whole.finish), ("äbcdefghij", Finish::Stop));
    assert_eq!(whole.usage.unwrap().completion_tokens, 3);
    let cut = reply("talk", 2);
    assert_eq!((cut.text.as_str(), cut.finish), ("äbcdefgh", Finish::Length));
    assert_eq!(cut.usage.unwrap().completion_tokens, 2);
    assert_eq!(reply("call", 3).calls.len(), 1);
    assert_eq!((reply("call", 2).calls.len(), reply("call", 2).finish), (0, Finish::Length));
}

#[test]
fn a_script_that_cannot_be_used_is_refused_with_its_place() {
    let fails = |script: Value, field: &str| {
        let error = Script::read(&script.to_string()).unwrap_err();
        assert!(error.to_string().contains(field), "{script}: {error}");
    };
    let rule = |rule: Value| json!({"rules": [rule], "otherwise": {"say": ""}});
    fails(json!({"rules": [], "otherwise": {}}), "otherwise: needs say");
    fails(json!({"rules": []}), "otherwise");
    fails(rule(json!({"then": []})), "rules[0].then: needs at least one");
    fails(rule(json!({"then": [{}]})), "rules[0].then[0]: needs say");
    fails(rule(json!({"then": [{"say": "", "refuse": {"status": 400, "message": ""}}]})), "stands alone");
    fails(rule(json!({"then": [{"refuse": {"status": 200, "message": ""}}]})), "400 to 599");
    fails(rule(json!({"then": [{"call": [{"name": "a", "arguments": []}]}]})), "rules[0].then[0].call[0].arguments");
    fails(rule(json!({"when": {"role": "wizard"}, "then": [{"say": ""}]})), "rules[0].when.role");
    fails(rule(json!({"when": {"regex": ".*"}, "then": [{"say": ""}]})), "rules[0].when.regex");
    let good = rule(json!({"when": {"any": ["a"]}, "then": [{"say": "b"}]}));
    let script = Script::read(&good.to_string()).unwrap();
    assert_eq!(serde_json::to_value(script).unwrap(), good);
}
