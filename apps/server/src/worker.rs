//! The wiring of the worker: the one list of the jobs that a process knows.

use std::sync::Arc;

use book_files::DeliverBook;
use kernel::StoreError;
use mail::SendMail;
use tokio::sync::watch;
use worker::{Monitor, Registry, Worker, WorkerParts};
use workflows::{
    housekeeping::{RankTrending, RetryRemovals, SweepJobs, SweepRateLimits, SweepRecords, SweepSessions},
    invite_friend::RecordSentInvitation,
    publication_notices::SendPublicationNotices,
    recording_files::RemoveFile,
    recovery::AnswerRecovery,
};

use crate::app::App;

/// The job that mails books to e-readers.
fn delivery(app: &App) -> DeliverBook {
    DeliverBook {
        transactions: app.transactions.clone(),
        seal: app.seal.clone(),
        env: Arc::clone(&app.env),
        files: app.book_files.clone(),
        mailer: Arc::clone(&app.mailer),
    }
}

/// Every job of the product.
pub fn registry(app: &Arc<App>) -> Registry {
    Registry::new()
        .external(SendMail(Arc::clone(&app.mailer)))
        .records_end(RecordSentInvitation(app.seal.clone()))
        .transactional(AnswerRecovery { seal: app.seal.clone(), transactions: app.transactions.clone() })
        .long(app.narrator())
        .external(delivery(app))
        .records_end(delivery(app))
        .long(RemoveFile { db: app.db.clone(), media: Arc::clone(&app.media) })
        .transactional(SendPublicationNotices(app.transactions.clone()))
        .transactional(RankTrending(Arc::clone(&app.env)))
        .transactional(SweepSessions(Arc::clone(&app.env)))
        .transactional(SweepRateLimits(Arc::clone(&app.env)))
        .transactional(SweepJobs(Arc::clone(&app.env)))
        .transactional(RetryRemovals(Arc::clone(&app.env)))
        .transactional(SweepRecords {
            env: Arc::clone(&app.env),
            events_kept_days: app.config.events_kept_days,
            messages_kept_days: app.config.messages_kept_days,
        })
}

/// The worker of a process.
fn worker(app: &Arc<App>) -> Worker {
    Worker::new(WorkerParts {
        db: app.db.clone(),
        env: Arc::clone(&app.env),
        queued: Arc::clone(&app.jobs_queued),
        monitor: Arc::clone(&app.metrics) as Arc<dyn Monitor>,
        registry: registry(app),
    })
}

/// Works until it is told to stop, then finishes what it has begun, for as long as the process may drain.
pub async fn run(app: Arc<App>, stop: watch::Receiver<bool>) {
    worker(&app).run(stop, app.config.drain).await;
    app.mailer.close().await;
}

/// [`Worker::work_off`].
pub async fn work_off(app: &Arc<App>) -> Result<usize, StoreError> {
    worker(app).work_off().await
}

/// [`Worker::queue_scheduled`].
pub async fn queue_scheduled(app: &Arc<App>) -> Result<usize, StoreError> {
    worker(app).queue_scheduled().await
}
