//! Creates the folder of the built web app when it is missing: the server embeds it at compile time, which may be before the
//! first build of the web app.

use std::{env, fs};

const DIST: &str = "../../frontend/dist";

fn main() {
    fs::create_dir_all(DIST).expect("the folder of the web app can be made");
    println!("cargo::rerun-if-changed=build.rs");
    // A release binary embeds the files, so it is rebuilt when they change. A debug build reads them at run time.
    if env::var("PROFILE").is_ok_and(|profile| profile == "release") {
        println!("cargo::rerun-if-changed={DIST}/manifest.json");
    }
}
