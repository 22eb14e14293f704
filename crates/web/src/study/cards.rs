//! `PUT /api/study/cards/{id}`.

use actix_web::{put, web::Data};
use kernel::{HighlightId, ReviewCardId, SummaryId, Timestamp};
use serde::Deserialize;
use serde_json::Number;
use study::{Blank, CardContent, CardKind, CardState, Register, StudyError, opening_of_idea};
use utoipa::ToSchema;
use workflows::study::{cards::put_card, highlights::ReportedSource};

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
        card_types::CardResult,
        clock::{DeviceClock, time},
    },
};

/// A range of hidden characters in a highlight's words.
#[derive(Debug, Deserialize, ToSchema)]
pub struct SetBlank {
    #[schema(value_type = i64, minimum = 0, maximum = 2_000)]
    start: Number,
    #[schema(value_type = i64, minimum = 0, maximum = 2_000)]
    end: Number,
}

/// What a member decides about a card.
#[derive(Debug, Deserialize, ToSchema)]
pub struct CardContentBody {
    /// Of an own card: up to 500 characters.
    #[serde(default)]
    question: String,
    /// Of an own card: up to 2,000 characters.
    #[serde(default)]
    answer: String,
    /// The hidden words of a highlight, in order, without overlap.
    #[serde(default)]
    blanks: Vec<SetBlank>,
}

/// The content of a card, and when it was set by the device's clock.
#[derive(Debug, Deserialize, ToSchema)]
pub struct SetCardContent {
    value: CardContentBody,
    /// In ms since the epoch.
    #[schema(value_type = i64)]
    at: Number,
}

/// A switch, and when it was set by the device's clock.
#[derive(Debug, Deserialize, ToSchema)]
pub struct SetSwitch {
    value: bool,
    /// In ms since the epoch.
    #[schema(value_type = i64)]
    at: Number,
}

/// What a device knows of a review card. A part that it never set is left out.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CardBody {
    /// `idea`, `highlight` or `own`.
    #[schema(pattern = "^(idea|highlight|own)$")]
    kind: String,
    /// The book of an idea; the book that an own card is about.
    #[schema(value_type = Option<BookName>)]
    book_id: Option<BookName>,
    /// The own summary that an own card is about.
    #[schema(value_type = Option<i64>, minimum = 1)]
    summary_id: Option<Number>,
    /// The highlight whose words are hidden.
    #[schema(value_type = Option<i64>, minimum = 1, maximum = 9_007_199_254_740_991_i64)]
    highlight_id: Option<Number>,
    /// The index of an idea's section when the card was made, from 0.
    #[schema(value_type = Option<i64>, minimum = 0, maximum = 2_147_483_647)]
    section: Option<Number>,
    /// The title of an idea, from which and from the book's id the card's id follows.
    idea_title: Option<String>,
    /// The first 64 characters of an idea's text.
    opening: Option<String>,
    content: Option<SetCardContent>,
    /// A paused card is not asked.
    paused: Option<SetSwitch>,
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

impl CardBody {
    /// Parses what the card is from.
    fn source(&self) -> Result<Option<ReportedSource>, ApiError> {
        match (&self.book_id, &self.summary_id) {
            (None, None) => Ok(None),
            (Some(book), None) => Ok(Some(ReportedSource::Book(BookName::read(Some(book))?))),
            (None, Some(summary)) => {
                let id = whole(summary).and_then(|id| SummaryId::new(id).ok());
                id.map(|id| Some(ReportedSource::Summary(id))).ok_or_else(|| ApiError::not_found("summary"))
            }
            (Some(_), Some(_)) => Err(ApiError::invalid("summaryId", "A card is from a book or from a summary.")),
        }
    }

    fn kind(&self) -> Result<CardKind, ApiError> {
        match self.kind.as_str() {
            "idea" => {
                let section = self.section.as_ref().and_then(whole).and_then(|section| i32::try_from(section).ok());
                let section = section.and_then(|section| u32::try_from(section).ok());
                let opening = opening_of_idea(self.opening.as_deref().unwrap_or_default());
                Ok(CardKind::Idea {
                    section: section.ok_or_else(|| ApiError::invalid("section", "There is no such section."))?,
                    title: self.idea_title.clone().unwrap_or_default(),
                    opening,
                })
            }
            "highlight" => {
                let id = self.highlight_id.as_ref().and_then(whole).and_then(|id| HighlightId::new(id).ok());
                let highlight = id.ok_or_else(|| ApiError::not_found("highlight"))?;
                Ok(CardKind::Highlight { highlight })
            }
            "own" => Ok(CardKind::Own),
            _ => Err(ApiError::invalid("kind", "There is no such kind of card.")),
        }
    }

    /// Parses what the device reports; its moments are put right. `now` is the server's time.
    fn state(&self, now: Timestamp) -> Result<CardState, ApiError> {
        let clock = DeviceClock::read(self.sent.as_ref(), self.device.as_deref(), now)?;
        let kind = self.kind()?;
        let mut state = CardState::new(kind, time("createdAt", &self.created_at)?);
        if let Some(SetCardContent { value, at }) = &self.content {
            state.content = Register::new(value.read(&state.kind)?, time("content", at)?);
        }
        if let Some(SetSwitch { value, at }) = &self.paused {
            state.is_paused = Register::new(*value, time("paused", at)?);
        }
        state.deleted_at = self.deleted_at.as_ref().map(|at| time("deletedAt", at)).transpose()?;
        Ok(state.with_moments(|at| clock.made(at), |at| clock.set(at)))
    }
}

impl CardContentBody {
    /// Parses what a card of this kind has: an idea has nothing of its own.
    fn read(&self, kind: &CardKind) -> Result<CardContent, StudyError> {
        let number = |number: &Number| {
            let number = whole(number).and_then(|number| u32::try_from(number).ok());
            number.ok_or(StudyError::NothingHidden)
        };
        match kind {
            CardKind::Idea { .. } => Ok(CardContent::default()),
            CardKind::Highlight { .. } => {
                let blank = |blank: &SetBlank| Ok(Blank { start: number(&blank.start)?, end: number(&blank.end)? });
                Ok(CardContent::hiding(self.blanks.iter().map(blank).collect::<Result<_, StudyError>>()?))
            }
            CardKind::Own => Ok(CardContent::own(&self.question, &self.answer)),
        }
    }
}

/// Saves a review card of the member. The device sends all that it knows of it; what several devices say, late, repeated and in
/// any order, is merged as that of highlights is. The id of an own card is chosen by the device, at random; that of an idea
/// follows from its book and title, and that of a highlight's card from the highlight's id.
#[utoipa::path(
    tag = "study",
    params(("id" = i64, Path, description = "The id of a review card.", minimum = 1, maximum = 9_007_199_254_740_991_i64)),
    request_body = CardBody,
    responses((status = 200, description = "It is saved.", body = Answer<CardResult>), Forbidden, NotFound, TooManyTries),
    security(("token" = []), ("apiToken" = []))
)]
#[put("/api/study/cards/{id}")]
pub(super) async fn save_review_card(
    app: Data<App>,
    StudyWriter(member): StudyWriter,
    id: Path<String>,
    Body(body): Body<CardBody>,
) -> Result<Answer<CardResult>, ApiError> {
    let id: ReviewCardId = id.parse().map_err(|_| ApiError::not_found("card"))?;
    let (source, state) = (body.source()?, body.state(app.env.now())?);
    let saved = app.write_tx(move |tx| put_card(tx, member, id, source.as_ref(), state)).await?;
    Ok(Answer::new(CardResult { card: saved.into() }))
}
