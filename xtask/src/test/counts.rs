//! How many passed and how many failed, and how each runner says so.

use std::fmt;
use std::ops::AddAssign;

use anyhow::{Context, Result};
use serde_json::Value;

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
    fn a_bad_end_is_a_failure() {
        assert_eq!(counts(3, 0).with_end(false), counts(3, 1));
        assert_eq!(counts(3, 2).with_end(false), counts(3, 2));
        assert_eq!(counts(3, 0).with_end(true), counts(3, 0));
        assert_eq!(counts(3, 1).to_string(), "3 passed, 1 failed");
    }
}
