//! What can go wrong, in words that a person can read.

use kernel::StoreError;

/// A rule of members' summaries was not kept, or the store failed.
#[derive(Debug, thiserror::Error)]
pub enum MemberSummaryError {
    /// The member has no such summary.
    #[error("There is no such summary.")]
    UnknownSummary,
    /// It is made already: there is nothing to cancel.
    #[error("This summary is finished.")]
    Finished,
    /// The member has as many under way as one may have.
    #[error("Two of your summaries are in progress. Please wait until one of them is finished.")]
    TooManyAtOnce,
    /// The site has as many under way as it can take.
    #[error("Many summaries are being made at the moment. Please try again in a minute.")]
    QueueFull,
    /// The title is blank or too long.
    #[error("Please choose a title of 1 to 200 characters.")]
    InvalidTitle,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}
