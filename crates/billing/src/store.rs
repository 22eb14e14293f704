//! What billing needs from storage.

use kernel::StoreError;

use crate::Plan;

/// Storage of what can be bought. The rules are in [`crate::Billing`].
pub trait BillingStore {
    /// All plans, in the order in which they are shown.
    fn list_plans(&mut self) -> Result<Vec<Plan>, StoreError>;
}
