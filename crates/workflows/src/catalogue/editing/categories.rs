//! Editing categories.

use admin::{SubjectKind, ordered};
use catalogue::{
    Catalogue, CatalogueQueries, Category, CategoryDraft, CategoryEdit, EditingCommands, EditingQueries, Naming,
};
use kernel::{CategoryId, Slug, StoreError};

use crate::{
    audit::AuditTrail,
    catalogue::editing::books,
    editing::{
        EditError, Versioned, begin, changed, created, deleted, in_use, place_of, remove_pictures, reordered, row_ref,
        versioned,
    },
    tx::Tx,
};

/// Reorders all categories.
pub fn order_categories(
    tx: &mut Tx<'_, '_>,
    trail: &mut AuditTrail,
    ids: &[CategoryId],
) -> Result<Vec<Versioned<Category>>, EditError> {
    let before = tx.pg.categories()?;
    let names = |all: &[Category]| all.iter().map(|one| one.draft.name.clone()).collect::<Vec<_>>();
    let ids: Vec<i64> = ids.iter().map(|id| id.get()).collect();
    let after = ordered(before.clone(), &ids, |one| one.id.get())?;
    let now = tx.now();
    for (at, one) in after.iter().enumerate() {
        tx.pg.save_category(&CategoryDraft { place: place_of(at), ..one.draft.clone() }, now)?;
    }
    reordered(trail, SubjectKind::Category, "category.order", (&names(&before), &names(&after)));
    Ok(categories(tx)?)
}

/// All categories, in their order, with their versions.
pub fn categories<A>(tx: &mut Tx<'_, '_, A>) -> Result<Vec<Versioned<Category>>, StoreError> {
    let categories = tx.pg.categories()?;
    versioned(tx, SubjectKind::Category, categories, |category| category.id.get())
}

/// Reads a category with its version. Fails with [`EditError::Unknown`] if there is no such category.
pub fn category<A>(tx: &mut Tx<'_, '_, A>, id: CategoryId) -> Result<Versioned<Category>, EditError> {
    categories(tx)?.into_iter().find(|one| one.row.id == id).ok_or(EditError::Unknown("category"))
}

/// Adds a category at the end of the order.
pub fn add_category(
    tx: &mut Tx<'_, '_>,
    trail: &mut AuditTrail,
    edit: &CategoryEdit,
) -> Result<Versioned<Category>, EditError> {
    let name = edit.name.clone().unwrap_or_default();
    let there = tx.pg.categories()?;
    let subid = Slug::of_name(&name).ok_or(EditError::Missing { field: "name", label: "Name" })?;
    if there.iter().any(|one| one.draft.subid == subid) {
        return Err(EditError::Taken("name"));
    }
    let draft = edit.clone().draft(subid, place_of(there.len()));
    let now = tx.now();
    let id = tx.pg.save_category(&draft, now)?.id();
    created(trail, (row_ref(SubjectKind::Category, id.get()), &draft.name), "category.create");
    category(tx, id)
}

/// Changes a category, based on the version that the editor has read. A new name or hue also changes its books' pages.
pub fn edit_category(
    tx: &mut Tx<'_, '_>,
    trail: &mut AuditTrail,
    (id, read): (CategoryId, Option<i64>),
    edit: CategoryEdit,
) -> Result<Versioned<Category>, EditError> {
    let row = row_ref(SubjectKind::Category, id.get());
    begin(tx, row, read)?;
    let before = category(tx, id)?.row.draft;
    let draft = edit.applied(&before);
    let now = tx.now();
    tx.pg.save_category(&draft, now)?;
    let after = category(tx, id)?.row.draft;
    let texts = |draft: &CategoryDraft| (draft.hue.to_string(), draft.place.to_string());
    let (from, to) = (texts(&before), texts(&after));
    changed(
        tx,
        trail,
        (row, &after.name),
        "category.update",
        &[
            ("name", Some(&before.name), Some(&after.name)),
            ("hue", Some(&from.0), Some(&to.0)),
            ("place", Some(&from.1), Some(&to.1)),
        ],
    )?;
    category(tx, id)
}

/// Deletes a category and removes it from its books. Fails if a book has no other category.
pub fn delete_category(tx: &mut Tx<'_, '_>, trail: &mut AuditTrail, id: CategoryId) -> Result<(), EditError> {
    let row = row_ref(SubjectKind::Category, id.get());
    begin(tx, row, None)?;
    let gone = category(tx, id)?.row.draft;
    let of_it = tx.pg.books_naming(Naming::Category(id))?;
    for (_, subid) in &of_it {
        let draft = tx.pg.find_book_draft(subid)?;
        if draft.is_some_and(|(_, draft)| draft.categories.len() < 2) {
            return Err(in_use("Some books are in no other category. Move them first."));
        }
    }
    for (book, _) in of_it {
        books::rewrite_book(tx, trail, book, |draft| draft.categories.retain(|subid| *subid != gone.subid))?;
    }
    if !tx.pg.delete_category(id)? {
        return Err(in_use("A book was just added to this category. Try again."));
    }
    remove_pictures(tx, [gone.small_image])?;
    deleted(tx, trail, (row, &gone.name), "category.delete")
}
