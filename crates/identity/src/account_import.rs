//! Imports of archives into an account (`identity.account-import`).

use kernel::{StoreError, Timestamp, UserId};

/// The largest archive, in bytes (`identity.import-limits`).
pub const IMPORT_MAX_BYTES: usize = 50 * 1024 * 1024;
/// How many entries without a book a member keeps at most.
pub const KEPT_ENTRIES: usize = 10_000;
/// How many bytes such entries have at most, together.
pub const KEPT_BYTES: usize = 16 * 1024 * 1024;

/// The state of an import.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ImportState {
    /// It waits for a worker.
    Queued,
    Running,
    Done,
    Failed,
}

impl ImportState {
    /// Every state.
    pub const ALL: [Self; 4] = [Self::Queued, Self::Running, Self::Done, Self::Failed];

    /// The name in storage and on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Running => "running",
            Self::Done => "done",
            Self::Failed => "failed",
        }
    }

    /// The state with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.as_str() == name)
    }

    /// Whether the work on it waits or runs.
    pub const fn is_under_way(self) -> bool {
        matches!(self, Self::Queued | Self::Running)
    }
}

/// What an entry of an archive is, in the order in which members see them. Cards come after the highlights that they need.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ImportKind {
    /// A place in a book.
    Places,
    /// A book of the library.
    Library,
    Ratings,
    /// A book whose publication the member wants to be notified of.
    Notices,
    Highlights,
    /// A review card, with its answers.
    Cards,
    Commitments,
    /// A completed key idea.
    Ideas,
    /// A list of books, or a book of one.
    Lists,
    /// An own summary.
    Summaries,
    /// A day on which the member read or completed summaries.
    Days,
    /// The goal, the chosen categories and the settings.
    Settings,
}

impl ImportKind {
    /// Every kind, in order.
    pub const ALL: [Self; 12] = [
        Self::Places,
        Self::Library,
        Self::Ratings,
        Self::Notices,
        Self::Highlights,
        Self::Cards,
        Self::Commitments,
        Self::Ideas,
        Self::Lists,
        Self::Summaries,
        Self::Days,
        Self::Settings,
    ];

    /// The name in storage and on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Summaries => "summaries",
            Self::Places => "places",
            Self::Library => "library",
            Self::Ratings => "ratings",
            Self::Notices => "notices",
            Self::Days => "days",
            Self::Highlights => "highlights",
            Self::Cards => "cards",
            Self::Commitments => "commitments",
            Self::Ideas => "ideas",
            Self::Lists => "lists",
            Self::Settings => "settings",
        }
    }

    /// The kind with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == name)
    }
}

/// What became of the entries of one kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ImportFigure {
    pub kind: ImportKind,
    /// Those that are in the account now, whether they were before or not.
    pub imported: u32,
    /// Those whose book is not in the catalogue.
    pub kept: u32,
    /// Those that could not be read.
    pub unreadable: u32,
}

/// The last import into an account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AccountImport {
    pub state: ImportState,
    /// Whether it looked in the catalogue again for what is kept; otherwise an archive was uploaded.
    pub is_retry: bool,
    pub requested_at: Timestamp,
    /// When it was done or failed.
    pub ended_at: Option<Timestamp>,
    /// Why it failed, for the member.
    pub failure: Option<String>,
    /// By kind, without those of which there were no entries; empty until it is done.
    pub figures: Vec<ImportFigure>,
}

/// An import whose work has begun.
#[derive(Clone, PartialEq, Eq)]
pub struct BegunImport {
    pub requested_at: Timestamp,
    /// The zip; `None`: what is kept is looked for again.
    pub archive: Option<Vec<u8>>,
}

impl std::fmt::Debug for BegunImport {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("BegunImport").field("requested_at", &self.requested_at).finish_non_exhaustive()
    }
}

/// A book, as an archive names it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NamedBook {
    /// Its slug where the archive was made; `None`: it was deleted there.
    pub subid: Option<String>,
    pub title: String,
    pub author: String,
}

/// An entry of an archive whose book is not in the catalogue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptEntry {
    pub kind: ImportKind,
    /// What makes it one of its kind.
    pub key: String,
    pub book: NamedBook,
    /// The entry as it stands in the archive: JSON.
    pub entry: String,
}

/// How much is kept for a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeptSize {
    pub entries: usize,
    /// Of all entries together.
    pub bytes: usize,
}

/// How many entries of a kind are kept of a book.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptCount {
    pub title: String,
    pub author: String,
    pub kind: ImportKind,
    pub entries: u32,
}

/// Reads of imports, callable with any connection.
pub trait ImportQueries {
    /// The member's last import.
    fn last_import(&mut self, member: UserId) -> Result<Option<AccountImport>, StoreError>;

    /// What is kept for the member, by kind in the order of [`ImportKind`], then by key.
    fn kept_entries(&mut self, member: UserId) -> Result<Vec<KeptEntry>, StoreError>;

    /// How many entries are kept, by title and author, then by kind.
    fn kept_counts(&mut self, member: UserId) -> Result<Vec<KeptCount>, StoreError>;

    /// How much is kept.
    fn kept_size(&mut self, member: UserId) -> Result<KeptSize, StoreError>;
}

/// Writes of imports, callable in any transaction.
pub trait ImportCommands: ImportQueries {
    /// Stores an import that waits for a worker, in the place of the one before; `false` while that is under way.
    fn queue_import(&mut self, member: UserId, archive: Option<Vec<u8>>, now: Timestamp) -> Result<bool, StoreError>;

    /// Marks the member's import as running; `None` when none is under way.
    fn begin_import(&mut self, member: UserId) -> Result<Option<BegunImport>, StoreError>;

    /// Ends an import that is under way, with its figures or the reason why it failed, and deletes its archive. One that was
    /// requested at another moment is not touched.
    fn end_import(
        &mut self,
        member: UserId,
        requested_at: Timestamp,
        outcome: Result<&[ImportFigure], &str>,
        now: Timestamp,
    ) -> Result<(), StoreError>;

    /// Keeps entries, each in the place of the one with its kind and key.
    fn keep_entries(&mut self, member: UserId, entries: &[KeptEntry]) -> Result<(), StoreError>;

    /// Removes kept entries, by kind and key.
    fn drop_kept_entries(&mut self, member: UserId, keys: &[(ImportKind, String)]) -> Result<(), StoreError>;

    /// Removes all that is kept for the member.
    fn drop_all_kept(&mut self, member: UserId) -> Result<(), StoreError>;
}

#[cfg(test)]
mod tests {
    use super::{ImportKind, ImportState};

    #[test]
    fn names_are_read_back() {
        for state in ImportState::ALL {
            assert_eq!(ImportState::from_name(state.as_str()), Some(state));
        }
        for kind in ImportKind::ALL {
            assert_eq!(ImportKind::from_name(kind.as_str()), Some(kind));
        }
        assert_eq!((ImportState::from_name("lost"), ImportKind::from_name("lost")), (None, None));
    }
}
