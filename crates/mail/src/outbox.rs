//! The operator's outbox: mails are written as files when no mail server is configured (`site.mail-outbox`).

use std::{
    fs,
    io::{self, Write},
    os::unix::fs::OpenOptionsExt,
    path::{Path, PathBuf},
};

use jobs::{Job, Outcome};
use kernel::Timestamp;

/// The outbox: a folder of `.eml` files.
#[derive(Clone, Debug)]
pub struct Outbox {
    folder: PathBuf,
}

/// A mail in the outbox.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutboxMail {
    /// The file name without its extension: queueing time in milliseconds, and job id.
    pub name: String,
    pub queued_at: Timestamp,
    /// The complete MIME message.
    pub bytes: Vec<u8>,
}

const ENDING: &str = ".eml";
/// How long a mail is kept, in milliseconds: as long as its job.
const RETENTION: i64 = jobs::JOB_RETENTION;

impl Outbox {
    /// The outbox in the data folder `home`. The first mail creates the folder.
    pub fn in_home(home: &Path) -> Self {
        Self { folder: home.join("outbox") }
    }

    /// Writes a mail under its job's name: a retry overwrites the file instead of adding another.
    pub(crate) async fn put(&self, job: &Job, bytes: Vec<u8>) -> Outcome {
        let (folder, name) = (self.folder.clone(), name_of(job));
        let written = tokio::task::spawn_blocking(move || write(&folder, &name, &bytes)).await;
        match written.map_err(io::Error::other).and_then(|written| written) {
            Ok(()) => Outcome::Done,
            Err(error) => Outcome::Failed {
                reason: format!("The outbox can't be written to ({}).", error.kind()),
                is_permanent: false,
            },
        }
    }

    /// Up to `most` mails, newest first. Other files are skipped.
    pub fn newest(&self, most: usize) -> io::Result<Vec<OutboxMail>> {
        let mut names = self.names()?;
        names.sort_unstable_by(|a, b| b.cmp(a));
        names.truncate(most);
        names.into_iter().filter_map(|(at, job)| self.find(&name(at, job)).transpose()).collect()
    }

    /// Removes mails older than the retention; returns how many. Other files stay.
    pub fn sweep(&self, now: Timestamp) -> io::Result<usize> {
        let mut swept = 0;
        for (at, job) in self.names()? {
            if now.since(Timestamp::from_millis(at)) <= RETENTION {
                continue;
            }
            match fs::remove_file(self.folder.join(format!("{}{ENDING}", name(at, job)))) {
                Ok(()) => swept += 1,
                // Another node has removed it.
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(error),
            }
        }
        Ok(swept)
    }

    /// The queueing time and the job id of each mail.
    fn names(&self) -> io::Result<Vec<(i64, u64)>> {
        match fs::read_dir(&self.folder) {
            Ok(entries) => {
                Ok(entries.filter_map(|entry| parse(entry.ok()?.file_name().to_str()?.strip_suffix(ENDING)?)).collect())
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
            Err(error) => Err(error),
        }
    }

    /// The mail with this name. The name is parsed and formatted again, so that it can't be the path of another file.
    pub fn find(&self, given: &str) -> io::Result<Option<OutboxMail>> {
        let Some((at, job)) = parse(given) else { return Ok(None) };
        let name = name(at, job);
        match fs::read(self.folder.join(format!("{name}{ENDING}"))) {
            Ok(bytes) => Ok(Some(OutboxMail { name, queued_at: Timestamp::from_millis(at), bytes })),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }
}

fn name_of(job: &Job) -> String {
    name(job.created_at.millis(), job.id.get().unsigned_abs())
}

/// The name of a mail. Names sort in the order of queueing.
fn name(at: i64, job: u64) -> String {
    format!("{at:013}-{job:06}")
}

/// The queueing time and the job id in a mail's name; `None` for any other name.
fn parse(text: &str) -> Option<(i64, u64)> {
    let (at, job) = text.split_once('-')?;
    let all_digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    if !all_digits(at) || !all_digits(job) {
        return None;
    }
    let (at, job) = (at.parse().ok()?, job.parse().ok()?);
    // Only the canonical zero padding is accepted: each mail has one name.
    (name(at, job) == text).then_some((at, job))
}

/// Writes a mail's file atomically, readable only by the operator.
fn write(folder: &Path, name: &str, bytes: &[u8]) -> io::Result<()> {
    durable_fs::create_dir_all(folder, 0o700)?;
    let temporary = folder.join(format!(".{name}.part"));
    let mut file = fs::OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&temporary)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    durable_fs::rename(&temporary, &folder.join(format!("{name}{ENDING}")))
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn a_mail_is_found_by_its_name_and_by_no_other() {
        let home = tempfile::tempdir().unwrap();
        let outbox = Outbox { folder: home.path().join("outbox") };
        assert!(outbox.newest(10).unwrap().is_empty());
        for (at, job) in [(1_781_524_800_000, 2), (1_781_524_800_000, 10), (1_781_524_700_000, 11)] {
            write(&outbox.folder, &name(at, job), format!("mail {job}").as_bytes()).unwrap();
        }
        fs::write(home.path().join("outbox/notes.eml"), "no mail").unwrap();
        fs::write(home.path().join("secret"), "a secret").unwrap();
        let names: Vec<String> = outbox.newest(10).unwrap().into_iter().map(|mail| mail.name).collect();
        assert_eq!(names, ["1781524800000-000010", "1781524800000-000002", "1781524700000-000011"]);
        assert_eq!(outbox.newest(1).unwrap().len(), 1);
        let mail = outbox.find("1781524800000-000002").unwrap().unwrap();
        assert_eq!((mail.bytes.as_slice(), mail.queued_at.millis()), (b"mail 2".as_slice(), 1_781_524_800_000));
        for name in [
            "",
            "notes",
            "../secret",
            "1781524800000-000002.eml",
            "1781524800000-2",
            "1781524800000-+00002",
            "1781524800000-000003",
            "/etc/passwd",
            "1781524800000-000002/../1781524800000-000002",
            "1-1\0",
        ] {
            assert_eq!(outbox.find(name).unwrap(), None, "{name:?}");
        }
    }

    #[test]
    fn sweep_removes_old_mails_and_no_other_file() {
        let home = tempfile::tempdir().unwrap();
        let outbox = Outbox { folder: home.path().join("outbox") };
        let queued = Timestamp::from_millis(1_781_524_800_000);
        assert_eq!(outbox.sweep(queued).unwrap(), 0);
        for (at, job) in [(queued.millis(), 1), (queued.millis() + 1, 2)] {
            write(&outbox.folder, &name(at, job), b"mail").unwrap();
        }
        fs::write(outbox.folder.join("notes.eml"), "no mail").unwrap();
        assert_eq!(outbox.sweep(queued.plus(RETENTION)).unwrap(), 0);
        assert_eq!(outbox.sweep(queued.plus(RETENTION + 1)).unwrap(), 1);
        assert_eq!(outbox.names().unwrap(), [(queued.millis() + 1, 2)]);
        assert!(outbox.folder.join("notes.eml").exists());
    }

    #[test]
    fn a_mail_is_readable_for_the_operator_only_and_written_once() {
        let home = tempfile::tempdir().unwrap();
        let folder = home.path().join("outbox");
        for text in ["first", "again"] {
            write(&folder, "1781524800000-000001", text.as_bytes()).unwrap();
        }
        let files: Vec<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        assert_eq!(files.len(), 1);
        assert_eq!(fs::read(&files[0]).unwrap(), b"again");
        assert_eq!(fs::metadata(&files[0]).unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(fs::metadata(&folder).unwrap().permissions().mode() & 0o777, 0o700);
    }
}
