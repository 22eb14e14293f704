//! What can go wrong when a payer's movements are recorded.

use kernel::StoreError;

use crate::InvalidMovement;

/// A movement was not recorded.
#[derive(Debug, thiserror::Error)]
pub enum BillingError {
    /// There is no such payer.
    #[error("there is no such payer")]
    UnknownPayer,
    /// The movement makes no sense.
    #[error(transparent)]
    Invalid(#[from] InvalidMovement),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}
