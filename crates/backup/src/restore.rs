//! Restores a backup.

use std::{
    collections::HashMap,
    fs::File,
    io::{self, BufReader, Read, Seek, SeekFrom},
    path::Path,
};

use flate2::read::GzDecoder;
use kernel::StoreError;
use media::Media;
use postgres::{Pg, Restoration, Table};
use tar::Archive;

use crate::{BackupError, Contents, FORMAT, Tally, archive::verify};

/// Fills an empty database and the object store from a backup. `set_aside` turns the jobs that may have been done since the
/// backup into dead letters, and returns how many.
///
/// Blocks its thread while it writes the database, so call it from commands only.
pub async fn restore(
    file: &Path,
    database_url: &str,
    media: &Media,
    set_aside: impl FnOnce(&mut Pg<'_>) -> Result<usize, StoreError>,
) -> Result<Tally, BackupError> {
    let mut file = File::open(file)?;
    verify(&mut file)?;
    let mut archive = Archive::new(BufReader::new(file));
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
            let mut spool = tempfile::tempfile()?;
            io::copy(&mut entry, &mut spool)?;
            spool.seek(SeekFrom::Start(0))?;
            media.write_object(path, spool).await?;
            tally.files += 1;
        }
    }
    database.finish_rows(&contents.sequences)?;
    tally.set_aside = database.change(set_aside)?;
    database.commit()?;
    Ok(tally)
}
