//! What every store of billing does: one suite for memory and Postgres.

use crate::{Billing, BillingStore, STARTING_PLANS};

/// A new store has the plans of the documents, in their order.
pub fn plans_start_as_documented(store: &mut dyn BillingStore) {
    let plans = store.plans().unwrap();
    assert_eq!(plans.len(), STARTING_PLANS.len());
    for (plan, wanted) in plans.iter().zip(STARTING_PLANS) {
        assert_eq!((plan.id.as_str(), plan.name.as_str()), (wanted.id, wanted.name));
        assert_eq!((plan.kind, plan.price), (wanted.kind, wanted.price), "{}", plan.id);
    }
}
