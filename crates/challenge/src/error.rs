//! What can go wrong, in words that a person can read.

use kernel::StoreError;

/// A rule of the challenge, the quizzes or onboarding was not kept, or the store failed.
#[derive(Debug, thiserror::Error)]
pub enum ChallengeError {
    /// No goal was chosen, or a visitor gave no address (`challenge.goal-limit`).
    #[error("Please pick at least one goal and specify an email address.")]
    Incomplete,
    /// More than [`crate::MAX_GOALS`] goals (`challenge.goal-limit`).
    #[error("You can only pick two goals.")]
    TooManyGoals,
    /// A goal is not there (any more).
    #[error("One of these goals no longer exists. Please choose again.")]
    UnknownGoal,
    /// A category is not there (any more).
    #[error("One of these categories no longer exists. Please choose again.")]
    UnknownCategory,
    /// A plan has no book, too many, one twice, or one that is not there.
    #[error("This plan can't be saved. Please create a new one.")]
    InvalidPlan,
    /// More than [`crate::MAX_CHOICES`] goals or categories.
    #[error("Please choose fewer.")]
    TooManyChoices,
    /// Daily mails are asked for without a saved plan.
    #[error("Save a plan first, so that we can email you.")]
    NoPlan,
    /// The hour of the daily mail is none of the day.
    #[error("Choose an hour from 0 to 23.")]
    InvalidHour,
    /// Not every question of the quiz is answered once.
    #[error("Please answer every question once. If the questions have changed, please start again.")]
    InvalidAnswers,
    /// The counts of a result do not fit the questions of its quiz.
    #[error("This is not a result of the quiz.")]
    InvalidCounts,
    /// An editor left a statement blank.
    #[error("Please specify Statement.")]
    BlankStatement,
    /// A statement has more than [`crate::STATEMENT_MAX_CHARS`] characters.
    #[error("Please use at most 200 characters for a statement.")]
    StatementTooLong,
    /// Two statements of a quiz say the same.
    #[error("Two of the statements are the same.")]
    RepeatedStatement,
    /// The dimensions of a quiz don't have the numbers of statements that make it fair (`challenge.quiz-statements`): the rule, in words.
    #[error("{0}")]
    UnbalancedQuiz(&'static str),
    /// A statement that is to be changed is not one of the quiz (any more).
    #[error("One of these statements no longer exists. Please reload the page.")]
    UnknownQuestion,
    /// The member's account is gone.
    #[error("This account no longer exists.")]
    UnknownMember,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}
