//! The worker: does the jobs that changes have left behind, in every process that serves and in `pith worker`.
//!
//! It wakes when a job is queued, when one is due, and every few seconds. It takes only what it begins at once, so that
//! a process that dies leaves no more attempts of which nobody knows how they ended than its [`LANES`] have slots.

mod attempt;
mod delivery;
mod removal;

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use jobs::{Jobs, Kind, Taken};
use kernel::StoreError;
use tokio::{
    sync::{Semaphore, watch},
    task::JoinSet,
    time::timeout,
};

use crate::app::App;

/// Kinds of jobs that don't wait for those of another lane.
struct Lane {
    kinds: &'static [Kind],
    /// How many of them a process does at once.
    slots: usize,
}

/// All lanes. Reading a book aloud keeps a core busy for a while: mails go on beside it, and never two at once.
const LANES: [Lane; 2] = [
    Lane { kinds: &[Kind::Mail, Kind::Recovery, Kind::EReader, Kind::Removal], slots: 8 },
    Lane { kinds: &[Kind::Narration], slots: 1 },
];

/// The lanes that this process works on, each with its free slots.
fn lanes(app: &App) -> Vec<(&'static [Kind], Arc<Semaphore>)> {
    let works = |lane: &&Lane| !lane.kinds.contains(&Kind::Narration) || app.synthesizer.is_some();
    LANES.iter().filter(works).map(|lane| (lane.kinds, Arc::new(Semaphore::new(lane.slots)))).collect()
}

/// How often it is looked for jobs that nobody has announced: those of a node that died before it could, and those
/// whose lease has lapsed.
const LOOK: Duration = Duration::from_secs(5);

/// Works until it is told to stop, then finishes what it has begun, for as long as the process may drain.
pub async fn run(app: Arc<App>, mut stop: watch::Receiver<bool>) {
    let lanes = lanes(&app);
    let mut running = JoinSet::new();
    let mut counted = None;
    while !*stop.borrow() {
        let wait = match look(&app, &lanes, &mut running, &mut counted, &stop).await {
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
    app.mailer.close().await;
}

/// Whether it is time to count all jobs: that reads the whole table, and is not done at every job that is queued.
fn is_time_to_count(counted: Option<Instant>, now: Instant) -> bool {
    counted.is_none_or(|counted| now.duration_since(counted) >= LOOK)
}

/// Begins as many jobs as there are slots for; gives how long to wait for the next.
async fn look(
    app: &Arc<App>,
    lanes: &[(&'static [Kind], Arc<Semaphore>)],
    running: &mut JoinSet<()>,
    counted: &mut Option<Instant>,
    stop: &watch::Receiver<bool>,
) -> Result<Duration, StoreError> {
    let mut waiting_for = Vec::new();
    for (kinds, slots) in lanes {
        let free = slots.available_permits();
        let taken = if free == 0 { Vec::new() } else { take(app, kinds, free).await? };
        if taken.len() < free {
            waiting_for.extend_from_slice(kinds);
        }
        for taken in taken {
            // Held until the attempt is over, however it ends.
            let slot = Arc::clone(slots).acquire_owned().await;
            let attempt = attempt::attempt(Arc::clone(app), taken, stop.clone());
            running.spawn(async move {
                attempt.await;
                drop(slot);
            });
        }
    }
    let now = Instant::now();
    if is_time_to_count(*counted, now) {
        app.metrics.set_jobs(&app.db.read::<_, StoreError, _>(|pg| pg.job_counts()).await?);
        *counted = Some(now);
    }
    let due = app.db.read::<_, StoreError, _>(move |pg| pg.next_job_due(&waiting_for)).await?;
    let until = due.map_or(i64::MAX, |due| due.since(app.env.now()));
    // What is due already and was not taken is somebody else's at this very moment.
    Ok(Duration::from_millis(until.max(100).unsigned_abs()).min(LOOK))
}

async fn take(app: &App, kinds: &'static [Kind], limit: usize) -> Result<Vec<Taken>, StoreError> {
    let now = app.env.now();
    app.db.write::<_, StoreError, _>(move |pg| pg.take_jobs_of(kinds, limit, now)).await
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
    let (_told_to_stop, stop) = watch::channel(false);
    let mut count = 0;
    loop {
        let before = count;
        for (kinds, slots) in lanes(app) {
            for taken in take(app, kinds, slots.available_permits()).await? {
                count += 1;
                attempt::attempt(Arc::clone(app), taken, stop.clone()).await;
            }
        }
        if count == before {
            return Ok(count);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_a_lane_and_no_kind_has_two() {
        for kind in Kind::ALL {
            assert_eq!(LANES.iter().filter(|lane| lane.kinds.contains(kind)).count(), 1, "{kind:?}");
        }
    }

    #[test]
    fn jobs_are_counted_once_per_look_however_often_one_is_queued() {
        let first = Instant::now();
        assert!(is_time_to_count(None, first));
        assert!(!is_time_to_count(Some(first), first));
        assert!(!is_time_to_count(Some(first), first + LOOK / 2));
        assert!(is_time_to_count(Some(first), first + LOOK));
    }
}
