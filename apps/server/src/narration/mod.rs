//! Reading aloud what is in the catalogue: jobs that make recordings, one at a time, behind everything else.
//!
//! A recording is made of the text as it is when the job begins, and becomes the book's only if that is its text still and
//! nobody has put another recording there meanwhile. Made anew, it is the same: whatever stops a job, it is begun again.
//! What was replaced, or came too late, is removed from the object store later: see [`crate::flows::replaced`].

mod book;
mod film;
mod podcast;
mod reader;
mod workroom;

use std::time::{Duration, SystemTime};

use jobs::Outcome;
use kernel::{StoreError, Timestamp};
use media::MediaError;
use serde::{Deserialize, Serialize};

use crate::{
    app::App,
    gateways::speech::{ProgramError, blocking},
};

/// What is to be made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Work {
    /// A book is read aloud.
    Audio(i64),
    /// A short film is made of a book.
    Video(i64),
    /// An episode of the podcasts is spoken.
    Podcast(String),
}

impl Work {
    /// The word by which admins see it.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Audio(_) => "audio",
            Self::Video(_) => "video",
            Self::Podcast(_) => "podcast",
        }
    }

    /// As a job carries it. It names what everybody may see: there is nothing to seal.
    pub fn payload(&self) -> Vec<u8> {
        serde_json::to_vec(self).unwrap_or_default()
    }
}

/// Why nothing was made.
#[derive(Debug, thiserror::Error)]
enum NarrationError {
    /// A program of the machine did not do its work.
    #[error("{0}")]
    Program(#[from] ProgramError),
    /// The object store did not take it.
    #[error("{0}")]
    Media(#[from] MediaError),
    /// The database was not there.
    #[error("{0}")]
    Store(#[from] StoreError),
    /// A slide could not be drawn.
    #[error("{0}")]
    Slide(#[from] artwork::raster::RasterError),
    /// The machine has nothing that speaks.
    #[error("no program of this machine speaks")]
    Silent,
}

impl From<std::io::Error> for NarrationError {
    fn from(error: std::io::Error) -> Self {
        Self::Program(error.into())
    }
}

/// Removes what was left behind by processes that were killed while they made a recording.
pub async fn sweep(app: &App, now: Timestamp) {
    let home = app.config.home.clone();
    let now = SystemTime::UNIX_EPOCH + Duration::from_millis(now.millis().unsigned_abs());
    match blocking(move || Ok(workroom::sweep(&home, now)?)).await {
        Ok(0) => {}
        Ok(swept) => tracing::info!(swept, "what recordings were being made of was removed"),
        Err(error) => tracing::warn!(%error, "what recordings were being made of could not be removed"),
    }
}

/// Does what a job's payload says.
pub async fn make(app: &App, payload: &[u8]) -> Outcome {
    let Ok(work) = serde_json::from_slice::<Work>(payload) else {
        return Outcome::Failed { reason: "Its words can't be read.".to_owned(), for_good: true };
    };
    let done = match (work, &app.speech) {
        (_, None) => Err(NarrationError::Silent),
        (Work::Audio(book), Some(speech)) => book::narrate(app, speech, book).await,
        (Work::Video(book), Some(speech)) => film::make(app, speech, book).await,
        (Work::Podcast(slug), Some(speech)) => podcast::speak(app, speech, &slug).await,
    };
    match done {
        Ok(()) => Outcome::Done,
        Err(error) => Outcome::Failed { reason: error.to_string(), for_good: false },
    }
}
