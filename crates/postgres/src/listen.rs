//! Hearing what other nodes changed, on a connection of its own.

use std::{
    collections::HashSet,
    sync::{
        Arc, OnceLock,
        mpsc::{Receiver, RecvTimeoutError},
    },
    thread,
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
/// How long a node that hears nothing goes by what it holds. Others may reach the database where this one does not.
const BELIEVED: Duration = Duration::from_mins(2);

type Listener = Arc<OnceLock<Arc<dyn Fn(Heard) + Send + Sync>>>;

/// Starts the thread. It ends when the last [`crate::Db`] of the process is gone.
pub(crate) fn spawn(url: String, node: Arc<str>, to_announce: Receiver<Change>, listener: Listener) {
    let name = "database changes".to_owned();
    let spawned = thread::Builder::new().name(name).spawn(move || {
        let mut deaf_since = Instant::now();
        loop {
            match listen(&url, &node, &to_announce, &listener) {
                End::Done => break,
                // Most often the database lives and this connection alone was cut: the next one is made at once.
                End::Broken => deaf_since = Instant::now(),
                End::Refused => thread::sleep(RECONNECT),
            }
            tell(&listener, if deaf_since.elapsed() < BELIEVED { Heard::Deaf } else { Heard::Gap });
        }
    });
    if let Err(error) = spawned {
        tracing::error!(%error, "no thread for the changes of other nodes");
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

fn listen(url: &str, node: &str, to_announce: &Receiver<Change>, listener: &Listener) -> End {
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
                let mut changes = HashSet::from([first]);
                changes.extend(to_announce.try_iter());
                for change in changes {
                    if notify(&mut connection, node, &change.to_payload()).is_err() {
                        return End::Broken;
                    }
                }
                last_sign_of_life = Instant::now();
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return End::Done,
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
