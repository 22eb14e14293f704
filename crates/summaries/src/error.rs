//! The errors of members' summaries; their messages are shown to people.

use kernel::StoreError;

/// A rule of members' summaries was violated, or the store failed.
#[derive(Debug, thiserror::Error)]
pub enum MemberSummaryError {
    /// The member has no such summary.
    #[error("There is no such summary.")]
    UnknownSummary,
    /// The summary is already finished or has failed, so it can't be canceled.
    #[error("This summary is finished.")]
    Finished,
    /// The member already has [`crate::AT_A_TIME`] unfinished summaries.
    #[error("Two of your summaries are in progress. Please wait until one of them is finished.")]
    TooManyAtOnce,
    /// The site already has [`crate::SITE_QUEUE`] unfinished summaries.
    #[error("Many summaries are being made at the moment. Please try again in a minute.")]
    QueueFull,
    /// The text has fewer than [`crate::engine::MIN_SOURCE_WORDS`] words.
    #[error(
        "This is too short to summarize. A summary needs a text of at least {} words.",
        crate::engine::MIN_SOURCE_WORDS
    )]
    TextTooShort,
    /// The title is blank or too long.
    #[error("Please choose a title of 1 to 200 characters.")]
    InvalidTitle,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}
