//! The polling loop: takes jobs, queues scheduled jobs that are due, and ends lapsed leases.

use std::{sync::Arc, time::Duration};

use jobs::{JobKind, JobQueries, Jobs, LeasedJob, State};
use kernel::{StoreError, Timestamp};
use tokio::{
    sync::{Semaphore, watch},
    task::{JoinError, JoinSet},
    time::timeout,
};

use crate::{Worker, attempt::report};

/// Polling interval, for jobs whose notification was missed and leases that lapsed.
const POLL: Duration = Duration::from_secs(5);
/// The shortest wait between two polls, in milliseconds. A due job that was not taken is locked by another node, so
/// polling at once would not help.
const SHORTEST_WAIT: i64 = 100;

/// A queue with its free slots.
struct Slots {
    kinds: Vec<JobKind>,
    free: Arc<Semaphore>,
}

impl Worker {
    /// Runs jobs until `stop` becomes true, then waits up to `drain` for the running ones.
    pub async fn run(&self, mut stop: watch::Receiver<bool>, drain: Duration) {
        let queues = self.queues();
        let mut running = JoinSet::new();
        let mut schedule_due = None;
        while !*stop.borrow() {
            let wait = match self.poll(&queues, &mut running, &mut schedule_due, &stop).await {
                Ok(wait) => wait,
                Err(error) => {
                    tracing::warn!(%error, "the worker can't look for jobs");
                    POLL
                }
            };
            tokio::select! {
                () = self.queued().notified() => {}
                () = tokio::time::sleep(wait) => {}
                Some(ended) = running.join_next(), if !running.is_empty() => log_panic(ended),
                // An error means that the sender is gone: the process ends.
                changed = stop.changed() => if changed.is_err() { break },
            }
            // A poll may have started several. While the queue is never empty, one for each poll would leave more and more ended ones in
            // memory.
            while let Some(ended) = running.try_join_next() {
                log_panic(ended);
            }
        }
        let finished = timeout(drain, async {
            while let Some(ended) = running.join_next().await {
                log_panic(ended);
            }
        });
        if finished.await.is_err() {
            tracing::warn!(left = running.len(), "jobs were left in the middle; another worker repeats them");
        }
    }

    fn queues(&self) -> Vec<Slots> {
        let queues = self.registry().queues().into_iter();
        queues.map(|(queue, kinds)| Slots { kinds, free: Arc::new(Semaphore::new(queue.slots)) }).collect()
    }

    /// Starts as many jobs as there are free slots; returns how long to wait until the next poll. `schedule_due` is the next due
    /// time of a schedule; `None` before the first poll, or if there are no schedules.
    async fn poll(
        &self,
        queues: &[Slots],
        running: &mut JoinSet<()>,
        schedule_due: &mut Option<Timestamp>,
        stop: &watch::Receiver<bool>,
    ) -> Result<Duration, StoreError> {
        if schedule_due.is_none_or(|due_at| due_at <= self.env().now())
            && let Err(error) = self.queue_scheduled().await
        {
            tracing::warn!(%error, "scheduled jobs can't be queued");
        }
        let mut waiting_for = Vec::new();
        for Slots { kinds, free } in queues {
            let slots = free.available_permits();
            let taken = if slots == 0 { Vec::new() } else { self.take(kinds, slots).await? };
            if taken.len() < slots {
                waiting_for.extend_from_slice(kinds);
            }
            for taken in taken {
                // Held until the attempt is over, however it ends.
                let slot = Arc::clone(free).acquire_owned().await;
                let (worker, stop) = (self.clone(), stop.clone());
                running.spawn(async move {
                    worker.attempt(taken, stop).await;
                    drop(slot);
                });
            }
        }
        let scheduled: Vec<JobKind> = self.registry().available().collect();
        let due = self.db().read::<_, StoreError, _>(move |pg| {
            Ok((pg.next_job_due(&waiting_for)?, pg.next_schedule_due(&scheduled)?))
        });
        let (job_due, next_schedule) = due.await?;
        *schedule_due = next_schedule;
        let until = job_due.into_iter().chain(next_schedule).min().map_or(i64::MAX, |due| due.since(self.env().now()));
        Ok(Duration::from_millis(until.max(SHORTEST_WAIT).unsigned_abs()).min(POLL))
    }

    /// Queues the scheduled jobs that are due; returns how many schedules were due. Of several nodes only one finds a
    /// schedule due.
    pub async fn queue_scheduled(&self) -> Result<usize, StoreError> {
        let (kinds, now): (Vec<JobKind>, _) = (self.registry().available().collect(), self.env().now());
        self.db()
            .write::<_, StoreError, _>(move |pg| {
                pg.add_schedules(&kinds, now)?;
                pg.queue_scheduled_jobs(&kinds, now)
            })
            .await
    }

    /// Ends lapsed leases, then takes due jobs.
    async fn take(&self, kinds: &[JobKind], limit: usize) -> Result<Vec<LeasedJob>, StoreError> {
        if let Err(error) = self.lapse(kinds, limit).await {
            tracing::warn!(%error, "attempts whose lease has lapsed can't be ended");
        }
        let (kinds, now) = (kinds.to_vec(), self.env().now());
        self.db().write::<_, StoreError, _>(move |pg| pg.take_jobs(&kinds, limit, now)).await
    }

    /// Ends attempts whose lease has lapsed, and records their ends in the same transaction.
    async fn lapse(&self, kinds: &[JobKind], limit: usize) -> Result<(), StoreError> {
        let (worker, kinds, now) = (self.clone(), kinds.to_vec(), self.env().now());
        let lapsed = self.db().write::<_, StoreError, _>(move |pg| {
            let lapsed = pg.lapse_jobs(&kinds, limit, now)?;
            for LeasedJob { job, payload } in &lapsed {
                worker.registry().record_end(pg, job, payload)?;
            }
            Ok(lapsed)
        });
        for LeasedJob { job, .. } in lapsed.await? {
            if job.state == State::SetAside {
                report(&job);
            }
        }
        Ok(())
    }

    /// Runs all due jobs one by one; returns the number of attempts. Queues no scheduled jobs. For tests and commands.
    pub async fn work_off(&self) -> Result<usize, StoreError> {
        let (_sender, stop) = watch::channel(false);
        let queues = self.queues();
        let mut count = 0;
        loop {
            let before = count;
            for Slots { kinds, free } in &queues {
                for taken in self.take(kinds, free.available_permits()).await? {
                    count += 1;
                    self.attempt(taken, stop.clone()).await;
                }
            }
            if count == before {
                return Ok(count);
            }
        }
    }
}

/// Logs a panic. The lease of the attempt lapses later.
fn log_panic(ended: Result<(), JoinError>) {
    if let Err(error) = ended {
        tracing::error!(%error, "a job panicked");
    }
}
