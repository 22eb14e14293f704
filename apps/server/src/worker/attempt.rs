//! One attempt at a job, from its beginning to what is written down of its end.

use std::{pin::Pin, sync::Arc, time::Duration};
use workflows::{recovery, tx::Tx};

use jobs::{Job, Jobs, Kind, Outcome, State, Taken};
use kernel::StoreError;
use postgres::Pg;
use tokio::sync::watch;

use super::{delivery, removal};
use crate::{app::App, flows::deliver};

/// An attempt is given up before its lease lapses.
const LIMIT: Duration = Duration::from_secs(100);
/// How long to wait before it is tried again to write down what happened.
const PAUSE: Duration = Duration::from_secs(1);

/// How often a lease is renewed of work that takes longer.
const RENEWAL: Duration = Duration::from_secs(30);

/// Work that stays in the database, given the payload.
type Inside = fn(&mut Tx<'_, '_>, &[u8]) -> Result<(), StoreError>;
/// What is written down beside the end of an attempt, in the same transaction, given the job as it is then and the
/// payload.
type Note = fn(&mut Pg<'_>, &App, &Job, &[u8]) -> Result<(), StoreError>;

/// Nothing is written down beside it.
#[expect(clippy::unnecessary_wraps, reason = "it is one of several")]
fn nothing(_: &mut Pg<'_>, _: &App, _: &Job, _: &[u8]) -> Result<(), StoreError> {
    Ok(())
}

/// Does the job, each kind in its own way, and writes down how that ended. What can be put back is, when the worker is
/// told to stop.
pub(super) async fn attempt(app: Arc<App>, taken: Taken, stop: watch::Receiver<bool>) {
    let narrator = app.narrator();
    let ended = match taken.job.kind {
        Kind::Mail => outside(&app, &taken, Box::pin(app.mailer.send(&taken)), nothing).await,
        Kind::Recovery => inside(&app, &taken, recovery::answer_recovery).await,
        Kind::Narration => at_length(&app, &taken, stop, Box::pin(narration::make(&narrator, &taken.payload))).await,
        Kind::EReader => outside(&app, &taken, Box::pin(delivery::send(&app, &taken)), deliver::note).await,
        Kind::Removal => at_length(&app, &taken, stop, Box::pin(removal::remove(&app, &taken.payload))).await,
    };
    match ended {
        Ok(Some(job)) => tell(&app, &job),
        // Its row has gone, or others have seen to it.
        Ok(None) => {}
        Err(error) => {
            tracing::error!(job = taken.job.id.get(), %error, "what became of a job could not be written down");
        }
    }
}

/// Work that reaches out of the database: done, then written down.
async fn outside(
    app: &Arc<App>,
    taken: &Taken,
    work: impl Future<Output = Outcome>,
    note: Note,
) -> Result<Option<Job>, StoreError> {
    let late = |_| Outcome::Uncertain { reason: "It took too long.".to_owned() };
    let outcome = tokio::time::timeout(LIMIT, work).await.unwrap_or_else(late);
    finish(app, taken, outcome, note).await
}

/// Work that takes minutes and can be begun anew: its lease is renewed while it goes on. It stops where it is when this
/// future is dropped.
async fn at_length(
    app: &Arc<App>,
    taken: &Taken,
    mut stop: watch::Receiver<bool>,
    mut work: Pin<Box<dyn Future<Output = Outcome> + Send + '_>>,
) -> Result<Option<Job>, StoreError> {
    let mut taken = taken.clone();
    let outcome = loop {
        tokio::select! {
            outcome = &mut work => break outcome,
            () = told(&mut stop) => break Outcome::PutBack,
            () = tokio::time::sleep(RENEWAL) => match renew(app, &taken.job).await {
                Ok(Some(renewed)) => taken.job = renewed,
                Ok(None) => return Ok(None),
                Err(error) => tracing::warn!(job = taken.job.id.get(), %error, "a lease can't be renewed"),
            },
        }
    };
    drop(work);
    finish(app, &taken, outcome, nothing).await
}

/// Waits for the word to stop.
async fn told(stop: &mut watch::Receiver<bool>) {
    // An error means that nobody is left who could say so.
    drop(stop.wait_for(|stop| *stop).await);
}

async fn renew(app: &App, job: &Job) -> Result<Option<Job>, StoreError> {
    let (job, now) = (job.clone(), app.env.now());
    app.db.write::<_, StoreError, _>(move |pg| pg.renew_job(&job, now)).await
}

/// Work that stays in the database: done and written down in one transaction, so that it happens once.
async fn inside(app: &Arc<App>, taken: &Taken, work: Inside) -> Result<Option<Job>, StoreError> {
    let (job, payload) = (taken.job.clone(), taken.payload.clone());
    let done = app.write_tx::<_, StoreError, _>(move |tx| {
        // First, for whoever's lease has lapsed has nothing to do any more.
        let ended = tx.pg.finish_job(&job, Outcome::Done, tx.env)?;
        if ended.is_some() {
            work(tx, &payload)?;
        }
        Ok(ended)
    });
    match done.await {
        Ok(ended) => Ok(ended),
        Err(error) => {
            tracing::warn!(job = taken.job.id.get(), %error, "a job could not be done");
            let reason = "The store could not do it; the log says why.".to_owned();
            finish(app, taken, Outcome::Failed { reason, for_good: false }, nothing).await
        }
    }
}

/// Writes the outcome down, for as long as the lease lasts: a database that is away for a moment must not make a mail
/// that was sent one of which nobody knows.
async fn finish(app: &Arc<App>, taken: &Taken, outcome: Outcome, note: Note) -> Result<Option<Job>, StoreError> {
    let lapses_at = taken.job.due_at;
    loop {
        let (within, job, payload) = (Arc::clone(app), taken.job.clone(), taken.payload.clone());
        let outcome = outcome.clone();
        let written = app.db.write::<_, StoreError, _>(move |pg| {
            let ended = pg.finish_job(&job, outcome, &*within.env)?;
            if let Some(job) = &ended {
                note(pg, &within, job, &payload)?;
            }
            Ok(ended)
        });
        let written = written.await;
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
