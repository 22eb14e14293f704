//! What billing needs from storage.

use kernel::{StoreError, Timestamp, UserId};

use crate::{Entitlement, Plan};

/// Storage of what can be bought and of what members have, within one transaction. The rules are in [`crate::Billing`].
pub trait BillingStore {
    /// All plans, in the order in which they are shown.
    fn list_plans(&mut self) -> Result<Vec<Plan>, StoreError>;

    /// A member's entitlements that are not over at `now`: those that run and those to come.
    fn list_entitlements(&mut self, member: UserId, now: Timestamp) -> Result<Vec<Entitlement>, StoreError>;

    /// All of a member's entitlements, those that are over too, the latest first.
    fn list_all_entitlements(&mut self, member: UserId) -> Result<Vec<Entitlement>, StoreError>;

    /// Adds an entitlement.
    fn insert_entitlement(&mut self, member: UserId, entitlement: &Entitlement) -> Result<(), StoreError>;

    /// Deletes a member's entitlements.
    fn delete_entitlements(&mut self, member: UserId) -> Result<(), StoreError>;
}
