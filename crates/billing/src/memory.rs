//! A store in memory, for tests of rules and of what stands on them.

use std::{cmp::Reverse, collections::BTreeMap};

use kernel::{Email, Limit, Money, PayerId, StoreError, Timestamp, UserId};

use crate::{
    Account, BillingCommands, BillingQueries, BillingStore, DueSubscription, Entitlement, MemberPlan, Movement, Plan,
    PurchaseKey, STARTING_PLANS, Subscription,
    contract::World,
    gateway::{CustomerId, GatewayProvider},
};

#[derive(Debug)]
struct StoredPayer {
    member: Option<UserId>,
    is_guest: bool,
    email: Option<Email>,
}

/// Everything that is stored of billing. One caller at a time has it, so its locks are free.
#[derive(Debug)]
pub struct Memory {
    plans: Vec<Plan>,
    members: i64,
    payers: Vec<StoredPayer>,
    movements: Vec<(PayerId, Movement)>,
    entitlements: BTreeMap<UserId, Vec<Entitlement>>,
    subscriptions: Vec<(PayerId, Subscription)>,
    customers: Vec<(PayerId, GatewayProvider, CustomerId)>,
}

impl Default for Memory {
    fn default() -> Self {
        let plans = STARTING_PLANS.iter().map(|one| Plan {
            id: one.id.to_owned(),
            name: one.name.to_owned(),
            kind: one.kind,
            price: one.price,
        });
        Self {
            plans: plans.collect(),
            members: 0,
            payers: Vec::new(),
            movements: Vec::new(),
            entitlements: BTreeMap::new(),
            subscriptions: Vec::new(),
            customers: Vec::new(),
        }
    }
}

impl World for Memory {
    fn add_member(&mut self, _: &Email) -> UserId {
        self.members += 1;
        UserId::from_store(self.members)
    }

    fn store(&mut self) -> &mut dyn BillingStore {
        self
    }
}

fn place(payer: PayerId) -> usize {
    usize::try_from(payer.get() - 1).unwrap_or(usize::MAX)
}

impl Memory {
    fn payer(&self, payer: PayerId) -> Option<&StoredPayer> {
        self.payers.get(place(payer))
    }

    fn payers(&self) -> impl Iterator<Item = (PayerId, &StoredPayer)> {
        (1..).map(PayerId::from_store).zip(&self.payers)
    }

    fn insert_payer(&mut self, payer: StoredPayer) -> PayerId {
        self.payers.push(payer);
        (1..).map(PayerId::from_store).nth(self.payers.len() - 1).unwrap_or(PayerId::from_store(0))
    }

    fn movements_where(&self, is_one: impl Fn(PayerId) -> bool) -> Vec<Movement> {
        let found = self.movements.iter().filter(|(payer, _)| is_one(*payer));
        let mut found: Vec<Movement> = found.map(|(_, movement)| movement.clone()).collect();
        found.sort_by_key(|movement| movement.at);
        found
    }
}

impl BillingQueries for Memory {
    fn plans(&mut self) -> Result<Vec<Plan>, StoreError> {
        Ok(self.plans.clone())
    }

    fn entitlements_of(&mut self, member: UserId, now: Timestamp) -> Result<Vec<Entitlement>, StoreError> {
        let mut all = self.entitlements.get(&member).cloned().unwrap_or_default();
        all.retain(|one| !one.period().is_over(now));
        Ok(all)
    }

    fn entitlement_history_of(&mut self, member: UserId) -> Result<Vec<Entitlement>, StoreError> {
        let mut all = self.entitlements.get(&member).cloned().unwrap_or_default();
        all.reverse();
        all.sort_by_key(|one| Reverse(one.starts_at));
        Ok(all)
    }

    fn movements_of(&mut self, member: UserId) -> Result<Vec<Movement>, StoreError> {
        Ok(self.movements_where(|payer| self.payer(payer).is_some_and(|one| one.member == Some(member))))
    }

    fn movements_of_payer(&mut self, payer: PayerId) -> Result<Vec<Movement>, StoreError> {
        Ok(self.movements_where(|one| one == payer))
    }

    fn find_movement(&mut self, key: &str) -> Result<Option<(PayerId, Movement)>, StoreError> {
        Ok(self.movements.iter().find(|(_, movement)| movement.key == key).cloned())
    }

    fn find_payer_of_purchase(&mut self, purchase: &PurchaseKey) -> Result<Option<PayerId>, StoreError> {
        Ok(self.movements.iter().find(|(_, movement)| movement.purchase == *purchase).map(|(payer, _)| *payer))
    }

    fn member_of_payer(&mut self, payer: PayerId) -> Result<Option<UserId>, StoreError> {
        Ok(self.payer(payer).and_then(|one| one.member))
    }

    fn account_balances(&mut self) -> Result<Vec<(Account, Money)>, StoreError> {
        let mut sums: BTreeMap<Account, i64> = BTreeMap::new();
        for entry in self.movements.iter().flat_map(|(_, movement)| movement.entries()) {
            *sums.entry(entry.account).or_default() += entry.amount.cents();
        }
        Ok(sums.into_iter().map(|(account, cents)| (account, Money::from_cents(cents))).collect())
    }

    fn payers_after(&mut self, after: Option<PayerId>, limit: Limit) -> Result<Vec<PayerId>, StoreError> {
        let ids = self.payers().map(|(id, _)| id);
        Ok(ids.filter(|id| after.is_none_or(|after| *id > after)).take(limit.get()).collect())
    }

    fn subscriptions_due(&mut self, by: Timestamp, limit: Limit) -> Result<Vec<DueSubscription>, StoreError> {
        let mut due: Vec<DueSubscription> = self
            .subscriptions
            .iter()
            .filter_map(|(payer, one)| {
                let (due_at, amount) = one.renewal()?;
                let (purchase, plan_id) = (one.purchase.clone(), one.plan_id.clone());
                (due_at <= by).then_some(DueSubscription { payer: *payer, purchase, plan_id, due_at, amount })
            })
            .collect();
        due.sort_by(|one, other| (one.due_at, &one.purchase).cmp(&(other.due_at, &other.purchase)));
        due.truncate(limit.get());
        Ok(due)
    }

    fn provider_customer_of(
        &mut self,
        payer: PayerId,
        provider: GatewayProvider,
    ) -> Result<Option<CustomerId>, StoreError> {
        let is_it = |one: &&(PayerId, GatewayProvider, CustomerId)| one.0 == payer && one.1 == provider;
        Ok(self.customers.iter().find(is_it).map(|one| one.2.clone()))
    }
}

impl BillingCommands for Memory {
    fn payer_of_member(&mut self, member: UserId, _: Timestamp) -> Result<PayerId, StoreError> {
        let own = self.payers().find(|(_, one)| one.member == Some(member) && !one.is_guest).map(|(id, _)| id);
        Ok(own.unwrap_or_else(|| self.insert_payer(StoredPayer { member: Some(member), is_guest: false, email: None })))
    }

    fn insert_guest_payer(&mut self, email: &Email, _: Timestamp) -> Result<PayerId, StoreError> {
        Ok(self.insert_payer(StoredPayer { member: None, is_guest: true, email: Some(email.clone()) }))
    }

    fn save_provider_customer(
        &mut self,
        payer: PayerId,
        provider: GatewayProvider,
        customer: &CustomerId,
    ) -> Result<(), StoreError> {
        self.customers.retain(|one| one.0 != payer || one.1 != provider);
        self.customers.push((payer, provider, customer.clone()));
        Ok(())
    }

    fn delete_billing_records(&mut self, member: UserId, email: Option<&Email>) -> Result<(), StoreError> {
        self.entitlements.remove(&member);
        let theirs: Vec<PayerId> =
            self.payers().filter(|(_, one)| one.member == Some(member)).map(|(id, _)| id).collect();
        self.customers.retain(|(payer, ..)| !theirs.contains(payer));
        for payer in &mut self.payers {
            if payer.member == Some(member) || email.is_some() && payer.email.as_ref() == email {
                (payer.member, payer.email) = (payer.member.filter(|one| *one != member), None);
            }
        }
        Ok(())
    }
}

impl BillingStore for Memory {
    fn lock_payer(&mut self, payer: PayerId) -> Result<Option<Option<UserId>>, StoreError> {
        Ok(self.payer(payer).map(|one| one.member))
    }

    fn insert_movement(&mut self, payer: PayerId, movement: &Movement) -> Result<bool, StoreError> {
        if self.movements.iter().any(|(_, one)| one.key == movement.key) {
            return Ok(false);
        }
        self.movements.push((payer, movement.clone()));
        Ok(true)
    }

    fn assign_guest_payer(&mut self, payer: PayerId, member: UserId) -> Result<(), StoreError> {
        if let Some(one) = self.payers.get_mut(place(payer)).filter(|one| one.is_guest) {
            one.member.get_or_insert(member);
        }
        Ok(())
    }

    fn replace_entitlements(&mut self, member: UserId, plan: &MemberPlan) -> Result<(), StoreError> {
        self.entitlements.insert(member, plan.entitlements.clone());
        Ok(())
    }

    fn upsert_subscription(&mut self, payer: PayerId, subscription: &Subscription) -> Result<(), StoreError> {
        match self.subscriptions.iter_mut().find(|(_, one)| one.purchase == subscription.purchase) {
            Some((_, one)) => one.clone_from(subscription),
            None => self.subscriptions.push((payer, subscription.clone())),
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::Memory;
    use crate::contract;

    #[test]
    fn memory_keeps_the_contract() {
        contract::run(|case| case(&mut Memory::default()));
    }
}
