//! Maps errors of the challenge to API errors.

use challenge::ChallengeError;
use workflows::challenge::{quizzes::QuizError, ten_day_plan::PlanError};

use crate::http::error::{ApiError, Code};

impl From<ChallengeError> for ApiError {
    fn from(error: ChallengeError) -> Self {
        let text = error.to_string();
        match error {
            ChallengeError::Incomplete
            | ChallengeError::TooManyGoals
            | ChallengeError::UnknownGoal
            | ChallengeError::TooManyChoices => Self::invalid("goals", text),
            ChallengeError::UnknownCategory => Self::invalid("categories", text),
            ChallengeError::InvalidPlan => Self::invalid("bookIds", text),
            ChallengeError::InvalidAnswers => Self::invalid("answers", text),
            ChallengeError::InvalidCounts => Self::invalid("counts", text),
            ChallengeError::NoPlan => Self::new(Code::NotFound, text),
            ChallengeError::InvalidHour => Self::invalid("hour", text),
            ChallengeError::BlankStatement
            | ChallengeError::StatementTooLong
            | ChallengeError::RepeatedStatement
            | ChallengeError::UnbalancedQuiz(_)
            | ChallengeError::UnknownQuestion => Self::invalid("questions", text),
            ChallengeError::UnknownMember => Self::unauthenticated(),
            ChallengeError::Store(cause) => cause.into(),
        }
    }
}

impl From<PlanError> for ApiError {
    fn from(error: PlanError) -> Self {
        match error {
            PlanError::Email(_) => Self::invalid("email", error.to_string()),
            PlanError::Challenge(error) => error.into(),
            PlanError::Identity(error) => error.into(),
            PlanError::Rights(error) => error.into(),
            PlanError::Store(error) => error.into(),
        }
    }
}

impl From<QuizError> for ApiError {
    fn from(error: QuizError) -> Self {
        match error {
            QuizError::NotOwned => Self::new(Code::UpgradeRequired, error.to_string()),
            QuizError::NoResult => Self::not_found("result"),
            QuizError::Catalogue(error) => error.into(),
            QuizError::Challenge(error) => error.into(),
            QuizError::Store(error) => error.into(),
        }
    }
}
