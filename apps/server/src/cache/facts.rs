//! What the rules of reading need to know of a book, by the names by which it is asked for.

use catalogue::BookRef;
use moka::sync::Cache;
use reading_progress::BookFacts;

use super::{Epoch, Epochs};

/// Asked for at every turn of a page, and changed by editors only.
#[derive(Debug)]
pub struct Facts {
    known: Cache<BookRef, (BookFacts, Epoch)>,
    epochs: Epochs,
    enabled: bool,
}

impl Facts {
    const MOST: u64 = 100_000;

    /// An empty memory; one that stays empty when caching is off.
    pub fn new(enabled: bool) -> Self {
        Self { known: Cache::new(Self::MOST), epochs: Epochs::default(), enabled }
    }

    /// Take this before reading what will be remembered.
    pub fn epoch(&self) -> Epoch {
        self.epochs.of(0)
    }

    /// A published book's facts, unless something in the catalogue has changed since they were read.
    pub fn get(&self, book: &BookRef) -> Option<BookFacts> {
        let (facts, epoch) = self.known.get(book)?;
        (epoch == self.epoch()).then_some(facts)
    }

    /// Remembers facts that were read after `epoch` was taken.
    pub fn put(&self, book: BookRef, facts: BookFacts, epoch: Epoch) {
        if self.enabled {
            self.known.insert(book, (facts, epoch));
        }
    }

    /// A book changed, or changes may have been missed.
    pub fn forget_all(&self) {
        self.epochs.forget_all();
    }
}
