//! One attempt at a job, from its start until its outcome is recorded.

use std::{
    collections::HashMap,
    sync::Arc,
    time::{Duration, Instant},
};

use jobs::{Job, Jobs, LeasedJob, Outcome, State, TRACEPARENT};
use kernel::StoreError;
use opentelemetry::global;
use tokio::sync::watch;
use tracing::{Instrument, Span, field::Empty};
use tracing_opentelemetry::OpenTelemetrySpanExt;

use crate::{
    Worker,
    registry::{AnyExternal, AnyLong, AnyTransactional, Work},
};

/// The time limit of an attempt with an external effect: it ends before its lease lapses.
const LIMIT: Duration = Duration::from_secs(100);
/// The wait before the next try to record an outcome while the database is unreachable.
const PAUSE: Duration = Duration::from_secs(1);
/// How often the lease of a long attempt is renewed.
const RENEWAL: Duration = Duration::from_secs(30);

impl Worker {
    /// Runs a job and records the outcome, in a span of the trace of what has queued it.
    pub(crate) async fn attempt(&self, taken: LeasedJob, stop: watch::Receiver<bool>) {
        let span = trace_of(&taken.job);
        // Boxed: what a caller holds does not grow with the largest job.
        Box::pin(self.run_attempt(taken, stop)).instrument(span).await;
    }

    async fn run_attempt(&self, taken: LeasedJob, stop: watch::Receiver<bool>) {
        let began = Instant::now();
        let ended = match self.registry().work(&taken.job) {
            Some(Work::Transactional(work)) => self.run_transactional(&taken, work).await,
            Some(Work::External(work)) => self.run_external(&taken, &*work).await,
            Some(Work::Long(work)) => self.run_long(&taken, &*work, stop).await,
            None => Ok(None),
        };
        match ended {
            Ok(Some(job)) => {
                report(&job);
                Span::current().record("job.state", job.state.as_str());
                self.monitor().attempt_ended(&job, began.elapsed());
            }
            // The row is gone, or the lease has lapsed and another worker has the job.
            Ok(None) => {}
            Err(error) => {
                tracing::error!(job = taken.job.id.get(), %error, "the end of a job could not be recorded");
            }
        }
    }

    async fn run_external(&self, taken: &LeasedJob, work: &dyn AnyExternal) -> Result<Option<Job>, StoreError> {
        let late = |_| Outcome::Uncertain { reason: "It took too long.".to_owned() };
        let run = work.run(&taken.job, &taken.payload);
        let outcome = tokio::time::timeout(LIMIT, run).await.unwrap_or_else(late);
        self.finish(taken, outcome).await
    }

    /// Runs a long job and renews its lease. The work stops when this future is dropped.
    async fn run_long(
        &self,
        taken: &LeasedJob,
        work: &dyn AnyLong,
        mut stop: watch::Receiver<bool>,
    ) -> Result<Option<Job>, StoreError> {
        let mut renewed = taken.clone();
        let mut run = work.run(&taken.payload);
        let outcome = loop {
            tokio::select! {
                outcome = &mut run => break outcome,
                () = stopped(&mut stop) => break Outcome::Released,
                () = tokio::time::sleep(RENEWAL) => match self.renew(&renewed.job).await {
                    Ok(Some(job)) => renewed.job = job,
                    Ok(None) => return Ok(None),
                    Err(error) => tracing::warn!(job = taken.job.id.get(), %error, "a lease can't be renewed"),
                },
            }
        };
        drop(run);
        self.finish(&renewed, outcome).await
    }

    async fn renew(&self, job: &Job) -> Result<Option<Job>, StoreError> {
        let (job, now) = (job.clone(), self.env().now());
        self.db().write::<_, StoreError, _>(move |pg| pg.renew_job(&job, now)).await
    }

    /// Does the work and ends the attempt in one transaction.
    async fn run_transactional(
        &self,
        taken: &LeasedJob,
        work: Arc<dyn AnyTransactional>,
    ) -> Result<Option<Job>, StoreError> {
        let (worker, job, payload) = (self.clone(), taken.job.clone(), taken.payload.clone());
        let done = self.db().write::<_, StoreError, _>(move |pg| {
            // First: an attempt whose lease has lapsed must change nothing.
            let ended = pg.finish_job(&job, Outcome::Done, worker.env())?;
            if let Some(job) = &ended {
                work.run(pg, &payload)?;
                worker.registry().record_end(pg, job, &payload)?;
            }
            Ok(ended)
        });
        match done.await {
            Ok(ended) => Ok(ended),
            Err(error) => {
                tracing::warn!(job = taken.job.id.get(), %error, "a job could not be done");
                let reason = "The database failed; see the log for details.".to_owned();
                self.finish(taken, Outcome::Failed { reason, is_permanent: false }).await
            }
        }
    }

    /// Records the outcome. Retries until the lease lapses, so that a short outage of the database does not make the
    /// outcome of a sent mail unknown.
    async fn finish(&self, taken: &LeasedJob, outcome: Outcome) -> Result<Option<Job>, StoreError> {
        let lapses_at = taken.job.due_at;
        loop {
            let (worker, job, payload) = (self.clone(), taken.job.clone(), taken.payload.clone());
            let outcome = outcome.clone();
            let recorded = self.db().write::<_, StoreError, _>(move |pg| {
                let ended = pg.finish_job(&job, outcome, worker.env())?;
                if let Some(job) = &ended {
                    worker.registry().record_end(pg, job, &payload)?;
                }
                Ok(ended)
            });
            match recorded.await {
                Err(error) if error.is_unavailable() && self.env().now() < lapses_at => {
                    tracing::warn!(%error, "the end of a job can't be recorded yet");
                    tokio::time::sleep(PAUSE).await;
                }
                recorded => return recorded,
            }
        }
    }
}

/// The span of an attempt.
fn trace_of(job: &Job) -> Span {
    let span = tracing::debug_span!(
        target: "trace",
        "job",
        otel.name = Empty,
        otel.kind = "consumer",
        job.id = job.id.get(),
        job.kind = job.kind.name,
        job.about = job.about,
        job.attempt = job.attempts,
        job.state = Empty,
    );
    if !span.is_disabled() {
        span.record("otel.name", format!("job {}", job.kind.name));
        if let Some(context) = &job.trace_context {
            let carrier = HashMap::from([(TRACEPARENT.to_owned(), context.clone())]);
            // A span that is sampled already has no other parent.
            let _ = span.set_parent(global::get_text_map_propagator(|propagator| propagator.extract(&carrier)));
        }
    }
    span
}

/// Waits for the signal to stop.
async fn stopped(stop: &mut watch::Receiver<bool>) {
    // An error means that the sender is gone: the process ends.
    drop(stop.wait_for(|stop| *stop).await);
}

/// Logs the state in which an attempt left the job.
pub(crate) fn report(job: &Job) {
    let (kind, about, id, attempts) = (job.kind.name, job.about.as_str(), job.id.get(), job.attempts);
    let reason = job.last_error.as_deref().unwrap_or_default();
    match job.state {
        // Scheduled jobs run too often to log each one at `info`.
        State::Done if job.kind.schedule.is_some() => tracing::debug!(job = id, kind, attempts, "done"),
        State::Done => tracing::info!(job = id, kind, about, attempts, "done"),
        State::SetAside => tracing::error!(job = id, kind, about, attempts, reason, "set aside"),
        State::Queued | State::Running => {
            tracing::warn!(job = id, kind, about, attempts, reason, "to be tried again");
        }
    }
}
