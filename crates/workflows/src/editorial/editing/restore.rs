//! The revisions of posts, episodes and pages, and bringing one back (`editorial.kept-revisions`).

use admin::{RowRef, SubjectKind};
use editorial::{PodcastEdit, PostEdit};
use kernel::{PodcastId, PostId};

use crate::{
    audit::AuditTrail,
    editing::{EditError, row_ref, row_revisions},
    editorial::editing::{
        pages::{PageEdit, edit_page, page_row},
        podcasts::{edit_podcast, podcast},
        posts::{edit_post, post},
        revisions::{TextRevision, changed_fields},
    },
    tx::Tx,
};

/// What editors write and the revisions of which are kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EditedText {
    Post(PostId),
    Podcast(PodcastId),
    /// A page, by its slug.
    Page(String),
}

/// The row of a text; fails with [`EditError::Unknown`] if there is none.
fn row_of<A>(tx: &mut Tx<'_, '_, A>, text: &EditedText) -> Result<RowRef, EditError> {
    match text {
        EditedText::Post(id) => post(tx, *id).map(|_| row_ref(SubjectKind::Post, id.get())),
        EditedText::Podcast(id) => podcast(tx, *id).map(|_| row_ref(SubjectKind::Podcast, id.get())),
        EditedText::Page(slug) => page_row(slug),
    }
}

/// The revisions of a text, latest first.
pub fn text_revisions<A>(tx: &mut Tx<'_, '_, A>, text: &EditedText) -> Result<Vec<TextRevision>, EditError> {
    let row = row_of(tx, text)?;
    row_revisions(tx, row, changed_fields)
}

/// Brings back what a revision says, as another change: nothing is lost. How the text is published stays as it is.
pub fn restore_text(
    tx: &mut Tx<'_, '_>,
    trail: &mut AuditTrail,
    text: &EditedText,
    (revision, read): (i64, Option<i64>),
) -> Result<(), EditError> {
    let found = text_revisions(tx, text)?.into_iter().find(|one| one.revision.id == revision);
    let mut fields = found.ok_or(EditError::Unknown("revision"))?.written;
    match text {
        EditedText::Post(id) => {
            let categories = fields.remove("categories");
            let edit = PostEdit {
                title: fields.remove("title"),
                description: fields.remove("description"),
                categories: categories.map(|names| names.lines().map(str::to_owned).collect()),
                text: fields.remove("text"),
                author: fields.remove("author"),
                ..PostEdit::default()
            };
            edit_post(tx, trail, (*id, read), edit)?;
        }
        EditedText::Podcast(id) => {
            let edit = PodcastEdit {
                title: fields.remove("title"),
                author: fields.remove("author"),
                author_desc: fields.remove("authorDesc"),
                description: fields.remove("description"),
                script: fields.remove("script"),
                minutes: fields.remove("mins").and_then(|minutes| minutes.parse().ok()),
                ..PodcastEdit::default()
            };
            edit_podcast(tx, trail, (*id, read), edit)?;
        }
        EditedText::Page(slug) => {
            edit_page(tx, trail, (slug, read), PageEdit::of_revision(fields))?;
        }
    }
    Ok(())
}
