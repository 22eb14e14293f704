//! How often a stranger may try: the generic cell rate algorithm, and limits as operators write them.

use std::{fmt, net::IpAddr, str::FromStr};

use kernel::{SECOND, Timestamp};

/// So many tries at once, then one every so often. More than a thousand a second are as good as no limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RateLimit {
    count: u32,
    seconds: u32,
}

/// The text is no list of limits.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a limit is written as tries/seconds, as in 3/60, and several with commas between them; {0:?} is none")]
pub struct InvalidLimits(String);

/// When another try will be admitted, in milliseconds from now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RetryAfter(i64);

impl RateLimit {
    /// The milliseconds in which one try is forgiven.
    const fn interval(self) -> i64 {
        self.seconds as i64 * SECOND / self.count as i64
    }

    /// Whether a try at `now` is admitted, given the arrival that the last admitted one left behind.
    ///
    /// The arrival is the moment at which all tries so far are forgiven. A try puts it off by one interval, and is
    /// refused when that puts it further than the whole burst away.
    pub fn admit(self, arrival: Timestamp, now: Timestamp) -> Result<Timestamp, RetryAfter> {
        if self.interval() == 0 {
            // More than a thousand a second is no limit: the clock does not tick finer.
            return Ok(now);
        }
        let next = arrival.max(now).plus(self.interval());
        let wait = next.since(now) - self.interval() * i64::from(self.count);
        if wait <= 0 { Ok(next) } else { Err(RetryAfter(wait)) }
    }
}

impl fmt::Display for RateLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.count, self.seconds)
    }
}

impl FromStr for RateLimit {
    type Err = InvalidLimits;

    fn from_str(text: &str) -> Result<Self, InvalidLimits> {
        let number = |text: &str| text.trim().parse::<u32>().ok().filter(|n| *n > 0);
        text.split_once('/')
            .and_then(|(count, seconds)| Some(Self { count: number(count)?, seconds: number(seconds)? }))
            .ok_or_else(|| InvalidLimits(text.trim().to_owned()))
    }
}

/// Limits that must all admit a try, as in `3/60,100/3600`: three at once and then one every 20 seconds, and no more
/// than a hundred in an hour.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits(Vec<RateLimit>);

impl Limits {
    /// Each of the limits.
    pub fn iter(&self) -> impl Iterator<Item = RateLimit> {
        self.0.iter().copied()
    }
}

impl FromStr for Limits {
    type Err = InvalidLimits;

    fn from_str(text: &str) -> Result<Self, InvalidLimits> {
        text.split(',').map(str::parse).collect::<Result<_, _>>().map(Self)
    }
}

impl RetryAfter {
    /// Whole seconds, rounded up, at least one: for the header of this name.
    pub const fn seconds(self) -> u64 {
        self.0.unsigned_abs().div_ceil(SECOND.unsigned_abs())
    }
}

/// Somebody tries something that is limited.
#[derive(Clone, Copy, Debug)]
pub struct Try<'a> {
    /// What is tried: one word.
    pub what: &'a str,
    /// Who tries it, or on whom it is tried.
    pub whose: &'a str,
    /// How often that may be.
    pub limits: &'a Limits,
}

/// The part of an address that stands for one customer of a network: the whole of an IPv4 address, the first 64 bits
/// of an IPv6 address.
pub fn network_of(address: IpAddr) -> String {
    match address.to_canonical() {
        IpAddr::V4(v4) => v4.to_string(),
        IpAddr::V6(v6) => {
            let [a, b, c, d, ..] = v6.segments();
            format!("{a:x}:{b:x}:{c:x}:{d:x}::/64")
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const START: Timestamp = Timestamp::from_millis(1_000_000);

    fn limit(text: &str) -> RateLimit {
        text.parse().unwrap()
    }

    #[test]
    fn more_than_a_thousand_a_second_is_no_limit_also_when_another_was_quicker() {
        let limit: RateLimit = "1000000/10".parse().unwrap();
        let now = Timestamp::from_millis(1_000);
        assert_eq!(limit.admit(now.plus(5), now), Ok(now));
    }

    #[test]
    fn three_at_once_then_one_every_twenty_seconds() {
        let limit = limit("3/60");
        let mut arrival = START;
        for _ in 0..3 {
            arrival = limit.admit(arrival, START).unwrap();
        }
        assert_eq!(limit.admit(arrival, START), Err(RetryAfter(20_000)));
        assert_eq!(limit.admit(arrival, START.plus(19_999)), Err(RetryAfter(1)));
        arrival = limit.admit(arrival, START.plus(20_000)).unwrap();
        assert_eq!(limit.admit(arrival, START.plus(20_000)), Err(RetryAfter(20_000)));
        // After a minute of rest everything is forgiven.
        let later = START.plus(80_000);
        for _ in 0..3 {
            arrival = limit.admit(arrival, later).unwrap();
        }
        assert!(limit.admit(arrival, later).is_err());
    }

    #[test]
    fn lists_are_read_and_bad_ones_named() {
        let limits: Limits = " 3/60, 100/3600".parse().unwrap();
        assert_eq!(limits.iter().map(|l| l.to_string()).collect::<Vec<_>>(), ["3/60", "100/3600"]);
        for text in ["", "3", "3/", "/60", "0/60", "3/0", "-1/60", "3/60,", "3/60;4/60", "a/b", "3/60/1"] {
            assert!(text.parse::<Limits>().is_err(), "{text:?}");
        }
    }

    #[test]
    fn waiting_is_told_in_whole_seconds_never_too_few() {
        assert_eq!((RetryAfter(1).seconds(), RetryAfter(1_000).seconds(), RetryAfter(1_001).seconds()), (1, 1, 2));
    }

    #[test]
    fn more_than_a_thousand_a_second_is_no_limit() {
        let limit = limit("100000/1");
        let mut arrival = START;
        for _ in 0..200_000 {
            arrival = limit.admit(arrival, START).unwrap();
        }
    }

    #[test]
    fn a_customer_of_a_network_is_an_ipv4_address_or_an_ipv6_prefix() {
        let network = |text: &str| network_of(text.parse().unwrap());
        assert_eq!(network("192.0.2.7"), "192.0.2.7");
        assert_eq!(network("::ffff:192.0.2.7"), "192.0.2.7");
        assert_eq!(network("2001:db8:1:2:3:4:5:6"), network("2001:db8:1:2:ffff::1"));
        assert_ne!(network("2001:db8:1:2::1"), network("2001:db8:1:3::1"));
    }

    proptest! {
        // Whatever the moments of the tries: within any window no more are admitted than the burst and what the
        // window forgives.
        #[test]
        fn no_pattern_of_tries_beats_the_limit(
            count in 1_u32..20, seconds in 1_u32..100, gaps in prop::collection::vec(0_i64..30_000, 1..200),
        ) {
            let limit = RateLimit { count, seconds };
            let (mut arrival, mut now, mut admitted) = (START, START, Vec::new());
            for gap in gaps {
                now = now.plus(gap);
                if let Ok(next) = limit.admit(arrival, now) {
                    arrival = next;
                    admitted.push(now);
                }
            }
            for (i, from) in admitted.iter().enumerate() {
                for (n, to) in admitted[i..].iter().enumerate() {
                    let allowed = i64::from(count) + to.since(*from) / limit.interval();
                    prop_assert!(i64::try_from(n).unwrap() < allowed);
                }
            }
        }
    }
}
