//! Workers of two nodes on one database, running test jobs.

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use jobs::{
    ExternalJob, Job, JobDefinition, JobKind, JobQueries, JobRequest, Jobs, LEASE, LongJob, MAX_ATTEMPTS,
    MAX_UNCERTAIN, Outcome, PayloadError, Queue, State,
};
use kernel::{Env, FixedEnv, JobId, Limit, MINUTE, StoreError, Timestamp};
use postgres::{Change, Db, DbConfig, Notification, Pg};
use testing::TestDatabase;
use tokio::sync::{Notify, watch};
use worker::{Monitor, RecordEnd, Registry, TransactionalJob, Worker, WorkerParts};

const NOW: Timestamp = Timestamp::from_millis(1_795_226_400_000);
const MAIL: JobKind = JobKind::external("mail");
const ANSWER: JobKind = JobKind::transactional("answer");
const RENDER: JobKind = JobKind::long("render").deduplicated().in_queue(Queue { name: "render", slots: 1 });
const SWEEP: JobKind = JobKind::transactional("sweep").every(MINUTE);
const SCAN: JobKind = JobKind::long("scan").every(MINUTE);

/// Controls the test jobs and records what they did.
#[derive(Default)]
struct Effects {
    /// Outcomes of external work, the next one last; `Done` when there are none.
    outcomes: Mutex<Vec<Outcome>>,
    /// How often work ran.
    runs: AtomicUsize,
    /// The number of ended attempts that were reported to the monitor.
    attempts: AtomicUsize,
    /// Recorded ends, each with the payload.
    ends: Mutex<Vec<(State, String)>>,
    /// Notified when a long job starts.
    begun: Notify,
}

impl Effects {
    fn runs(&self) -> usize {
        self.runs.load(Ordering::SeqCst)
    }

    fn ends(&self) -> Vec<(State, String)> {
        self.ends.lock().unwrap().clone()
    }
}

impl Monitor for Effects {
    fn attempt_ended(&self, _: &Job, _: Duration) {
        self.attempts.fetch_add(1, Ordering::SeqCst);
    }
}

fn text(payload: &[u8]) -> Result<String, PayloadError> {
    String::from_utf8(payload.to_vec()).map_err(|_| PayloadError("It is no text.".to_owned()))
}

macro_rules! definition {
    ($name:ident, $kind:ident) => {
        struct $name(Arc<Effects>);

        impl JobDefinition for $name {
            const KIND: JobKind = $kind;
            type Payload = String;

            fn decode(&self, payload: &[u8]) -> Result<String, PayloadError> {
                text(payload)
            }
        }

        impl RecordEnd for $name {
            fn record_end(&self, _: &mut Pg<'_>, job: &Job, payload: &String) -> Result<(), StoreError> {
                self.0.ends.lock().unwrap().push((job.state, payload.clone()));
                Ok(())
            }
        }
    };
}

definition!(SendMail, MAIL);
definition!(Answer, ANSWER);
definition!(Render, RENDER);
definition!(Sweep, SWEEP);
definition!(Scan, SCAN);

impl ExternalJob for SendMail {
    async fn run_external(&self, _: &Job, _: &String) -> Outcome {
        self.0.runs.fetch_add(1, Ordering::SeqCst);
        self.0.outcomes.lock().unwrap().pop().unwrap_or(Outcome::Done)
    }
}

impl TransactionalJob for Answer {
    fn run_transactional(&self, pg: &mut Pg<'_>, payload: &String) -> Result<(), StoreError> {
        self.0.runs.fetch_add(1, Ordering::SeqCst);
        pg.queue_job(work(MAIL, "follows"), NOW)?;
        if payload == "fails" { Err(StoreError::new("it fails".to_owned())) } else { Ok(()) }
    }
}

impl LongJob for Render {
    async fn run_long(&self, _: &String) -> Outcome {
        self.0.runs.fetch_add(1, Ordering::SeqCst);
        self.0.begun.notify_one();
        std::future::pending().await
    }
}

impl TransactionalJob for Sweep {
    fn run_transactional(&self, _: &mut Pg<'_>, _: &String) -> Result<(), StoreError> {
        self.0.runs.fetch_add(1, Ordering::SeqCst);
        Ok(())
    }
}

impl LongJob for Scan {
    async fn run_long(&self, _: &String) -> Outcome {
        self.0.runs.fetch_add(1, Ordering::SeqCst);
        self.0.begun.notify_one();
        let outcome = self.0.outcomes.lock().unwrap().pop();
        match outcome {
            Some(outcome) => outcome,
            None => std::future::pending().await,
        }
    }
}

fn work(kind: JobKind, payload: &str) -> JobRequest<'_> {
    JobRequest { kind, about: "test", recipient: None, payload: payload.as_bytes() }
}

/// A process with a worker.
struct Node {
    worker: Worker,
    db: Db,
}

impl Node {
    fn start(
        database: &TestDatabase,
        name: &str,
        env: &Arc<FixedEnv>,
        registry: Registry,
        effects: &Arc<Effects>,
    ) -> Self {
        let config = DbConfig {
            url: database.url().to_owned(),
            direct_url: None,
            replica_url: None,
            read_connections: 2,
            write_connections: 4,
            wait: Duration::from_secs(5),
        };
        let db = Db::new(&config, name);
        let queued = Arc::new(Notify::new());
        let wake = Arc::clone(&queued);
        db.on_change(move |notification| {
            if notification == Notification::Change(Change::Jobs) {
                wake.notify_one();
            }
        });
        let (env, monitor) = (Arc::clone(env) as Arc<dyn Env>, Arc::clone(effects) as Arc<dyn Monitor>);
        Self { worker: Worker::new(WorkerParts { db: db.clone(), env, queued, monitor, registry }), db }
    }

    fn write<T>(&self, work: impl FnOnce(&mut Pg<'_>) -> Result<T, StoreError>) -> T {
        self.db.write_now(work).unwrap()
    }

    fn queue(&self, kind: JobKind, payload: &str) -> JobId {
        self.write(|pg| pg.queue_job(work(kind, payload), NOW))
    }

    fn jobs(&self, kind: JobKind) -> Vec<Job> {
        self.write(|pg| pg.jobs(&[kind], None, None, Limit::clamped(100))).items
    }

    async fn work_off(&self) -> usize {
        self.worker.work_off().await.unwrap()
    }

    async fn queue_scheduled(&self) -> usize {
        self.worker.queue_scheduled().await.unwrap()
    }
}

/// A database with one node, and the recorded effects of its jobs.
struct Scene {
    env: Arc<FixedEnv>,
    effects: Arc<Effects>,
    node: Node,
    database: TestDatabase,
}

fn all(effects: &Arc<Effects>) -> Registry {
    let it = || Arc::clone(effects);
    Registry::new()
        .external(SendMail(it()))
        .records_end(SendMail(it()))
        .transactional(Answer(it()))
        .records_end(Answer(it()))
        .long(Render(it()))
        .records_end(Render(it()))
        .transactional(Sweep(it()))
        .records_end(Sweep(it()))
        .long(Scan(it()))
        .records_end(Scan(it()))
}

impl Scene {
    fn start() -> Self {
        let (env, effects) = (Arc::new(FixedEnv::at(NOW)), Arc::new(Effects::default()));
        let database = TestDatabase::new();
        let node = Node::start(&database, "one", &env, all(&effects), &effects);
        Self { env, effects, node, database }
    }

    /// Another node on the same database and clock, with the jobs of the first.
    fn beside(&self) -> Node {
        Node::start(&self.database, "other", &self.env, all(&self.effects), &self.effects)
    }
}

#[tokio::test]
async fn end_is_recorded_when_a_job_is_done_and_when_it_is_set_aside() {
    let scene = Scene::start();
    for payload in ["sent", "refused"] {
        scene.node.queue(MAIL, payload);
    }
    let refused = Outcome::Failed { reason: "no".to_owned(), is_permanent: true };
    *scene.effects.outcomes.lock().unwrap() = vec![refused, Outcome::Done];
    assert_eq!(scene.node.work_off().await, 2);
    assert_eq!(scene.effects.ends(), [(State::Done, "sent".to_owned()), (State::SetAside, "refused".to_owned())]);
    assert_eq!(scene.effects.attempts.load(Ordering::SeqCst), 2);
}

#[tokio::test]
async fn end_is_not_recorded_while_a_job_is_to_be_tried_again() {
    let scene = Scene::start();
    scene.node.queue(MAIL, "later");
    *scene.effects.outcomes.lock().unwrap() = vec![Outcome::Failed { reason: "no".to_owned(), is_permanent: false }];
    assert_eq!(scene.node.work_off().await, 1);
    assert_eq!(scene.effects.ends(), []);
    scene.env.advance(MINUTE);
    assert_eq!(scene.node.work_off().await, 1);
    assert_eq!(scene.effects.ends(), [(State::Done, "later".to_owned())]);
}

#[tokio::test]
async fn end_is_recorded_when_a_lapsed_lease_sets_a_job_aside() {
    let scene = Scene::start();
    scene.node.queue(MAIL, "lost");
    for _ in 0..MAX_UNCERTAIN {
        assert_eq!(scene.effects.ends(), []);
        let now = scene.env.now();
        let taken = scene.node.write(|pg| {
            pg.lapse_jobs(&[MAIL], 9, now)?;
            pg.take_jobs(&[MAIL], 9, now)
        });
        assert_eq!(taken.len(), 1, "a worker takes it and dies");
        scene.env.advance(LEASE);
    }
    assert_eq!(scene.beside().work_off().await, 0);
    assert_eq!(scene.effects.ends(), [(State::SetAside, "lost".to_owned())]);
}

#[tokio::test]
async fn payload_that_can_not_be_read_sets_an_external_job_aside() {
    let scene = Scene::start();
    let poison = JobRequest { payload: &[0xff], ..work(MAIL, "") };
    scene.node.write(|pg| pg.queue_job(poison, NOW));
    assert_eq!(scene.node.work_off().await, 1);
    let jobs = scene.node.jobs(MAIL);
    assert_eq!((jobs[0].state, jobs[0].last_error.as_deref()), (State::SetAside, Some("It is no text.")));
    assert_eq!(scene.effects.runs(), 0);
}

#[tokio::test]
async fn transactional_work_that_fails_leaves_nothing_and_is_repeated() {
    let scene = Scene::start();
    scene.node.queue(ANSWER, "fails");
    for attempt in 1..=MAX_ATTEMPTS {
        assert_eq!(scene.node.work_off().await, 1);
        assert_eq!(scene.node.jobs(ANSWER)[0].attempts, attempt);
        scene.env.advance(kernel::DAY);
    }
    assert!(scene.node.jobs(MAIL).is_empty(), "what it wrote is rolled back");
    assert_eq!(scene.effects.ends(), [(State::SetAside, "fails".to_owned())]);
    scene.node.queue(ANSWER, "works");
    assert_eq!(scene.node.work_off().await, 2, "the answer, and the mail that it leaves");
}

#[tokio::test]
async fn stopped_worker_releases_a_long_job() {
    let scene = Scene::start();
    scene.node.queue(RENDER, "a film");
    let effects = &scene.effects;
    // No other job starts: this node has no schedules.
    let registry = Registry::new().long(Render(Arc::clone(effects))).records_end(Render(Arc::clone(effects)));
    let worker = Node::start(&scene.database, "other", &scene.env, registry, effects).worker;
    let (stop, stopped) = watch::channel(false);
    let running = tokio::spawn(async move { worker.run(stopped, Duration::from_secs(30)).await });
    scene.effects.begun.notified().await;
    assert_eq!(scene.node.jobs(RENDER)[0].state, State::Running);
    stop.send_replace(true);
    running.await.unwrap();
    let job = scene.node.jobs(RENDER).remove(0);
    assert_eq!((job.state, job.attempts), (State::Queued, 0));
    assert_eq!(scene.effects.ends(), []);
}

#[tokio::test]
async fn scheduled_job_runs_once_per_due_moment_on_two_nodes() {
    let scene = Scene::start();
    let other = scene.beside();
    *scene.effects.outcomes.lock().unwrap() = vec![Outcome::Done; 9];
    for round in 1..=3 {
        let (mine, theirs) = tokio::join!(scene.node.queue_scheduled(), other.queue_scheduled());
        assert_eq!(mine + theirs, 2, "two schedules are due");
        let (mine, theirs) = tokio::join!(scene.node.work_off(), other.work_off());
        assert_eq!((mine + theirs, scene.effects.runs()), (2, 2 * round));
        let (mine, theirs) = tokio::join!(scene.node.queue_scheduled(), other.queue_scheduled());
        assert_eq!(mine + theirs + scene.node.work_off().await + other.work_off().await, 0);
        scene.env.advance(MINUTE);
    }
    assert_eq!(scene.node.write(|pg| pg.count_jobs()), []);
}

#[tokio::test]
async fn scheduled_job_whose_node_was_killed_runs_again_on_another() {
    let scene = Scene::start();
    let other = scene.beside();
    assert_eq!(scene.node.queue_scheduled().await, 2);
    let worker = scene.node.worker.clone();
    // The job starts and never ends.
    let killed = tokio::spawn(async move { worker.work_off().await });
    scene.effects.begun.notified().await;
    killed.abort();
    assert_eq!(other.work_off().await, 0, "its lease lasts");
    scene.env.advance(LEASE);
    *scene.effects.outcomes.lock().unwrap() = vec![Outcome::Done];
    assert_eq!(other.work_off().await, 2);
    assert_eq!((scene.effects.runs(), scene.node.jobs(SCAN)), (3, Vec::new()), "two scans, and the sweep behind them");
}

#[tokio::test]
async fn running_workers_queue_and_do_what_schedules_have_due() {
    let scene = Scene::start();
    let other = scene.beside();
    *scene.effects.outcomes.lock().unwrap() = vec![Outcome::Done; 9];
    let (stop, stopped) = watch::channel(false);
    let run = |node: &Node| {
        let (worker, stopped) = (node.worker.clone(), stopped.clone());
        tokio::spawn(async move { worker.run(stopped, Duration::from_secs(30)).await })
    };
    let running = [run(&scene.node), run(&other)];
    let ended = async {
        while scene.effects.ends().len() < 2 {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(Duration::from_secs(30), ended).await.expect("both schedules are due at the start");
    stop.send_replace(true);
    for worker in running {
        worker.await.unwrap();
    }
    assert_eq!(scene.effects.runs(), 2);
}

#[test]
#[should_panic(expected = "two jobs are called \"mail\"")]
fn two_jobs_of_one_name_are_refused() {
    let effects = Arc::new(Effects::default());
    drop(Registry::new().external(SendMail(Arc::clone(&effects))).external(SendMail(effects)));
}
