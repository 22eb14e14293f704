//! Gives the tests a number that changes with the text of the migrations.

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
        // The folder's own date does not change with what stands in its folders.
        println!("cargo::rerun-if-changed={}", name.join("up.sql").display());
        fs::read_to_string(name.join("up.sql")).expect("a migration goes up").hash(&mut hasher);
    }
    // What the template's tables may be used for is part of it.
    let rights = "../postgres/src/rights.sql";
    println!("cargo::rerun-if-changed={rights}");
    fs::read_to_string(rights).expect("the rights of the application's role").hash(&mut hasher);
    println!("cargo::rustc-env=MIGRATIONS_FINGERPRINT={:x}", hasher.finish());
}
