//! Counters for operators, in Prometheus' text form.

use std::sync::atomic::{AtomicU64, Ordering};

use actix_web::{
    Error,
    body::MessageBody,
    dev::{ServiceRequest, ServiceResponse},
    http::Method,
    middleware::Next,
    web::Data,
};
use prometheus::{
    Encoder, HistogramOpts, HistogramVec, IntCounterVec, IntGauge, IntGaugeVec, Opts, Registry, TextEncoder,
};

use jobs::{Deliveries, Job, JobCount, State};
use worker::Monitor;

use crate::app::App;

/// The process's counters.
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
    /// Counters at zero.
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

    /// How many requests have begun since the start.
    pub fn begun(&self) -> u64 {
        self.begun.load(Ordering::SeqCst)
    }

    /// Whether no request is being answered.
    pub fn is_idle(&self) -> bool {
        self.running.get() == 0
    }

    /// Counts a form that the trap has caught.
    pub fn count_trapped(&self, form: &'static str) {
        self.trapped.with_label_values(&[form]).inc();
    }

    /// The counters as text.
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

/// A request that is counted as running until this is dropped: also when its client is gone and its future with it.
struct Running(IntGauge);

impl Running {
    fn begin(gauge: &IntGauge) -> Self {
        gauge.inc();
        Self(gauge.clone())
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.0.dec();
    }
}

/// Counts every request under its route's pattern, never under its address: addresses have no end.
pub async fn count<B: MessageBody>(request: ServiceRequest, next: Next<B>) -> Result<ServiceResponse<B>, Error> {
    let Some(app) = request.app_data::<Data<App>>().cloned() else { return next.call(request).await };
    let started = std::time::Instant::now();
    let running = Running::begin(&app.metrics.running);
    app.metrics.begun.fetch_add(1, Ordering::SeqCst);
    let outcome = next.call(request).await;
    drop(running);
    if let Ok(response) = &outcome {
        let request = response.request();
        let pattern = request.match_pattern();
        let route = pattern.as_deref().unwrap_or("other");
        let method = known(request.method());
        app.metrics.requests.with_label_values(&[route, method, response.status().as_str()]).inc();
        app.metrics.seconds.with_label_values(&[route]).observe(started.elapsed().as_secs_f64());
    }
    outcome
}

/// A method's name if HTTP has it. Strangers can make up names without end, and every name is kept.
fn known(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        Method::PUT => "PUT",
        Method::PATCH => "PATCH",
        Method::DELETE => "DELETE",
        Method::OPTIONS => "OPTIONS",
        _ => "other",
    }
}
