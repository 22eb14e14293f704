//! The job that makes a recording.

use std::{
    path::Path,
    time::{Duration, SystemTime},
};

use jobs::{JobDefinition, JobKind, LongJob, Outcome, PayloadError};
use kernel::Timestamp;
use workflows::narration::{NARRATE, NarrationTask};

use crate::{book, error::NarrationError, film, narrator::Narrator, podcast, program::blocking, scratch_dir};

impl JobDefinition for Narrator {
    const KIND: JobKind = NARRATE;
    type Payload = NarrationTask;

    fn decode(&self, payload: &[u8]) -> Result<NarrationTask, PayloadError> {
        NarrationTask::parse(payload).ok_or_else(|| PayloadError("invalid payload".to_owned()))
    }

    fn is_available(&self) -> bool {
        self.synthesizer.is_some()
    }
}

impl LongJob for Narrator {
    async fn run_long(&self, task: &NarrationTask) -> Outcome {
        make(self, task).await
    }
}

/// Removes the scratch folders of processes that were killed. `home` is the data folder.
pub async fn sweep(home: &Path, now: Timestamp) {
    let home = home.to_owned();
    let now = SystemTime::UNIX_EPOCH + Duration::from_millis(now.millis().unsigned_abs());
    match blocking(move || Ok(scratch_dir::sweep(&home, now)?)).await {
        Ok(0) => {}
        Ok(swept) => tracing::info!(swept, "abandoned scratch folders of recordings were removed"),
        Err(error) => tracing::warn!(%error, "abandoned scratch folders of recordings could not be removed"),
    }
}

/// Makes the recording of a narration job. Idempotent, because an interrupted job is retried.
async fn make(narrator: &Narrator, task: &NarrationTask) -> Outcome {
    let done = match (task, narrator.synthesizer.as_deref()) {
        (_, None) => Err(NarrationError::NoVoice),
        (NarrationTask::Audio(book), Some(synthesizer)) => book::narrate(narrator, synthesizer, *book).await,
        (NarrationTask::Video(book), Some(synthesizer)) => film::make(narrator, synthesizer, *book).await,
        (NarrationTask::Podcast(slug), Some(synthesizer)) => podcast::record(narrator, synthesizer, slug).await,
    };
    match done {
        Ok(()) => Outcome::Done,
        Err(error) => Outcome::Failed { reason: error.to_string(), is_permanent: false },
    }
}
