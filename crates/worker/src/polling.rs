//! The loop that takes jobs, queues what schedules have due, and ends what lapsed.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

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
/// The shortest wait between two polls. What is due already and was not taken is locked by another node.
const SHORTEST_WAIT: i64 = 100;

/// A queue with its free slots.
struct Slots {
    kinds: Vec<JobKind>,
    free: Arc<Semaphore>,
}

/// What the loop remembers between two polls.
#[derive(Default)]
struct Polls {
    /// When all jobs were counted: that reads the whole table.
    counted: Option<Instant>,
    /// The next due moment of a schedule; `None` before the first poll.
    schedule_due: Option<Timestamp>,
}

impl Worker {
    /// Works until `stop` becomes true, then finishes what it has begun, for `drain` at most.
    pub async fn run(&self, mut stop: watch::Receiver<bool>, drain: Duration) {
        let queues = self.queues();
        let mut running = JoinSet::new();
        let mut polls = Polls::default();
        while !*stop.borrow() {
            let wait = match self.poll(&queues, &mut running, &mut polls, &stop).await {
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

    /// Begins as many jobs as there are slots for; gives how long to wait for the next.
    async fn poll(
        &self,
        queues: &[Slots],
        running: &mut JoinSet<()>,
        polls: &mut Polls,
        stop: &watch::Receiver<bool>,
    ) -> Result<Duration, StoreError> {
        if polls.schedule_due.is_none_or(|due_at| due_at <= self.env().now())
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
        let now = Instant::now();
        if is_time_to_count(polls.counted, now) {
            let kinds = self.registry().kinds().to_vec();
            let counts = self.db().read::<_, StoreError, _>(move |pg| pg.job_counts(&kinds)).await?;
            self.monitor().jobs_counted(&counts);
            polls.counted = Some(now);
        }
        let scheduled: Vec<JobKind> = self.registry().available().collect();
        let due = self.db().read::<_, StoreError, _>(move |pg| {
            Ok((pg.next_job_due(&waiting_for)?, pg.next_schedule_due(&scheduled)?))
        });
        let (job_due, schedule_due) = due.await?;
        polls.schedule_due = schedule_due;
        let until = job_due.into_iter().chain(schedule_due).min().map_or(i64::MAX, |due| due.since(self.env().now()));
        Ok(Duration::from_millis(until.max(SHORTEST_WAIT).unsigned_abs()).min(POLL))
    }

    /// Queues the scheduled jobs that are due; gives how many schedules were. Of several nodes one finds a schedule due.
    pub async fn queue_scheduled(&self) -> Result<usize, StoreError> {
        let (kinds, now): (Vec<JobKind>, _) = (self.registry().available().collect(), self.env().now());
        self.db()
            .write::<_, StoreError, _>(move |pg| {
                pg.add_schedules(&kinds, now)?;
                pg.queue_scheduled_jobs(&kinds, now)
            })
            .await
    }

    /// Takes jobs that are due, after those whose lease has lapsed were ended.
    async fn take(&self, kinds: &[JobKind], limit: usize) -> Result<Vec<LeasedJob>, StoreError> {
        if let Err(error) = self.lapse(kinds, limit).await {
            tracing::warn!(%error, "attempts whose lease has lapsed can't be ended");
        }
        let (kinds, now) = (kinds.to_vec(), self.env().now());
        self.db().write::<_, StoreError, _>(move |pg| pg.take_jobs(&kinds, limit, now)).await
    }

    /// Ends attempts whose lease has lapsed. Has each end recorded in the same transaction.
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

    /// Does everything that is due now, one by one; gives how many attempts there were. Leaves schedules alone. For tests
    /// and commands.
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

/// Not at every job that is queued.
fn is_time_to_count(counted: Option<Instant>, now: Instant) -> bool {
    counted.is_none_or(|counted| now.duration_since(counted) >= POLL)
}

/// The lease of an attempt that panicked lapses.
fn log_panic(ended: Result<(), JoinError>) {
    if let Err(error) = ended {
        tracing::error!(%error, "a job panicked");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jobs_are_counted_once_per_polling_interval() {
        let first = Instant::now();
        assert!(is_time_to_count(None, first));
        assert!(!is_time_to_count(Some(first), first));
        assert!(!is_time_to_count(Some(first), first + POLL / 2));
        assert!(is_time_to_count(Some(first), first + POLL));
    }
}
