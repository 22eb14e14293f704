//! Changes that invalidate caches, announced to all nodes by `NOTIFY`.

use std::str::FromStr;

use diesel::{PgConnection, QueryResult, RunQueryDsl, sql_types::Text};
use kernel::{BookId, SessionId, UserId};

/// The channel of `LISTEN` and `NOTIFY`.
pub(crate) const CHANNEL: &str = "pith";

/// A change to data that nodes cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Change {
    /// A session was revoked: its access tokens are no longer valid.
    Session(SessionId),
    /// A user's name, role, plan or chosen categories changed.
    User(UserId),
    /// A user's reading positions, library or ratings changed. Frequent, so it is announced up to 50 ms after the commit:
    /// nobody's rights, money or content depend on it.
    Reader(UserId),
    /// A book changed, and with it the lists that name it.
    Book(BookId),
    /// Lists of books, categories, the plans on sale or the site's frame changed: any page may look different.
    Catalogue,
    /// The keys that sign access tokens changed.
    Keys,
    /// Jobs are queued. Announced up to 50 ms after the commit; workers also poll.
    Jobs,
    /// A member's summary was finished, failed or was deleted: calls that wait for one look again. Announced up to 50 ms after the
    /// commit.
    Summaries,
    /// The site was set up under another name: every process starts again under it.
    SiteName,
}

impl Change {
    /// Whether the change is announced in the transaction that makes it. `NOTIFY` serialises commits, so frequent changes, and
    /// those that polling finds too, are announced after the commit, in batches.
    pub(crate) const fn is_announced_at_commit(self) -> bool {
        !matches!(self, Self::Reader(_) | Self::Jobs | Self::Summaries)
    }

    pub(crate) fn to_payload(self) -> String {
        match self {
            Self::Session(id) => format!("session:{id}"),
            Self::User(id) => format!("user:{id}"),
            Self::Reader(id) => format!("reader:{id}"),
            Self::Book(id) => format!("book:{id}"),
            Self::Catalogue => "catalogue".to_owned(),
            Self::Keys => "keys".to_owned(),
            Self::Jobs => "jobs".to_owned(),
            Self::Summaries => "summaries".to_owned(),
            Self::SiteName => "site_name".to_owned(),
        }
    }

    pub(crate) fn from_payload(text: &str) -> Option<Self> {
        fn id<T: FromStr>(text: &str) -> Option<T> {
            text.parse().ok()
        }
        match text.split_once(':') {
            Some(("session", rest)) => id(rest).map(Self::Session),
            Some(("user", rest)) => id(rest).map(Self::User),
            Some(("reader", rest)) => id(rest).map(Self::Reader),
            Some(("book", rest)) => id(rest).map(Self::Book),
            None if text == "catalogue" => Some(Self::Catalogue),
            None if text == "keys" => Some(Self::Keys),
            None if text == "jobs" => Some(Self::Jobs),
            None if text == "summaries" => Some(Self::Summaries),
            None if text == "site_name" => Some(Self::SiteName),
            _ => None,
        }
    }
}

/// What a node's listener reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notification {
    /// One change, made by this node or by another one.
    Change(Change),
    /// The listening connection is broken. Usually the database is down, so nothing changes: cached data stays valid until
    /// [`Notification::Missed`].
    ListenerDown,
    /// Notifications may have been missed: all cached data may be stale.
    Missed,
}

/// Sends a change on the channel, with the sending node's name.
pub(crate) fn notify(connection: &mut PgConnection, node: &str, payload: &str) -> QueryResult<()> {
    diesel::sql_query("SELECT pg_notify($1, $2)")
        .bind::<Text, _>(CHANNEL)
        .bind::<Text, _>(format!("{node} {payload}"))
        .execute(connection)
        .map(|_| ())
}

#[cfg(test)]
mod tests {
    use super::Change;
    use kernel::{BookId, SessionId, UserId};

    #[test]
    fn every_change_is_parsed_from_its_payload() {
        for change in [
            Change::Session(SessionId::from_store(3)),
            Change::User(UserId::from_store(4)),
            Change::Reader(UserId::from_store(5)),
            Change::Book(BookId::from_store(6)),
            Change::Catalogue,
            Change::Keys,
            Change::Jobs,
            Change::Summaries,
            Change::SiteName,
        ] {
            assert_eq!(Change::from_payload(&change.to_payload()), Some(change));
        }
        assert_eq!(Change::from_payload("session:x"), None);
        assert_eq!(Change::from_payload("weather"), None);
    }
}
