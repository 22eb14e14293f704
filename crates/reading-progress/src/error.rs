//! The errors of reading; their messages are shown to people.

use kernel::StoreError;

/// A rule of reading was violated, or the store failed.
#[derive(Debug, thiserror::Error)]
pub enum ProgressError {
    /// A rating does not have one to five stars (`reading-progress.rating-rules`).
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
    /// The reader has neither opened nor completed the summary to rate (`reading-progress.rating-rules`).
    #[error("Please open this summary first.")]
    NotOpened,
    /// The book of the requested notice is already readable.
    #[error("This summary is already available.")]
    AlreadyHere,
    /// A goal of minutes is not within [`crate::GOAL_MINUTES`].
    #[error("Choose from 5 to 180 minutes a day.")]
    InvalidMinutes,
    /// A goal of summaries is not within [`crate::GOAL_SUMMARIES`].
    #[error("Choose from 1 to 10 summaries a day.")]
    InvalidSummaries,
    /// A goal of minutes without reading time (`reading-progress.time-switch`).
    #[error("A goal of minutes needs your reading time.")]
    TimeNotCounted,
    /// The reader's account does not exist (any more).
    #[error("This account no longer exists.")]
    UnknownReader,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}
