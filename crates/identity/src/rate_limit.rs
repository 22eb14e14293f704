//! Rate limiting with the generic cell rate algorithm (GCRA): the limits, their form in the configuration, and the
//! buckets that attempts are counted in.

use std::{fmt, str::FromStr};

use kernel::{SECOND, Timestamp};

/// A burst of `count` attempts, then one every `seconds / count` seconds. More than 1,000 per second means no limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RateLimit {
    count: u32,
    seconds: u32,
}

/// The text is not a list of limits.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a limit is written as tries/seconds, as in 3/60, and several with commas between them; {0:?} is none")]
pub struct InvalidLimits(String);

/// The wait until another attempt is admitted, in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RetryAfter(i64);

impl RateLimit {
    /// Milliseconds after which one attempt no longer counts.
    const fn interval(self) -> i64 {
        self.seconds as i64 * SECOND / self.count as i64
    }

    /// Whether an attempt at `now` is admitted, given the stored arrival of the bucket. Returns the new arrival.
    ///
    /// The arrival (the theoretical arrival time of GCRA) is when no attempt counts any more. An attempt moves it by
    /// one interval, and is refused if that moves it further than the whole burst from `now`.
    pub fn admit(self, arrival: Timestamp, now: Timestamp) -> Result<Timestamp, RetryAfter> {
        if self.interval() == 0 {
            // More than a thousand a second is no limit: the clock has a resolution of a millisecond.
            return Ok(now);
        }
        let next = arrival.max(now).plus(self.interval());
        let wait = next.since(now) - self.interval() * i64::from(self.count);
        if wait <= 0 { Ok(next) } else { Err(RetryAfter(wait)) }
    }

    /// The new arrival of the bucket after an admitted attempt is taken back.
    pub fn release(self, arrival: Timestamp, now: Timestamp) -> Timestamp {
        arrival.plus(-self.interval()).max(now)
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

/// Limits that must all admit an attempt, as in `3/60,100/3600`: three at once and then one every 20 seconds, and no more
/// than a hundred in an hour.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits(Vec<RateLimit>);

impl Limits {
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
    /// Whole seconds, rounded up, at least one: for the `Retry-After` header.
    pub const fn seconds(self) -> u64 {
        self.0.unsigned_abs().div_ceil(SECOND.unsigned_abs())
    }
}

/// A bucket in which attempts are counted. Its name is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RateLimitBucket {
    /// Logins from one network.
    Login,
    /// Logins to one account, from any network.
    LoginAccount,
    /// Sign-ups from one network with an address that is not confirmed yet.
    SignUp,
    /// All sign-ups from one network.
    SignUpNetwork,
    /// Mails for a new password, requested from one network.
    Recovery,
    /// Mails for a new password to one address.
    RecoveryAccount,
    /// New passwords by a mailed code, from one network.
    Reset,
    /// Mailed login links, requested from one network.
    LoginLink,
    /// Mailed login links to one account.
    LoginLinkAccount,
    /// Six-digit login codes, typed from one network.
    Code,
    /// Six-digit login codes, typed for one account.
    CodeAccount,
    /// Confirmations of an address, from one network.
    Confirm,
    /// Mails to confirm an address, requested by one member.
    ConfirmMail,
    /// Changes that one member confirms with the password.
    Password,
    /// Codes of the second factor, for one account.
    Factor,
    /// Passkey ceremonies, from one network.
    Passkey,
    /// Sign-ins with a provider, from one network.
    Provider,
    /// Tokens in URLs that are exchanged for a session, from one network.
    Arrival,
    /// Messages from one network, sent with the public forms.
    Contact,
    /// Invitations of one member (`referral.invitation-limit`).
    Invite,
    /// Mails with ten-day plans, from one network or to one address.
    PlanMail,
    /// E-reader deliveries of one member.
    EReader,
    /// Downloads of one member.
    Download,
    /// Archives of personal data of one member.
    Archive,
    /// Archives that one member imports, and searches for what is kept of them.
    Import,
    /// Archives opened by a mailed link, from one network.
    ArchiveLink,
    /// Events that pages count and referral links that are followed, from one network.
    Event,
    /// Attempts to pay or to change the payment method, from one network.
    Checkout,
    /// Coupon codes tried from one network.
    Coupon,
    /// Redemption codes tried by one member or from one network.
    Redeem,
    /// Mails with a code for a team's seat, sent by one member.
    Seat,
    /// Summaries that one member generates from their own texts.
    Summary,
    /// Highlights that one member saves.
    Study,
    /// Exports of one member's highlights.
    StudyExport,
    /// Pictures of highlights that one member asks for.
    Picture,
    /// Changes and tests of one member's webhook.
    StudyWebhook,
    /// Calls with one member's API tokens.
    ApiToken,
    /// Webhooks from one network that did not come from the provider.
    Webhook,
}

impl RateLimitBucket {
    pub const ALL: [Self; 38] = [
        Self::Login,
        Self::LoginAccount,
        Self::SignUp,
        Self::SignUpNetwork,
        Self::Recovery,
        Self::RecoveryAccount,
        Self::Reset,
        Self::LoginLink,
        Self::LoginLinkAccount,
        Self::Code,
        Self::CodeAccount,
        Self::Confirm,
        Self::ConfirmMail,
        Self::Password,
        Self::Factor,
        Self::Passkey,
        Self::Provider,
        Self::Arrival,
        Self::Contact,
        Self::Invite,
        Self::PlanMail,
        Self::EReader,
        Self::Download,
        Self::Archive,
        Self::Import,
        Self::ArchiveLink,
        Self::Event,
        Self::Checkout,
        Self::Coupon,
        Self::Redeem,
        Self::Seat,
        Self::Summary,
        Self::Study,
        Self::StudyExport,
        Self::Picture,
        Self::StudyWebhook,
        Self::ApiToken,
        Self::Webhook,
    ];

    /// The stored name.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Login => "login",
            Self::LoginAccount => "login account",
            Self::SignUp => "signup",
            Self::SignUpNetwork => "signup network",
            Self::Recovery => "recovery",
            Self::RecoveryAccount => "recovery account",
            Self::Reset => "reset",
            Self::LoginLink => "login link",
            Self::LoginLinkAccount => "login link account",
            Self::Code => "code",
            Self::CodeAccount => "code account",
            Self::Confirm => "confirm",
            Self::ConfirmMail => "confirm mail",
            Self::Password => "password",
            Self::Factor => "factor",
            Self::Passkey => "passkey",
            Self::Provider => "provider",
            Self::Arrival => "arrival",
            Self::Contact => "contact",
            Self::Invite => "invite",
            Self::PlanMail => "plan mail",
            Self::EReader => "e-reader",
            Self::Download => "download",
            Self::Archive => "archive",
            Self::Import => "import",
            Self::ArchiveLink => "archive-link",
            Self::Event => "event",
            Self::Checkout => "checkout",
            Self::Coupon => "coupon",
            Self::Redeem => "redeem",
            Self::Seat => "seat",
            Self::Summary => "summary",
            Self::Study => "study",
            Self::StudyExport => "study export",
            Self::Picture => "picture",
            Self::StudyWebhook => "study webhook",
            Self::ApiToken => "api token",
            Self::Webhook => "webhook",
        }
    }
}

/// An attempt at something that is rate limited.
#[derive(Clone, Copy, Debug)]
pub struct Attempt<'a> {
    pub bucket: RateLimitBucket,
    /// Who attempts it, or whose account it concerns: a network, a user's id, or an email address.
    pub subject: &'a str,
    pub limits: &'a Limits,
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
    fn more_than_a_thousand_a_second_is_no_limit_also_when_the_arrival_is_later_than_now() {
        let limit: RateLimit = "1000000/10".parse().unwrap();
        let now = Timestamp::from_millis(1_000);
        assert_eq!(limit.admit(now.plus(5), now), Ok(now));
    }

    #[test]
    fn three_in_a_minute_admits_a_burst_of_three_then_one_every_twenty_seconds() {
        let limit = limit("3/60");
        let mut arrival = START;
        for _ in 0..3 {
            arrival = limit.admit(arrival, START).unwrap();
        }
        assert_eq!(limit.admit(arrival, START), Err(RetryAfter(20_000)));
        assert_eq!(limit.admit(arrival, START.plus(19_999)), Err(RetryAfter(1)));
        arrival = limit.admit(arrival, START.plus(20_000)).unwrap();
        assert_eq!(limit.admit(arrival, START.plus(20_000)), Err(RetryAfter(20_000)));
        // After a minute without attempts the whole burst is admitted again.
        let later = START.plus(80_000);
        for _ in 0..3 {
            arrival = limit.admit(arrival, later).unwrap();
        }
        assert!(limit.admit(arrival, later).is_err());
    }

    #[test]
    fn lists_of_limits_are_parsed_and_invalid_ones_rejected() {
        let limits: Limits = " 3/60, 100/3600".parse().unwrap();
        assert_eq!(limits.iter().map(|l| l.to_string()).collect::<Vec<_>>(), ["3/60", "100/3600"]);
        for text in ["", "3", "3/", "/60", "0/60", "3/0", "-1/60", "3/60,", "3/60;4/60", "a/b", "3/60/1"] {
            assert!(text.parse::<Limits>().is_err(), "{text:?}");
        }
    }

    #[test]
    fn the_retry_after_is_rounded_up_to_whole_seconds() {
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
    fn every_bucket_has_a_name_of_its_own() {
        let names: std::collections::BTreeSet<_> = RateLimitBucket::ALL.iter().map(|bucket| bucket.as_str()).collect();
        assert_eq!(names.len(), RateLimitBucket::ALL.len());
        assert!(names.contains("login account") && names.contains("archive-link"));
    }

    proptest! {
        // A released attempt no longer counts, and all other attempts still do.
        #[test]
        fn a_released_attempt_leaves_the_bucket_as_it_was(
            count in 1_u32..20, seconds in 1_u32..100, attempts in 0_u32..30, later in 0_i64..200_000,
        ) {
            let limit = RateLimit { count, seconds };
            let mut arrival = START;
            for _ in 0..attempts {
                arrival = limit.admit(arrival, START).unwrap_or(arrival);
            }
            let now = START.plus(later);
            if let Ok(next) = limit.admit(arrival, now) {
                prop_assert_eq!(limit.release(next, now), arrival.max(now));
            }
            prop_assert!(limit.release(arrival, now) >= now);
        }

        // Within any window at most the burst and one attempt for each interval of the window are admitted.
        #[test]
        fn no_pattern_of_attempts_exceeds_the_limit(
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
