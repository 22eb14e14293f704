//! Timers of a node for what is its own: its view counter, its memory and the files in its data folder. What all nodes share is
//! looked after by scheduled jobs.

use std::{sync::Arc, time::Duration};

use kernel::StoreError;
use mail::Outbox;
use tokio::time::{Interval, MissedTickBehavior, interval};
use web::app::App;

/// How often view counts are flushed.
const FLUSH: Duration = Duration::from_secs(5);
/// How often leftover files are swept.
const SWEEP: Duration = Duration::from_hours(1);
/// How often memory of password hashes is freed that was not used meanwhile.
const TRIM: Duration = Duration::from_mins(1);

/// A timer whose first tick is now.
fn every(period: Duration) -> Interval {
    let mut ticks = interval(period);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    ticks
}

/// What a node looks after.
pub struct Upkeep(Arc<App>);

impl std::fmt::Debug for Upkeep {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Upkeep")
    }
}

impl Upkeep {
    /// What the node of this process looks after.
    pub fn of(app: &Arc<App>) -> Self {
        Self(Arc::clone(app))
    }

    /// The timers of a process that serves; runs until the process ends.
    pub async fn run(&self) {
        tokio::join!(self.flush_views_regularly(), self.sweep_files(), trim_memory());
    }

    async fn flush_views_regularly(&self) {
        let mut ticks = every(FLUSH);
        loop {
            ticks.tick().await;
            if let Err(error) = self.flush_views().await {
                tracing::warn!(%error, "view counts could not be written to the database");
            }
        }
    }

    /// Sweeps the node's leftover files: mails of its outbox, uploads that broke off, and what recordings were being made
    /// of. Runs until the process ends.
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

    /// Writes the views counted so far to the database; also called at the end of a process.
    pub async fn flush_views(&self) -> Result<(), StoreError> {
        self.0.views.flush(&self.0.db, self.0.env.now()).await
    }
}

async fn trim_memory() {
    let mut ticks = every(TRIM);
    loop {
        ticks.tick().await;
        // On a thread of its own, which ends soon after: the allocator returns to the system what was freed when one of
        // its threads ends, and a process without requests ends none.
        if let Err(error) = tokio::task::spawn_blocking(identity::trim_hash_memory).await {
            tracing::warn!(%error, "memory could not be trimmed");
        }
    }
}
