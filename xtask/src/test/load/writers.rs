//! Threads that write as fast as the server responds.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use anyhow::{Result, bail};

use super::ledger::{Reader, Shelf, Write, WriteOutcome};
use crate::http::Client;
use crate::instance::PASSWORD;
use crate::signals;

/// After this time the writers are considered hung.
const PATIENCE: Duration = Duration::from_mins(5);
/// The number of summaries that a free member can open.
const ALLOWANCE: usize = 3;

/// A book's id and its number of sections.
pub(in super::super) type Book = (u64, u64);

/// Counts of one phase, from all threads.
#[derive(Debug, Default)]
pub(in super::super) struct Tally {
    positions: AtomicU64,
    completions: AtomicU64,
    library: AtomicU64,
    accounts: AtomicU64,
    later: AtomicU64,
    unanswered: AtomicU64,
    wrong: std::sync::Mutex<Vec<String>>,
}

impl Tally {
    fn acknowledged(&self) -> u64 {
        [&self.positions, &self.completions, &self.library].iter().map(|count| count.load(Ordering::Relaxed)).sum()
    }

    fn count(&self, write: Write, outcome: WriteOutcome) -> Flow {
        let acknowledged = match write {
            Write::Position(_) => &self.positions,
            Write::Completion => &self.completions,
            Write::Keep | Write::Remove => &self.library,
        };
        let (counter, flow) = match outcome {
            WriteOutcome::Acknowledged => (acknowledged, Flow::Continue),
            WriteOutcome::Later => (&self.later, Flow::Continue),
            WriteOutcome::Unanswered => (&self.unanswered, Flow::Stop),
            WriteOutcome::Wrong(reply) => {
                self.is_wrong(format!("{write:?} was answered {}: {}", reply.status, reply.body));
                return Flow::Stop;
            }
        };
        counter.fetch_add(1, Ordering::Relaxed);
        flow
    }

    fn is_wrong(&self, text: String) {
        self.wrong.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push(text);
    }

    /// Unexpected responses.
    pub(in super::super) fn wrong(&self) -> Vec<String> {
        self.wrong.lock().unwrap_or_else(std::sync::PoisonError::into_inner).clone()
    }

    /// Writes that were to come later.
    pub(in super::super) fn later(&self) -> u64 {
        self.later.load(Ordering::Relaxed)
    }

    /// Writes without a response: at most one per thread, which ends with it.
    pub(in super::super) fn unanswered(&self) -> u64 {
        self.unanswered.load(Ordering::Relaxed)
    }

    /// Kinds of writes of which none was acknowledged, so that the phase proves nothing about them.
    pub(in super::super) fn unacknowledged_kinds(&self) -> Vec<String> {
        let kinds =
            [("position", &self.positions), ("completion", &self.completions), ("library change", &self.library)];
        let unacknowledged_kinds = kinds.iter().filter(|(_, count)| count.load(Ordering::Relaxed) == 0);
        unacknowledged_kinds.map(|(kind, _)| format!("no {kind} was acknowledged")).collect()
    }

    /// Unexpected responses, writes without a response, and kinds of writes that a phase without a kill did not prove.
    pub(in super::super) fn problems(&self) -> Vec<String> {
        let mut problems = self.wrong();
        problems.extend(self.unacknowledged_kinds());
        if self.unanswered() > 0 {
            problems.push(format!("{} writes were not answered", self.unanswered()));
        }
        problems
    }

    /// The counts in words.
    pub(in super::super) fn summary(&self) -> String {
        let number = |count: &AtomicU64| count.load(Ordering::Relaxed);
        format!(
            "{} positions, {} completions, {} library changes, {} sign-ups acknowledged; {} asked to come later, {} \
             not answered",
            number(&self.positions),
            number(&self.completions),
            number(&self.library),
            number(&self.accounts),
            number(&self.later),
            number(&self.unanswered)
        )
    }
}

/// Whether a thread continues.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Flow {
    Continue,
    Stop,
}

/// The running threads of one phase.
pub(in super::super) struct Writers {
    shared: Arc<Shared>,
    threads: Vec<JoinHandle<Vec<Reader>>>,
}

#[derive(Debug)]
struct Shared {
    books: Vec<Book>,
    stop: AtomicBool,
    tally: Tally,
}

impl Writers {
    /// Starts one thread per session, and two in which new members sign up, read and complete books. The threads are shared out among
    /// the addresses of the nodes.
    pub(in super::super) fn start(nodes: &[SocketAddr], books: &[Book], readers: Vec<Reader>, phase: &str) -> Self {
        let shared = Arc::new(Shared { books: books.to_vec(), stop: AtomicBool::new(false), tally: Tally::default() });
        let mut threads = Vec::new();
        let mut nodes = nodes.iter().cycle().copied();
        for (mut reader, node) in readers.into_iter().zip(&mut nodes) {
            let shared = Arc::clone(&shared);
            threads.push(thread::spawn(move || {
                read(&shared, &Client::new(node), &mut reader);
                vec![reader]
            }));
        }
        for (group, node) in ["east", "west"].into_iter().zip(nodes) {
            let (shared, names) = (Arc::clone(&shared), format!("{phase}-{group}"));
            threads.push(thread::spawn(move || sign_up_members(&shared, &Client::new(node), &names)));
        }
        Self { shared, threads }
    }

    /// Waits until this many more writes are acknowledged.
    pub(in super::super) fn await_more(&self, number: u64) -> Result<()> {
        let (begin, wanted) = (Instant::now(), self.shared.tally.acknowledged() + number);
        while self.shared.tally.acknowledged() < wanted {
            signals::check()?;
            if begin.elapsed() > PATIENCE || self.threads.iter().all(JoinHandle::is_finished) {
                bail!("the writers came to nothing: {}", self.shared.tally.summary());
            }
            thread::sleep(Duration::from_millis(1));
        }
        Ok(())
    }

    /// Waits for the last responses. Returns what the threads know and their counts.
    pub(in super::super) fn stop(self) -> (Vec<Reader>, Tally) {
        self.shared.stop.store(true, Ordering::Relaxed);
        let readers = self.threads.into_iter().flat_map(|thread| thread.join().unwrap_or_default()).collect();
        // The threads have ended, and their references are dropped.
        let tally = Arc::into_inner(self.shared).map(|shared| shared.tally).unwrap_or_default();
        (readers, tally)
    }
}

/// Turns pages of many books as a member with a plan.
fn read(shared: &Shared, client: &Client, reader: &mut Reader) {
    let mut step = 0;
    while !shared.stop.load(Ordering::Relaxed) {
        for shelf in &mut reader.shelves {
            let write = shelf.next(step);
            if shared.tally.count(write, shelf.send(client, &reader.token, write)) == Flow::Stop {
                return;
            }
        }
        step += 1;
    }
}

/// Creates members, one after the other: each opens the books of their allowance and completes them.
fn sign_up_members(shared: &Shared, client: &Client, names: &str) -> Vec<Reader> {
    let mut readers = Vec::new();
    for number in 0_usize.. {
        if shared.stop.load(Ordering::Relaxed) {
            break;
        }
        let email = format!("{names}-{number}@example.com");
        // An unacknowledged sign-up does not count; the next one has another e-mail address.
        let Ok(token) = client.sign_up(&email, PASSWORD) else {
            if client.get("/healthz", None).is_err() {
                break;
            }
            continue;
        };
        shared.tally.accounts.fetch_add(1, Ordering::Relaxed);
        let mut reader = Reader { email, token, shelves: Vec::new() };
        let flow = first_books(shared, client, &mut reader, number);
        readers.push(reader);
        if flow == Flow::Stop {
            break;
        }
    }
    readers
}

fn first_books(shared: &Shared, client: &Client, reader: &mut Reader, number: usize) -> Flow {
    for (book, sections) in shared.books.iter().cycle().skip(number).take(ALLOWANCE) {
        // Opening a book uses the allowance; only then may its position be saved.
        match client.get(&format!("/api/books/{book}"), Some(&reader.token)) {
            Err(_) => return Flow::Stop,
            Ok(reply) if !reply.is_ok() => return Flow::Continue,
            Ok(_) => {}
        }
        let mut shelf = Shelf::new(*book, *sections);
        let mut flow = Flow::Continue;
        for write in [Write::Position(1 % sections), Write::Keep, Write::Completion] {
            flow = shared.tally.count(write, shelf.send(client, &reader.token, write));
            if flow == Flow::Stop {
                break;
            }
        }
        reader.shelves.push(shelf);
        if flow == Flow::Stop {
            return flow;
        }
    }
    Flow::Continue
}
