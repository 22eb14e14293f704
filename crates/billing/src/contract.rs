//! What every store of billing does: one suite for memory and Postgres.

use kernel::{DAY, Timestamp, UserId};

use crate::{BillingCommands, Entitlement, STARTING_PLANS};

/// 2026-03-10T12:00:00Z: when the tests begin.
const NOW: Timestamp = Timestamp::from_millis(1_773_144_000_000);

/// A new store has the plans of the documents, in their order.
pub fn plans_start_as_documented(store: &mut dyn BillingCommands) {
    let plans = store.plans().unwrap();
    assert_eq!(plans.len(), STARTING_PLANS.len());
    for (plan, wanted) in plans.iter().zip(STARTING_PLANS) {
        assert_eq!((plan.id.as_str(), plan.name.as_str()), (wanted.id, wanted.name));
        assert_eq!((plan.kind, plan.price), (wanted.kind, wanted.price), "{}", plan.id);
    }
}

fn plan(id: &str, starts_at: Timestamp, ends_at: Option<Timestamp>) -> Entitlement {
    Entitlement { plan_id: id.to_owned(), plan_name: id.to_uppercase(), starts_at, ends_at }
}

/// Those that are over are left out of what counts and stay in the history; of those that run the best counts.
pub fn entitlements_are_kept_until_their_member_goes(store: &mut dyn BillingCommands, member: UserId, other: UserId) {
    let short = plan("monthly", NOW, Some(NOW.plus(30 * DAY)));
    let long = plan("yearly", NOW.plus(DAY), Some(NOW.plus(366 * DAY)));
    for entitlement in [&long, &short] {
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
    let life = plan("lifetime", NOW, None);
    store.grant_entitlement(member, &life).unwrap();
    assert_eq!(store.entitlements_of(member, NOW.plus(9999 * DAY)).unwrap(), std::slice::from_ref(&life));
    assert_eq!(store.entitlement_history_of(member).unwrap(), [long, life, short.clone()]);

    store.grant_entitlement(other, &short).unwrap();
    for _ in 0..2 {
        store.delete_billing_records(member).unwrap();
        assert_eq!(store.entitlement_history_of(member).unwrap(), []);
        assert_eq!(store.entitlements_of(member, NOW).unwrap(), []);
        assert_eq!(store.entitlements_of(other, NOW).unwrap(), std::slice::from_ref(&short));
    }
}
