//! What making a recording needs of the process.

use std::path::Path;

use kernel::Env;
use media::Media;
use postgres::Db;

use crate::synthesizer::Synthesizer;

/// What making a recording needs of the process.
#[derive(Clone, Copy)]
pub struct Narrator<'a> {
    /// The database.
    pub db: &'a Db,
    /// The object store, which takes the recordings.
    pub media: &'a Media,
    /// The clock.
    pub env: &'a dyn Env,
    /// The speech programs; `None` when this machine has none.
    pub synthesizer: Option<&'a Synthesizer>,
    /// The data folder, in which scratch folders are made.
    pub home: &'a Path,
    /// The site's name, which stands on slides.
    pub site: &'a str,
}

impl std::fmt::Debug for Narrator<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Narrator").field("synthesizer", &self.synthesizer).finish_non_exhaustive()
    }
}
