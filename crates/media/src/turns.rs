//! Scheduling of drawings: a concurrency limit, a lock per drawing, and a record of recent failures.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError, Weak},
};

use kernel::{HOUR, Timestamp};
use tokio::sync::{Mutex as AsyncMutex, OwnedMutexGuard, Semaphore, SemaphorePermit};

/// The concurrency limit: more than cores, so that a slow drawing delays no other.
const AT_ONCE: usize = 4;
/// The maximum number of remembered failures.
const REMEMBERED: usize = 10_000;
/// How long a failed drawing is not retried, in milliseconds.
const FAILED_FOR: i64 = 6 * HOUR;

/// The locks and recent failures of this node's drawings.
pub(crate) struct Turns {
    free: Semaphore,
    drawn: Mutex<HashMap<String, Weak<AsyncMutex<()>>>>,
    failed: Mutex<HashMap<String, Timestamp>>,
}

impl Default for Turns {
    fn default() -> Self {
        Self { free: Semaphore::new(AT_ONCE), drawn: Mutex::default(), failed: Mutex::default() }
    }
}

impl Turns {
    /// Locks a drawing. Its holder must check again whether the drawing was made, or failed, while it waited.
    pub(crate) async fn lock(&self, key: &str) -> OwnedMutexGuard<()> {
        let lock = {
            let mut drawn = self.drawn.lock().unwrap_or_else(PoisonError::into_inner);
            drawn.retain(|_, lock| lock.strong_count() > 0);
            let lock = drawn.get(key).and_then(Weak::upgrade).unwrap_or_default();
            drawn.insert(key.to_owned(), Arc::downgrade(&lock));
            lock
        };
        lock.lock_owned().await
    }

    /// Waits for a free slot below the concurrency limit. Don't wait for a lock or a slot while holding one: that can
    /// deadlock.
    pub(crate) async fn start(&self) -> Option<SemaphorePermit<'_>> {
        // `None` can't happen: the semaphore is never closed.
        self.free.acquire().await.ok()
    }

    /// Whether a drawing failed within [`FAILED_FOR`].
    pub(crate) fn has_failed(&self, drawing: &str, now: Timestamp) -> bool {
        let failed = self.failed.lock().unwrap_or_else(PoisonError::into_inner);
        failed.get(drawing).is_some_and(|at| now.since(*at) < FAILED_FOR)
    }

    pub(crate) fn remember_failure(&self, drawing: &str, now: Timestamp) {
        let mut failed = self.failed.lock().unwrap_or_else(PoisonError::into_inner);
        if failed.len() >= REMEMBERED {
            failed.retain(|_, at| now.since(*at) < FAILED_FOR);
        }
        if failed.len() < REMEMBERED {
            failed.insert(drawing.to_owned(), now);
        }
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::{AT_ONCE, FAILED_FOR, Turns};
    use kernel::Timestamp;

    #[test]
    fn one_picture_is_drawn_once_at_a_time_and_others_beside_it() {
        let turns = Turns::default();
        let first = turns.lock("covers/a.svg").now_or_never().expect("nobody draws it");
        assert!(turns.lock("covers/a.svg").now_or_never().is_none());
        assert!(turns.lock("covers/b.svg").now_or_never().is_some());
        drop(first);
        assert!(turns.lock("covers/a.svg").now_or_never().is_some());
        let slow: Vec<_> = (1..AT_ONCE).map(|_| turns.start().now_or_never().expect("there is room")).collect();
        assert!(turns.start().now_or_never().is_some(), "{} slow drawings leave room for another", slow.len());
    }

    #[test]
    fn a_failure_is_remembered_for_hours() {
        let (turns, now) = (Turns::default(), Timestamp::from_millis(1_781_524_800_000));
        assert!(!turns.has_failed("covers/a.svg", now));
        turns.remember_failure("covers/a.svg", now);
        assert!(turns.has_failed("covers/a.svg", now.plus(FAILED_FOR - 1)));
        assert!(!turns.has_failed("covers/a.svg", now.plus(FAILED_FOR)));
        assert!(!turns.has_failed("covers/b.svg", now));
    }
}
