//! Shared by the doubles of payment providers: HTTP over loopback, and faults.

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::{Shutdown, TcpListener, TcpStream},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use serde_json::Value;
use url::form_urlencoded;

use crate::Interruption;

/// A fault between a client and the double, for as long as it is set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProviderFault {
    /// No response until the client gives up; the double did not act.
    SilentBefore,
    /// No response until the client gives up; the double acted.
    SilentAfter,
    /// 500; the double did not act.
    ErrorBefore,
    /// 500; the double acted. A repeated idempotency key repeats the 500 where the provider documents that.
    ErrorAfter,
    /// 503; the double did not act.
    Unavailable,
    /// 429; the double did not act.
    RateLimited,
    /// A response that is not JSON; the double acted.
    Malformed,
    /// The connection is closed within the response; the double acted.
    BrokenOff,
    /// The connection is closed before the double acted.
    BrokenOffBefore,
}

/// A received request.
#[derive(Clone, Debug)]
pub(crate) struct Request {
    pub(crate) method: String,
    /// Without the query.
    pub(crate) path: String,
    pub(crate) query: Vec<(String, String)>,
    /// Names are lower case.
    headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl Request {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    pub(crate) fn form(&self) -> Vec<(String, String)> {
        form_urlencoded::parse(&self.body).into_owned().collect()
    }
}

/// Status and body.
pub(crate) type Response = (u16, Value);

/// A provider's API.
pub(crate) trait Provider: Send + 'static {
    /// Handles a request. `fails_after`: it acts and then responds with 500.
    fn respond(&mut self, request: &Request, fails_after: bool) -> Response;

    /// The body of an error with that status.
    fn error(status: u16) -> Value;
}

struct Shared<P> {
    provider: P,
    fault: Option<(ProviderFault, String)>,
    requests: Vec<String>,
    interruption: Interruption,
}

/// A double that listens on a free port for as long as the process runs.
pub(crate) struct ProviderServer<P> {
    pub(crate) url: String,
    shared: Arc<Mutex<Shared<P>>>,
}

impl<P: Provider> ProviderServer<P> {
    pub(crate) fn start(make: impl FnOnce(&str) -> P) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let url = format!("http://{}/", listener.local_addr().expect("a listening socket has an address"));
        let shared = Arc::new(Mutex::new(Shared {
            provider: make(&url),
            fault: None,
            requests: Vec::new(),
            interruption: Interruption::default(),
        }));
        let own = Arc::clone(&shared);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let own = Arc::clone(&own);
                // A client that closes the connection is not an error of the double.
                std::thread::spawn(move || answer(stream, &own).ok());
            }
        });
        Self { url, shared }
    }

    pub(crate) fn with<T>(&self, run: impl FnOnce(&mut P) -> T) -> T {
        run(&mut lock(&self.shared).provider)
    }

    /// Makes requests whose method and path begin with `requests` fail from now on: `POST /v1/payment_intents`.
    pub(crate) fn fail(&self, fault: ProviderFault, requests: &str) {
        lock(&self.shared).fault = Some((fault, requests.to_owned()));
    }

    pub(crate) fn heal(&self) {
        lock(&self.shared).fault = None;
    }

    /// From now on each request has an interruption point before the double acts and one after.
    pub(crate) fn interrupt(&self, interruption: &Interruption) {
        lock(&self.shared).interruption = interruption.clone();
    }

    /// Methods and paths of all requests, in order.
    pub(crate) fn requests(&self) -> Vec<String> {
        lock(&self.shared).requests.clone()
    }
}

fn lock<P>(shared: &Mutex<Shared<P>>) -> MutexGuard<'_, Shared<P>> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

pub(crate) fn read_request(stream: &TcpStream) -> std::io::Result<Request> {
    let mut reader = BufReader::new(stream.try_clone()?);
    let mut line = String::new();
    reader.read_line(&mut line)?;
    let mut words = line.split(' ');
    let (method, target) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let mut request = Request {
        method: method.to_owned(),
        path: path.to_owned(),
        query: form_urlencoded::parse(query.as_bytes()).into_owned().collect(),
        headers: Vec::new(),
        body: Vec::new(),
    };
    loop {
        let mut header = String::new();
        reader.read_line(&mut header)?;
        let Some((name, value)) = header.trim_end().split_once(':') else { break };
        request.headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
    }
    let length = request.header("content-length").and_then(|length| length.parse().ok()).unwrap_or(0);
    request.body = vec![0; length];
    reader.read_exact(&mut request.body)?;
    Ok(request)
}

fn answer<P: Provider>(mut stream: TcpStream, shared: &Mutex<Shared<P>>) -> std::io::Result<()> {
    let request = read_request(&stream)?;
    let mut guard = lock(shared);
    let named = format!("{} {}", request.method, request.path);
    let fault = guard.fault.as_ref().filter(|(_, requests)| named.starts_with(requests)).map(|(fault, _)| *fault);
    if guard.interruption.pass(|| format!("before {named}")) {
        return Ok(());
    }
    guard.requests.push(named.clone());
    let acts = matches!(
        fault,
        None | Some(
            ProviderFault::SilentAfter
                | ProviderFault::ErrorAfter
                | ProviderFault::Malformed
                | ProviderFault::BrokenOff
        )
    );
    let (status, body) = if acts {
        guard.provider.respond(&request, fault == Some(ProviderFault::ErrorAfter))
    } else {
        let status = match fault {
            Some(ProviderFault::RateLimited) => 429,
            Some(ProviderFault::Unavailable) => 503,
            _ => 500,
        };
        (status, P::error(status))
    };
    if guard.interruption.pass(|| format!("after {named}")) {
        return Ok(());
    }
    drop(guard);
    let text = if fault == Some(ProviderFault::Malformed) { "<html>".to_owned() } else { body.to_string() };
    match fault {
        Some(ProviderFault::SilentBefore | ProviderFault::SilentAfter) => {
            // Ends when the client closes the connection.
            stream.read_to_end(&mut Vec::new())?;
            return Ok(());
        }
        Some(ProviderFault::BrokenOffBefore) => return stream.shutdown(Shutdown::Both),
        _ => {}
    }
    let head = format!(
        "HTTP/1.1 {status} X\r\nContent-Type: application/json\r\nRetry-After: 2\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        text.len()
    );
    stream.write_all(head.as_bytes())?;
    let sent = if fault == Some(ProviderFault::BrokenOff) { text.len() / 2 } else { text.len() };
    stream.write_all(&text.as_bytes()[..sent])?;
    stream.shutdown(Shutdown::Both)
}
