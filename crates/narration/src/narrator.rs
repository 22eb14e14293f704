//! The job that makes a recording, with what it needs of the process.

use std::{path::PathBuf, sync::Arc};

use jobs::{JobDefinition, JobKind, LongJob, Outcome, PayloadError};
use kernel::Env;
use media::Media;
use postgres::Db;
use workflows::narration::{NARRATE, NarrationTask};

use crate::{make::make, synthesizer::Synthesizer};

/// Makes the recordings of narration jobs.
pub struct Narrator {
    /// The database.
    pub db: Db,
    /// The object store, which takes the recordings.
    pub media: Arc<Media>,
    /// The clock.
    pub env: Arc<dyn Env>,
    /// The speech programs; `None` when this machine has none.
    pub synthesizer: Option<Arc<Synthesizer>>,
    /// The data folder, in which scratch folders are made.
    pub home: PathBuf,
    /// The site's name, which stands on slides.
    pub site: String,
}

impl std::fmt::Debug for Narrator {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Narrator").field("synthesizer", &self.synthesizer).finish_non_exhaustive()
    }
}

impl JobDefinition for Narrator {
    const KIND: JobKind = NARRATE;
    type Payload = NarrationTask;

    fn decode(&self, payload: &[u8]) -> Result<NarrationTask, PayloadError> {
        NarrationTask::parse(payload).ok_or_else(|| PayloadError("Its words can't be read.".to_owned()))
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
