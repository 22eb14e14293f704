//! SIGTERM to the server under load.

use std::io::{Read, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use rustix::process::{Signal, kill_process};
use serde_json::json;

use super::super::checks::Checks;
use super::super::load::{self, Reader, Writers};
use super::{Site, WRITES};
use crate::console::say;
use crate::instance::{DRAIN, PASSWORD};
use crate::{process, signals};

/// Requests whose headers are accepted and whose bodies are not sent yet.
const PENDING_REQUESTS: usize = 8;
/// Half of the server's drain time (`instance::DRAIN`): idle connections must not delay a stop.
const STOP_LIMIT: Duration = Duration::from_secs(DRAIN / 2);
/// Timeout of a response.
const ANSWER_LIMIT: Duration = Duration::from_mins(1);

/// Checks that accepted requests are answered, and that unanswered writes were not made.
pub(super) fn stop_under_load(site: Site<'_>, readers: Vec<Reader>, checks: &mut Checks) -> Result<()> {
    say!("The server is asked to stop under load");
    let Site { instance, cluster, mut server, books } = site;
    // An account that no other thread writes to.
    let client = instance.client();
    let token = client.sign_up("halfway@example.com", PASSWORD)?;
    let book = books.first().context("there are books")?.0;
    client.get(&format!("/api/books/{book}"), Some(&token))?.result()?;
    let writers = Writers::start(&[instance.address()], &books, readers, "stop");
    writers.await_more(WRITES)?;
    let halfway = (0..PENDING_REQUESTS)
        .map(|_| PendingRequest::begin(instance.address(), &token, book))
        .collect::<Result<Vec<_>>>()?;

    let begin = Instant::now();
    if let Some(pid) = process::pid(server.id()) {
        kill_process(pid, Signal::TERM)?;
    }
    await_closed(instance.address())?;
    let dropped: Vec<String> =
        halfway.into_iter().filter_map(|request| request.finish().err().map(|error| format!("{error:#}"))).collect();
    let ended = loop {
        if let Some(status) = server.ended()? {
            break Some(status);
        }
        signals::check()?;
        if begin.elapsed() > STOP_LIMIT {
            break None;
        }
        std::thread::sleep(Duration::from_millis(5));
    };
    let (mut readers, tally) = writers.stop();
    say!("  {}; stopped in {} ms", tally.summary(), begin.elapsed().as_millis());
    checks.check("what was accepted is answered", &dropped);
    let ending = match ended {
        Some(status) if status.success() => Vec::new(),
        Some(status) => vec![format!("it ended with {status}")],
        None => vec![format!("it still runs after {} s", STOP_LIMIT.as_secs())],
    };
    checks.check("the server ends well, and soon", &ending);
    checks.check("all answers were good ones", &tally.wrong());

    drop(server);
    let _server = instance.start_server(&cluster)?;
    for reader in &mut readers {
        reader.discard_unanswered();
    }
    say!("  what was not answered must not have been done:");
    load::compare(&instance.client(), readers, checks);
    Ok(())
}

/// Waits until the server accepts no more connections, which means that it is stopping.
fn await_closed(address: SocketAddr) -> Result<()> {
    let begin = Instant::now();
    while TcpStream::connect_timeout(&address, Duration::from_secs(1)).is_ok() {
        signals::check()?;
        if begin.elapsed() > STOP_LIMIT {
            bail!("the server still takes connections");
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    Ok(())
}

/// A request that the server has accepted (with `100 Continue`) and that lacks its body.
struct PendingRequest {
    stream: TcpStream,
    body: String,
}

impl PendingRequest {
    fn begin(address: SocketAddr, token: &str, book: u64) -> Result<Self> {
        let body = json!({ "bookId": book, "position": 1 }).to_string();
        let mut stream = TcpStream::connect(address)?;
        stream.set_read_timeout(Some(ANSWER_LIMIT))?;
        write!(
            stream,
            "PUT /api/user-book-history HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {token}\r\n\
             Content-Type: application/json\r\nContent-Length: {}\r\nExpect: 100-continue\r\n\r\n",
            body.len()
        )?;
        let head = head(&mut stream)?;
        if !head.starts_with("HTTP/1.1 100") {
            bail!("instead of being asked to go on: {head}");
        }
        Ok(Self { stream, body })
    }

    fn finish(mut self) -> Result<()> {
        self.stream.write_all(self.body.as_bytes())?;
        let head = head(&mut self.stream)?;
        if head.starts_with("HTTP/1.1 200") { Ok(()) } else { bail!("answered: {head}") }
    }
}

/// Reads up to the empty line.
fn head(stream: &mut TcpStream) -> Result<String> {
    let mut head = Vec::new();
    let mut byte = [0_u8; 1];
    while !head.ends_with(b"\r\n\r\n") {
        if stream.read(&mut byte).context("no answer")? == 0 {
            bail!("the connection was closed after {} bytes", head.len());
        }
        head.push(byte[0]);
    }
    Ok(String::from_utf8_lossy(&head).into_owned())
}
