//! The rules of billing, over what storage offers.

use kernel::{PayerId, StoreError, Timestamp, UserId};

use crate::{BillingError, BillingStore, Entitlement, MemberPlan, Movement, MovementKind, PurchaseKey};

/// What billing offers. Every method that writes belongs into one transaction, given up when it fails.
pub trait Billing: BillingStore {
    /// Records what happened, once, and what follows from it: the member's entitlements and subscriptions. `false`: it was recorded
    /// before, and nothing is to be done.
    fn record_movement(&mut self, payer: PayerId, movement: &Movement) -> Result<bool, BillingError> {
        movement.check()?;
        let member = self.lock_payer(payer)?.ok_or(BillingError::UnknownPayer)?;
        if !self.insert_movement(payer, movement)? {
            return Ok(false);
        }
        self.derive_plan(payer, member)?;
        Ok(true)
    }

    /// What a member has, out of the ledger.
    fn member_plan(&mut self, member: UserId) -> Result<MemberPlan, StoreError> {
        Ok(MemberPlan::of(&self.movements_of(member)?))
    }

    /// What a payer has, out of the ledger; of a member everything that is the member's.
    fn payer_plan(&mut self, payer: PayerId) -> Result<MemberPlan, StoreError> {
        match self.member_of_payer(payer)? {
            Some(member) => self.member_plan(member),
            None => Ok(MemberPlan::of(&self.movements_of_payer(payer)?)),
        }
    }

    /// Gives what a guest bought to the member who claims it. `false`: it is another's, or there is nothing.
    fn claim_payer(&mut self, payer: PayerId, member: UserId) -> Result<bool, StoreError> {
        if self.lock_payer(payer)? != Some(None) {
            return Ok(false);
        }
        self.assign_guest_payer(payer, member)?;
        // Again: of the member's other payers, what is recorded at the same moment waits.
        let owner = self.lock_payer(payer)?.flatten();
        self.derive_plan(payer, owner)?;
        Ok(owner == Some(member))
    }

    /// Gives a plan to a member, for nothing. The same one is given once.
    fn grant_entitlement(&mut self, member: UserId, entitlement: &Entitlement) -> Result<(), StoreError> {
        let payer = self.payer_of_member(member, entitlement.starts_at)?;
        let end = entitlement.ends_at.map_or_else(|| "life".to_owned(), |end| end.millis().to_string());
        let key = format!("given:{payer}:{}:{}:{end}", entitlement.plan_id, entitlement.starts_at.millis());
        let at = entitlement.starts_at;
        let movement = Movement {
            plan_id: entitlement.plan_id.clone(),
            plan_name: entitlement.plan_name.clone(),
            period: Some(entitlement.period()),
            ..Movement::new(MovementKind::PlanGiven, key.clone(), &PurchaseKey::new(key), at)
        };
        self.record_movement(payer, &movement).map_err(store_failure)?;
        Ok(())
    }

    /// Takes back the plans that were given to a member and are not over.
    fn withdraw_plans(&mut self, member: UserId, now: Timestamp) -> Result<(), StoreError> {
        let payer = self.payer_of_member(member, now)?;
        let movements = self.movements_of(member)?;
        let given = movements
            .iter()
            .filter(|one| one.kind == MovementKind::PlanGiven && one.period.is_some_and(|period| !period.is_over(now)));
        for one in given {
            let undo = Movement {
                plan_id: one.plan_id.clone(),
                plan_name: one.plan_name.clone(),
                reference: Some(one.key.clone()),
                ..Movement::new(MovementKind::PlanWithdrawn, format!("{}:withdrawn", one.key), &one.purchase, now)
            };
            self.record_movement(payer, &undo).map_err(store_failure)?;
        }
        Ok(())
    }

    /// Whether the entitlements that are stored of a payer's member are those that follow from the ledger.
    fn entitlements_agree(&mut self, payer: PayerId) -> Result<bool, StoreError> {
        let Some(member) = self.member_of_payer(payer)? else { return Ok(true) };
        let mut expected = self.member_plan(member)?.entitlements;
        let mut stored = self.entitlement_history_of(member)?;
        let order = |one: &Entitlement| (one.starts_at, one.ends_at, one.plan_id.clone());
        expected.sort_by_key(order);
        stored.sort_by_key(order);
        Ok(expected == stored)
    }

    /// Writes what follows from the movements of a payer, and of the member whom it belongs to.
    fn derive_plan(&mut self, payer: PayerId, member: Option<UserId>) -> Result<(), StoreError> {
        let movements = match member {
            Some(member) => self.movements_of(member)?,
            None => self.movements_of_payer(payer)?,
        };
        let plan = MemberPlan::of(&movements);
        if let Some(member) = member {
            self.replace_entitlements(member, &plan)?;
        }
        for subscription in &plan.subscriptions {
            self.upsert_subscription(payer, subscription)?;
        }
        Ok(())
    }
}

impl<S: BillingStore + ?Sized> Billing for S {}

/// A movement of the domain's own is valid, and its payer is there: what is left is the store.
fn store_failure(error: BillingError) -> StoreError {
    match error {
        BillingError::Store(error) => error,
        BillingError::UnknownPayer | BillingError::Invalid(_) => StoreError::new(error),
    }
}
