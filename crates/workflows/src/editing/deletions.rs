//! Deleting rows of the catalogue and of the editorial part: what they were called stays in the audit log.

use admin::{AuditEvent, EditCommands, RowRef, Subject, SubjectKind};
use catalogue::{CatalogueQueries, EditingCommands, EditingQueries, Goal, Naming};
use editorial::EditorialCommands;
use kernel::{BookId, CategoryId, CollectionId, GoalId, InsightId, PodcastId, PostId, StoreError};

use super::{EditError, begin, books, rows};
use crate::{audit::AuditTrail, recording_files, tx::Tx};

const fn row_ref(kind: SubjectKind, id: i64) -> RowRef {
    RowRef { kind, id }
}

/// Forgets the versions of a row that was deleted, and records its deletion.
pub(super) fn deleted(
    tx: &mut Tx<'_, '_>,
    trail: &mut AuditTrail,
    (row, name): (RowRef, &str),
    action: &'static str,
) -> Result<(), EditError> {
    tx.pg.forget_row(row)?;
    trail.record(AuditEvent::new(action, Subject::named(row.kind, row.id, name)));
    Ok(())
}

fn in_use(text: &str) -> EditError {
    EditError::InUse(text.to_owned())
}

/// Queues the removal of the pictures of a row that was deleted. A page that shows one may be open for days.
fn remove_pictures(tx: &mut Tx<'_, '_>, pictures: impl IntoIterator<Item = Option<String>>) -> Result<(), StoreError> {
    let now = tx.now();
    pictures.into_iter().try_for_each(|key| recording_files::replaced_upload(tx.pg, key.as_deref(), None, now))
}

/// Deletes a book that no member has anything of. One that a member has stays, and may be taken out of the catalogue.
pub fn delete_book(tx: &mut Tx<'_, '_>, trail: &mut AuditTrail, id: BookId) -> Result<(), EditError> {
    let row = row_ref(SubjectKind::Book, id.get());
    begin(tx, row, None)?;
    let book = books::edited_book(tx, id)?.ok_or(EditError::Unknown("book"))?;
    let now = tx.now();
    if !recording_files::delete_book(tx.pg, id, now)? {
        let text =
            "Members have opened, kept or bought this book: it stays for them. Take it out of the catalogue instead.";
        return Err(in_use(text));
    }
    deleted(tx, trail, (row, &book.draft.title), "book.delete")
}

/// Deletes a category, also from its books; unless a book has no other one.
pub fn delete_category(tx: &mut Tx<'_, '_>, trail: &mut AuditTrail, id: CategoryId) -> Result<(), EditError> {
    let row = row_ref(SubjectKind::Category, id.get());
    begin(tx, row, None)?;
    let gone = rows::category(tx, id)?.row.draft;
    let of_it = tx.pg.books_naming(Naming::Category(id))?;
    for (_, subid) in &of_it {
        let draft = tx.pg.find_book_draft(subid)?;
        if draft.is_some_and(|(_, draft)| draft.categories.len() < 2) {
            return Err(in_use("There are books that stand in no other category. Move them first."));
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

/// Deletes a goal, also from its books and from what members chose.
pub fn delete_goal(tx: &mut Tx<'_, '_>, trail: &mut AuditTrail, id: GoalId) -> Result<(), EditError> {
    let row = row_ref(SubjectKind::Goal, id.get());
    begin(tx, row, None)?;
    let Goal { draft: gone, pictures, .. } = rows::goal(tx, id)?.row;
    for (book, _) in tx.pg.books_naming(Naming::Goal(id))? {
        books::rewrite_book(tx, trail, book, |draft| draft.goals.retain(|slug| *slug != gone.slug))?;
    }
    if !tx.pg.delete_goal(id)? {
        return Err(in_use("A book was just given this goal. Try again."));
    }
    remove_pictures(tx, [pictures.photo, pictures.feature_photo])?;
    deleted(tx, trail, (row, &gone.title), "goal.delete")
}

/// Deletes a collection. Its books stay.
pub fn delete_collection(tx: &mut Tx<'_, '_>, trail: &mut AuditTrail, id: CollectionId) -> Result<(), EditError> {
    let row = row_ref(SubjectKind::Collection, id.get());
    begin(tx, row, None)?;
    let gone = rows::collection(tx, id)?.row.draft;
    tx.pg.delete_collection(id)?;
    remove_pictures(tx, [gone.image])?;
    deleted(tx, trail, (row, &gone.title), "collection.delete")
}

/// Deletes a post of the blog.
pub fn delete_post(tx: &mut Tx<'_, '_>, trail: &mut AuditTrail, id: PostId) -> Result<(), EditError> {
    let row = row_ref(SubjectKind::Post, id.get());
    begin(tx, row, None)?;
    let gone = rows::post(tx, id)?.row.card;
    tx.pg.delete_post(id)?;
    remove_pictures(tx, [gone.photo])?;
    deleted(tx, trail, (row, &gone.title), "post.delete")
}

/// Deletes an episode of the podcast. Its files are removed once nobody can be listening to it.
pub fn delete_podcast(tx: &mut Tx<'_, '_>, trail: &mut AuditTrail, id: PodcastId) -> Result<(), EditError> {
    let row = row_ref(SubjectKind::Podcast, id.get());
    begin(tx, row, None)?;
    let gone = rows::podcast(tx, id)?.row.card;
    let now = tx.now();
    recording_files::delete_podcast(tx.pg, &gone, now)?;
    deleted(tx, trail, (row, &gone.title), "podcast.delete")
}

/// Deletes a thought for a day.
pub fn delete_insight(tx: &mut Tx<'_, '_>, trail: &mut AuditTrail, id: InsightId) -> Result<(), EditError> {
    let row = row_ref(SubjectKind::Insight, id.get());
    begin(tx, row, None)?;
    let gone = rows::insight(tx, id)?.row.draft;
    tx.pg.delete_insight(id)?;
    deleted(tx, trail, (row, &gone.title), "insight.delete")
}
