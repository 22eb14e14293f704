//! A store in memory, for tests of rules and of what stands on them.

use std::cmp::Reverse;

use kernel::{StoreError, Timestamp, UserId};

use crate::{BillingCommands, BillingQueries, Entitlement, Plan, STARTING_PLANS};

/// The plans of a new database, and what members have.
#[derive(Debug)]
pub struct Memory {
    plans: Vec<Plan>,
    entitlements: Vec<(UserId, Entitlement)>,
}

impl Default for Memory {
    fn default() -> Self {
        let plans = STARTING_PLANS.iter().map(|one| Plan {
            id: one.id.to_owned(),
            name: one.name.to_owned(),
            kind: one.kind,
            price: one.price,
        });
        Self { plans: plans.collect(), entitlements: Vec::new() }
    }
}

impl Memory {
    fn of(&self, member: UserId) -> impl DoubleEndedIterator<Item = &Entitlement> {
        self.entitlements.iter().filter(move |(owner, _)| *owner == member).map(|(_, one)| one)
    }
}

impl BillingQueries for Memory {
    fn plans(&mut self) -> Result<Vec<Plan>, StoreError> {
        Ok(self.plans.clone())
    }

    fn entitlements_of(&mut self, member: UserId, now: Timestamp) -> Result<Vec<Entitlement>, StoreError> {
        Ok(self.of(member).filter(|one| !one.period().is_over(now)).cloned().collect())
    }

    fn entitlement_history_of(&mut self, member: UserId) -> Result<Vec<Entitlement>, StoreError> {
        let mut all: Vec<Entitlement> = self.of(member).rev().cloned().collect();
        all.sort_by_key(|one| Reverse(one.starts_at));
        Ok(all)
    }
}

impl BillingCommands for Memory {
    fn grant_entitlement(&mut self, member: UserId, entitlement: &Entitlement) -> Result<(), StoreError> {
        self.entitlements.push((member, entitlement.clone()));
        Ok(())
    }

    fn delete_billing_records(&mut self, member: UserId) -> Result<(), StoreError> {
        self.entitlements.retain(|(owner, _)| *owner != member);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::Memory;
    use crate::contract;
    use kernel::UserId;

    #[test]
    fn plans_start_as_documented() {
        contract::plans_start_as_documented(&mut Memory::default());
    }

    #[test]
    fn entitlements_are_kept_until_their_member_goes() {
        let (one, other) = (UserId::from_store(1), UserId::from_store(2));
        contract::entitlements_are_kept_until_their_member_goes(&mut Memory::default(), one, other);
    }
}
