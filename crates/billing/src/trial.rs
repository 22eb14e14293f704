//! Trials: three days, once per person (`billing.trial-once`).

use kernel::{DAY, Email, Timestamp, UserId};

use crate::{TRIAL_DAYS, gateway::CardFingerprint};

/// How long before the first charge the reminder is mailed, in milliseconds.
pub const TRIAL_NOTICE: i64 = DAY;

/// The end of a trial that begins at `start`, when the first charge is due.
pub fn trial_end(start: Timestamp) -> Timestamp {
    start.plus(i64::from(TRIAL_DAYS) * DAY)
}

/// When to mail the reminder about the end of a trial: a day before, or now if that has passed (`billing.trial-notice`).
pub fn trial_notice_at(end: Timestamp, now: Timestamp) -> Timestamp {
    end.plus(-TRIAL_NOTICE).max(now)
}

/// What identifies a person who has had a trial. A match on any one field is enough.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrialIdentity {
    pub member: Option<UserId>,
    /// The normalized mailbox of their e-mail address ([`Email::mailbox_key`]).
    pub mailbox: String,
    pub card: Option<CardFingerprint>,
}

impl TrialIdentity {
    pub fn new(member: Option<UserId>, email: &Email, card: Option<CardFingerprint>) -> Self {
        Self { member, mailbox: email.mailbox_key(), card }
    }

    /// Whether both identify the same person.
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
        // 2028-02-28T23:59:59Z: the trial spans 29 February.
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
