//! What the positions of e-reader programs need from storage.

use kernel::{StoreError, UserId};

use crate::{BookDocument, DocumentId, SyncedPlace};

/// Reads, callable with any connection.
pub trait SyncQueries {
    /// The book of a file; `None`: it was never handed out here.
    fn book_document(&mut self, document: &DocumentId) -> Result<Option<BookDocument>, StoreError>;

    /// The member's position in a document.
    fn synced_place(&mut self, member: UserId, document: &DocumentId) -> Result<Option<SyncedPlace>, StoreError>;

    /// All of the member's positions, the latest first, then by document.
    fn synced_places(&mut self, member: UserId) -> Result<Vec<SyncedPlace>, StoreError>;
}

/// Writes that need no rule, callable in any transaction.
pub trait SyncCommands: SyncQueries {
    /// Stores which book a file has. One that is known already stays as it is.
    fn put_book_document(&mut self, document: &DocumentId, of: BookDocument) -> Result<(), StoreError>;

    /// Stores a position in the place of the member's earlier one in the document, and removes those beyond
    /// [`crate::SYNCED_DOCUMENTS`].
    fn put_synced_place(&mut self, member: UserId, place: &SyncedPlace) -> Result<(), StoreError>;
}
