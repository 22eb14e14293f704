//! The clock of the sandbox: the system clock plus an offset that an admin of a demo can increase.

use std::{
    fs, io,
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicI64, Ordering},
    },
};

use kernel::{DAY, Env, SECOND, Timestamp};

/// How often the file is read for changes by other processes, in milliseconds.
const READ_EVERY: i64 = SECOND;
/// The maximum offset, in milliseconds.
const MOST: i64 = 20 * 366 * DAY;

/// A clock that can be moved forward. Processes that share a data folder share its offset.
pub struct SandboxClock {
    machine: Arc<dyn Env>,
    file: PathBuf,
    ahead: AtomicI64,
    read_at: AtomicI64,
    moving: Mutex<()>,
}

impl std::fmt::Debug for SandboxClock {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SandboxClock").field("ahead", &self.ahead).finish_non_exhaustive()
    }
}

impl SandboxClock {
    /// The clock whose offset is stored in the data folder `home`.
    pub fn new(machine: Arc<dyn Env>, home: &Path) -> Self {
        let clock = Self {
            machine,
            file: home.join("sandbox-clock"),
            ahead: AtomicI64::new(0),
            read_at: AtomicI64::new(i64::MIN),
            moving: Mutex::new(()),
        };
        clock.ahead.store(clock.stored(), Ordering::SeqCst);
        clock
    }

    /// Moves the clock forward. Negative values are ignored: it never goes back.
    pub fn let_pass(&self, millis: i64) -> io::Result<()> {
        let _moving = self.moving.lock().unwrap_or_else(PoisonError::into_inner);
        let ahead = self.stored().saturating_add(millis.max(0)).min(MOST);
        let new = self.file.with_extension("new");
        if let Some(folder) = self.file.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::write(&new, ahead.to_string())?;
        fs::rename(&new, &self.file)?;
        self.ahead.store(ahead, Ordering::SeqCst);
        Ok(())
    }

    fn stored(&self) -> i64 {
        let text = fs::read_to_string(&self.file).unwrap_or_default();
        text.trim().parse().map_or(0, |ahead: i64| ahead.clamp(0, MOST))
    }
}

impl Env for SandboxClock {
    fn now(&self) -> Timestamp {
        let now = self.machine.now();
        let read_at = self.read_at.load(Ordering::Relaxed);
        if now.millis().saturating_sub(read_at) >= READ_EVERY {
            self.read_at.store(now.millis(), Ordering::Relaxed);
            // The offset never decreases, even if the file can't be read.
            self.ahead.fetch_max(self.stored(), Ordering::SeqCst);
        }
        now.plus(self.ahead.load(Ordering::SeqCst))
    }

    fn fill_random(&self, buffer: &mut [u8]) {
        self.machine.fill_random(buffer);
    }
}

#[cfg(test)]
mod tests {
    use kernel::{FixedEnv, MINUTE};

    use super::*;

    #[test]
    fn time_that_passes_is_shared_by_processes_and_outlives_them() {
        let start = Timestamp::from_millis(1_781_524_800_000);
        let home = tempfile::tempdir().unwrap();
        let machine = Arc::new(FixedEnv::at(start));
        let open = || SandboxClock::new(machine.clone(), home.path());
        let (one, two) = (open(), open());
        assert_eq!((one.now(), two.now()), (start, start));
        one.let_pass(DAY).unwrap();
        two.let_pass(MINUTE).unwrap();
        machine.advance(READ_EVERY);
        let later = start.plus(DAY + MINUTE + READ_EVERY);
        assert_eq!((one.now(), two.now(), open().now()), (later, later, later));
        one.let_pass(-DAY).unwrap();
        one.let_pass(i64::MAX).unwrap();
        assert_eq!(one.now(), start.plus(MOST + READ_EVERY), "it never goes back, and stays within what a date can be");
    }
}
