//! Editing illustrated key ideas one by one: adding, changing, ordering, deleting, and their pictures.

use std::collections::HashMap;

use admin::{AuditEvent, EditCommands, EditQueries, Subject, SubjectKind};
use catalogue::{
    BookChange, BookName, BookRef, CatalogueLists, EditedVisual, EditingCommands, EditingQueries, VisualEdit,
};
use kernel::{BookId, Slug, StoreError, VisualId};

use crate::{audit::AuditTrail, recording_files, tx::Tx};
use crate::{
    catalogue::editing::{books::find_book, changes::after_book_change},
    editing::{EditError, Versioned, begin, changed, created, row_ref, uploaded, versioned},
};

/// A key idea with its book's names.
#[derive(Clone, Debug)]
pub struct BookVisual {
    pub visual: EditedVisual,
    /// The book's slug.
    pub subid: Slug,
    pub title: String,
}

fn named(visual: EditedVisual, names: &HashMap<BookId, BookName>) -> Option<BookVisual> {
    let name = names.get(&visual.book)?;
    Some(BookVisual { subid: name.subid.clone(), title: name.title.clone(), visual })
}

/// All key ideas, by book and place, with their versions.
pub fn visuals<A>(tx: &mut Tx<'_, '_, A>) -> Result<Vec<Versioned<BookVisual>>, StoreError> {
    let all = tx.pg.edited_visuals()?;
    let mut books: Vec<BookId> = all.iter().map(|visual| visual.book).collect();
    books.dedup();
    let names = tx.pg.book_names(&books)?;
    let rows = all.into_iter().filter_map(|visual| named(visual, &names)).collect();
    versioned(tx, SubjectKind::Visual, rows, |row| row.visual.id.get())
}

/// Reads a key idea with its version. Fails with [`EditError::Unknown`] if there is no such key idea.
pub fn visual<A>(tx: &mut Tx<'_, '_, A>, id: VisualId) -> Result<Versioned<BookVisual>, EditError> {
    let found = tx.pg.edited_visual(id)?.ok_or(EditError::Unknown("visual"))?;
    let names = tx.pg.book_names(&[found.book])?;
    let row = named(found, &names).ok_or(EditError::Unknown("visual"))?;
    Ok(Versioned { row, version: tx.pg.row_version(row_ref(SubjectKind::Visual, id.get()))? })
}

fn book_of(tx: &mut Tx<'_, '_>, book: &BookRef) -> Result<BookId, EditError> {
    find_book(tx, book)?.ok_or(EditError::UnknownIn { field: "bookId", what: "book" })
}

/// Adds a key idea after its book's others. Readers see it once it has a picture.
pub fn add_visual(
    tx: &mut Tx<'_, '_>,
    trail: &mut AuditTrail,
    edit: VisualEdit,
) -> Result<Versioned<BookVisual>, EditError> {
    let book = edit.book.ok_or(EditError::Missing { field: "bookId", label: "Book" })?;
    let (title, body) = (edit.title.unwrap_or_default(), edit.body.unwrap_or_default());
    // The store assigns the id.
    let (id, book) = (VisualId::from_store(0), book_of(tx, &book)?);
    let idea = EditedVisual { id, book, title, body, image: None, drawing: None }.normalised()?;
    let id = tx.pg.insert_visual(&idea)?;
    created(trail, (row_ref(SubjectKind::Visual, id.get()), &idea.title), "visual.create");
    visual(tx, id)
}

/// Changes a key idea, based on the version that the editor has read. Moved to another book, it comes after that book's others.
pub fn edit_visual(
    tx: &mut Tx<'_, '_>,
    trail: &mut AuditTrail,
    (id, read): (VisualId, Option<i64>),
    edit: VisualEdit,
) -> Result<Versioned<BookVisual>, EditError> {
    let row = row_ref(SubjectKind::Visual, id.get());
    begin(tx, row, read)?;
    let before = visual(tx, id)?.row.visual;
    let book = match &edit.book {
        None => before.book,
        Some(book) => book_of(tx, book)?,
    };
    let after = edit.applied(&before, book).normalised()?;
    let now = tx.now();
    recording_files::update_visual(tx.pg, &after, before.book, now)?;
    if after != before {
        after_book_change(tx, after.book, BookChange::KeyIdeas)?;
    }
    if after.book != before.book {
        after_book_change(tx, before.book, BookChange::KeyIdeas)?;
    }
    let (from, to) = (before.book.to_string(), after.book.to_string());
    changed(
        tx,
        trail,
        (row, &after.title),
        "visual.update",
        &[
            ("title", Some(&before.title), Some(&after.title)),
            ("body", Some(&before.body), Some(&after.body)),
            ("bookId", Some(&from), Some(&to)),
            ("image", before.image.as_deref(), after.image.as_deref()),
        ],
    )?;
    visual(tx, id)
}

/// Deletes a key idea.
pub fn delete_visual(tx: &mut Tx<'_, '_>, trail: &mut AuditTrail, id: VisualId) -> Result<(), EditError> {
    let row = row_ref(SubjectKind::Visual, id.get());
    begin(tx, row, None)?;
    let gone = visual(tx, id)?.row.visual;
    let now = tx.now();
    recording_files::delete_visual(tx.pg, id, gone.book, now)?;
    after_book_change(tx, gone.book, BookChange::KeyIdeas)?;
    tx.pg.forget_row(row)?;
    trail.record(AuditEvent::new("visual.delete", Subject::named(row.kind, row.id, &gone.title)));
    Ok(())
}

/// Reorders a book's key ideas; the order must name each of them once.
///
/// # Errors
/// [`EditError::OrderStale`] if it does not, because another editor has added, moved or deleted one.
pub fn order_visuals(
    tx: &mut Tx<'_, '_>,
    trail: &mut AuditTrail,
    book: &BookRef,
    order: &[VisualId],
) -> Result<Vec<Versioned<BookVisual>>, EditError> {
    let book = book_of(tx, book)?;
    begin(tx, row_ref(SubjectKind::Book, book.get()), None)?;
    let of_book = |tx: &mut Tx<'_, '_>| {
        let all = visuals(tx)?;
        Ok::<_, StoreError>(all.into_iter().filter(|one| one.row.visual.book == book).collect::<Vec<_>>())
    };
    let (mut there, mut wanted) = (of_book(tx)?, order.to_vec());
    there.sort_by_key(|one| one.row.visual.id);
    wanted.sort();
    if !there.iter().map(|one| one.row.visual.id).eq(wanted) {
        return Err(EditError::OrderStale);
    }
    tx.pg.order_visuals(book, order)?;
    after_book_change(tx, book, BookChange::KeyIdeas)?;
    let ordered = of_book(tx)?;
    let name = ordered.first().map_or_else(String::new, |one| one.row.title.clone());
    trail.record(AuditEvent::new("visual.order", Subject::named(SubjectKind::Book, book.get(), &name)));
    Ok(ordered)
}

/// Replaces a key idea's picture with an uploaded one, by its object store key. `thumb` is a small rendition for lists, used
/// while no picture of all key ideas was drawn.
pub fn attach_visual_photo(
    tx: &mut Tx<'_, '_>,
    trail: &mut AuditTrail,
    id: VisualId,
    (key, thumb): (&str, &str),
) -> Result<Versioned<BookVisual>, EditError> {
    let row = row_ref(SubjectKind::Visual, id.get());
    begin(tx, row, None)?;
    let before = visual(tx, id)?.row.visual;
    tx.pg.update_visual(&EditedVisual { image: Some(key.to_owned()), ..before.clone() })?;
    let now = tx.now();
    if tx.pg.insert_visual_set(before.book, thumb, now)? {
        recording_files::replaced_upload(tx.pg, None, Some(thumb), now)?;
    } else {
        // Lists show another picture: removes the thumbnail now instead of leaving it to the file sweep.
        recording_files::replaced_upload(tx.pg, Some(thumb), None, now)?;
    }
    after_book_change(tx, before.book, BookChange::KeyIdeas)?;
    uploaded(tx, trail, (row, &before.title), "visual.upload", ("image", before.image.as_deref(), key))?;
    visual(tx, id)
}
