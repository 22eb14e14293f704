//! Ledger data for referral rewards, and the movements that record a reward (`referral.own-purchase`).

use kernel::{Money, Timestamp};

use crate::{Movement, MovementKind, PurchaseKey};

/// The purchases for which money was taken, without duplicates.
pub fn charged_purchases(movements: &[Movement]) -> Vec<PurchaseKey> {
    let charged = movements.iter().filter(|one| one.kind == MovementKind::Charged && one.amount.cents() > 0);
    let mut purchases: Vec<PurchaseKey> = charged.map(|one| one.purchase.clone()).collect();
    purchases.sort_unstable();
    purchases.dedup();
    purchases
}

/// The first charge of a purchase, as referral rewards need it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FirstCharge {
    pub at: Timestamp,
    /// The amount left after refunds and disputes.
    pub net: Money,
    /// Whether the payer had never paid before.
    pub is_first_payment: bool,
}

/// Finds the first charge of a purchase. `movements` contains all of its owner's; `None` if the purchase was never
/// charged.
pub fn first_charge_of(purchase: &PurchaseKey, movements: &[Movement]) -> Option<FirstCharge> {
    let charges = || movements.iter().filter(|one| one.kind == MovementKind::Charged);
    let first = charges().filter(|one| one.purchase == *purchase).min_by_key(|one| (one.at, &one.key))?;
    let is_before = |one: &Movement| one.amount.cents() > 0 && (one.at, &one.key) < (first.at, &first.key);
    Some(FirstCharge { at: first.at, net: first.net_of(movements), is_first_payment: !charges().any(is_before) })
}

/// The movement that changes a purchase's reward from `before` to `after`. `cause` names what changed it, such as a
/// movement's key.
pub fn reward_change(purchase: &PurchaseKey, cause: &str, (before, after): (Money, Money), now: Timestamp) -> Movement {
    let difference = after.cents() - before.cents();
    let kind = if difference > 0 { MovementKind::RewardAccrued } else { MovementKind::RewardReversed };
    Movement {
        amount: Money::from_cents(difference.abs()),
        ..Movement::new(kind, format!("reward:{cause}"), &PurchaseKey::new(format!("reward:{purchase}")), now)
    }
}

#[cfg(test)]
mod tests {
    use kernel::DAY;

    use super::*;

    const NOW: Timestamp = Timestamp::from_millis(1_773_144_000_000);

    /// A charge, `day` days after `NOW`.
    fn charge(purchase: &str, cents: i64, day: i64) -> Movement {
        let key = format!("{purchase}:{day}");
        Movement {
            amount: Money::from_cents(cents),
            ..Movement::new(MovementKind::Charged, key, &PurchaseKey::new(purchase), NOW.plus(day * DAY))
        }
    }

    fn refund(charge: &Movement, cents: i64) -> Movement {
        Movement {
            amount: Money::from_cents(cents),
            reference: Some(charge.key.clone()),
            ..Movement::new(MovementKind::Refunded, format!("{}:back", charge.key), &charge.purchase, charge.at.plus(1))
        }
    }

    #[test]
    fn purchases_that_took_money_are_named_once() {
        let trial = Movement { kind: MovementKind::TrialStarted, ..charge("trial", 0, 0) };
        let all = [charge("b", 999, 0), charge("a", 5, 1), charge("free", 0, 1), trial, charge("b", 999, 31)];
        let names: Vec<_> = charged_purchases(&all).iter().map(ToString::to_string).collect();
        assert_eq!(names, ["a", "b"]);
    }

    #[test]
    fn the_first_charge_of_a_purchase_is_the_earliest_less_what_went_back() {
        let (first, second) = (charge("a", 999, 1), charge("a", 999, 32));
        let of = |movements: &[Movement]| first_charge_of(&PurchaseKey::new("a"), movements);
        assert_eq!(of(&[charge("b", 5, 0)]), None);
        let found = of(&[second.clone(), first.clone(), refund(&first, 300), refund(&second, 999)]).unwrap();
        assert_eq!((found.at, found.net.cents(), found.is_first_payment), (first.at, 699, true));
    }

    #[test]
    fn a_payment_is_the_first_unless_money_was_taken_before() {
        let is_first = |other: Movement| {
            first_charge_of(&PurchaseKey::new("a"), &[charge("a", 999, 1), other]).unwrap().is_first_payment
        };
        assert!(!is_first(charge("b", 1, 0)));
        assert!(is_first(charge("b", 0, 0)) && is_first(charge("b", 1, 2)));
        // Two charges at the same time are ordered by key, the same way for both purchases.
        let (a, b) = (charge("a", 999, 1), charge("b", 999, 1));
        let judge =
            |name: &str| first_charge_of(&PurchaseKey::new(name), &[a.clone(), b.clone()]).unwrap().is_first_payment;
        assert_eq!((judge("a"), judge("b")), (true, false));
    }

    #[test]
    fn a_reward_that_changes_is_recorded_as_the_difference() {
        let change = |before, after| {
            let sums = (Money::from_cents(before), Money::from_cents(after));
            let movement = reward_change(&PurchaseKey::new("co_1"), "stripe:pi_1:charged", sums, NOW);
            movement.check().unwrap();
            assert_eq!(
                (movement.key.as_str(), movement.purchase.as_str()),
                ("reward:stripe:pi_1:charged", "reward:co_1")
            );
            (movement.kind, movement.amount.cents())
        };
        assert_eq!(change(0, 250), (MovementKind::RewardAccrued, 250));
        assert_eq!(change(250, 100), (MovementKind::RewardReversed, 150));
        assert_eq!(change(250, 0), (MovementKind::RewardReversed, 250));
    }
}
