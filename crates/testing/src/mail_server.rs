//! A mail server that a test controls: it accepts mails, rejects them, closes the connection, or delays its responses.

use std::{
    collections::VecDeque,
    io::{BufRead, BufReader, Write},
    net::{Shutdown, SocketAddr, TcpListener, TcpStream},
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    thread,
    time::Duration,
};

/// Timeout of waits, longer than anything that does arrive takes.
const PATIENCE: Duration = Duration::from_mins(1);

/// The SMTP command at which something happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// `EHLO` or `HELO`.
    Hello,
    /// `MAIL FROM`.
    Sender,
    /// `RCPT TO`.
    Recipient,
    /// `DATA`.
    Data,
    /// The end of the mail. Whatever happens now, the server has the mail.
    End,
}

/// How the server handles the next mail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Manner {
    Take,
    /// Sends this response at this step: `"550 5.1.1 <ada@example.com> is unknown"`.
    Answer(Step, &'static str),
    /// Closes the connection at this step.
    BreakOff(Step),
    /// Sends no response at this step until [`MailServer::release`].
    Hold(Step),
}

/// A received mail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReceivedMail {
    /// The envelope's sender.
    pub from: String,
    /// The envelope's recipients.
    pub to: Vec<String>,
    /// Headers and body.
    pub text: String,
}

impl ReceivedMail {
    /// The first line of a header's value.
    pub fn header(&self, name: &str) -> Option<&str> {
        let head = self.text.split("\r\n\r\n").next()?;
        head.lines().find_map(|line| line.split_once(": ").filter(|(found, _)| *found == name).map(|(_, value)| value))
    }
}

#[derive(Debug, Default)]
struct State {
    manners: VecDeque<Manner>,
    arrived: Vec<ReceivedMail>,
    connections: usize,
    held: usize,
    released: bool,
}

/// A mail server on a port of its own. It runs until the test process ends.
#[derive(Debug)]
pub struct MailServer {
    address: SocketAddr,
    shared: Arc<Shared>,
}

#[derive(Debug, Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn change<T>(&self, change: impl FnOnce(&mut State) -> T) -> T {
        let value = change(&mut self.lock());
        self.changed.notify_all();
        value
    }

    fn wait(&self, until: impl Fn(&State) -> bool) -> bool {
        let state = self.lock();
        let waited = self.changed.wait_timeout_while(state, PATIENCE, |state| !until(state));
        !waited.unwrap_or_else(PoisonError::into_inner).1.timed_out()
    }
}

impl MailServer {
    /// Starts a server that accepts every mail.
    ///
    /// # Panics
    /// When no port is free.
    pub fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = listener.local_addr().expect("a listening socket has an address");
        let shared = Arc::new(Shared::default());
        let all = Arc::clone(&shared);
        // The thread ends with the test process.
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let one = Arc::clone(&all);
                one.change(|state| state.connections += 1);
                thread::spawn(move || {
                    // Some tests close the connection on purpose.
                    let _ = serve(&one, &stream);
                    let _ = stream.shutdown(Shutdown::Both);
                });
            }
        });
        Self { address, shared }
    }

    /// The host and port for an `smtp://` URL.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Sets how the next mails are handled, one after the other; later ones are accepted.
    pub fn treat(&self, manners: impl IntoIterator<Item = Manner>) {
        self.shared.change(|state| {
            state.manners = manners.into_iter().collect();
            state.released = false;
        });
    }

    /// Sends the delayed responses, and stops delaying.
    pub fn release(&self) {
        self.shared.change(|state| state.released = true);
    }

    /// The mails received so far.
    pub fn arrived(&self) -> Vec<ReceivedMail> {
        self.shared.lock().arrived.clone()
    }

    /// The number of connections so far.
    pub fn connections(&self) -> usize {
        self.shared.lock().connections
    }

    /// Waits until this many mails have arrived.
    ///
    /// # Panics
    /// After a minute.
    pub fn await_arrivals(&self, count: usize) {
        assert!(self.shared.wait(|state| state.arrived.len() >= count), "{count} mails arrive");
    }

    /// Waits until this many responses, since the start, have been delayed.
    ///
    /// # Panics
    /// After a minute.
    pub fn await_held(&self, count: usize) {
        assert!(self.shared.wait(|state| state.held >= count), "{count} answers are held back");
    }
}

/// Whether the connection continues.
enum Next {
    Go,
    Said,
    Over,
}

fn serve(shared: &Shared, stream: &TcpStream) -> std::io::Result<()> {
    let mut lines = BufReader::new(stream.try_clone()?);
    let mut client = stream;
    client.write_all(b"220 mail.example ESMTP\r\n")?;
    let mut manner = Manner::Take;
    let mut mail = ReceivedMail { from: String::new(), to: Vec::new(), text: String::new() };
    let mut line = String::new();
    loop {
        line.clear();
        if lines.read_line(&mut line)? == 0 {
            return Ok(());
        }
        let word: String = line.chars().take_while(char::is_ascii_alphabetic).collect::<String>().to_uppercase();
        let (step, answer) = match word.as_str() {
            "EHLO" | "HELO" => {
                // A connection gets a manner at its greeting, and another one for each further mail.
                manner = next_manner(shared);
                (Some(Step::Hello), "250-mail.example\r\n250-8BITMIME\r\n250 ENHANCEDSTATUSCODES")
            }
            "MAIL" => {
                if !mail.from.is_empty() {
                    manner = next_manner(shared);
                }
                mail = ReceivedMail { from: address_in(&line), to: Vec::new(), text: String::new() };
                (Some(Step::Sender), "250 2.1.0 fine")
            }
            "RCPT" => {
                mail.to.push(address_in(&line));
                (Some(Step::Recipient), "250 2.1.5 fine")
            }
            "DATA" => (Some(Step::Data), "354 go on"),
            "NOOP" | "RSET" => (None, "250 2.0.0 fine"),
            "QUIT" => {
                client.write_all(b"221 2.0.0 goodbye\r\n")?;
                return Ok(());
            }
            _ => (None, "502 5.5.1 what is that"),
        };
        match act(shared, &manner, step, client)? {
            Next::Go => client.write_all(format!("{answer}\r\n").as_bytes())?,
            Next::Said => continue,
            Next::Over => return Ok(()),
        }
        if step == Some(Step::Data) {
            mail.text = read_mail(&mut lines)?;
            shared.change(|state| state.arrived.push(mail.clone()));
            match act(shared, &manner, Some(Step::End), client)? {
                Next::Go => client.write_all(b"250 2.0.0 taken\r\n")?,
                Next::Said => {}
                Next::Over => return Ok(()),
            }
        }
    }
}

fn next_manner(shared: &Shared) -> Manner {
    shared.change(|state| state.manners.pop_front()).unwrap_or(Manner::Take)
}

fn act(shared: &Shared, manner: &Manner, step: Option<Step>, mut client: &TcpStream) -> std::io::Result<Next> {
    match manner {
        Manner::Answer(at, answer) if Some(*at) == step => {
            client.write_all(format!("{answer}\r\n").as_bytes())?;
            Ok(Next::Said)
        }
        Manner::BreakOff(at) if Some(*at) == step => Ok(Next::Over),
        Manner::Hold(at) if Some(*at) == step => {
            shared.change(|state| state.held += 1);
            shared.wait(|state| state.released);
            Ok(Next::Go)
        }
        _ => Ok(Next::Go),
    }
}

/// The text between `<` and `>`.
fn address_in(line: &str) -> String {
    line.split_once('<').and_then(|(_, rest)| rest.split_once('>')).map_or("", |(address, _)| address).to_owned()
}

fn read_mail(lines: &mut impl BufRead) -> std::io::Result<String> {
    let mut mail = String::new();
    loop {
        let mut line = String::new();
        if lines.read_line(&mut line)? == 0 {
            return Err(std::io::ErrorKind::UnexpectedEof.into());
        }
        if line == ".\r\n" {
            return Ok(mail);
        }
        mail.push_str(line.strip_prefix('.').unwrap_or(&line));
    }
}
