//! Editing blog posts.

use admin::{EditQueries, SubjectKind};
use editorial::{Editorial, EditorialCommands, EditorialQueries, Post, PostDraft, PostEdit};
use kernel::{Limit, Page, PostId, StoreError};

use crate::{
    audit::AuditTrail,
    editing::{
        EditError, Versioned, begin, changed, created, deleted, free_slug, remove_pictures, row_ref, uploaded,
        versioned,
    },
    tx::Tx,
};

/// All posts, newest first, with their versions.
pub fn posts<A>(tx: &mut Tx<'_, '_, A>) -> Result<Vec<Versioned<Post>>, StoreError> {
    let mut all = Vec::new();
    for card in Page::all(|after| tx.pg.posts(None, after, Limit::clamped(Limit::MAX)))? {
        all.extend(tx.pg.post(&card.slug)?);
    }
    versioned(tx, SubjectKind::Post, all, |post| post.card.id.get())
}

/// Reads a post with its version.
pub fn post<A>(tx: &mut Tx<'_, '_, A>, id: PostId) -> Result<Versioned<Post>, EditError> {
    let slug = tx.pg.post_slug(id)?.ok_or(EditError::Unknown("post"))?;
    let found = tx.pg.post(&slug)?.ok_or(EditError::Unknown("post"))?;
    Ok(Versioned { row: found, version: tx.pg.row_version(row_ref(SubjectKind::Post, id.get()))? })
}

/// Adds a post, published now.
pub fn add_post(tx: &mut Tx<'_, '_>, trail: &mut AuditTrail, edit: PostEdit) -> Result<Versioned<Post>, EditError> {
    let title = edit.title.clone().unwrap_or_default();
    let slug = free_slug(tx, &title, |tx, slug| Ok(tx.pg.post(slug)?.is_some()))?;
    let now = tx.now();
    let draft = edit.draft(slug, now);
    let id = tx.pg.save_post(&draft, now)?.id();
    created(trail, (row_ref(SubjectKind::Post, id.get()), &draft.title), "post.create");
    post(tx, id)
}

/// Changes a post, based on the version that the editor has read.
pub fn edit_post(
    tx: &mut Tx<'_, '_>,
    trail: &mut AuditTrail,
    (id, read): (PostId, Option<i64>),
    edit: PostEdit,
) -> Result<Versioned<Post>, EditError> {
    let row = row_ref(SubjectKind::Post, id.get());
    begin(tx, row, read)?;
    let before = post(tx, id)?.row;
    let card = &before.card;
    let draft = edit.applied(PostDraft::of(&before));
    let now = tx.now();
    tx.pg.save_post(&draft, now)?;
    let after = post(tx, id)?.row;
    let names = |post: &Post| PostDraft::of(post).categories.join(", ");
    let (from, to) = (names(&before), names(&after));
    changed(
        tx,
        trail,
        (row, &after.card.title),
        "post.update",
        &[
            ("title", Some(&card.title), Some(&after.card.title)),
            ("description", Some(&card.description), Some(&after.card.description)),
            ("categories", Some(&from), Some(&to)),
            ("text", Some(&before.text), Some(&after.text)),
            ("author", Some(&card.author), Some(&after.card.author)),
        ],
    )?;
    post(tx, id)
}

/// Deletes a blog post.
pub fn delete_post(tx: &mut Tx<'_, '_>, trail: &mut AuditTrail, id: PostId) -> Result<(), EditError> {
    let row = row_ref(SubjectKind::Post, id.get());
    begin(tx, row, None)?;
    let gone = post(tx, id)?.row.card;
    tx.pg.delete_post(id)?;
    remove_pictures(tx, [gone.photo])?;
    deleted(tx, trail, (row, &gone.title), "post.delete")
}

/// Replaces a post's picture with an uploaded one, by its object store key.
pub fn attach_post_photo(
    tx: &mut Tx<'_, '_>,
    trail: &mut AuditTrail,
    id: PostId,
    key: &str,
) -> Result<Versioned<Post>, EditError> {
    let row = row_ref(SubjectKind::Post, id.get());
    begin(tx, row, None)?;
    let before = PostDraft::of(&post(tx, id)?.row);
    let now = tx.now();
    tx.pg.save_post(&PostDraft { photo: Some(key.to_owned()), ..before.clone() }, now)?;
    uploaded(tx, trail, (row, &before.title), "post.upload", ("photo", before.photo.as_deref(), key))?;
    post(tx, id)
}
