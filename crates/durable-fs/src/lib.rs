//! Durable file system operations: directories and renames that survive a power failure.
//!
//! A file's directory entry is on disk only once its directory is synced; each function returns after that. Standard
//! library only, blocking.

use std::{
    fs::{self, File},
    io,
    os::unix::fs::DirBuilderExt,
    path::Path,
};

/// Creates a directory and its missing parents with the permissions `mode`, minus the process's umask. Leaves existing
/// directories unchanged.
pub fn create_dir_all(folder: &Path, mode: u32) -> io::Result<()> {
    let missing: Vec<&Path> =
        folder.ancestors().take_while(|one| !one.as_os_str().is_empty() && !one.exists()).collect();
    fs::DirBuilder::new().recursive(true).mode(mode).create(folder)?;
    // Also if another process created it at the same time: its entry may not be on disk yet.
    missing.iter().try_for_each(|made| sync_parent(made))
}

/// Renames a file into an existing directory, replacing a file of that name. The contents must already be synced to
/// disk.
pub fn rename(from: &Path, to: &Path) -> io::Result<()> {
    fs::rename(from, to)?;
    sync_parent(to)
}

/// Syncs the parent directory to disk.
fn sync_parent(path: &Path) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    File::open(folder)?.sync_all()
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn missing_parents_are_created_and_creating_twice_changes_nothing() {
        let home = tempfile::tempdir().unwrap();
        let deep = home.path().join("a/b/c");
        create_dir_all(&deep, 0o700).unwrap();
        create_dir_all(&deep, 0o755).unwrap();
        for folder in ["a", "a/b", "a/b/c"] {
            assert_eq!(fs::metadata(home.path().join(folder)).unwrap().permissions().mode() & 0o777, 0o700, "{folder}");
        }
        fs::write(home.path().join("file"), "").unwrap();
        assert!(create_dir_all(&home.path().join("file/below"), 0o700).is_err());
    }

    #[test]
    fn rename_replaces_the_file_that_had_the_name() {
        let home = tempfile::tempdir().unwrap();
        let (from, to) = (home.path().join("from"), home.path().join("to"));
        fs::write(&from, "new").unwrap();
        fs::write(&to, "old").unwrap();
        rename(&from, &to).unwrap();
        assert_eq!((fs::read(&to).unwrap().as_slice(), from.exists()), (b"new".as_slice(), false));
        assert!(rename(&from, &home.path().join("nowhere/to")).is_err());
    }
}
