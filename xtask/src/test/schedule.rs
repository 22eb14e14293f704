//! Runs tasks concurrently, each as soon as its needs are done.
//!
//! `make -j` orders by needs too, but does not know cores: two CPU-bound suites would run concurrently on two cores.

use std::sync::{Mutex, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Result;

use super::outcome::{Failure, Outcome};
use super::scratch::Scratch;
use super::suites::Task;
use crate::console::{self, say};
use crate::signals;

/// The result of a task.
#[derive(Debug)]
pub(super) struct Report {
    pub(super) name: &'static str,
    pub(super) outcome: Outcome,
    pub(super) took: Duration,
}

/// How many cores concurrent tasks may use: one more than there are, because every task waits at times. Two
/// CPU-bound suites on two cores take as long concurrently as one after the other, and each sees a slower machine.
pub(super) fn capacity() -> usize {
    thread::available_parallelism().map_or(1, usize::from) + 1
}

/// Runs all tasks, even when one fails; a task whose need has failed fails without running. The reports are in the order of
/// the tasks.
pub(super) fn run_all(tasks: &[&'static Task], capacity: usize, scratch: &Scratch<'_>) -> Result<Vec<Report>> {
    let mut plan = Plan::new(tasks);
    let mut reports: Vec<Option<Report>> = tasks.iter().map(|_| None).collect();
    let (sender, receiver) = mpsc::channel();
    // Linux ends a child with a death signal (Postgres) when the thread that started it ends, so each thread waits until all
    // tasks are done.
    let gate = Mutex::new(());
    thread::scope(|scope| {
        let closed = gate.lock();
        loop {
            while let Some(next) = (!signals::stop_asked()).then(|| plan.next(capacity)).flatten() {
                match next {
                    Next::Run(index) => {
                        let (task, sender, gate) = (tasks[index], sender.clone(), &gate);
                        scope.spawn(move || {
                            let report = console::with_suite(task.name, || run_one(task, scratch));
                            // The receiver outlives the scope.
                            let _ = sender.send((index, report));
                            drop(gate.lock());
                        });
                    }
                    Next::Fail(index, need) => {
                        let failure = format!("not run, because `{need}` failed");
                        say!("{}: {failure}", tasks[index].name);
                        let failures = vec![Failure::new("", &failure, "")];
                        let outcome = Outcome { failures, ..Outcome::check(false) };
                        reports[index] = Some(Report { name: tasks[index].name, outcome, took: Duration::ZERO });
                        plan.end(index, false);
                    }
                }
            }
            if plan.is_idle() {
                break;
            }
            if let Ok((index, report)) = receiver.recv() {
                plan.end(index, report.outcome.counts.failed == 0);
                reports[index] = Some(report);
            }
        }
        drop(closed);
    });
    signals::check()?;
    Ok(reports.into_iter().flatten().collect())
}

/// Reruns failed tests, one suite after the other and with nothing else running, because on a busy machine a correct test can
/// fail. A test that passes then is flaky.
pub(super) fn rerun_failed(tasks: &[&'static Task], reports: &mut [Report], scratch: &Scratch<'_>) {
    for (task, report) in tasks.iter().zip(reports) {
        let Some(rerun) = task.rerun.filter(|_| report.outcome.may_be_flaky() && !signals::stop_asked()) else {
            continue;
        };
        console::with_suite(task.name, || {
            say!("runs once more what has failed: {}", report.outcome.counts);
            match rerun(scratch, &report.outcome.failures) {
                Ok(again) => report.outcome = std::mem::take(&mut report.outcome).after_rerun(&again),
                Err(error) => say!("{error:#}"),
            }
        });
    }
}

fn run_one(task: &Task, scratch: &Scratch<'_>) -> Report {
    let start = Instant::now();
    say!("begins: {}", task.what);
    let outcome = (task.run)(scratch).unwrap_or_else(|error| {
        say!("{error:#}");
        Outcome::check(false)
    });
    let took = start.elapsed();
    // Printed among the output of the other suites, for readers who see only part of the output.
    for failure in &outcome.failures {
        say!("failed: {failure}");
    }
    say!("ends: {} ({:.1} s)", outcome.counts, took.as_secs_f32());
    Report { name: task.name, outcome, took }
}

/// The next scheduling step.
#[derive(Debug, PartialEq, Eq)]
enum Next {
    /// Run this task: all its needs are done.
    Run(usize),
    /// Fail this task, because that need has failed.
    Fail(usize, &'static str),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Waiting,
    Running,
    Ended { well: bool },
}

/// The states of all tasks.
struct Plan<'a> {
    tasks: &'a [&'static Task],
    states: Vec<State>,
}

impl<'a> Plan<'a> {
    fn new(tasks: &'a [&'static Task]) -> Self {
        Self { tasks, states: vec![State::Waiting; tasks.len()] }
    }

    /// The first task that can run or fail now; `None` while no task fits beside the running ones or all wait for their needs.
    fn next(&mut self, capacity: usize) -> Option<Next> {
        let is = |need: &&str, state| self.state(need) == Some(state);
        for index in (0..self.tasks.len()).filter(|index| self.states[*index] == State::Waiting) {
            let task = self.tasks[index];
            if let Some(failed) = task.needs.iter().find(|need| is(need, State::Ended { well: false })) {
                return Some(Next::Fail(index, failed));
            }
            // A need that was not requested is not waited for.
            let is_there = |need: &&str| self.state(need).is_none() || is(need, State::Ended { well: true });
            // A task that needs more cores than there are runs alone.
            let fits = self.is_idle() || self.busy() + task.cores <= capacity;
            if fits && task.needs.iter().all(is_there) {
                self.states[index] = State::Running;
                return Some(Next::Run(index));
            }
        }
        None
    }

    fn end(&mut self, index: usize, well: bool) {
        self.states[index] = State::Ended { well };
    }

    /// Whether no task is running: all are done, or none can start any more.
    fn is_idle(&self) -> bool {
        self.busy() == 0
    }

    /// How many cores the running tasks use.
    fn busy(&self) -> usize {
        let running = self.tasks.iter().zip(&self.states).filter(|(_, state)| **state == State::Running);
        running.map(|(task, _)| task.cores).sum()
    }

    fn state(&self, name: &str) -> Option<State> {
        self.tasks.iter().position(|task| task.name == name).map(|index| self.states[index])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn task(name: &'static str, needs: &'static [&'static str], cores: usize) -> Task {
        Task::new(name, "", needs, cores, |_| Ok(Outcome::check(true)))
    }

    static TASKS: [Task; 5] = [
        task("build", &[], 2),
        task("fmt", &[], 1),
        task("rust", &["build"], 2),
        task("browser", &["build", "web"], 2),
        task("crash", &["build"], 1),
    ];

    #[test]
    fn a_task_begins_when_its_needs_are_there_and_cores_are_free() {
        let tasks = TASKS.each_ref();
        let mut plan = Plan::new(&tasks);
        assert_eq!(plan.next(3), Some(Next::Run(0)));
        assert_eq!(plan.next(3), Some(Next::Run(1)));
        assert_eq!(plan.next(3), None, "all cores are taken");
        plan.end(1, true);
        assert_eq!(plan.next(3), None, "the build still runs");
        plan.end(0, true);
        assert_eq!(plan.next(3), Some(Next::Run(2)));
        assert_eq!(plan.next(3), Some(Next::Run(4)), "it fits beside it");
        plan.end(4, true);
        assert_eq!(plan.next(3), None, "two that keep both cores busy run one after the other");
        plan.end(2, true);
        assert_eq!(plan.next(3), Some(Next::Run(3)), "a need that is not in the list is not waited for");
        plan.end(3, true);
        assert!(plan.is_idle());
    }

    #[test]
    fn a_task_that_takes_more_than_there_is_runs_alone() {
        let tasks = TASKS.each_ref();
        let mut plan = Plan::new(&tasks);
        assert_eq!(plan.next(1), Some(Next::Run(0)));
        assert_eq!(plan.next(1), None);
    }

    #[test]
    fn a_task_whose_need_failed_fails_without_being_run() {
        let tasks = TASKS.each_ref();
        let mut plan = Plan::new(&tasks);
        assert_eq!(plan.next(2), Some(Next::Run(0)));
        plan.end(0, false);
        assert_eq!(plan.next(2), Some(Next::Run(1)));
        assert_eq!(plan.next(2), Some(Next::Fail(2, "build")));
        plan.end(2, false);
        assert_eq!(plan.next(2), Some(Next::Fail(3, "build")));
    }
}
