//! Timers of a node for what is its own: its view counter, its memory and the files in its data folder. What all nodes share is looked
//! after by scheduled jobs.

use std::time::Duration;

use actix_web::web::Data;
use kernel::StoreError;
use mail::Outbox;
use tokio::time::{Interval, MissedTickBehavior, interval};

use crate::app::App;

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

/// The timers of a process that serves; runs until the process ends.
pub async fn run(app: Data<App>) {
    tokio::join!(flush_views_regularly(&app), sweep_files(app.clone()), trim_memory());
}

async fn flush_views_regularly(app: &App) {
    let mut ticks = every(FLUSH);
    loop {
        ticks.tick().await;
        if let Err(error) = flush_views(app).await {
            tracing::warn!(%error, "view counts could not be written to the database");
        }
    }
}

async fn trim_memory() {
    let mut ticks = every(TRIM);
    loop {
        ticks.tick().await;
        identity::trim_hash_memory();
    }
}

/// Sweeps the node's leftover files: mails of its outbox, uploads that broke off, and what recordings were being made
/// of. Runs until the process ends.
pub async fn sweep_files(app: Data<App>) {
    let mut ticks = every(SWEEP);
    loop {
        ticks.tick().await;
        let now = app.env.now();
        let outbox = Outbox::in_home(&app.config.home);
        let swept = tokio::task::spawn_blocking(move || outbox.sweep(now)).await;
        if let Err(error) = swept.map_err(std::io::Error::other).and_then(|swept| swept) {
            tracing::warn!(%error, "the outbox could not be swept");
        }
        app.media.sweep().await;
        narration::sweep(&app.config.home, now).await;
    }
}

/// Writes the views counted so far to the database; also called at the end of a process.
pub async fn flush_views(app: &App) -> Result<(), StoreError> {
    app.views.flush(&app.db, app.env.now()).await
}
