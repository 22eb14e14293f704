//! The worker: does the jobs that changes have left behind, in every process that serves and in `pith worker`.
//!
//! It wakes when a job is queued, when one is due, and every few seconds. It takes only what it begins at once, so that
//! a process that dies leaves no more than [`SLOTS`] attempts of which nobody knows how they ended.

mod attempt;

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use jobs::{Jobs, Taken};
use kernel::StoreError;
use tokio::{sync::watch, task::JoinSet, time::timeout};

use crate::app::App;

/// How many jobs a process does at once.
const SLOTS: usize = 8;
/// How often it is looked for jobs that nobody has announced: those of a node that died before it could, and those
/// whose lease has lapsed.
const LOOK: Duration = Duration::from_secs(5);

/// Works until it is told to stop, then finishes what it has begun, for as long as the process may drain.
pub async fn run(app: Arc<App>, mut stop: watch::Receiver<bool>) {
    let mut running = JoinSet::new();
    let mut counted = None;
    while !*stop.borrow() {
        let wait = match look(&app, &mut running, &mut counted).await {
            Ok(wait) => wait,
            Err(error) => {
                tracing::warn!(%error, "the worker can't look for jobs");
                LOOK
            }
        };
        tokio::select! {
            () = app.jobs_queued.notified() => {}
            () = tokio::time::sleep(wait) => {}
            Some(ended) = running.join_next(), if !running.is_empty() => told(ended),
            // An error means that nobody is left who could say so: that is the end too.
            said = stop.changed() => if said.is_err() { break },
        }
    }
    let finished = timeout(app.config.drain, async {
        while let Some(ended) = running.join_next().await {
            told(ended);
        }
    });
    if finished.await.is_err() {
        tracing::warn!(left = running.len(), "jobs were left in the middle; others will see to them");
    }
    app.post.close().await;
}

/// Whether it is time to count all jobs: that reads the whole table, and is not done at every job that is queued.
fn is_time_to_count(counted: Option<Instant>, now: Instant) -> bool {
    counted.is_none_or(|counted| now.duration_since(counted) >= LOOK)
}

/// Begins as many jobs as there are slots for; gives how long to wait for the next.
async fn look(
    app: &Arc<App>,
    running: &mut JoinSet<()>,
    counted: &mut Option<Instant>,
) -> Result<Duration, StoreError> {
    let free = SLOTS - running.len();
    if free == 0 {
        return Ok(LOOK);
    }
    for taken in take(app, free).await? {
        running.spawn(attempt::attempt(Arc::clone(app), taken));
    }
    let now = Instant::now();
    if is_time_to_count(*counted, now) {
        app.metrics.set_jobs(&app.db.read::<_, StoreError, _>(|pg| pg.job_counts()).await?);
        *counted = Some(now);
    }
    let due = app.db.read::<_, StoreError, _>(|pg| pg.next_job_due()).await?;
    let until = due.map_or(i64::MAX, |due| due.since(app.env.now()));
    // What is due already and was not taken is somebody else's at this very moment.
    Ok(Duration::from_millis(until.max(100).unsigned_abs()).min(LOOK))
}

async fn take(app: &App, limit: usize) -> Result<Vec<Taken>, StoreError> {
    let now = app.env.now();
    app.db.write::<_, StoreError, _>(move |pg| pg.take_jobs(limit, now)).await
}

/// An attempt that panicked has said nothing: its lease lapses.
fn told(ended: Result<(), tokio::task::JoinError>) {
    if let Err(error) = ended {
        tracing::error!(%error, "a job broke off");
    }
}

/// Does everything that is due now, one by one; gives how many attempts there were. For tests and for commands that
/// wait for the end.
pub async fn work_off(app: &Arc<App>) -> Result<usize, StoreError> {
    let mut count = 0;
    loop {
        let taken = take(app, SLOTS).await?;
        if taken.is_empty() {
            return Ok(count);
        }
        for taken in taken {
            count += 1;
            attempt::attempt(Arc::clone(app), taken).await;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jobs_are_counted_once_per_look_however_often_one_is_queued() {
        let first = Instant::now();
        assert!(is_time_to_count(None, first));
        assert!(!is_time_to_count(Some(first), first));
        assert!(!is_time_to_count(Some(first), first + LOOK / 2));
        assert!(is_time_to_count(Some(first), first + LOOK));
    }
}
