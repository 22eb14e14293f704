//! `POST /api/study/session` and `POST /api/study/completed-ideas`.

use std::collections::BTreeSet;

use actix_web::{post, web::Data};
use kernel::{BookId, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::Number;
use study::{CompletedIdea, SessionMinutes, SessionTopic, StudyError};
use utoipa::ToSchema;
use workflows::study::session::{self, ReadingSession};

use crate::{
    app::App,
    catalogue::types::book::BookCard,
    extract::{Body, Member, StudyWriter},
    http::{
        error::ApiError,
        openapi::TooManyTries,
        whole::whole,
        wire::{Answer, Nothing},
    },
    study::clock::{DeviceClock, time},
};

/// How many ideas a call can complete.
const MAX_IDEAS: usize = 100;
/// The most characters of a heading.
const HEADING_CHARS: usize = 1_000;

/// How long a session shall be, and on what.
#[derive(Debug, Deserialize, ToSchema)]
pub struct SessionBody {
    /// From 1 to 120 minutes.
    #[schema(value_type = i64, minimum = 1, maximum = 120)]
    minutes: Number,
    /// The topic, up to 100 characters; without one a session has what was left open and what is recommended.
    #[schema(max_length = 100)]
    topic: Option<String>,
}

impl SessionBody {
    fn read(&self) -> Result<(SessionMinutes, SessionTopic), ApiError> {
        let minutes = whole(&self.minutes).and_then(|minutes| u32::try_from(minutes).ok());
        let minutes = minutes.ok_or(StudyError::InvalidSessionMinutes).and_then(SessionMinutes::new)?;
        Ok((minutes, SessionTopic::new(self.topic.as_deref().unwrap_or_default())?))
    }
}

/// The part of a recording that has an idea.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct RecordingPart {
    /// Where it begins, in seconds.
    from: f64,
    /// Where it ends.
    to: f64,
}

/// A key idea of a session.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SessionIdea {
    /// The book that it is from.
    book: BookCard,
    /// The index of its section, from 0.
    section: usize,
    /// How many sections the book has.
    sections: usize,
    /// Its heading.
    title: String,
    /// Its text, without the heading.
    html: String,
    /// How many seconds it takes to read, or to hear if there is a recording.
    seconds: f64,
    /// The part of the book's recording that has it; null: it can't be heard.
    #[schema(required)]
    recording: Option<RecordingPart>,
    /// Whether the member stopped reading its book here.
    is_left_open: bool,
}

/// What a member reads or hears in one go.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SessionResult {
    /// The ideas, in the order in which they are read. They take the minutes, and exceed them by less than one idea.
    ideas: Vec<SessionIdea>,
    /// Whether no book is about the topic, and these are the nearest.
    is_near: bool,
}

fn seconds(millis: u64) -> f64 {
    std::time::Duration::from_millis(millis).as_secs_f64()
}

impl From<ReadingSession> for SessionResult {
    fn from(session: ReadingSession) -> Self {
        let ideas = session.ideas.into_iter().map(|idea| SessionIdea {
            book: BookCard::from(&idea.card),
            section: idea.section.place,
            sections: idea.sections,
            title: idea.section.title.clone(),
            html: idea.section.html_without_heading(),
            seconds: seconds(idea.millis),
            recording: idea.recording.map(|part| RecordingPart { from: seconds(part.start), to: seconds(part.end) }),
            is_left_open: idea.is_left_open,
        });
        Self { ideas: ideas.collect(), is_near: session.is_near }
    }
}

/// Builds a session: key ideas of several books on a topic, within some minutes. It has only what the member may read without
/// taking from the allowance, and nothing that they have completed within 30 days. Its books count as opened.
#[utoipa::path(
    tag = "study",
    request_body = SessionBody,
    responses((status = 200, description = "The session; without ideas when there are none.", body = Answer<SessionResult>), TooManyTries),
    security(("token" = []))
)]
#[post("/api/study/session")]
pub(super) async fn build_session(
    app: Data<App>,
    Member(claims): Member,
    Body(body): Body<SessionBody>,
) -> Result<Answer<SessionResult>, ApiError> {
    let (minutes, topic) = body.read()?;
    let built = session::reading_session(&app.transactions, claims.user, minutes, topic).await?;
    let books: BTreeSet<BookId> = built.ideas.iter().map(|idea| idea.card.id).collect();
    for book in books {
        app.views.count(book);
    }
    Ok(Answer::new(built.into()))
}

/// A key idea that was completed.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CompletedIdeaBody {
    /// The id of its book.
    #[schema(value_type = i64, minimum = 1)]
    book_id: Number,
    /// Its heading.
    #[schema(min_length = 1, max_length = 1000)]
    idea: String,
    /// When it was completed, in ms since the epoch, by the device's clock.
    #[schema(value_type = i64)]
    at: Number,
}

/// Ideas that were completed on a device.
#[derive(Deserialize, ToSchema)]
pub struct CompletedIdeasBody {
    #[schema(min_items = 1, max_items = 100)]
    ideas: Vec<CompletedIdeaBody>,
    /// When this is sent, by the same clock: tells a wrong clock from a late request.
    #[schema(value_type = Option<i64>)]
    sent: Option<Number>,
}

impl CompletedIdeasBody {
    /// Parses the ideas; their moments are put right. `now` is the server's time.
    fn read(&self, now: Timestamp) -> Result<Vec<CompletedIdea>, ApiError> {
        let clock = DeviceClock::read(self.sent.as_ref(), None, now)?;
        if self.ideas.is_empty() || self.ideas.len() > MAX_IDEAS {
            return Err(ApiError::invalid("ideas", "Please send 1 to 100 ideas."));
        }
        let read = |CompletedIdeaBody { book_id, idea, at }: &CompletedIdeaBody| {
            let unknown = || ApiError::invalid("ideas", "There is no such book.");
            let book = whole(book_id).and_then(|id| BookId::new(id).ok()).ok_or_else(unknown)?;
            if idea.trim().is_empty() || idea.chars().count() > HEADING_CHARS {
                return Err(ApiError::invalid("ideas", "There is no such key idea."));
            }
            Ok(CompletedIdea { book, idea: idea.clone(), at: clock.made(time("ideas", at)?) })
        };
        self.ideas.iter().map(read).collect()
    }
}

/// Records ideas that the member has completed in a session: they are not offered again for 30 days. One that comes twice counts
/// once, and its latest moment counts. What is no heading of such a book is ignored. It saves no place in the book.
#[utoipa::path(
    tag = "study",
    request_body = CompletedIdeasBody,
    responses((status = 200, description = "They are recorded.", body = Answer<Nothing>), TooManyTries),
    security(("token" = []), ("apiToken" = []))
)]
#[post("/api/study/completed-ideas")]
pub(super) async fn save_completed_ideas(
    app: Data<App>,
    StudyWriter(member): StudyWriter,
    Body(body): Body<CompletedIdeasBody>,
) -> Result<Answer<Nothing>, ApiError> {
    let ideas = body.read(app.env.now())?;
    app.write_tx(move |tx| session::complete_ideas(tx, member, ideas)).await?;
    Ok(Answer::new(Nothing {}))
}
