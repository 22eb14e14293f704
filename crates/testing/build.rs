//! Provides the tests with a fingerprint of the migrations' content.

use std::{
    fs,
    hash::{DefaultHasher, Hash, Hasher},
    path::Path,
};

fn main() {
    let folder = Path::new("../../migrations");
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut hasher = DefaultHasher::new();
    let mut names: Vec<_> =
        fs::read_dir(folder).expect("the migrations' folder").flatten().map(|entry| entry.path()).collect();
    names.sort();
    for name in names {
        name.to_string_lossy().hash(&mut hasher);
        // The folder's modification time does not change with the files in its subfolders.
        println!("cargo::rerun-if-changed={}", name.join("up.sql").display());
        fs::read_to_string(name.join("up.sql")).expect("a migration goes up").hash(&mut hasher);
    }
    // The template includes the rights on its tables.
    let rights = "../postgres/src/rights.sql";
    println!("cargo::rerun-if-changed={rights}");
    fs::read_to_string(rights).expect("the rights of the application's role").hash(&mut hasher);
    println!("cargo::rustc-env=MIGRATIONS_FINGERPRINT={:x}", hasher.finish());
}
