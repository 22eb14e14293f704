//! Converts timestamps to `jiff`, the calendar library.

use kernel::Timestamp;

/// Converts a timestamp. One that `jiff` can't represent becomes the Unix epoch.
pub fn moment(at: Timestamp) -> jiff::Timestamp {
    jiff::Timestamp::from_millisecond(at.millis()).unwrap_or(jiff::Timestamp::UNIX_EPOCH)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_the_same_and_one_beyond_the_calendar_is_the_epoch() {
        for millis in [0, -1, 1_795_226_400_123] {
            assert_eq!(moment(Timestamp::from_millis(millis)).as_millisecond(), millis);
        }
        assert_eq!(moment(Timestamp::from_millis(i64::MAX)), jiff::Timestamp::UNIX_EPOCH);
    }
}
