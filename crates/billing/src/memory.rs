//! A store in memory, for tests of rules and of what stands on them.

use kernel::StoreError;

use crate::{BillingStore, Plan, STARTING_PLANS};

/// The plans of a new database.
#[derive(Debug)]
pub struct Memory(Vec<Plan>);

impl Default for Memory {
    fn default() -> Self {
        let plans = STARTING_PLANS.iter().map(|one| Plan {
            id: one.id.to_owned(),
            name: one.name.to_owned(),
            kind: one.kind,
            price: one.price,
        });
        Self(plans.collect())
    }
}

impl BillingStore for Memory {
    fn list_plans(&mut self) -> Result<Vec<Plan>, StoreError> {
        Ok(self.0.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::Memory;
    use crate::contract;

    #[test]
    fn memory_keeps_the_contract() {
        contract::plans_start_as_documented(&mut Memory::default());
    }
}
