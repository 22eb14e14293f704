//! Prevents a person from paying twice for the same thing: checked before purchase, at confirmation and after payment
//! (`billing.owned-twice`).
//!
//! Two checkouts of one person may run at once, and a member may claim a guest's purchase of something they already have.
//! So [`conflict`] checks a purchase before money is taken, and [`surplus`] checks again after every payment and claim.
//! Surplus charges are refunded.

use std::collections::HashSet;

use kernel::Timestamp;

use crate::{AddOn, MemberPlan, Movement, MovementKind, Plan, PlanKind, PurchaseKey, Subscription};

/// Why a person should not buy something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PurchaseConflict {
    /// The person already has this one-time item.
    AlreadyOwned,
    /// The person already has this plan, or a lifetime plan.
    AlreadySubscribed,
    /// Another plan runs; it should be switched instead.
    OtherPlanRuns(Subscription),
}

/// Checks a plan with an optional add-on (`infographics-20`) against what the person has; `None` if it can be bought.
pub fn conflict(
    has: &MemberPlan,
    (plan_id, kind): (&str, PlanKind),
    add_on: Option<&str>,
    now: Timestamp,
) -> Option<PurchaseConflict> {
    let owns = |id: &str| has.items.iter().any(|item| item.plan_id == id);
    if kind == PlanKind::Once && owns(plan_id) || add_on.is_some_and(owns) {
        return Some(PurchaseConflict::AlreadyOwned);
    }
    if !kind.is_for_oneself() {
        return None;
    }
    if has.is_for_life() {
        return Some(PurchaseConflict::AlreadySubscribed);
    }
    let running = has.running(now).filter(|_| kind.is_subscription())?;
    if running.plan_id == plan_id {
        return Some(PurchaseConflict::AlreadySubscribed);
    }
    Some(PurchaseConflict::OtherPlanRuns(running.clone()))
}

/// The plan's id and kind, and the number of infographics bought with it.
pub type PurchasedPlan<'a> = (&'a str, PlanKind, u32);

/// Whether two purchases of one person must not run at once: both contain the same one-time item, or both give a plan to
/// the buyer.
pub fn are_rivals(one: PurchasedPlan<'_>, other: PurchasedPlan<'_>) -> bool {
    let both_for_oneself = one.1.is_for_oneself() && other.1.is_for_oneself();
    both_for_oneself || bought_once(one).any(|id| bought_once(other).any(|other| other == id))
}

/// The ids of the one-time items in a purchase.
fn bought_once((plan_id, kind, infographics): PurchasedPlan<'_>) -> impl Iterator<Item = &str> {
    let itself = (kind == PlanKind::Once).then_some(plan_id);
    itself.into_iter().chain(AddOn::plan_id_of_count(infographics))
}

/// The surplus part of a purchase.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Surplus {
    pub purchase: PurchaseKey,
    pub plan_id: String,
    /// The keys of the charges to refund. Empty for a trial, which is only ended.
    pub charges: Vec<String>,
}

/// Finds what a person has bought in excess, from all of their movements: subscriptions beside the one that began first;
/// with a lifetime plan, every later subscription charge and every later lifetime plan; and repeated purchases of a
/// one-time item. Fully refunded charges are ignored.
///
/// The earliest purchase is always kept, so that concurrent checks keep the same one.
pub fn surplus(movements: &[Movement], plans: &[Plan], now: Timestamp) -> Vec<Surplus> {
    let has = MemberPlan::of(movements);
    let mut charges: Vec<&Movement> = movements
        .iter()
        .filter(|one| one.kind == MovementKind::Charged && one.amount.cents() > 0 && one.net_of(movements).cents() > 0)
        .collect();
    charges.sort_by_key(|one| (one.at, &one.key));
    charges.dedup_by_key(|one| &one.key);
    let is_for_life = |one: &Movement| one.period.is_some_and(|period| period.ends_at.is_none());
    let life_charge = charges.iter().find(|one| is_for_life(one)).map(|one| (one.at, one.key.as_str()));
    // A code that was redeemed and not revoked, or a plan that was given and not withdrawn.
    let gives_life = |one: &Movement| match one.kind {
        MovementKind::CodeRedeemed => one.months.is_none(),
        MovementKind::PlanGiven => is_for_life(one),
        _ => false,
    };
    let life_given = has.entitlements.iter().filter(|one| one.ends_at.is_none()).filter_map(|right| {
        let starts_then = |one: &&Movement| one.period.map_or(one.at, |period| period.starts_at) == right.starts_at;
        let found = movements.iter().filter(|one| gives_life(one)).find(starts_then);
        found.map(|one| (one.at, one.key.as_str()))
    });
    let life = life_charge.into_iter().chain(life_given).min();
    // A lifetime plan ends every subscription, so which ones ran beside the first is checked at the time when it began.
    let without_life: Vec<Movement> =
        movements.iter().filter(|one| !is_for_life(one) && !gives_life(one)).cloned().collect();
    let before_life = MemberPlan::of(&without_life);
    let judged_at = life.map_or(now, |(at, _)| at.min(now));
    let besides: Vec<&Subscription> = before_life.besides_running(judged_at).collect();
    let mut owned = HashSet::new();
    let mut found: Vec<Surplus> = besides
        .iter()
        .map(|one| Surplus { purchase: one.purchase.clone(), plan_id: one.plan_id.clone(), charges: Vec::new() })
        .collect();
    for charge in charges {
        let kind = PlanKind::of_plan(plans, &charge.plan_id);
        let is_surplus = if charge.period.is_some() {
            let is_after_life = life.is_some_and(|life| life < (charge.at, charge.key.as_str()));
            is_after_life || besides.iter().any(|one| one.purchase == charge.purchase)
        } else {
            kind == PlanKind::Once && owned.contains(charge.plan_id.as_str())
        };
        owned.extend(bought_once((&charge.plan_id, kind, charge.infographics)));
        if !is_surplus {
            continue;
        }
        let key = charge.key.clone();
        match found.iter_mut().find(|one| one.purchase == charge.purchase) {
            Some(one) => one.charges.push(key),
            None => found.push(Surplus {
                purchase: charge.purchase.clone(),
                plan_id: charge.plan_id.clone(),
                charges: vec![key],
            }),
        }
    }
    // Charges already refunded and trials that are over are no surplus.
    found.retain(|one| {
        let runs = || has.subscriptions.iter().any(|other| other.purchase == one.purchase && other.runs_at(now));
        !one.charges.is_empty() || runs()
    });
    found
}

/// The keys of the purchase's charges to refund: its surplus, or all of its charges if it lost its coupon's last use to
/// another purchase. `None` if nothing is refunded.
pub fn charges_to_give_back(
    purchase: &PurchaseKey,
    surplus: &[Surplus],
    has_coupon_use: bool,
    movements: &[Movement],
) -> Option<Vec<String>> {
    match surplus.iter().find(|one| one.purchase == *purchase) {
        Some(one) => Some(one.charges.clone()),
        None if has_coupon_use => None,
        None => {
            let charges = movements.iter().filter(|one| one.kind == MovementKind::Charged && one.purchase == *purchase);
            Some(charges.map(|one| one.key.clone()).collect())
        }
    }
}

#[cfg(test)]
mod tests {
    use kernel::{DAY, Money, Period};

    use super::*;
    use crate::{RenewalTerms, STARTING_PLANS};

    const NOW: Timestamp = Timestamp::from_millis(1_773_144_000_000);

    fn plans() -> Vec<Plan> {
        STARTING_PLANS.iter().map(Plan::from).collect()
    }

    /// A charge, `day` days after `NOW`.
    fn charge(plan_id: &str, purchase: &str, day: i64) -> Movement {
        let (plans, at) = (plans(), NOW.plus(day * DAY));
        let kind = PlanKind::of_plan(&plans, plan_id);
        let months = kind.renewal_months();
        let covers = kind == PlanKind::Lifetime || months.is_some();
        let ends_at = months.map(|months| at.plus_months(months));
        let amount = Money::from_cents(1_000);
        Movement {
            plan_id: plan_id.to_owned(),
            amount,
            period: covers.then_some(Period { starts_at: at, ends_at }),
            renewal: months.map(|months| RenewalTerms { price: amount, months }),
            ..Movement::new(MovementKind::Charged, format!("{purchase}:{day}"), &PurchaseKey::new(purchase), at)
        }
    }

    fn refund(charge: &Movement, cents: i64) -> Movement {
        Movement {
            amount: Money::from_cents(cents),
            reference: Some(charge.key.clone()),
            ..Movement::new(
                MovementKind::Refunded,
                format!("{}:refund", charge.key),
                &charge.purchase,
                charge.at.plus(1),
            )
        }
    }

    fn keys(movements: &[Movement]) -> Vec<String> {
        surplus(movements, &plans(), NOW.plus(20 * DAY)).into_iter().flat_map(|one| one.charges).collect()
    }

    #[test]
    fn what_is_surplus_goes_back_and_without_its_coupons_use_all_of_a_purchase() {
        let all = [charge("monthly", "a", 0), charge("monthly", "a", 31), charge("quiz", "b", 0)];
        let surplus = [Surplus {
            purchase: PurchaseKey::new("a"),
            plan_id: "monthly".to_owned(),
            charges: vec!["a:31".to_owned()],
        }];
        let of = |name: &str, surplus: &[Surplus], has_coupon_use| {
            charges_to_give_back(&PurchaseKey::new(name), surplus, has_coupon_use, &all)
        };
        for has_coupon_use in [true, false] {
            assert_eq!(of("a", &surplus, has_coupon_use), Some(vec!["a:31".to_owned()]));
        }
        assert_eq!(of("b", &surplus, true), None, "it stays");
        assert_eq!(of("b", &surplus, false), Some(vec!["b:0".to_owned()]));
        assert_eq!(of("a", &[], false), Some(vec!["a:0".to_owned(), "a:31".to_owned()]));
        assert_eq!(of("c", &[], false), Some(Vec::new()), "nothing was taken: the trial is ended");
    }

    #[test]
    fn what_is_bought_once_is_surplus_from_its_second_purchase_on() {
        let (one, two, three) = (charge("quiz", "a", 0), charge("quiz", "b", 0), charge("quiz", "c", 1));
        assert_eq!(keys(&[three.clone(), two.clone(), one.clone()]), ["b:0", "c:1"]);
        assert_eq!(
            keys(&[one.clone(), refund(&one, 1_000), two.clone(), three.clone()]),
            ["c:1"],
            "the first went back"
        );
        assert_eq!(keys(&[one.clone(), refund(&one, 999), two]), ["b:0"], "of the first a cent is left");
        assert!(
            keys(&[charge("gift", "a", 0), charge("gift", "b", 0), charge("bulk", "c", 0), charge("bulk", "d", 0)])
                .is_empty()
        );
        assert!(keys(&[one, charge("personality-quiz", "b", 0), charge("book-walden", "c", 0)]).is_empty());
        let bundle = Movement { infographics: 20, ..charge("yearly", "a", 0) };
        assert_eq!(keys(&[bundle, charge("infographics-20", "b", 1), charge("infographics-50", "c", 1)]), ["b:1"]);
    }

    #[test]
    fn with_a_plan_for_life_later_charges_of_plans_are_surplus_and_earlier_ones_stay() {
        let life = charge("lifetime", "life", 5);
        let renewed = charge("monthly", "sub", 6);
        assert_eq!(keys(&[charge("monthly", "sub", 0), life.clone(), renewed]), ["sub:6"]);
        assert_eq!(
            keys(&[life.clone(), charge("lifetime", "again", 5), charge("yearly", "sub", 7)]),
            ["life:5", "sub:7"]
        );
        let returned = refund(&life, 1_000);
        assert!(keys(&[life, returned, charge("yearly", "sub", 7)]).is_empty());
        let two = [charge("monthly", "b", 0), charge("yearly", "a", 1), charge("lifetime", "life", 5)];
        assert_eq!(keys(&two), ["a:1"], "a subscription that ran besides another one, also when both have ended");
        let given = Movement {
            period: Some(Period { starts_at: NOW, ends_at: None }),
            ..Movement::new(MovementKind::PlanGiven, "given", &PurchaseKey::new("given"), NOW)
        };
        assert_eq!(keys(&[given, charge("yearly", "sub", 7)]), ["sub:7"], "a plan for life that an admin gave");
        let code = Movement::new(MovementKind::CodeRedeemed, "code", &PurchaseKey::new("code"), NOW);
        assert_eq!(keys(&[code, charge("lifetime", "life", 5)]), ["life:5"]);
    }

    #[test]
    fn of_subscriptions_the_one_that_began_first_stays_and_a_trial_beside_it_is_ended() {
        let all = [charge("monthly", "b", 0), charge("yearly", "a", 1)];
        assert_eq!(keys(&all), ["a:1"]);
        let trial = Movement {
            plan_id: "yearly".to_owned(),
            period: Some(Period { starts_at: NOW.plus(19 * DAY), ends_at: Some(NOW.plus(22 * DAY)) }),
            renewal: Some(RenewalTerms { price: Money::from_cents(1_000), months: 12 }),
            ..Movement::new(MovementKind::TrialStarted, "trial", &PurchaseKey::new("t"), NOW.plus(19 * DAY))
        };
        let found = surplus(&[all[0].clone(), trial], &plans(), NOW.plus(20 * DAY));
        assert_eq!(found, [Surplus { purchase: PurchaseKey::new("t"), plan_id: "yearly".to_owned(), charges: vec![] }]);
    }

    #[test]
    fn two_plans_for_oneself_and_the_same_thing_twice_are_rivals() {
        let kinds = plans();
        // `+20` means with 20 infographics.
        let bought = |text: &'static str| {
            let (plan, more) = text.split_once('+').unwrap_or((text, "0"));
            (plan, PlanKind::of_plan(&kinds, plan), more.parse().expect("a number"))
        };
        let rivals = |one, other| are_rivals(bought(one), bought(other));
        for (one, other, result) in [
            ("monthly", "yearly", true),
            ("lifetime", "lifetime", true),
            ("quiz", "quiz", true),
            ("quiz", "personality-quiz", false),
            ("gift", "gift", false),
            ("bulk", "yearly", false),
            ("book-walden", "book-walden", true),
            ("gift+20", "bulk+20", true),
            ("gift+20", "infographics-20", true),
            ("gift+20", "bulk+50", false),
            ("gift+20", "gift", false),
        ] {
            assert_eq!((rivals(one, other), rivals(other, one)), (result, result), "{one} {other}");
        }
    }

    #[test]
    fn nobody_is_asked_to_pay_for_what_they_have() {
        let has = |movements: &[Movement]| MemberPlan::of(movements);
        let ask = |has: &MemberPlan, id: &str, add_on: Option<&str>| {
            conflict(has, (id, PlanKind::of_plan(&plans(), id)), add_on, NOW.plus(DAY))
        };
        let monthly = has(&[charge("monthly", "a", 0), charge("quiz", "q", 0)]);
        assert_eq!(ask(&monthly, "monthly", None), Some(PurchaseConflict::AlreadySubscribed));
        assert!(
            matches!(ask(&monthly, "yearly", None), Some(PurchaseConflict::OtherPlanRuns(one)) if one.plan_id == "monthly")
        );
        assert_eq!(ask(&monthly, "quiz", None), Some(PurchaseConflict::AlreadyOwned));
        for free in ["lifetime", "gift", "bulk", "personality-quiz"] {
            assert_eq!(ask(&monthly, free, None), None, "{free}");
        }
        let life = has(&[charge("lifetime", "a", 0), charge("infographics-20", "i", 0)]);
        for taken in ["monthly", "yearly", "lifetime"] {
            assert_eq!(ask(&life, taken, None), Some(PurchaseConflict::AlreadySubscribed), "{taken}");
        }
        assert_eq!(ask(&life, "gift", None), None);
        assert_eq!(ask(&life, "gift", Some("infographics-20")), Some(PurchaseConflict::AlreadyOwned));
        assert_eq!(ask(&life, "gift", Some("infographics-50")), None);
    }
}
