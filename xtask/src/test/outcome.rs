//! The outcome of a suite: how many tests passed, which failed and why, and how long each took.
//!
//! All runners (nextest, vitest, Playwright) report in one format, JUnit's XML, so that one parser suffices.

use std::fmt;
use std::fs;
use std::ops::AddAssign;
use std::path::Path;
use std::process::ExitStatus;

use anyhow::{Context, Result};
use roxmltree::{Document, Node};

/// The outcome of a suite.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Outcome {
    pub(super) counts: Counts,
    /// Failed tests. They are listed again at the very end.
    pub(super) failures: Vec<Failure>,
    /// Tests that failed at first, and passed when they were rerun.
    pub(super) flaky: Vec<Failure>,
    /// The duration in seconds and the full name of each test, if the suite has tests.
    pub(super) times: Vec<(f64, String)>,
}

/// A test that failed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Failure {
    /// The test's file or program; empty when there is none.
    pub(super) place: String,
    pub(super) name: String,
    /// The first lines of the runner's message. For a failure that can't be reproduced there is no other information.
    pub(super) cause: Vec<String>,
}

/// Maximum number of failed tests that are rerun: when more fail, the change is the cause.
const MAX_RERUN: usize = 10;
/// Maximum number of lines of a cause, and of characters per line.
const CAUSE: (usize, usize) = (24, 240);

impl Failure {
    pub(super) fn new(place: &str, name: &str, cause: &str) -> Self {
        let lines = cause.lines().filter(|line| !line.trim().is_empty()).take(CAUSE.0);
        let cause = lines.map(|line| line.trim_end().chars().take(CAUSE.1).collect()).collect();
        Self { place: place.to_owned(), name: name.to_owned(), cause }
    }

    pub(super) fn full_name(&self) -> String {
        full_name(&self.place, &self.name)
    }

    fn is_same_test(&self, other: &Self) -> bool {
        (&self.place, &self.name) == (&other.place, &other.name)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.full_name())?;
        self.cause.iter().try_for_each(|line| write!(f, "\n    {line}"))
    }
}

fn full_name(place: &str, name: &str) -> String {
    if place.is_empty() || place == name { name.to_owned() } else { format!("{place}: {name}") }
}

impl Outcome {
    /// The outcome of a single check.
    pub(super) fn check(passed: bool) -> Self {
        Counts { passed: u64::from(passed), failed: u64::from(!passed) }.into()
    }

    /// Reads the report of a runner that exited with this status.
    pub(super) fn of_runner(report: &Path, status: ExitStatus) -> Result<Self> {
        let text =
            fs::read_to_string(report).with_context(|| format!("the runner ended ({status}) without a report"))?;
        Ok(Self::parse(&text)?.with_end(status))
    }

    /// Parses JUnit's XML. A skipped test proves nothing, so it counts as failed, as does a file that can't be loaded.
    fn parse(report: &str) -> Result<Self> {
        let document = Document::parse(report).context("the runner's report is not XML")?;
        let mut outcome = Self::default();
        for test in document.descendants().filter(|node| node.has_tag_name("testcase")) {
            let attribute = |name| test.attribute(name).unwrap_or_default();
            let (place, name) = (attribute("classname"), attribute("name"));
            let bad = test
                .children()
                .find(|child| ["failure", "error", "skipped"].iter().any(|tag| child.has_tag_name(*tag)));
            outcome.counts += Self::check(bad.is_none()).counts;
            outcome.failures.extend(bad.map(|bad| Failure::new(place, name, &cause(bad))));
            if let Ok(seconds) = attribute("time").parse() {
                outcome.times.push((seconds, full_name(place, name)));
            }
        }
        Ok(outcome)
    }

    /// Adds a failure if the runner exited with an error but counted none: it could not be built, or it crashed.
    fn with_end(mut self, status: ExitStatus) -> Self {
        if !status.success() && self.counts.failed == 0 {
            self.counts.failed = 1;
            self.failures.push(Failure::new("", &format!("no test, but the runner ended with {status}"), ""));
        }
        self
    }

    /// Whether rerunning the failed tests can show which are flaky: each has a name, and they are few.
    pub(super) fn may_be_flaky(&self) -> bool {
        let named = self.failures.len();
        (1..=MAX_RERUN).contains(&named) && self.counts.failed == named as u64
    }

    /// This outcome, after its failed tests were rerun with the outcome `rerun`: those that passed then are flaky.
    pub(super) fn after_rerun(mut self, rerun: &Self) -> Self {
        let fails_again = |one: &Failure| rerun.failures.iter().any(|again| again.is_same_test(one));
        let has_run_all = rerun.counts.passed + rerun.counts.failed >= self.counts.failed;
        let known = self.failures.iter().filter(|one| fails_again(one)).count();
        // A failure that matches none of them by name could be any of them.
        if !has_run_all || known != rerun.failures.len() || rerun.counts.failed != known as u64 {
            return self;
        }
        (self.failures, self.flaky) = self.failures.into_iter().partition(fails_again);
        self.counts.failed -= self.flaky.len() as u64;
        self.counts.passed += self.flaky.len() as u64;
        self
    }
}

/// The message of a failed test's element: its text, or its `message` attribute if it has no text.
fn cause(element: Node<'_, '_>) -> String {
    let text: String = element.children().filter_map(|child| child.text()).collect();
    if text.trim().is_empty() {
        element.attribute("message").unwrap_or(element.tag_name().name()).to_owned()
    } else {
        text
    }
}

impl From<Counts> for Outcome {
    fn from(counts: Counts) -> Self {
        Self { counts, ..Self::default() }
    }
}

/// Counts of tests, or of checks that pass or fail as a whole.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Counts {
    pub(super) passed: u64,
    pub(super) failed: u64,
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
    use std::os::unix::process::ExitStatusExt;

    use super::*;

    /// From each runner: a passed test, a failed one in the format of this runner, and other elements that count as failed.
    const REPORT: &str = r#"<?xml version="1.0" encoding="UTF-8"?><testsuites>
        <testsuite name="server::it"><testcase name="a::passes" classname="server::it" time="1.500"/>
        <testcase name="a::fails" classname="server::it" time="0.25"><failure message="m" type="test failure with exit code 101">thread 'a' panicked at a.rs:3:5:

left: 1 &lt; 2</failure><system-err>more</system-err></testcase></testsuite>
        <testsuite name="a.test.ts"><testcase classname="c.test.ts" name="c.test.ts" time="0"><failure message="no such module"/></testcase></testsuite>
        <testsuite name="a.spec.ts"><testcase name="outer › late" classname="a.spec.ts" time="3"><error message="boom"><![CDATA[  line 7: boom
]]></error></testcase><testcase name="skipped" classname="a.spec.ts"><skipped></skipped></testcase></testsuite></testsuites>"#;

    #[test]
    fn a_report_counts_names_and_times_tests_and_says_why_they_failed() {
        let outcome = Outcome::parse(REPORT).unwrap();
        assert_eq!(outcome.counts.to_string(), "1 passed, 4 failed");
        let expected = [
            ("server::it", "a::fails", "thread 'a' panicked at a.rs:3:5:\nleft: 1 < 2"),
            ("c.test.ts", "c.test.ts", "no such module"),
            ("a.spec.ts", "outer › late", "  line 7: boom"),
            ("a.spec.ts", "skipped", "skipped"),
        ];
        assert_eq!(outcome.failures, expected.map(|(place, name, cause)| Failure::new(place, name, cause)));
        assert_eq!(outcome.times[0], (1.5, "server::it: a::passes".to_owned()));
        assert_eq!(outcome.times.len(), 4, "what was skipped took no time");
        assert_eq!(outcome.failures[1].to_string(), "c.test.ts\n    no such module");
        assert!(Outcome::parse("not XML").is_err());
    }

    #[test]
    fn what_passes_when_it_is_run_once_more_is_flaky_and_what_fails_again_has_failed() {
        let failures = |names: &[&str]| names.iter().map(|name| Failure::new("p", name, "")).collect::<Vec<_>>();
        let outcome = |passed, names: &[&str]| Outcome {
            counts: Counts { passed, failed: names.len() as u64 },
            failures: failures(names),
            ..Outcome::default()
        };
        let first = || outcome(5, &["a", "b"]);
        assert!(first().may_be_flaky());
        let mended = first().after_rerun(&outcome(1, &["b"]));
        assert_eq!(mended, Outcome { flaky: failures(&["a"]), ..outcome(6, &["b"]) });
        assert_eq!(first().after_rerun(&outcome(2, &[])).counts.to_string(), "7 passed, 0 failed");
        // A rerun that did not run them, or that failed as a whole or elsewhere, shows nothing.
        assert_eq!(first().after_rerun(&outcome(1, &[])), first());
        assert_eq!(first().after_rerun(&Counts { passed: 2, failed: 1 }.into()), first());
        assert_eq!(first().after_rerun(&outcome(2, &["c"])), first());
        // Neither does a rerun of a failure without a name, or of many failures.
        assert!(!outcome(5, &[]).may_be_flaky());
        assert!(!Outcome::check(false).may_be_flaky());
        assert!(!outcome(5, &["a"; MAX_RERUN + 1]).may_be_flaky());
    }

    #[test]
    fn a_cause_is_bounded() {
        let failure = Failure::new("", "a", &format!("{}\n", "x".repeat(CAUSE.1 + 1)).repeat(CAUSE.0 + 1));
        assert_eq!((failure.cause.len(), failure.cause[0].len()), CAUSE);
    }

    #[test]
    fn a_runner_that_ends_badly_has_failed_whatever_it_counted() {
        let three = || Outcome::from(Counts { passed: 3, failed: 0 });
        let died = three().with_end(ExitStatus::from_raw(11));
        assert_eq!(died.counts.to_string(), "3 passed, 1 failed");
        assert!(died.failures[0].name.contains("signal"), "{:?}", died.failures);
        assert_eq!(Outcome::check(false).with_end(ExitStatus::from_raw(256)), Outcome::check(false));
        assert_eq!(three().with_end(ExitStatus::from_raw(0)), three());
    }
}
