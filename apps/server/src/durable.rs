//! Files whose names outlive a failure of the power: a name is on the disk only when its folder is.

use std::{
    fs::{self, File},
    io,
    os::unix::fs::DirBuilderExt,
    path::Path,
};

/// Makes a folder, and those above it that are not there yet, with these permissions (less the process' mask). One that
/// is there is left as it is.
pub fn make_folder(folder: &Path, mode: u32) -> io::Result<()> {
    let missing: Vec<&Path> =
        folder.ancestors().take_while(|one| !one.as_os_str().is_empty() && !one.exists()).collect();
    fs::DirBuilder::new().recursive(true).mode(mode).create(folder)?;
    // Also where another process was as quick: its name may not be on the disk yet.
    missing.iter().try_for_each(|made| sync_around(made))
}

/// Gives a file that is on the disk another name, in a folder that is there, instead of what had that name.
pub fn rename(from: &Path, to: &Path) -> io::Result<()> {
    fs::rename(from, to)?;
    sync_around(to)
}

/// Waits until the folder in which a name stands is on the disk.
fn sync_around(path: &Path) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    File::open(folder)?.sync_all()
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn folders_are_made_as_deep_as_they_are_asked_for_and_made_twice_are_one() {
        let home = tempfile::tempdir().unwrap();
        let deep = home.path().join("a/b/c");
        make_folder(&deep, 0o700).unwrap();
        make_folder(&deep, 0o755).unwrap();
        for folder in ["a", "a/b", "a/b/c"] {
            assert_eq!(fs::metadata(home.path().join(folder)).unwrap().permissions().mode() & 0o777, 0o700, "{folder}");
        }
        fs::write(home.path().join("file"), "").unwrap();
        assert!(make_folder(&home.path().join("file/below"), 0o700).is_err());
    }

    #[test]
    fn a_new_name_takes_the_place_of_what_had_it() {
        let home = tempfile::tempdir().unwrap();
        let (from, to) = (home.path().join("from"), home.path().join("to"));
        fs::write(&from, "new").unwrap();
        fs::write(&to, "old").unwrap();
        rename(&from, &to).unwrap();
        assert_eq!((fs::read(&to).unwrap().as_slice(), from.exists()), (b"new".as_slice(), false));
        assert!(rename(&from, &home.path().join("nowhere/to")).is_err());
    }
}
