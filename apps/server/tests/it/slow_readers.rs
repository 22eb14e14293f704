//! Clients that request much and read little.
#![cfg(target_os = "linux")]

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    time::Duration,
};

use testing::TestDatabase;

use crate::harness::{self, TestApp, process::Process};

/// How many clients stop reading.
const READERS: u64 = 300;
/// How many requests each sends at once.
const REQUESTS: usize = 12;
/// What the process may grow by for each of them, in kB: its buffers and its task (70 to 105), and never the document, which is
/// more than twice this size.
const MAY_GROW_EACH: u64 = 120;

/// Requests the API's document so often on one connection that no buffer of the system holds the responses, and reads
/// the first status alone; the rest waits for as long as this is kept.
fn stall(address: &str, headers: &str) -> (String, BufReader<TcpStream>) {
    let mut stream = TcpStream::connect(address).expect("the server listens");
    let request = format!("GET /api/openapi.json HTTP/1.1\r\nHost: pith\r\n{headers}\r\n");
    stream.write_all(request.repeat(REQUESTS).as_bytes()).expect("sent");
    let mut response = BufReader::new(stream);
    let mut status = [0; 12];
    response.read_exact(&mut status).expect("a status");
    (String::from_utf8_lossy(&status[9..]).into_owned(), response)
}

#[test]
fn stalled_readers_of_a_large_response_share_its_bytes_and_others_are_answered() {
    let (database, home) = (TestDatabase::new(), tempfile::tempdir().expect("a folder"));
    let server = Process::start(&database, home.path(), &[]);
    let address = format!("127.0.0.1:{}", server.port);
    let mut whole = Vec::new();
    server.request("/api/openapi.json", "").1.read_to_end(&mut whole).expect("read");
    assert!(whole.len() as u64 > (2 * MAY_GROW_EACH) << 10 && whole.ends_with(b"}"), "{} bytes", whole.len());

    let before = server.most_memory();
    let stalled: Vec<_> = (0..READERS).map(|_| stall(&address, "")).collect();
    assert!(stalled.iter().all(|(status, _)| status == "200"));
    assert!(server.request("/healthz", "").0.starts_with("HTTP/1.1 200"));
    let grown = server.most_memory() - before;
    assert!(grown <= READERS * MAY_GROW_EACH, "{READERS} stalled readers took {grown} kB");

    // A reader that goes on gets all of it.
    let (_, mut late) = stalled.into_iter().next().expect("there are some");
    let mut line = String::new();
    while line != "\r\n" {
        line.clear();
        late.read_line(&mut line).expect("a line of the head");
    }
    let mut body = vec![0; whole.len()];
    late.read_exact(&mut body).expect("read");
    assert!(body == whole);
}

#[actix_web::test]
async fn a_client_behind_a_proxy_has_as_many_responses_at_once_as_it_may_have_connections() {
    let app = TestApp::start_with(&[("TRUSTED_PROXIES", "127.0.0.1"), ("CONNECTIONS_PER_CLIENT", "3")]).await;
    let address = app.address.trim_start_matches("http://");
    let through_proxy = |client: &str| stall(address, &format!("X-Forwarded-For: {client}\r\n"));
    let held: Vec<_> = (0..3).map(|_| through_proxy("203.0.113.9:4711")).collect();
    assert!(held.iter().all(|(status, _)| status == "200"));
    assert_eq!(through_proxy("203.0.113.9:4712").0, "503");
    assert_eq!(through_proxy("203.0.113.10:4711").0, "200", "another client");
    let refused =
        harness::reply(app.request(reqwest::Method::GET, "/api/front").header("x-forwarded-for", "203.0.113.9"));
    refused.await.fails(503, "busy", "The service is busy. Please try again in a moment.");

    // What is over, or whose client is gone, does not count any more.
    drop(held);
    while through_proxy("203.0.113.9").0 != "200" {
        tokio::task::yield_now().await;
    }
}

#[actix_web::test]
async fn a_request_whose_client_is_gone_does_not_count_as_running() {
    let app = TestApp::start_with(&[("DATABASE_WRITE_CONNECTIONS", "1")]).await;
    // Feedback waits for the row that this transaction holds.
    let mut blocker = app.connect();
    let lock = "BEGIN; LOCK TABLE rate_limits IN ACCESS EXCLUSIVE MODE";
    diesel::connection::SimpleConnection::batch_execute(&mut blocker, lock).expect("locked");
    let address = app.address.trim_start_matches("http://").to_owned();
    let body = r#"{"feedback":"Good.","email":"ada@example.com"}"#;
    let request = format!(
        "POST /api/feedback/send HTTP/1.1\r\nHost: pith\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    );
    let begun = app.app.metrics.begun();
    let mut gone = Vec::new();
    for _ in 0..3 {
        let mut stream = TcpStream::connect(&address).expect("the server listens");
        stream.write_all(request.as_bytes()).expect("sent");
        gone.push(stream);
    }
    while app.app.metrics.begun() < begun + 3 {
        tokio::task::yield_now().await;
    }
    assert!(!app.app.metrics.is_idle());
    for stream in &gone {
        // A reset, as when a browser's tab is closed.
        socket2::SockRef::from(stream).set_linger(Some(Duration::ZERO)).expect("set");
    }
    drop(gone);
    let started = std::time::Instant::now();
    while !app.app.metrics.is_idle() {
        assert!(started.elapsed().as_secs() < 60, "requests of clients that are gone count as running");
        tokio::task::yield_now().await;
    }
    diesel::connection::SimpleConnection::batch_execute(&mut blocker, "ROLLBACK").expect("unlocked");
}
