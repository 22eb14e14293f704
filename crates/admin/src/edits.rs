//! Optimistic locking and revisions of editorial content: concurrent edits of a row are detected, and overwritten content
//! is kept.

use kernel::{StoreError, Timestamp, UserId};

use crate::SubjectKind;

/// The version of a row. An editor sends its number back to show which version they have read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowVersion {
    /// The version number: 1 until a person has changed the row.
    pub number: i64,
    /// When it was saved; `None` until a person has changed the row.
    pub at: Option<Timestamp>,
    /// The name of the person who saved it; `None` also after that account was deleted.
    pub by: Option<String>,
}

impl RowVersion {
    /// The version of a row that nobody has changed.
    pub const FIRST: Self = Self { number: 1, at: None, by: None };
}

/// The id of a revision.
pub type RevisionId = i64;

/// The content of a row in one version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Revision {
    /// Later revisions have greater ids.
    pub id: RevisionId,
    /// The version number of the row.
    pub version: i64,
    pub at: Timestamp,
    /// The name of the person who saved it; `None` also after that account was deleted.
    pub by: Option<String>,
    /// The content as JSON, in the format of the workflow that saved it.
    pub content: String,
}

/// A revision to store.
#[derive(Clone, Copy, Debug)]
pub struct NewRevision<'a> {
    pub row: RowRef,
    pub version: i64,
    /// The person who saved it.
    pub by: Option<UserId>,
    pub at: Timestamp,
    /// The content as JSON.
    pub content: &'a str,
}

/// A reference to a row of the catalogue or of editorial content.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RowRef {
    pub kind: SubjectKind,
    pub id: i64,
}

/// The row has another version than the one the editor has read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("Another version was saved in the meantime. Nothing was changed.")]
pub struct EditConflict;

/// The requested order does not contain exactly the existing rows, because another editor added or deleted one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the order names other rows than there are")]
pub struct StaleOrder;

/// Returns the rows in the order of `ids`.
///
/// # Errors
/// [`StaleOrder`] if `ids` does not contain the id of every row exactly once.
pub fn ordered<T>(mut rows: Vec<T>, ids: &[i64], id_of: impl Fn(&T) -> i64) -> Result<Vec<T>, StaleOrder> {
    if rows.len() != ids.len() {
        return Err(StaleOrder);
    }
    let take = |id: &i64| {
        let at = rows.iter().position(|row| id_of(row) == *id).ok_or(StaleOrder)?;
        Ok(rows.swap_remove(at))
    };
    ids.iter().map(take).collect()
}

/// Reads of versions, available on any connection.
pub trait EditQueries {
    /// The versions of rows of one kind, in any order; rows in version 1 may be missing.
    fn row_versions(&mut self, kind: SubjectKind, rows: &[i64]) -> Result<Vec<(i64, RowVersion)>, StoreError>;

    /// The revisions of a row, newest first.
    fn revisions(&mut self, row: RowRef) -> Result<Vec<Revision>, StoreError>;

    /// The version of a row; [`RowVersion::FIRST`] if nobody has changed it.
    fn row_version(&mut self, row: RowRef) -> Result<RowVersion, StoreError> {
        let found = self.row_versions(row.kind, &[row.id])?.pop();
        Ok(found.map_or(RowVersion::FIRST, |(_, version)| version))
    }
}

/// Writes without business rules, available in any transaction.
pub trait EditCommands: EditQueries {
    /// Locks a row's version until the end of the transaction, and returns it.
    fn lock_row(&mut self, row: RowRef) -> Result<RowVersion, StoreError>;

    /// Increments a row's version and returns the new number.
    fn advance_row(&mut self, row: RowRef, by: Option<UserId>, now: Timestamp) -> Result<i64, StoreError>;

    /// Stores the content of a row in one version.
    fn insert_revision(&mut self, revision: NewRevision<'_>) -> Result<(), StoreError>;

    /// Deletes the version and the revisions of a deleted row.
    fn forget_row(&mut self, row: RowRef) -> Result<(), StoreError>;
}

/// The rules of editing, on top of the storage traits.
pub trait Edits: EditCommands {
    /// Locks a row for an edit based on version `read`; `None` skips the version check.
    ///
    /// # Errors
    /// The inner [`EditConflict`] if the row has another version by now.
    fn begin_edit(&mut self, row: RowRef, read: Option<i64>) -> Result<Result<RowVersion, EditConflict>, StoreError> {
        let there = self.lock_row(row)?;
        Ok(if read.is_none_or(|read| read == there.number) { Ok(there) } else { Err(EditConflict) })
    }
}

impl<S: EditCommands + ?Sized> Edits for S {}

#[cfg(test)]
mod tests {
    use super::{StaleOrder, ordered};

    #[test]
    fn an_order_names_every_row_once() {
        let rows = || vec![(1, "a"), (2, "b"), (3, "c")];
        let order = |ids: &[i64]| ordered(rows(), ids, |row| row.0);
        assert_eq!(order(&[3, 1, 2]), Ok(vec![(3, "c"), (1, "a"), (2, "b")]));
        assert_eq!(order(&[1, 2, 3]), Ok(rows()));
        for stale in [&[1, 2][..], &[1, 2, 3, 4], &[1, 2, 4], &[1, 1, 2], &[]] {
            assert_eq!(order(stale), Err(StaleOrder), "{stale:?}");
        }
    }
}
