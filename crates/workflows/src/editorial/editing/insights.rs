//! Editing thoughts for a day.

use admin::SubjectKind;
use catalogue::CatalogueQueries;
use editorial::{Editorial, EditorialCommands, EditorialQueries, Insight, InsightDraft};
use kernel::{InsightId, Slug, StoreError};

use crate::{
    audit::AuditTrail,
    editing::{EditError, Versioned, begin, changed, created, deleted, row_ref, versioned},
    tx::Tx,
};

/// What an editor writes about a thought for a day. A field that is none stays as it is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InsightEdit {
    /// A few words; the first words of the thought when it is added without.
    pub title: Option<String>,
    /// The thought.
    pub insight: Option<String>,
    /// The book that it is from or about.
    pub book: Option<Slug>,
    /// Whether it is a quotation.
    pub quoted: Option<bool>,
}

/// How many words of a thought make its title.
const TITLE_WORDS: usize = 6;

/// All thoughts, the newest first.
pub fn insights<A>(tx: &mut Tx<'_, '_, A>) -> Result<Vec<Versioned<Insight>>, StoreError> {
    let all = tx.pg.insights()?;
    versioned(tx, SubjectKind::Insight, all, |insight| insight.id.get())
}

/// A thought.
pub fn insight<A>(tx: &mut Tx<'_, '_, A>, id: InsightId) -> Result<Versioned<Insight>, EditError> {
    insights(tx)?.into_iter().find(|one| one.row.id == id).ok_or(EditError::Unknown("insight"))
}

/// Refuses a book that is not there.
fn check_book(tx: &mut Tx<'_, '_>, book: Option<&Slug>) -> Result<(), EditError> {
    let Some(subid) = book else { return Ok(()) };
    tx.pg.find_book_draft(subid)?.map(|_| ()).ok_or(EditError::Unknown("book"))
}

/// Adds a thought.
pub fn add_insight(
    tx: &mut Tx<'_, '_>,
    trail: &mut AuditTrail,
    edit: InsightEdit,
) -> Result<Versioned<Insight>, EditError> {
    check_book(tx, edit.book.as_ref())?;
    let thought = edit.insight.unwrap_or_default();
    let words = || thought.split_whitespace().take(TITLE_WORDS).collect::<Vec<_>>().join(" ");
    let title = edit.title.filter(|title| !title.trim().is_empty()).unwrap_or_else(words);
    if tx.pg.insights()?.iter().any(|one| one.draft.title == title) {
        return Err(EditError::Taken("title"));
    }
    let draft = InsightDraft { title, insight: thought, book: edit.book, quoted: edit.quoted.unwrap_or(true) };
    let now = tx.now();
    let id = tx.pg.save_insight(&draft, now)?.id();
    created(trail, (row_ref(SubjectKind::Insight, id.get()), &draft.title), "insight.create");
    insight(tx, id)
}

/// Changes a thought, based on the version that the editor has read.
pub fn edit_insight(
    tx: &mut Tx<'_, '_>,
    trail: &mut AuditTrail,
    (id, read): (InsightId, Option<i64>),
    edit: InsightEdit,
) -> Result<Versioned<Insight>, EditError> {
    let row = row_ref(SubjectKind::Insight, id.get());
    begin(tx, row, read)?;
    check_book(tx, edit.book.as_ref())?;
    let before = insight(tx, id)?.row.draft;
    let draft = InsightDraft {
        title: edit.title.unwrap_or_else(|| before.title.clone()),
        insight: edit.insight.unwrap_or_else(|| before.insight.clone()),
        book: edit.book.or_else(|| before.book.clone()),
        quoted: edit.quoted.unwrap_or(before.quoted),
    };
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

/// Deletes a thought for a day.
pub fn delete_insight(tx: &mut Tx<'_, '_>, trail: &mut AuditTrail, id: InsightId) -> Result<(), EditError> {
    let row = row_ref(SubjectKind::Insight, id.get());
    begin(tx, row, None)?;
    let gone = insight(tx, id)?.row.draft;
    tx.pg.delete_insight(id)?;
    deleted(tx, trail, (row, &gone.title), "insight.delete")
}
