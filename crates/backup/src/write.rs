//! Writes a backup.

use std::{
    io::{self, Cursor, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
        mpsc::sync_channel,
    },
    thread,
};

use flate2::{Compression, write::GzEncoder};
use futures_util::{StreamExt, TryStreamExt};
use kernel::Env;
use media::Media;
use postgres::Snapshot;
use tokio::{runtime::Handle, sync::oneshot};

use crate::{
    BackupError, BackupKey, Contents, FORMAT, Tally,
    archive::ArchiveWriter,
    partial::{Partial, partial_path},
};

/// Batches of rows that are read ahead while earlier ones are compressed.
const READ_AHEAD: usize = 2;

/// What is backed up.
#[derive(Clone)]
pub struct Source {
    /// The connection URL of Postgres itself: the rows are read in one transaction.
    pub database_url: String,
    pub media: Arc<Media>,
    /// Encrypts the backup.
    pub key: Option<BackupKey>,
    pub env: Arc<dyn Env>,
}

impl std::fmt::Debug for Source {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Source").finish_non_exhaustive()
    }
}

/// Stops the thread that writes a backup, and removes what it has written, when its caller no longer waits for it.
struct StopOnDrop {
    stop: Arc<AtomicBool>,
    partial: PathBuf,
    has_ended: bool,
}

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::SeqCst);
        if !self.has_ended {
            // The thread may wait for the database for longer than the process lives. Once the file is gone, it can't be completed.
            let _ = std::fs::remove_file(&self.partial);
        }
    }
}

impl Source {
    /// Writes the database and the object store into a new file that only its owner may read: it holds personal data. When the
    /// future is dropped, nothing of the file stays.
    pub async fn write(&self, file: &Path) -> Result<Tally, BackupError> {
        let stop = Arc::new(AtomicBool::new(false));
        let mut guard = StopOnDrop { stop: Arc::clone(&stop), partial: partial_path(file), has_ended: false };
        let (source, file) = (self.clone(), file.to_owned());
        let written = on_own_thread(move |runtime| source.write_blocking(&file, runtime, &stop)).await;
        guard.has_ended = true;
        written
    }

    fn write_blocking(&self, file: &Path, runtime: &Handle, stop: &AtomicBool) -> Result<Tally, BackupError> {
        let partial = Partial::create(file)?;
        let mut archive = ArchiveWriter::new(partial.file.try_clone()?, self.key.as_ref(), &*self.env)?;
        let mut tally = Tally::default();
        self.write_rows(&mut archive, stop, &mut tally)?;
        runtime.block_on(write_media(&mut archive, &self.media, stop, &mut tally))?;
        archive.finish()?;
        partial.complete(file)?;
        Ok(tally)
    }

    fn write_rows(&self, archive: &mut ArchiveWriter, stop: &AtomicBool, tally: &mut Tally) -> Result<(), BackupError> {
        let mut snapshot = Snapshot::begin(&self.database_url)?;
        let contents = Contents {
            format: FORMAT,
            made_at: self.env.now().millis(),
            migrations: snapshot.migrations()?,
            tables: snapshot.tables()?,
            sequences: snapshot.sequences()?,
        };
        let json = serde_json::to_vec_pretty(&contents)?;
        archive.add("backup.json", json.len() as u64, json.as_slice())?;
        let tables = &contents.tables;
        let (sender, batches) = sync_channel(READ_AHEAD);
        thread::scope(|scope| {
            // The database reads the next rows while these are compressed.
            let reading = scope.spawn(move || {
                for table in tables {
                    let mut number = 0;
                    snapshot.rows::<BackupError>(table, |rows| {
                        sender.send((&table.name, number, rows)).map_err(|_| BackupError::Stopped)?;
                        number += 1;
                        Ok(())
                    })?;
                }
                Ok(())
            });
            for (table, number, rows) in batches {
                check(stop)?;
                tally.rows += rows.len() as u64;
                // Compressed at once: each small piece would cost the encoder its whole buffer of output, filled with zeros.
                let mut compressed = GzEncoder::new(Vec::new(), Compression::fast());
                compressed.write_all(&serde_json::to_vec(&rows)?)?;
                let compressed = compressed.finish()?;
                let name = format!("rows/{table}/{number}.json.gz");
                archive.add(&name, compressed.len() as u64, Cursor::new(compressed))?;
            }
            reading.join().unwrap_or(Err(BackupError::Stopped))
        })
    }
}

/// Runs work that blocks for minutes on a thread of its own, which ends with the process: a stop does not wait for it.
pub(crate) async fn on_own_thread<T: Send + 'static>(
    work: impl FnOnce(&Handle) -> Result<T, BackupError> + Send + 'static,
) -> Result<T, BackupError> {
    let (runtime, (sender, done)) = (Handle::current(), oneshot::channel());
    // Sending fails only when nobody waits any more.
    thread::Builder::new().name("backup".to_owned()).spawn(move || drop(sender.send(work(&runtime))))?;
    done.await.map_err(io::Error::other)?
}

/// Fails when the caller no longer waits.
fn check(stop: &AtomicBool) -> Result<(), BackupError> {
    if stop.load(Ordering::SeqCst) { Err(BackupError::Stopped) } else { Ok(()) }
}

async fn write_media(
    archive: &mut ArchiveWriter,
    media: &Media,
    stop: &AtomicBool,
    tally: &mut Tally,
) -> Result<(), BackupError> {
    let mut objects = media.objects();
    while let Some((path, _)) = objects.try_next().await? {
        check(stop)?;
        let Some(mut content) = media.read_object(&path).await? else { continue };
        // A tar entry begins with its size, and the stream may end early: read the complete object first.
        let mut spool = tempfile::tempfile()?;
        while let Some(chunk) = content.next().await {
            spool.write_all(&chunk?)?;
        }
        let size = spool.stream_position()?;
        spool.seek(SeekFrom::Start(0))?;
        archive.add(&format!("media/{path}"), size, spool)?;
        tally.files += 1;
    }
    Ok(())
}
