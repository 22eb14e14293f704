//! Folders for what is on its way to being a recording: in the data folder, so that what a process leaves behind that was
//! killed is found and removed.

use std::{
    fs::{self, File},
    io,
    path::{Path, PathBuf},
    time::{Duration, SystemTime},
};

use tempfile::TempDir;

/// Where they lie in the data folder.
const FOLDER: &str = "narration";
/// The file in each that is locked as long as somebody works there.
const LOCK: &str = "lock";
/// What nobody works in and is older than this is swept away.
const LEFT_BEHIND: Duration = Duration::from_mins(10);

/// A folder for one piece of work. It goes when it is dropped.
#[derive(Debug)]
pub(super) struct Workroom {
    // Before the lock: nobody else is to find it open.
    folder: TempDir,
    _lock: File,
}

impl Workroom {
    /// Opens one that nobody else has.
    pub(super) fn open(home: &Path) -> io::Result<Self> {
        let rooms = home.join(FOLDER);
        fs::create_dir_all(&rooms)?;
        let folder = tempfile::Builder::new().prefix("").tempdir_in(rooms)?;
        let lock = File::create(folder.path().join(LOCK))?;
        lock.lock()?;
        Ok(Self { folder, _lock: lock })
    }

    /// Where it is.
    pub(super) fn path(&self) -> &Path {
        self.folder.path()
    }
}

/// Removes what was left behind by processes that were killed; gives how many folders there were.
pub(super) fn sweep(home: &Path, now: SystemTime) -> io::Result<usize> {
    let mut swept = 0;
    for entry in match fs::read_dir(home.join(FOLDER)) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(0),
        Err(error) => return Err(error),
    } {
        let path: PathBuf = entry?.path();
        let Ok(changed) = fs::metadata(&path).and_then(|folder| folder.modified()) else { continue };
        let old = now.duration_since(changed).is_ok_and(|age| age >= LEFT_BEHIND);
        // One without a lock was left before it had one.
        let free = File::open(path.join(LOCK)).map_or(true, |lock| lock.try_lock().is_ok());
        if old && free && fs::remove_dir_all(&path).is_ok() {
            swept += 1;
        }
    }
    Ok(swept)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_left_behind_is_swept_and_where_somebody_works_is_not() {
        let home = tempfile::tempdir().unwrap();
        let later = |minutes| fs::metadata(home.path()).unwrap().modified().unwrap() + Duration::from_mins(minutes);
        assert_eq!(sweep(home.path(), later(60)).unwrap(), 0, "no folder yet");
        let room = Workroom::open(home.path()).unwrap();
        fs::write(room.path().join("0.wav"), "half").unwrap();
        let dead = home.path().join(FOLDER).join("dead");
        fs::create_dir(&dead).unwrap();
        fs::write(dead.join(LOCK), "").unwrap();
        fs::write(dead.join("0.wav"), "half").unwrap();
        fs::create_dir(home.path().join(FOLDER).join("empty")).unwrap();
        assert_eq!(sweep(home.path(), later(5)).unwrap(), 0, "too young to be left behind");
        assert_eq!(sweep(home.path(), later(60)).unwrap(), 2);
        assert!(room.path().join("0.wav").exists() && !dead.exists());
        drop(room);
        assert_eq!(fs::read_dir(home.path().join(FOLDER)).unwrap().count(), 0);
    }
}
