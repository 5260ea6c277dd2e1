//! Real requests over a real socket: raw bytes out, raw bytes in, so that nothing tidies a hostile path on the way.

use std::fs;
use std::io::Read;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::Path;

use flate2::read::GzDecoder;
use tempfile::TempDir;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::oneshot;

const LOCALHOST: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

/// A running server over a small site; a file called `secret.txt` lies beside the site's directory.
struct Server {
    address: SocketAddr,
    stop: oneshot::Sender<()>,
    ended: tokio::task::JoinHandle<std::io::Result<()>>,
    files: TempDir,
}

struct Answer {
    status: u16,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
}

impl Answer {
    fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }
}

fn lay_out(site: &Path) {
    let files = [
        ("index.html", "<!doctype html><title>Home</title>"),
        ("404.html", "<!doctype html><title>Not here</title>"),
        ("sw.js", "self.skipWaiting();"),
        ("manifest.webmanifest", "{}"),
        ("gnomes/index.html", "<!doctype html><title>Gnomes</title>"),
        ("assets/index-B3x9_aQz.js", "export const a = 1;"),
        ("assets/style-DiwrgTda.css", "body { margin: 0 }"),
        ("pkg/tandem-game.js", "export {};"),
        ("pkg/wasm/board.txt", "0123456789"),
        ("look.svg", "<svg xmlns='http://www.w3.org/2000/svg'/>"),
    ];
    for (path, content) in files {
        let path = site.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }
    fs::write(site.join("pkg/wasm/tandem_bg.wasm"), b"\0asm\x01\0\0\0".repeat(500)).unwrap();
}

async fn start() -> Server {
    let files = TempDir::new().unwrap();
    let site = files.path().join("site");
    lay_out(&site);
    fs::write(files.path().join("secret.txt"), "hidden").unwrap();
    let app = tandem_server::site(&site).unwrap();
    let listener = tandem_server::listen(LOCALHOST, 0, false).await.unwrap();
    let address = listener.local_addr().unwrap();
    let (stop, stopped) = oneshot::channel::<()>();
    let ended = tokio::spawn(tandem_server::serve(listener, app, async {
        stopped.await.ok();
    }));
    Server { address, stop, ended, files }
}

impl Server {
    /// Sends one request as it is written and reads the answer to its end.
    async fn send(&self, method: &str, target: &str, headers: &[(&str, &str)]) -> Answer {
        let mut request = format!("{method} {target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n");
        for (name, value) in headers {
            request.push_str(&format!("{name}: {value}\r\n"));
        }
        request.push_str("\r\n");
        let mut stream = TcpStream::connect(self.address).await.unwrap();
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).await.unwrap();
        parse(&bytes)
    }

    async fn get(&self, target: &str) -> Answer {
        self.send("GET", target, &[]).await
    }
}

fn parse(bytes: &[u8]) -> Answer {
    let end = bytes.windows(4).position(|window| window == b"\r\n\r\n").expect("an answer with headers");
    let head = std::str::from_utf8(&bytes[..end]).unwrap();
    let mut lines = head.lines();
    let status = lines.next().unwrap().split(' ').nth(1).unwrap().parse().unwrap();
    let headers: Vec<(String, String)> = lines
        .filter_map(|line| line.split_once(": "))
        .map(|(key, value)| (key.to_lowercase(), value.to_owned()))
        .collect();
    let mut answer = Answer { status, headers, body: bytes[end + 4..].to_vec() };
    if answer.header("transfer-encoding") == Some("chunked") {
        answer.body = unchunk(&answer.body);
    }
    answer
}

fn unchunk(mut bytes: &[u8]) -> Vec<u8> {
    let mut body = Vec::new();
    while let Some(end) = bytes.windows(2).position(|window| window == b"\r\n") {
        let size = usize::from_str_radix(std::str::from_utf8(&bytes[..end]).unwrap(), 16).unwrap();
        body.extend_from_slice(&bytes[end + 2..end + 2 + size]);
        bytes = &bytes[end + 2 + size + 2..];
    }
    body
}

#[tokio::test]
async fn every_kind_of_file_has_its_mime_type() {
    let server = start().await;
    for (path, mime) in [
        ("/", "text/html"),
        ("/index.html", "text/html"),
        ("/gnomes/", "text/html"),
        ("/sw.js", "text/javascript"),
        ("/pkg/tandem-game.js", "text/javascript"),
        ("/pkg/wasm/tandem_bg.wasm", "application/wasm"),
        ("/assets/style-DiwrgTda.css", "text/css"),
        ("/look.svg", "image/svg+xml"),
        ("/manifest.webmanifest", "application/manifest+json"),
        ("/healthz", "text/plain"),
    ] {
        let answer = server.get(path).await;
        assert_eq!(answer.status, 200, "{path}");
        let got = answer.header("content-type").unwrap_or_default().split(';').next().unwrap();
        assert_eq!(got, mime, "{path}");
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"), "{path}");
    }
}

#[tokio::test]
async fn no_path_leaves_the_site() {
    let server = start().await;
    for path in [
        "/../secret.txt",
        "/gnomes/../../secret.txt",
        "/%2e%2e/secret.txt",
        "/..%2fsecret.txt",
        "/%2e%2e%2fsecret.txt",
        "/..\\secret.txt",
        "/..%5csecret.txt",
        "/%252e%252e/secret.txt",
        "/./../secret.txt",
        "/gnomes/%2e%2e/%2e%2e/secret.txt",
        "//secret.txt",
        "//gnomes",
        "/%00",
        "/index.html%00.js",
        "/%ff%fe",
        "/C:/secret.txt",
    ] {
        let answer = server.get(path).await;
        assert!((400..500).contains(&answer.status), "{path} answered {}", answer.status);
        assert!(!answer.text().contains("hidden"), "{path}");
    }
    // Absolute paths of the machine, spelled every way a URL can carry one.
    let secret = server.files.path().join("secret.txt").display().to_string();
    for path in [format!("/{secret}"), secret.clone(), secret.replace('/', "%2f")] {
        let answer = server.get(&path).await;
        assert!((400..500).contains(&answer.status), "{path} answered {}", answer.status);
    }
}

#[tokio::test]
async fn a_directory_without_its_slash_is_redirected_within_the_site() {
    let server = start().await;
    let answer = server.get("/gnomes").await;
    assert_eq!((answer.status, answer.header("location")), (307, Some("/gnomes/")));
}

#[tokio::test]
async fn what_is_missing_answers_404_with_the_page_of_the_site() {
    let server = start().await;
    let answer = server.get("/pkg/wasm/other.wasm").await;
    assert_eq!(answer.status, 404);
    assert!(answer.text().contains("Not here"));
    assert_eq!(answer.header("cache-control"), Some("no-cache"));
    fs::remove_file(server.files.path().join("site/404.html")).unwrap();
    let answer = server.get("/assets/gone-B3x9_aQz.js").await;
    assert_eq!((answer.status, answer.header("cache-control")), (404, Some("no-cache")));
    assert!(answer.text().starts_with("404"));
}

#[tokio::test]
async fn head_answers_like_get_without_a_body() {
    let server = start().await;
    for path in ["/", "/pkg/wasm/tandem_bg.wasm", "/healthz", "/nowhere"] {
        let get = server.get(path).await;
        let head = server.send("HEAD", path, &[]).await;
        assert_eq!(head.status, get.status, "{path}");
        assert_eq!(head.header("content-type"), get.header("content-type"), "{path}");
        assert_eq!(head.header("content-length"), get.header("content-length"), "{path}");
        assert!(head.body.is_empty(), "{path}");
    }
}

#[tokio::test]
async fn only_reading_is_allowed() {
    let server = start().await;
    for method in ["POST", "PUT", "DELETE", "PATCH"] {
        assert_eq!(server.send(method, "/index.html", &[("Content-Length", "0")]).await.status, 405, "{method}");
    }
}

#[tokio::test]
async fn what_the_browser_has_is_not_sent_again() {
    let server = start().await;
    let path = "/pkg/wasm/tandem_bg.wasm";
    for encoding in ["identity", "gzip", "br"] {
        let first = server.send("GET", path, &[("Accept-Encoding", encoding)]).await;
        let tag = first.header("etag").expect("a tag").to_owned();
        let modified = first.header("last-modified").expect("a date").to_owned();
        for (name, value) in [("If-None-Match", &tag), ("If-Modified-Since", &modified)] {
            let again = server.send("GET", path, &[("Accept-Encoding", encoding), (name, value)]).await;
            assert_eq!((again.status, again.body.len()), (304, 0), "{encoding}, {name}");
        }
    }
    let other = server.send("GET", path, &[("If-None-Match", "\"other\"")]).await;
    assert_eq!(other.status, 200);
}

#[tokio::test]
async fn a_changed_file_gets_another_tag() {
    let server = start().await;
    let before = server.get("/sw.js").await;
    fs::write(server.files.path().join("site/sw.js"), "self.skipWaiting(); // second edition").unwrap();
    let tag = before.header("etag").unwrap();
    let after = server.send("GET", "/sw.js", &[("If-None-Match", tag)]).await;
    assert_eq!(after.status, 200);
    assert!(after.text().contains("second edition"));
}

#[tokio::test]
async fn only_files_named_by_their_hash_are_kept_without_asking() {
    let server = start().await;
    for path in ["/", "/sw.js", "/pkg/tandem-game.js", "/pkg/wasm/tandem_bg.wasm"] {
        assert_eq!(server.get(path).await.header("cache-control"), Some("no-cache"), "{path}");
    }
    let kept = server.get("/assets/index-B3x9_aQz.js").await;
    assert!(kept.header("cache-control").unwrap().contains("immutable"));
}

#[tokio::test]
async fn answers_are_compressed_when_asked_for() {
    let server = start().await;
    let path = "/pkg/wasm/tandem_bg.wasm";
    let plain = server.get(path).await;
    assert_eq!(plain.header("content-encoding"), None);
    let packed = server.send("GET", path, &[("Accept-Encoding", "gzip")]).await;
    assert_eq!(packed.header("content-encoding"), Some("gzip"));
    assert_eq!(packed.header("content-type"), Some("application/wasm"));
    assert!(packed.header("vary").unwrap().to_lowercase().contains("accept-encoding"));
    assert!(packed.header("etag").unwrap().starts_with("W/"), "other bytes, so no strong tag");
    let mut unpacked = Vec::new();
    GzDecoder::new(packed.body.as_slice()).read_to_end(&mut unpacked).unwrap();
    assert_eq!(unpacked, plain.body);
    let brotli = server.send("GET", path, &[("Accept-Encoding", "gzip, br")]).await;
    assert_eq!(brotli.header("content-encoding"), Some("br"));
}

#[tokio::test]
async fn ranges_are_served_and_bad_ones_refused() {
    let server = start().await;
    let part = server.send("GET", "/pkg/wasm/board.txt", &[("Range", "bytes=2-5"), ("Accept-Encoding", "gzip")]).await;
    assert_eq!((part.status, part.text().as_str()), (206, "2345"));
    assert_eq!(part.header("content-range"), Some("bytes 2-5/10"));
    let beyond = server.send("GET", "/pkg/wasm/board.txt", &[("Range", "bytes=50-60")]).await;
    assert_eq!(beyond.status, 416);
    let several = server.send("GET", "/pkg/wasm/board.txt", &[("Range", "bytes=0-1,4-5")]).await;
    assert_eq!((several.status, several.text().as_str()), (200, "0123456789"));
}

#[tokio::test]
async fn garbage_is_answered_or_dropped_and_the_server_lives_on() {
    let server = start().await;
    for garbage in [&b"\x16\x03\x01\x02\x00\x01"[..], b"GET\r\n\r\n", b"\0\0\0\0\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n"] {
        let mut stream = TcpStream::connect(server.address).await.unwrap();
        stream.write_all(garbage).await.unwrap();
        stream.shutdown().await.unwrap();
        let mut bytes = Vec::new();
        // A reset connection is as good an answer as a 400.
        let _ = stream.read_to_end(&mut bytes).await;
        assert!(!bytes.starts_with(b"HTTP/1.1 2"), "{garbage:?}");
    }
    assert_eq!(server.get("/healthz").await.text(), "ok");
}

#[tokio::test]
async fn it_stops_when_told_even_with_an_idle_connection_open() {
    let server = start().await;
    let _idle = TcpStream::connect(server.address).await.unwrap();
    server.stop.send(()).unwrap();
    server.ended.await.unwrap().unwrap();
    assert!(TcpStream::connect(server.address).await.is_err());
}

#[tokio::test]
async fn a_taken_port_is_named_or_passed_over() {
    let taken = tandem_server::listen(LOCALHOST, 0, false).await.unwrap();
    let port = taken.local_addr().unwrap().port();
    let error = tandem_server::listen(LOCALHOST, port, false).await.unwrap_err().to_string();
    assert!(error.contains(&format!("port {port}")), "{error}");
    let next = tandem_server::listen(LOCALHOST, port, true).await.unwrap();
    assert!(next.local_addr().unwrap().port() > port);
}

#[test]
fn a_directory_that_is_no_site_is_refused() {
    let files = TempDir::new().unwrap();
    let error = tandem_server::site(files.path()).unwrap_err().to_string();
    assert!(error.contains("index.html"), "{error}");
    let error = tandem_server::site(&files.path().join("missing")).unwrap_err().to_string();
    assert!(error.contains("cargo xtask build"), "{error}");
}

/// The program itself: prints its address, answers, and ends well on SIGTERM.
#[cfg(unix)]
#[test]
fn the_program_ends_well_on_sigterm() {
    use std::io::{BufRead, BufReader, Write};
    use std::net::TcpStream;
    use std::process::{Command, Stdio};

    let files = TempDir::new().unwrap();
    lay_out(files.path());
    let mut child = Command::new(env!("CARGO_BIN_EXE_tandem-server"))
        .args(["--port", "0", "--dir"])
        .arg(files.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut url = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut url).unwrap();
    let address = url.trim().strip_prefix("http://").unwrap();
    let mut stream = TcpStream::connect(address).unwrap();
    stream.write_all(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert!(answer.ends_with("ok"), "{answer}");
    assert!(Command::new("kill").arg(child.id().to_string()).status().unwrap().success());
    assert!(child.wait().unwrap().success());
}
