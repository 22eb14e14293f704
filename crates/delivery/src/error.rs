//! The errors of this crate; their messages are shown to people.

use kernel::{InvalidEmail, StoreError};

/// A rule of deliveries was violated, or the store failed.
#[derive(Debug, thiserror::Error)]
pub enum EReaderError {
    /// The name is blank (`delivery.e-reader-address`).
    #[error("Please complete the form.")]
    Incomplete,
    /// The domain is not one of the configured ones.
    #[error("Please choose one of the domains.")]
    UnknownDomain,
    /// A whole address was typed, and its domain is not an e-reader's. The field is the chosen domain.
    #[error("This is not a Kindle address. Your Kindle has its own address, which ends in @{0}.")]
    NotKindle(String),
    /// Name and domain do not form a valid email address.
    #[error(transparent)]
    InvalidEmail(#[from] InvalidEmail),
    /// The member has no e-reader address.
    #[error("Please set your Kindle email first.")]
    NoAddress,
    /// The member has no such delivery.
    #[error("There is no such delivery.")]
    UnknownDelivery,
    /// The delivery has not failed, so it can't be retried.
    #[error("It was already sent, or is on its way.")]
    NotFailed,
    /// What a program calls a document is no MD5 in hex (`delivery.koreader-sync`).
    #[error("This is not the name of a document.")]
    InvalidDocument,
    /// A position is too long, or its percentage is not within 0 and 1.
    #[error("This is not a position in a document.")]
    InvalidPlace,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}
