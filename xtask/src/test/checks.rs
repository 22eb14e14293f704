//! Checks of a suite that is a function of this program and not of a test runner.

use anyhow::Result;

use super::outcome::{Failure, Outcome};
use crate::console::say;

/// The results of the checks.
#[derive(Default)]
pub(super) struct Checks {
    pub(super) outcome: Outcome,
}

impl Checks {
    /// Adds a check, which passes when there are no problems.
    pub(super) fn check(&mut self, what: &str, problems: &[String]) {
        if problems.is_empty() {
            say!("  ok      {what}");
        } else {
            say!("  FAILED  {what}: {} problems", problems.len());
            for problem in problems.iter().take(5) {
                say!("          {problem}");
            }
            self.outcome.failures.push(Failure::new("", what, &problems.join("\n")));
        }
        self.outcome.counts += Outcome::check(problems.is_empty()).counts;
    }

    /// Adds a check, which passes when this succeeded.
    pub(super) fn check_result(&mut self, what: &str, result: Result<()>) {
        let problems: Vec<String> = result.err().map(|error| format!("{error:#}")).into_iter().collect();
        self.check(what, &problems);
    }
}
