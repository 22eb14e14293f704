//! How many passed and which failed, and how each runner says so.

use std::fmt;
use std::ops::AddAssign;
use std::process::ExitStatus;

use anyhow::{Context, Result};
use serde_json::Value;

/// What a suite has shown.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Outcome {
    pub(super) counts: Counts,
    /// What failed: said again at the very end, where it is found.
    pub(super) failures: Vec<Failure>,
    /// What failed the first time, and passed when it was run once more.
    pub(super) flaky: Vec<Failure>,
}

/// A test that failed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Failure {
    pub(super) name: String,
    /// The file that its runner runs it by, where it needs one.
    pub(super) file: Option<String>,
    /// The first lines of what its runner says about it. A failure that does not come again has left nothing else.
    pub(super) cause: Vec<String>,
}

/// How many failed tests are run once more at most: of more than that a change is the cause.
const MAX_RERUN: usize = 10;
/// The most lines of a cause, and characters of each of them.
const CAUSE: (usize, usize) = (24, 240);

impl Failure {
    pub(super) fn new(name: impl Into<String>, cause: &str) -> Self {
        let mut failure = Self { name: name.into(), ..Self::default() };
        cause.lines().for_each(|line| failure.add_line(line));
        failure
    }

    fn add_line(&mut self, line: &str) {
        let line = without_colours(line);
        if self.cause.len() < CAUSE.0 && !line.trim().is_empty() {
            self.cause.push(line.trim_end().chars().take(CAUSE.1).collect());
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        self.cause.iter().try_for_each(|line| write!(f, "\n    {line}"))
    }
}

/// A line without the escape sequences of a terminal.
fn without_colours(line: &str) -> String {
    let mut parts = line.split("\u{1b}[");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |plain, part| {
        plain + part.split_once(|c: char| c.is_ascii_alphabetic()).map_or(part, |(_, rest)| rest)
    })
}

impl Outcome {
    /// One check.
    pub(super) fn check(passed: bool) -> Self {
        Counts::check(passed).into()
    }

    /// From vitest's JSON report.
    pub(super) fn of_vitest(report: &Value) -> Result<Self> {
        let of = |value: &Value, name: &str| value[name].as_array().cloned().unwrap_or_default();
        let failed = of(report, "testResults").into_iter().filter(|file| file["status"] == "failed").flat_map(|file| {
            let tests = of(&file, "assertionResults");
            let failed = tests.iter().filter(|test| test["status"] == "failed");
            let mut failed: Vec<Failure> =
                failed.map(|test| failure(&test["fullName"], &test["failureMessages"][0])).collect();
            // A file that cannot be loaded has no tests.
            if failed.is_empty() {
                failed.push(failure(&file["name"], &file["message"]));
            }
            for one in &mut failed {
                one.file = file["name"].as_str().map(str::to_owned);
            }
            failed
        });
        Ok(Self { counts: Counts::of_vitest(report)?, failures: failed.collect(), ..Self::default() })
    }

    /// From Playwright's JSON report.
    pub(super) fn of_playwright(report: &Value) -> Result<Self> {
        let mut failures = Vec::new();
        for suite in report["suites"].as_array().into_iter().flatten() {
            add_failed_specs(suite, &mut failures);
        }
        Ok(Self { counts: Counts::of_playwright(report)?, failures, ..Self::default() })
    }

    /// Whether running the failed tests once more can show which of them fail by chance: each is named, and they are few.
    pub(super) fn may_be_flaky(&self) -> bool {
        let named = self.failures.len();
        (1..=MAX_RERUN).contains(&named) && self.counts.failed == named as u64
    }

    /// This outcome, after its failed tests were run once more with that outcome: what passed then was flaky.
    pub(super) fn after_rerun(mut self, rerun: &Self) -> Self {
        let has_run_all = rerun.counts.passed + rerun.counts.failed >= self.counts.failed;
        let failed_before = |again: &Failure| self.failures.iter().any(|one| one.name == again.name);
        let are_named = rerun.counts.failed == rerun.failures.len() as u64 && rerun.failures.iter().all(failed_before);
        // A failure without the name of one of them may be any of them.
        if !has_run_all || !are_named {
            return self;
        }
        let fails_again = |one: &Failure| rerun.failures.iter().any(|again| again.name == one.name);
        (self.failures, self.flaky) = self.failures.into_iter().partition(fails_again);
        self.counts.failed -= self.flaky.len() as u64;
        self.counts.passed += self.flaky.len() as u64;
        self
    }

    /// As [`Counts::with_end`].
    pub(super) fn with_end(mut self, status: ExitStatus) -> Self {
        if !status.success() && self.counts.failed == 0 {
            self.failures.push(Failure::new(format!("no test, but the runner ended with {status}"), ""));
        }
        self.counts = self.counts.with_end(status.success());
        self
    }
}

impl From<Counts> for Outcome {
    fn from(counts: Counts) -> Self {
        Self { counts, ..Self::default() }
    }
}

/// The output of `cargo test`, line by line.
#[derive(Debug, Default)]
pub(super) struct CargoOutput {
    outcome: Outcome,
    /// The failure of which the lines tell, by its index.
    told: Option<usize>,
}

impl CargoOutput {
    /// Reads a line: a test that failed, what it printed, or the sum of a program of tests.
    pub(super) fn add_line(&mut self, line: &str) {
        let Outcome { counts, failures, .. } = &mut self.outcome;
        if let Some(more) = Counts::of_cargo(line) {
            *counts += more;
            self.told = None;
        } else if let Some(name) = line.strip_prefix("test ").and_then(|line| line.strip_suffix(" ... FAILED")) {
            failures.push(Failure::new(name, ""));
        } else if let Some(name) = line.strip_prefix("---- ").and_then(|line| line.strip_suffix(" stdout ----")) {
            self.told = failures.iter().rposition(|failure| failure.name == name);
        } else if line == "failures:" {
            self.told = None;
        } else if let Some(index) = self.told {
            failures[index].add_line(line);
        }
    }

    /// What the lines have shown.
    pub(super) fn outcome(self) -> Outcome {
        self.outcome
    }
}

fn failure(name: &Value, cause: &Value) -> Failure {
    Failure::new(name.as_str().unwrap_or_default(), cause.as_str().unwrap_or_default())
}

fn add_failed_specs(suite: &Value, failures: &mut Vec<Failure>) {
    for spec in suite["specs"].as_array().into_iter().flatten() {
        let as_expected = |test: &Value| test["status"] == "expected";
        if !spec["tests"].as_array().is_some_and(|tests| tests.iter().all(as_expected)) {
            let text = |name: &str| spec[name].as_str().unwrap_or_default().to_owned();
            let results = spec["tests"].as_array().into_iter().flatten().filter_map(|test| test["results"].as_array());
            let failed = results.flatten().find(|result| result["error"].is_object()).unwrap_or(&Value::Null);
            let line = failed["error"]["location"]["line"].as_u64().map(|line| format!("line {line}: "));
            let message = failed["error"]["message"].as_str().unwrap_or_default();
            let cause = format!("{}{message}", line.unwrap_or_default());
            failures.push(Failure::new(format!("{}: {}", text("file"), text("title")), &cause));
        }
    }
    for inner in suite["suites"].as_array().into_iter().flatten() {
        add_failed_specs(inner, failures);
    }
}

/// Tests, or checks that pass or fail as a whole.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Counts {
    pub(super) passed: u64,
    pub(super) failed: u64,
}

impl Counts {
    /// One check that passed.
    pub(super) const PASSED: Self = Self { passed: 1, failed: 0 };
    /// One check that failed.
    pub(super) const FAILED: Self = Self { passed: 0, failed: 1 };

    /// One check.
    pub(super) fn check(passed: bool) -> Self {
        if passed { Self::PASSED } else { Self::FAILED }
    }

    /// A runner that ended badly has a failure, even when it counted none (it could not be built, it crashed).
    pub(super) fn with_end(mut self, ended_well: bool) -> Self {
        if !ended_well && self.failed == 0 {
            self.failed = 1;
        }
        self
    }

    /// From a line of `cargo test`: `test result: ok. 12 passed; 0 failed; …`.
    pub(super) fn of_cargo(line: &str) -> Option<Self> {
        let counts = line.trim_start().strip_prefix("test result: ")?.split_once(". ")?.1;
        let number = |word: &str| {
            counts
                .split(';')
                .find_map(|part| part.trim().strip_suffix(word))
                .and_then(|number| number.trim().parse().ok())
        };
        Some(Self { passed: number(" passed")?, failed: number(" failed")? })
    }

    /// From vitest's JSON report. A file that cannot be loaded has no tests but fails.
    pub(super) fn of_vitest(report: &Value) -> Result<Self> {
        let number = |name: &str| report[name].as_u64().with_context(|| format!("vitest's report holds no {name}"));
        let counts = Self { passed: number("numPassedTests")?, failed: number("numFailedTests")? };
        Ok(counts.with_end(report["success"] == true))
    }

    /// From Playwright's JSON report. A test that was skipped proves nothing, and neither does a report with errors beside the tests.
    pub(super) fn of_playwright(report: &Value) -> Result<Self> {
        let number =
            |name: &str| report["stats"][name].as_u64().with_context(|| format!("Playwright's report holds no {name}"));
        let counts = Self { passed: number("expected")?, failed: number("unexpected")? + number("skipped")? };
        Ok(counts.with_end(report["errors"].as_array().is_none_or(Vec::is_empty)))
    }
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} passed, {} failed", self.passed, self.failed)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const fn counts(passed: u64, failed: u64) -> Counts {
        Counts { passed, failed }
    }

    #[test]
    fn cargo_is_read() {
        let line = "test result: ok. 12 passed; 0 failed; 1 ignored; 0 measured; 3 filtered out; finished in 0.00s";
        assert_eq!(Counts::of_cargo(line), Some(counts(12, 0)));
        let line = "test result: FAILED. 1 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.10s";
        assert_eq!(Counts::of_cargo(line), Some(counts(1, 2)));
        assert_eq!(Counts::of_cargo("test a_test ... ok"), None);
    }

    #[test]
    fn vitest_is_read() {
        let report = json!({ "numPassedTests": 5, "numFailedTests": 0, "success": true });
        assert_eq!(Counts::of_vitest(&report).unwrap(), counts(5, 0));
        let report = json!({ "numPassedTests": 5, "numFailedTests": 0, "success": false });
        assert_eq!(Counts::of_vitest(&report).unwrap(), counts(5, 1));
        assert!(Counts::of_vitest(&json!({})).is_err());
    }

    #[test]
    fn playwright_is_read() {
        let report = json!({ "errors": [], "stats": { "expected": 7, "unexpected": 1, "skipped": 1 } });
        assert_eq!(Counts::of_playwright(&report).unwrap(), counts(7, 2));
        let report = json!({ "errors": [{"message": "x"}], "stats": { "expected": 7, "unexpected": 0, "skipped": 0 } });
        assert_eq!(Counts::of_playwright(&report).unwrap(), counts(7, 1));
    }

    #[test]
    fn what_failed_is_named_with_its_cause() {
        let mut output = CargoOutput::default();
        for line in ["test a ... ok", "test b::c ... FAILED", "", "failures:", "", "---- b::c stdout ----"] {
            output.add_line(line);
        }
        let told =
            ["thread 'b::c' panicked at b.rs:3:5:", "", "\u{1b}[31mleft\u{1b}[0m: 1", "", "failures:", "    b::c", ""];
        for line in told.into_iter().chain(["test result: FAILED. 1 passed; 1 failed; 0 ignored", "more"]) {
            output.add_line(line);
        }
        let Outcome { counts: sum, failures, .. } = output.outcome();
        assert_eq!(sum, counts(1, 1));
        assert_eq!(failures, [Failure::new("b::c", "thread 'b::c' panicked at b.rs:3:5:\nleft: 1")]);
        assert_eq!(failures[0].to_string(), "b::c\n    thread 'b::c' panicked at b.rs:3:5:\n    left: 1");

        let tests = |status: &str| json!([{ "fullName": format!("it {status}"), "status": status, "failureMessages": ["Error: 1 is not 2"] }]);
        let report = json!({ "numPassedTests": 1, "numFailedTests": 1, "success": false, "testResults": [
            { "name": "a.ts", "status": "passed", "assertionResults": tests("passed") },
            { "name": "b.ts", "status": "failed", "assertionResults": tests("failed") },
            { "name": "c.ts", "status": "failed", "assertionResults": [], "message": "no such module" },
        ] });
        let failures = Outcome::of_vitest(&report).unwrap().failures;
        let in_file =
            |file: &str, name: &str, cause: &str| Failure { file: Some(file.to_owned()), ..Failure::new(name, cause) };
        assert_eq!(
            failures,
            [in_file("b.ts", "it failed", "Error: 1 is not 2"), in_file("c.ts", "c.ts", "no such module")]
        );

        let error = json!({ "message": "\u{1b}[2mexpect(\u{1b}[22mfailed", "location": { "line": 7 } });
        let spec = |status: &str| {
            let results = json!([{ "error": error }, {}]);
            json!({ "file": "a.spec.ts", "title": status, "tests": [{ "status": status, "results": results }] })
        };
        let report = json!({ "errors": [], "stats": { "expected": 1, "unexpected": 1, "skipped": 1 },
            "suites": [{ "specs": [spec("expected"), spec("skipped")], "suites": [{ "specs": [spec("unexpected")] }] }] });
        let failures = Outcome::of_playwright(&report).unwrap().failures;
        let failed = |title: &str| Failure::new(format!("a.spec.ts: {title}"), "line 7: expect(failed");
        assert_eq!(failures, [failed("skipped"), failed("unexpected")]);
    }

    #[test]
    fn what_passes_when_it_is_run_once_more_is_flaky_and_what_fails_again_has_failed() {
        let failures = |names: &[&str]| names.iter().map(|name| Failure::new(*name, "")).collect::<Vec<_>>();
        let outcome = |passed, names: &[&str]| Outcome {
            counts: counts(passed, names.len() as u64),
            failures: failures(names),
            flaky: Vec::new(),
        };
        let first = || outcome(5, &["a", "b"]);
        assert!(first().may_be_flaky());
        let mended = first().after_rerun(&outcome(1, &["b"]));
        assert_eq!(mended, Outcome { counts: counts(6, 1), failures: failures(&["b"]), flaky: failures(&["a"]) });
        assert_eq!(first().after_rerun(&outcome(2, &[])).counts, counts(7, 0));
        // A rerun that did not run them, failed as a whole or in something else shows nothing.
        assert_eq!(first().after_rerun(&outcome(1, &[])), first());
        assert_eq!(first().after_rerun(&Counts { passed: 2, failed: 1 }.into()), first());
        assert_eq!(first().after_rerun(&outcome(2, &["c"])), first());
        // Neither does one of a failure without a name, or of many.
        assert!(!outcome(5, &[]).may_be_flaky());
        assert!(!Outcome::from(Counts::FAILED).may_be_flaky());
        assert!(!outcome(5, &["a"; MAX_RERUN + 1]).may_be_flaky());
    }

    #[test]
    fn a_cause_is_bounded() {
        let failure = Failure::new("a", &format!("{}\n", "x".repeat(CAUSE.1 + 1)).repeat(CAUSE.0 + 1));
        assert_eq!((failure.cause.len(), failure.cause[0].len()), CAUSE);
    }

    #[test]
    #[cfg(unix)]
    fn a_runner_that_dies_after_its_tests_is_named() {
        use std::os::unix::process::ExitStatusExt;
        let died = Outcome::from(counts(3, 0)).with_end(ExitStatus::from_raw(11));
        assert_eq!(died.counts, counts(3, 1));
        assert!(died.failures[0].name.contains("signal"), "{:?}", died.failures);
    }

    #[test]
    fn a_bad_end_is_a_failure() {
        assert_eq!(counts(3, 0).with_end(false), counts(3, 1));
        assert_eq!(counts(3, 2).with_end(false), counts(3, 2));
        assert_eq!(counts(3, 0).with_end(true), counts(3, 0));
        assert_eq!(counts(3, 1).to_string(), "3 passed, 1 failed");
    }
}
