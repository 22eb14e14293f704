//! Cached responses: complete and serialized, by member and key.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use kernel::{BookId, SECOND, Timestamp, UserId};
use moka::{Equivalent, sync::Cache};

use crate::{
    catalogue::{CatalogueSnapshot, CatalogueStamp, CatalogueVersions, Scope},
    encoded::Encoded,
    lookups::{CacheUse, Lookups},
    versions::{Version, Versions},
};

/// A response in the cache.
#[derive(Clone, Debug)]
struct CachedResponse {
    encoded: Arc<Encoded>,
    /// When it expires, such as with the member's plan; `None`: at the maximum age only.
    valid_until: Option<Timestamp>,
    read_at: Timestamp,
    reader: Version,
    catalogue: CatalogueStamp,
}

/// A response that may be cached.
#[derive(Debug)]
pub struct Cacheable {
    pub encoded: Encoded,
    /// When it expires; `None`: at the maximum age only.
    pub valid_until: Option<Timestamp>,
    /// What it depends on, which decides which changes invalidate it.
    pub scope: Scope,
}

/// The member (or [`VISITOR`]) and the key that a response is cached under.
type OwnedKey = (i64, Box<str>);

/// An [`OwnedKey`] with a borrowed text, so that a lookup allocates nothing.
#[derive(Hash)]
struct BorrowedKey<'a>(i64, &'a str);

impl Equivalent<OwnedKey> for BorrowedKey<'_> {
    fn equivalent(&self, (subject, key): &OwnedKey) -> bool {
        self.0 == *subject && self.1 == &**key
    }
}

/// Responses by member (or visitor) and key.
#[derive(Debug)]
pub struct ResponseCache {
    entries: Cache<OwnedKey, CachedResponse>,
    readers: Versions,
    catalogue: CatalogueVersions,
    enabled: bool,
    held: AtomicBool,
    lookups: Lookups,
}

/// The subject of visitors, who have no user id.
const VISITOR: i64 = 0;

/// The versions and the time before the data of a response was read.
#[derive(Clone, Copy, Debug)]
pub struct ReadVersions {
    at: Timestamp,
    reader: Version,
    catalogue: CatalogueSnapshot,
}

impl ResponseCache {
    /// The maximum memory of responses and their keys, in bytes.
    const MOST: u64 = 48 * 1024 * 1024;
    /// The maximum age, in milliseconds: the longest delay of what changes without a notification, such as view counts
    /// and trends.
    const OLDEST: i64 = 30 * SECOND;
    /// How long a response is kept, to be served while the database is unreachable.
    const TIME_TO_LIVE: Duration = Duration::from_mins(5);

    /// An empty cache. If `enabled` is false, it stays empty.
    pub fn new(enabled: bool) -> Self {
        let entries = Cache::builder()
            .max_capacity(Self::MOST)
            .weigher(|(_, key): &OwnedKey, response: &CachedResponse| {
                response.encoded.weight().saturating_add(u32::try_from(key.len()).unwrap_or(u32::MAX))
            })
            .time_to_live(Self::TIME_TO_LIVE)
            .build();
        let (readers, catalogue) = (Versions::default(), CatalogueVersions::default());
        Self { entries, readers, catalogue, enabled, held: AtomicBool::new(false), lookups: Lookups::default() }
    }

    /// The current versions. Take them before reading the data of a response.
    pub fn begin(&self, reader: Option<UserId>, now: Timestamp) -> ReadVersions {
        ReadVersions { at: now, reader: self.readers.of(subject(reader)), catalogue: self.catalogue.snapshot() }
    }

    /// The response under this key for this reader (`None`: a visitor), if it is valid.
    pub fn get(&self, reader: Option<UserId>, key: &str, now: Timestamp) -> Option<Arc<Encoded>> {
        if !self.enabled {
            return None;
        }
        let is_valid = |response: &CachedResponse| {
            response.reader == self.readers.of(subject(reader))
                && self.catalogue.is_current(response.catalogue)
                && (now.since(response.read_at) < Self::OLDEST || self.held.load(Ordering::SeqCst))
                && response.valid_until.is_none_or(|end| now < end)
        };
        let found = self.entries.get(&BorrowedKey(subject(reader), key)).filter(is_valid);
        self.lookups.count(found.map(|response| response.encoded))
    }

    /// How the cache is used.
    pub fn usage(&self) -> CacheUse {
        self.lookups.of("responses", self.entries.entry_count())
    }

    /// Caches a response, unless it has expired already or a book changed while it was read. Returns its body in any
    /// case.
    pub fn put(&self, reader: Option<UserId>, key: &str, begun: ReadVersions, response: Cacheable) -> Arc<Encoded> {
        let Cacheable { encoded, valid_until, scope } = response;
        let encoded = Arc::new(encoded);
        let stamp = self.catalogue.stamp(begun.catalogue, scope);
        let is_valid = valid_until.is_none_or(|end| begun.at < end);
        if let Some(catalogue) = stamp.filter(|_| self.enabled && is_valid) {
            let ReadVersions { at: read_at, reader: version, .. } = begun;
            let response =
                CachedResponse { encoded: Arc::clone(&encoded), valid_until, read_at, reader: version, catalogue };
            self.entries.insert((subject(reader), key.into()), response);
        }
        encoded
    }

    /// The cached response, or else the result of `make`, which is then cached.
    pub async fn get_or_make<E>(
        &self,
        reader: Option<UserId>,
        key: &str,
        now: Timestamp,
        make: impl AsyncFnOnce() -> Result<Cacheable, E>,
    ) -> Result<Arc<Encoded>, E> {
        if let Some(response) = self.get(reader, key, now) {
            return Ok(response);
        }
        let begun = self.begin(reader, now);
        let response = make().await?;
        Ok(self.put(reader, key, begun, response))
    }

    /// The number of cached responses, and the memory of responses and keys, in bytes.
    pub fn size(&self) -> (u64, u64) {
        self.entries.run_pending_tasks();
        (self.entries.entry_count(), self.entries.weighted_size())
    }

    /// Invalidates the responses of one member.
    pub fn invalidate_reader(&self, reader: UserId) {
        self.readers.invalidate(reader.get());
    }

    /// Invalidates the responses of a book, and all lists, because any of them may contain it.
    pub fn invalidate_book(&self, book: BookId) {
        self.catalogue.invalidate_book(book);
    }

    /// Invalidates all responses that depend on the catalogue.
    pub fn invalidate_catalogue(&self) {
        self.catalogue.invalidate_all();
    }

    /// Serves cached responses whatever their age until [`ResponseCache::invalidate_all`], because the database is
    /// unreachable.
    pub fn hold(&self) {
        self.held.store(true, Ordering::SeqCst);
    }

    /// Invalidates everything, because changes may have been missed. Ends [`ResponseCache::hold`].
    pub fn invalidate_all(&self) {
        self.held.store(false, Ordering::SeqCst);
        self.readers.invalidate_all();
        self.catalogue.invalidate_all();
    }
}

fn subject(reader: Option<UserId>) -> i64 {
    reader.map_or(VISITOR, UserId::get)
}

#[cfg(test)]
mod tests {
    use kernel::{BookId, Timestamp, UserId};

    use super::*;

    const NOW: Timestamp = Timestamp::from_millis(1_000);
    const ADA: UserId = UserId::from_store(1);
    const GRACE: UserId = UserId::from_store(2);

    fn put(responses: &ResponseCache, reader: Option<UserId>, key: &str, scope: Scope, valid_until: Option<Timestamp>) {
        put_begun(responses, reader, key, responses.begin(reader, NOW), scope, valid_until);
    }

    fn put_begun(
        responses: &ResponseCache,
        reader: Option<UserId>,
        key: &str,
        begun: ReadVersions,
        scope: Scope,
        valid_until: Option<Timestamp>,
    ) {
        let encoded = Encoded::personal(b"{}".to_vec(), "application/json");
        responses.put(reader, key, begun, Cacheable { encoded, valid_until, scope });
    }

    #[test]
    fn a_change_of_one_reader_leaves_the_other_readers_responses() {
        let responses = ResponseCache::new(true);
        for reader in [ADA, GRACE] {
            put(&responses, Some(reader), "q", Scope::Lists, None);
        }
        responses.invalidate_reader(ADA);
        assert!(responses.get(Some(ADA), "q", NOW).is_none());
        assert!(responses.get(Some(GRACE), "q", NOW).is_some());
        responses.invalidate_catalogue();
        assert!(responses.get(Some(GRACE), "q", NOW).is_none());
    }

    #[test]
    fn a_saved_book_drops_its_own_responses_and_lists_and_leaves_those_of_other_books() {
        let responses = ResponseCache::new(true);
        let (a, b) = (BookId::from_store(1), BookId::from_store(2));
        for reader in [None, Some(ADA)] {
            put(&responses, reader, "book a", Scope::Book(a), None);
            put(&responses, reader, "book b", Scope::Book(b), None);
            put(&responses, reader, "list", Scope::Lists, None);
        }
        responses.invalidate_book(a);
        for reader in [None, Some(ADA)] {
            assert!(responses.get(reader, "book a", NOW).is_none());
            assert!(responses.get(reader, "list", NOW).is_none());
            assert!(responses.get(reader, "book b", NOW).is_some());
        }
        responses.invalidate_catalogue();
        assert!(responses.get(None, "book b", NOW).is_none());
    }

    #[test]
    fn a_response_read_before_a_change_is_not_served_after_it() {
        let responses = ResponseCache::new(true);
        let begun = responses.begin(Some(ADA), NOW);
        responses.invalidate_reader(ADA);
        put_begun(&responses, Some(ADA), "q", begun, Scope::Lists, None);
        assert!(responses.get(Some(ADA), "q", NOW).is_none());

        let book = BookId::from_store(1);
        let begun = responses.begin(None, NOW);
        responses.invalidate_book(book);
        put_begun(&responses, None, "book", begun, Scope::Book(book), None);
        put_begun(&responses, None, "list", begun, Scope::Lists, None);
        assert!(responses.get(None, "book", NOW).is_none() && responses.get(None, "list", NOW).is_none());
    }

    #[test]
    fn keys_count_towards_the_most_memory() {
        let responses = ResponseCache::new(true);
        let long = "x".repeat(60_000);
        for number in 0..2_000 {
            put(&responses, None, &format!("{number} {long}"), Scope::Lists, None);
        }
        let (entries, weight) = responses.size();
        assert!(weight <= ResponseCache::MOST, "{weight} bytes");
        assert!(entries <= ResponseCache::MOST / 60_000, "{entries} entries");
    }

    #[test]
    fn a_response_expires_with_the_plan_that_it_depends_on() {
        let responses = ResponseCache::new(true);
        put(&responses, Some(ADA), "q", Scope::Lists, Some(NOW.plus(10)));
        assert!(responses.get(Some(ADA), "q", NOW).is_some());
        assert!(responses.get(Some(ADA), "q", NOW.plus(10)).is_none());
    }

    #[test]
    fn a_response_that_expires_at_once_takes_no_memory() {
        let responses = ResponseCache::new(true);
        put(&responses, None, "q", Scope::Lists, Some(NOW));
        put(&responses, None, "r", Scope::Lists, Some(NOW.plus(1)));
        responses.entries.run_pending_tasks();
        assert_eq!(responses.entries.entry_count(), 1);
    }

    #[test]
    fn a_response_expires_after_30_seconds_unless_the_database_is_down() {
        let responses = ResponseCache::new(true);
        put(&responses, None, "q", Scope::Lists, None);
        let (young, old) = (NOW.plus(29_999), NOW.plus(30_000));
        assert!(responses.get(None, "q", young).is_some() && responses.get(None, "q", old).is_none());
        responses.hold();
        assert!(responses.get(None, "q", old).is_some());
        responses.invalidate_all();
        put(&responses, None, "q", Scope::Lists, None);
        assert!(responses.get(None, "q", old).is_none(), "the database is back");
    }
}
