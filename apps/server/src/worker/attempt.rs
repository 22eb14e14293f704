//! One attempt at a job, from its beginning to what is written down of its end.

use std::{sync::Arc, time::Duration};

use jobs::{Job, Jobs, Kind, Outcome, State, Taken};
use kernel::StoreError;

use crate::{app::App, flows::recovery, mail};

/// An attempt is given up before its lease lapses.
const LIMIT: Duration = Duration::from_secs(100);
/// How long to wait before it is tried again to write down what happened.
const PAUSE: Duration = Duration::from_secs(1);

/// Does the job and writes down how that ended.
pub(super) async fn attempt(app: Arc<App>, taken: Taken) {
    let job = taken.job.clone();
    let outcome = match tokio::time::timeout(LIMIT, work(&app, &taken)).await {
        Ok(outcome) => outcome,
        Err(_) => Outcome::Uncertain { reason: "It took too long.".to_owned() },
    };
    match finish(&app, &job, outcome).await {
        Ok(Some(job)) => tell(&app, &job),
        // Its row has gone, or others have seen to it.
        Ok(None) => {}
        Err(error) => tracing::error!(job = job.id.get(), %error, "what became of a job could not be written down"),
    }
}

/// Each kind has its own way.
async fn work(app: &Arc<App>, taken: &Taken) -> Outcome {
    match taken.job.kind {
        Kind::Mail => mail::send(app, taken).await,
        Kind::Recovery => answer(app, taken.payload.clone()).await,
    }
}

/// Answers whoever asked for a way back in. A second time withdraws what the first one mailed.
async fn answer(app: &Arc<App>, payload: Vec<u8>) -> Outcome {
    let within = Arc::clone(app);
    match app.db.write::<_, StoreError, _>(move |pg| recovery::answer(pg, &within, &payload)).await {
        Ok(()) => Outcome::Done,
        Err(error) => Outcome::Failed { reason: format!("It can't be answered: {error}."), for_good: false },
    }
}

/// Writes the outcome down, for as long as the lease lasts: a database that is away for a moment must not make a mail
/// that was sent one of which nobody knows.
async fn finish(app: &App, job: &Job, outcome: Outcome) -> Result<Option<Job>, StoreError> {
    loop {
        let (job, outcome, env) = (job.clone(), outcome.clone(), Arc::clone(&app.env));
        let lapses_at = job.due_at;
        let written = app.db.write::<_, StoreError, _>(move |pg| pg.finish_job(&job, outcome, &*env)).await;
        match written {
            Err(error) if error.is_unavailable() && app.env.now() < lapses_at => {
                tracing::warn!(%error, "what became of a job can't be written down yet");
                tokio::time::sleep(PAUSE).await;
            }
            written => return written,
        }
    }
}

fn tell(app: &App, job: &Job) {
    let (kind, about, id) = (job.kind.as_str(), job.about.as_str(), job.id.get());
    let reason = job.last_error.as_deref().unwrap_or_default();
    match job.state {
        State::Done => tracing::info!(job = id, kind, about, attempts = job.attempts, "done"),
        State::SetAside => tracing::error!(job = id, kind, about, attempts = job.attempts, reason, "set aside"),
        State::Queued | State::Running => {
            tracing::warn!(job = id, kind, about, attempts = job.attempts, reason, "to be tried again");
        }
    }
    app.metrics.count_attempt(job);
}
