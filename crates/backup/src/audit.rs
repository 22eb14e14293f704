//! Archives old entries of the audit log.

use std::{io::Write, path::Path};

use admin::{AuditEvent, FieldChange, Subject, SubjectKind};
use flate2::{Compression, write::GzEncoder};
use kernel::Timestamp;
use postgres::OldAuditEntries;

use crate::{BackupError, partial::Partial};

/// Writes the entries before a time into a new file (JSON lines, gzip), and then deletes them, as the owner of the tables. Entries
/// are added meanwhile by nobody. `label` says in the audit log what was archived.
///
/// # Errors
/// Nothing was deleted, unless the connection was lost at the very end: then the file is there, and complete.
pub fn archive_audit(
    file: &Path,
    owner_url: &str,
    (before, label): (Timestamp, &str),
    now: Timestamp,
) -> Result<u64, BackupError> {
    let partial = Partial::create(file)?;
    let mut entries = OldAuditEntries::begin(owner_url, before)?;
    let mut count = 0;
    let mut compressed = GzEncoder::new(partial.file.try_clone()?, Compression::default());
    entries.lines::<BackupError>(|lines| {
        count += lines.len() as u64;
        for line in lines {
            writeln!(compressed, "{line}")?;
        }
        Ok(())
    })?;
    compressed.finish()?.sync_all()?;
    if count == 0 {
        return Ok(0);
    }
    partial.complete(file)?;
    let changes = [
        FieldChange::between("before", None, Some(label)),
        FieldChange::between("count", None, Some(&count.to_string())),
    ];
    entries.delete(&AuditEvent::new("audit.archive", Subject::whole(SubjectKind::Site)).with(changes), now)?;
    Ok(count)
}
