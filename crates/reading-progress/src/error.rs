//! What can go wrong, in words that a person can read.

use kernel::StoreError;

/// A rule of reading was not kept, or the store failed.
#[derive(Debug, thiserror::Error)]
pub enum ProgressError {
    /// A rating has no stars, or not one to five of them (`reading-progress.rating-rules`).
    #[error("Please select a rating before submitting!")]
    RatingRequired,
    /// The feedback has more than [`crate::FEEDBACK_MAX_CHARS`] characters (`reading-progress.rating-rules`).
    #[error("Please keep your feedback to 500 characters.")]
    FeedbackTooLong,
    /// No category was chosen (`reading-progress.chosen-categories`).
    #[error("Please pick a category.")]
    NoCategory,
    /// A chosen category does not exist.
    #[error("One of these categories does not exist.")]
    UnknownCategory,
    /// The reader has neither opened nor completed the summary that is to be rated (`reading-progress.rating-rules`).
    #[error("Please open this summary first.")]
    NotOpened,
    /// The book of which a notice is requested can be read already.
    #[error("This summary is already here.")]
    AlreadyHere,
    /// The reader's account is gone.
    #[error("This account no longer exists.")]
    UnknownReader,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}
