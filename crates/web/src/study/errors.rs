//! Maps errors of highlights and review cards to API errors.

use study::StudyError;
use workflows::study::{highlights::HighlightError, lists::ListError};

use crate::http::error::{ApiError, Code};

impl From<StudyError> for ApiError {
    fn from(error: StudyError) -> Self {
        let field = match error {
            StudyError::NothingSelected | StudyError::PassageTooLong | StudyError::InvalidPassage => "anchor",
            StudyError::NoSentenceTimes => "heard",
            StudyError::NoteTooLong | StudyError::ListNoteTooLong => "note",
            StudyError::TooManyTags | StudyError::InvalidTag => "tags",
            StudyError::NoQuestion | StudyError::QuestionTooLong => "question",
            StudyError::NoAnswer | StudyError::AnswerTooLong => "answer",
            StudyError::NothingHidden => "blanks",
            StudyError::OtherCard | StudyError::TooManyLists => "id",
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
            StudyError::NoListName | StudyError::ListNameTooLong => "name",
            StudyError::TooManyBooks | StudyError::InvalidRank => "books",
            StudyError::TooManyFollowed | StudyError::OwnList => "slug",
            StudyError::UnknownSharing => "sharing",
            StudyError::InvalidWebhookUrl => "url",
            StudyError::InvalidPushSubscription => "endpoint",
        };
        Self::invalid(field, error.to_string())
    }
}

impl From<ListError> for ApiError {
    fn from(error: ListError) -> Self {
        match error {
            ListError::SignedOut => Self::unauthenticated(),
            ListError::NotFound => Self::not_found("list"),
            ListError::Study(error) => error.into(),
            ListError::TakenDown | ListError::NoTeam => Self::new(Code::Forbidden, error.to_string()),
            ListError::Limit(error) => error.into(),
            ListError::Store(error) => error.into(),
        }
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
