//! What a node tells the others when something that they may hold in memory has changed.

use std::str::FromStr;

use kernel::{BookId, SessionId, UserId};

/// The channel of `NOTIFY`.
pub(crate) const CHANNEL: &str = "pith";

/// Something that nodes hold in memory has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Change {
    /// A session has ended: its tokens are worth nothing.
    Session(SessionId),
    /// A person's name, role, plan or choices changed.
    User(UserId),
    /// Where somebody is in their books, library or ratings changed. Said often, and late by up to 50 ms: only
    /// comfort hangs on it.
    Reader(UserId),
    /// A book changed.
    Book(BookId),
    /// Lists of books, categories or the site's frame changed.
    Catalogue,
    /// The keys that sign tokens changed.
    Keys,
    /// There is work to be done. Said late by up to 50 ms: workers look for themselves too.
    Jobs,
}

impl Change {
    /// Whether the change is said inside the transaction that makes it. `NOTIFY` serialises commits, so what
    /// happens at every turn of a page, and what is found without being said, is said afterwards, many at a time.
    pub(crate) const fn is_said_at_commit(self) -> bool {
        !matches!(self, Self::Reader(_) | Self::Jobs)
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
            _ => None,
        }
    }
}

/// What a node hears.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Heard {
    /// One change, made here or elsewhere.
    Change(Change),
    /// The connection on which changes are heard is broken. As a rule the database is gone, and then nothing changes
    /// either: what is held in memory is the best that there is, until a [`Heard::Gap`] says otherwise.
    Deaf,
    /// Changes may have been missed: anything may have changed meanwhile.
    Gap,
}

#[cfg(test)]
mod tests {
    use super::Change;
    use kernel::{BookId, SessionId, UserId};

    #[test]
    fn every_change_survives_the_way_through_the_channel() {
        for change in [
            Change::Session(SessionId::from_store(3)),
            Change::User(UserId::from_store(4)),
            Change::Reader(UserId::from_store(5)),
            Change::Book(BookId::from_store(6)),
            Change::Catalogue,
            Change::Keys,
            Change::Jobs,
        ] {
            assert_eq!(Change::from_payload(&change.to_payload()), Some(change));
        }
        assert_eq!(Change::from_payload("session:x"), None);
        assert_eq!(Change::from_payload("weather"), None);
    }
}
