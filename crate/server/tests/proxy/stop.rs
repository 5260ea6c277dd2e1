//! Being told to stop.

use crate::calls::read;
use crate::support::{Running, Upstream, ask_stream, proxy};

#[tokio::test]
async fn running_streams_finish() {
    let upstream = Upstream::start().await;
    let mut server = Running::start(&proxy(&upstream, "")).await;
    let answer = server.chat("P1", &ask_stream("held")).send().await.unwrap();
    upstream.opened(1).await;
    server.tell_to_stop();
    // No new connection is taken once it has heard.
    while tokio::net::TcpStream::connect(server.address).await.is_ok() {
        tokio::task::yield_now().await;
    }
    // Nor does anything happen to the running stream meanwhile, for as long as this takes.
    for _ in 0..100 {
        drop(tokio::net::TcpStream::connect(upstream.address).await.unwrap());
    }
    upstream.seen.release.send_replace(true);
    assert_eq!(read(&answer.bytes().await.unwrap()).text, "Over here!");
    server.stop().await;
    let log = server.log();
    assert_eq!((&log[0]["outcome"], &log[0]["counted_tokens"]), (&"ok".into(), &7.into()));
}

#[tokio::test]
async fn streams_that_do_not_finish_in_time_are_cut_and_settled() {
    let upstream = Upstream::start().await;
    let files = tempfile::TempDir::new().unwrap();
    let text = crate::support::base(files.path()) + "[listen]\nstop_seconds = 0\n" + &proxy(&upstream, "");
    let mut server = Running::start_with(&text, files).await;
    let answer = server.chat("P1", &ask_stream("stall")).send().await.unwrap();
    upstream.opened(1).await;
    server.stop().await;
    assert_eq!(server.log().len(), 1, "it is settled when the server has stopped");
    let text = answer.text().await.unwrap();
    assert!(text.contains("\"code\":\"stopping\"") && !text.contains("[DONE]"), "{text}");
    upstream.opened(0).await;
    let log = server.logged(1).await;
    assert_eq!(log[0]["outcome"], "stopping");
    assert!(log[0]["counted_tokens"].as_u64() > Some(1024));
}
