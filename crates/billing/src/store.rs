//! The reads and changes of billing. Neither has a rule of its own yet, so there is no service.

use kernel::{StoreError, Timestamp, UserId};

use crate::{Entitlement, Plan};

/// Reads, callable by everyone who holds a connection.
pub trait BillingQueries {
    /// All plans, in the order in which they are shown.
    fn plans(&mut self) -> Result<Vec<Plan>, StoreError>;

    /// A member's entitlements that are not over at `now`: those that run and those to come.
    fn entitlements_of(&mut self, member: UserId, now: Timestamp) -> Result<Vec<Entitlement>, StoreError>;

    /// All of a member's entitlements, those that are over too, the latest first.
    fn entitlement_history_of(&mut self, member: UserId) -> Result<Vec<Entitlement>, StoreError>;
}

/// Changes that need no rule, callable by everyone who holds a transaction.
pub trait BillingCommands: BillingQueries {
    /// Adds an entitlement.
    fn grant_entitlement(&mut self, member: UserId, entitlement: &Entitlement) -> Result<(), StoreError>;

    /// Deletes a member's entitlements.
    fn delete_billing_records(&mut self, member: UserId) -> Result<(), StoreError>;
}
