//! Sweeps orphaned files: an upload leaves its file behind if the process ends before the row is saved.

use std::sync::Arc;

use futures_util::StreamExt;
use jobs::{JobDefinition, JobKind, LongJob, Outcome, PayloadError};
use kernel::{DAY, Env, StoreError};
use media::{Media, is_rendition, place_of};
use postgres::Db;

use crate::recording_files::queue_removal;

/// The folders in which every file belongs to a row. Files in other folders are made on request.
const FOLDERS: [&str; 12] = [
    "covers",
    "categories",
    "collections",
    "blog",
    "pictures",
    "thumbs",
    "goals",
    "podcasts",
    "audio",
    "video",
    "visuals",
    "infographics",
];
/// How many files one query checks.
const BATCH: usize = 5_000;
/// Up to this many orphaned files are removed, however few other files there are.
const FEW: usize = 100;

/// The job that queues the removal of files that no row references. The removal waits a day at least and checks again, so a
/// file that is being uploaded now stays.
pub struct SweepFiles {
    pub db: Db,
    pub media: Arc<Media>,
    /// The clock.
    pub env: Arc<dyn Env>,
}

impl std::fmt::Debug for SweepFiles {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("SweepFiles")
    }
}

impl JobDefinition for SweepFiles {
    const KIND: JobKind = JobKind::long("sweep_files").every(DAY);
    type Payload = ();

    fn decode(&self, _: &[u8]) -> Result<(), PayloadError> {
        Ok(())
    }
}

/// Whether a row must reference this file. Renditions belong to their picture, zip files are made on request.
fn is_swept(key: &str) -> bool {
    let Some((folder, kind)) = place_of(key) else { return false };
    FOLDERS.contains(&folder.name) && kind.ending != "zip" && !is_rendition(key)
}

/// Whether so many files are orphaned that the object store rather belongs to another database, or the database was emptied or is
/// not restored yet.
fn is_suspicious(unnamed: usize, files: usize) -> bool {
    unnamed > FEW && unnamed > files / 2
}

impl SweepFiles {
    async fn sweep(&self) -> Result<(), String> {
        let mut objects = self.media.objects();
        let (mut files, mut batch, mut unnamed) = (0, Vec::new(), Vec::new());
        while let Some(object) = objects.next().await {
            let (key, _) = object.map_err(|error| error.to_string())?;
            if is_swept(&key) {
                files += 1;
                batch.push(key);
            }
            if batch.len() == BATCH {
                unnamed.extend(self.unnamed(std::mem::take(&mut batch)).await?);
            }
        }
        unnamed.extend(self.unnamed(batch).await?);
        if is_suspicious(unnamed.len(), files) {
            tracing::error!(
                unnamed = unnamed.len(),
                files,
                "most files of the object store are named by no row: none is removed. Does it belong to this database?"
            );
            return Ok(());
        }
        let now = self.env.now();
        let queued =
            self.db.write::<_, StoreError, _>(move |pg| unnamed.iter().try_for_each(|key| queue_removal(pg, key, now)));
        queued.await.map_err(|error| error.to_string())
    }

    async fn unnamed(&self, keys: Vec<String>) -> Result<Vec<String>, String> {
        let unnamed = self.db.read::<_, StoreError, _>(move |pg| pg.unnamed_files(&keys));
        unnamed.await.map_err(|error| error.to_string())
    }
}

impl LongJob for SweepFiles {
    async fn run_long(&self, (): &()) -> Outcome {
        self.sweep().await.map_or_else(|reason| Outcome::Failed { reason, is_permanent: false }, |()| Outcome::Done)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_store_of_which_most_is_unnamed_is_left_alone() {
        assert!(!is_suspicious(100, 100), "what a few uploads left");
        assert!(!is_suspicious(101, 202));
        assert!(is_suspicious(101, 201));
    }

    #[test]
    fn only_files_that_rows_name_are_swept() {
        for key in ["covers/walden-1a.svg", "audio/walden-1a.mp3", "infographics/walden-1a.jpg", "thumbs/walden-1a.jpg"]
        {
            assert!(is_swept(key), "{key}");
        }
        for key in [
            "covers/walden-1a.512.png",
            "covers/walden-1a.svg.br",
            "infographics/newest-20-1a.zip",
            "documents/walden-1a.pdf",
            "cards/site-1a.png",
            "backups/all.tar",
        ] {
            assert!(!is_swept(key), "{key}");
        }
    }
}
