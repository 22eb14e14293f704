//! Editing podcast episodes.

use admin::{EditQueries, SubjectKind};
use editorial::{EditorialQueries, Podcast, PodcastDraft, PodcastEdit, Recording};
use kernel::{PodcastId, StoreError, Timestamp};

use crate::{
    audit::{AuditTrail, run_as},
    editing::{
        EditError, Versioned, begin, changed, created, deleted, free_slug, keep_revision, row_ref, store_revision,
        uploaded, versioned,
    },
    editorial::editing::{
        publication::{PUBLISHER, publication_texts},
        revisions::{TextFields, text_fields},
    },
    narration, recording_files,
    tx::Tx,
};

/// All episodes, newest first, with their versions.
pub fn podcasts<A>(tx: &mut Tx<'_, '_, A>) -> Result<Vec<Versioned<Podcast>>, StoreError> {
    let all = tx.pg.all_podcasts()?;
    versioned(tx, SubjectKind::Podcast, all, |podcast| podcast.card.id.get())
}

/// Reads an episode with its version.
pub fn podcast<A>(tx: &mut Tx<'_, '_, A>, id: PodcastId) -> Result<Versioned<Podcast>, EditError> {
    let slug = tx.pg.podcast_slug(id)?.ok_or(EditError::Unknown("podcast"))?;
    let found = tx.pg.podcast(&slug)?.ok_or(EditError::Unknown("podcast"))?;
    Ok(Versioned { row: found, version: tx.pg.row_version(row_ref(SubjectKind::Podcast, id.get()))? })
}

/// Adds an episode, published now unless the edit says otherwise.
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
    let added = podcast(tx, id)?;
    let kept = (row_ref(SubjectKind::Podcast, id.get()), added.version.number);
    store_revision(tx, trail, kept, &fields_of(&added.row))?;
    Ok(added)
}

/// The fields that a revision stores. An estimated length is 0.
fn fields_of(podcast: &Podcast) -> TextFields {
    let card = &podcast.card;
    let minutes = card.stated_minutes.unwrap_or_default().to_string();
    let fields: [(&str, &str); 6] = [
        ("title", card.title.as_str()),
        ("author", &card.author),
        ("authorDesc", &card.author_desc),
        ("description", &card.description),
        ("script", &podcast.script),
        ("mins", &minutes),
    ];
    text_fields(fields, card.publication)
}

/// Changes an episode, based on the version that the editor has read.
pub fn edit_podcast(
    tx: &mut Tx<'_, '_>,
    trail: &mut AuditTrail,
    (id, read): (PodcastId, Option<i64>),
    edit: PodcastEdit,
) -> Result<Versioned<Podcast>, EditError> {
    let row = row_ref(SubjectKind::Podcast, id.get());
    let version = begin(tx, row, read)?;
    let before = podcast(tx, id)?.row;
    let card = &before.card;
    let now = tx.now();
    let draft = edit.applied(PodcastDraft::of(&before), card.minutes(), now);
    recording_files::save_podcast(tx.pg, &draft, now)?;
    after_podcast_change(tx)?;
    let after = podcast(tx, id)?.row;
    let [from, to] = [card, &after.card].map(|card| card.stated_minutes.map(|minutes| minutes.to_string()));
    let [was, is] = [card, &after.card].map(|card| publication_texts(card.publication));
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
            ("published", Some(was.0), Some(is.0)),
            ("publishAt", was.1.as_deref(), is.1.as_deref()),
        ],
    )?;
    keep_revision(tx, trail, (row, &version, card.published_at), (&fields_of(&before), &fields_of(&after)))?;
    podcast(tx, id)
}

/// Publishes the episodes whose publication moment has come, each as a recorded change.
pub(super) fn publish_due_podcasts(tx: &mut Tx<'_, '_>, now: Timestamp) -> Result<(), EditError> {
    for id in tx.pg.podcasts_to_publish(now)? {
        run_as(tx, PUBLISHER, |tx, trail| edit_podcast(tx, trail, (id, None), PodcastEdit::default()))?;
    }
    Ok(())
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

/// Queues the audio of a published episode whose script changed. Must be called in the transaction that changes it.
fn after_podcast_change(tx: &mut Tx<'_, '_>) -> Result<(), StoreError> {
    if tx.settings.makes_recordings {
        let now = tx.now();
        narration::queue_podcasts(tx.pg, now)?;
    }
    Ok(())
}
