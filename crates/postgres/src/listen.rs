//! Listens for other nodes' changes on a dedicated connection.

use std::{
    collections::HashSet,
    sync::{
        Arc, OnceLock,
        mpsc::{Receiver, RecvTimeoutError, Sender, channel},
    },
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use diesel::{PgConnection, QueryResult, RunQueryDsl, sql_query};

use crate::{
    change::{CHANNEL, Change, Notification, notify},
    connect::connect,
    thread::wait_for,
};

/// Polling interval of the channel, and the longest delay of changes that are announced after the commit.
const POLL_INTERVAL: Duration = Duration::from_millis(50);
/// Heartbeat interval of an idle connection.
const HEARTBEAT: Duration = Duration::from_secs(5);
/// Pause before the next attempt, after a failed attempt to connect.
const RECONNECT_PAUSE: Duration = Duration::from_millis(500);
/// How long a node trusts its caches without a listening connection. Other nodes may reach the database meanwhile.
const CACHE_TRUST: Duration = Duration::from_mins(2);

type Handler = Arc<OnceLock<Arc<dyn Fn(Notification) + Send + Sync>>>;

/// The listening thread, held by every clone of a [`crate::Db`]: it ends when the last clone is dropped.
#[derive(Debug)]
pub(crate) struct ChangeListener {
    announcements: Option<Sender<Change>>,
    thread: Option<JoinHandle<()>>,
}

impl ChangeListener {
    pub(crate) fn start(url: String, node: Arc<str>, handler: Handler) -> Self {
        let (sender, announcements) = channel();
        let name = "database changes".to_owned();
        let thread =
            thread::Builder::new().name(name).spawn(move || run_listener(&url, &node, &announcements, &handler));
        let thread =
            thread.inspect_err(|error| tracing::error!(%error, "no thread for the changes of other nodes")).ok();
        Self { announcements: Some(sender), thread }
    }

    /// Queues a change for announcement to the other nodes.
    pub(crate) fn announce(&self, change: Change) {
        if let Some(announcements) = &self.announcements {
            // Without a thread nobody receives it; the failure to start the thread was logged.
            let _ = announcements.send(change);
        }
    }
}

impl Drop for ChangeListener {
    fn drop(&mut self) {
        drop(self.announcements.take());
        if let Some(thread) = &self.thread {
            wait_for(thread);
        }
    }
}

fn run_listener(url: &str, node: &str, announcements: &Receiver<Change>, handler: &Handler) {
    let mut down_since = Instant::now();
    let mut pending = HashSet::new();
    loop {
        match listen(url, node, announcements, &mut pending, handler) {
            ListenEnd::Shutdown => return,
            // Usually the database is up and only this connection was closed, so it reconnects at once.
            ListenEnd::Broken => down_since = Instant::now(),
            ListenEnd::Refused => {
                let until = Instant::now() + RECONNECT_PAUSE;
                loop {
                    match announcements.recv_timeout(until.saturating_duration_since(Instant::now())) {
                        Ok(change) => pending.insert(change),
                        Err(RecvTimeoutError::Timeout) => break,
                        Err(RecvTimeoutError::Disconnected) => return,
                    };
                }
            }
        }
        let is_trusted = down_since.elapsed() < CACHE_TRUST;
        pass_on(handler, if is_trusted { Notification::ListenerDown } else { Notification::Missed });
    }
}

/// Why listening ended.
enum ListenEnd {
    /// The connection was lost.
    Broken,
    /// Connecting failed.
    Refused,
    /// The last clone of the `Db` was dropped.
    Shutdown,
}

fn listen(
    url: &str,
    node: &str,
    announcements: &Receiver<Change>,
    pending: &mut HashSet<Change>,
    handler: &Handler,
) -> ListenEnd {
    let Ok(mut connection) = connect(url) else { return ListenEnd::Refused };
    if sql_query(format!("LISTEN {CHANNEL}")).execute(&mut connection).is_err() {
        return ListenEnd::Refused;
    }
    // Notifications sent before `LISTEN` took effect were missed.
    pass_on(handler, Notification::Missed);
    let mut last_sign_of_life = Instant::now();
    loop {
        match announcements.recv_timeout(POLL_INTERVAL) {
            Ok(first) => {
                // Collects what arrives within the interval, and announces each change once.
                thread::sleep(POLL_INTERVAL);
                pending.insert(first);
                pending.extend(announcements.try_iter());
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return ListenEnd::Shutdown,
        }
        while let Some(change) = pending.iter().next().copied() {
            if notify(&mut connection, node, &change.to_payload()).is_err() {
                return ListenEnd::Broken;
            }
            pending.remove(&change);
            last_sign_of_life = Instant::now();
        }
        match receive(&mut connection, node, handler) {
            Ok(0) if last_sign_of_life.elapsed() > HEARTBEAT => {
                if sql_query("SELECT 1").execute(&mut connection).is_err() {
                    return ListenEnd::Broken;
                }
                last_sign_of_life = Instant::now();
            }
            Ok(0) => {}
            Ok(_) => last_sign_of_life = Instant::now(),
            Err(_) => return ListenEnd::Broken,
        }
    }
}

/// Passes received notifications to the handler; returns how many were received.
fn receive(connection: &mut PgConnection, node: &str, handler: &Handler) -> QueryResult<usize> {
    let mut count = 0;
    for notification in connection.notifications_iter() {
        let notification = notification?;
        count += 1;
        match notification.payload.split_once(' ') {
            // This node's own changes were handled when they were made.
            Some((sender, _)) if sender == node => {}
            Some((_, payload)) => {
                pass_on(handler, Change::from_payload(payload).map_or(Notification::Missed, Notification::Change));
            }
            None => pass_on(handler, Notification::Missed),
        }
    }
    Ok(count)
}

fn pass_on(handler: &Handler, notification: Notification) {
    if let Some(handler) = handler.get() {
        handler(notification);
    }
}
