//! Maintenance timers of a node, for its own state: counters, memory, and files in the data folder. Shared state is
//! maintained by scheduled jobs.

use std::{sync::Arc, time::Duration};

use kernel::StoreError;
use mail::Outbox;
use tokio::time::{Interval, MissedTickBehavior, interval};
use web::app::App;

/// Interval at which counts of views and searches are flushed to the database.
const FLUSH: Duration = Duration::from_secs(5);
/// Interval at which leftover files are swept.
const SWEEP: Duration = Duration::from_hours(1);
/// Interval at which unused memory of password hashing is freed.
const TRIM: Duration = Duration::from_mins(1);

/// A timer whose first tick is immediate.
fn every(period: Duration) -> Interval {
    let mut ticks = interval(period);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    ticks
}

/// The maintenance timers of a node.
pub struct Upkeep(Arc<App>);

impl std::fmt::Debug for Upkeep {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Upkeep")
    }
}

impl Upkeep {
    pub fn of(app: &Arc<App>) -> Self {
        Self(Arc::clone(app))
    }

    /// Runs the timers of a serving process, until the process ends.
    pub async fn run(&self) {
        tokio::join!(self.flush_counts_regularly(), self.sweep_files(), trim_memory());
    }

    async fn flush_counts_regularly(&self) {
        let mut ticks = every(FLUSH);
        loop {
            ticks.tick().await;
            if let Err(error) = self.flush_counts().await {
                tracing::warn!(%error, "counts could not be written to the database");
            }
        }
    }

    /// Sweeps the node's leftover files: mails of its outbox, incomplete uploads, and scratch folders of recordings. Runs until
    /// the process ends.
    pub async fn sweep_files(&self) {
        let mut ticks = every(SWEEP);
        loop {
            ticks.tick().await;
            let now = self.0.env.now();
            let outbox = Outbox::in_home(&self.0.config.home);
            let swept = tokio::task::spawn_blocking(move || outbox.sweep(now)).await;
            if let Err(error) = swept.map_err(std::io::Error::other).and_then(|swept| swept) {
                tracing::warn!(%error, "the outbox could not be swept");
            }
            self.0.media.sweep().await;
            narration::sweep(&self.0.config.home, now).await;
        }
    }

    /// Flushes the counts of views and searches to the database. Also called when the process stops.
    pub async fn flush_counts(&self) -> Result<(), StoreError> {
        let (db, now) = (&self.0.db, self.0.env.now());
        // Each is tried, whatever becomes of the other.
        let views = self.0.views.flush(db, now).await;
        views.and(self.0.searches.flush(db, now).await)
    }
}

async fn trim_memory() {
    let mut ticks = every(TRIM);
    loop {
        ticks.tick().await;
        // On a blocking thread, which ends soon after: the allocator returns freed memory to the system when a thread ends,
        // and an idle process ends no threads otherwise.
        if let Err(error) = tokio::task::spawn_blocking(identity::trim_hash_memory).await {
            tracing::warn!(%error, "memory could not be trimmed");
        }
    }
}
