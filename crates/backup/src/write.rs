//! Writes a backup.

use std::{
    io::{Cursor, Seek, SeekFrom, Write},
    path::Path,
};

use flate2::{Compression, write::GzEncoder};
use futures_util::{StreamExt, TryStreamExt};
use kernel::Timestamp;
use media::Media;
use postgres::Snapshot;

use crate::{BackupError, Contents, FORMAT, Tally, archive::ArchiveWriter, partial::Partial};

/// Writes the database and the object store into a new file that only its owner may read: it holds personal data.
///
/// Blocks its thread while it reads the database, so call it from commands only.
pub async fn write(file: &Path, database_url: &str, media: &Media, now: Timestamp) -> Result<Tally, BackupError> {
    let partial = Partial::create(file)?;
    let mut archive = ArchiveWriter::new(partial.file.try_clone()?);
    let mut tally = Tally::default();
    write_rows(&mut archive, Snapshot::begin(database_url)?, now, &mut tally)?;
    write_media(&mut archive, media, &mut tally).await?;
    archive.finish()?;
    partial.complete(file)?;
    Ok(tally)
}

fn write_rows(
    archive: &mut ArchiveWriter,
    mut snapshot: Snapshot,
    now: Timestamp,
    tally: &mut Tally,
) -> Result<(), BackupError> {
    let contents = Contents {
        format: FORMAT,
        made_at: now.millis(),
        migrations: snapshot.migrations()?,
        tables: snapshot.tables()?,
        sequences: snapshot.sequences()?,
    };
    let json = serde_json::to_vec_pretty(&contents)?;
    archive.add("backup.json", json.len() as u64, json.as_slice())?;
    for table in &contents.tables {
        let mut number = 0;
        snapshot.rows::<BackupError>(table, |rows| {
            tally.rows += rows.len() as u64;
            let mut compressed = GzEncoder::new(Vec::new(), Compression::fast());
            serde_json::to_writer(&mut compressed, &rows)?;
            let compressed = compressed.finish()?;
            let name = format!("rows/{}/{number}.json.gz", table.name);
            number += 1;
            Ok(archive.add(&name, compressed.len() as u64, Cursor::new(compressed))?)
        })?;
    }
    Ok(())
}

async fn write_media(archive: &mut ArchiveWriter, media: &Media, tally: &mut Tally) -> Result<(), BackupError> {
    let mut objects = media.objects();
    while let Some((path, _)) = objects.try_next().await? {
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
