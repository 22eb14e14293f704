//! Combined saves of positions: while one batch is written, the saves that arrive form the next one. So the saves of many readers
//! share a commit, and with it the wait for the disk; a save that comes alone is written at once.

use std::{
    collections::HashSet,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        OnceLock,
        mpsc::{Receiver, Sender, channel},
    },
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use kernel::StoreError;
use reading_progress::Place;
use tokio::sync::oneshot;

use super::place::{PositionSave, merge_visits};
use crate::{Db, thread::wait_for};

/// The most saves of one batch.
const BATCH: usize = 1_000;

/// How long a caller waits for its batch, in addition to the longest wait for a connection. A save that was given up may be written
/// all the same, and so may be repeated: merging a visit twice changes nothing.
const TIMEOUT: Duration = Duration::from_millis(3_500);

/// A save, and the caller that waits for it.
struct Waiting {
    save: PositionSave,
    /// Until when the caller waits for a connection; [`TIMEOUT`] later it gives up.
    until: Instant,
    answer: oneshot::Sender<Result<Option<Place>, StoreError>>,
}

/// Saves positions of all readers in batches, on a thread of its own, which starts with the first save and ends when this is
/// dropped, after the saves that wait.
#[derive(Debug)]
pub struct CombinedSaves {
    db: Db,
    thread: OnceLock<Writer>,
}

impl CombinedSaves {
    pub const fn new(db: Db) -> Self {
        Self { db, thread: OnceLock::new() }
    }

    /// Merges a visit into its reader's place. When it returns, the change is on disk. `None`: the reader does not fulfill the
    /// condition, and nothing was written. Fails as unavailable after [`TIMEOUT`].
    pub async fn save(&self, save: PositionSave) -> Result<Option<Place>, StoreError> {
        let gone = || StoreError::new("the save was broken off");
        let (answer, answered) = oneshot::channel();
        let writer = self.thread.get_or_init(|| Writer::start(self.db.clone()));
        let queue = writer.queue.as_ref().ok_or_else(gone)?;
        let until = self.db.deadline();
        queue.send(Waiting { save, until, answer }).map_err(|_| gone())?;
        let answered = tokio::time::timeout_at((until + TIMEOUT).into(), answered).await;
        // A database that hangs holds up the thread, and so everyone.
        answered.map_err(|_| StoreError::unavailable("the database does not answer"))?.map_err(|_| gone())?
    }
}

/// The writing thread.
#[derive(Debug)]
struct Writer {
    queue: Option<Sender<Waiting>>,
    thread: Option<JoinHandle<()>>,
}

impl Writer {
    fn start(db: Db) -> Self {
        let (sender, queue) = channel();
        let thread = thread::Builder::new().name("combined saves".to_owned()).spawn(move || write_batches(&db, &queue));
        let thread = thread.inspect_err(|error| tracing::error!(%error, "no thread for combined saves")).ok();
        Self { queue: Some(sender), thread }
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        drop(self.queue.take());
        if let Some(thread) = &self.thread {
            wait_for(thread);
        }
    }
}

/// Writes batches until all senders are gone and nothing waits.
fn write_batches(db: &Db, queue: &Receiver<Waiting>) {
    let mut waiting = Vec::new();
    loop {
        if waiting.is_empty() {
            let Ok(first) = queue.recv() else { return };
            waiting.push(first);
        }
        waiting.extend(queue.try_iter());
        let now = Instant::now();
        waiting.retain(|one| one.until + TIMEOUT > now);
        let (batch, rest) = next_batch(waiting);
        waiting = rest;
        // A batch that panics drops its channels, by which its callers get an error.
        let written = catch_unwind(AssertUnwindSafe(|| write(db, batch)));
        if written.is_err() {
            tracing::error!("a batch of saves was broken off");
        }
    }
}

/// The first save of each place, at most [`BATCH`] of them, and what is left for the next batch: a statement can't change a row
/// twice.
fn next_batch(waiting: Vec<Waiting>) -> (Vec<Waiting>, Vec<Waiting>) {
    let mut places = HashSet::with_capacity(waiting.len());
    waiting.into_iter().partition(|one| places.len() < BATCH && places.insert((one.save.reader, one.save.book)))
}

/// Writes a batch in one transaction. If that fails, other than because the database can't be reached, each save is written by
/// itself, so that the failure of one fails no other.
fn write(db: &Db, batch: Vec<Waiting>) {
    let saves: Vec<&PositionSave> = batch.iter().map(|one| &one.save).collect();
    let Some(until) = batch.iter().map(|one| one.until).max() else { return };
    match db.write_statement(until, |pg| merge_visits(pg, &saves)) {
        Ok(mut places) => {
            for Waiting { save, answer, .. } in batch {
                // A caller that gave up is not interested in the result.
                let _ = answer.send(Ok(places.remove(&(save.reader, save.book))));
            }
        }
        Err(error) if error.is_unavailable() => {
            for Waiting { answer, .. } in batch {
                let _ = answer.send(Err(StoreError::unavailable(error.to_string())));
            }
        }
        Err(error) => match <[Waiting; 1]>::try_from(batch) {
            Ok([Waiting { answer, .. }]) => {
                let _ = answer.send(Err(error));
            }
            Err(batch) => batch.into_iter().for_each(|one| write(db, vec![one])),
        },
    }
}
