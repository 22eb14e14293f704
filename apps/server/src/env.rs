//! The system's clock and random number generator.

use std::time::{SystemTime, UNIX_EPOCH};

use kernel::{Env, Timestamp};

/// [`kernel::Env`] with the system's clock and random number generator.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemEnv;

impl Env for SystemEnv {
    #[expect(clippy::disallowed_methods, reason = "the one place that reads the clock")]
    fn now(&self) -> Timestamp {
        let since_epoch = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Timestamp::from_millis(i64::try_from(since_epoch.as_millis()).unwrap_or(i64::MAX))
    }

    fn fill_random(&self, buffer: &mut [u8]) {
        // Without randomness no secret is safe, so the process ends.
        getrandom::fill(buffer).expect("the operating system gives randomness");
    }
}
