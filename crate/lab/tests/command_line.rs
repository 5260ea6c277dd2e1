//! The program as people and scripts meet it: what it prints, where, and its exit codes.

mod program;

use program::{Ran, file, json, lab, printed, refused};
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

fn shipped(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../gnomes").join(name)
}

#[test]
fn boards_are_solved_by_name_and_from_files() {
    assert_eq!(printed(&["gnomes", "solve", "--board", "9A", "--first", "0"]), "5 11 7 9 11\n");
    assert_eq!(printed(&["gnomes", "solve", "--board", "9A", "--first", "1"]), "6 12 6 10 10\n");
    let level = shipped("levels/9a.txt");
    assert_eq!(printed(&["gnomes", "solve", "--board", level.to_str().unwrap()]), "5 11 7 9 11\n");
    let found = printed(&["gnomes", "solve", "--board", "9A", "--first", "0", "--json"]);
    assert_eq!(found, "{\"board\":\"9A\",\"first\":0,\"turns\":[5,11,7,9,11]}\n");

    let dir = TempDir::new().unwrap();
    let board = tandem_gnomes::boards::named("9A").unwrap();
    let layout = file(&dir, "9a.json", tandem_gnomes::layout::write(&board));
    assert_eq!(printed(&["gnomes", "solve", "--board", &layout]), "5 11 7 9 11\n");
}

#[test]
fn bad_boards_are_refused_with_the_place() {
    refused(&["gnomes", "solve", "--board", "9Z"], &["9Z", "9A"]);
    refused(&["gnomes", "solve", "--board", "9A", "--first", "2"], &["--first"]);
    let dir = TempDir::new().unwrap();
    let level = fs::read_to_string(shipped("levels/9a.txt")).unwrap();
    let broken = file(&dir, "broken.txt", level.replacen("--", "-?", 1));
    refused(&["gnomes", "solve", "--board", &broken], &["broken.txt", "line ", "column "]);
    let layout = file(&dir, "layout.json", "{\"width\": 9,\n \"height\": }");
    refused(&["gnomes", "solve", "--board", &layout], &["layout.json", "line 2", "column "]);
    let wall = |x: u8, y: u8| serde_json::json!({ "from": { "x": x, "y": y }, "to": { "x": 3, "y": 3 } });
    let walls = [wall(3, 2), wall(2, 3)];
    let treasures = [serde_json::json!({ "x": 3, "y": 3 })];
    let shut = serde_json::json!({
        "width": 4, "height": 4, "treasures": treasures, "p1-walls": walls, "p2-walls": walls,
    });
    let shut = file(&dir, "shut.json", shut.to_string());
    refused(&["gnomes", "solve", "--board", &shut], &["shut.json", "treasure of round 1 (3,3) cannot be reached"]);
    refused(&["gnomes", "eval", "--agent", "random", "--board", &shut], &["cannot be reached"]);
    let binary = file(&dir, "binary.txt", [b'a', b'\n', 0xff]);
    refused(&["gnomes", "solve", "--board", &binary], &["line 2 is not UTF-8"]);
    refused(&["gnomes", "eval", "--agent", "random", "--board", &binary], &["line 2 is not UTF-8"]);
}

#[test]
fn eval_of_one_agent_prints_its_rounds_and_messages_only() {
    let found = json(&["gnomes", "eval", "--agent", "comm", "--games", "3", "--seed", "5", "--board", "5A", "--json"]);
    assert_eq!(found.as_object().unwrap().keys().collect::<Vec<_>>(), ["messages", "rounds"]);
    let rounds = found["rounds"].as_array().unwrap();
    let fewest = json(&["gnomes", "solve", "--board", "5A", "--json"]);
    assert_eq!(rounds.len(), fewest["turns"].as_array().unwrap().len());
    for (index, round) in rounds.iter().enumerate() {
        assert_eq!(round["round"], index + 1);
        let mean = round["turns_mean"].as_f64().unwrap();
        assert!(mean >= fewest["turns"][index].as_f64().unwrap());
        assert!(round["turns_ci95"][0].as_f64().unwrap() <= mean && mean <= round["turns_ci95"][1].as_f64().unwrap());
        assert_eq!(round["completed"], 1.0);
    }
    assert!(found["messages"]["agent"]["mean"].as_f64().unwrap() > 0.0);
}

#[test]
fn results_depend_on_the_seed_and_not_on_threads_or_company() {
    let eval = |agents: &str, seed: &str, threads: &str| {
        let batch = ["gnomes", "eval", "--games", "4", "--board", "6A", "--json", "--iterations", "30"];
        json(&[&batch[..], &["--agent", agents, "--seed", seed, "--threads", threads]].concat())
    };
    let one = eval("all", "3", "1");
    assert_eq!(one, eval("comm,mute,random", "3", "4"));
    assert_eq!(one["conditions"]["comm"], eval("comm", "3", "2"));
    assert_ne!(one["conditions"]["comm"], eval("comm", "4", "2"));
    let rounds = one["conditions"]["comm"]["rounds"].as_array().unwrap().len();
    let scopes: Vec<String> = (1..=rounds).map(|round| format!("round_{round}")).chain(["all_rounds".into()]).collect();
    for scope in &scopes {
        assert!(one["anova"][scope]["p"].is_number(), "{scope}");
        assert_eq!(one["tukey"].as_array().unwrap().iter().filter(|pair| pair["scope"] == **scope).count(), 3);
    }
    assert!(one["tukey"].as_array().unwrap().iter().any(|pair| pair["first"] == "comm" && pair["second"] == "mute"));
}

#[test]
fn planners_that_know_the_true_board_are_the_labs_alone() {
    let batch = ["gnomes", "eval", "--games", "6", "--json", "--agent", "mute,mute-omniscient,comm-omniscient"];
    let found = json(&batch);
    let turns = |agent: &str| found["conditions"][agent]["rounds"][0]["turns_mean"].as_f64().unwrap();
    // In round 1 the agent does not see the treasure, unless it knows everything.
    assert!(turns("mute-omniscient") < turns("mute") && turns("comm-omniscient") < turns("mute"), "{found}");
    refused(&["gnomes", "eval", "--agent", "random-omniscient"], &["random-omniscient", "comm, mute"]);
}

#[test]
fn the_tables_the_figure_and_capped_rounds() {
    let dir = TempDir::new().unwrap();
    let svg = dir.path().join("figure.svg");
    let batch = ["gnomes", "eval", "--agent", "mute,random", "--games", "3", "--max-turns", "1", "--svg"];
    let report = printed(&[&batch[..], &[svg.to_str().unwrap()]].concat());
    // One turn never reaches a treasure of 9A: nothing is completed and nothing varies.
    assert!(report.contains("mute    1.0 [1.0, 1.0]"), "{report}");
    assert!(report.contains("mute       0.0%  0.0%") && report.contains("Too little varies"), "{report}");
    let drawn = fs::read_to_string(&svg).unwrap();
    assert!(drawn.starts_with("<svg") && drawn.ends_with("</svg>\n") && drawn.contains(">random</text>"));
    assert!(!drawn.contains("NaN") && !drawn.contains("inf"));
}

#[test]
fn bad_batches_are_refused() {
    refused(&["gnomes", "eval", "--agent", "human"], &["human", "comm"]);
    refused(&["gnomes", "eval", "--agent", "comm", "--partner", "nobody"], &["nobody"]);
    refused(&["gnomes", "eval", "--agent", "comm", "--games", "0"], &["--games"]);
    refused(&["gnomes", "eval", "--agent", "comm", "--games=-3"], &["--games", "-3"]);
    refused(&["gnomes", "eval", "--agent", "comm", "--iterations", "0"], &["iterations"]);
    refused(&["gnomes", "eval", "--agent", "comm", "--seed", "9007199254740992"], &["9007199254740992"]);
    refused(&["gnomes", "eval"], &["--agent"]);
    refused(&["gnomes", "dance"], &["dance"]);
}

#[test]
fn traces_of_a_batch_check_and_an_edited_one_does_not() {
    let dir = TempDir::new().unwrap();
    let traces = dir.path().join("traces");
    let batch = ["gnomes", "eval", "--agent", "comm", "--games", "2", "--board", "5A", "--json", "--traces"];
    printed(&[&batch[..], &[traces.to_str().unwrap()]].concat());
    assert_eq!(fs::read_dir(&traces).unwrap().count(), 2);
    let path = traces.join("comm-000001.jsonl");
    let checked = printed(&["trace", "check", path.to_str().unwrap()]);
    assert!(checked.starts_with("ok: ") && checked.contains("played to its end"), "{checked}");
    let shown = printed(&["trace", "show", path.to_str().unwrap()]);
    assert!(shown.contains("seat 1: \"comm\"") && shown.contains("the game is over"), "{shown}");

    let trace = fs::read_to_string(&path).unwrap();
    let edited = file(&dir, "edited.jsonl", trace.replacen("\"event\":\"act\"", "\"event\":\"Act\"", 1));
    let line = 1 + trace.lines().position(|line| line.contains("\"event\":\"act\"")).unwrap();
    refused(&["trace", "check", &edited], &["edited.jsonl", &format!("line {line}:")]);
    refused(&["trace", "show", &edited], &["edited.jsonl"]);
    let cut = file(&dir, "cut.jsonl", &trace[..trace.len() - 5]);
    assert!(printed(&["trace", "check", &cut]).contains("unfinished line was left out"));
    refused(&["trace", "check", &file(&dir, "empty.jsonl", "")], &["line 1"]);
    refused(&["trace", "check", "no-such-file"], &["no-such-file"]);
}

#[test]
fn intents_are_read_line_by_line_and_judged() {
    let dir = TempDir::new().unwrap();
    let lines = "{\"id\":\"a\",\"message\":\"go left please\",\"last_agent_request\":null,\"flag\":\"left\"}\n\
                 {\"id\":2,\"message\":\"ok\",\"last_agent_request\":\"noop\",\"flag\":\"right\"}\r\n\n\
                 {\"id\":\"c\",\"message\":\"\",\"extra\":1}\n";
    let Ran { code, out, err } = lab(&["gnomes", "intents", "--file", &file(&dir, "few.jsonl", lines)]);
    let expected =
        "{\"id\":\"a\",\"flag\":\"left\"}\n{\"id\":2,\"flag\":\"accept\"}\n{\"id\":\"c\",\"flag\":\"none\"}\n";
    assert_eq!((code, out.as_str()), (Some(0), expected));
    // Wilson's interval for one of two is (1/2) ∓ 0.4055.
    assert!(err.starts_with("1 of 2 right: 50.00% (95% interval 9.45% to 90.55%)\n"), "{err}");
    let plain = "{\"id\":\"a\",\"message\":\"hello\",\"last_agent_request\":\"stay put\"}\n";
    assert_eq!(printed(&["gnomes", "intents", "--file", &file(&dir, "plain.jsonl", plain)]).lines().count(), 1);
}

#[test]
fn bad_intents_are_refused_with_the_line() {
    let dir = TempDir::new().unwrap();
    let good = "{\"id\":\"a\",\"message\":\"hi\",\"last_agent_request\":null}\n";
    for (bad, reason) in [
        ("{\"id\":\"b\"}", "message"),
        ("{\"id\":[],\"message\":\"hi\"}", "id is []"),
        ("{\"id\":1,\"message\":\"hi\",\"last_agent_request\":\"jump\"}", "jump"),
        ("{\"id\":1,\"message\":\"hi\",\"flag\":\"maybe\"}", "maybe"),
        ("not json", "expected"),
    ] {
        let path = file(&dir, "bad.jsonl", format!("{good}{bad}\n"));
        refused(&["gnomes", "intents", "--file", &path], &["line 2:", reason]);
    }
    let path = file(&dir, "good.jsonl", good);
    refused(&["gnomes", "intents", "--file", &path, "--parser", "llm"], &["--endpoint"]);
}
