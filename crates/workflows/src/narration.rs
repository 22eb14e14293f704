//! Narration: queues the recordings and films to be made after a change, in its transaction (`catalogue.narrated-text`).

use catalogue::{BookRef, CatalogueQueries, RecordingQueries};
use editorial::EditorialQueries;
use jobs::{JobKind, JobRequest, Jobs, Queue};
use kernel::{StoreError, Timestamp};
use postgres::Pg;
use serde::{Deserialize, Serialize};

/// The job that makes a recording or a film. It has a queue of its own with one slot: a recording keeps a core busy for minutes,
/// and mails must not wait for it.
pub const NARRATE: JobKind = JobKind::long("narration").deduplicated().in_queue(Queue { name: "narration", slots: 1 });

/// A recording or film to make. Its JSON is the payload of queued jobs: a variant may be added, but never renamed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NarrationTask {
    /// The audio of a book, by its id.
    Audio(i64),
    /// The short film of a book, by its id.
    Video(i64),
    /// The audio of a podcast episode, by its slug.
    Podcast(String),
}

impl NarrationTask {
    /// The subject of the job, as admins see it.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Audio(_) => "audio",
            Self::Video(_) => "video",
            Self::Podcast(_) => "podcast",
        }
    }

    /// The payload of the job. It names only public content, so it is not sealed.
    pub fn payload(&self) -> Vec<u8> {
        serde_json::to_vec(self).unwrap_or_default()
    }
    /// Parses the payload of a job; `None` if it is invalid.
    pub fn parse(payload: &[u8]) -> Option<Self> {
        serde_json::from_slice(payload).ok()
    }
}

/// Queues the audio of a book, if it has a text and no current recording. Must be called whenever a text may have changed.
pub fn queue_audio(pg: &mut Pg<'_>, book: &BookRef, now: Timestamp) -> Result<(), StoreError> {
    let Some(book) = pg.book(book)? else { return Ok(()) };
    if pg.wants_narration(&book)? {
        queue_task(pg, &NarrationTask::Audio(book.card.id.get()), now, now)?;
    }
    Ok(())
}

/// Which films to queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FilmRequest {
    /// A book's first film too.
    First,
    /// Only a film that replaces an outdated one.
    Replacement,
}

/// Queues the film of a book for `due_at`, if it has key ideas and no current film. A later `due_at` postpones a queued film.
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

/// Queues the audio of all podcast episodes without a current recording.
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
