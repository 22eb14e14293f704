//! Editing posts of the blog.

use admin::{EditQueries, SubjectKind};
use editorial::{Editorial, EditorialCommands, EditorialQueries, Post, PostDraft};
use kernel::{Limit, Page, PostId, StoreError};

use crate::{
    audit::AuditTrail,
    editing::{
        EditError, Versioned, begin, changed, created, deleted, free_slug, remove_pictures, row_ref, uploaded,
        versioned,
    },
    tx::Tx,
};

/// What an editor writes about a post. A field that is none stays as it is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PostEdit {
    pub title: Option<String>,
    /// A line or two below it.
    pub description: Option<String>,
    /// The names of its categories.
    pub categories: Option<Vec<String>>,
    /// The text, as HTML.
    pub text: Option<String>,
    /// Who wrote it.
    pub author: Option<String>,
}

/// All posts, the newest first.
pub fn posts<A>(tx: &mut Tx<'_, '_, A>) -> Result<Vec<Versioned<Post>>, StoreError> {
    let mut all = Vec::new();
    for card in Page::all(|after| tx.pg.posts(None, after, Limit::clamped(Limit::MAX)))? {
        all.extend(tx.pg.post(&card.slug)?);
    }
    versioned(tx, SubjectKind::Post, all, |post| post.card.id.get())
}

/// A post.
pub fn post<A>(tx: &mut Tx<'_, '_, A>, id: PostId) -> Result<Versioned<Post>, EditError> {
    let slug = tx.pg.post_slug(id)?.ok_or(EditError::Unknown("post"))?;
    let found = tx.pg.post(&slug)?.ok_or(EditError::Unknown("post"))?;
    Ok(Versioned { row: found, version: tx.pg.row_version(row_ref(SubjectKind::Post, id.get()))? })
}

/// What editors wrote of a post.
fn post_draft(post: &Post) -> PostDraft {
    let card = post.card.clone();
    PostDraft {
        slug: card.slug,
        title: card.title,
        description: card.description,
        text: post.text.clone(),
        categories: card.categories.into_iter().map(|one| one.name).collect(),
        author: card.author,
        book: post.book.clone(),
        photo: card.photo,
        published_at: card.published_at,
    }
}

/// Adds a post, which comes out now.
pub fn add_post(tx: &mut Tx<'_, '_>, trail: &mut AuditTrail, edit: PostEdit) -> Result<Versioned<Post>, EditError> {
    let title = edit.title.unwrap_or_default();
    let slug = free_slug(tx, &title, |tx, slug| Ok(tx.pg.post(slug)?.is_some()))?;
    let now = tx.now();
    let draft = PostDraft {
        slug,
        title,
        description: edit.description.unwrap_or_default(),
        text: edit.text.unwrap_or_default(),
        categories: edit.categories.unwrap_or_default(),
        author: edit.author.unwrap_or_else(|| "The editors".to_owned()),
        book: None,
        photo: None,
        published_at: now,
    };
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
    let there = post_draft(&before);
    let draft = PostDraft {
        title: edit.title.unwrap_or(there.title),
        description: edit.description.unwrap_or(there.description),
        text: edit.text.unwrap_or(there.text),
        categories: edit.categories.unwrap_or(there.categories),
        author: edit.author.unwrap_or(there.author),
        ..there
    };
    let now = tx.now();
    tx.pg.save_post(&draft, now)?;
    let after = post(tx, id)?.row;
    let names = |post: &Post| post_draft(post).categories.join(", ");
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

/// Deletes a post of the blog.
pub fn delete_post(tx: &mut Tx<'_, '_>, trail: &mut AuditTrail, id: PostId) -> Result<(), EditError> {
    let row = row_ref(SubjectKind::Post, id.get());
    begin(tx, row, None)?;
    let gone = post(tx, id)?.row.card;
    tx.pg.delete_post(id)?;
    remove_pictures(tx, [gone.photo])?;
    deleted(tx, trail, (row, &gone.title), "post.delete")
}

/// Puts an uploaded picture, by its key in the object store, in the place of a post's.
pub fn attach_post_photo(
    tx: &mut Tx<'_, '_>,
    trail: &mut AuditTrail,
    id: PostId,
    key: &str,
) -> Result<Versioned<Post>, EditError> {
    let row = row_ref(SubjectKind::Post, id.get());
    begin(tx, row, None)?;
    let before = post_draft(&post(tx, id)?.row);
    let now = tx.now();
    tx.pg.save_post(&PostDraft { photo: Some(key.to_owned()), ..before.clone() }, now)?;
    uploaded(tx, trail, (row, &before.title), "post.upload", ("photo", before.photo.as_deref(), key))?;
    post(tx, id)
}
