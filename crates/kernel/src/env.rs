//! Time and randomness, handed in so that rules can be tested to the second.

use crate::Timestamp;

/// Where a rule gets the time and its random bytes from.
pub trait Env: Send + Sync {
    /// The present moment.
    fn now(&self) -> Timestamp;

    /// Fills the buffer with bytes that nobody can guess.
    fn fill_random(&self, buffer: &mut [u8]);
}

/// A clock that stands still until it is moved, and bytes that can be foretold: for tests only.
#[cfg(any(test, feature = "testing"))]
#[derive(Debug)]
pub struct FixedEnv {
    now: std::sync::atomic::AtomicI64,
    state: std::sync::atomic::AtomicU64,
}

#[cfg(any(test, feature = "testing"))]
impl FixedEnv {
    /// A clock that shows `now`.
    pub const fn at(now: Timestamp) -> Self {
        Self { now: std::sync::atomic::AtomicI64::new(now.millis()), state: std::sync::atomic::AtomicU64::new(1) }
    }

    /// Moves the clock forward (or back) by milliseconds.
    pub fn advance(&self, millis: i64) {
        self.now.fetch_add(millis, std::sync::atomic::Ordering::SeqCst);
    }

    /// Sets the clock.
    pub fn set(&self, now: Timestamp) {
        self.now.store(now.millis(), std::sync::atomic::Ordering::SeqCst);
    }
}

#[cfg(any(test, feature = "testing"))]
impl Env for FixedEnv {
    fn now(&self) -> Timestamp {
        Timestamp::from_millis(self.now.load(std::sync::atomic::Ordering::SeqCst))
    }

    fn fill_random(&self, buffer: &mut [u8]) {
        // A counter run through a mixer: different at every call, the same in every run.
        for byte in buffer {
            let n = self.state.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
            let mixed = n.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ (n << 17);
            *byte = mixed.to_be_bytes()[1];
        }
    }
}
