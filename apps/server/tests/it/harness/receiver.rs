//! A receiver of webhooks and push messages on this machine.

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::{SocketAddr, TcpListener, TcpStream},
    sync::{
        Arc, Mutex,
        atomic::{AtomicU16, Ordering},
    },
    thread,
};

/// A request that arrived.
#[derive(Clone, Debug)]
pub struct ReceivedRequest {
    pub path: String,
    headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

impl ReceivedRequest {
    /// The value of a header, by its name in lower case.
    #[track_caller]
    pub fn header(&self, name: &str) -> &str {
        let found = self.headers.iter().find(|(header, _)| header == name);
        found.map_or_else(|| panic!("no {name} in {:?}", self.headers), |(_, value)| value.as_str())
    }
}

/// The receiver; its thread ends with the test process.
pub struct Receiver {
    address: SocketAddr,
    status: Arc<AtomicU16>,
    posted: Arc<Mutex<Vec<ReceivedRequest>>>,
}

impl Receiver {
    /// Listens on a free port and answers with this status.
    pub fn start(status: u16) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let receiver = Self {
            address: listener.local_addr().expect("an address"),
            status: Arc::new(AtomicU16::new(status)),
            posted: Arc::default(),
        };
        let (status, posted) = (Arc::clone(&receiver.status), Arc::clone(&receiver.posted));
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                take(stream, &status, &posted);
            }
        });
        receiver
    }

    /// Answers with another status from now on.
    pub fn answer(&self, status: u16) {
        self.status.store(status, Ordering::SeqCst);
    }

    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// What arrived since the last call.
    pub fn posted(&self) -> Vec<ReceivedRequest> {
        std::mem::take(&mut *self.posted.lock().expect("no panic"))
    }
}

/// Takes one request of a connection, and answers after it was recorded.
fn take(mut stream: TcpStream, status: &AtomicU16, posted: &Mutex<Vec<ReceivedRequest>>) {
    let mut reader = BufReader::new(stream.try_clone().expect("a socket can be shared"));
    let mut line = String::new();
    if reader.read_line(&mut line).unwrap_or(0) == 0 {
        return;
    }
    let path = line.split(' ').nth(1).unwrap_or_default().to_owned();
    let mut headers = Vec::new();
    loop {
        line.clear();
        reader.read_line(&mut line).expect("a header");
        let Some((name, value)) = line.trim_end().split_once(':') else { break };
        headers.push((name.to_lowercase(), value.trim().to_owned()));
    }
    let length = headers.iter().find(|(name, _)| name == "content-length");
    let length = length.and_then(|(_, value)| value.parse::<usize>().ok()).unwrap_or(0);
    let mut body = vec![0; length];
    reader.read_exact(&mut body).expect("the body");
    posted.lock().expect("no panic").push(ReceivedRequest { path, headers, body });
    let head =
        format!("HTTP/1.1 {} X\r\ncontent-length: 0\r\nconnection: close\r\n\r\n", status.load(Ordering::SeqCst));
    let _ = stream.write_all(head.as_bytes());
}
