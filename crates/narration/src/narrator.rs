//! The dependencies of narration jobs.

use std::{path::PathBuf, sync::Arc};

use kernel::Env;
use media::Media;
use postgres::Db;

use crate::synthesizer::Synthesizer;

/// Runs narration jobs.
pub struct Narrator {
    pub db: Db,
    /// Stores the recordings.
    pub media: Arc<Media>,
    pub env: Arc<dyn Env>,
    /// The speech programs; `None` when none is installed or enabled.
    pub synthesizer: Option<Arc<Synthesizer>>,
    /// The data folder: parent of the scratch folders.
    pub home: PathBuf,
    /// The site's name, shown on slides.
    pub site: String,
}

impl std::fmt::Debug for Narrator {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Narrator").field("synthesizer", &self.synthesizer).finish_non_exhaustive()
    }
}
