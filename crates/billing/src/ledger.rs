//! The ledger: the append-only record of a payer's money and plans, with double-entry bookkeeping
//! (`billing.ledger-append`).
//!
//! A movement is recorded once by its key and never changed. Its entries sum to zero.

use std::fmt;

use kernel::{Money, Period, Timestamp};

use crate::{CODE_MONTHS_MAX, RenewalTerms};

/// The maximum length of a pause, in months.
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
            pub const ALL: &[Self] = &[$(Self::$variant,)+];

            /// The name in the database.
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
    /// What happened. The order of the variants breaks ties between movements at the same time.
    MovementKind, UnknownMovementKind, "kind of movement":
    TrialStarted = "trial_started",
    /// Money was taken. If the movement has a period, the charge pays for that period.
    Charged = "charged",
    PlanGiven = "plan_given",
    CodeRedeemed = "code_redeemed",
    /// A charge of a subscription failed.
    ChargeFailed = "charge_failed",
    /// The member turned renewal off.
    Canceled = "canceled",
    /// The member turned renewal on again.
    Resumed = "resumed",
    /// The member paused the subscription; the pause starts after the paid period.
    Paused = "paused",
    /// The member ended the pause early.
    PauseEnded = "pause_ended",
    /// The subscription ended for good.
    Ended = "ended",
    /// An admin took back a plan that was given.
    PlanWithdrawn = "plan_withdrawn",
    /// A redeemed code was revoked, for example because its payment was refunded.
    CodeRevoked = "code_revoked",
    /// Money was paid back.
    Refunded = "refunded",
    /// The payer's bank took the money back while the dispute is decided.
    Disputed = "disputed",
    /// The dispute was decided in our favor, and the money came back.
    DisputeWon = "dispute_won",
    /// The dispute was decided for the payer. The money was already taken when the dispute was opened.
    DisputeLost = "dispute_lost",
    /// A referral earned a reward.
    RewardAccrued = "reward_accrued",
    /// A reward was taken back, in whole or in part.
    RewardReversed = "reward_reversed",
    /// A reward was paid out.
    RewardPaid = "reward_paid",
}

impl MovementKind {
    /// Whether the member changed how the subscription renews. The keys of these movements contain a counter of earlier
    /// ones.
    pub const fn is_change_of_renewal(self) -> bool {
        matches!(self, Self::Canceled | Self::Resumed | Self::Paused | Self::PauseEnded)
    }

    /// Whether the movement can carry renewal terms: it starts a trial or pays for a period.
    pub const fn may_renew(self) -> bool {
        matches!(self, Self::TrialStarted | Self::Charged)
    }
}

named! {
    /// An account of the ledger. Debits are positive, credits negative.
    Account, UnknownAccount, "account":
    /// Money that the payment providers hold for us.
    ProviderCash = "provider_cash",
    /// Fees of the payment providers.
    Fees = "fees",
    Revenue = "revenue",
    Refunds = "refunds",
    /// Money taken back by banks in disputes.
    Disputes = "disputes",
    /// The cost of referral rewards.
    RewardExpense = "reward_expense",
    /// Referral rewards owed but not paid out.
    RewardsPayable = "rewards_payable",
    /// The account that rewards are paid out of.
    PayoutCash = "payout_cash",
}

/// One line of a movement, in one account.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    pub account: Account,
    /// A debit when positive, a credit when negative; never zero.
    pub amount: Money,
}

/// The key shared by the movements of one purchase: a checkout reference, or the key of a code or a given plan. At most
/// 200 bytes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PurchaseKey(String);

impl PurchaseKey {
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for PurchaseKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// One event of a payer's money or plans: a transaction of the ledger.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Movement {
    /// The unique key: the provider's id of the object and what happened to it (`stripe:pi_1:charged`).
    pub key: String,
    /// When it happened, by the clock of the provider or of the server, whichever acted.
    pub at: Timestamp,
    /// The purchase it belongs to.
    pub purchase: PurchaseKey,
    pub kind: MovementKind,
    /// The id of the plan or item: `yearly`, `book-{subid}`.
    pub plan_id: String,
    /// The plan's display name.
    pub plan_name: String,
    /// The amount, never negative. `kind` determines the direction.
    pub amount: Money,
    /// The provider's fee for a charge or a dispute.
    pub fee: Money,
    /// The period covered by a trial, a charge or a given plan; `None` if no period is covered, as for a book.
    pub period: Option<Period>,
    /// For a refund, a dispute, a revoked code or a withdrawn plan: the key of the movement it undoes.
    pub reference: Option<String>,
    /// The length of a pause or of a redeemed code, in months; for a redeemed code `None` means for life.
    pub months: Option<u32>,
    /// Price and interval of later charges, from this trial or charge on.
    pub renewal: Option<RenewalTerms>,
    /// The amount of the next charge if it differs from the renewal price: the first charge, or one reduced by a credit.
    pub next_charge: Option<Money>,
    /// The number of infographics bought with it.
    pub infographics: u32,
}

/// The movement is inconsistent and was not recorded.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the movement {key} has {fault}")]
pub struct InvalidMovement {
    key: String,
    fault: &'static str,
}

const NOTHING: Money = Money::from_cents(0);

impl Movement {
    /// A movement with only these fields set. The caller sets what the kind needs besides.
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

    /// Checks that the movement has what its kind needs, and nothing else.
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
            Kind::CodeRedeemed => self.months.is_none_or(|months| (1..=CODE_MONTHS_MAX).contains(&months)),
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

    /// The amount taken from the referenced movement, in cents; negative for a won dispute, which returns the money.
    pub fn taken_cents(&self) -> i64 {
        if self.kind == MovementKind::DisputeWon { -self.amount.cents() } else { self.amount.cents() }
    }

    /// What remains of this charge after refunds and disputes. `all` contains the movements of its purchase.
    pub fn net_of<'a>(&self, all: impl IntoIterator<Item = &'a Self>) -> Money {
        let undoes = |one: &&Self| one.reference.as_deref() == Some(self.key.as_str());
        let taken: i64 = all.into_iter().filter(undoes).map(Self::taken_cents).sum();
        Money::from_cents(self.amount.cents() - taken)
    }

    /// The entries of this movement, which sum to zero; empty if no money moves.
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

/// The maximum length of a key, in bytes.
const KEY_MAX: usize = 200;
/// The maximum amount of one movement: above any provider's limit, and small enough that sums can't overflow.
const LARGEST: Money = Money::from_cents(100_000_000_000);
/// The latest time accepted: the start of the year 5000, in milliseconds.
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

    /// One valid movement of each kind.
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
            Movement { months: Some(CODE_MONTHS_MAX), ..movement(Kind::CodeRedeemed, 0) },
            movement(Kind::CodeRedeemed, 0),
        ];
        for one in within {
            assert_eq!(one.check(), Ok(()), "{one:?}");
        }
        for beyond in [-1, FARTHEST + 1] {
            assert!(Movement { at: Timestamp::from_millis(beyond), ..movement(Kind::Canceled, 0) }.check().is_err());
        }
        assert!(Movement { months: Some(CODE_MONTHS_MAX + 1), ..movement(Kind::CodeRedeemed, 0) }.check().is_err());
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
