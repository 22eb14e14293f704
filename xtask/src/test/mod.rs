//! `cargo xtask test`: all tests of the project, summed up in one line.

mod changed;
mod checks;
mod compile;
mod crash;
mod load;
mod outcome;
mod release;
mod scale;
mod schedule;
mod scratch;
mod suites;

use std::fs;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use self::compile::Selection;
use self::outcome::Counts;
use self::schedule::Report;
use self::scratch::Scratch;
use self::suites::{TASKS, Task};
use crate::checkout::Checkout;
use crate::{frontend, tools};

/// How many of the slowest tests are listed.
const SLOWEST: usize = 20;

/// Runs all suites, the named ones, or with `--changed` the affected ones; a failing suite does not stop the others.
pub(crate) fn test(checkout: &Checkout, rest: &[String]) -> Result<ExitCode> {
    let (tasks, selection, first) = match rest {
        [flag] if flag == "--list" => {
            for task in TASKS {
                println!("{:<9} {}", task.name, task.what);
            }
            return Ok(ExitCode::SUCCESS);
        }
        [flag, rest @ ..] if flag == "--changed" => {
            let since = match rest {
                [] => "HEAD",
                [revision] => revision,
                _ => bail!("`--changed` takes one revision, not `{}`", rest.join(" ")),
            };
            let reach = changed::reach_since(checkout, since)?;
            println!("{reach}");
            (reach.tasks(), reach.selection(), reach.first())
        }
        names => {
            let tasks = choose(names)?;
            let compiles = |task: &&Task| matches!(task.name, "clippy" | "rust");
            let selection = if tasks.iter().any(compiles) { Selection::Workspace } else { Selection::Program };
            (tasks, selection, None)
        }
    };
    tools::ensure_build_tools()?;
    let begin = Instant::now();
    let scratch = Scratch::new(checkout, selection)?;
    // Started in this thread, because Postgres is ended when the thread that started it ends. The suites report a failure.
    if tasks.iter().any(|task| matches!(task.name, "browser" | "rust")) {
        drop(scratch.database());
    }
    if let Some(first) = first
        && !suites::run_first(&scratch, &first)?
    {
        return Ok(ExitCode::FAILURE);
    }
    let mut reports = schedule::run_all(&tasks, schedule::capacity(), &scratch)?;
    schedule::rerun_failed(&tasks, &mut reports, &scratch);
    drop(scratch);
    record_flaky(checkout, &reports)?;
    record_slowest(checkout, &reports)?;
    Ok(print_summary(&reports, begin.elapsed()))
}

/// Prints a table of the suites, the names of failed tests, and the total as the last line.
fn print_summary(reports: &[Report], took: Duration) -> ExitCode {
    println!("\n{}", table(reports, took));
    for report in reports.iter().filter(|report| report.outcome.counts.failed > 0) {
        println!("failed: {}", report.name);
        for failure in &report.outcome.failures {
            println!("  {failure}");
        }
    }
    let mut total = Counts::default();
    for report in reports {
        total += report.outcome.counts;
        for failure in &report.outcome.flaky {
            println!("flaky: {} {}", report.name, failure.full_name());
        }
    }
    println!("{total}");
    if total.failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Writes the first failures of flaky tests to a file, so that they can be fixed.
fn record_flaky(checkout: &Checkout, reports: &[Report]) -> Result<()> {
    let flaky =
        reports.iter().flat_map(|report| report.outcome.flaky.iter().map(|one| format!("{} {one}\n", report.name)));
    let text: String = flaky.collect();
    let path = frontend::made(checkout)?.join("flaky.txt");
    if text.is_empty() {
        if path.exists() {
            fs::remove_file(path)?;
        }
        return Ok(());
    }
    fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
    println!("\nhow the flaky tests failed at first: {}", path.display());
    Ok(())
}

/// Prints the slowest tests, if there are any, and writes them to a file.
fn record_slowest(checkout: &Checkout, reports: &[Report]) -> Result<()> {
    let text = slowest(reports);
    if text.is_empty() {
        return Ok(());
    }
    let path = frontend::made(checkout)?.join("slowest.txt");
    fs::write(&path, &text).with_context(|| format!("cannot write {}", path.display()))?;
    println!("\n{text}{}", path.display());
    Ok(())
}

/// The slowest tests of all suites, slowest first; empty when no suite has tests.
fn slowest(reports: &[Report]) -> String {
    let of_report = |report: &'_ Report| {
        let times = report.outcome.times.iter();
        times.map(|(seconds, test)| (*seconds, format!("{:<9} {test}", report.name))).collect::<Vec<_>>()
    };
    let mut tests: Vec<(f64, String)> = reports.iter().flat_map(of_report).collect();
    if tests.is_empty() {
        return String::new();
    }
    tests.sort_by(|one, other| other.0.total_cmp(&one.0));
    let lines = tests.iter().take(SLOWEST).map(|(seconds, test)| format!("{seconds:>8.1} {test}\n"));
    format!(
        "{:>8} {:<9} test (the slowest {SLOWEST} of {})\n{}",
        "seconds",
        "suite",
        tests.len(),
        lines.collect::<String>()
    )
}

fn table(reports: &[Report], took: Duration) -> String {
    let mut lines = vec![format!("{:<9} {:>7} {:>7} {:>8}", "suite", "passed", "failed", "seconds")];
    for Report { name, outcome, took } in reports {
        let Counts { passed, failed } = outcome.counts;
        lines.push(format!("{name:<9} {passed:>7} {failed:>7} {:>8.1}", took.as_secs_f32()));
    }
    lines.push(format!("{:<9} {:>7} {:>7} {:>8.1}  (several run at once)", "all", "", "", took.as_secs_f32()));
    lines.join("\n")
}

/// The tasks with these names (all when there are none) and everything that they need, in the order of the list.
fn choose(names: &[String]) -> Result<Vec<&'static Task>> {
    if let Some(unknown) = names.iter().find(|name| !TASKS.iter().any(|task| task.name == name.as_str())) {
        let known: Vec<&str> = TASKS.iter().map(|task| task.name).collect();
        bail!("there is no suite `{unknown}`; there are: {}", known.join(" "));
    }
    let mut wanted: Vec<&str> = names.iter().map(String::as_str).collect();
    if wanted.is_empty() {
        wanted = TASKS.iter().map(|task| task.name).collect();
    }
    Ok(with_needs(&wanted))
}

/// These tasks and, transitively, what they need.
fn with_needs(names: &[&str]) -> Vec<&'static Task> {
    let mut wanted = names.to_vec();
    let mut at = 0;
    while let Some(name) = wanted.get(at) {
        let needs = TASKS.iter().find(|task| task.name == *name).map_or(&[][..], |task| task.needs);
        for need in needs {
            if !wanted.contains(need) {
                wanted.push(need);
            }
        }
        at += 1;
    }
    TASKS.iter().filter(|task| wanted.contains(&task.name)).collect()
}

#[cfg(test)]
mod tests {
    use super::outcome::Outcome;
    use super::*;

    fn names(names: &[&str]) -> Vec<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    #[test]
    fn suites_are_chosen_by_name_with_what_they_need_in_the_order_of_the_list() {
        let chosen = |chosen: &[&str]| choose(&names(chosen)).unwrap().iter().map(|task| task.name).collect::<Vec<_>>();
        assert_eq!(chosen(&["rust", "fmt"]), ["packages", "build", "fmt", "rust"]);
        assert_eq!(chosen(&["browser"]), ["packages", "build", "web", "browser"]);
        assert_eq!(chosen(&[]).len(), TASKS.len());
        assert!(choose(&names(&["browser", "vitset"])).unwrap_err().to_string().contains("`vitset`"));
    }

    #[test]
    fn every_need_is_a_task_before_the_one_that_needs_it() {
        for (index, task) in TASKS.iter().enumerate() {
            for need in task.needs {
                assert!(TASKS[..index].iter().any(|before| before.name == *need), "{} needs {need}", task.name);
            }
        }
    }

    #[test]
    fn the_slowest_tests_of_all_suites_are_listed_the_slowest_first() {
        let report = |name, times: &[f64]| {
            let times = times.iter().map(|seconds| (*seconds, format!("a.ts: takes {seconds}"))).collect();
            Report { name, outcome: Outcome { times, ..Outcome::default() }, took: Duration::ZERO }
        };
        let text = slowest(&[report("rust", &[0.5; SLOWEST]), report("fmt", &[]), report("vitest", &[2.0, 0.25])]);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], " seconds suite     test (the slowest 20 of 22)");
        assert_eq!(lines[1], "     2.0 vitest    a.ts: takes 2");
        assert_eq!((lines.len(), lines[2]), (1 + SLOWEST, "     0.5 rust      a.ts: takes 0.5"));
        assert_eq!(slowest(&[report("fmt", &[])]), "");
    }

    #[test]
    fn the_table_has_a_line_for_each_suite() {
        let report = Report { name: "fmt", outcome: Outcome::check(true), took: Duration::from_millis(1_250) };
        let table = table(&[report], Duration::from_secs(2));
        let lines: Vec<&str> = table.lines().collect();
        assert_eq!(lines[1].split_whitespace().collect::<Vec<_>>(), ["fmt", "1", "0", "1.2"]);
        assert!(lines[2].starts_with("all "), "{table}");
    }
}
