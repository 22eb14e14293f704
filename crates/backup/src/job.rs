//! The job that makes backups by a schedule.

use std::{
    fs,
    path::{Path, PathBuf},
};

use jobs::{JobDefinition, JobKind, LongJob, Outcome, PayloadError, Queue, RetryPolicy};
use kernel::{HOUR, MINUTE, StoreError};
use operations::{Backup, Verification};
use postgres::{Db, PgRead};

use crate::{BackupError, ScheduleConfig, Source, place::Place, restore::try_restore, write::on_own_thread};

/// How often the job looks whether a backup is due.
const INTERVAL: i64 = 5 * MINUTE;

/// Makes a backup when one is due, tries to restore it, and deletes those that are no longer kept.
#[derive(Clone, Debug)]
pub struct MakeBackup {
    pub db: Db,
    pub source: Source,
    /// `None`: no backups are made by themselves.
    pub scheduled: Option<ScheduleConfig>,
    /// The data folder.
    pub home: PathBuf,
}

impl MakeBackup {
    async fn make_if_due(&self, config: &ScheduleConfig) -> Result<(), BackupError> {
        let now = self.source.env.now();
        let last = |pg: &mut PgRead<'_>| pg.last_scheduled_backup();
        let last = self.db.read(last).await?;
        if !config.schedule.is_due(last, now) {
            return Ok(());
        }
        let place = Place::open(&config.place, &self.home)?;
        let file = place.prepare(now)?;
        let tally = self.source.write(&file).await?;
        let bytes = fs::metadata(&file)?.len();
        let verification = self.verify(config, &file).await;
        let kept = place.keep(&file, now).await;
        place.release(&file)?;
        kept?;
        let made = Backup { ended_at: self.source.env.now(), bytes, verification };
        self.db.write::<_, StoreError, _>(move |pg| pg.insert_backup(&made, Some(now))).await?;
        tracing::info!(rows = tally.rows, files = tally.files, bytes, "a backup was made");
        if let Err(error) = delete_expired(config, &place).await {
            tracing::warn!(%error, "BACKUP_TO: backups that are no longer kept could not be deleted");
        }
        Ok(())
    }

    /// Restores the backup in the scratch database. A backup that can't be restored is kept, and is said to be so.
    async fn verify(&self, config: &ScheduleConfig, file: &Path) -> Verification {
        let Some(url) = config.scratch_url.clone() else { return Verification::NotTried };
        let (key, file) = (self.source.key.clone(), file.to_owned());
        let tried = on_own_thread(move |runtime| runtime.block_on(try_restore(&file, key.as_ref(), &url)));
        match tried.await {
            Ok(_) => Verification::Passed,
            Err(error) => {
                tracing::error!(%error, "BACKUP_VERIFY_URL: a new backup could not be restored, to try it");
                Verification::Failed(error.to_string())
            }
        }
    }
}

async fn delete_expired(config: &ScheduleConfig, place: &Place) -> Result<(), BackupError> {
    for expired in config.retention.expired(&place.made().await?) {
        place.delete(expired).await?;
    }
    Ok(())
}

impl JobDefinition for MakeBackup {
    const KIND: JobKind = JobKind {
        retry: RetryPolicy { first_wait: 5 * MINUTE, longest_wait: HOUR, ..RetryPolicy::DEFAULT },
        ..JobKind::long("backup").in_queue(Queue { name: "backup", slots: 1 }).every(INTERVAL)
    };
    type Payload = ();

    fn decode(&self, _: &[u8]) -> Result<(), PayloadError> {
        Ok(())
    }

    fn is_available(&self) -> bool {
        self.scheduled.is_some()
    }
}

impl LongJob for MakeBackup {
    async fn run_long(&self, (): &()) -> Outcome {
        let Some(config) = &self.scheduled else { return Outcome::Done };
        match self.make_if_due(config).await {
            Ok(()) => Outcome::Done,
            Err(error) => {
                tracing::error!(%error, "BACKUP_SCHEDULE: no backup was made");
                Outcome::Failed { reason: error.to_string(), is_permanent: false }
            }
        }
    }
}
