//! How often a cache had what was asked for.

use std::sync::atomic::{AtomicU64, Ordering};

/// What a cache was asked for since the process started, and what it holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CacheUse {
    /// The cache's name.
    pub name: &'static str,
    pub hits: u64,
    /// Lookups that found nothing, or only what is no longer valid.
    pub misses: u64,
    /// About how many entries there are.
    pub entries: u64,
}

/// Counts lookups.
#[derive(Debug, Default)]
pub(crate) struct Lookups {
    hits: AtomicU64,
    misses: AtomicU64,
}

impl Lookups {
    /// Counts a lookup by its outcome, which it returns.
    pub(crate) fn count<T>(&self, found: Option<T>) -> Option<T> {
        let counter = if found.is_some() { &self.hits } else { &self.misses };
        counter.fetch_add(1, Ordering::Relaxed);
        found
    }

    pub(crate) fn of(&self, name: &'static str, entries: u64) -> CacheUse {
        CacheUse { name, hits: self.hits.load(Ordering::Relaxed), misses: self.misses.load(Ordering::Relaxed), entries }
    }
}
