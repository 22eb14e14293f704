//! Where scheduled backups are kept: a folder, or a bucket.

use std::{
    fs::{self, File},
    io::{self, Write},
    path::{Path, PathBuf},
};

use kernel::{ConfigError, Timestamp};
use media::{Bucket, S3Config};

use crate::{
    BackupError,
    schedule::{made_at, name_of},
};

/// The configured place.
#[derive(Clone, Debug)]
pub enum PlaceConfig {
    Folder(PathBuf),
    Bucket(S3Config),
}

impl PlaceConfig {
    /// Whether backups can be kept there. `home` is the data folder.
    ///
    /// # Errors
    /// What the folder or bucket refuses.
    pub async fn check(&self, home: &Path) -> Result<(), BackupError> {
        Place::open(self, home)?.check().await
    }
}

/// A place that is open.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    /// Where backups are written; also where they stay, without a bucket.
    folder: PathBuf,
    bucket: Option<Bucket>,
}

impl Place {
    /// Opens the place. In `home`, backups lie until they are in the bucket.
    pub(crate) fn open(config: &PlaceConfig, home: &Path) -> Result<Self, ConfigError> {
        match config {
            PlaceConfig::Folder(folder) => Ok(Self { folder: folder.clone(), bucket: None }),
            PlaceConfig::Bucket(s3) => {
                let bucket = Bucket::open(s3, "BACKUP_TO")?;
                Ok(Self { folder: home.join("backups"), bucket: Some(bucket) })
            }
        }
    }

    /// Whether backups can be kept there: writes, lists and deletes a small file.
    async fn check(&self) -> Result<(), BackupError> {
        durable_fs::create_dir_all(&self.folder, 0o700)?;
        let mut file = tempfile::NamedTempFile::new_in(&self.folder)?;
        file.write_all(b"check")?;
        if let Some(bucket) = &self.bucket {
            let name = format!("check-{}", std::process::id());
            bucket.upload(&name, file.reopen()?).await?;
            let names = bucket.names().await;
            bucket.delete(&name).await?;
            names?;
        }
        Ok(())
    }

    /// The path on this machine of a backup that is made now. Creates its folder, and removes what killed processes have left there.
    pub(crate) fn prepare(&self, now: Timestamp) -> io::Result<PathBuf> {
        durable_fs::create_dir_all(&self.folder, 0o700)?;
        for name in names_in(&self.folder)? {
            let is_leftover = match name.strip_suffix(".partial") {
                Some(name) => made_at(name).is_some(),
                None => self.bucket.is_some() && made_at(&name).is_some(),
            };
            if is_leftover {
                fs::remove_file(self.folder.join(name))?;
            }
        }
        Ok(self.folder.join(name_of(now)))
    }

    /// Brings a backup that was written to where it is kept.
    pub(crate) async fn keep(&self, file: &Path, now: Timestamp) -> Result<(), BackupError> {
        if let Some(bucket) = &self.bucket {
            bucket.upload(&name_of(now), File::open(file)?).await?;
        }
        Ok(())
    }

    /// Removes a backup from this machine that is in the bucket, or could not be brought there.
    pub(crate) fn release(&self, file: &Path) -> io::Result<()> {
        if self.bucket.is_some() { fs::remove_file(file) } else { Ok(()) }
    }

    /// When the backups that are kept were made.
    pub(crate) async fn made(&self) -> Result<Vec<Timestamp>, BackupError> {
        let names = match &self.bucket {
            Some(bucket) => bucket.names().await?,
            None => names_in(&self.folder)?,
        };
        Ok(names.iter().filter_map(|name| made_at(name)).collect())
    }

    /// Deletes a backup.
    pub(crate) async fn delete(&self, made_at: Timestamp) -> Result<(), BackupError> {
        let name = name_of(made_at);
        match &self.bucket {
            Some(bucket) => Ok(bucket.delete(&name).await?),
            None => Ok(fs::remove_file(self.folder.join(name))?),
        }
    }
}

fn names_in(folder: &Path) -> io::Result<Vec<String>> {
    fs::read_dir(folder)?.map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::partial::partial_path;

    #[test]
    fn only_what_a_killed_process_has_left_is_removed() {
        let folder = tempfile::tempdir().unwrap();
        let now = Timestamp::from_millis(1_795_824_000_000);
        let made = folder.path().join("pith-2026-11-27T000000Z.backup");
        let (leftover, other) = (partial_path(&made), folder.path().join("mine.partial"));
        for file in [&made, &leftover, &other] {
            fs::write(file, "x").unwrap();
        }
        let place = Place::open(&PlaceConfig::Folder(folder.path().to_owned()), folder.path()).unwrap();
        assert_eq!(place.prepare(now).unwrap(), folder.path().join("pith-2026-11-28T000000Z.backup"));
        assert!(made.exists() && other.exists() && !leftover.exists());
    }
}
