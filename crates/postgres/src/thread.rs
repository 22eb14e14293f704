//! Threads of a [`crate::Db`], which end with it.

use std::{
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

/// How long a dropped [`crate::Db`] waits for a thread, which may be connecting or in the middle of a statement.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(1);

/// Waits up to [`SHUTDOWN_TIMEOUT`] for a thread that ends by itself: a process that exits while one of its threads connects
/// crashes in the cleanup of the TLS library.
pub(crate) fn wait_for(thread: &JoinHandle<()>) {
    // A thread that holds the last handle would wait for itself.
    if thread.thread().id() == thread::current().id() {
        return;
    }
    let begin = Instant::now();
    while !thread.is_finished() && begin.elapsed() < SHUTDOWN_TIMEOUT {
        thread::sleep(Duration::from_millis(1));
    }
}
