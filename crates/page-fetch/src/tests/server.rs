//! A small HTTP server on loopback addresses.

use std::io::{BufRead, BufReader, Write};
use std::net::{IpAddr, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;

/// Returns the raw response for a path; when empty, the connection stays open without a response.
pub(super) type Handler = fn(path: &str, port: u16) -> Vec<u8>;

/// A running server; its thread ends with the test process.
pub(super) struct Server {
    pub address: SocketAddr,
    pub connections: Arc<AtomicUsize>,
    pub heads: Arc<Mutex<Vec<String>>>,
}

impl Server {
    /// Listens on a loopback address. Port 0: any free port.
    pub(super) fn start(ip: &str, port: u16, handler: Handler) -> Self {
        let listener = TcpListener::bind(SocketAddr::new(ip.parse::<IpAddr>().unwrap(), port)).unwrap();
        let address = listener.local_addr().unwrap();
        let server = Self { address, connections: Arc::default(), heads: Arc::default() };
        let (connections, heads) = (Arc::clone(&server.connections), Arc::clone(&server.heads));
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                connections.fetch_add(1, Ordering::SeqCst);
                let heads = Arc::clone(&heads);
                thread::spawn(move || answer(stream, handler, address.port(), &heads));
            }
        });
        server
    }

    pub(super) fn connections(&self) -> usize {
        self.connections.load(Ordering::SeqCst)
    }
}

fn answer(mut stream: TcpStream, handler: Handler, port: u16, heads: &Mutex<Vec<String>>) {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let mut head = String::new();
    while reader.read_line(&mut head).is_ok_and(|read| read > 2) {}
    let path = head.split(' ').nth(1).unwrap_or_default().to_owned();
    heads.lock().unwrap().push(head);
    let bytes = handler(&path, port);
    if bytes.is_empty() {
        // Waits until the client gives up.
        let _ = reader.read_line(&mut String::new());
    } else {
        // The client may have closed the connection before the last byte.
        let _ = stream.write_all(&bytes);
    }
}

/// A response with a body.
pub(super) fn page(content_type: &str, body: &[u8]) -> Vec<u8> {
    let head = format!(
        "HTTP/1.1 200 OK\r\ncontent-type: {content_type}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
        body.len()
    );
    [head.as_bytes(), body].concat()
}

pub(super) fn redirect(status: u16, place: &str) -> Vec<u8> {
    format!("HTTP/1.1 {status} Go\r\nlocation: {place}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n").into_bytes()
}
