//! A program that speaks, for tests: a tone of ten milliseconds for each letter, at 8,000 samples a second.

use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
};

/// The double.
const DOUBLE: &str = include_str!("speech.sh");

/// Puts the double into a folder; gives its path. What it says is noted in `said` beside it, a line each.
pub fn speech_double(folder: &Path) -> PathBuf {
    program(folder, DOUBLE)
}

/// A program that fails.
pub fn mute(folder: &Path) -> PathBuf {
    program(folder, "#!/bin/sh\nexit 1\n")
}

/// A program that does something else.
pub fn program(folder: &Path, script: &str) -> PathBuf {
    fs::create_dir_all(folder).expect("a folder");
    let path = folder.join("speech.sh");
    fs::write(&path, script).expect("a program is written");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("it may be run");
    path
}
