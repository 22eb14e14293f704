//! Version counters for cache invalidation.

use std::sync::atomic::{AtomicU64, Ordering};

const SLOTS: usize = 1 << 16;

/// One counter for everything, and one for each subject (a member, a session, a book). Subjects share 65,536 slots: a
/// collision only invalidates more than necessary.
#[derive(Debug)]
pub struct Versions {
    all: AtomicU64,
    slots: Box<[AtomicU64]>,
}

/// The counters of a subject at a moment. Take it before reading what will be cached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Version {
    all: u64,
    slot: u64,
}

impl Default for Versions {
    fn default() -> Self {
        Self { all: AtomicU64::new(0), slots: (0..SLOTS).map(|_| AtomicU64::new(0)).collect() }
    }
}

impl Versions {
    /// The current counters of a subject; `0` for what belongs to no subject.
    pub fn of(&self, subject: i64) -> Version {
        Version { all: self.all.load(Ordering::SeqCst), slot: self.slot(subject).load(Ordering::SeqCst) }
    }

    /// Invalidates what was read for a subject.
    pub fn invalidate(&self, subject: i64) {
        self.slot(subject).fetch_add(1, Ordering::SeqCst);
    }

    /// Invalidates everything.
    pub fn invalidate_all(&self) {
        self.all.fetch_add(1, Ordering::SeqCst);
    }

    fn slot(&self, subject: i64) -> &AtomicU64 {
        let index = usize::try_from(subject.rem_euclid(1 << 16)).unwrap_or_default();
        &self.slots[index]
    }
}

#[cfg(test)]
mod tests {
    use super::Versions;

    #[test]
    fn invalidating_one_subject_leaves_the_others() {
        let versions = Versions::default();
        let (ada, grace) = (versions.of(1), versions.of(2));
        versions.invalidate(1);
        assert_ne!(versions.of(1), ada);
        assert_eq!(versions.of(2), grace);
        versions.invalidate_all();
        assert_ne!(versions.of(2), grace);
    }
}
