//! Editing insights of the day.

use admin::SubjectKind;
use catalogue::{BookRef, CatalogueLists as _};
use editorial::{Editorial, EditorialCommands, EditorialQueries, Insight, InsightEdit};
use kernel::{InsightId, Slug, StoreError};

use crate::{
    audit::AuditTrail,
    catalogue::editing::books::find_book,
    editing::{EditError, Versioned, begin, changed, created, deleted, row_ref, versioned},
    tx::Tx,
};

/// All insights, newest first, with their versions.
pub fn insights<A>(tx: &mut Tx<'_, '_, A>) -> Result<Vec<Versioned<Insight>>, StoreError> {
    let all = tx.pg.insights()?;
    versioned(tx, SubjectKind::Insight, all, |insight| insight.id.get())
}

/// Reads an insight with its version.
pub fn insight<A>(tx: &mut Tx<'_, '_, A>, id: InsightId) -> Result<Versioned<Insight>, EditError> {
    insights(tx)?.into_iter().find(|one| one.row.id == id).ok_or(EditError::Unknown("insight"))
}

/// The edit with the slug of the book that it names.
fn with_book(tx: &mut Tx<'_, '_>, edit: InsightEdit, book: Option<&BookRef>) -> Result<InsightEdit, EditError> {
    let Some(book) = book else { return Ok(edit) };
    let unknown = EditError::UnknownIn { field: "bookId", what: "book" };
    let Some(id) = find_book(tx, book)? else { return Err(unknown) };
    let name = tx.pg.book_names(&[id])?.remove(&id).ok_or(unknown)?;
    Ok(InsightEdit { book: Some(name.subid), ..edit })
}

/// Adds an insight about a book at the end of the rotation.
pub fn add_insight(
    tx: &mut Tx<'_, '_>,
    trail: &mut AuditTrail,
    edit: InsightEdit,
    book: Option<&BookRef>,
) -> Result<Versioned<Insight>, EditError> {
    let draft = with_book(tx, edit, book)?.draft();
    if tx.pg.insights()?.iter().any(|one| one.draft.title == draft.title) {
        return Err(EditError::Taken("title"));
    }
    let now = tx.now();
    let id = tx.pg.save_insight(&draft, now)?.id();
    created(trail, (row_ref(SubjectKind::Insight, id.get()), &draft.title), "insight.create");
    insight(tx, id)
}

/// Changes an insight, based on the version that the editor has read.
pub fn edit_insight(
    tx: &mut Tx<'_, '_>,
    trail: &mut AuditTrail,
    (id, read): (InsightId, Option<i64>),
    edit: InsightEdit,
    book: Option<&BookRef>,
) -> Result<Versioned<Insight>, EditError> {
    let row = row_ref(SubjectKind::Insight, id.get());
    begin(tx, row, read)?;
    let edit = with_book(tx, edit, book)?;
    let before = insight(tx, id)?.row.draft;
    let draft = edit.applied(&before);
    tx.pg.edit_insight(id, &draft)?;
    let (from, to) = (before.quoted.to_string(), draft.quoted.to_string());
    changed(
        tx,
        trail,
        (row, &draft.title),
        "insight.update",
        &[
            ("title", Some(&before.title), Some(&draft.title)),
            ("insight", Some(&before.insight), Some(&draft.insight)),
            ("bookId", before.book.as_ref().map(Slug::as_str), draft.book.as_ref().map(Slug::as_str)),
            ("quoted", Some(&from), Some(&to)),
        ],
    )?;
    insight(tx, id)
}

/// Deletes an insight.
pub fn delete_insight(tx: &mut Tx<'_, '_>, trail: &mut AuditTrail, id: InsightId) -> Result<(), EditError> {
    let row = row_ref(SubjectKind::Insight, id.get());
    begin(tx, row, None)?;
    let gone = insight(tx, id)?.row.draft;
    tx.pg.delete_insight(id)?;
    deleted(tx, trail, (row, &gone.title), "insight.delete")
}
