//! The errors of this crate; their messages are shown to people.

use kernel::StoreError;

/// A rule of the challenge, the quizzes or onboarding was violated, or the store failed.
#[derive(Debug, thiserror::Error)]
pub enum ChallengeError {
    /// No goal was chosen, or a visitor gave no email address (`challenge.goal-limit`).
    #[error("Please pick at least one goal and specify an email address.")]
    Incomplete,
    /// More than [`crate::MAX_GOALS`] goals were chosen (`challenge.goal-limit`).
    #[error("You can only pick two goals.")]
    TooManyGoals,
    /// A goal does not exist (any more).
    #[error("One of these goals no longer exists. Please choose again.")]
    UnknownGoal,
    /// A category does not exist (any more).
    #[error("One of these categories no longer exists. Please choose again.")]
    UnknownCategory,
    /// A plan has no book, too many, one twice, or one that is not published.
    #[error("This plan can't be saved. Please create a new one.")]
    InvalidPlan,
    /// More than [`crate::MAX_CHOICES`] goals or categories were chosen.
    #[error("You have chosen too many. Please choose fewer.")]
    TooManyChoices,
    /// Daily mails were requested without a saved plan.
    #[error("Save a plan first, so that we can email you.")]
    NoPlan,
    /// The hour of the daily mail is not from 0 to 23.
    #[error("Choose an hour from 0 to 23.")]
    InvalidHour,
    /// Not every question of the quiz was answered exactly once.
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
    /// Two statements of a quiz are the same, ignoring case.
    #[error("Two of the statements are the same.")]
    RepeatedStatement,
    /// The dimensions of a quiz don't have the required numbers of statements (`challenge.quiz-statements`). The text
    /// states the rule.
    #[error("{0}")]
    UnbalancedQuiz(&'static str),
    /// A statement to change does not belong to the quiz (any more).
    #[error("One of these statements no longer exists. Please reload the page.")]
    UnknownQuestion,
    /// The member's account does not exist (any more).
    #[error("This account no longer exists.")]
    UnknownMember,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}
