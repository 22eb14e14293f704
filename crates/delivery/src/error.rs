//! What can go wrong, in words that a person can read.

use kernel::{InvalidEmail, StoreError};

/// A rule of deliveries was not kept, or the store failed.
#[derive(Debug, thiserror::Error)]
pub enum EReaderError {
    /// The name is blank (`delivery.e-reader-address`).
    #[error("Please complete the form.")]
    Incomplete,
    /// The domain is none of those that the site knows.
    #[error("Please choose one of the domains.")]
    UnknownDomain,
    /// The whole address that was typed is at another domain. The field is the domain that was chosen.
    #[error("This is not a Kindle address. Your Kindle has its own address, which ends in @{0}.")]
    NotKindle(String),
    /// Name and domain make no address.
    #[error(transparent)]
    InvalidEmail(#[from] InvalidEmail),
    /// The member has not said where the e-reader takes mail.
    #[error("Please set your Kindle email first.")]
    NoAddress,
    /// The member has no such delivery.
    #[error("There is no such delivery.")]
    UnknownDelivery,
    /// The delivery has not failed: there is nothing to try again.
    #[error("It was already sent, or is on its way.")]
    NotFailed,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}
