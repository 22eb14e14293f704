//! Makes sure that the folder of the built web app is there: its path is settled when the server is compiled, which
//! may be before the web app is built for the first time.

use std::{env, fs};

const DIST: &str = "../../frontend/dist";

fn main() {
    fs::create_dir_all(DIST).expect("the folder of the web app can be made");
    println!("cargo::rerun-if-changed=build.rs");
    // A release carries the files: another build of the web app makes another release. A debug build reads them.
    if env::var("PROFILE").is_ok_and(|profile| profile == "release") {
        println!("cargo::rerun-if-changed={DIST}/manifest.json");
    }
}
