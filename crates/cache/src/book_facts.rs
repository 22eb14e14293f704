//! Cached facts of books: what the rules of reading progress need to know of a book, by the book's reference in the
//! request.

use catalogue::BookRef;
use kernel::BookId;
use moka::sync::Cache;
use reading_progress::BookFacts;

use crate::{
    catalogue::{CatalogueSnapshot, CatalogueStamp, CatalogueVersions, Scope},
    lookups::{CacheUse, Lookups},
};

/// A cache of [`BookFacts`]. They are read whenever a reading position is saved, and change only when editors save.
#[derive(Debug)]
pub struct BookFactsCache {
    entries: Cache<BookRef, (BookFacts, CatalogueStamp)>,
    versions: CatalogueVersions,
    enabled: bool,
    lookups: Lookups,
}

impl BookFactsCache {
    const MAX_ENTRIES: u64 = 100_000;

    /// An empty cache. If `enabled` is false, it stays empty.
    pub fn new(enabled: bool) -> Self {
        let (versions, lookups) = (CatalogueVersions::default(), Lookups::default());
        Self { entries: Cache::new(Self::MAX_ENTRIES), versions, enabled, lookups }
    }

    /// The current versions. Take them before reading what will be cached.
    pub fn snapshot(&self) -> CatalogueSnapshot {
        self.versions.snapshot()
    }

    /// A published book's facts, unless the book has changed since they were read.
    pub fn get(&self, book: &BookRef) -> Option<BookFacts> {
        let current = self.entries.get(book).filter(|(_, stamp)| self.versions.is_current(*stamp));
        self.lookups.count(current.map(|(facts, _)| facts))
    }

    /// How the cache is used.
    pub fn usage(&self) -> CacheUse {
        self.lookups.of("book_facts", self.entries.entry_count())
    }

    /// Caches facts that were read after the snapshot.
    pub fn put(&self, book: BookRef, facts: BookFacts, before: CatalogueSnapshot) {
        if let Some(stamp) = self.versions.stamp(before, Scope::Book(facts.id)).filter(|_| self.enabled) {
            self.entries.insert(book, (facts, stamp));
        }
    }

    /// Invalidates the facts of a book.
    pub fn invalidate_book(&self, book: BookId) {
        self.versions.invalidate_book(book);
    }

    /// Invalidates everything.
    pub fn invalidate_all(&self) {
        self.versions.invalidate_all();
    }
}
