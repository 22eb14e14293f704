//! A process that is told to stop.

use std::{
    io::{Read, Write},
    net::TcpStream,
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
    thread,
};

use crate::harness::TestApp;

/// More than the server has threads, so that requests always stand in line.
const CLIENTS: usize = 32;

/// What became of one request on a connection that is kept.
#[derive(Debug, PartialEq, Eq)]
enum Outcome {
    Answered,
    AnsweredLast,
    Dropped,
}

fn ask(connection: &mut TcpStream, number: u32) -> Outcome {
    // Each one another question, so that memory answers none.
    let request = format!("GET /api/books?limit=20&n={number} HTTP/1.1\r\nhost: pith\r\n\r\n");
    if connection.write_all(request.as_bytes()).is_err() {
        return Outcome::Dropped;
    }
    let mut answer = Vec::new();
    let mut chunk = [0; 4096];
    loop {
        match connection.read(&mut chunk) {
            Ok(0) | Err(_) => return Outcome::Dropped,
            Ok(read) => answer.extend_from_slice(&chunk[..read]),
        }
        let text = String::from_utf8_lossy(&answer).to_lowercase();
        let Some((head, body)) = text.split_once("\r\n\r\n") else { continue };
        let length = head.split("content-length: ").nth(1).and_then(|rest| rest.lines().next()?.parse().ok());
        if body.len() >= length.unwrap_or(usize::MAX) {
            let is_last = head.contains("connection: close");
            return if is_last { Outcome::AnsweredLast } else { Outcome::Answered };
        }
    }
}

#[actix_web::test]
async fn a_stop_under_load_drops_no_request_and_lets_nobody_in() {
    let mut app = TestApp::start().await;
    app.add_book("a-book", "free = true");
    let address = app.address.trim_start_matches("http://").to_owned();
    let asked = Arc::new(AtomicU32::new(0));
    let clients: Vec<_> = (0..CLIENTS)
        .map(|_| {
            let asked = Arc::clone(&asked);
            let mut connection = TcpStream::connect(&address).expect("the server listens");
            thread::spawn(move || {
                loop {
                    match ask(&mut connection, asked.fetch_add(1, Ordering::SeqCst)) {
                        Outcome::Answered => {}
                        end => return end,
                    }
                }
            })
        })
        .collect();
    while asked.load(Ordering::SeqCst) < 10 * u32::try_from(CLIENTS).expect("small") {
        tokio::task::yield_now().await;
    }
    app.drain().await;
    for client in clients {
        assert_eq!(client.join().expect("no panic"), Outcome::AnsweredLast);
    }
    assert!(TcpStream::connect(&address).is_err(), "the door is closed");
}
