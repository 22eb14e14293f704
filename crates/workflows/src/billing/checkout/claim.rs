//! Claiming a guest's purchase (`billing.guest-claim`).

use billing::{Billing, BillingError, Checkout, CheckoutError, ClaimToken};
use kernel::{StoreError, UserId};

use crate::billing::checkout::{rewards, settle::queue_surplus};
use crate::tx::Tx;

/// Gives a guest's purchase to the member who has its claim token. Payer and member are the same person from now on, so two
/// decisions of the charge are made again: who earns a reward, and what the member has twice, which is ended and refunded.
pub fn claim_purchase(tx: &mut Tx<'_, '_>, member: UserId, charge_id: &ClaimToken) -> Result<Checkout, CheckoutError> {
    let now = tx.now();
    let checkout = tx.pg.checkout_to_claim(charge_id)?.ok_or(CheckoutError::Unknown)?;
    rewards::lock_parties_of_claim(tx, checkout.order.payer, member)?;
    let checkout = tx.pg.claim_checkout(charge_id, member, now)?;
    rewards::judge_purchases_of(tx, member).map_err(store_failure)?;
    queue_surplus(tx, checkout.order.payer)?;
    Ok(checkout)
}

/// [`claim_purchase`] at a sign-up or login: a purchase that can't be claimed (any more) is ignored.
pub fn claim_at_sign_in(tx: &mut Tx<'_, '_>, member: UserId, charge_id: &ClaimToken) -> Result<(), CheckoutError> {
    match claim_purchase(tx, member, charge_id) {
        Ok(_) | Err(CheckoutError::Unknown | CheckoutError::NotClaimable) => Ok(()),
        Err(error) => Err(error),
    }
}

/// A reward's movement is always valid and its payer exists, so only the store can fail.
fn store_failure(error: BillingError) -> StoreError {
    match error {
        BillingError::Store(error) => error,
        BillingError::UnknownPayer | BillingError::Invalid(_) => StoreError::new(error),
    }
}
