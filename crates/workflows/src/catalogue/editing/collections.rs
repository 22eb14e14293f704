//! Editing collections.

use admin::{EditQueries, SubjectKind};
use catalogue::{Catalogue, CatalogueLists, CatalogueQueries, Collection, CollectionDraft, EditingCommands};
use kernel::{BookId, CategoryId, CollectionId, Limit, Page, Slug, StoreError};

use crate::{
    audit::AuditTrail,
    editing::{EditError, Versioned, begin, changed, created, deleted, remove_pictures, row_ref, versioned},
    tx::Tx,
};

/// An editor's changes to a collection. `None` leaves a field as it is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CollectionEdit {
    pub title: Option<String>,
    pub subtitle: Option<String>,
    /// The categories, in their order.
    pub categories: Option<Vec<CategoryId>>,
    /// The chosen books, in their order.
    pub books: Option<Vec<BookId>>,
}

/// All collections by title, with their versions.
pub fn collections<A>(tx: &mut Tx<'_, '_, A>) -> Result<Vec<Versioned<Collection>>, StoreError> {
    let mut all = Page::all(|after| tx.pg.collections(after, Limit::clamped(Limit::MAX)))?;
    all.sort_by_key(|one| (one.draft.key(), one.id));
    versioned(tx, SubjectKind::Collection, all, |one| one.id.get())
}

/// Reads a collection with its version. Fails with [`EditError::Unknown`] if there is no such collection.
pub fn collection<A>(tx: &mut Tx<'_, '_, A>, id: CollectionId) -> Result<Versioned<Collection>, EditError> {
    let found = tx.pg.collection(id)?.ok_or(EditError::Unknown("collection"))?;
    let version = tx.pg.row_version(row_ref(SubjectKind::Collection, id.get()))?;
    Ok(Versioned { row: found, version })
}

/// The slugs of categories.
fn subids(tx: &mut Tx<'_, '_>, ids: &[CategoryId]) -> Result<Vec<Slug>, EditError> {
    let all = tx.pg.categories()?;
    let of = |id: &CategoryId| all.iter().find(|one| one.id == *id).map(|one| one.draft.subid.clone());
    ids.iter().map(|id| of(id).ok_or(EditError::UnknownIn { field: "categories", what: "category" })).collect()
}

/// The slugs of books.
fn subids_of_books(tx: &mut Tx<'_, '_>, ids: &[BookId]) -> Result<Vec<Slug>, EditError> {
    let names = tx.pg.book_names(ids)?;
    let of = |id: &BookId| names.get(id).map(|book| book.subid.clone());
    ids.iter().map(|id| of(id).ok_or(EditError::UnknownIn { field: "books", what: "book" })).collect()
}

/// Adds a collection that is dated now.
pub fn add_collection(
    tx: &mut Tx<'_, '_>,
    trail: &mut AuditTrail,
    edit: &CollectionEdit,
) -> Result<Versioned<Collection>, EditError> {
    let draft = CollectionDraft {
        title: edit.title.clone().unwrap_or_default(),
        subtitle: edit.subtitle.clone().unwrap_or_default(),
        image: None,
        upload_date: tx.now(),
        categories: subids(tx, edit.categories.as_deref().unwrap_or_default())?,
        books: subids_of_books(tx, edit.books.as_deref().unwrap_or_default())?,
    };
    let id = tx.pg.create_collection(&draft)?;
    created(trail, (row_ref(SubjectKind::Collection, id.get()), &draft.title), "collection.create");
    collection(tx, id)
}

/// Changes a collection, based on the version that the editor has read.
pub fn edit_collection(
    tx: &mut Tx<'_, '_>,
    trail: &mut AuditTrail,
    (id, read): (CollectionId, Option<i64>),
    edit: CollectionEdit,
) -> Result<Versioned<Collection>, EditError> {
    let row = row_ref(SubjectKind::Collection, id.get());
    begin(tx, row, read)?;
    let before = collection(tx, id)?.row.draft;
    let categories = match &edit.categories {
        None => before.categories.clone(),
        Some(ids) => subids(tx, ids)?,
    };
    let books = match &edit.books {
        None => before.books.clone(),
        Some(ids) => subids_of_books(tx, ids)?,
    };
    let draft = CollectionDraft {
        title: edit.title.unwrap_or_else(|| before.title.clone()),
        subtitle: edit.subtitle.unwrap_or_else(|| before.subtitle.clone()),
        categories,
        books,
        ..before.clone()
    };
    tx.pg.edit_collection(id, &draft)?;
    let after = collection(tx, id)?.row.draft;
    let list = |slugs: &[Slug]| slugs.iter().map(Slug::as_str).collect::<Vec<_>>().join(", ");
    let (from, to) = (list(&before.categories), list(&after.categories));
    let (books_from, books_to) = (list(&before.books), list(&after.books));
    changed(
        tx,
        trail,
        (row, &after.title),
        "collection.update",
        &[
            ("title", Some(&before.title), Some(&after.title)),
            ("subtitle", Some(&before.subtitle), Some(&after.subtitle)),
            ("categories", Some(&from), Some(&to)),
            ("books", Some(&books_from), Some(&books_to)),
        ],
    )?;
    collection(tx, id)
}

/// Deletes a collection. Its books stay.
pub fn delete_collection(tx: &mut Tx<'_, '_>, trail: &mut AuditTrail, id: CollectionId) -> Result<(), EditError> {
    let row = row_ref(SubjectKind::Collection, id.get());
    begin(tx, row, None)?;
    let gone = collection(tx, id)?.row.draft;
    tx.pg.delete_collection(id)?;
    remove_pictures(tx, [gone.image])?;
    deleted(tx, trail, (row, &gone.title), "collection.delete")
}
