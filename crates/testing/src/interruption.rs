//! Kills a process at a chosen point of its communication: before or after a payment provider has acted, before or
//! after Postgres has committed.

use std::{
    io::{Read, Write},
    net::{Shutdown, TcpListener, TcpStream},
    os::unix::net::UnixStream,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    thread,
};

use percent_encoding::percent_decode_str;
use url::Url;

use crate::TestDatabase;

/// The protocol version in Postgres's startup message; other first messages request encryption.
const PROTOCOL_3: [u8; 4] = [0, 3, 0, 0];

/// Counts the interruption points that a process passes, and kills it at one of them.
#[derive(Clone, Default)]
pub struct Interruption {
    state: Arc<Mutex<State>>,
}

#[derive(Default)]
struct State {
    /// The number of the point to kill at, and the function that kills.
    armed: Option<(usize, Box<dyn FnMut() + Send>)>,
    /// The points passed since it was armed.
    passed: Vec<String>,
    killed: bool,
}

impl std::fmt::Debug for Interruption {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let state = self.lock();
        f.debug_struct("Interruption").field("passed", &state.passed).field("killed", &state.killed).finish()
    }
}

impl Interruption {
    /// Restarts the count and calls `kill` at the point with this number; the first is 0.
    pub fn arm(&self, at: usize, kill: impl FnMut() + Send + 'static) {
        *self.lock() = State { armed: Some((at, Box::new(kill))), ..State::default() };
    }

    /// Stops interrupting, so that other processes can use the same database and doubles after the kill.
    pub fn disarm(&self) {
        self.lock().armed = None;
    }

    /// The point at which the process was killed, if it was.
    pub fn killed_at(&self) -> Option<String> {
        let state = self.lock();
        state.passed.last().filter(|_| state.killed).cloned()
    }

    /// Passes a point. Returns whether the process has been killed: then neither what it sends nor what it is sent may arrive.
    pub(crate) fn pass(&self, moment: impl FnOnce() -> String) -> bool {
        let mut state = self.lock();
        let State { armed: Some((at, kill)), passed, killed } = &mut *state else { return false };
        if *killed {
            return true;
        }
        if passed.len() == *at {
            kill();
            *killed = true;
        }
        passed.push(moment());
        *killed
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A proxy in front of a database: there is an interruption point before and after each `COMMIT`.
#[derive(Debug)]
pub struct InterruptedDatabase {
    url: String,
}

impl InterruptedDatabase {
    /// Listens on a free port for as long as the process runs.
    ///
    /// # Panics
    /// When the database's URL can't be parsed.
    pub fn start(database: &TestDatabase, interruption: &Interruption) -> Self {
        Self::start_on(TcpListener::bind("127.0.0.1:0").expect("a free port"), database, interruption)
    }

    /// [`InterruptedDatabase::start`] on a socket that listens already.
    ///
    /// # Panics
    /// When the database's URL can't be parsed.
    pub fn start_on(listener: TcpListener, database: &TestDatabase, interruption: &Interruption) -> Self {
        let target = Url::parse(database.url()).expect("the address of a database");
        let port = listener.local_addr().expect("a listening socket has an address").port();
        let mut own = target.clone();
        own.set_host(Some("127.0.0.1")).expect("a host");
        own.set_port(Some(port)).expect("a port");
        let interruption = interruption.clone();
        thread::spawn(move || {
            for client in listener.incoming().flatten() {
                let (target, interruption) = (target.clone(), interruption.clone());
                // When either side closes the connection, it ends, as it would without a proxy.
                thread::spawn(move || relay(&client, &target, &interruption).ok());
            }
        });
        Self { url: own.to_string() }
    }

    /// The URL of the proxy, with the database's name and password.
    pub fn url(&self) -> &str {
        &self.url
    }
}

/// A connection to Postgres by TCP or Unix socket.
trait Socket: Read + Write + Send {
    fn cloned(&self) -> std::io::Result<Box<dyn Socket>>;
    fn close(&self);
}

impl Socket for TcpStream {
    fn cloned(&self) -> std::io::Result<Box<dyn Socket>> {
        Ok(Box::new(self.try_clone()?))
    }

    fn close(&self) {
        let _ = self.shutdown(Shutdown::Both);
    }
}

impl Socket for UnixStream {
    fn cloned(&self) -> std::io::Result<Box<dyn Socket>> {
        Ok(Box::new(self.try_clone()?))
    }

    fn close(&self) {
        let _ = self.shutdown(Shutdown::Both);
    }
}

fn connect(target: &Url) -> std::io::Result<Box<dyn Socket>> {
    let host = percent_decode_str(target.host_str().unwrap_or("127.0.0.1")).decode_utf8_lossy();
    let port = target.port().unwrap_or(5432);
    Ok(if host.starts_with('/') {
        Box::new(UnixStream::connect(format!("{host}/.s.PGSQL.{port}"))?)
    } else {
        Box::new(TcpStream::connect((&*host, port))?)
    })
}

fn relay(client: &TcpStream, target: &Url, interruption: &Interruption) -> std::io::Result<()> {
    let server = connect(target)?;
    let committing = Arc::new(AtomicBool::new(false));
    let back = {
        let (mut from, mut to) = (server.cloned()?, client.try_clone()?);
        let (committing, interruption) = (Arc::clone(&committing), interruption.clone());
        thread::spawn(move || {
            let mut buffer = vec![0; 1 << 16];
            while let Ok(length @ 1..) = from.read(&mut buffer) {
                // Postgres responds to a commit when it is done.
                let is_dead =
                    committing.swap(false, Ordering::SeqCst) && interruption.pass(|| "after a commit".to_owned());
                if is_dead || to.write_all(&buffer[..length]).is_err() {
                    break;
                }
            }
            from.close();
            let _ = to.shutdown(Shutdown::Both);
        })
    };
    let result = forward(client, &mut *server.cloned()?, &committing, interruption);
    server.close();
    let _ = client.shutdown(Shutdown::Both);
    let _ = back.join();
    result
}

/// Forwards the client's messages, one by one.
fn forward(
    mut client: &TcpStream,
    server: &mut dyn Socket,
    committing: &AtomicBool,
    interruption: &Interruption,
) -> std::io::Result<()> {
    // Messages up to and including the startup message have no type byte.
    loop {
        let body = read_body(&mut client)?;
        server.write_all(&length_of(&body))?;
        server.write_all(&body)?;
        if body.starts_with(&PROTOCOL_3) {
            break;
        }
    }
    loop {
        let mut kind = [0];
        client.read_exact(&mut kind)?;
        let body = read_body(&mut client)?;
        if kind == *b"Q" && body == b"COMMIT\0" {
            if interruption.pass(|| "before a commit".to_owned()) {
                return Ok(());
            }
            committing.store(true, Ordering::SeqCst);
        }
        server.write_all(&kind)?;
        server.write_all(&length_of(&body))?;
        server.write_all(&body)?;
    }
}

fn read_body(client: &mut impl Read) -> std::io::Result<Vec<u8>> {
    let mut length = [0; 4];
    client.read_exact(&mut length)?;
    let length = usize::try_from(u32::from_be_bytes(length)).unwrap_or_default().saturating_sub(4);
    let mut body = vec![0; length];
    client.read_exact(&mut body)?;
    Ok(body)
}

/// The length field of a message, which includes its own four bytes.
fn length_of(body: &[u8]) -> [u8; 4] {
    u32::try_from(body.len() + 4).unwrap_or(u32::MAX).to_be_bytes()
}
