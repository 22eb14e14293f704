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
    /// What failed, by name: said again at the very end, where it is found.
    pub(super) failures: Vec<String>,
}

impl Outcome {
    /// One check.
    pub(super) fn check(passed: bool) -> Self {
        Counts::check(passed).into()
    }

    /// From a line of `cargo test`: a test that failed, or the sum of a program of tests.
    pub(super) fn add_line_of_cargo(&mut self, line: &str) {
        if let Some(more) = Counts::of_cargo(line) {
            self.counts += more;
        } else if let Some(name) = line.strip_prefix("test ").and_then(|line| line.strip_suffix(" ... FAILED")) {
            self.failures.push(name.to_owned());
        }
    }

    /// From vitest's JSON report.
    pub(super) fn of_vitest(report: &Value) -> Result<Self> {
        let of = |value: &Value, name: &str| value[name].as_array().cloned().unwrap_or_default();
        let failed = of(report, "testResults").into_iter().filter(|file| file["status"] == "failed").flat_map(|file| {
            let tests = of(&file, "assertionResults");
            let failed = tests.iter().filter(|test| test["status"] == "failed");
            let named: Vec<String> = failed.filter_map(|test| test["fullName"].as_str().map(str::to_owned)).collect();
            // A file that cannot be loaded has no tests.
            if named.is_empty() { file["name"].as_str().map(str::to_owned).into_iter().collect() } else { named }
        });
        Ok(Self { counts: Counts::of_vitest(report)?, failures: failed.collect() })
    }

    /// From Playwright's JSON report.
    pub(super) fn of_playwright(report: &Value) -> Result<Self> {
        let mut failures = Vec::new();
        for suite in report["suites"].as_array().into_iter().flatten() {
            add_failed_specs(suite, &mut failures);
        }
        Ok(Self { counts: Counts::of_playwright(report)?, failures })
    }

    /// As [`Counts::with_end`].
    pub(super) fn with_end(mut self, status: ExitStatus) -> Self {
        if !status.success() && self.counts.failed == 0 {
            self.failures.push(format!("no test, but the runner ended with {status}"));
        }
        self.counts = self.counts.with_end(status.success());
        self
    }
}

impl From<Counts> for Outcome {
    fn from(counts: Counts) -> Self {
        Self { counts, failures: Vec::new() }
    }
}

fn add_failed_specs(suite: &Value, failures: &mut Vec<String>) {
    for spec in suite["specs"].as_array().into_iter().flatten() {
        let as_expected = |test: &Value| test["status"] == "expected";
        if !spec["tests"].as_array().is_some_and(|tests| tests.iter().all(as_expected)) {
            let text = |name: &str| spec[name].as_str().unwrap_or_default().to_owned();
            failures.push(format!("{}: {}", text("file"), text("title")));
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

    /// From Playwright's JSON report. A test that passed only when tried again has failed; one that was skipped proves
    /// nothing, and neither does a report with errors beside the tests.
    pub(super) fn of_playwright(report: &Value) -> Result<Self> {
        let number =
            |name: &str| report["stats"][name].as_u64().with_context(|| format!("Playwright's report holds no {name}"));
        let counts =
            Self { passed: number("expected")?, failed: number("unexpected")? + number("flaky")? + number("skipped")? };
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
        let report = json!({ "errors": [], "stats": { "expected": 7, "unexpected": 1, "flaky": 1, "skipped": 0 } });
        assert_eq!(Counts::of_playwright(&report).unwrap(), counts(7, 2));
        let report = json!({ "errors": [{"message": "x"}], "stats": { "expected": 7, "unexpected": 0, "flaky": 0, "skipped": 0 } });
        assert_eq!(Counts::of_playwright(&report).unwrap(), counts(7, 1));
    }

    #[test]
    fn what_failed_is_named() {
        let mut outcome = Outcome::default();
        for line in ["test a ... ok", "test b::c ... FAILED", "test result: FAILED. 1 passed; 1 failed; 0 ignored"] {
            outcome.add_line_of_cargo(line);
        }
        assert_eq!(outcome, Outcome { counts: counts(1, 1), failures: vec!["b::c".to_owned()] });
        let tests = |status: &str| json!([{ "fullName": format!("it {status}"), "status": status }]);
        let report = json!({ "numPassedTests": 1, "numFailedTests": 1, "success": false, "testResults": [
            { "name": "a.ts", "status": "passed", "assertionResults": tests("passed") },
            { "name": "b.ts", "status": "failed", "assertionResults": tests("failed") },
            { "name": "c.ts", "status": "failed", "assertionResults": [] },
        ] });
        assert_eq!(Outcome::of_vitest(&report).unwrap().failures, ["it failed", "c.ts"]);
        let spec = |status: &str| json!({ "file": "a.spec.ts", "title": status, "tests": [{ "status": status }] });
        let report = json!({ "errors": [], "stats": { "expected": 1, "unexpected": 1, "flaky": 1, "skipped": 0 },
            "suites": [{ "specs": [spec("expected"), spec("flaky")], "suites": [{ "specs": [spec("unexpected")] }] }] });
        let failures = Outcome::of_playwright(&report).unwrap().failures;
        assert_eq!(failures, ["a.spec.ts: flaky", "a.spec.ts: unexpected"]);
    }

    #[test]
    #[cfg(unix)]
    fn a_runner_that_dies_after_its_tests_is_named() {
        use std::os::unix::process::ExitStatusExt;
        let died = Outcome::from(counts(3, 0)).with_end(ExitStatus::from_raw(11));
        assert_eq!(died.counts, counts(3, 1));
        assert!(died.failures[0].contains("signal"), "{:?}", died.failures);
    }

    #[test]
    fn a_bad_end_is_a_failure() {
        assert_eq!(counts(3, 0).with_end(false), counts(3, 1));
        assert_eq!(counts(3, 2).with_end(false), counts(3, 2));
        assert_eq!(counts(3, 0).with_end(true), counts(3, 0));
        assert_eq!(counts(3, 1).to_string(), "3 passed, 1 failed");
    }
}
