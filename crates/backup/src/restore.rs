//! Restores a backup.

use std::{
    collections::HashMap,
    io::{self, Read, Seek, SeekFrom},
    path::Path,
};

use flate2::read::GzDecoder;
use kernel::StoreError;
use media::Media;
use postgres::{Pg, Restoration, Table};
use tar::Archive;

use crate::{
    BackupError, BackupKey, Contents, FORMAT, Tally,
    archive::{open, verify},
};

/// Fills an empty database and the object store from a backup, which is decrypted with the key if it is encrypted. `set_aside` turns
/// the jobs that may have been done since the backup into dead letters, and returns how many.
///
/// Blocks its thread while it writes the database, so call it from commands only.
pub async fn restore(
    file: &Path,
    key: Option<&BackupKey>,
    database_url: &str,
    media: &Media,
    set_aside: impl FnOnce(&mut Pg<'_>) -> Result<usize, StoreError>,
) -> Result<Tally, BackupError> {
    let (mut database, mut tally) = fill(file, key, database_url, Some(media)).await?;
    tally.set_aside = database.change(set_aside)?;
    database.commit()?;
    Ok(tally)
}

/// Restores the rows of a backup into an empty database, checks every constraint, and leaves the database empty. Reads the files.
///
/// Blocks its thread while it writes the database.
pub(crate) async fn try_restore(file: &Path, key: Option<&BackupKey>, scratch_url: &str) -> Result<Tally, BackupError> {
    let (database, tally) = fill(file, key, scratch_url, None).await?;
    database.undo()?;
    Ok(tally)
}

/// Verifies the file, and fills the database in a transaction that is still open, and the object store, if there is one.
async fn fill(
    file: &Path,
    key: Option<&BackupKey>,
    database_url: &str,
    media: Option<&Media>,
) -> Result<(Restoration, Tally), BackupError> {
    verify(open(file, key)?)?;
    let mut archive = Archive::new(open(file, key)?);
    let mut entries = archive.entries()?;

    let first = entries.next().ok_or(BackupError::Damaged)??;
    let contents: Contents = serde_json::from_reader(first)?;
    if contents.format != FORMAT {
        return Err(BackupError::UnknownFormat(contents.format));
    }
    let mut database = Restoration::begin(database_url, &contents.migrations)?;
    let stored = database.check_tables(contents.tables)?;
    let tables: HashMap<&str, &Table> = stored.iter().map(|table| (table.name.as_str(), table)).collect();
    let mut tally = Tally::default();
    for entry in entries {
        let mut entry = entry?;
        let name = String::from_utf8(entry.path_bytes().into_owned()).map_err(|_| BackupError::Damaged)?;
        if let Some((table, _)) = name.strip_prefix("rows/").and_then(|rest| rest.split_once('/')) {
            let table = tables.get(table).ok_or(BackupError::Damaged)?;
            let mut json = Vec::new();
            GzDecoder::new(entry).read_to_end(&mut json)?;
            let rows: Vec<String> = serde_json::from_slice(&json)?;
            database.insert(table, &rows)?;
            tally.rows += rows.len() as u64;
        } else if let Some(path) = name.strip_prefix("media/") {
            if let Some(media) = media {
                let mut spool = tempfile::tempfile()?;
                io::copy(&mut entry, &mut spool)?;
                spool.seek(SeekFrom::Start(0))?;
                media.write_object(path, spool).await?;
            }
            tally.files += 1;
        }
    }
    database.finish_rows(&contents.sequences)?;
    Ok((database, tally))
}
