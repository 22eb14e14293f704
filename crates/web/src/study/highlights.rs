//! `PUT /api/study/highlights/{id}`.

use actix_web::{put, web::Data};
use kernel::{HighlightId, SummaryId, Timestamp};
use serde::Deserialize;
use serde_json::Number;
use study::{Anchor, HighlightColor, HighlightState, Note, Part, Register, Tag};
use utoipa::ToSchema;
use workflows::study::highlights::{ReportedSource, put_highlight};

use crate::{
    app::App,
    catalogue::types::book_name::BookName,
    extract::{Body, Path, StudyWriter},
    http::{error::ApiError, openapi::NotFound, openapi::TooManyTries, whole::whole, wire::Answer},
    study::{
        clock::{DeviceClock, time},
        types::{HighlightAnchor, HighlightResult},
    },
};

/// A value, and when it was set by the device's clock.
#[derive(Debug, Deserialize, ToSchema)]
pub struct SetText {
    pub(super) value: String,
    /// In ms since the epoch.
    #[schema(value_type = i64)]
    pub(super) at: Number,
}

/// Whether a highlight has a tag.
#[derive(Debug, Deserialize, ToSchema)]
pub struct SetTag {
    /// One line of up to 40 characters.
    #[schema(min_length = 1)]
    tag: String,
    /// Whether it has it; not, after it was removed.
    on: bool,
    /// In ms since the epoch.
    #[schema(value_type = i64)]
    at: Number,
}

/// A moment of a book's recording.
#[derive(Debug, Deserialize, ToSchema)]
pub struct HeardMoment {
    /// In ms from the start of the recording.
    #[schema(value_type = i64, minimum = 0, maximum = 4_294_967_295_i64)]
    audio: Number,
}

/// What a device knows of a highlight. A part that it never set is left out.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct HighlightBody {
    /// The book that it is from; left out when it was deleted.
    #[schema(value_type = Option<BookName>)]
    book_id: Option<BookName>,
    /// The own summary that it is from, if it is not from a book.
    #[schema(value_type = Option<i64>, minimum = 1)]
    summary_id: Option<Number>,
    /// `text`, `quote` or `source`. Default: `text`.
    #[schema(pattern = "^(text|quote|source)$")]
    part: Option<String>,
    /// Where it is in the text; left out of one that was heard.
    anchor: Option<HighlightAnchor>,
    /// In place of the anchor: the sentence of the book's recording that was just spoken.
    heard: Option<HeardMoment>,
    /// When it was made, in ms since the epoch, by the device's clock.
    #[schema(value_type = i64)]
    created_at: Number,
    /// `honey`, `leaf`, `sky` or `rose`.
    color: Option<SetText>,
    /// Up to 5,000 characters; empty: none.
    note: Option<SetText>,
    /// Every tag that it has or once had.
    #[serde(default)]
    tags: Vec<SetTag>,
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

impl HighlightBody {
    /// Parses the source; `None`: it was deleted.
    fn source(&self) -> Result<Option<ReportedSource>, ApiError> {
        let Some(summary) = &self.summary_id else {
            let Some(book) = &self.book_id else { return Ok(None) };
            return Ok(Some(ReportedSource::Book(BookName::read(Some(book))?)));
        };
        if self.book_id.is_some() {
            return Err(ApiError::invalid("summaryId", "A highlight is from a book or from a summary."));
        }
        let id = whole(summary).and_then(|id| SummaryId::new(id).ok());
        id.map(ReportedSource::Summary).map(Some).ok_or_else(|| ApiError::not_found("summary"))
    }

    /// Parses the moment at which it was heard, in ms.
    fn heard_ms(&self) -> Result<Option<u64>, ApiError> {
        let Some(HeardMoment { audio }) = &self.heard else { return Ok(None) };
        let at_ms = whole(audio).and_then(|at| u32::try_from(at).ok()).map(u64::from);
        at_ms.map(Some).ok_or_else(|| ApiError::invalid("heard", "This is no moment of a recording."))
    }

    /// Parses what the device reports; its moments are put right. `now` is the server's time.
    fn state(&self, now: Timestamp) -> Result<HighlightState, ApiError> {
        let clock = DeviceClock::read(self.sent.as_ref(), self.device.as_deref(), now)?;
        let part = self.part.as_deref().unwrap_or(Part::Text.as_str());
        let part = part.parse().map_err(|_| ApiError::invalid("part", "There is no such part of a text."))?;
        let created_at = time("createdAt", &self.created_at)?;
        let anchor = match (&self.anchor, &self.heard) {
            (Some(anchor), None) => anchor.read()?,
            // It follows from the moment.
            (None, Some(_)) => Anchor::default(),
            _ => return Err(ApiError::invalid("anchor", "A highlight has an anchor or was heard.")),
        };
        let mut state = HighlightState::new(part, anchor, created_at);
        if let Some(SetText { value, at }) = &self.color {
            let color = value.parse::<HighlightColor>();
            let color = color.map_err(|_| ApiError::invalid("color", "Please choose one of the four colors."))?;
            state.color = Register::new(color, time("color", at)?);
        }
        if let Some(SetText { value, at }) = &self.note {
            state.note = Register::new(Note::new(value)?, time("note", at)?);
        }
        for SetTag { tag, on, at } in &self.tags {
            state.set_tag(Tag::new(tag)?, *on, time("tags", at)?);
        }
        state.deleted_at = self.deleted_at.as_ref().map(|at| time("deletedAt", at)).transpose()?;
        Ok(state.with_moments(|at| clock.made(at), |at| clock.set(at)))
    }
}

/// Saves a highlight of the member. The device sends all that it knows of it; what several devices say, late, repeated and in
/// any order, is merged: of each part the latest wins, and the result is what comes of it. The id is chosen by the device, at random.
#[utoipa::path(
    tag = "study",
    params(("id" = i64, Path, description = "The id of a highlight.", minimum = 1, maximum = 9_007_199_254_740_991_i64)),
    request_body = HighlightBody,
    responses((status = 200, description = "It is saved.", body = Answer<HighlightResult>), NotFound, TooManyTries),
    security(("token" = []), ("apiToken" = []))
)]
#[put("/api/study/highlights/{id}")]
pub(super) async fn save_highlight(
    app: Data<App>,
    StudyWriter(member): StudyWriter,
    id: Path<String>,
    Body(body): Body<HighlightBody>,
) -> Result<Answer<HighlightResult>, ApiError> {
    let id: HighlightId = id.parse().map_err(|_| ApiError::not_found("highlight"))?;
    let (source, heard_ms, state) = (body.source()?, body.heard_ms()?, body.state(app.env.now())?);
    let saved = app.write_tx(move |tx| put_highlight(tx, member, id, source.as_ref(), heard_ms, state)).await?;
    Ok(Answer::new(HighlightResult { highlight: saved.into() }))
}
