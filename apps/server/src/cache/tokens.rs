//! Access tokens that were verified already.

use identity::Claims;
use kernel::{SessionId, Timestamp};
use moka::sync::Cache;

use super::{Epoch, Epochs};

/// Verifying a token costs some 60 µs of CPU and one query; remembering it costs 400 bytes.
#[derive(Debug)]
pub struct Tokens {
    verified: Cache<Box<str>, (Claims, Epoch)>,
    epochs: Epochs,
    enabled: bool,
}

impl Tokens {
    const MOST: u64 = 100_000;

    /// An empty memory; one that stays empty when caching is off.
    pub fn new(enabled: bool) -> Self {
        Self { verified: Cache::new(Self::MOST), epochs: Epochs::default(), enabled }
    }

    /// What a token said when it was verified, unless it has expired or its session may have ended since.
    pub fn get(&self, token: &str, now: Timestamp) -> Option<Claims> {
        let (claims, epoch) = self.verified.get(token)?;
        (epoch == self.epoch(claims.session) && now < claims.expires_at).then_some(claims)
    }

    /// The epoch to take before the session is looked up.
    pub fn epoch(&self, session: SessionId) -> Epoch {
        self.epochs.of(session.get())
    }

    /// Remembers a verified token whose session was live at `epoch`.
    pub fn put(&self, token: &str, claims: Claims, epoch: Epoch) {
        if self.enabled {
            self.verified.insert(token.into(), (claims, epoch));
        }
    }

    /// A session has ended.
    pub fn forget_session(&self, session: SessionId) {
        self.epochs.forget(session.get());
    }

    /// Keys changed, or changes may have been missed.
    pub fn forget_all(&self) {
        self.epochs.forget_all();
    }
}
