//! Numbers that move on when something changes.

use std::sync::atomic::{AtomicU64, Ordering};

const SLOTS: usize = 1 << 16;

/// One number for everything, and one for each subject (a person, a session). Subjects share slots: a shared slot
/// only forgets more than it must.
#[derive(Debug)]
pub struct Epochs {
    all: AtomicU64,
    slots: Box<[AtomicU64]>,
}

/// The numbers at a moment. Take it before reading what will be cached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Epoch {
    all: u64,
    slot: u64,
}

impl Default for Epochs {
    fn default() -> Self {
        Self { all: AtomicU64::new(0), slots: (0..SLOTS).map(|_| AtomicU64::new(0)).collect() }
    }
}

impl Epochs {
    /// The present numbers for a subject; `0` for what belongs to nobody.
    pub fn of(&self, subject: i64) -> Epoch {
        Epoch { all: self.all.load(Ordering::SeqCst), slot: self.slot(subject).load(Ordering::SeqCst) }
    }

    /// Forgets what was read for a subject.
    pub fn forget(&self, subject: i64) {
        self.slot(subject).fetch_add(1, Ordering::SeqCst);
    }

    /// Forgets everything.
    pub fn forget_all(&self) {
        self.all.fetch_add(1, Ordering::SeqCst);
    }

    fn slot(&self, subject: i64) -> &AtomicU64 {
        let index = usize::try_from(subject.rem_euclid(1 << 16)).unwrap_or_default();
        &self.slots[index]
    }
}

#[cfg(test)]
mod tests {
    use super::Epochs;

    #[test]
    fn forgetting_one_leaves_the_others() {
        let epochs = Epochs::default();
        let (ada, grace) = (epochs.of(1), epochs.of(2));
        epochs.forget(1);
        assert_ne!(epochs.of(1), ada);
        assert_eq!(epochs.of(2), grace);
        epochs.forget_all();
        assert_ne!(epochs.of(2), grace);
    }
}
