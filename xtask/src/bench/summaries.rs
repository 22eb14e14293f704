//! `cargo xtask bench --summaries`: compares the built-in summaries with those of sumy's algorithms by ROUGE, on the demo's
//! books.
//!
//! All engines choose from the same sentences and write the same number of words. A book's reference is its description with the
//! titles of its key ideas, which are not in the text to summarize. The engine was tuned on the books at odd positions of the
//! alphabetical list; those at even positions are held out. The comparison is a Python script, because sumy and ROUGE are in
//! Python.

use std::process::{Command, ExitCode};

use anyhow::Result;

use crate::checkout::Checkout;
use crate::home::Home;
use crate::{process, pypi};

/// From Python's package registry.
const PACKAGES: [&str; 3] = ["sumy==0.13.0", "rouge-score==0.1.2", "numpy>=2,<3"];
const SCRIPT: &str = include_str!("summaries.py");

/// Runs the comparison and prints the result.
pub(super) fn measure(checkout: &Checkout) -> Result<ExitCode> {
    let python = pypi::install(&PACKAGES, &Home::open(checkout)?.dir().join("tools/summaries"))?.join("python");
    println!("Building the engine as it is shipped …");
    let mut build = checkout.cargo();
    process::run_well(build.args(["build", "--quiet", "--release", "-p", "summaries", "--example", "summaries"]))?;
    let engine = checkout.target()?.join("release/examples/summaries");
    let books = checkout.root().join("apps/server/seed/books");
    process::run_well(Command::new(python).args(["-c", SCRIPT]).arg(engine).arg(books))?;
    Ok(ExitCode::SUCCESS)
}
