//! Time and randomness, injected so that tests control them.

use crate::Timestamp;

/// The source of the time and of random bytes.
pub trait Env: Send + Sync {
    /// The current time.
    fn now(&self) -> Timestamp;

    /// Fills the buffer with unpredictable bytes.
    fn fill_random(&self, buffer: &mut [u8]);
}

/// A clock that stands still until it is moved, and deterministic bytes. For tests only.
#[cfg(any(test, feature = "testing"))]
#[derive(Debug)]
pub struct FixedEnv {
    now: std::sync::atomic::AtomicI64,
    state: std::sync::atomic::AtomicU64,
}

#[cfg(any(test, feature = "testing"))]
impl FixedEnv {
    pub const fn at(now: Timestamp) -> Self {
        Self { now: std::sync::atomic::AtomicI64::new(now.millis()), state: std::sync::atomic::AtomicU64::new(1) }
    }

    /// Moves the clock forward (or back) by milliseconds.
    pub fn advance(&self, millis: i64) {
        self.now.fetch_add(millis, std::sync::atomic::Ordering::SeqCst);
    }

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
        // A counter run through a mixer: different at every call, the same in every run. A call takes its numbers at once: bytes of
        // two threads that alternated could be those of an earlier call.
        let taken = u64::try_from(buffer.len()).expect("a buffer fits into memory");
        let first = self.state.fetch_add(taken, std::sync::atomic::Ordering::SeqCst);
        for (n, byte) in (first..).zip(buffer) {
            let mixed = n.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ (n << 17);
            *byte = mixed.to_be_bytes()[1];
        }
    }
}
