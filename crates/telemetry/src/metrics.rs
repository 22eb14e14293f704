//! Metrics in the Prometheus text format.

use std::{
    sync::atomic::{AtomicU64, Ordering},
    time::Duration,
};

use prometheus::{
    Encoder, HistogramOpts, HistogramVec, IntCounterVec, IntGauge, IntGaugeVec, Opts, Registry, TextEncoder,
};

use jobs::{Deliveries, Job, JobCount, State};
use worker::Monitor;

/// The metrics of a process.
#[derive(Debug)]
pub struct Metrics {
    registry: Registry,
    requests: IntCounterVec,
    seconds: HistogramVec,
    running: IntGauge,
    trapped: IntCounterVec,
    jobs: IntGaugeVec,
    attempts: IntCounterVec,
    begun: AtomicU64,
}

impl Metrics {
    /// All metrics at zero.
    pub fn new() -> Result<Self, prometheus::Error> {
        let registry = Registry::new();
        let requests = IntCounterVec::new(
            Opts::new("pith_http_requests_total", "Requests answered, by route, method and status."),
            &["route", "method", "status"],
        )?;
        let seconds = HistogramVec::new(
            HistogramOpts::new("pith_http_request_duration_seconds", "Time to the answer's head, by route.")
                .buckets(vec![0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0]),
            &["route"],
        )?;
        let running = IntGauge::new("pith_http_requests_running", "Requests being answered.")?;
        let trapped = IntCounterVec::new(
            Opts::new("pith_forms_trapped_total", "Forms that a program filled in and nobody got, by form."),
            &["form"],
        )?;
        let jobs = IntGaugeVec::new(
            Opts::new("pith_jobs", "Jobs, by kind and state, when the worker last looked."),
            &["kind", "state"],
        )?;
        let attempts = IntCounterVec::new(
            Opts::new("pith_job_attempts_total", "Attempts at jobs that ended in this process, by kind and outcome."),
            &["kind", "outcome"],
        )?;
        registry.register(Box::new(trapped.clone()))?;
        registry.register(Box::new(jobs.clone()))?;
        registry.register(Box::new(attempts.clone()))?;
        registry.register(Box::new(requests.clone()))?;
        registry.register(Box::new(seconds.clone()))?;
        registry.register(Box::new(running.clone()))?;
        Ok(Self { registry, requests, seconds, running, trapped, jobs, attempts, begun: AtomicU64::new(0) })
    }

    /// The number of requests started since the process started.
    pub fn begun(&self) -> u64 {
        self.begun.load(Ordering::SeqCst)
    }

    /// Counts a request as started, and as running until the returned guard is dropped.
    pub fn begin_request(&self) -> RunningRequest {
        self.running.inc();
        self.begun.fetch_add(1, Ordering::SeqCst);
        RunningRequest(self.running.clone())
    }

    /// Counts a response; `after` is the time until its head was ready.
    pub fn count_response(&self, route: &str, method: &str, status: &str, after: Duration) {
        self.requests.with_label_values(&[route, method, status]).inc();
        self.seconds.with_label_values(&[route]).observe(after.as_secs_f64());
    }

    /// Whether no request is running.
    pub fn is_idle(&self) -> bool {
        self.running.get() == 0
    }

    /// Counts a form submission that the honeypot caught.
    pub fn count_trapped(&self, form: &'static str) {
        self.trapped.with_label_values(&[form]).inc();
    }

    /// The metrics in the Prometheus text format.
    pub fn text(&self) -> Result<Vec<u8>, prometheus::Error> {
        let mut text = Vec::new();
        TextEncoder::new().encode(&self.registry.gather(), &mut text)?;
        Ok(text)
    }
}

impl Monitor for Metrics {
    fn jobs_counted(&self, counts: &[JobCount]) {
        for JobCount { kind, state, count } in counts {
            let count = i64::try_from(*count).unwrap_or(i64::MAX);
            self.jobs.with_label_values(&[kind, state.as_str()]).set(count);
        }
    }

    fn attempt_ended(&self, job: &Job) {
        let outcome = match (job.state, job.deliveries()) {
            (State::Done, Deliveries::Once) => "done",
            (State::Done, _) => "done_perhaps_twice",
            (State::SetAside, _) => "set_aside",
            (State::Queued | State::Running, _) => "to_be_retried",
        };
        self.attempts.with_label_values(&[job.kind.name, outcome]).inc();
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
