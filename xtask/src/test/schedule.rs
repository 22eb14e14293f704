//! Runs tasks side by side, each as soon as what it needs is done.

use std::sync::{Mutex, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Result;

use super::counts::{Counts, Outcome};
use super::scratch::Scratch;
use super::suites::Task;
use crate::console::{self, say};
use crate::signals;

/// What became of a task.
#[derive(Debug)]
pub(super) struct Report {
    pub(super) name: &'static str,
    pub(super) outcome: Outcome,
    pub(super) took: Duration,
}

/// How many tasks run at once: one more than there are cores, because several mostly wait.
pub(super) fn slots() -> usize {
    thread::available_parallelism().map_or(1, usize::from) + 1
}

/// Runs all of them, also when one fails; a task whose need has failed fails without being run. Reports come in the order of
/// the tasks.
pub(super) fn run_all(tasks: &[&'static Task], slots: usize, scratch: &Scratch<'_>) -> Result<Vec<Report>> {
    let mut plan = Plan::new(tasks.iter().map(|task| (task.name, task.needs)).collect());
    let mut reports: Vec<Option<Report>> = tasks.iter().map(|_| None).collect();
    let (sender, receiver) = mpsc::channel();
    // Linux ends a child with a death signal (Postgres) when the thread that started it ends: each thread stays until all
    // tasks are done.
    let gate = Mutex::new(());
    thread::scope(|scope| {
        let closed = gate.lock();
        loop {
            while let Some(next) = (!signals::stop_asked()).then(|| plan.next(slots)).flatten() {
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
                        let outcome = Outcome { counts: Counts::FAILED, failures: vec![failure] };
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

fn run_one(task: &Task, scratch: &Scratch<'_>) -> Report {
    let start = Instant::now();
    say!("begins: {}", task.what);
    let outcome = (task.run)(scratch).unwrap_or_else(|error| {
        say!("{error:#}");
        Counts::FAILED.into()
    });
    let took = start.elapsed();
    say!("ends: {} ({:.1} s)", outcome.counts, took.as_secs_f32());
    Report { name: task.name, outcome, took }
}

/// What can be done now.
#[derive(Debug, PartialEq, Eq)]
enum Next {
    /// This task, all of whose needs are there.
    Run(usize),
    /// This task fails, because that need has failed.
    Fail(usize, &'static str),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Waiting,
    Running,
    Ended { well: bool },
}

/// Which tasks wait, run and have ended.
struct Plan {
    tasks: Vec<(&'static str, &'static [&'static str])>,
    states: Vec<State>,
}

impl Plan {
    fn new(tasks: Vec<(&'static str, &'static [&'static str])>) -> Self {
        let states = vec![State::Waiting; tasks.len()];
        Self { tasks, states }
    }

    /// The first task of the list that can run or fail now; `None` while all slots are taken or every need still runs.
    fn next(&mut self, slots: usize) -> Option<Next> {
        for index in 0..self.tasks.len() {
            if self.states[index] != State::Waiting {
                continue;
            }
            let needs = self.tasks[index].1;
            if let Some(failed) = needs.iter().find(|need| self.state(need) == Some(State::Ended { well: false })) {
                return Some(Next::Fail(index, failed));
            }
            // What was not asked for is not waited for.
            let is_there = |need: &&str| matches!(self.state(need), None | Some(State::Ended { well: true }));
            if self.running() < slots && needs.iter().all(is_there) {
                self.states[index] = State::Running;
                return Some(Next::Run(index));
            }
        }
        None
    }

    fn end(&mut self, index: usize, well: bool) {
        self.states[index] = State::Ended { well };
    }

    /// Nothing runs: all is done, or nothing may begin any more.
    fn is_idle(&self) -> bool {
        self.running() == 0
    }

    fn running(&self) -> usize {
        self.states.iter().filter(|state| **state == State::Running).count()
    }

    fn state(&self, name: &str) -> Option<State> {
        self.tasks.iter().position(|(task, _)| *task == name).map(|index| self.states[index])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan() -> Plan {
        Plan::new(vec![("build", &[]), ("fmt", &[]), ("rust", &["build"]), ("browser", &["build", "web"])])
    }

    #[test]
    fn a_task_begins_when_its_needs_are_there_and_a_slot_is_free() {
        let mut plan = plan();
        assert_eq!(plan.next(2), Some(Next::Run(0)));
        assert_eq!(plan.next(2), Some(Next::Run(1)));
        assert_eq!(plan.next(2), None, "both slots are taken");
        plan.end(1, true);
        assert_eq!(plan.next(2), None, "the build still runs");
        plan.end(0, true);
        assert_eq!(plan.next(2), Some(Next::Run(2)));
        assert_eq!(plan.next(2), Some(Next::Run(3)), "a need that is not in the list is not waited for");
        plan.end(2, true);
        plan.end(3, true);
        assert!(plan.is_idle());
    }

    #[test]
    fn a_task_whose_need_failed_fails_without_being_run() {
        let mut plan = plan();
        assert_eq!(plan.next(1), Some(Next::Run(0)));
        plan.end(0, false);
        assert_eq!(plan.next(1), Some(Next::Run(1)));
        assert_eq!(plan.next(1), Some(Next::Fail(2, "build")));
        plan.end(2, false);
        assert_eq!(plan.next(1), Some(Next::Fail(3, "build")));
    }
}
