//! What billing offers.

use kernel::StoreError;

use crate::{BillingStore, Plan};

/// The rules, over any store.
pub trait Billing: BillingStore {
    /// All plans, in the order in which they are shown.
    fn plans(&mut self) -> Result<Vec<Plan>, StoreError> {
        self.list_plans()
    }
}

impl<S: BillingStore + ?Sized> Billing for S {}
