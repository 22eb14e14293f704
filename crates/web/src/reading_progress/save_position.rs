//! `PUT /api/user-book-history`.

use actix_web::{put, web::Data};
use kernel::Timestamp;
use reading_progress::{Device, PositionReport, moment};
use serde::Deserialize;
use serde_json::Number;
use utoipa::ToSchema;
use workflows::reading_progress::reading;

use crate::{
    app::App,
    catalogue::types::book_name::BookName,
    extract::{Body, Member},
    http::{error::ApiError, openapi::NotFound, whole::whole, wire::Answer},
    reading_progress::types::EntryResult,
};

/// Where the reader is, or was: a device that was offline says so late.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Position {
    #[schema(value_type = BookName, required)]
    book_id: Option<BookName>,
    /// The section, from 0; brought within those that exist. May be left out with `audio`: then it stays as it is.
    #[schema(value_type = Option<i64>)]
    position: Option<Number>,
    /// The paragraph at the top of the screen, from 0 in its section; left out at the section's beginning.
    #[schema(value_type = Option<i64>)]
    paragraph: Option<Number>,
    /// The reader has come to the end. Counts at the last section with text only.
    completed: Option<bool>,
    /// Where the audio is, in milliseconds.
    #[schema(value_type = Option<i64>)]
    audio: Option<Number>,
    /// When the reader was there, in ms since the epoch, by the device's clock; now when it is left out.
    #[schema(value_type = Option<i64>)]
    at: Option<Number>,
    /// When this is sent, by the same clock: tells a wrong clock from a late request.
    #[schema(value_type = Option<i64>)]
    sent: Option<Number>,
    /// A random name that the browser gave itself: letters, digits, `-` and `_`.
    #[schema(min_length = 1, max_length = 64, pattern = "^[A-Za-z0-9_-]+$")]
    device: Option<String>,
}

impl Position {
    /// Parses and validates the reported position. `now` is the server's time.
    fn read(&self, now: Timestamp) -> Result<PositionReport, ApiError> {
        let position = number("position", "Please specify the section.", self.position.as_ref())?;
        let paragraph = number("paragraph", "Please specify the paragraph.", self.paragraph.as_ref())?;
        let audio = number("audio", "Please specify the audio position in milliseconds.", self.audio.as_ref())?;
        if position.is_none() && audio.is_none() {
            return Err(ApiError::invalid("position", "Please specify the section."));
        }
        let time = |field, given| {
            let millis = number(field, "Please specify the time in milliseconds.", given)?;
            Ok::<_, ApiError>(millis.map(Timestamp::from_millis))
        };
        let at = moment(time("at", self.at.as_ref())?, time("sent", self.sent.as_ref())?, now);
        let no_device = || ApiError::invalid("device", "A device name has up to 64 letters and digits.");
        let device = self.device.as_deref().map(|name| Device::parse(name).ok_or_else(no_device)).transpose()?;
        Ok(PositionReport { position, paragraph, completed: self.completed.unwrap_or(false), audio, at, device })
    }
}

/// Parses an optional whole number; `wanted` is the text of the error.
fn number(field: &'static str, wanted: &'static str, given: Option<&Number>) -> Result<Option<i64>, ApiError> {
    given.map(|number| whole(number).ok_or_else(|| ApiError::invalid(field, wanted))).transpose()
}

/// Saves where the reader is, and completes the summary at its end. The first completion answers what it has earned.
/// What several devices say, late and in any order, is merged: the latest moment wins, no completion is lost, and
/// `place` is what comes of it.
#[utoipa::path(
    tag = "reading",
    request_body = Position,
    responses((status = 200, description = "It is saved.", body = Answer<EntryResult>), NotFound),
    security(("token" = []))
)]
#[put("/api/user-book-history")]
pub(super) async fn save_position(
    app: Data<App>,
    Member(claims): Member,
    Body(body): Body<Position>,
) -> Result<Answer<EntryResult>, ApiError> {
    let (book, now) = (BookName::read(body.book_id.as_ref())?, app.env.now());
    let report = body.read(now)?;
    let book = app.book_facts(book).await?;
    match reading::save_position(&app.transactions, claims.user, &book, report).await? {
        Some(saved) => Ok(Answer::new(saved.into())),
        None => Err(app.read_tx(move |tx| reading::history_refusal(tx, claims.user, &book)).await?.into()),
    }
}
