//! Version counters of the catalogue, for targeted cache invalidation: a saved book invalidates the entries of that
//! book and of the lists that may name it, and leaves those of other books.

use std::sync::atomic::{AtomicU64, Ordering};

use kernel::BookId;

use crate::versions::{Version, Versions};

/// Which books a cached entry depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// One book, and nothing else of the catalogue.
    Book(BookId),
    /// Any books: lists, the front page, search results.
    Lists,
}

/// One version for each book, one for all lists, and one for everything.
#[derive(Debug, Default)]
pub struct CatalogueVersions {
    /// Incremented by every change of any book.
    lists: AtomicU64,
    books: Versions,
}

/// The versions before an entry was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CatalogueSnapshot {
    lists: u64,
    all: Version,
}

/// The versions under which an entry is valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CatalogueStamp {
    /// Valid while this book has this version.
    Book(BookId, Version),
    /// Valid until any book changes.
    Lists(CatalogueSnapshot),
}

impl CatalogueVersions {
    /// The current versions. Take them before reading what will be cached.
    pub fn snapshot(&self) -> CatalogueSnapshot {
        CatalogueSnapshot { lists: self.lists.load(Ordering::SeqCst), all: self.books.of(0) }
    }

    /// The stamp of an entry that was read after the snapshot. `None` if a book changed meanwhile: the entry must not
    /// be cached, because it was not known at the snapshot which book the entry would depend on.
    pub fn stamp(&self, before: CatalogueSnapshot, scope: Scope) -> Option<CatalogueStamp> {
        match scope {
            Scope::Lists => Some(CatalogueStamp::Lists(before)),
            Scope::Book(book) => {
                // The book's version is loaded before the comparison, and a change increments the lists' version first.
                // So a change that the comparison misses increments the book's version after it was loaded.
                let version = self.books.of(book.get());
                (self.snapshot() == before).then_some(CatalogueStamp::Book(book, version))
            }
        }
    }

    /// Whether nothing that the entry depends on has changed.
    pub fn is_current(&self, stamp: CatalogueStamp) -> bool {
        match stamp {
            CatalogueStamp::Book(book, version) => self.books.of(book.get()) == version,
            CatalogueStamp::Lists(snapshot) => self.snapshot() == snapshot,
        }
    }

    /// Invalidates the entries of a book and of all lists.
    pub fn invalidate_book(&self, book: BookId) {
        self.lists.fetch_add(1, Ordering::SeqCst);
        self.books.invalidate(book.get());
    }

    /// Invalidates everything.
    pub fn invalidate_all(&self) {
        self.books.invalidate_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: BookId = BookId::from_store(1);
    const B: BookId = BookId::from_store(2);

    #[test]
    fn a_changed_book_invalidates_its_entries_and_lists_and_leaves_other_books() {
        let versions = CatalogueVersions::default();
        let stamp = |scope| versions.stamp(versions.snapshot(), scope).unwrap();
        let (a, b, lists) = (stamp(Scope::Book(A)), stamp(Scope::Book(B)), stamp(Scope::Lists));
        versions.invalidate_book(A);
        assert!(!versions.is_current(a) && !versions.is_current(lists));
        assert!(versions.is_current(b));
        versions.invalidate_all();
        assert!(!versions.is_current(b));
    }

    #[test]
    fn what_was_read_while_a_book_changed_is_not_cached_as_a_book_and_is_outdated_as_a_list() {
        let versions = CatalogueVersions::default();
        let before = versions.snapshot();
        versions.invalidate_book(A);
        assert_eq!(versions.stamp(before, Scope::Book(A)), None);
        assert_eq!(versions.stamp(before, Scope::Book(B)), None);
        assert!(!versions.is_current(versions.stamp(before, Scope::Lists).unwrap()));
    }
}
