//! Metrics in the Prometheus text format.

use std::{
    sync::atomic::{AtomicU64, Ordering},
    time::Duration,
};

use jobs::{Deliveries, Job, JobCount, State};
use kernel::{SECOND, Timestamp};
use operations::{
    Backup, CertificateCheck, DatabaseUse, DelayedJobs, DiskSpace, Node, NodeKind, Verification, WebhookActivity,
};
use postgres::{PoolMonitor, PoolUse};
use prometheus::{GaugeVec, HistogramVec, IntCounterVec, IntGauge, IntGaugeVec, process_collector::ProcessCollector};
use worker::Monitor;

use crate::families::Families;

/// Upper bounds of a request's duration, in seconds.
const REQUEST_SECONDS: &[f64] = &[0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0];
/// Upper bounds of the wait for a connection, in seconds.
const WAIT_SECONDS: &[f64] = &[0.0001, 0.001, 0.005, 0.025, 0.1, 0.5, 1.5];
/// Upper bounds of an attempt's duration, in seconds: a mail takes less than one, a recording minutes.
const JOB_SECONDS: &[f64] = &[0.01, 0.1, 0.5, 1.0, 5.0, 15.0, 60.0, 300.0, 1_800.0];

/// The requests of the web server.
#[derive(Debug)]
struct Requests {
    requests: IntCounterVec,
    seconds: HistogramVec,
    running: IntGauge,
    trapped: IntCounterVec,
}

impl Requests {
    fn new(all: &mut Families) -> Result<Self, prometheus::Error> {
        Ok(Self {
            requests: all.counter(
                "pith_http_requests_total",
                "Requests answered, by route, method and status.",
                &["route", "method", "status"],
            )?,
            seconds: all.histogram(
                "pith_http_request_duration_seconds",
                "Time to the answer's head, by route.",
                &["route"],
                REQUEST_SECONDS,
            )?,
            running: all.gauge("pith_http_requests_running", "Requests being answered.")?,
            trapped: all.counter(
                "pith_forms_trapped_total",
                "Forms that a program filled in and nobody got, by form.",
                &["form"],
            )?,
        })
    }
}

/// The pools of connections to the database.
#[derive(Debug)]
struct Database {
    connections: IntGaugeVec,
    connections_max: IntGaugeVec,
    waits: HistogramVec,
    refused: IntCounterVec,
    replica_reads: IntCounterVec,
    up: IntGauge,
}

impl Database {
    fn new(all: &mut Families) -> Result<Self, prometheus::Error> {
        Ok(Self {
            connections: all.gauges(
                "pith_database_connections",
                "Open connections to the database, by pool and state.",
                &["pool", "state"],
            )?,
            connections_max: all.gauges(
                "pith_database_connections_max",
                "The most connections that a pool opens.",
                &["pool"],
            )?,
            waits: all.histogram(
                "pith_database_wait_seconds",
                "How long callers waited for their turn at a connection, by pool.",
                &["pool"],
                WAIT_SECONDS,
            )?,
            refused: all.counter(
                "pith_database_refused_total",
                "Callers that got no connection in time, by pool.",
                &["pool"],
            )?,
            replica_reads: all.counter(
                "pith_database_replica_reads_total",
                "Reads that may run on the replica, by the server that they ran on.",
                &["server"],
            )?,
            up: all.gauge("pith_database_up", "1 if the database answered when it was last asked, or 0.")?,
        })
    }
}

/// The caches.
#[derive(Debug)]
struct Caches {
    hits: IntCounterVec,
    misses: IntCounterVec,
    entries: IntGaugeVec,
}

impl Caches {
    fn new(all: &mut Families) -> Result<Self, prometheus::Error> {
        Ok(Self {
            hits: all.counter("pith_cache_hits_total", "Lookups that a cache answered.", &["cache"])?,
            misses: all.counter("pith_cache_misses_total", "Lookups that a cache did not answer.", &["cache"])?,
            entries: all.gauges("pith_cache_entries", "About how many entries a cache has.", &["cache"])?,
        })
    }
}

/// The jobs, and the mails among them.
#[derive(Debug)]
struct JobsAndMails {
    jobs: IntGaugeVec,
    oldest_due: GaugeVec,
    attempts: IntCounterVec,
    job_seconds: HistogramVec,
    mails: IntCounterVec,
}

impl JobsAndMails {
    fn new(all: &mut Families) -> Result<Self, prometheus::Error> {
        Ok(Self {
            jobs: all.gauges("pith_jobs", "Jobs of all processes, by kind and state.", &["kind", "state"])?,
            oldest_due: all.fractions(
                "pith_job_oldest_due_seconds",
                "How long the first queued job of a kind has been due.",
                &["kind"],
            )?,
            attempts: all.counter(
                "pith_job_attempts_total",
                "Attempts at jobs that ended in this process, by kind and outcome.",
                &["kind", "outcome"],
            )?,
            job_seconds: all.histogram(
                "pith_job_duration_seconds",
                "How long attempts at jobs took in this process, by kind.",
                &["kind"],
                JOB_SECONDS,
            )?,
            mails: all.counter(
                "pith_mails_total",
                "Attempts at mails that ended in this process, by mail and outcome.",
                &["mail", "outcome"],
            )?,
        })
    }
}

/// What concerns the whole instance, or this machine.
#[derive(Debug)]
struct Instance {
    webhooks: IntCounterVec,
    webhooks_waiting: IntGaugeVec,
    webhook_last: GaugeVec,
    nodes: IntGaugeVec,
    clock_offset: GaugeVec,
    disk_free: IntGauge,
    disk_total: IntGauge,
    backup: GaugeVec,
    backup_fault: IntGauge,
    certificate: GaugeVec,
}

impl Instance {
    fn new(all: &mut Families) -> Result<Self, prometheus::Error> {
        Ok(Self {
            webhooks: all.counter(
                "pith_webhooks_total",
                "Webhooks that reached this process, by provider and outcome.",
                &["provider", "outcome"],
            )?,
            webhooks_waiting: all.gauges(
                "pith_webhooks_waiting",
                "Webhooks that were received and not applied yet, by provider.",
                &["provider"],
            )?,
            webhook_last: all.fractions(
                "pith_webhook_last_seconds",
                "When the latest webhook was received, in seconds since the Unix epoch; 0: never.",
                &["provider"],
            )?,
            nodes: all.gauges("pith_nodes", "Processes that were seen within the last minute, by kind.", &["kind"])?,
            clock_offset: all.fractions(
                "pith_node_clock_offset_seconds",
                "The clock of this machine minus the database's.",
                &[],
            )?,
            disk_free: all.gauge("pith_disk_free_bytes", "Free space on the disk of the data folder.")?,
            disk_total: all.gauge("pith_disk_total_bytes", "Size of the disk of the data folder.")?,
            backup: all.fractions(
                "pith_backup_last_success_seconds",
                "When the latest backup was complete, in seconds since the Unix epoch; 0: none was made.",
                &[],
            )?,
            backup_fault: all.gauge(
                "pith_backup_verification_failed",
                "1 if the latest backup could not be restored in the scratch database, or 0.",
            )?,
            certificate: all.fractions(
                "pith_certificate_expires_seconds",
                "When the site's certificate expires, in seconds since the Unix epoch; 0: unknown, or none is needed.",
                &[],
            )?,
        })
    }
}

/// The metrics of a process. `docs/OPERATING.md` lists them all.
#[derive(Debug)]
pub struct Metrics {
    families: Families,
    http: Requests,
    database: Database,
    caches: Caches,
    work: JobsAndMails,
    instance: Instance,
    begun: AtomicU64,
}

/// What a process was built from.
#[derive(Clone, Copy, Debug)]
pub struct BuildInfo<'a> {
    pub release: &'a str,
    pub commit: &'a str,
    /// The version of the schema that it needs.
    pub schema: &'a str,
}

/// The state of the instance, as a process last saw it in the database.
#[derive(Clone, Debug)]
pub struct InstanceState {
    /// The time by the process's clock, which the times of jobs are of.
    pub at: Timestamp,
    /// The database, whose clock the times of nodes are of.
    pub database: DatabaseUse,
    pub jobs: Vec<JobCount>,
    pub nodes: Vec<Node>,
    pub webhooks: Vec<WebhookActivity>,
    pub backup: Option<Backup>,
    pub delayed_mails: Option<DelayedJobs>,
}

impl Metrics {
    /// All metrics at zero.
    pub fn new(build: BuildInfo<'_>) -> Result<Self, prometheus::Error> {
        let mut all = Families::new();
        all.collect(ProcessCollector::for_self())?;
        let labels = ["version", "commit", "schema"];
        all.gauges("pith_build_info", "1, with what the process was built from.", &labels)?
            .with_label_values(&[build.release, build.commit, build.schema])
            .set(1);
        Ok(Self {
            http: Requests::new(&mut all)?,
            database: Database::new(&mut all)?,
            caches: Caches::new(&mut all)?,
            work: JobsAndMails::new(&mut all)?,
            instance: Instance::new(&mut all)?,
            families: all,
            begun: AtomicU64::new(0),
        })
    }

    /// The number of requests started since the process started.
    pub fn begun(&self) -> u64 {
        self.begun.load(Ordering::SeqCst)
    }

    /// Counts a request as started, and as running until the returned guard is dropped.
    pub fn begin_request(&self) -> RunningRequest {
        self.http.running.inc();
        self.begun.fetch_add(1, Ordering::SeqCst);
        RunningRequest(self.http.running.clone())
    }

    /// Counts a response; `after` is the time until its head was ready.
    pub fn count_response(&self, route: &str, method: &str, status: &str, after: Duration) {
        self.http.requests.with_label_values(&[route, method, status]).inc();
        self.http.seconds.with_label_values(&[route]).observe(after.as_secs_f64());
    }

    /// Whether no request is running.
    pub fn is_idle(&self) -> bool {
        self.http.running.get() == 0
    }

    /// Counts a form submission that the honeypot caught.
    pub fn count_trapped(&self, form: &'static str) {
        self.http.trapped.with_label_values(&[form]).inc();
    }

    /// Counts a webhook that was stored or refused.
    pub fn count_webhook(&self, provider: &'static str, is_accepted: bool) {
        let outcome = if is_accepted { "accepted" } else { "refused" };
        self.instance.webhooks.with_label_values(&[provider, outcome]).inc();
    }

    /// Shows the connections of a pool.
    pub fn set_pool(&self, PoolUse { pool, idle, used, max }: PoolUse) {
        self.database.connections.with_label_values(&[pool, "idle"]).set(idle.into());
        self.database.connections.with_label_values(&[pool, "used"]).set(used.into());
        self.database.connections_max.with_label_values(&[pool]).set(max.into());
    }

    /// Shows how a cache was used since the process started.
    pub fn set_cache(&self, cache: &'static str, hits: u64, misses: u64, entries: u64) {
        for (counters, value) in [(&self.caches.hits, hits), (&self.caches.misses, misses)] {
            let counter = counters.with_label_values(&[cache]);
            counter.inc_by(value.saturating_sub(counter.get()));
        }
        self.caches.entries.with_label_values(&[cache]).set(signed(entries));
    }

    /// Shows whether the database answers.
    pub fn set_database_up(&self, is_up: bool) {
        self.database.up.set(i64::from(is_up));
    }

    /// Shows the state of the instance.
    pub fn set_instance(&self, state: &InstanceState) {
        for JobCount { kind, state: job_state, count, oldest_due_at } in &state.jobs {
            self.work.jobs.with_label_values(&[kind, job_state.as_str()]).set(signed(*count));
            if *job_state == State::Queued {
                let overdue = oldest_due_at.map_or(0, |due_at| state.at.since(due_at).max(0));
                self.work.oldest_due.with_label_values(&[kind]).set(seconds(overdue));
            }
        }
        for kind in NodeKind::ALL {
            let up = state.nodes.iter().filter(|node| node.process.kind == kind && node.is_up(state.database.now));
            self.instance.nodes.with_label_values(&[kind.as_str()]).set(signed(up.count() as u64));
        }
        for WebhookActivity { provider, last_at, waiting, .. } in &state.webhooks {
            self.instance.webhooks_waiting.with_label_values(&[provider]).set(signed(*waiting));
            self.instance
                .webhook_last
                .with_label_values(&[provider])
                .set(last_at.map_or(0.0, |at| seconds(at.millis())));
        }
        let backup = state.backup.as_ref();
        let ended_at = backup.map_or(0.0, |backup| seconds(backup.ended_at.millis()));
        self.instance.backup.with_label_values::<&str>(&[]).set(ended_at);
        let has_failed = backup.is_some_and(|backup| matches!(backup.verification, Verification::Failed(_)));
        self.instance.backup_fault.set(has_failed.into());
    }

    /// Shows what is wrong with the machine's clock: how far it is ahead of the database's, in milliseconds.
    pub fn set_clock_offset(&self, offset: i64) {
        self.instance.clock_offset.with_label_values::<&str>(&[]).set(seconds(offset));
    }

    /// Shows the disk of the data folder.
    pub fn set_disk(&self, DiskSpace { free, total }: DiskSpace) {
        self.instance.disk_free.set(signed(free));
        self.instance.disk_total.set(signed(total));
    }

    /// Shows when the site's certificate expires.
    pub fn set_certificate(&self, check: &CertificateCheck) {
        let expires = check.expires_at.as_ref().map_or(0.0, |at| seconds(at.millis()));
        self.instance.certificate.with_label_values::<&str>(&[]).set(expires);
    }

    /// The metrics in the Prometheus text format.
    pub fn text(&self) -> Result<Vec<u8>, prometheus::Error> {
        self.families.text()
    }
}

fn signed(value: u64) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}

/// Milliseconds as seconds.
#[expect(clippy::cast_precision_loss, reason = "exact for 285,000 years")]
fn seconds(millis: i64) -> f64 {
    millis as f64 / SECOND as f64
}

impl Monitor for Metrics {
    fn attempt_ended(&self, job: &Job, after: Duration) {
        let outcome = match (job.state, job.deliveries()) {
            (State::Done, Deliveries::Once) => "done",
            (State::Done, _) => "done_perhaps_twice",
            (State::SetAside, _) => "set_aside",
            (State::Queued | State::Running, _) => "to_be_retried",
        };
        self.work.attempts.with_label_values(&[job.kind.name, outcome]).inc();
        self.work.job_seconds.with_label_values(&[job.kind.name]).observe(after.as_secs_f64());
        if job.kind == mail::SEND_MAIL {
            self.work.mails.with_label_values(&[job.about.as_str(), outcome]).inc();
        }
    }
}

impl PoolMonitor for Metrics {
    fn waited(&self, pool: &'static str, wait: Duration) {
        self.database.waits.with_label_values(&[pool]).observe(wait.as_secs_f64());
    }

    fn refused(&self, pool: &'static str) {
        self.database.refused.with_label_values(&[pool]).inc();
    }

    fn ran_on_replica(&self, on_replica: bool) {
        let server = if on_replica { "replica" } else { "primary" };
        self.database.replica_reads.with_label_values(&[server]).inc();
    }
}

/// A guard that counts a request as running until dropped, also if the client disconnects and the request's future is
/// dropped.
#[derive(Debug)]
pub struct RunningRequest(IntGauge);

impl Drop for RunningRequest {
    fn drop(&mut self) {
        self.0.dec();
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn metrics() -> Metrics {
        Metrics::new(BuildInfo { release: "0.1.0", commit: "1f2e3d4", schema: "20261127000023" }).unwrap()
    }

    fn text(metrics: &Metrics) -> String {
        String::from_utf8(metrics.text().unwrap()).unwrap()
    }

    /// The names that a text declares.
    fn declared(text: &str) -> BTreeSet<String> {
        let types = text.lines().filter_map(|line| line.strip_prefix("# TYPE "));
        types.filter_map(|line| line.split(' ').next()).map(str::to_owned).collect()
    }

    #[test]
    fn every_family_is_declared_once_before_it_has_a_sample() {
        let metrics = metrics();
        let before = text(&metrics);
        assert_eq!(declared(&before).len(), before.matches("# TYPE ").count());
        assert!(metrics.families.names().iter().all(|name| declared(&before).contains(*name)), "{before}");
        assert!(before.contains("pith_build_info{commit=\"1f2e3d4\",schema=\"20261127000023\",version=\"0.1.0\"} 1"));
        metrics.count_response("/", "GET", "200", Duration::from_millis(3));
        metrics.waited("read", Duration::from_millis(2));
        let after = text(&metrics);
        assert_eq!(declared(&after), declared(&before));
        assert!(after.contains("pith_http_requests_total{method=\"GET\",route=\"/\",status=\"200\"} 1"));
        assert!(after.contains("pith_database_wait_seconds_bucket{pool=\"read\",le=\"0.005\"} 1"));
    }

    #[test]
    fn operating_lists_every_metric() {
        let guide = include_str!("../../../docs/OPERATING.md");
        let section = guide.split_once("## Monitoring").expect("a section about monitoring").1;
        let section = section.split("\n## ").next().unwrap_or_default();
        let rows = section.lines().filter_map(|line| line.strip_prefix("| `"));
        let listed: BTreeSet<String> = rows
            .filter_map(|row| row.split(['`', '{']).next())
            .filter(|name| name.starts_with("pith_") || name.starts_with("process_"))
            .map(str::to_owned)
            .collect();
        assert_eq!(listed, declared(&text(&metrics())));
    }

    #[test]
    fn the_state_of_the_instance_becomes_gauges() {
        let (metrics, now) = (metrics(), Timestamp::from_millis(1_795_226_400_000));
        metrics.set_database_up(false);
        assert!(text(&metrics).contains("pith_database_up 0"));
        metrics.set_database_up(true);
        let queued =
            JobCount { kind: "mail", state: State::Queued, count: 2, oldest_due_at: Some(now.plus(-90 * SECOND)) };
        metrics.set_instance(&InstanceState {
            at: now,
            database: DatabaseUse { version: "15.13".to_owned(), bytes: 1, connections: 1, max_connections: 97, now },
            delayed_mails: None,
            jobs: vec![queued, JobCount { kind: "narration", oldest_due_at: Some(now.plus(SECOND)), ..queued }],
            nodes: Vec::new(),
            webhooks: vec![WebhookActivity {
                provider: "stripe".to_owned(),
                last_at: None,
                waiting: 3,
                oldest_waiting_at: None,
            }],
            backup: Some(Backup { ended_at: now, bytes: 1, verification: Verification::NotTried }),
        });
        let text = text(&metrics);
        for line in [
            "pith_database_up 1",
            "pith_jobs{kind=\"mail\",state=\"queued\"} 2",
            "pith_job_oldest_due_seconds{kind=\"mail\"} 90",
            "pith_job_oldest_due_seconds{kind=\"narration\"} 0",
            "pith_nodes{kind=\"serve\"} 0",
            "pith_webhooks_waiting{provider=\"stripe\"} 3",
            "pith_webhook_last_seconds{provider=\"stripe\"} 0",
            "pith_backup_last_success_seconds 1795226400",
            "pith_backup_verification_failed 0",
        ] {
            assert!(text.lines().any(|shown| shown == line), "{line} in {text}");
        }
    }
}
