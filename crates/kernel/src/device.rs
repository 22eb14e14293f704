//! A member's devices: their names, and the correction of the moments that they report by their own clocks.

use crate::{DAY, MINUTE, Timestamp};

/// The greatest age of a moment when its report arrives, in milliseconds; an older one counts as this old.
pub const LATEST_ARRIVAL: i64 = 30 * DAY;
/// The longest time that a request takes, in milliseconds. If a request claims to take longer, the device's clock is
/// slow.
pub const SLOWEST_REQUEST: i64 = 10 * MINUTE;

/// A browser, identified by a random name that it chose itself.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Device(String);

impl Device {
    /// The greatest length of a name.
    pub const MAX_CHARS: usize = 64;

    /// Parses a name of 1 to [`Device::MAX_CHARS`] ASCII letters, digits, hyphens and underscores; `None` for any other
    /// text.
    pub fn parse(name: &str) -> Option<Self> {
        let fits = (1..=Self::MAX_CHARS).contains(&name.len())
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_');
        fits.then(|| Self(name.to_owned()))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// When something happened by the server's clock. A request states, by the device's clock, when it happened (`at`) and
/// when the request was sent (`sent`). A request can't arrive before it was sent, and none takes longer than
/// [`SLOWEST_REQUEST`]; a request that contradicts this comes from a wrong clock, and its times are shifted. Within
/// these limits a wrong clock can't be told from a slow network, and the device's clock is trusted. The result is never
/// later than now (`reading-progress.device-moments`).
pub fn correct_moment(at: Timestamp, sent: Option<Timestamp>, now: Timestamp) -> Timestamp {
    let at = sent.map_or(at, |sent| {
        let way = now.millis().saturating_sub(sent.millis());
        let slow = if (0..=SLOWEST_REQUEST).contains(&way) { 0 } else { way };
        Timestamp::from_millis(at.min(sent).millis().saturating_add(slow))
    });
    at.min(now)
}

/// When something happened by the server's clock, as [`correct_moment`] says, and never longer ago than
/// [`LATEST_ARRIVAL`]; now if the request does not say when (`reading-progress.device-moments`).
pub fn moment(at: Option<Timestamp>, sent: Option<Timestamp>, now: Timestamp) -> Timestamp {
    at.map_or(now, |at| correct_moment(at, sent, now).max(now.plus(-LATEST_ARRIVAL)))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Device, LATEST_ARRIVAL, SLOWEST_REQUEST, correct_moment, moment};
    use crate::{DAY, MINUTE, SECOND, Timestamp};

    const NOW: Timestamp = Timestamp::from_millis(1_773_144_000_000);

    #[test]
    fn the_limits_are_thirty_days_and_ten_minutes() {
        assert_eq!((LATEST_ARRIVAL, SLOWEST_REQUEST), (30 * 24 * 60 * 60 * 1000, 10 * 60 * 1000));
    }

    #[test]
    fn a_device_has_a_short_plain_name() {
        for name in ["a", "V1StGXR8_Z5jdHi6B-myT", &"x".repeat(64)] {
            assert_eq!(Device::parse(name).expect("a name").as_str(), name);
        }
        for name in ["", "ä", "a b", "a\0", "<script>", &"x".repeat(65)] {
            assert_eq!(Device::parse(name), None, "{name:?}");
        }
    }

    #[test]
    fn a_clock_that_can_be_right_is_believed_however_slow_the_network() {
        let at = NOW.plus(-5 * MINUTE);
        for way in [0, SECOND, MINUTE, SLOWEST_REQUEST] {
            assert_eq!(moment(Some(at), Some(at), at.plus(way)), at);
        }
        assert_eq!(moment(Some(at), None, NOW), at);
    }

    #[test]
    fn a_wrong_clock_is_put_right() {
        for wrong in [-400 * DAY, -DAY, -SLOWEST_REQUEST - 1, 1, MINUTE, 3 * DAY] {
            let (at, sent) = (NOW.plus(wrong - 2 * MINUTE), NOW.plus(wrong));
            assert_eq!(moment(Some(at), Some(sent), NOW), NOW.plus(-2 * MINUTE), "{wrong}");
        }
        assert_eq!(moment(None, Some(NOW.plus(-DAY)), NOW), NOW, "nothing was said of when");
        assert_eq!(moment(Some(NOW.plus(DAY)), None, NOW), NOW, "nobody reads tomorrow");
        assert_eq!(moment(Some(NOW.plus(MINUTE)), Some(NOW), NOW), NOW, "nor after saying so");
    }

    #[test]
    fn a_moment_of_long_ago_is_corrected_and_stays_long_ago() {
        let at = NOW.plus(-400 * DAY);
        assert_eq!(correct_moment(at, Some(NOW), NOW), at);
        assert_eq!(correct_moment(at, Some(NOW.plus(-DAY)), NOW), at.plus(DAY));
        assert_eq!(moment(Some(at), Some(NOW), NOW), NOW.plus(-LATEST_ARRIVAL));
        assert_eq!(correct_moment(NOW.plus(DAY), None, NOW), NOW);
    }

    proptest! {
        #[test]
        fn a_moment_is_within_the_last_thirty_days(
            at in any::<Option<i64>>(), sent in any::<Option<i64>>(), now in any::<i64>(),
        ) {
            let now = Timestamp::from_millis(now);
            let found = moment(at.map(Timestamp::from_millis), sent.map(Timestamp::from_millis), now);
            prop_assert!(found <= now && found >= now.plus(-LATEST_ARRIVAL));
        }
    }
}
