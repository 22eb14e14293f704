//! Kills a process at a chosen moment between it and what it talks to: before and after a payment provider acted, before and
//! after Postgres committed.

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

use url::Url;

use crate::TestDatabase;

/// The protocol version that a startup message of Postgres begins with; what else comes first asks for encryption.
const PROTOCOL_3: [u8; 4] = [0, 3, 0, 0];

/// Counts the moments that a process passes, and kills it at one of them.
#[derive(Clone, Default)]
pub struct Interruption {
    state: Arc<Mutex<State>>,
}

#[derive(Default)]
struct State {
    /// The moment to kill at, and how.
    armed: Option<(usize, Box<dyn FnMut() + Send>)>,
    /// The moments passed since it was armed.
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
    /// Counts from now on and calls `kill` at the moment of this number, the first being 0.
    pub fn arm(&self, at: usize, kill: impl FnMut() + Send + 'static) {
        *self.lock() = State { armed: Some((at, Box::new(kill))), ..State::default() };
    }

    /// Lets everything through from now on: others use the same database and the same doubles when the process is dead.
    pub fn disarm(&self) {
        self.lock().armed = None;
    }

    /// Where the process was killed, if it was.
    pub fn killed_at(&self) -> Option<String> {
        let state = self.lock();
        state.passed.last().filter(|_| state.killed).cloned()
    }

    /// A moment is passed. Whether the process is dead: then nothing may reach it, and nothing that it said may have an effect.
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

/// A database behind a proxy: each `COMMIT` that goes through is a moment before it and a moment after it.
#[derive(Debug)]
pub struct InterruptedDatabase {
    url: String,
}

impl InterruptedDatabase {
    /// Listens on a free port for as long as the process runs.
    ///
    /// # Panics
    /// When the database's address can't be read.
    pub fn start(database: &TestDatabase, interruption: &Interruption) -> Self {
        let target = Url::parse(database.url()).expect("the address of a database");
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let port = listener.local_addr().expect("a listening socket has an address").port();
        let mut own = target.clone();
        own.set_host(Some("127.0.0.1")).expect("a host");
        own.set_port(Some(port)).expect("a port");
        let interruption = interruption.clone();
        thread::spawn(move || {
            for client in listener.incoming().flatten() {
                let (target, interruption) = (target.clone(), interruption.clone());
                // A side that goes away ends the connection, as it would without a proxy.
                thread::spawn(move || relay(&client, &target, &interruption).ok());
            }
        });
        Self { url: own.to_string() }
    }

    /// The address of the proxy, with the database's name and password.
    pub fn url(&self) -> &str {
        &self.url
    }
}

/// A connection to Postgres by either kind of socket.
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
    let host = target.host_str().unwrap_or("127.0.0.1").replace("%2F", "/").replace("%20", " ");
    let port = target.port().unwrap_or(5432);
    Ok(if host.starts_with('/') {
        Box::new(UnixStream::connect(format!("{host}/.s.PGSQL.{port}"))?)
    } else {
        Box::new(TcpStream::connect((host, port))?)
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
                // Postgres answers a commit when it is done.
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

/// Passes the client's messages on, one by one.
fn forward(
    mut client: &TcpStream,
    server: &mut dyn Socket,
    committing: &AtomicBool,
    interruption: &Interruption,
) -> std::io::Result<()> {
    // Messages before and with the startup message have no type.
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

/// A message's length counts its own four bytes.
fn length_of(body: &[u8]) -> [u8; 4] {
    u32::try_from(body.len() + 4).unwrap_or(u32::MAX).to_be_bytes()
}
