//! The sandbox's storage: in memory, or in a file shared by several processes.

use std::{
    fs::{self, File},
    io,
    path::PathBuf,
    sync::{Mutex, PoisonError},
};

use super::state::State;

/// The storage of the state.
#[derive(Debug)]
pub(super) enum Storage {
    Memory(Box<Mutex<State>>),
    /// A JSON file, locked by a separate lock file. Each change replaces the file by a rename, so a killed process leaves the
    /// state either before or after the change.
    File(PathBuf),
}

impl Storage {
    /// Runs a change and stores the resulting state, even if the change failed.
    pub(super) fn change<T>(&self, run: impl FnOnce(&mut State) -> T) -> io::Result<T> {
        match self {
            Self::Memory(state) => Ok(run(&mut state.lock().unwrap_or_else(PoisonError::into_inner))),
            Self::File(path) => {
                if let Some(folder) = path.parent() {
                    fs::create_dir_all(folder)?;
                }
                let lock = File::create(path.with_extension("lock"))?;
                lock.lock()?;
                let mut state = match fs::read(path) {
                    Ok(bytes) => serde_json::from_slice(&bytes)?,
                    Err(error) if error.kind() == io::ErrorKind::NotFound => State::default(),
                    Err(error) => return Err(error),
                };
                let result = run(&mut state);
                let new = path.with_extension("new");
                fs::write(&new, serde_json::to_vec(&state)?)?;
                fs::rename(&new, path)?;
                Ok(result)
            }
        }
    }
}
