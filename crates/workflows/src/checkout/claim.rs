//! Claiming what a guest bought (`decisions.md` 39).

use billing::{Billing, Checkout, CheckoutError, ClaimToken};
use kernel::UserId;

use super::settle::end_surplus;
use crate::tx::Tx;

/// Gives a guest's purchase to the member who has its charge id. What runs twice then is ended and refunded.
pub fn claim_purchase(tx: &mut Tx<'_, '_>, member: UserId, charge_id: &ClaimToken) -> Result<Checkout, CheckoutError> {
    let now = tx.now();
    let checkout = tx.pg.claim_checkout(charge_id, member, now)?;
    end_surplus(tx, checkout.order.payer)?;
    Ok(checkout)
}
