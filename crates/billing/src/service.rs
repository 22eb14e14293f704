//! What billing offers.

use kernel::{StoreError, Timestamp, UserId};

use crate::{BillingStore, Entitlement, Plan};

/// The rules, over any store.
pub trait Billing: BillingStore {
    /// All plans, in the order in which they are shown.
    fn plans(&mut self) -> Result<Vec<Plan>, StoreError> {
        self.list_plans()
    }

    /// A member's entitlements that are not over at `now`: those that run and those to come.
    fn entitlements_of(&mut self, member: UserId, now: Timestamp) -> Result<Vec<Entitlement>, StoreError> {
        self.list_entitlements(member, now)
    }

    /// All of a member's entitlements, those that are over too, the latest first: for the member's own archive
    /// (`decisions.md` 21).
    fn entitlement_history_of(&mut self, member: UserId) -> Result<Vec<Entitlement>, StoreError> {
        self.list_all_entitlements(member)
    }

    /// Gives a member an entitlement, beside those that are there.
    fn grant_entitlement(&mut self, member: UserId, entitlement: &Entitlement) -> Result<(), StoreError> {
        self.insert_entitlement(member, entitlement)
    }

    /// Deletes what is kept of a member who deletes the account (`decisions.md` 21).
    fn delete_billing_records(&mut self, member: UserId) -> Result<(), StoreError> {
        self.delete_entitlements(member)
    }
}

impl<S: BillingStore + ?Sized> Billing for S {}
