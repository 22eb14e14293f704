//! `PUT /api/study/commitments/{id}`.

use actix_web::{put, web::Data};
use catalogue::BookRef;
use kernel::{CommitmentId, Timestamp};
use serde::Deserialize;
use serde_json::Number;
use study::{Asking, CommitmentState, CommitmentText, Outcome, Register, StudyError};
use utoipa::ToSchema;
use workflows::study::commitments::put_commitment;

use crate::{
    app::App,
    catalogue::types::book_name::BookName,
    extract::{Body, Path, StudyWriter},
    http::{
        error::ApiError,
        openapi::{Forbidden, NotFound, TooManyTries},
        whole::whole,
        wire::Answer,
    },
    study::{
        clock::{DeviceClock, time},
        commitment_types::CommitmentResult,
        highlights::SetText,
    },
};

/// What a device knows of a commitment. A part that it never set is left out.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CommitmentBody {
    /// The book that it follows; left out when it was deleted.
    #[schema(value_type = Option<BookName>)]
    book_id: Option<BookName>,
    /// One paragraph of up to 500 characters.
    text: Option<SetText>,
    /// `open`, `done` or `dropped`.
    outcome: Option<SetText>,
    /// Of the days on which it is asked about, 3 and 14 after it was made, the latest that was answered.
    #[schema(value_type = Option<i64>)]
    answered_day: Option<Number>,
    /// When it was made, in ms since the epoch, by the device's clock.
    #[schema(value_type = i64)]
    created_at: Number,
    /// When it was deleted. A later change brings it back.
    #[schema(value_type = Option<i64>)]
    deleted_at: Option<Number>,
    /// When this is sent, by the same clock: tells a wrong clock from a late request.
    #[schema(value_type = Option<i64>)]
    sent: Option<Number>,
    /// A random name that the browser gave itself: letters, digits, `-` and `_`.
    #[schema(min_length = 1, max_length = 64, pattern = "^[A-Za-z0-9_-]+$")]
    device: Option<String>,
}

impl CommitmentBody {
    /// Parses the book; `None`: it was deleted.
    fn book(&self) -> Result<Option<BookRef>, ApiError> {
        self.book_id.as_ref().map(|book| BookName::read(Some(book))).transpose()
    }

    /// Parses what the device reports; its moments are put right. `now` is the server's time.
    fn state(&self, now: Timestamp) -> Result<CommitmentState, ApiError> {
        let clock = DeviceClock::read(self.sent.as_ref(), self.device.as_deref(), now)?;
        let mut state = CommitmentState::new(time("createdAt", &self.created_at)?);
        if let Some(SetText { value, at }) = &self.text {
            state.text = Register::new(CommitmentText::new(value)?, time("text", at)?);
        }
        if let Some(SetText { value, at }) = &self.outcome {
            let outcome = value.parse::<Outcome>().map_err(|_| StudyError::UnknownOutcome)?;
            state.outcome = Register::new(outcome, time("outcome", at)?);
        }
        let asking = |day| whole(day).and_then(Asking::on_day).ok_or(StudyError::UnknownAsking);
        state.answered = self.answered_day.as_ref().map(asking).transpose()?;
        state.deleted_at = self.deleted_at.as_ref().map(|at| time("deletedAt", at)).transpose()?;
        Ok(state.with_moments(|at| clock.made(at), |at| clock.set(at)))
    }
}

/// Saves what the member wants to do after a book. The device sends all that it knows of it; what several devices say, late, repeated
/// and in any order, is merged as that of highlights is. The id is chosen by the device, at random.
#[utoipa::path(
    tag = "study",
    params(("id" = i64, Path, description = "The id of a commitment.", minimum = 1, maximum = 9_007_199_254_740_991_i64)),
    request_body = CommitmentBody,
    responses(
        (status = 200, description = "It is saved.", body = Answer<CommitmentResult>),
        Forbidden,
        NotFound,
        TooManyTries
    ),
    security(("token" = []), ("apiToken" = []))
)]
#[put("/api/study/commitments/{id}")]
pub(super) async fn save_commitment(
    app: Data<App>,
    StudyWriter(member): StudyWriter,
    id: Path<String>,
    Body(body): Body<CommitmentBody>,
) -> Result<Answer<CommitmentResult>, ApiError> {
    let id: CommitmentId = id.parse().map_err(|_| ApiError::not_found("commitment"))?;
    let (book, state) = (body.book()?, body.state(app.env.now())?);
    let saved = app.write_tx(move |tx| put_commitment(tx, member, id, book.as_ref(), state)).await?;
    Ok(Answer::new(CommitmentResult { commitment: saved.into() }))
}
