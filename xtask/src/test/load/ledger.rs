//! Records what the server has acknowledged, book by book, and compares it with what the server has stored.

use std::collections::{HashMap, HashSet};
use std::fmt;

use anyhow::{Context, Result};
use serde_json::{Value, json};
use ureq::http::Method;

use crate::http::{Client, Reply};

/// A value on the server, as far as its responses determine it.
#[derive(Clone, Debug)]
pub(super) struct Expected<T> {
    /// The last acknowledged value.
    sure: T,
    /// Values sent after it without a response: each may be stored or not.
    open: Vec<T>,
}

impl<T: PartialEq + Clone> Expected<T> {
    pub(super) const fn new(sure: T) -> Self {
        Self { sure, open: Vec::new() }
    }

    fn sent(&mut self, value: T) {
        self.open.push(value);
    }

    fn acknowledged(&mut self, value: T) {
        *self = Self::new(value);
    }

    fn admits(&self, found: &T) -> bool {
        self.sure == *found || self.open.contains(found)
    }
}

/// One write to a shelf.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Write {
    Position(u64),
    Completion,
    Keep,
    Remove,
}

/// How the server responded to a write.
#[derive(Debug)]
pub(super) enum WriteOutcome {
    Acknowledged,
    /// `503` with `Retry-After`.
    Later,
    /// No response: the connection broke.
    Unanswered,
    /// An unexpected response.
    Wrong(Reply),
}

/// A member's state of one book, written by one thread only.
#[derive(Clone, Debug)]
pub(super) struct Shelf {
    book: u64,
    sections: u64,
    position: Expected<Option<u64>>,
    completed: Expected<bool>,
    kept: Expected<bool>,
    /// The XP in the response to the completion.
    xp: u64,
}

impl Shelf {
    /// The state of a member who has never opened the book.
    pub(super) const fn new(book: u64, sections: u64) -> Self {
        Self {
            book,
            sections,
            position: Expected::new(None),
            completed: Expected::new(false),
            kept: Expected::new(false),
            xp: 0,
        }
    }

    /// The next write: mostly positions, some library changes, finally a completion; never a write without effect.
    pub(super) fn next(&self, step: u64) -> Write {
        match step % 8 {
            3 | 6 if self.kept.sure => Write::Remove,
            3 | 6 => Write::Keep,
            7 if !self.completed.sure => Write::Completion,
            _ => Write::Position((self.position.sure.unwrap_or(0) + 1) % self.sections),
        }
    }

    /// Sends a write and records the outcome.
    pub(super) fn send(&mut self, client: &Client, token: &str, write: Write) -> WriteOutcome {
        let last = self.sections - 1;
        match write {
            Write::Position(position) => self.position.sent(Some(position)),
            Write::Completion => {
                self.position.sent(Some(last));
                self.completed.sent(true);
            }
            Write::Keep => self.kept.sent(true),
            Write::Remove => self.kept.sent(false),
        }
        let place = |position, completed| json!({ "bookId": self.book, "position": position, "completed": completed });
        let (history, library) = ("/api/user-book-history", "/api/library");
        let answer = match write {
            Write::Position(position) => client.put(history, token, &place(position, false)),
            Write::Completion => client.put(history, token, &place(last, true)),
            Write::Keep => client.send(&Method::POST, library, Some(token), Some(&json!({ "bookId": self.book }))),
            Write::Remove => client.send(&Method::DELETE, &format!("{library}/{}", self.book), Some(token), None),
        };
        let reply = match answer {
            Err(_) => return WriteOutcome::Unanswered,
            Ok(reply) if reply.status == 503 && reply.retry_after.is_some() => return WriteOutcome::Later,
            Ok(reply) if !reply.is_ok() => return WriteOutcome::Wrong(reply),
            Ok(reply) => reply,
        };
        match write {
            Write::Position(position) => self.position.acknowledged(Some(position)),
            Write::Completion => {
                self.position.acknowledged(Some(last));
                self.completed.acknowledged(true);
                self.xp = self.xp.max(reply.body["result"]["progress"]["xp"].as_u64().unwrap_or(0));
            }
            Write::Keep => self.kept.acknowledged(true),
            Write::Remove => self.kept.acknowledged(false),
        }
        WriteOutcome::Acknowledged
    }
}

/// What one thread knows about one member.
#[derive(Clone, Debug)]
pub(in super::super) struct Reader {
    pub(super) email: String,
    pub(in super::super) token: String,
    pub(super) shelves: Vec<Shelf>,
}

/// Acknowledged values that a comparison did not find.
#[derive(Debug, Default)]
pub(super) struct Missing {
    pub(super) positions: Vec<String>,
    pub(super) completions: Vec<String>,
    pub(super) library: Vec<String>,
    pub(super) accounts: Vec<String>,
}

impl Reader {
    /// Forgets the writes without a response: the caller knows that they were not made.
    pub(in super::super) fn discard_unanswered(&mut self) {
        for shelf in &mut self.shelves {
            shelf.position.open.clear();
            shelf.completed.open.clear();
            shelf.kept.open.clear();
        }
    }

    /// Compares with the server's state, which becomes the expected one.
    pub(super) fn compare(&mut self, client: &Client, lost: &mut Missing) {
        let found = match StoredState::read(client, &self.token) {
            Ok(found) => found,
            Err(error) => {
                lost.accounts.push(format!("{}: {error:#}", self.email));
                return;
            }
        };
        for shelf in &mut self.shelves {
            let (position, completed) = found.history.get(&shelf.book).copied().unzip();
            let (completed, kept) = (completed.unwrap_or(false), found.library.contains(&shelf.book));
            let miss = |list: &mut Vec<String>, known: &dyn fmt::Debug, there: &dyn fmt::Debug| {
                list.push(format!("{}, book {}: {known:?}, but {there:?} is there", self.email, shelf.book));
            };
            if !shelf.position.admits(&position) {
                miss(&mut lost.positions, &shelf.position, &position);
            }
            if !shelf.completed.admits(&completed) {
                miss(&mut lost.completions, &shelf.completed, &completed);
            }
            if found.xp < shelf.xp {
                miss(&mut lost.completions, &format!("{} XP", shelf.xp), &found.xp);
            }
            if !shelf.kept.admits(&kept) {
                miss(&mut lost.library, &shelf.kept, &kept);
            }
            shelf.position = Expected::new(position);
            shelf.completed = Expected::new(completed);
            shelf.kept = Expected::new(kept);
        }
    }
}

/// The server's state of one member.
struct StoredState {
    history: HashMap<u64, (u64, bool)>,
    library: HashSet<u64>,
    xp: u64,
}

impl StoredState {
    fn read(client: &Client, token: &str) -> Result<Self> {
        let mut history = HashMap::new();
        each(client, token, "/api/user-book-history", |entry| {
            let position = entry["position"].as_u64().context("an entry without a position")?;
            history.insert(id_of(entry)?, (position, entry["completed"] == true));
            Ok(())
        })?;
        let mut library = HashSet::new();
        each(client, token, "/api/library", |book| {
            // A finished book is listed without having been saved.
            if book["saved"] == true {
                library.insert(id_of(book)?);
            }
            Ok(())
        })?;
        let progress = client.get("/api/user-book-history/xp", Some(token))?.result()?;
        Ok(Self { history, library, xp: progress["xp"].as_u64().context("progress without XP")? })
    }
}

/// Calls `take` with each book of a list, page by page.
fn each(client: &Client, token: &str, list: &str, mut take: impl FnMut(&Value) -> Result<()>) -> Result<()> {
    let mut path = format!("{list}?limit=100");
    loop {
        let page = client.get(&path, Some(token))?.result()?;
        for book in page["books"].as_array().context("a page without books")? {
            take(book)?;
        }
        match page["next"].as_str() {
            Some(next) => path = format!("{list}?limit=100&after={next}"),
            None => return Ok(()),
        }
    }
}

pub(super) fn id_of(book: &Value) -> Result<u64> {
    book["id"].as_u64().context("a book without an id")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_was_acknowledged_or_may_have_come_later_is_admitted() {
        let mut known = Expected::new(1);
        known.sent(2);
        known.sent(3);
        assert!(known.admits(&1) && known.admits(&2) && known.admits(&3) && !known.admits(&0));
        known.acknowledged(4);
        assert!(known.admits(&4) && !known.admits(&3) && !known.admits(&1));
    }

    #[test]
    fn every_write_changes_something() {
        let mut shelf = Shelf::new(7, 3);
        let writes: Vec<Write> = (0..8).map(|step| shelf.next(step)).collect();
        assert_eq!(writes[0], Write::Position(1));
        assert_eq!((writes[3], writes[7]), (Write::Keep, Write::Completion));
        shelf.position.acknowledged(Some(2));
        shelf.kept.acknowledged(true);
        shelf.completed.acknowledged(true);
        assert_eq!(shelf.next(0), Write::Position(0));
        assert_eq!(shelf.next(3), Write::Remove);
        assert_eq!(shelf.next(7), Write::Position(0));
    }

    #[test]
    fn silence_leaves_a_write_open() {
        let unreachable = Client::new(([127, 0, 0, 1], 1).into());
        let mut shelf = Shelf::new(7, 3);
        assert!(matches!(shelf.send(&unreachable, "token", Write::Completion), WriteOutcome::Unanswered));
        assert!(shelf.completed.admits(&true) && shelf.completed.admits(&false));
        assert!(shelf.position.admits(&Some(2)) && !shelf.position.admits(&Some(1)));
        let mut reader = Reader { email: "a@example.com".into(), token: "token".into(), shelves: vec![shelf] };
        reader.discard_unanswered();
        assert!(!reader.shelves[0].completed.admits(&true));
    }
}
