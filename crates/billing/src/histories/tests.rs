//! For every history, in any recording order, the ledger balances and the member has what was paid for.

use std::collections::HashMap;

use kernel::{DAY, Timestamp};

use super::*;
use crate::Account;

fn steps() -> impl Strategy<Value = Vec<(i64, Step)>> {
    steps_of(step())
}

/// A history, and a time after its last step.
fn history(steps: &[(i64, Step)]) -> (Vec<Movement>, Timestamp) {
    let (mut world, mut now) = (World::default(), START);
    for (wait, step) in steps {
        now = now.plus(*wait);
        world.run(*step, now);
    }
    (world.movements, now.plus(1))
}

/// What is left of each charge after refunds and disputes that were not won.
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
            // Duplicates first, then swaps.
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

        // Paid and not refunded: entitled from start to end, unless a switch replaced the charge.
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

        // Without a valid movement behind it there is no entitlement. A grace period needs a running subscription.
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

        // A fully refunded charge justifies no entitlement, and its subscription is over.
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
