//! Maps errors of highlights and review cards to API errors.

use study::StudyError;
use workflows::study::highlights::HighlightError;

use crate::http::error::ApiError;

impl From<StudyError> for ApiError {
    fn from(error: StudyError) -> Self {
        let field = match error {
            StudyError::NothingSelected | StudyError::PassageTooLong | StudyError::InvalidPassage => "anchor",
            StudyError::NoSentenceTimes => "heard",
            StudyError::NoteTooLong => "note",
            StudyError::TooManyTags | StudyError::InvalidTag => "tags",
            StudyError::NoQuestion | StudyError::QuestionTooLong => "question",
            StudyError::NoAnswer | StudyError::AnswerTooLong => "answer",
            StudyError::NothingHidden => "blanks",
            StudyError::OtherCard => "id",
            StudyError::NoCommitment | StudyError::CommitmentTooLong => "text",
            StudyError::UnknownOutcome => "outcome",
            StudyError::UnknownAsking => "answeredDay",
            StudyError::InvalidRating => "answers",
            StudyError::InvalidDailyMax => "dailyMax",
            StudyError::InvalidNoticeHour => "noticeHour",
            StudyError::InvalidReminder => "reminder",
            StudyError::InvalidDigest => "digest",
            StudyError::InvalidSessionMinutes => "minutes",
            StudyError::TopicTooLong => "topic",
            StudyError::InvalidWebhookUrl => "url",
            StudyError::InvalidPushSubscription => "endpoint",
        };
        Self::invalid(field, error.to_string())
    }
}

impl From<HighlightError> for ApiError {
    fn from(error: HighlightError) -> Self {
        match error {
            HighlightError::View(error) => error.into(),
            HighlightError::Study(error) => error.into(),
            HighlightError::NoSource => Self::invalid("bookId", error.to_string()),
            HighlightError::Limit(error) => error.into(),
            HighlightError::Store(error) => error.into(),
        }
    }
}
