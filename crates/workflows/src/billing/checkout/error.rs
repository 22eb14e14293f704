//! Why a provider's data was not recorded.

use billing::{BillingError, CheckoutError};
use kernel::StoreError;

/// Why a provider's data on a checkout was not applied.
#[derive(Debug, thiserror::Error)]
pub enum SettleError {
    /// The card was used for a trial before. Nothing was charged; the caller must end the subscription.
    #[error("the card was used for a trial before")]
    TrialUsed,
    /// The coupon of a trial was used up meanwhile. Nothing was charged; the caller must end the subscription.
    #[error("the coupon was used up meanwhile")]
    CouponUsed,
    /// There is no such checkout.
    #[error(transparent)]
    Checkout(#[from] CheckoutError),
    /// The ledger refused the movement.
    #[error(transparent)]
    Billing(#[from] BillingError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}
