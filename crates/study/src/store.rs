//! What highlights need from storage.

use kernel::{BookId, HighlightId, Limit, StoreError, UserId};

use crate::{BookHighlights, StoredHighlight, StudySettings};

/// Reads, callable with any connection.
pub trait StudyQueries {
    /// One of the member's highlights, deleted ones included.
    fn find_highlight(&mut self, member: UserId, id: HighlightId) -> Result<Option<StoredHighlight>, StoreError>;

    /// The member's highlights whose version is greater than `version`, deleted ones included, by version: one more than the
    /// limit when there are more.
    fn highlights_after(
        &mut self,
        member: UserId,
        version: u64,
        limit: Limit,
    ) -> Result<Vec<StoredHighlight>, StoreError>;

    /// The latest version of the member's records; 0 without any.
    fn study_version(&mut self, member: UserId) -> Result<u64, StoreError>;

    /// The member's highlights in a book; `None` when there never was one.
    fn highlights_in_book(&mut self, member: UserId, book: BookId) -> Result<Option<BookHighlights>, StoreError>;

    /// The member's settings; `None` before they are stored first.
    fn find_study_settings(&mut self, member: UserId) -> Result<Option<StudySettings>, StoreError>;

    /// The member's settings, or the defaults.
    fn study_settings(&mut self, member: UserId) -> Result<StudySettings, StoreError> {
        Ok(self.find_study_settings(member)?.unwrap_or_default())
    }
}

/// Writes that need no rule, callable in any transaction.
pub trait StudyCommands {
    /// Stores the member's settings. `false` when there is no such member.
    fn put_study_settings(&mut self, member: UserId, settings: StudySettings) -> Result<bool, StoreError>;
}

/// Storage of highlights, within one transaction. The rules are in [`crate::Study`].
pub trait StudyStore: StudyQueries + StudyCommands {
    /// Locks the member's records and returns their latest version. `None` when there is no such member.
    fn lock_study_member(&mut self, member: UserId) -> Result<Option<u64>, StoreError>;

    /// Stores a highlight, new or changed, with its version, which becomes the latest of the member's records. Their records are
    /// locked.
    fn put_highlight(&mut self, member: UserId, highlight: &StoredHighlight) -> Result<(), StoreError>;
}
