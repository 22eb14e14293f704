//! Trials: three days, once for a person (`billing.trial-once`).

use kernel::{DAY, Email, Timestamp, UserId};

use crate::{TRIAL_DAYS, gateway::CardFingerprint};

/// How long before the first charge the member gets a mail, in milliseconds.
pub const TRIAL_NOTICE: i64 = DAY;

/// The end of a trial that begins now: the moment of the first charge.
pub fn trial_end(start: Timestamp) -> Timestamp {
    start.plus(i64::from(TRIAL_DAYS) * DAY)
}

/// When the mail about the end of a trial goes out: a day before, or at once (`billing.trial-notice`).
pub fn trial_notice_at(end: Timestamp, now: Timestamp) -> Timestamp {
    end.plus(-TRIAL_NOTICE).max(now)
}

/// By what a person is known who has had a trial: any one of these is enough.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrialIdentity {
    /// The account.
    pub member: Option<UserId>,
    /// The mailbox of their address ([`Email::mailbox_key`]).
    pub mailbox: String,
    pub card: Option<CardFingerprint>,
}

impl TrialIdentity {
    /// A person by account, address and card.
    pub fn new(member: Option<UserId>, email: &Email, card: Option<CardFingerprint>) -> Self {
        Self { member, mailbox: email.mailbox_key(), card }
    }

    /// Whether both are one person.
    pub fn is_same_person(&self, other: &Self) -> bool {
        let same_member = self.member.is_some() && self.member == other.member;
        let same_card = self.card.is_some() && self.card == other.card;
        same_member || same_card || self.mailbox == other.mailbox
    }
}

#[cfg(test)]
mod tests {
    use kernel::SECOND;

    use super::*;

    #[test]
    fn the_notice_of_a_trials_end_comes_a_day_before_or_at_once() {
        let end = Timestamp::from_millis(1_835_654_399_000);
        let sent = |before: i64| end.since(trial_notice_at(end, end.plus(-before)));
        assert_eq!((sent(3 * DAY), sent(DAY), sent(SECOND)), (DAY, DAY, SECOND));
    }

    #[test]
    fn a_trial_is_three_days_to_the_second() {
        // 2028-02-28T23:59:59Z: the trial reaches over 29 February.
        let start = Timestamp::from_millis(1_835_395_199_000);
        assert_eq!(trial_end(start), Timestamp::from_millis(1_835_654_399_000));
        assert_eq!(trial_end(start).since(start), 3 * 24 * 60 * 60 * SECOND);
        assert_eq!(TRIAL_NOTICE, 24 * 60 * 60 * SECOND);
    }

    #[test]
    fn account_mailbox_or_card_make_the_same_person() {
        let person = |id: Option<i64>, email: &str, card: Option<&str>| {
            let email = Email::parse(email).unwrap();
            TrialIdentity::new(id.map(UserId::from_store), &email, card.map(CardFingerprint::new))
        };
        let ada = person(Some(1), "ada@example.com", Some("visa"));
        for (other, is_same) in [
            (person(Some(1), "other@example.com", None), true),
            (person(Some(2), "Ada+two@example.com", Some("master")), true),
            (person(None, "guest@example.com", Some("visa")), true),
            (person(Some(2), "other@example.com", Some("master")), false),
            (person(None, "other@example.com", None), false),
        ] {
            assert_eq!((ada.is_same_person(&other), other.is_same_person(&ada)), (is_same, is_same), "{other:?}");
        }
        let nothing = person(None, "a@example.com", None);
        assert!(!nothing.is_same_person(&person(None, "b@example.com", None)));
    }
}
