//! Uploaded files of what is smaller than a book: the pictures of goals, posts and episodes, and the recordings of episodes.
//!
//! A file is no new version of what is written: an editor who has the form open loses nothing by it.

use admin::{AuditEvent, FieldChange, RowRef, Subject, SubjectKind};
use catalogue::{EditingCommands, Goal, GoalPicture};
use editorial::{Editorial, Podcast, PodcastDraft, Post, PostDraft, Recording};
use kernel::{GoalId, PodcastId, PostId, StoreError};

use super::{
    EditError, begin,
    rows::{self, Versioned, podcast_draft, post_draft, row_ref},
};
use crate::{audit::AuditTrail, recording_files, tx::Tx};

/// Records that a file was put in the place of another one, which is removed once nobody needs it.
pub(super) fn uploaded(
    tx: &mut Tx<'_, '_>,
    trail: &mut AuditTrail,
    (row, name): (RowRef, &str),
    action: &'static str,
    (field, before, after): (&'static str, Option<&str>, &str),
) -> Result<(), StoreError> {
    let change = FieldChange::between(field, before, Some(after));
    trail.record(AuditEvent::new(action, Subject::named(row.kind, row.id, name)).with([change]));
    let now = tx.now();
    recording_files::replaced_upload(tx.pg, before, Some(after), now)
}

/// Puts an uploaded picture, by its key in the object store, in the place of a goal's.
pub fn attach_goal_picture(
    tx: &mut Tx<'_, '_>,
    trail: &mut AuditTrail,
    id: GoalId,
    picture: GoalPicture,
    key: &str,
) -> Result<Versioned<Goal>, EditError> {
    let row = row_ref(SubjectKind::Goal, id.get());
    begin(tx, row, None)?;
    let goal = rows::goal(tx, id)?.row;
    tx.pg.set_goal_picture(id, picture, key)?;
    let field = match picture {
        GoalPicture::Photo => "photo",
        GoalPicture::FeaturePhoto => "photov2",
    };
    let before = goal.pictures.of(picture).map(String::as_str);
    uploaded(tx, trail, (row, &goal.draft.title), "goal.upload", (field, before, key))?;
    rows::goal(tx, id)
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
    let before = post_draft(&rows::post(tx, id)?.row);
    let now = tx.now();
    tx.pg.save_post(&PostDraft { photo: Some(key.to_owned()), ..before.clone() }, now)?;
    uploaded(tx, trail, (row, &before.title), "post.upload", ("photo", before.photo.as_deref(), key))?;
    rows::post(tx, id)
}

/// Puts an uploaded picture, by its key in the object store, in the place of an episode's.
pub fn attach_podcast_photo(
    tx: &mut Tx<'_, '_>,
    trail: &mut AuditTrail,
    id: PodcastId,
    key: &str,
) -> Result<Versioned<Podcast>, EditError> {
    let row = row_ref(SubjectKind::Podcast, id.get());
    begin(tx, row, None)?;
    let before = podcast_draft(&rows::podcast(tx, id)?.row);
    let now = tx.now();
    recording_files::save_podcast(tx.pg, &PodcastDraft { image: Some(key.to_owned()), ..before.clone() }, now)?;
    uploaded(tx, trail, (row, &before.title), "podcast.upload", ("image", before.image.as_deref(), key))?;
    rows::podcast(tx, id)
}

/// Puts an uploaded recording in the place of an episode's. It stays when the script changes: a person has made it.
pub fn attach_episode(
    tx: &mut Tx<'_, '_>,
    trail: &mut AuditTrail,
    id: PodcastId,
    recording: &Recording,
) -> Result<Versioned<Podcast>, EditError> {
    let row = row_ref(SubjectKind::Podcast, id.get());
    begin(tx, row, None)?;
    let card = rows::podcast(tx, id)?.row.card;
    let now = tx.now();
    if !recording_files::replace_episode(tx.pg, &card.slug, recording, now)? {
        return Err(EditError::Unknown("podcast"));
    }
    let before = card.recording.as_ref().map(|there| there.key.as_str());
    uploaded(tx, trail, (row, &card.title), "podcast.upload", ("mediaUrl", before, &recording.key))?;
    rows::podcast(tx, id)
}
