//! Cached access tokens that were verified.

use identity::Claims;
use kernel::{SessionId, Timestamp};
use moka::sync::Cache;

use crate::{
    lookups::{CacheUse, Lookups},
    versions::{Version, Versions},
};

/// A cache of verified access tokens. Verifying one costs about 60 µs of CPU time and one query; a cached one costs 400
/// bytes.
#[derive(Debug)]
pub struct TokenCache {
    entries: Cache<Box<str>, (Claims, Version)>,
    versions: Versions,
    lookups: Lookups,
}

impl Default for TokenCache {
    fn default() -> Self {
        Self { entries: Cache::new(Self::MAX_ENTRIES), versions: Versions::default(), lookups: Lookups::default() }
    }
}

impl TokenCache {
    const MAX_ENTRIES: u64 = 100_000;

    /// The claims of a verified token, unless it has expired or its session may have ended since.
    pub fn get(&self, token: &str, now: Timestamp) -> Option<Claims> {
        let is_valid =
            |(claims, version): &(Claims, Version)| *version == self.version(claims.session) && now < claims.expires_at;
        self.lookups.count(self.entries.get(token).filter(is_valid).map(|(claims, _)| claims))
    }

    /// How the cache is used.
    pub fn usage(&self) -> CacheUse {
        self.lookups.of("tokens", self.entries.entry_count())
    }

    /// The version of a session. Take it before the session is read.
    pub fn version(&self, session: SessionId) -> Version {
        self.versions.of(session.get())
    }

    /// Caches a verified token whose session was live at `version`.
    pub fn put(&self, token: &str, claims: Claims, version: Version) {
        self.entries.insert(token.into(), (claims, version));
    }

    /// Invalidates the tokens of a session that has ended.
    pub fn invalidate_session(&self, session: SessionId) {
        self.versions.invalidate(session.get());
    }

    /// Invalidates all tokens: keys have changed, or changes may have been missed.
    pub fn invalidate_all(&self) {
        self.versions.invalidate_all();
    }
}
