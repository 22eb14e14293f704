//! Versions of what editors work on: two people who edit one row hear of each other, and what was overwritten is kept.

use kernel::{StoreError, Timestamp, UserId};

use crate::SubjectKind;

/// The version of a row, by which an editor shows what they have read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowVersion {
    /// The number: 1 until a person has changed the row.
    pub number: i64,
    /// When it was saved; none until a person has changed the row.
    pub at: Option<Timestamp>,
    /// The name of the person who saved it; none also when the account was deleted.
    pub by: Option<String>,
}

impl RowVersion {
    /// The version of a row that no person has changed.
    pub const FIRST: Self = Self { number: 1, at: None, by: None };
}

/// The number of a revision.
pub type RevisionId = i64;

/// What a row said in one version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Revision {
    /// Its number; later ones are greater.
    pub id: RevisionId,
    /// The version of the row.
    pub version: i64,
    /// When it was saved.
    pub at: Timestamp,
    /// The name of the person who saved it.
    pub by: Option<String>,
    /// What the row said, as JSON of the workflow that saved it.
    pub content: String,
}

/// A revision that is to be stored.
#[derive(Clone, Copy, Debug)]
pub struct NewRevision<'a> {
    pub row: RowRef,
    pub version: i64,
    /// Who saved it.
    pub by: Option<UserId>,
    pub at: Timestamp,
    /// What the row says, as JSON.
    pub content: &'a str,
}

/// A row of the catalogue or the editorial part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RowRef {
    /// What kind of thing it is.
    pub kind: SubjectKind,
    /// Its number.
    pub id: i64,
}

/// The row has another version than the one that an editor has read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("Another version was saved in the meantime. Nothing was changed.")]
pub struct EditConflict;

/// An order names other rows than there are: another editor added or deleted one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the order names other rows than there are")]
pub struct StaleOrder;

/// The rows in the order of their numbers.
///
/// # Errors
/// [`StaleOrder`] when the numbers are not those of all rows, each once.
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

/// Reads of versions, callable by everyone who holds a connection.
pub trait EditQueries {
    /// The versions of rows of one kind, in any order; rows in version 1 may be left out.
    fn row_versions(&mut self, kind: SubjectKind, rows: &[i64]) -> Result<Vec<(i64, RowVersion)>, StoreError>;

    /// The revisions of a row, the latest first.
    fn revisions(&mut self, row: RowRef) -> Result<Vec<Revision>, StoreError>;

    /// The version of a row.
    fn row_version(&mut self, row: RowRef) -> Result<RowVersion, StoreError> {
        let found = self.row_versions(row.kind, &[row.id])?.pop();
        Ok(found.map_or(RowVersion::FIRST, |(_, version)| version))
    }
}

/// Changes that need no rule, callable by everyone who holds a transaction.
pub trait EditCommands: EditQueries {
    /// Locks a row's version until the transaction ends, and gives it.
    fn lock_row(&mut self, row: RowRef) -> Result<RowVersion, StoreError>;

    /// Puts the next version in the place of a row's, and gives its number.
    fn advance_row(&mut self, row: RowRef, by: Option<UserId>, now: Timestamp) -> Result<i64, StoreError>;

    /// Stores what a row says in a version.
    fn insert_revision(&mut self, revision: NewRevision<'_>) -> Result<(), StoreError>;

    /// Removes the version and the revisions of a row that is deleted.
    fn forget_row(&mut self, row: RowRef) -> Result<(), StoreError>;
}

/// What is made of versions.
pub trait Edits: EditCommands {
    /// Locks a row for an edit that is based on a version; without one on whatever there is.
    ///
    /// # Errors
    /// [`EditConflict`] within when the row has another version by now.
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
