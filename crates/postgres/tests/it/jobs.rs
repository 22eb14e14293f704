//! Jobs on Postgres: the contract that memory keeps too, and what happens when many workers come at the same moment.

use std::{collections::HashSet, sync::Barrier};

use diesel::{Connection, RunQueryDsl, sql_query};
use jobs::{
    JobQueries, JobRequest, Jobs, LEASE, LeasedJob, Outcome, State,
    contract::{self, KINDS, MAIL, NARRATION, SWEEP},
};
use kernel::{FixedEnv, HOUR, JobId, Limit, StoreError, Timestamp};
use postgres::{Pg, store_error};
use testing::TestDatabase;

use crate::harness::{at_once, on_empty_tables};

const NOW: Timestamp = Timestamp::from_millis(1_795_226_400_000);
const WORKERS: usize = 8;
const JOBS: usize = 40;

#[test]
fn postgres_keeps_the_contract() {
    let database = TestDatabase::new();
    contract::run(|case| on_empty_tables(&database, |pg| case(pg)));
}

struct Failure(StoreError);

impl From<diesel::result::Error> for Failure {
    fn from(error: diesel::result::Error) -> Self {
        Self(store_error(error))
    }
}

fn write<T>(database: &TestDatabase, work: impl FnOnce(&mut Pg<'_>) -> Result<T, StoreError>) -> T {
    let done = database.connect().transaction(|conn| work(&mut Pg::new(conn)).map_err(Failure));
    done.unwrap_or_else(|Failure(error)| panic!("{error}"))
}

fn queue(database: &TestDatabase) {
    write(database, |pg| {
        for _ in 0..JOBS {
            let work = JobRequest { kind: MAIL, about: "archive", recipient: None, payload: b"x" };
            pg.queue_job(work, NOW)?;
        }
        Ok(())
    });
}

/// Each of many workers takes jobs until there are none; which ones each got.
fn take_all(database: &TestDatabase, now: Timestamp) -> Vec<Vec<JobId>> {
    let barrier = Barrier::new(WORKERS);
    std::thread::scope(|scope| {
        let worker = || {
            let mut mine = Vec::new();
            barrier.wait();
            loop {
                let taken = write(database, |pg| {
                    pg.lapse_jobs(KINDS, 3, now)?;
                    pg.take_jobs(KINDS, 3, now)
                });
                if taken.is_empty() {
                    return mine;
                }
                mine.extend(taken.into_iter().map(|taken| taken.job.id));
            }
        };
        let workers: Vec<_> = (0..WORKERS).map(|_| scope.spawn(worker)).collect();
        workers.into_iter().map(|worker| worker.join().unwrap()).collect()
    })
}

#[test]
fn two_workers_never_take_the_same_job() {
    let database = TestDatabase::new();
    queue(&database);
    let taken: Vec<JobId> = take_all(&database, NOW).into_iter().flatten().collect();
    assert_eq!(taken.len(), JOBS);
    assert_eq!(taken.iter().collect::<HashSet<_>>().len(), JOBS);
    // The same holds when all their leases have lapsed, and each is doubted once.
    let again: Vec<JobId> = take_all(&database, NOW.plus(LEASE)).into_iter().flatten().collect();
    assert_eq!(again.len(), JOBS);
    let all = write(&database, |pg| pg.jobs(&[MAIL], None, None, Limit::clamped(100))).items;
    assert!(all.iter().all(|job| (job.attempts, job.uncertain, job.state) == (2, 1, State::Running)));
}

#[test]
fn deduplicated_work_is_taken_by_one_of_many_workers() {
    let database = TestDatabase::new();
    // As queued by transactions that did not know of each other.
    let mut alike: Vec<_> = (0..WORKERS).map(|_| database.connect()).collect();
    for connection in &mut alike {
        sql_query("BEGIN").execute(connection).unwrap();
    }
    let narration = JobRequest { kind: NARRATION, about: "audio", recipient: None, payload: b"7" };
    for connection in &mut alike {
        Pg::new(connection).queue_job(narration, NOW).unwrap();
    }
    for connection in &mut alike {
        sql_query("COMMIT").execute(connection).unwrap();
    }
    for round in 0..WORKERS {
        let barrier = Barrier::new(WORKERS);
        let taken: Vec<LeasedJob> = std::thread::scope(|scope| {
            let worker = || {
                barrier.wait();
                write(&database, |pg| pg.take_jobs(KINDS, 1, NOW))
            };
            let workers: Vec<_> = (0..WORKERS).map(|_| scope.spawn(worker)).collect();
            workers.into_iter().flat_map(|worker| worker.join().unwrap()).collect()
        });
        assert!(taken.len() <= 1, "in round {round}: {taken:?}");
        let taken = taken.into_iter().next().or_else(|| write(&database, |pg| pg.take_jobs(KINDS, 1, NOW)).pop());
        let taken = taken.expect("when nobody else asks, it is got");
        assert_eq!(write(&database, |pg| pg.take_jobs(KINDS, 1, NOW)), []);
        assert!(write(&database, |pg| pg.finish_job(&taken.job, Outcome::Done, &FixedEnv::at(NOW))).is_some());
    }
    assert_eq!(write(&database, |pg| pg.next_job_due(KINDS)), None, "all of them had their turn");
}

#[test]
fn of_two_concurrent_ends_of_an_attempt_one_counts() {
    let database = TestDatabase::new();
    queue(&database);
    let taken = write(&database, |pg| pg.take_jobs(KINDS, JOBS, NOW));
    let barrier = Barrier::new(2);
    let ended = |outcome: Outcome| {
        barrier.wait();
        let env = FixedEnv::at(NOW);
        let end = |taken: &LeasedJob| write(&database, |pg| pg.finish_job(&taken.job, outcome.clone(), &env)).is_some();
        taken.iter().filter(|taken| end(taken)).count()
    };
    let (done, failed) = std::thread::scope(|scope| {
        let done = scope.spawn(|| ended(Outcome::Done));
        let failed = scope.spawn(|| ended(Outcome::Failed { reason: "no".to_owned(), is_permanent: true }));
        (done.join().unwrap(), failed.join().unwrap())
    });
    assert_eq!(done + failed, JOBS);
    let count = |state| write(&database, |pg| pg.jobs(&[MAIL], Some(state), None, Limit::clamped(100))).items.len();
    assert_eq!((count(State::Done), count(State::SetAside)), (done, failed));
}

#[test]
fn scheduled_job_is_queued_by_one_of_many_nodes() {
    let database = TestDatabase::new();
    for moment in [NOW, NOW.plus(HOUR), NOW.plus(5 * HOUR)] {
        let due = at_once(&database, WORKERS, |_, pg| {
            pg.add_schedules(KINDS, moment)?;
            pg.queue_scheduled_jobs(&[SWEEP], moment)
        });
        assert_eq!(due.into_iter().map(Result::<usize, StoreError>::unwrap).sum::<usize>(), 1);
        let taken = write(&database, |pg| pg.take_jobs(&[SWEEP], WORKERS, moment));
        assert_eq!(taken.len(), 1);
        write(&database, |pg| pg.finish_job(&taken[0].job, Outcome::Done, &FixedEnv::at(moment)));
    }
    assert_eq!(write(&database, |pg| pg.count_jobs()), []);
}
