//! The business rules of billing, on top of the storage traits.

use kernel::{Email, Env, PayerId, StoreError, Timestamp, UserId};

use crate::{
    BillingError, BillingStore, Checkout, CheckoutError, CheckoutState, ClaimToken, Code, CodeError, CodeStanding,
    CodeTerms, Coupon, CouponCode, CouponError, CouponTerms, CouponUseError, Entitlement, LockedPayer, MemberPlan,
    Movement, MovementKind, PurchaseKey, StoredCode, gateway::CheckoutReference, months_of_redemption,
};

/// The operations of billing. Every method that writes must run in one transaction, which the caller rolls back on error.
pub trait Billing: BillingStore {
    /// Records a movement once, and updates the stored entitlements and subscriptions derived from it. `false` if it was
    /// already recorded.
    fn record_movement(&mut self, payer: PayerId, movement: &Movement) -> Result<bool, BillingError> {
        movement.check()?;
        let member = self.lock_payer(payer)?.ok_or(BillingError::UnknownPayer)?.member;
        if !self.insert_movement(payer, movement)? {
            return Ok(false);
        }
        self.derive_plan(payer, member)?;
        Ok(true)
    }

    /// Locks these payers and their members until the end of the transaction. They are always locked in the same order,
    /// so that concurrent transactions can't deadlock.
    fn lock_payers(&mut self, payers: &[PayerId]) -> Result<(), StoreError> {
        let mut order = Vec::new();
        for payer in payers {
            order.push((self.member_of_payer(*payer)?, *payer));
        }
        order.sort_unstable();
        order.dedup();
        for (_, payer) in order {
            self.lock_payer(payer)?;
        }
        Ok(())
    }

    /// Assigns a guest's payer to the member who claims it. `false` if it is already assigned or does not exist.
    fn claim_payer(&mut self, payer: PayerId, member: UserId) -> Result<bool, StoreError> {
        if self.lock_payer(payer)? != Some(LockedPayer { member: None }) {
            return Ok(false);
        }
        self.assign_guest_payer(payer, member)?;
        // Locked again, now with the member, so that movements of the member's other payers wait for this transaction.
        let owner = self.lock_payer(payer)?.and_then(|locked| locked.member);
        self.derive_plan(payer, owner)?;
        Ok(owner == Some(member))
    }

    /// Gives a plan to a member free of charge. Repeating the call with the same entitlement has no effect.
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

    /// Withdraws a member's given plans that have not ended.
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

    /// Uses a coupon for a purchase of a plan and returns its terms (`billing.coupon-terms`). Idempotent per purchase.
    fn use_coupon(
        &mut self,
        code: &CouponCode,
        (purchase, plan_id): (&PurchaseKey, &str),
        now: Timestamp,
    ) -> Result<CouponTerms, CouponUseError> {
        let (coupon, uses) = self.lock_coupon(code)?.ok_or(CouponError::Unknown)?;
        if self.is_coupon_used_by(code, purchase)? {
            return Ok(coupon.terms);
        }
        let terms = coupon.terms_for(plan_id, uses, now)?;
        self.insert_coupon_use(code, purchase)?;
        Ok(terms)
    }

    /// Moves a checkout to the next state if the transition is allowed, and returns the updated checkout; otherwise
    /// returns it unchanged, so that late and repeated reports have no effect. A failed checkout releases its coupon and
    /// trial.
    fn advance_checkout(
        &mut self,
        reference: &CheckoutReference,
        next: CheckoutState,
        provider_id: Option<&str>,
        now: Timestamp,
    ) -> Result<Checkout, CheckoutError> {
        let mut checkout = self.lock_checkout(reference)?.ok_or(CheckoutError::Unknown)?;
        if !checkout.state.may_become(next) {
            return Ok(checkout);
        }
        self.update_checkout(reference, next, provider_id, now)?;
        if next.came_to_nothing() {
            self.release_coupon(&checkout.purchase())?;
            self.release_trial(&checkout.purchase())?;
        }
        checkout.state = next;
        checkout.changed_at = now;
        checkout.provider_id = provider_id.map(str::to_owned).or(checkout.provider_id);
        Ok(checkout)
    }

    /// Locks the checkout that is to be claimed until the end of the transaction; `None` if the token is unknown.
    fn checkout_to_claim(&mut self, charge_id: &ClaimToken) -> Result<Option<Checkout>, StoreError> {
        self.lock_checkout_of_claim(charge_id)
    }

    /// Gives a guest's purchase to the member who presents its claim token, once (`billing.guest-claim`).
    ///
    /// # Errors
    /// [`CheckoutError::Unknown`] for an unknown token; [`CheckoutError::NotClaimable`] if the purchase was claimed, is a
    /// member's, or failed.
    fn claim_checkout(
        &mut self,
        charge_id: &ClaimToken,
        member: UserId,
        now: Timestamp,
    ) -> Result<Checkout, CheckoutError> {
        let checkout = self.lock_checkout_of_claim(charge_id)?.ok_or(CheckoutError::Unknown)?;
        let came_to_nothing = checkout.state.came_to_nothing();
        if checkout.claimed_at.is_some() || came_to_nothing || !self.claim_payer(checkout.order.payer, member)? {
            return Err(CheckoutError::NotClaimable);
        }
        self.mark_checkout_claimed(&checkout.reference, now)?;
        Ok(Checkout { claimed_at: Some(now), ..checkout })
    }

    /// Creates the codes a purchase paid for, or returns those created earlier (`billing.team-seats`).
    fn issue_codes(&mut self, terms: &CodeTerms, count: u32, env: &dyn Env) -> Result<Vec<Code>, StoreError> {
        if let Some(purchase) = &terms.purchase {
            let made = self.codes_of_purchase(purchase)?;
            if !made.is_empty() {
                return Ok(made.into_iter().map(|one| one.code).collect());
            }
        }
        let mut codes = Vec::new();
        while codes.len() < count as usize {
            let code = Code::generate(env);
            if self.insert_code(&code, terms, env.now())? {
                codes.push(code);
            }
        }
        Ok(codes)
    }

    /// Locks a coupon for an edit until the end of the transaction, and returns it with its number of uses.
    fn coupon_to_change(&mut self, code: &CouponCode) -> Result<Option<(Coupon, u32)>, StoreError> {
        self.lock_coupon(code)
    }

    /// Stores imported codes and returns how many are new.
    fn import_codes(&mut self, codes: &[Code], terms: &CodeTerms, now: Timestamp) -> Result<usize, StoreError> {
        let mut new = 0;
        for code in codes {
            new += usize::from(self.insert_code(code, terms, now)?);
        }
        Ok(new)
    }

    /// Redeems a code for a member; concurrent attempts redeem it once (`billing.code-single-use`). The redeemed plan
    /// starts after the paid period.
    fn redeem_code(&mut self, code: &Code, member: UserId, now: Timestamp) -> Result<StoredCode, CodeError> {
        let payer = self.payer_of_member(member, now)?;
        // Redemptions of one member are serialized, so that no code is used up after one that gives a lifetime plan.
        self.lock_payer(payer)?;
        let found = self.find_code(code)?.ok_or(CodeError::Unknown)?;
        if found.obstacle().is_none() && self.member_plan(member)?.is_for_life() {
            return Err(CodeError::ForLife);
        }
        if !self.mark_code_redeemed(code, payer, now)? {
            let found = self.find_code(code)?.ok_or(CodeError::Unknown)?;
            return Err(found.obstacle().unwrap_or(CodeError::Redeemed));
        }
        let plan = self.plans()?.into_iter().find(|plan| plan.id == found.terms.plan_id);
        let movement = Movement {
            plan_id: found.terms.plan_id.clone(),
            plan_name: found.terms.plan_name.clone(),
            months: months_of_redemption(plan.map(|plan| plan.kind), found.terms.months),
            ..Movement::new(MovementKind::CodeRedeemed, redemption_key(code), &redemption(code), now)
        };
        self.record_movement(payer, &movement)?;
        Ok(StoredCode { redeemed: Some((payer, now)), ..found })
    }

    /// Records that the buyer sends an unused code to a person.
    ///
    /// # Errors
    /// [`CodeError::Unknown`] also for a code that another member bought.
    fn send_code(&mut self, code: &Code, buyer: UserId, to: &Email) -> Result<(), CodeError> {
        let found = self.find_code(code)?.ok_or(CodeError::Unknown)?;
        let payer = found.terms.buyer.ok_or(CodeError::Unknown)?;
        if self.member_of_payer(payer)? != Some(buyer) {
            return Err(CodeError::Unknown);
        }
        match found.obstacle() {
            Some(obstacle) => Err(obstacle),
            None => Ok(self.update_code_recipient(code, to)?),
        }
    }

    /// Updates the codes of a purchase to the status of its payment ([`CodeStanding::of`]).
    fn settle_codes(&mut self, purchase: &PurchaseKey, now: Timestamp) -> Result<(), BillingError> {
        if self.codes_of_purchase(purchase)?.is_empty() {
            return Ok(());
        }
        let Some(payer) = self.find_payer_of_purchase(purchase)? else { return Ok(()) };
        let mut movements = self.movements_of_payer(payer)?;
        movements.retain(|one| one.purchase == *purchase);
        match CodeStanding::of(&movements) {
            CodeStanding::Redeemable => Ok(self.update_code_suspension(purchase, None)?),
            CodeStanding::Suspended => Ok(self.update_code_suspension(purchase, Some(now))?),
            CodeStanding::Revoked => self.revoke_codes(purchase, now),
        }
    }

    /// Revokes all codes of a purchase, and what redeemed ones gave (`billing.codes-follow-payment`).
    fn revoke_codes(&mut self, purchase: &PurchaseKey, now: Timestamp) -> Result<(), BillingError> {
        self.mark_codes_revoked(purchase, now)?;
        for one in self.codes_of_purchase(purchase)? {
            self.take_redemption_back(one, now)?;
        }
        Ok(())
    }

    /// Revokes one code. If it was redeemed, the member loses the rest of its plan.
    fn revoke_code(&mut self, code: &Code, now: Timestamp) -> Result<(), BillingError> {
        self.mark_code_revoked(code, now)?;
        match self.find_code(code)? {
            Some(one) => self.take_redemption_back(one, now),
            None => Ok(()),
        }
    }

    /// Records that a redeemed code was revoked; does nothing for an unused one.
    fn take_redemption_back(&mut self, one: StoredCode, now: Timestamp) -> Result<(), BillingError> {
        let Some((payer, _)) = one.redeemed else { return Ok(()) };
        let undo = Movement {
            plan_id: one.terms.plan_id,
            plan_name: one.terms.plan_name,
            reference: Some(redemption_key(&one.code)),
            ..Movement::new(
                MovementKind::CodeRevoked,
                format!("{}:revoked", redemption(&one.code)),
                &redemption(&one.code),
                now,
            )
        };
        self.record_movement(payer, &undo)?;
        Ok(())
    }

    /// Rewrites the stored entitlements and subscriptions of a payer and its member from the ledger.
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

/// The purchase key of a redeemed code in the ledger.
fn redemption(code: &Code) -> PurchaseKey {
    PurchaseKey::new(format!("code:{}", code.as_str()))
}

/// The key of the movement that redeems a code.
fn redemption_key(code: &Code) -> String {
    format!("{}:redeemed", redemption(code))
}

/// Converts an error of a movement built here, which is valid and has a payer, so that only store errors remain.
fn store_failure(error: BillingError) -> StoreError {
    match error {
        BillingError::Store(error) => error,
        BillingError::UnknownPayer | BillingError::Invalid(_) => StoreError::new(error),
    }
}
