//! The suites, in the order in which they run: what is quick and often wrong comes first.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use super::counts::{Counts, Outcome};
use super::crash;
use super::scratch::Scratch;
use crate::{codegen, frontend, process, tidy, tools};

/// Something that passes or fails.
#[derive(Debug)]
pub(super) struct Suite {
    /// What one calls it on the command line.
    pub(super) name: &'static str,
    /// What it proves.
    pub(super) what: &'static str,
    /// Whether it needs the web app's packages.
    pub(super) needs_packages: bool,
    /// Runs it.
    pub(super) run: fn(&mut Scratch<'_>) -> Result<Outcome>,
}

/// All of them.
pub(super) const SUITES: &[Suite] = &[
    Suite { name: "fmt", what: "Rust is formatted", needs_packages: false, run: fmt },
    Suite { name: "tidy", what: "who may know whom", needs_packages: false, run: walls },
    Suite { name: "clippy", what: "lints, with warnings as errors", needs_packages: false, run: clippy },
    Suite { name: "rust", what: "unit, contract, HTTP and doc tests", needs_packages: false, run: rust },
    Suite { name: "crash", what: "what was acknowledged survives", needs_packages: false, run: crash::run },
    Suite { name: "codegen", what: "generated files are fresh", needs_packages: true, run: generated },
    Suite { name: "tsc", what: "the web app's types", needs_packages: true, run: tsc },
    Suite { name: "eslint", what: "the web app's lints and import law", needs_packages: true, run: eslint },
    Suite { name: "vitest", what: "the web app's unit tests", needs_packages: true, run: vitest },
    Suite { name: "web", what: "the web app builds", needs_packages: true, run: web },
    Suite { name: "browser", what: "the product in a real browser", needs_packages: true, run: browser },
    Suite { name: "deny", what: "bans, licences and sources of the crates", needs_packages: false, run: deny },
];

fn fmt(scratch: &mut Scratch<'_>) -> Result<Outcome> {
    let status = process::run(scratch.checkout.cargo().args(["fmt", "--all", "--check"]))?;
    Ok(Outcome::check(status.success()))
}

fn walls(scratch: &mut Scratch<'_>) -> Result<Outcome> {
    let found = tidy::check(scratch.checkout)?;
    for line in &found {
        println!("{line}");
    }
    Ok(Outcome::check(found.is_empty()))
}

fn clippy(scratch: &mut Scratch<'_>) -> Result<Outcome> {
    let mut cargo = scratch.checkout.cargo();
    cargo.args(["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]);
    Ok(Outcome::check(process::run(&mut cargo)?.success()))
}

fn rust(scratch: &mut Scratch<'_>) -> Result<Outcome> {
    tools::offer_speech();
    let mut cargo = scratch.checkout.cargo();
    cargo.args(["test", "--workspace", "--no-fail-fast"]).env("TEST_DATABASE_URL", scratch.database()?);
    let mut outcome = Outcome::default();
    let status = process::run_lines(&mut cargo, |line| {
        // A line for each test that passed would bury those that did not.
        if !line.starts_with("test ") || !line.ends_with(" ... ok") {
            println!("{line}");
        }
        outcome.add_line_of_cargo(line);
    })?;
    Ok(outcome.with_end(status))
}

fn generated(scratch: &mut Scratch<'_>) -> Result<Outcome> {
    codegen::check_fresh(scratch.checkout)?;
    Ok(Counts::PASSED.into())
}

fn tsc(scratch: &mut Scratch<'_>) -> Result<Outcome> {
    let mut tsc = frontend::tool(scratch.checkout, "tsc")?;
    Ok(Outcome::check(process::run(tsc.arg("--noEmit"))?.success()))
}

fn eslint(scratch: &mut Scratch<'_>) -> Result<Outcome> {
    let mut eslint = frontend::tool(scratch.checkout, "eslint")?;
    Ok(Outcome::check(process::run(eslint.args([".", "--max-warnings", "0"]))?.success()))
}

fn vitest(scratch: &mut Scratch<'_>) -> Result<Outcome> {
    let report = scratch.folder().join("vitest.json");
    let mut vitest = frontend::tool(scratch.checkout, "vitest")?;
    vitest.args(["run", "--reporter=default", "--reporter=json"]).arg(outcome_file(&report));
    let status = process::run(&mut vitest)?;
    Ok(Outcome::of_vitest(&read_report(&report)?)?.with_end(status))
}

fn outcome_file(report: &Path) -> String {
    format!("--outputFile.json={}", report.display())
}

fn web(scratch: &mut Scratch<'_>) -> Result<Outcome> {
    if !frontend::build(scratch.checkout)? {
        println!("built already from these sources");
    }
    Ok(Counts::PASSED.into())
}

fn browser(scratch: &mut Scratch<'_>) -> Result<Outcome> {
    if !scratch.checkout.frontend().join("e2e").is_dir() {
        bail!("there is no frontend/e2e");
    }
    let chromium = tools::ensure_browser()?;
    // The pages are the built ones, also when this suite runs alone.
    frontend::build(scratch.checkout)?;
    let report = scratch.folder().join("playwright.json");
    let (pith, database) = (scratch.pith()?, scratch.database()?);
    let mut playwright = frontend::tool(scratch.checkout, "playwright")?;
    playwright.args(["test", "--reporter=list,json"]);
    playwright.env("PLAYWRIGHT_JSON_OUTPUT_NAME", &report).env("PLAYWRIGHT_JSON_OUTPUT_FILE", &report);
    playwright.env("PITH_BIN", pith).env("TEST_DATABASE_URL", database);
    if let Some(chromium) = chromium {
        playwright.env("CHROME_PATH", chromium);
    }
    let status = process::run(&mut playwright)?;
    Ok(Outcome::of_playwright(&read_report(&report)?)?.with_end(status))
}

fn deny(scratch: &mut Scratch<'_>) -> Result<Outcome> {
    if !process::succeeds(Command::new("cargo-deny").arg("--version")) {
        println!("passed over, because cargo-deny is not installed: cargo install --locked cargo-deny");
        return Ok(Outcome::default());
    }
    let mut cargo = scratch.checkout.cargo();
    Ok(Outcome::check(process::run(cargo.args(["deny", "check", "bans", "licenses", "sources"]))?.success()))
}

fn read_report(path: &Path) -> Result<Value> {
    let text = fs::read_to_string(path).context("the runner ended without a report")?;
    serde_json::from_str(&text).context("the runner's report is not JSON")
}
