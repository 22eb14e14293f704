//! Load whose acknowledged writes are compared with what is stored.
//!
//! Only the writer knows what was acknowledged: no load or chaos tool compares that with what is stored.

mod ledger;
mod writers;

use std::sync::Barrier;
use std::thread;

use anyhow::{Context, Result, bail};

pub(super) use self::ledger::Reader;
use self::ledger::{Missing, Shelf, id_of};
pub(super) use self::writers::{Book, Writers};
use super::checks::Checks;
use crate::http::Client;
use crate::instance::{PAID, PASSWORD};

/// The threads that write as one paid member, each in its own session.
const DEVICES: usize = 2;

/// Runs the work on this many threads, which begin at the same moment. Returns the failures.
pub(super) fn at_once(threads: usize, work: impl Fn(usize) -> Result<()> + Sync) -> Vec<String> {
    let barrier = Barrier::new(threads);
    thread::scope(|scope| {
        let (barrier, work) = (&barrier, &work);
        let start = |number| {
            scope.spawn(move || {
                barrier.wait();
                work(number)
            })
        };
        let all: Vec<_> = (0..threads).map(start).collect();
        let failure = |thread: thread::ScopedJoinHandle<'_, Result<()>>| match thread.join() {
            Ok(Ok(())) => None,
            Ok(Err(error)) => Some(format!("{error:#}")),
            Err(_) => Some("a thread panicked".to_owned()),
        };
        all.into_iter().filter_map(failure).collect()
    })
}

/// The readable books, and the sessions of paid members, each of which uses every second book.
pub(super) fn readers(client: &Client) -> Result<(Vec<Book>, Vec<Reader>)> {
    let mut readers = Vec::new();
    let mut books = Vec::new();
    for email in PAID {
        for device in 0..DEVICES {
            let token = client.log_in(email, PASSWORD).with_context(|| format!("{email} logs in"))?;
            if books.is_empty() {
                books = readable_books(client, &token)?;
            }
            let shelves =
                books.iter().skip(device).step_by(DEVICES).map(|(book, sections)| Shelf::new(*book, *sections));
            readers.push(Reader { email: email.to_owned(), token, shelves: shelves.collect() });
        }
    }
    Ok((books, readers))
}

fn readable_books(client: &Client, token: &str) -> Result<Vec<Book>> {
    let list = client.get("/api/books/list", None)?.result()?;
    let mut books = Vec::new();
    for book in list["books"].as_object().context("a list without books")?.values() {
        if book["comingSoon"] == true {
            continue;
        }
        let id = id_of(book)?;
        let opened = client.get(&format!("/api/books/{id}"), Some(token))?.result()?;
        let sections = opened["book"]["sections"].as_array().context("a book without sections")?.len();
        if sections > 1 {
            books.push((id, u64::try_from(sections)?));
        }
    }
    if books.len() < DEVICES {
        bail!("the demo content has too few books to read: {}", books.len());
    }
    Ok(books)
}

/// Compares everything that a server has acknowledged with its state. Returns the readers for the next phase.
pub(super) fn compare(client: &Client, mut readers: Vec<Reader>, checks: &mut Checks) -> Vec<Reader> {
    let mut lost = Missing::default();
    for reader in &mut readers {
        reader.compare(client, &mut lost);
    }
    checks.check("every acknowledged position is there", &lost.positions);
    checks.check("every acknowledged completion is there, with its XP", &lost.completions);
    checks.check("every acknowledged library change is there", &lost.library);
    checks.check("every acknowledged account is there, and its session", &lost.accounts);
    // Members who signed up have used their allowance; members with a plan continue.
    readers.retain(|reader| PAID.contains(&reader.email.as_str()));
    readers
}
