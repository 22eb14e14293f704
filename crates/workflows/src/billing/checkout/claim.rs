//! Claiming what a guest bought (`billing.guest-claim`).

use billing::{Billing, BillingError, Checkout, CheckoutError, ClaimToken};
use kernel::{StoreError, UserId};

use crate::billing::checkout::{rewards, settle::queue_surplus};
use crate::tx::Tx;

/// Gives a guest's purchase to the member who has its charge id. Payer and member are one from now on, so what was decided when
/// the money was taken is decided again: who earns by it, and what the member has twice, which is ended and given back.
pub fn claim_purchase(tx: &mut Tx<'_, '_>, member: UserId, charge_id: &ClaimToken) -> Result<Checkout, CheckoutError> {
    let now = tx.now();
    let checkout = tx.pg.checkout_to_claim(charge_id)?.ok_or(CheckoutError::Unknown)?;
    rewards::lock_parties_of_claim(tx, checkout.order.payer, member)?;
    let checkout = tx.pg.claim_checkout(charge_id, member, now)?;
    rewards::judge_purchases_of(tx, member).map_err(store_failure)?;
    queue_surplus(tx, checkout.order.payer)?;
    Ok(checkout)
}

/// [`claim_purchase`] at a sign-up or login: one that can't be claimed (any more) leaves a plain account.
pub fn claim_at_sign_in(tx: &mut Tx<'_, '_>, member: UserId, charge_id: &ClaimToken) -> Result<(), CheckoutError> {
    match claim_purchase(tx, member, charge_id) {
        Ok(_) | Err(CheckoutError::Unknown | CheckoutError::NotClaimable) => Ok(()),
        Err(error) => Err(error),
    }
}

/// A movement of a reward is valid, and its payer is there: what is left is the store.
fn store_failure(error: BillingError) -> StoreError {
    match error {
        BillingError::Store(error) => error,
        BillingError::UnknownPayer | BillingError::Invalid(_) => StoreError::new(error),
    }
}
