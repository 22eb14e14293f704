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
        // SplitMix64: the same in every run, and two calls never give the same bytes, whichever threads make them.
        for part in buffer.chunks_mut(8) {
            const STEP: u64 = 0x9E37_79B9_7F4A_7C15;
            let state = self.state.fetch_add(STEP, std::sync::atomic::Ordering::SeqCst).wrapping_add(STEP);
            let mixed = (state ^ (state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
            let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
            part.copy_from_slice(&(mixed ^ (mixed >> 31)).to_be_bytes()[..part.len()]);
        }
    }
}
