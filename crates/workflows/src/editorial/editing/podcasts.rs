//! Editing podcast episodes.

use admin::{EditQueries, SubjectKind};
use editorial::{EditorialQueries, Podcast, PodcastDraft, PodcastEdit, Recording};
use kernel::{Limit, Page, PodcastId, StoreError};

use crate::{
    audit::AuditTrail,
    editing::{EditError, Versioned, begin, changed, created, deleted, free_slug, row_ref, uploaded, versioned},
    narration, recording_files,
    tx::Tx,
};

/// All episodes, newest first, with their versions.
pub fn podcasts<A>(tx: &mut Tx<'_, '_, A>) -> Result<Vec<Versioned<Podcast>>, StoreError> {
    let mut all = Vec::new();
    for card in Page::all(|after| tx.pg.podcasts(after, Limit::clamped(Limit::MAX)))? {
        all.extend(tx.pg.podcast(&card.slug)?);
    }
    versioned(tx, SubjectKind::Podcast, all, |podcast| podcast.card.id.get())
}

/// Reads an episode with its version.
pub fn podcast<A>(tx: &mut Tx<'_, '_, A>, id: PodcastId) -> Result<Versioned<Podcast>, EditError> {
    let slug = tx.pg.podcast_slug(id)?.ok_or(EditError::Unknown("podcast"))?;
    let found = tx.pg.podcast(&slug)?.ok_or(EditError::Unknown("podcast"))?;
    Ok(Versioned { row: found, version: tx.pg.row_version(row_ref(SubjectKind::Podcast, id.get()))? })
}

/// Adds an episode, published now.
pub fn add_podcast(
    tx: &mut Tx<'_, '_>,
    trail: &mut AuditTrail,
    edit: PodcastEdit,
) -> Result<Versioned<Podcast>, EditError> {
    let title = edit.title.clone().unwrap_or_default();
    let slug = free_slug(tx, &title, |tx, slug| Ok(tx.pg.podcast(slug)?.is_some()))?;
    let now = tx.now();
    let draft = edit.draft(slug, now);
    let id = recording_files::save_podcast(tx.pg, &draft, now)?.id();
    after_podcast_change(tx)?;
    created(trail, (row_ref(SubjectKind::Podcast, id.get()), &draft.title), "podcast.create");
    podcast(tx, id)
}

/// Changes an episode, based on the version that the editor has read.
pub fn edit_podcast(
    tx: &mut Tx<'_, '_>,
    trail: &mut AuditTrail,
    (id, read): (PodcastId, Option<i64>),
    edit: PodcastEdit,
) -> Result<Versioned<Podcast>, EditError> {
    let row = row_ref(SubjectKind::Podcast, id.get());
    begin(tx, row, read)?;
    let before = podcast(tx, id)?.row;
    let card = &before.card;
    let draft = edit.applied(PodcastDraft::of(&before), card.minutes());
    let now = tx.now();
    recording_files::save_podcast(tx.pg, &draft, now)?;
    after_podcast_change(tx)?;
    let after = podcast(tx, id)?.row;
    let [from, to] = [card, &after.card].map(|card| card.stated_minutes.map(|minutes| minutes.to_string()));
    changed(
        tx,
        trail,
        (row, &after.card.title),
        "podcast.update",
        &[
            ("title", Some(&card.title), Some(&after.card.title)),
            ("author", Some(&card.author), Some(&after.card.author)),
            ("authorDesc", Some(&card.author_desc), Some(&after.card.author_desc)),
            ("description", Some(&card.description), Some(&after.card.description)),
            ("mins", from.as_deref(), to.as_deref()),
            ("script", Some(&before.script), Some(&after.script)),
        ],
    )?;
    podcast(tx, id)
}

/// Deletes an episode. Its files are removed later, when nobody can be listening any more.
pub fn delete_podcast(tx: &mut Tx<'_, '_>, trail: &mut AuditTrail, id: PodcastId) -> Result<(), EditError> {
    let row = row_ref(SubjectKind::Podcast, id.get());
    begin(tx, row, None)?;
    let gone = podcast(tx, id)?.row.card;
    let now = tx.now();
    recording_files::delete_podcast(tx.pg, &gone, now)?;
    deleted(tx, trail, (row, &gone.title), "podcast.delete")
}

/// Replaces an episode's picture with an uploaded one, by its object store key.
pub fn attach_podcast_photo(
    tx: &mut Tx<'_, '_>,
    trail: &mut AuditTrail,
    id: PodcastId,
    key: &str,
) -> Result<Versioned<Podcast>, EditError> {
    let row = row_ref(SubjectKind::Podcast, id.get());
    begin(tx, row, None)?;
    let before = PodcastDraft::of(&podcast(tx, id)?.row);
    let now = tx.now();
    recording_files::save_podcast(tx.pg, &PodcastDraft { image: Some(key.to_owned()), ..before.clone() }, now)?;
    uploaded(tx, trail, (row, &before.title), "podcast.upload", ("image", before.image.as_deref(), key))?;
    podcast(tx, id)
}

/// Replaces an episode's recording with an uploaded one. It stays when the script changes, because a person has made it.
pub fn attach_episode(
    tx: &mut Tx<'_, '_>,
    trail: &mut AuditTrail,
    id: PodcastId,
    recording: &Recording,
) -> Result<Versioned<Podcast>, EditError> {
    let row = row_ref(SubjectKind::Podcast, id.get());
    begin(tx, row, None)?;
    let card = podcast(tx, id)?.row.card;
    let now = tx.now();
    if !recording_files::replace_episode(tx.pg, &card.slug, recording, now)? {
        return Err(EditError::Unknown("podcast"));
    }
    let before = card.recording.as_ref().map(|there| there.key.as_str());
    uploaded(tx, trail, (row, &card.title), "podcast.upload", ("mediaUrl", before, &recording.key))?;
    podcast(tx, id)
}

/// Queues the audio of an episode whose script changed. Must be called in the transaction that changes it.
fn after_podcast_change(tx: &mut Tx<'_, '_>) -> Result<(), StoreError> {
    if tx.settings.makes_recordings {
        let now = tx.now();
        narration::queue_podcasts(tx.pg, now)?;
    }
    Ok(())
}
