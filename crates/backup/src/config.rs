//! Configuration of backups.

use std::path::PathBuf;

use kernel::{ConfigError, Secret, config::Variables};
use media::S3Config;

use crate::{BackupKey, PlaceConfig, Retention, Schedule};

const BACKUP_SCHEDULE: &str = "BACKUP_SCHEDULE";
const BACKUP_TO: &str = "BACKUP_TO";
const BACKUP_KEEP: &str = "BACKUP_KEEP";
const BACKUP_VERIFY_URL: &str = "BACKUP_VERIFY_URL";
const BACKUP_KEY: &str = "BACKUP_KEY";

/// How backups are made.
#[derive(Clone, Debug)]
pub struct BackupConfig {
    /// Encrypts backups, and decrypts those that are restored.
    pub key: Option<BackupKey>,
    /// Backups that are made by themselves.
    pub scheduled: Option<ScheduleConfig>,
}

/// Backups that are made by themselves.
#[derive(Clone, Debug)]
pub struct ScheduleConfig {
    pub schedule: Schedule,
    pub place: PlaceConfig,
    pub retention: Retention,
    /// The connection URL of an empty database in which each backup is restored, to try it.
    pub scratch_url: Option<String>,
}

impl BackupConfig {
    /// Reads the `BACKUP_…` variables; `scratch_url` checks the value of `BACKUP_VERIFY_URL`. `None` if something is wrong.
    pub fn read(
        vars: &Variables,
        scratch_url: fn(&'static str, String) -> Result<String, ConfigError>,
    ) -> Option<Self> {
        let key = vars.accept(key(vars));
        let Some(text) = vars.trimmed(BACKUP_SCHEDULE).filter(|text| text != "off") else {
            vars.refuse_without(BACKUP_SCHEDULE, &[BACKUP_TO, BACKUP_KEEP, BACKUP_VERIFY_URL]);
            return Some(Self { key: key?, scheduled: None });
        };
        let schedule = vars.accept(text.parse().map_err(|_| {
            ConfigError::new(BACKUP_SCHEDULE, format!("is 'off' or a time of the day (UTC) like 03:30, not '{text}'"))
        }));
        let place = place(vars);
        let what = "how many days, weeks and months are kept, like 7/4/12, with a day at least";
        let retention = vars.parsed(BACKUP_KEEP, Retention::default(), what);
        let url = vars.trimmed(BACKUP_VERIFY_URL);
        let scratch_url = vars.accept(url.map(|url| scratch_url(BACKUP_VERIFY_URL, url)).transpose());
        let scheduled = ScheduleConfig { schedule: schedule?, place: place?, retention, scratch_url: scratch_url? };
        Some(Self { key: key?, scheduled: Some(scheduled) })
    }

    /// Whether backups are kept in a bucket.
    pub fn is_in_bucket(&self) -> bool {
        self.scheduled.as_ref().is_some_and(|scheduled| matches!(scheduled.place, PlaceConfig::Bucket(_)))
    }
}

fn key(vars: &Variables) -> Result<Option<BackupKey>, ConfigError> {
    const LEAST: usize = 32;
    match vars.get(BACKUP_KEY) {
        None => Ok(None),
        Some(text) if text.len() < LEAST => {
            Err(ConfigError::new(BACKUP_KEY, format!("has at least {LEAST} characters")))
        }
        Some(text) => Ok(Some(BackupKey::new(&Secret::new(text)))),
    }
}

fn place(vars: &Variables) -> Option<PlaceConfig> {
    let text = vars.needed(BACKUP_TO, "is missing: the folder or bucket for the backups of BACKUP_SCHEDULE")?;
    let text = text.trim();
    if text.starts_with("s3://") {
        return S3Config::read(vars, BACKUP_TO, text).map(PlaceConfig::Bucket);
    }
    let folder = PathBuf::from(text);
    if folder.is_absolute() {
        return Some(PlaceConfig::Folder(folder));
    }
    vars.refuse(BACKUP_TO, "is a folder like /srv/backups, or s3://bucket/prefix");
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(vars: &[(&str, &str)]) -> Result<BackupConfig, String> {
        let vars = Variables::new(vars.iter().copied());
        let read = BackupConfig::read(&vars, |_, url| Ok(url));
        vars.finish(read).map_err(|error| error.to_string())
    }

    #[test]
    fn backups_are_made_when_a_schedule_and_a_place_are_configured() {
        assert!(read(&[]).unwrap().scheduled.is_none());
        assert!(read(&[("BACKUP_SCHEDULE", "off")]).unwrap().scheduled.is_none());
        let (schedule, folder) = (("BACKUP_SCHEDULE", "03:30"), ("BACKUP_TO", "/srv/backups"));
        let scheduled = read(&[schedule, folder]).unwrap().scheduled.unwrap();
        assert!(matches!(scheduled.place, PlaceConfig::Folder(_)));
        assert_eq!(scheduled.retention, Retention::default());
        let keys = [("S3_REGION", "eu-west-1"), ("S3_ACCESS_KEY_ID", "ada"), ("S3_SECRET_ACCESS_KEY", "hush")];
        let bucket = [&keys[..], &[schedule, ("BACKUP_TO", "s3://backups/pith")]].concat();
        assert!(read(&bucket).unwrap().is_in_bucket());
    }

    #[test]
    fn a_missing_or_wrong_variable_is_named() {
        let (schedule, folder) = (("BACKUP_SCHEDULE", "03:30"), ("BACKUP_TO", "/srv/backups"));
        for (vars, name) in [
            (vec![("BACKUP_SCHEDULE", "daily"), folder], "BACKUP_SCHEDULE"),
            (vec![schedule], "BACKUP_TO"),
            (vec![folder], "BACKUP_TO"),
            (vec![schedule, ("BACKUP_TO", "backups")], "BACKUP_TO"),
            (vec![schedule, ("BACKUP_TO", "s3://")], "BACKUP_TO"),
            (vec![schedule, folder, ("BACKUP_KEEP", "7")], "BACKUP_KEEP"),
            (vec![("BACKUP_KEY", "short")], "BACKUP_KEY"),
        ] {
            let error = read(&vars).expect_err("a bad value stops the start");
            assert!(error.starts_with(&format!("{name}: ")), "{error}");
        }
    }
}
