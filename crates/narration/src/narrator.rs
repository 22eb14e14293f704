//! What making a recording needs of the process.

use std::{path::PathBuf, sync::Arc};

use kernel::Env;
use media::Media;
use postgres::Db;

use crate::synthesizer::Synthesizer;

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
