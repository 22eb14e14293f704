//! The ledger: everything that happened to a payer's money and plans, once each, with its entries (`billing.ledger-append`).
//!
//! A movement is recorded once by its key and never changed. Its entries are double entry: they add up to zero.

use std::fmt;

use kernel::{Money, Period, Timestamp};

use crate::RenewalTerms;

/// The longest pause, in months.
pub const PAUSE_MAX_MONTHS: u32 = 3;

macro_rules! named {
    ($(#[$doc:meta])* $name:ident, $error:ident, $what:literal: $($(#[$variant_doc:meta])* $variant:ident = $text:literal,)+) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name { $($(#[$variant_doc])* $variant,)+ }

        #[doc = concat!("The text names no ", $what, ".")]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
        #[error("there is no such {}", $what)]
        pub struct $error;

        impl $name {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$variant,)+];

            /// Its name in the store.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $text,)+ }
            }
        }

        impl std::str::FromStr for $name {
            type Err = $error;

            fn from_str(text: &str) -> Result<Self, $error> {
                Self::ALL.iter().copied().find(|one| one.as_str() == text).ok_or($error)
            }
        }
    };
}

pub(crate) use named;

named! {
    /// What happened. At one moment the earlier in this list comes first.
    MovementKind, UnknownMovementKind, "kind of movement":
    /// A trial began.
    TrialStarted = "trial_started",
    /// Money was taken. With a period it paid for that period.
    Charged = "charged",
    /// An admin gave a plan.
    PlanGiven = "plan_given",
    /// A code was redeemed.
    CodeRedeemed = "code_redeemed",
    /// A subscription's charge failed.
    ChargeFailed = "charge_failed",
    /// The member stopped renewal.
    Canceled = "canceled",
    /// The member turned renewal on again.
    Resumed = "resumed",
    /// The member paused the subscription after its period.
    Paused = "paused",
    /// The member ended the pause.
    PauseEnded = "pause_ended",
    /// The subscription ended for good.
    Ended = "ended",
    /// An admin took back a plan that was given.
    PlanWithdrawn = "plan_withdrawn",
    /// A redeemed code was revoked: what paid for it was refunded.
    CodeRevoked = "code_revoked",
    /// Money went back.
    Refunded = "refunded",
    /// The payer's bank took money back.
    Disputed = "disputed",
    /// The dispute was decided for us.
    DisputeWon = "dispute_won",
    /// The dispute was decided for the payer. The money went when it was opened.
    DisputeLost = "dispute_lost",
    /// A referral earned a reward.
    RewardAccrued = "reward_accrued",
    /// A reward was taken back, in whole or in part.
    RewardReversed = "reward_reversed",
    /// A reward was paid out.
    RewardPaid = "reward_paid",
}

impl MovementKind {
    /// Whether a member has changed how the subscription renews: the keys of such steps count those before.
    pub const fn is_change_of_renewal(self) -> bool {
        matches!(self, Self::Canceled | Self::Resumed | Self::Paused | Self::PauseEnded)
    }

    /// Whether it may pay for a period of a subscription, or try it.
    pub const fn may_renew(self) -> bool {
        matches!(self, Self::TrialStarted | Self::Charged)
    }
}

named! {
    /// An account of the ledger. Debits are positive.
    Account, UnknownAccount, "account":
    /// What the payment providers hold for us.
    ProviderCash = "provider_cash",
    /// The providers' fees.
    Fees = "fees",
    /// What was sold.
    Revenue = "revenue",
    /// What was given back.
    Refunds = "refunds",
    /// What banks took back.
    Disputes = "disputes",
    /// What rewards cost.
    RewardExpense = "reward_expense",
    /// Rewards that are owed.
    RewardsPayable = "rewards_payable",
    /// What rewards were paid out of.
    PayoutCash = "payout_cash",
}

/// One line of a movement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The account.
    pub account: Account,
    /// A debit when positive, a credit when negative; never zero.
    pub amount: Money,
}

/// What ties a purchase's movements together: the checkout, the subscription or the code. At most 200 characters.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PurchaseKey(String);

impl PurchaseKey {
    /// Takes the text.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for PurchaseKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Something that happened to a payer's money or plans.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Movement {
    /// It is recorded once by it: the provider's id of the object and what happened to it (`stripe:pi_1:charged`).
    pub key: String,
    /// When it happened, by the clock of the one who acted.
    pub at: Timestamp,
    /// To which purchase it belongs.
    pub purchase: PurchaseKey,
    /// What happened.
    pub kind: MovementKind,
    /// The plan or item: `yearly`, `book-{subid}`.
    pub plan_id: String,
    /// The plan's name as people read it.
    pub plan_name: String,
    /// How much: never below zero. The kind says in which direction.
    pub amount: Money,
    /// What the provider kept of a charge, or took for a dispute.
    pub fee: Money,
    /// What a trial, a charge or a given plan covers; `None`: nothing, as with a book.
    pub period: Option<Period>,
    /// The key of the movement that it undoes: of a refund, a dispute, a revoked code or a plan that was withdrawn.
    pub reference: Option<String>,
    /// The length of a pause or of a redeemed code, in months; a redeemed code without one is for life.
    pub months: Option<u32>,
    /// What a subscription's later charges are, from this trial or charge on.
    pub renewal: Option<RenewalTerms>,
    /// What the next charge is where it differs from the renewal's price: the first one, or one after a credit.
    pub next_charge: Option<Money>,
    /// How many infographics were bought with it.
    pub infographics: u32,
}

/// A movement that does not make sense; it is not recorded.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the movement {key} has {fault}")]
pub struct InvalidMovement {
    key: String,
    fault: &'static str,
}

const NOTHING: Money = Money::from_cents(0);

impl Movement {
    /// A movement without an amount. What the kind needs besides is set on the value.
    pub fn new(kind: MovementKind, key: impl Into<String>, purchase: &PurchaseKey, at: Timestamp) -> Self {
        Self {
            key: key.into(),
            at,
            purchase: purchase.clone(),
            kind,
            plan_id: String::new(),
            plan_name: String::new(),
            amount: NOTHING,
            fee: NOTHING,
            period: None,
            reference: None,
            months: None,
            renewal: None,
            next_charge: None,
            infographics: 0,
        }
    }

    /// Fails unless the movement has what its kind needs, and nothing else.
    pub fn check(&self) -> Result<(), InvalidMovement> {
        use MovementKind as Kind;
        let kind = self.kind;
        let undoes = matches!(
            kind,
            Kind::Refunded
                | Kind::Disputed
                | Kind::DisputeWon
                | Kind::DisputeLost
                | Kind::CodeRevoked
                | Kind::PlanWithdrawn
        );
        let moves_money = matches!(
            kind,
            Kind::Refunded
                | Kind::Disputed
                | Kind::DisputeWon
                | Kind::RewardAccrued
                | Kind::RewardReversed
                | Kind::RewardPaid
        );
        let covers = matches!(kind, Kind::TrialStarted | Kind::PlanGiven);
        let is_backward = |period: Period| period.ends_at.is_some_and(|end| end < period.starts_at);
        let fits_calendar = |at: Timestamp| (0..=FARTHEST).contains(&at.millis());
        let fault = if self.key.is_empty() || self.key.len() > KEY_MAX || self.purchase.0.len() > KEY_MAX {
            "a key that is empty or too long"
        } else if self.amount < NOTHING || self.fee < NOTHING || self.next_charge.is_some_and(|sum| sum < NOTHING) {
            "a sum below zero"
        } else if self.amount > LARGEST || self.fee > LARGEST || self.next_charge.is_some_and(|sum| sum > LARGEST) {
            "a sum beyond what is charged at once"
        } else if kind != Kind::Charged && moves_money == (self.amount == NOTHING) {
            "an amount where there is none, or none"
        } else if self.fee > NOTHING && !matches!(kind, Kind::Charged | Kind::Disputed)
            || kind == Kind::Charged && self.fee > self.amount
        {
            "a fee that is none"
        } else if self.reference.is_some() != undoes {
            "a reference where there is none, or none"
        } else if covers && self.period.is_none() || self.period.is_some() && !covers && kind != Kind::Charged {
            "a period where there is none, or none"
        } else if self.period.is_some_and(is_backward) || !self.period.is_none_or(|one| fits_calendar(one.starts_at)) {
            "a period that ends before it begins"
        } else if !fits_calendar(self.at) {
            "a moment beyond the calendar"
        } else if self.renewal.is_some()
            && (!kind.may_renew() || self.period.and_then(|period| period.ends_at).is_none())
            || kind == Kind::TrialStarted && self.renewal.is_none()
            || self.renewal.is_some_and(|terms| terms.price < NOTHING || !(1..=12).contains(&terms.months))
        {
            "terms of renewal that are none"
        } else if self.next_charge.is_some() && self.renewal.is_none() {
            "a next charge without a renewal"
        } else if !match kind {
            Kind::Paused => self.months.is_some_and(|months| (1..=PAUSE_MAX_MONTHS).contains(&months)),
            Kind::CodeRedeemed => self.months.is_none_or(|months| (1..=120).contains(&months)),
            _ => self.months.is_none(),
        } {
            "a number of months that it can't have"
        } else if self.infographics > 0 && kind != Kind::Charged {
            "infographics without a charge"
        } else {
            return Ok(());
        };
        Err(InvalidMovement { key: self.key.clone(), fault })
    }

    /// What it takes from the movement that it refers to, in cents; below zero: it gives back what a dispute took.
    pub fn taken_cents(&self) -> i64 {
        if self.kind == MovementKind::DisputeWon { -self.amount.cents() } else { self.amount.cents() }
    }

    /// What is left of a charge after refunds and disputes, by the movements of its purchase.
    pub fn net_of<'a>(&self, all: impl IntoIterator<Item = &'a Self>) -> Money {
        let undoes = |one: &&Self| one.reference.as_deref() == Some(self.key.as_str());
        let taken: i64 = all.into_iter().filter(undoes).map(Self::taken_cents).sum();
        Money::from_cents(self.amount.cents() - taken)
    }

    /// What it does to the accounts: adds up to zero. Empty without money.
    pub fn entries(&self) -> Vec<Entry> {
        let (amount, fee) = (self.amount.cents(), self.fee.cents());
        let lines: &[(Account, i64)] = match self.kind {
            MovementKind::Charged => {
                &[(Account::ProviderCash, amount - fee), (Account::Fees, fee), (Account::Revenue, -amount)]
            }
            MovementKind::Refunded => &[(Account::ProviderCash, -amount), (Account::Refunds, amount)],
            MovementKind::Disputed => {
                &[(Account::ProviderCash, -amount - fee), (Account::Fees, fee), (Account::Disputes, amount)]
            }
            MovementKind::DisputeWon => &[(Account::ProviderCash, amount), (Account::Disputes, -amount)],
            MovementKind::RewardAccrued => &[(Account::RewardExpense, amount), (Account::RewardsPayable, -amount)],
            MovementKind::RewardReversed => &[(Account::RewardExpense, -amount), (Account::RewardsPayable, amount)],
            MovementKind::RewardPaid => &[(Account::RewardsPayable, amount), (Account::PayoutCash, -amount)],
            MovementKind::TrialStarted
            | MovementKind::PlanGiven
            | MovementKind::CodeRedeemed
            | MovementKind::ChargeFailed
            | MovementKind::Canceled
            | MovementKind::Resumed
            | MovementKind::Paused
            | MovementKind::PauseEnded
            | MovementKind::Ended
            | MovementKind::PlanWithdrawn
            | MovementKind::CodeRevoked
            | MovementKind::DisputeLost => &[],
        };
        let entry = |(account, cents): &(Account, i64)| Entry { account: *account, amount: Money::from_cents(*cents) };
        lines.iter().filter(|(_, cents)| *cents != 0).map(entry).collect()
    }
}

/// The longest key, in bytes.
const KEY_MAX: usize = 200;
/// The largest sum of one movement: beyond any provider's limit, and far from where sums of sums overflow.
const LARGEST: Money = Money::from_cents(100_000_000_000);
/// The start of the year 5000, in milliseconds.
const FARTHEST: i64 = 95_617_584_000_000;

#[cfg(test)]
mod tests {
    use super::*;

    const AT: Timestamp = Timestamp::from_millis(1_773_144_000_000);

    fn movement(kind: MovementKind, cents: i64) -> Movement {
        let amount = Money::from_cents(cents);
        Movement { amount, ..Movement::new(kind, "key", &PurchaseKey::new("purchase"), AT) }
    }

    fn period(end: Option<i64>) -> Period {
        Period { starts_at: AT, ends_at: end.map(|millis| AT.plus(millis)) }
    }

    fn undoing(kind: MovementKind, cents: i64) -> Movement {
        Movement { reference: Some("charge".to_owned()), ..movement(kind, cents) }
    }

    const TERMS: RenewalTerms = RenewalTerms { price: Money::from_cents(999), months: 1 };

    /// One of each kind as it should be.
    fn valid() -> Vec<Movement> {
        use MovementKind as Kind;
        vec![
            Movement { period: Some(period(Some(1))), renewal: Some(TERMS), ..movement(Kind::TrialStarted, 0) },
            Movement {
                period: Some(period(Some(1))),
                renewal: Some(TERMS),
                next_charge: Some(NOTHING),
                fee: Money::from_cents(59),
                infographics: 20,
                ..movement(Kind::Charged, 999)
            },
            Movement { period: Some(period(None)), ..movement(Kind::PlanGiven, 0) },
            Movement { months: Some(12), ..movement(Kind::CodeRedeemed, 0) },
            movement(Kind::ChargeFailed, 0),
            movement(Kind::Canceled, 0),
            movement(Kind::Resumed, 0),
            Movement { months: Some(3), ..movement(Kind::Paused, 0) },
            movement(Kind::PauseEnded, 0),
            movement(Kind::Ended, 0),
            undoing(Kind::PlanWithdrawn, 0),
            undoing(Kind::CodeRevoked, 0),
            undoing(Kind::Refunded, 999),
            Movement { fee: Money::from_cents(1_500), ..undoing(Kind::Disputed, 999) },
            undoing(Kind::DisputeWon, 999),
            undoing(Kind::DisputeLost, 0),
            movement(Kind::RewardAccrued, 100),
            movement(Kind::RewardReversed, 100),
            movement(Kind::RewardPaid, 100),
        ]
    }

    #[test]
    fn steps_of_a_renewal_and_what_may_pay_for_a_period_are_told_apart() {
        use MovementKind::{Canceled, Charged, PauseEnded, Paused, Resumed, TrialStarted};
        let those = |of: fn(MovementKind) -> bool| {
            MovementKind::ALL.iter().copied().filter(|kind| of(*kind)).collect::<Vec<_>>()
        };
        assert_eq!(those(MovementKind::is_change_of_renewal), [Canceled, Resumed, Paused, PauseEnded]);
        assert_eq!(those(MovementKind::may_renew), [TrialStarted, Charged]);
    }

    #[test]
    fn every_kind_is_valid_as_it_should_be_and_its_entries_add_up_to_zero() {
        let all = valid();
        assert_eq!(all.iter().map(|one| one.kind).collect::<Vec<_>>(), MovementKind::ALL);
        for one in all {
            assert_eq!(one.check(), Ok(()), "{:?}", one.kind);
            assert_eq!(one.entries().iter().map(|entry| entry.amount.cents()).sum::<i64>(), 0, "{:?}", one.kind);
            assert_eq!(one.entries().is_empty(), one.amount == NOTHING, "{:?}", one.kind);
            assert!(one.entries().iter().all(|entry| entry.amount != NOTHING));
            assert_eq!(one.kind.as_str().parse(), Ok(one.kind));
        }
        assert_eq!("charge".parse::<MovementKind>(), Err(UnknownMovementKind));
        assert_eq!("revenue".parse(), Ok(Account::Revenue));
    }

    #[test]
    fn a_charge_is_cash_and_fees_against_revenue() {
        let lines = |movement: &Movement| {
            movement.entries().iter().map(|one| (one.account.as_str(), one.amount.cents())).collect::<Vec<_>>()
        };
        let all = valid();
        assert_eq!(lines(&all[1]), [("provider_cash", 940), ("fees", 59), ("revenue", -999)]);
        assert_eq!(lines(&all[12]), [("provider_cash", -999), ("refunds", 999)]);
        assert_eq!(lines(&all[13]), [("provider_cash", -2_499), ("fees", 1_500), ("disputes", 999)]);
        assert_eq!(lines(&all[14]), [("provider_cash", 999), ("disputes", -999)]);
        assert_eq!(lines(&all[16]), [("reward_expense", 100), ("rewards_payable", -100)]);
        assert_eq!(lines(&all[17]), [("reward_expense", -100), ("rewards_payable", 100)]);
        assert_eq!(lines(&all[18]), [("rewards_payable", 100), ("payout_cash", -100)]);
    }

    #[test]
    fn what_is_just_within_its_limits_is_valid() {
        use MovementKind as Kind;
        let charge = || valid().remove(1);
        let trial = || valid().remove(0);
        let longest = "x".repeat(KEY_MAX);
        let within = [
            Movement { key: longest.clone(), purchase: PurchaseKey::new(longest), ..charge() },
            movement(Kind::Charged, 0),
            movement(Kind::Charged, LARGEST.cents()),
            Movement { fee: Money::from_cents(999), ..charge() },
            Movement { fee: LARGEST, ..undoing(Kind::Disputed, 999) },
            Movement { next_charge: Some(LARGEST), ..charge() },
            Movement { period: Some(period(Some(0))), ..charge() },
            Movement { renewal: Some(RenewalTerms { price: NOTHING, months: 1 }), ..trial() },
            Movement { renewal: Some(RenewalTerms { months: 12, ..TERMS }), ..trial() },
            Movement { at: Timestamp::from_millis(0), ..movement(Kind::Canceled, 0) },
            Movement { at: Timestamp::from_millis(FARTHEST), ..movement(Kind::Canceled, 0) },
            Movement { months: Some(1), ..movement(Kind::Paused, 0) },
            Movement { months: Some(PAUSE_MAX_MONTHS), ..movement(Kind::Paused, 0) },
            Movement { months: Some(1), ..movement(Kind::CodeRedeemed, 0) },
            Movement { months: Some(120), ..movement(Kind::CodeRedeemed, 0) },
            movement(Kind::CodeRedeemed, 0),
        ];
        for one in within {
            assert_eq!(one.check(), Ok(()), "{one:?}");
        }
        for beyond in [-1, FARTHEST + 1] {
            assert!(Movement { at: Timestamp::from_millis(beyond), ..movement(Kind::Canceled, 0) }.check().is_err());
        }
        assert!(Movement { months: Some(121), ..movement(Kind::CodeRedeemed, 0) }.check().is_err());
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        use MovementKind as Kind;
        let charge = || valid().remove(1);
        let trial = || valid().remove(0);
        let wrong = [
            Movement { key: String::new(), ..charge() },
            Movement { key: "x".repeat(KEY_MAX + 1), ..charge() },
            Movement { purchase: PurchaseKey::new("x".repeat(KEY_MAX + 1)), ..charge() },
            movement(Kind::Charged, -1),
            movement(Kind::Charged, LARGEST.cents() + 1),
            movement(Kind::Canceled, 1),
            undoing(Kind::Refunded, 0),
            movement(Kind::RewardAccrued, 0),
            Movement { fee: Money::from_cents(1_000), ..charge() },
            Movement { fee: Money::from_cents(-1), ..charge() },
            Movement { fee: Money::from_cents(1), ..undoing(Kind::Refunded, 999) },
            movement(Kind::Refunded, 999),
            undoing(Kind::Charged, 999),
            movement(Kind::PlanGiven, 0),
            Movement { period: Some(period(Some(1))), ..movement(Kind::Canceled, 0) },
            Movement { period: Some(period(Some(-1))), ..charge() },
            Movement { at: Timestamp::from_millis(-1), ..charge() },
            Movement { at: Timestamp::from_millis(i64::MAX), ..charge() },
            Movement { period: Some(period(None)), ..charge() },
            Movement { period: None, ..charge() },
            Movement { renewal: None, ..trial() },
            Movement { renewal: Some(RenewalTerms { months: 0, ..TERMS }), ..trial() },
            Movement { renewal: Some(RenewalTerms { months: 13, ..TERMS }), ..trial() },
            Movement { renewal: Some(RenewalTerms { price: Money::from_cents(-1), ..TERMS }), ..trial() },
            Movement { next_charge: Some(NOTHING), ..movement(Kind::Charged, 999) },
            Movement { next_charge: Some(Money::from_cents(-1)), ..charge() },
            Movement { months: Some(0), ..movement(Kind::Paused, 0) },
            Movement { months: Some(PAUSE_MAX_MONTHS + 1), ..movement(Kind::Paused, 0) },
            movement(Kind::Paused, 0),
            Movement { months: Some(0), ..movement(Kind::CodeRedeemed, 0) },
            Movement { months: Some(1), ..charge() },
            Movement { infographics: 20, ..trial() },
        ];
        for one in wrong {
            assert!(one.check().is_err(), "{one:?}");
        }
        for sum in [Money::from_cents(LARGEST.cents() + 1), Money::from_cents(-1)] {
            assert!(Movement { next_charge: Some(sum), ..charge() }.check().is_err(), "{sum:?}");
            assert!(Movement { fee: sum, ..undoing(Kind::Disputed, 999) }.check().is_err(), "{sum:?}");
        }
        let error = movement(Kind::Refunded, 999).check().unwrap_err();
        assert_eq!(error.to_string(), "the movement key has a reference where there is none, or none");
    }
}
