//! Random histories of a member: whatever happens, in whatever order it is recorded, the books balance and the member has what
//! was paid for.

use std::collections::HashMap;

use kernel::{DAY, Money, Period, Timestamp};
use proptest::prelude::*;

use crate::{Account, MemberPlan, Movement, MovementKind, PAUSE_MAX_MONTHS, PurchaseKey, RenewalTerms};

const START: Timestamp = Timestamp::from_millis(1_832_932_800_000);

/// What the member, an admin or the provider does next.
#[derive(Clone, Copy, Debug)]
enum Step {
    Try,
    Buy { yearly: bool },
    Lifetime,
    Renew,
    Fail,
    Cancel,
    Resume,
    Pause { months: u32 },
    EndPause,
    Switch { yearly: bool },
    Refund { which: usize, part: bool },
    Dispute { which: usize },
    WinDispute { which: usize },
    Redeem,
    Revoke { which: usize },
    Give { days: i64 },
    Withdraw { which: usize },
    BuyItem,
    End,
}

fn steps() -> impl Strategy<Value = Vec<(i64, Step)>> {
    let which = 0..4_usize;
    let step = prop_oneof![
        Just(Step::Try),
        any::<bool>().prop_map(|yearly| Step::Buy { yearly }),
        Just(Step::Lifetime),
        Just(Step::Renew),
        Just(Step::Renew),
        Just(Step::Fail),
        Just(Step::Cancel),
        Just(Step::Resume),
        (1..=PAUSE_MAX_MONTHS).prop_map(|months| Step::Pause { months }),
        Just(Step::EndPause),
        any::<bool>().prop_map(|yearly| Step::Switch { yearly }),
        (which.clone(), any::<bool>()).prop_map(|(which, part)| Step::Refund { which, part }),
        which.clone().prop_map(|which| Step::Dispute { which }),
        which.clone().prop_map(|which| Step::WinDispute { which }),
        Just(Step::Redeem),
        which.clone().prop_map(|which| Step::Revoke { which }),
        (1..400_i64).prop_map(|days| Step::Give { days }),
        which.prop_map(|which| Step::Withdraw { which }),
        Just(Step::BuyItem),
        Just(Step::End),
    ];
    // Short waits too: a trial lasts three days.
    let wait = prop_oneof![0..60 * DAY, 0..2 * DAY];
    prop::collection::vec((wait, step), 1..30)
}

/// A provider and an admin that do as they are told.
#[derive(Default)]
struct World {
    movements: Vec<Movement>,
    count: usize,
    subscription: usize,
}

/// A plan's id, its price in cents and its months.
const fn terms(yearly: bool) -> (&'static str, i64, u32) {
    if yearly { ("yearly", 5_999, 12) } else { ("monthly", 999, 1) }
}

impl World {
    fn add(&mut self, kind: MovementKind, purchase: String, at: Timestamp) -> &mut Movement {
        self.count += 1;
        self.movements.push(Movement::new(kind, format!("event-{}", self.count), &PurchaseKey::new(purchase), at));
        self.movements.last_mut().unwrap()
    }

    fn of_subscription(&mut self, kind: MovementKind, at: Timestamp) -> &mut Movement {
        self.add(kind, format!("sub-{}", self.subscription), at)
    }

    fn charge(&mut self, yearly: bool, start: Timestamp, at: Timestamp) {
        let (id, cents, months) = terms(yearly);
        let one = self.of_subscription(MovementKind::Charged, at);
        one.plan_id = id.to_owned();
        (one.amount, one.fee) = (Money::from_cents(cents), Money::from_cents(30));
        one.period = Some(Period { starts_at: start, ends_at: Some(start.plus_months(months)) });
        one.renewal = Some(RenewalTerms { price: one.amount, months });
    }

    fn begin_trial(&mut self, yearly: bool, at: Timestamp, ends_at: Timestamp) {
        let (id, cents, months) = terms(yearly);
        let one = self.of_subscription(MovementKind::TrialStarted, at);
        one.plan_id = id.to_owned();
        one.period = Some(Period { starts_at: at, ends_at: Some(ends_at) });
        one.renewal = Some(RenewalTerms { price: Money::from_cents(cents), months });
    }

    fn was_charged(&self, purchase: &PurchaseKey) -> bool {
        self.movements.iter().any(|one| one.kind == MovementKind::Charged && one.purchase == *purchase)
    }

    fn latest(&self) -> Option<crate::Subscription> {
        let plan = MemberPlan::of(&self.movements);
        let key = PurchaseKey::new(format!("sub-{}", self.subscription));
        plan.subscriptions.into_iter().find(|one| one.purchase == key)
    }

    fn nth(&self, kind: MovementKind, which: usize) -> Option<Movement> {
        let found: Vec<&Movement> = self.movements.iter().filter(|one| one.kind == kind).collect();
        found.get(which % found.len().max(1)).map(|one| (*one).clone())
    }

    fn undo(&mut self, kind: MovementKind, undone: MovementKind, which: usize, at: Timestamp, cents: Option<i64>) {
        let Some(one) = self.nth(undone, which) else { return };
        // What a provider gives back is never more than what it took.
        let taken: i64 = self
            .movements
            .iter()
            .filter(|back| back.reference.as_ref() == Some(&one.key))
            .map(|back| match back.kind {
                MovementKind::DisputeWon => -back.amount.cents(),
                _ => back.amount.cents(),
            })
            .sum();
        let left = if kind == MovementKind::DisputeWon { taken } else { one.amount.cents() - taken };
        let amount = cents.map_or(left, |cents| cents.min(left));
        let is_money = undone == MovementKind::Charged;
        if is_money == (amount <= 0) {
            return;
        }
        let back = self.add(kind, one.purchase.to_string(), at);
        back.reference = Some(one.key);
        back.amount = Money::from_cents(if is_money { amount } else { 0 });
    }

    fn run(&mut self, step: Step, at: Timestamp) {
        match step {
            Step::Try => {
                self.subscription += 1;
                self.begin_trial(false, at, at.plus(3 * DAY));
            }
            Step::Buy { yearly } => {
                self.subscription += 1;
                self.charge(yearly, at, at);
            }
            Step::Lifetime => {
                let purchase = format!("life-{}", self.count);
                let one = self.add(MovementKind::Charged, purchase, at);
                one.plan_id = "lifetime".to_owned();
                one.amount = Money::from_cents(14_900);
                one.period = Some(Period { starts_at: at, ends_at: None });
            }
            Step::Renew => {
                if let Some(one) = self.latest().filter(|one| one.next_charge_at(at).is_some()) {
                    self.charge(one.plan_id == "yearly", one.due_at.max(at), at);
                }
            }
            Step::Switch { yearly } => {
                let other = if yearly { "yearly" } else { "monthly" };
                match self.latest().filter(|one| one.runs_at(at) && one.plan_id != other) {
                    // The trial goes on, and nothing is charged.
                    Some(one) if at < one.paid_until && !self.was_charged(&one.purchase) => {
                        self.begin_trial(yearly, at, one.paid_until);
                    }
                    Some(_) => self.charge(yearly, at, at),
                    None => {}
                }
            }
            Step::Fail => drop(self.of_subscription(MovementKind::ChargeFailed, at)),
            Step::Cancel => drop(self.of_subscription(MovementKind::Canceled, at)),
            Step::Resume => drop(self.of_subscription(MovementKind::Resumed, at)),
            Step::Pause { months } => self.of_subscription(MovementKind::Paused, at).months = Some(months),
            Step::EndPause => drop(self.of_subscription(MovementKind::PauseEnded, at)),
            Step::End => drop(self.of_subscription(MovementKind::Ended, at)),
            Step::Refund { which, part } => {
                self.undo(MovementKind::Refunded, MovementKind::Charged, which, at, part.then_some(300));
            }
            Step::Dispute { which } => self.undo(MovementKind::Disputed, MovementKind::Charged, which, at, None),
            Step::WinDispute { which } => {
                let disputed = self.nth(MovementKind::Disputed, which);
                if let Some(dispute) = disputed {
                    let won = self
                        .movements
                        .iter()
                        .any(|one| one.kind == MovementKind::DisputeWon && one.reference == dispute.reference);
                    if !won {
                        let one = self.add(MovementKind::DisputeWon, dispute.purchase.to_string(), at);
                        (one.reference, one.amount) = (dispute.reference, dispute.amount);
                    }
                }
            }
            Step::Redeem => {
                let purchase = format!("code-{}", self.count);
                let one = self.add(MovementKind::CodeRedeemed, purchase, at);
                (one.plan_id, one.months) = ("gift".to_owned(), Some(12));
            }
            Step::Revoke { which } => {
                self.undo(MovementKind::CodeRevoked, MovementKind::CodeRedeemed, which, at, None);
            }
            Step::Give { days } => {
                let purchase = format!("given-{}", self.count);
                let one = self.add(MovementKind::PlanGiven, purchase, at);
                one.plan_id = "yearly".to_owned();
                one.period = Some(Period { starts_at: at, ends_at: Some(at.plus(days * DAY)) });
            }
            Step::Withdraw { which } => {
                self.undo(MovementKind::PlanWithdrawn, MovementKind::PlanGiven, which, at, None);
            }
            Step::BuyItem => {
                let purchase = format!("item-{}", self.count);
                let one = self.add(MovementKind::Charged, purchase, at);
                (one.plan_id, one.amount) = ("quiz".to_owned(), Money::from_cents(299));
            }
        }
    }
}

/// A history, and a moment after its last step.
fn history(steps: &[(i64, Step)]) -> (Vec<Movement>, Timestamp) {
    let (mut world, mut now) = (World::default(), START);
    for (wait, step) in steps {
        now = now.plus(*wait);
        world.run(*step, now);
    }
    (world.movements, now.plus(1))
}

/// How much of each charge is left: what was taken less refunds and lost disputes.
fn kept(movements: &[Movement]) -> HashMap<&str, i64> {
    let mut kept: HashMap<&str, i64> = HashMap::new();
    for one in movements {
        let cents = one.amount.cents();
        match (one.kind, one.reference.as_deref()) {
            (MovementKind::Charged, _) => *kept.entry(&one.key).or_default() += cents,
            (MovementKind::Refunded | MovementKind::Disputed, Some(key)) => *kept.entry(key).or_default() -= cents,
            (MovementKind::DisputeWon, Some(key)) => *kept.entry(key).or_default() += cents,
            _ => {}
        }
    }
    kept
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, ..ProptestConfig::default() })]

    #[test]
    fn any_order_and_any_repetition_give_the_same_plan(
        (steps, seed) in steps().prop_flat_map(|steps| {
            let most = steps.len() * 3;
            (Just(steps), prop::collection::vec(any::<prop::sample::Index>(), most))
        }),
    ) {
        let (movements, _) = history(&steps);
        let plan = MemberPlan::of(&movements);
        let mut recorded = movements.clone();
        for (n, index) in seed.iter().enumerate().filter(|_| !movements.is_empty()) {
            // Repeats first, then exchanges.
            if n < movements.len() {
                recorded.push(index.get(&movements).clone());
            } else {
                let other = index.index(recorded.len());
                let here = n % recorded.len();
                recorded.swap(here, other);
            }
        }
        prop_assert_eq!(MemberPlan::of(&recorded), plan);
    }

    #[test]
    fn the_ledger_balances_and_says_what_was_kept(steps in steps()) {
        let (movements, _) = history(&steps);
        let mut accounts: HashMap<Account, i64> = HashMap::new();
        for one in &movements {
            prop_assert!(one.check().is_ok(), "{:?}", one.check());
            let entries = one.entries();
            prop_assert_eq!(entries.iter().map(|entry| entry.amount.cents()).sum::<i64>(), 0);
            for entry in entries {
                *accounts.entry(entry.account).or_default() += entry.amount.cents();
            }
        }
        let of = |account: Account| accounts.get(&account).copied().unwrap_or_default();
        let kept = kept(&movements);
        prop_assert!(kept.values().all(|cents| *cents >= 0));
        prop_assert_eq!(of(Account::ProviderCash) + of(Account::Fees), kept.values().sum::<i64>());
        prop_assert_eq!(accounts.values().sum::<i64>(), 0);
    }

    #[test]
    fn who_paid_is_entitled_and_who_did_not_is_not(steps in steps()) {
        let (movements, now) = history(&steps);
        let (plan, kept) = (MemberPlan::of(&movements), kept(&movements));
        let charges = || movements.iter().filter(|one| one.kind == MovementKind::Charged);
        let is_kept = |one: &Movement| kept.get(one.key.as_str()).is_some_and(|cents| *cents > 0);

        // Paid and not refunded: entitled from the start to the end, unless a switch took the charge's place.
        for one in charges().filter(|one| is_kept(one)) {
            let Some(period) = one.period else {
                prop_assert!(plan.items.iter().any(|item| item.purchase == one.purchase));
                continue;
            };
            let switched = charges()
                .filter(|other| other.purchase == one.purchase && other.plan_id != one.plan_id && is_kept(other))
                .filter(|other| (other.at, &other.key) > (one.at, &one.key))
                .filter_map(|other| other.period.map(|period| period.starts_at))
                .min();
            let end = period.ends_at.unwrap_or(now.plus(9_999 * DAY));
            for at in [period.starts_at, end.plus(-1), Timestamp::from_millis(
                i64::midpoint(period.starts_at.millis(), end.millis()),
            )] {
                let counts = switched.is_none_or(|switch| at < switch) && period.contains(at);
                prop_assert!(!counts || plan.is_paid_at(at), "{one:?} at {at:?}");
            }
        }

        // Nothing that stands behind it: not entitled. A running subscription stands behind its grace.
        let undone = |key: &str| {
            movements.iter().any(|one| {
                one.reference.as_deref() == Some(key)
                    && matches!(one.kind, MovementKind::PlanWithdrawn | MovementKind::CodeRevoked)
            })
        };
        let stands = movements.iter().any(|one| match one.kind {
            MovementKind::Charged => one.period.is_some() && is_kept(one),
            MovementKind::PlanGiven | MovementKind::CodeRedeemed => !undone(&one.key),
            MovementKind::TrialStarted => one.period.is_some_and(|period| period.ends_at.is_none_or(|end| end > now)),
            _ => false,
        });
        let runs = plan.running(now).is_some();
        prop_assert!(stands || runs || !plan.is_paid_at(now), "{movements:?}");

        // A charge that was given back in whole stands behind nothing, and its subscription is over.
        for one in charges().filter(|one| !is_kept(one)) {
            prop_assert!(plan.items.iter().all(|item| item.purchase != one.purchase));
        }
        for one in &plan.subscriptions {
            prop_assert!(one.next_charge.cents() >= 0 && one.due_at >= one.paid_until);
            prop_assert_eq!(one.next_charge_at(one.over_at()), None);
            let holds_for_life = plan.entitlements.iter().any(|right| right.ends_at.is_none() && right.starts_at <= now);
            prop_assert!(!holds_for_life || !one.runs_at(now));
        }
    }

    #[test]
    fn no_redeemed_time_is_lost_or_won(steps in steps()) {
        let steps: Vec<_> = steps.into_iter().filter(|(_, step)| {
            !matches!(step, Step::Lifetime | Step::Revoke { .. } | Step::Dispute { .. } | Step::WinDispute { .. })
        }).collect();
        let (movements, now) = history(&steps);
        let codes = movements.iter().filter(|one| one.kind == MovementKind::CodeRedeemed).count();
        let plan = MemberPlan::of(&movements);
        let redeemed: i64 = plan
            .entitlements
            .iter()
            .filter(|one| one.plan_id == "gift")
            .map(|one| one.ends_at.unwrap_or(now).since(one.starts_at))
            .sum();
        let years = i64::try_from(codes).unwrap();
        prop_assert!((365 * DAY * years..=366 * DAY * years).contains(&redeemed), "{redeemed} of {codes}");
    }
}
