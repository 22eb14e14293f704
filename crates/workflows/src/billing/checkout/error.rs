//! Why what a provider says was not recorded.

use billing::{BillingError, CheckoutError};
use kernel::StoreError;

/// Why what a provider says was not applied.
#[derive(Debug, thiserror::Error)]
pub enum SettleError {
    /// The card was used for a trial before: the subscription is to be ended, for nothing was charged.
    #[error("the card was used for a trial before")]
    TrialUsed,
    /// The coupon of a trial was used up meanwhile: the subscription is to be ended, for nothing was charged.
    #[error("the coupon was used up meanwhile")]
    CouponUsed,
    /// There is no such checkout.
    #[error(transparent)]
    Checkout(#[from] CheckoutError),
    /// The movement was refused.
    #[error(transparent)]
    Billing(#[from] BillingError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}
