//! The error of recording a payer's movements.

use kernel::StoreError;

use crate::InvalidMovement;

/// Why a movement was not recorded.
#[derive(Debug, thiserror::Error)]
pub enum BillingError {
    /// There is no such payer.
    #[error("there is no such payer")]
    UnknownPayer,
    /// The movement is inconsistent.
    #[error(transparent)]
    Invalid(#[from] InvalidMovement),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}
