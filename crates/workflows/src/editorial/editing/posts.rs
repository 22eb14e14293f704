//! Editing blog posts.

use admin::{EditQueries, SubjectKind};
use editorial::{Editorial, EditorialCommands, EditorialQueries, Post, PostDraft, PostEdit};
use kernel::{PostId, StoreError, Timestamp};

use crate::{
    audit::{AuditTrail, run_as},
    editing::{
        EditError, Versioned, begin, changed, created, deleted, free_slug, keep_revision, remove_pictures, row_ref,
        store_revision, uploaded, versioned,
    },
    editorial::editing::{
        publication::{PUBLISHER, publication_texts},
        revisions::{TextFields, text_fields},
    },
    tx::Tx,
};

/// All posts, newest first, with their versions.
pub fn posts<A>(tx: &mut Tx<'_, '_, A>) -> Result<Vec<Versioned<Post>>, StoreError> {
    let all = tx.pg.all_posts()?;
    versioned(tx, SubjectKind::Post, all, |post| post.card.id.get())
}

/// Reads a post with its version.
pub fn post<A>(tx: &mut Tx<'_, '_, A>, id: PostId) -> Result<Versioned<Post>, EditError> {
    let slug = tx.pg.post_slug(id)?.ok_or(EditError::Unknown("post"))?;
    let found = tx.pg.post(&slug)?.ok_or(EditError::Unknown("post"))?;
    Ok(Versioned { row: found, version: tx.pg.row_version(row_ref(SubjectKind::Post, id.get()))? })
}

/// Adds a post, published now unless the edit says otherwise.
pub fn add_post(tx: &mut Tx<'_, '_>, trail: &mut AuditTrail, edit: PostEdit) -> Result<Versioned<Post>, EditError> {
    let title = edit.title.clone().unwrap_or_default();
    let slug = free_slug(tx, &title, |tx, slug| Ok(tx.pg.post(slug)?.is_some()))?;
    let now = tx.now();
    let draft = edit.draft(slug, now);
    let id = tx.pg.save_post(&draft, now)?.id();
    created(trail, (row_ref(SubjectKind::Post, id.get()), &draft.title), "post.create");
    let added = post(tx, id)?;
    store_revision(tx, trail, (row_ref(SubjectKind::Post, id.get()), added.version.number), &fields_of(&added.row))?;
    Ok(added)
}

/// The fields that a revision stores.
fn fields_of(post: &Post) -> TextFields {
    let names = PostDraft::of(post).categories.join("\n");
    let card = &post.card;
    let fields: [(&str, &str); 5] = [
        ("title", card.title.as_str()),
        ("description", &card.description),
        ("categories", &names),
        ("author", &card.author),
        ("text", &post.text),
    ];
    text_fields(fields, card.publication)
}

/// Changes a post, based on the version that the editor has read.
pub fn edit_post(
    tx: &mut Tx<'_, '_>,
    trail: &mut AuditTrail,
    (id, read): (PostId, Option<i64>),
    edit: PostEdit,
) -> Result<Versioned<Post>, EditError> {
    let row = row_ref(SubjectKind::Post, id.get());
    let version = begin(tx, row, read)?;
    let before = post(tx, id)?.row;
    let card = &before.card;
    let now = tx.now();
    let draft = edit.applied(PostDraft::of(&before), now);
    tx.pg.save_post(&draft, now)?;
    let after = post(tx, id)?.row;
    let names = |post: &Post| PostDraft::of(post).categories.join(", ");
    let (from, to) = (names(&before), names(&after));
    let [was, is] = [card, &after.card].map(|card| publication_texts(card.publication));
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
            ("published", Some(was.0), Some(is.0)),
            ("publishAt", was.1.as_deref(), is.1.as_deref()),
        ],
    )?;
    keep_revision(tx, trail, (row, &version, card.published_at), (&fields_of(&before), &fields_of(&after)))?;
    post(tx, id)
}

/// Publishes the posts whose publication moment has come, each as a recorded change.
pub(super) fn publish_due_posts(tx: &mut Tx<'_, '_>, now: Timestamp) -> Result<(), EditError> {
    for id in tx.pg.posts_to_publish(now)? {
        run_as(tx, PUBLISHER, |tx, trail| edit_post(tx, trail, (id, None), PostEdit::default()))?;
    }
    Ok(())
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
