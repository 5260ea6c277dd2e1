//! The data sink over HTTP.

mod support;

use serde_json::Value;
use std::fs;
use std::io::{Cursor, Read as _};
use support::{RESEARCHER, Running, refusal, token};

const ONE: &str = "{\"trace\":\"tandem-trace-1\",\"n\":0}\n{\"event\":\"start\",\"n\":1,\"at\":0}\n";
const TWO: &str = "{\"event\":\"act\",\"n\":2,\"at\":5,\"seat\":1,\"action\":\"left\"}\n";

async fn json(request: reqwest::RequestBuilder) -> Value {
    let answer = request.send().await.unwrap();
    assert_eq!(answer.status(), 200);
    answer.json().await.unwrap()
}

#[tokio::test]
async fn chunks_become_the_file_the_page_would_download() {
    let server = Running::start("").await;
    let first = json(server.chunk("P1", "s1", 0, ONE)).await;
    assert_eq!((&first["chunk"], &first["next"], &first["bytes"]), (&0.into(), &1.into(), &ONE.len().into()));
    json(server.chunk("P1", "s1", 1, TWO)).await;
    assert_eq!(server.stored("pilot/P1/s1.jsonl"), [ONE, TWO].concat());
}

#[tokio::test]
async fn a_chunk_sent_again_is_stored_once() {
    let server = Running::start("").await;
    json(server.chunk("P1", "s1", 0, ONE)).await;
    json(server.chunk("P1", "s1", 1, TWO)).await;
    let again = json(server.chunk("P1", "s1", 0, ONE)).await;
    assert_eq!((&again["chunk"], &again["next"]), (&0.into(), &2.into()));
    assert_eq!(server.stored("pilot/P1/s1.jsonl"), [ONE, TWO].concat());
    // The same number for something else is a mistake of the page, not a repetition.
    let other = server.chunk("P1", "s1", 0, TWO).send().await.unwrap();
    assert_eq!(refusal(other).await, (422, "differs".to_owned()));
}

#[tokio::test]
async fn a_gap_is_asked_for() {
    let server = Running::start("").await;
    json(server.chunk("P1", "s1", 0, ONE)).await;
    let gap = server.chunk("P1", "s1", 2, TWO).send().await.unwrap();
    assert_eq!(gap.status(), 422);
    let body: Value = gap.json().await.unwrap();
    assert_eq!((&body["wanted"], &body["error"]["code"]), (&1.into(), &"gap".into()));
    assert_eq!(server.stored("pilot/P1/s1.jsonl"), ONE);
}

#[tokio::test]
async fn the_same_chunk_twenty_times_at_once_is_there_once() {
    let server = Running::start("").await;
    let sent = (0..20).map(|_| json(server.chunk("P1", "s1", 0, ONE)));
    futures_util::future::join_all(sent).await;
    assert_eq!(server.stored("pilot/P1/s1.jsonl"), ONE);
}

/// How many of these, sent at once, are stored.
async fn stored_of(sent: impl Iterator<Item = impl Future<Output = reqwest::Result<reqwest::Response>>>) -> usize {
    let answers = futures_util::future::join_all(sent).await;
    answers.iter().filter(|answer| answer.as_ref().is_ok_and(|answer| answer.status() == 200)).count()
}

#[tokio::test]
async fn of_twenty_different_chunks_with_one_number_one_is_stored() {
    let server = Running::start("").await;
    for session in 0..5 {
        let name = format!("s{session}");
        let sent = (0..20).map(|value| server.chunk("P1", &name, 0, &format!("{{\"a\":{value}}}\n")).send());
        assert_eq!(stored_of(sent).await, 1);
    }
}

#[tokio::test]
async fn sessions_begun_at_once_are_not_more_than_allowed() {
    let files = tempfile::TempDir::new().unwrap();
    let text = support::base(files.path()).replace("[data]\n", "[data]\nsessions = 2\n");
    let server = Running::start_with(&text, files).await;
    for who in 0..5 {
        let sent = (0..20).map(|number| server.chunk(&format!("P{who}"), &format!("s{number}"), 0, ONE).send());
        assert_eq!(stored_of(sent).await, 2);
    }
}

#[tokio::test]
async fn chunks_have_a_rate_by_participant() {
    let files = tempfile::TempDir::new().unwrap();
    let text = support::base(files.path()).replace("session_per_minute = 100000", "session_per_minute = 2");
    let server = Running::start_with(&text, files).await;
    let status = async |who: &str| server.chunk(who, "s1", 0, ONE).send().await.unwrap().status().as_u16();
    assert_eq!([status("P1").await, status("P1").await], [200, 200]);
    let refused = server.chunk("P1", "s1", 1, TWO).send().await.unwrap();
    assert!(refused.headers().contains_key("retry-after"));
    assert_eq!(refusal(refused).await, (429, "data_rate".to_owned()));
    assert_eq!(status("P2").await, 200);
    assert_eq!(server.stored("pilot/P1/s1.jsonl"), ONE);
}

#[tokio::test]
async fn what_was_stored_before_a_restart_takes_room_too() {
    let files = tempfile::TempDir::new().unwrap();
    let text = support::base(files.path()).replace("[data]\n", &format!("[data]\nall_bytes = {}\n", ONE.len()));
    let mut server = Running::start_with(&text, files).await;
    json(server.chunk("P1", "s1", 0, ONE)).await;
    server.stop().await;
    let Running { files, .. } = server;
    let server = Running::start_with(&text, files).await;
    let more = server.chunk("P1", "s1", 1, TWO).send().await.unwrap();
    assert_eq!(refusal(more).await, (507, "full".to_owned()));
    assert_eq!(server.stored("pilot/P1/s1.jsonl"), ONE);
}

#[tokio::test]
async fn only_ones_own_token_opens_ones_own_place() {
    let server = Running::start("").await;
    let send = async |token: Option<String>| {
        let mut request = server.http.post(server.url("/v1/data/pilot/P1/s1?chunk=0")).body(ONE);
        request = request.header("content-type", "application/x-ndjson");
        if let Some(token) = token {
            request = request.bearer_auth(token);
        }
        refusal(request.send().await.unwrap()).await
    };
    assert_eq!(send(None).await, (401, "no_token".to_owned()));
    assert_eq!(send(Some("x".to_owned())).await, (401, "bad_token".to_owned()));
    assert_eq!(send(Some(token("P1", 1))).await, (401, "bad_token".to_owned()));
    assert_eq!(send(Some(RESEARCHER.to_owned())).await, (401, "bad_token".to_owned()));
    assert_eq!(send(Some(token("P2", u64::MAX))).await, (403, "other_session".to_owned()));
    assert!(!server.files.path().join("data/pilot").exists());
}

#[tokio::test]
async fn names_that_are_not_plain_are_refused() {
    let server = Running::start("").await;
    for session in ["..%2fx", "a.b", "%2e%2e", "a%00b", "%C3%A9", ".lock", &"x".repeat(65)] {
        let (status, _) = refusal(server.chunk("P1", session, 0, ONE).send().await.unwrap()).await;
        // Some are taken apart on the way, so that there is no such call.
        assert!(matches!(status, 400 | 404), "{session}: {status}");
    }
    let left: Vec<_> = fs::read_dir(server.files.path().join("data")).unwrap().collect();
    assert_eq!(left.len(), 1, "only the lock: {left:?}");
}

#[tokio::test]
async fn what_is_no_chunk_is_refused() {
    let server = Running::start("").await;
    for body in ["", "{}", "{}x", "{}\n\n", "[1]\n", "{\"a\":\n", "{}\r\n", "{} {}\n", "\n", "nonsense\n"] {
        let answer = server.chunk("P1", "s1", 0, body).send().await.unwrap();
        assert_eq!(refusal(answer).await, (400, "not_json_lines".to_owned()), "{body:?}");
    }
    let bytes = server.chunk("P1", "s1", 0, "").body(b"{\"a\":\"\xff\"}\n".to_vec());
    assert_eq!(refusal(bytes.send().await.unwrap()).await.1, "not_json_lines");
    let plain = server.chunk("P1", "s1", 0, ONE).build().unwrap();
    let mut plain = plain;
    plain.headers_mut().insert("content-type", "text/plain".parse().unwrap());
    assert_eq!(refusal(server.http.execute(plain).await.unwrap()).await.1, "content_type");
    for query in ["", "?chunk=x", "?chunk=-1", "?chunk=0&more=1"] {
        let request = server.http.post(server.url(&format!("/v1/data/pilot/P1/s1{query}"))).body(ONE);
        let request = request.bearer_auth(server.token("P1")).header("content-type", "application/x-ndjson");
        assert_eq!(refusal(request.send().await.unwrap()).await, (400, "chunk_number".to_owned()), "{query}");
    }
}

#[tokio::test]
async fn size_is_limited_in_every_way() {
    let server = Running::start("").await;
    drop(server);
    let files = tempfile::TempDir::new().unwrap();
    let text = support::base(files.path())
        .replace("[data]\n", "[data]\nchunk_bytes = 100\nsession_bytes = 150\nsessions = 2\nall_bytes = 300\n");
    let server = Running::start_with(&text, files).await;
    let line = |length: usize| format!("{{\"a\":\"{}\"}}\n", "x".repeat(length - 9));
    let code = async |session: &str, number, length| {
        let answer = server.chunk("P1", session, number, &line(length)).send().await.unwrap();
        if answer.status() == 200 { (200, String::new()) } else { refusal(answer).await }
    };
    assert_eq!(code("s1", 0, 101).await, (413, "too_large".to_owned()));
    assert_eq!(code("s1", 0, 100).await.0, 200);
    assert_eq!(code("s1", 1, 51).await, (413, "session_full".to_owned()));
    assert_eq!(code("s1", 1, 50).await.0, 200);
    assert_eq!(code("s2", 0, 100).await.0, 200);
    assert_eq!(code("s3", 0, 20).await, (429, "sessions".to_owned()));
    assert_eq!(code("s2", 1, 50).await.0, 200);
    let other = server.chunk("P2", "s1", 0, &line(20)).send().await.unwrap();
    assert_eq!(refusal(other).await, (507, "full".to_owned()));
}

#[tokio::test]
async fn a_torn_tail_is_cut_off_and_a_broken_promise_is_reported() {
    let server = Running::start("").await;
    json(server.chunk("P1", "s1", 0, ONE)).await;
    let path = server.files.path().join("data/pilot/P1/s1.jsonl");
    let register = path.with_extension("chunks");
    // Killed between data and register, and within a line of the register.
    // What is torn is longer than what is written in its place.
    fs::write(&path, [ONE, "{\"torn\":", &"x".repeat(200)].concat()).unwrap();
    let whole = fs::read_to_string(&register).unwrap();
    fs::write(&register, format!("{whole}1 200 {}", "a".repeat(100))).unwrap();
    json(server.chunk("P1", "s1", 1, TWO)).await;
    assert_eq!(server.stored("pilot/P1/s1.jsonl"), [ONE, TWO].concat());
    let second = fs::read_to_string(&register).unwrap();
    assert!(second.starts_with(&whole) && second.lines().count() == 2 && second.ends_with('\n'), "{second}");
    // A line that is none promises nothing: another number, no way forward, a hash of another length.
    for wrong in ["7 200 abc\n", &format!("2 1 {}\n", "a".repeat(64)), "2 200 abc\n"] {
        fs::write(&register, [second.as_str(), wrong].concat()).unwrap();
        let known = json(server.chunk("P1", "s1", 1, TWO)).await;
        assert_eq!(known["next"], 2, "{wrong}");
    }
    // Somebody removed what was acknowledged.
    fs::write(&path, "{}\n").unwrap();
    let damaged = server.chunk("P1", "s1", 2, TWO).send().await.unwrap();
    assert_eq!(refusal(damaged).await, (500, "damaged".to_owned()));
    assert_eq!(fs::read_to_string(&path).unwrap(), "{}\n");
}

async fn export(server: &Running, file: &str, key: &str) -> reqwest::Response {
    server.http.get(server.url(&format!("/v1/data/{file}"))).bearer_auth(key).send().await.unwrap()
}

#[tokio::test]
async fn the_researcher_reads_whole_studies() {
    let server = Running::start("").await;
    json(server.chunk("P1", "s1", 0, ONE)).await;
    json(server.chunk("P1", "s1", 1, TWO)).await;
    json(server.chunk("P2", "s9", 0, "{\"event\":\"=1+1\",\"n\":0}\n")).await;
    // What was not acknowledged is not given out.
    let path = server.files.path().join("data/pilot/P1/s1.jsonl");
    fs::write(&path, [ONE, TWO, "{\"torn\":"].concat()).unwrap();

    let zip = export(&server, "pilot.zip", RESEARCHER).await;
    assert_eq!(zip.headers()["content-type"], "application/zip");
    let mut zip = zip::ZipArchive::new(Cursor::new(zip.bytes().await.unwrap())).unwrap();
    let names: Vec<_> = zip.file_names().map(|name| name.unwrap().into_owned()).collect();
    assert_eq!(names, ["P1/s1.jsonl", "P2/s9.jsonl"]);
    let mut text = String::new();
    zip.by_name("P1/s1.jsonl").unwrap().read_to_string(&mut text).unwrap();
    assert_eq!(text, [ONE, TWO].concat());

    let csv = export(&server, "pilot.csv", RESEARCHER).await.text().await.unwrap();
    let mut csv = csv::Reader::from_reader(csv.as_bytes());
    let rows: Vec<Vec<String>> = csv.records().map(|row| row.unwrap().iter().map(str::to_owned).collect()).collect();
    assert_eq!(rows.len(), 4);
    assert_eq!(rows[0][..8], ["pilot", "P1", "s1", "0", "", "header", "tandem-trace-1", ""]);
    assert_eq!(rows[2][..8], ["pilot", "P1", "s1", "2", "5", "event", "act", "1"]);
    assert_eq!(rows[2][8], TWO.trim_end());
    // A formula does not get into the table.
    assert_eq!(rows[3][..8], ["pilot", "P2", "s9", "0", "", "event", "", ""]);
}

#[tokio::test]
async fn nobody_else_reads() {
    let server = Running::start("").await;
    json(server.chunk("P1", "s1", 0, ONE)).await;
    for key in ["", "x", &server.token("P1"), &RESEARCHER[1..]] {
        assert_eq!(export(&server, "pilot.zip", key).await.status(), 401, "{key}");
    }
    let bare = server.http.get(server.url("/v1/data/pilot.csv")).send().await.unwrap();
    assert_eq!(refusal(bare).await, (401, "no_key".to_owned()));
    // Beside the data, in the same form: no study of this server.
    let beside = server.files.path().join("beside/P1");
    fs::create_dir_all(&beside).unwrap();
    fs::copy(server.files.path().join("data/pilot/P1/s1.jsonl"), beside.join("s1.jsonl")).unwrap();
    for file in ["other.zip", "pilot.tar", "pilot", "..%2fpilot.zip", "..%2fbeside.zip", ".zip"] {
        assert_eq!(refusal(export(&server, file, RESEARCHER).await).await.0, 404, "{file}");
    }
    let files = tempfile::TempDir::new().unwrap();
    let keyless = support::base(files.path()).replace(&format!("key = {RESEARCHER:?}\n"), "");
    let server = Running::start_with(&keyless, files).await;
    json(server.chunk("P1", "s1", 0, ONE)).await;
    for key in ["", "x", RESEARCHER] {
        assert_eq!(export(&server, "pilot.zip", key).await.status(), 401, "{key}");
    }
}

#[tokio::test]
async fn one_directory_has_one_server() {
    let server = Running::start("").await;
    let config = tandem_server::Config::read(&support::base(server.files.path()), None, []).unwrap();
    let listener = tandem_server::listen([127, 0, 0, 1].into(), 0, false).await.unwrap();
    let error = tandem_server::Server::open(config, listener).err().unwrap();
    assert!(error.to_string().contains("in use by another server"), "{error}");
}
