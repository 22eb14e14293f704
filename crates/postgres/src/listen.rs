//! Hearing what other nodes changed, on a connection of its own.

use std::{
    collections::HashSet,
    sync::{
        Arc, OnceLock,
        mpsc::{Receiver, RecvTimeoutError, Sender, channel},
    },
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use diesel::{Connection, PgConnection, QueryResult, RunQueryDsl, sql_query};

use crate::{
    change::{CHANNEL, Change, Heard},
    db::notify,
};

/// How often the channel is looked at, and how late changes are said that are not said at commit.
const PAUSE: Duration = Duration::from_millis(50);
/// How often a silent connection is asked whether it still lives.
const HEARTBEAT: Duration = Duration::from_secs(5);
/// How long to wait before connecting anew, when connecting has failed.
const RECONNECT: Duration = Duration::from_millis(500);
/// How long the end of the thread is waited for. It looks up from what it does after [`PAUSE`], but not from connecting.
const FAREWELL: Duration = Duration::from_secs(1);
/// How long a node that hears nothing goes by what it holds. Others may reach the database where this one does not.
const BELIEVED: Duration = Duration::from_mins(2);

type Listener = Arc<OnceLock<Arc<dyn Fn(Heard) + Send + Sync>>>;

/// The thread, as a [`crate::Db`] holds it: it ends when the last of them is gone.
#[derive(Debug)]
pub(crate) struct Hearing {
    to_announce: Option<Sender<Change>>,
    thread: Option<JoinHandle<()>>,
}

impl Hearing {
    /// Starts the thread.
    pub(crate) fn start(url: String, node: Arc<str>, listener: Listener) -> Self {
        let (sender, to_announce) = channel();
        let name = "database changes".to_owned();
        let thread =
            thread::Builder::new().name(name).spawn(move || hear_for_long(&url, &node, &to_announce, &listener));
        let thread =
            thread.inspect_err(|error| tracing::error!(%error, "no thread for the changes of other nodes")).ok();
        Self { to_announce: Some(sender), thread }
    }

    /// Has the thread say a change to the other nodes, a moment later.
    pub(crate) fn announce(&self, change: Change) {
        if let Some(to_announce) = &self.to_announce {
            // Nobody takes it when there is no thread: that was said when it could not be started.
            let _ = to_announce.send(change);
        }
    }
}

impl Drop for Hearing {
    /// Waits a moment for the thread: a process that ends while one of its threads makes a connection crashes in what
    /// the TLS library cleans up at the end.
    fn drop(&mut self) {
        drop(self.to_announce.take());
        let Some(thread) = self.thread.take() else { return };
        // The thread itself may hold on to the rest of the process for as long as it tells of something.
        if thread.thread().id() == thread::current().id() {
            return;
        }
        let begin = Instant::now();
        while !thread.is_finished() && begin.elapsed() < FAREWELL {
            thread::sleep(Duration::from_millis(1));
        }
    }
}

fn hear_for_long(url: &str, node: &str, to_announce: &Receiver<Change>, listener: &Listener) {
    let mut deaf_since = Instant::now();
    let mut unsaid = HashSet::new();
    loop {
        match listen(url, node, to_announce, &mut unsaid, listener) {
            End::Done => return,
            // Most often the database lives and this connection alone was cut: the next one is made at once.
            End::Broken => deaf_since = Instant::now(),
            End::Refused => {
                let until = Instant::now() + RECONNECT;
                loop {
                    match to_announce.recv_timeout(until.saturating_duration_since(Instant::now())) {
                        Ok(change) => unsaid.insert(change),
                        Err(RecvTimeoutError::Timeout) => break,
                        Err(RecvTimeoutError::Disconnected) => return,
                    };
                }
            }
        }
        tell(listener, if deaf_since.elapsed() < BELIEVED { Heard::Deaf } else { Heard::Gap });
    }
}

enum End {
    /// The connection is gone.
    Broken,
    /// The connection could not be made.
    Refused,
    /// Nobody needs the thread any more.
    Done,
}

fn listen(
    url: &str,
    node: &str,
    to_announce: &Receiver<Change>,
    unsaid: &mut HashSet<Change>,
    listener: &Listener,
) -> End {
    let Ok(mut connection) = PgConnection::establish(url) else { return End::Refused };
    if sql_query(format!("LISTEN {CHANNEL}")).execute(&mut connection).is_err() {
        return End::Refused;
    }
    // What was missed before `LISTEN` took effect is unknown.
    tell(listener, Heard::Gap);
    let mut last_sign_of_life = Instant::now();
    loop {
        match to_announce.recv_timeout(PAUSE) {
            Ok(first) => {
                // What is said often is gathered for a moment, and each thing said once.
                thread::sleep(PAUSE);
                unsaid.insert(first);
                unsaid.extend(to_announce.try_iter());
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return End::Done,
        }
        while let Some(change) = unsaid.iter().next().copied() {
            if notify(&mut connection, node, &change.to_payload()).is_err() {
                return End::Broken;
            }
            unsaid.remove(&change);
            last_sign_of_life = Instant::now();
        }
        match hear(&mut connection, node, listener) {
            Ok(0) if last_sign_of_life.elapsed() > HEARTBEAT => {
                if sql_query("SELECT 1").execute(&mut connection).is_err() {
                    return End::Broken;
                }
                last_sign_of_life = Instant::now();
            }
            Ok(0) => {}
            Ok(_) => last_sign_of_life = Instant::now(),
            Err(_) => return End::Broken,
        }
    }
}

/// Passes on what has arrived; gives how much it was.
fn hear(connection: &mut PgConnection, node: &str, listener: &Listener) -> QueryResult<usize> {
    let mut count = 0;
    for notification in connection.notifications_iter() {
        let notification = notification?;
        count += 1;
        match notification.payload.split_once(' ') {
            // What this node said itself it has acted upon already.
            Some((from, _)) if from == node => {}
            Some((_, payload)) => tell(listener, Change::from_payload(payload).map_or(Heard::Gap, Heard::Change)),
            None => tell(listener, Heard::Gap),
        }
    }
    Ok(count)
}

fn tell(listener: &Listener, heard: Heard) {
    if let Some(listener) = listener.get() {
        listener(heard);
    }
}
