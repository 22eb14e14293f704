//! Who draws when: a few drawings at a time, each of them once, and which ones can't be drawn.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError, Weak},
};

use kernel::{HOUR, Timestamp};
use tokio::sync::{Mutex as AsyncMutex, OwnedMutexGuard, Semaphore, SemaphorePermit};

/// How many drawings are drawn at the same time: more than cores, so that one that takes long delays no other.
const AT_ONCE: usize = 4;
/// How many drawings that failed are remembered.
const REMEMBERED: usize = 10_000;
/// How long a drawing that failed is not tried again, in milliseconds.
const FAILED_FOR: i64 = 6 * HOUR;

/// The turns of a node's drawings.
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
    /// Waits until nobody else draws this picture. Who comes second finds it drawn, or failed.
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

    /// Waits until there is room for one more drawing. Don't wait for another turn meanwhile.
    pub(crate) async fn start(&self) -> Option<SemaphorePermit<'_>> {
        // It is never closed.
        self.free.acquire().await.ok()
    }

    /// Whether a drawing has failed a short while ago.
    pub(crate) fn has_failed(&self, drawing: &str, now: Timestamp) -> bool {
        let failed = self.failed.lock().unwrap_or_else(PoisonError::into_inner);
        failed.get(drawing).is_some_and(|at| now.since(*at) < FAILED_FOR)
    }

    /// Remembers that a drawing has failed.
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
