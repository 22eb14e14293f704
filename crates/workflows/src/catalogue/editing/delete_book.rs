//! Deleting a book.

use admin::SubjectKind;
use kernel::BookId;

use crate::{
    audit::AuditTrail,
    catalogue::editing::books,
    editing::{EditError, begin, deleted, in_use, row_ref},
    recording_files,
    tx::Tx,
};

/// Deletes a book that no member has used. Any other book can only be unpublished.
pub fn delete_book(tx: &mut Tx<'_, '_>, trail: &mut AuditTrail, id: BookId) -> Result<(), EditError> {
    let row = row_ref(SubjectKind::Book, id.get());
    begin(tx, row, None)?;
    let book = books::edited_book(tx, id)?.ok_or(EditError::Unknown("book"))?;
    let now = tx.now();
    if !recording_files::delete_book(tx.pg, id, now)? {
        let text = "Members have opened, saved or bought this book, so it has to stay for them. Unpublish it instead.";
        return Err(in_use(text));
    }
    deleted(tx, trail, (row, &book.draft.title), "book.delete")
}
