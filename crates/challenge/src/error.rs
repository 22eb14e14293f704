//! What can go wrong, in words that a person can read.

use kernel::StoreError;

/// A rule of the challenge, the quizzes or onboarding was not kept, or the store failed.
#[derive(Debug, thiserror::Error)]
pub enum ChallengeError {
    /// No goal was chosen, or a visitor gave no address (`back-office.md §5`).
    #[error("Please pick at least one goal and specify an email address.")]
    Incomplete,
    /// More than [`crate::MAX_GOALS`] goals (`back-office.md §5`).
    #[error("You can only pick two goals.")]
    TooManyGoals,
    /// A goal is not there (any more).
    #[error("One of these goals does not exist any more. Please choose again.")]
    UnknownGoal,
    /// A category is not there (any more).
    #[error("One of these categories does not exist any more. Please choose again.")]
    UnknownCategory,
    /// A plan has no book, too many, one twice, or one that is not there.
    #[error("This plan can't be saved. Please create a new one.")]
    InvalidPlan,
    /// More than [`crate::MAX_CHOICES`] goals or categories.
    #[error("Please choose fewer.")]
    TooManyChoices,
    /// Not every question of the quiz is answered once.
    #[error("Please answer every question once. If the questions have changed, please start again.")]
    InvalidAnswers,
    /// The member's account is gone.
    #[error("This account does not exist any more.")]
    UnknownMember,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}
