//! Narration: which recordings and films are to be made after a change, queued in its transaction (`catalogue.narrated-text`).

use catalogue::{BookRef, CatalogueQueries, RecordingQueries};
use editorial::EditorialQueries;
use jobs::{JobKind, JobRequest, Jobs, Queue};
use kernel::{StoreError, Timestamp};
use postgres::Pg;
use serde::{Deserialize, Serialize};

/// The job that makes a recording or a film. Its queue has one slot: a recording keeps a core busy for minutes, and mails
/// are sent meanwhile.
pub const NARRATE: JobKind = JobKind::long("narration").deduplicated().in_queue(Queue { name: "narration", slots: 1 });

/// What a narration job makes. Its JSON is the payload of queued jobs: a variant may be added, but not renamed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NarrationTask {
    /// The audio of a book, by its id.
    Audio(i64),
    /// The short film of a book, by its id.
    Video(i64),
    /// The audio of a podcast, by its slug.
    Podcast(String),
}

impl NarrationTask {
    /// The name that admins see.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Audio(_) => "audio",
            Self::Video(_) => "video",
            Self::Podcast(_) => "podcast",
        }
    }

    /// The payload of its job. It names public content only, so it is not sealed.
    pub fn payload(&self) -> Vec<u8> {
        serde_json::to_vec(self).unwrap_or_default()
    }
    /// Parses the payload of a job.
    pub fn parse(payload: &[u8]) -> Option<Self> {
        serde_json::from_slice(payload).ok()
    }
}

/// Queues the audio of a book, if it has a text and no recording of it. Call it whenever a text may have changed.
pub fn queue_audio(pg: &mut Pg<'_>, book: &BookRef, now: Timestamp) -> Result<(), StoreError> {
    let Some(book) = pg.book(book)? else { return Ok(()) };
    if pg.wants_narration(&book)? {
        queue_task(pg, &NarrationTask::Audio(book.card.id.get()), now, now)?;
    }
    Ok(())
}

/// Which films are queued.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FilmRequest {
    /// The first one of a book, too.
    First,
    /// Only another one in the place of one that shows something else by now.
    Replacement,
}

/// Queues the film of a book for `due_at`, if it has key ideas to show and no film of them. A later `due_at` postpones a film that is
/// queued already.
pub fn queue_film(
    pg: &mut Pg<'_>,
    book: &BookRef,
    request: FilmRequest,
    due_at: Timestamp,
    now: Timestamp,
) -> Result<(), StoreError> {
    let Some(book) = pg.book(book)? else { return Ok(()) };
    if book.card.video.is_none() && request == FilmRequest::Replacement {
        return Ok(());
    }
    let ideas = pg.visuals(book.card.id)?;
    if pg.wants_film(&book, &ideas)? {
        queue_task(pg, &NarrationTask::Video(book.card.id.get()), due_at, now)?;
    }
    Ok(())
}

/// Queues the audio of all podcasts without a recording.
pub fn queue_podcasts(pg: &mut Pg<'_>, now: Timestamp) -> Result<(), StoreError> {
    for slug in pg.unrecorded_episodes()? {
        queue_task(pg, &NarrationTask::Podcast(slug.to_string()), now, now)?;
    }
    Ok(())
}

fn queue_task(pg: &mut Pg<'_>, task: &NarrationTask, due_at: Timestamp, now: Timestamp) -> Result<(), StoreError> {
    let job = JobRequest { kind: NARRATE, about: task.name(), recipient: None, payload: &task.payload() };
    pg.queue_job_for(job, due_at, now)?;
    Ok(())
}
