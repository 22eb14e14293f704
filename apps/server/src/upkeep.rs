//! What a process does by itself, now and then.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
    time::Duration,
};

use actix_web::web::Data;
use catalogue::CatalogueStore;
use identity::Identity;
use jobs::{Jobs, Kind};
use kernel::{BookId, StoreError};

use mail::Outbox;

use crate::app::App;

/// How often opens are written down.
const FLUSH: Duration = Duration::from_secs(5);
/// How many flushes pass between two rankings of what is trending, and between two sweeps.
const RANK_EVERY: u32 = 12;
const SWEEP_EVERY: u32 = 720;

/// Opens since the last time they were written down. Counting them one by one would make every reader of a popular
/// book wait for the same row; a crash loses five seconds of a statistic.
#[derive(Debug, Default)]
pub struct Opens(Mutex<HashMap<BookId, u64>>);

impl Opens {
    /// Somebody opened the book.
    pub fn count(&self, book: BookId) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner).entry(book).or_default() += 1;
    }

    /// Opens that could not be written down count the next time.
    fn put_back(&self, opens: &HashMap<BookId, u64>) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for (book, count) in opens {
            *all.entry(*book).or_default() += count;
        }
    }

    fn take(&self) -> HashMap<BookId, u64> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Runs until the process ends.
pub async fn run(app: Data<App>) {
    let mut ticks = tokio::time::interval(FLUSH);
    ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    let mut count: u32 = 0;
    loop {
        ticks.tick().await;
        if let Err(error) = flush_opens(&app).await {
            tracing::warn!(%error, "opens of books could not be written down");
        }
        if count.is_multiple_of(RANK_EVERY) {
            let now = app.env.now();
            if let Err(error) = app.db.write::<_, StoreError, _>(move |pg| pg.refresh_trending(now)).await {
                tracing::warn!(%error, "what is trending could not be ranked");
            }
        }
        if count.is_multiple_of(SWEEP_EVERY) {
            let now = app.env.now();
            if let Err(error) = sweep_database(&app).await {
                tracing::warn!(%error, "old sessions could not be swept");
            }
            let outbox = Outbox::in_home(&app.config.home);
            let swept = tokio::task::spawn_blocking(move || outbox.sweep(now)).await;
            if let Err(error) = swept.map_err(std::io::Error::other).and_then(|swept| swept) {
                tracing::warn!(%error, "the outbox could not be swept");
            }
            app.media.sweep(now).await;
            narration::sweep(&app.config.home, now).await;
        }
        count = count.wrapping_add(1);
    }
}

/// Sweeps away what is over, and sees to it that no file is left for ever because the object store was away for days.
pub async fn sweep_database(app: &App) -> Result<(), StoreError> {
    let now = app.env.now();
    app.db
        .write::<_, StoreError, _>(move |pg| {
            pg.sweep_expired_sessions(now)?;
            pg.retry_jobs(Kind::Removal, now)?;
            pg.sweep_jobs(now)?;
            pg.sweep_rate_limits(now).map(|_| ())
        })
        .await
}

/// Sweeps away what was left behind of files, for a process that only works; runs until the process ends.
pub async fn sweep_files(app: Data<App>) {
    let mut ticks = tokio::time::interval(FLUSH.saturating_mul(SWEEP_EVERY));
    ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        let now = app.env.now();
        app.media.sweep(now).await;
        narration::sweep(&app.config.home, now).await;
    }
}

/// Writes down the opens counted so far; also called at the end of a process.
pub async fn flush_opens(app: &App) -> Result<(), StoreError> {
    let opens = app.opens.take();
    if opens.is_empty() {
        return Ok(());
    }
    let (now, again) = (app.env.now(), opens.clone());
    let written = app.db.write::<_, StoreError, _>(move |pg| pg.add_book_opens(&opens, now)).await;
    if written.is_err() {
        app.opens.put_back(&again);
    }
    written
}
