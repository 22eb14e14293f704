//! The behavior of every billing store together with the rules of [`Billing`]: one suite for memory and Postgres.

mod checkouts;
mod codes;
mod gifts;
mod ledger;

use kernel::{DAY, Email, Money, Period, Timestamp, UserId};

use crate::{
    Billing, BillingStore, Coupon, CouponCode, Discount, Entitlement, Percent, Plan, PlanKind, PurchaseKey,
    STARTING_PLANS,
};

/// A store under test, and a way to add members, who are stored by another domain.
pub trait World {
    fn add_member(&mut self, email: &Email) -> UserId;
    fn store(&mut self) -> &mut dyn BillingStore;
}

/// A test case, run on an empty store.
pub type Case = fn(&mut dyn World);

/// Runs all cases. `on_empty_store` runs each case on a new store.
pub fn run(mut on_empty_store: impl FnMut(Case)) {
    for case in [CASES, ledger::CASES, checkouts::CASES, codes::CASES, gifts::CASES].concat() {
        on_empty_store(case);
    }
}

/// The compiler reports a case that is missing here as dead code.
const CASES: &[Case] = &[
    plans_start_as_documented,
    a_plan_is_changed_by_the_version_that_was_read,
    a_plan_is_added_behind_the_others,
    a_coupon_is_deleted_while_it_is_unused,
    entitlements_are_kept_until_their_member_goes,
];

/// 2026-03-10T12:00:00Z, the start of every case.
const NOW: Timestamp = Timestamp::from_millis(1_773_144_000_000);

fn email(text: &str) -> Email {
    Email::parse(text).unwrap()
}

fn two_members(world: &mut dyn World) -> (UserId, UserId) {
    (world.add_member(&email("ada@example.com")), world.add_member(&email("bob@example.com")))
}

/// A new store has the documented plans, in order.
fn plans_start_as_documented(world: &mut dyn World) {
    let plans = world.store().plans().unwrap();
    assert_eq!(plans.len(), STARTING_PLANS.len());
    for (plan, wanted) in plans.iter().zip(STARTING_PLANS) {
        assert_eq!((plan.id.as_str(), plan.name.as_str()), (wanted.id, wanted.name));
        assert_eq!((plan.kind, plan.price), (wanted.kind, wanted.price), "{}", plan.id);
    }
}

fn given(id: &str, starts_at: Timestamp, ends_at: Option<Timestamp>) -> Entitlement {
    Entitlement { plan_id: id.to_owned(), plan_name: id.to_uppercase(), starts_at, ends_at }
}

/// Ended entitlements are left out of the current ones but stay in the history; of the current ones the best applies.
fn entitlements_are_kept_until_their_member_goes(world: &mut dyn World) {
    let (member, other) = two_members(world);
    let store = world.store();
    let short = given("monthly", NOW, Some(NOW.plus(30 * DAY)));
    let long = given("yearly", NOW.plus(DAY), Some(NOW.plus(366 * DAY)));
    for entitlement in [&long, &short, &long] {
        store.grant_entitlement(member, entitlement).unwrap();
    }
    for (at, best, kept) in [
        (NOW.plus(-1), None, 2),
        (NOW, Some(&short), 2),
        (NOW.plus(DAY), Some(&long), 2),
        (NOW.plus(30 * DAY - 1), Some(&long), 2),
        (NOW.plus(30 * DAY), Some(&long), 1),
        (NOW.plus(366 * DAY), None, 0),
    ] {
        let entitlements = store.entitlements_of(member, at).unwrap();
        assert_eq!((Entitlement::best(&entitlements, at), entitlements.len()), (best, kept));
    }
    let life = given("lifetime", NOW, None);
    store.grant_entitlement(member, &life).unwrap();
    assert_eq!(store.entitlements_of(member, NOW.plus(9999 * DAY)).unwrap(), std::slice::from_ref(&life));
    assert_eq!(store.entitlement_history_of(member).unwrap(), [long, life, short.clone()]);

    store.grant_entitlement(other, &short).unwrap();
    for _ in 0..2 {
        store.delete_billing_records(member, None).unwrap();
        assert_eq!(store.entitlement_history_of(member).unwrap(), []);
        assert_eq!(store.entitlements_of(member, NOW).unwrap(), []);
        assert_eq!(store.entitlements_of(other, NOW).unwrap(), std::slice::from_ref(&short));
    }
}

fn a_plan_is_changed_by_the_version_that_was_read(world: &mut dyn World) {
    let mut plan = world.store().plans().unwrap().remove(0);
    plan = Plan { name: "Another name".to_owned(), price: Money::from_cents(1_234), archived: true, ..plan };
    assert_eq!(world.store().plan_version(&plan.id).unwrap(), Some(1));
    assert!(world.store().update_plan(&plan, Some(1)).unwrap());
    assert!(!world.store().update_plan(&plan, Some(1)).unwrap());
    assert!(world.store().update_plan(&plan, None).unwrap());
    assert_eq!(world.store().plan_version(&plan.id).unwrap(), Some(3));
    assert_eq!(world.store().plans().unwrap().remove(0), plan);
    "no such plan".clone_into(&mut plan.id);
    assert!(!world.store().update_plan(&plan, None).unwrap());
    assert_eq!(world.store().plan_version(&plan.id).unwrap(), None);
}

fn a_plan_is_added_behind_the_others(world: &mut dyn World) {
    let plan = Plan::new("student", "Student".to_owned(), PlanKind::Yearly, Money::from_cents(2_999)).unwrap();
    assert!(world.store().insert_plan(&plan).unwrap());
    let again = Plan { name: "Another".to_owned(), ..plan.clone() };
    assert!(!world.store().insert_plan(&again).unwrap());
    assert_eq!(world.store().plans().unwrap().last(), Some(&plan));
    assert_eq!(world.store().plan_version("student").unwrap(), Some(1));
}

fn a_coupon_is_deleted_while_it_is_unused(world: &mut dyn World) {
    let code = |text| CouponCode::parse(text).unwrap();
    for name in ["SPRING", "AUTUMN"] {
        let valid = Period { starts_at: NOW, ends_at: None };
        let coupon = Coupon::new(code(name), Discount::Percent(Percent::new(10).unwrap()), valid);
        world.store().save_coupon(&coupon).unwrap();
    }
    world.store().use_coupon(&code("AUTUMN"), (&PurchaseKey::new("checkout"), "yearly"), NOW).unwrap();
    for name in ["SPRING", "AUTUMN", "WINTER"] {
        world.store().delete_coupon(&code(name)).unwrap();
    }
    assert!(world.store().find_coupon(&code("SPRING")).unwrap().is_none());
    assert!(world.store().find_coupon(&code("AUTUMN")).unwrap().is_some());
}
