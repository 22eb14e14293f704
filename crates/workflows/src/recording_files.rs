//! Files of recordings and other uploads: replacing the file of a book or a podcast episode, and removing the replaced file.
//!
//! Every change of a recording, and every upload of an editor, goes through this module. The removal is a job in the same
//! transaction, due when the last presigned URL of the file has expired; it checks again whether the file is in use. A key is a
//! hash of its file, so a replaced file may come into use again: that cancels its removal.

use std::sync::Arc;

use catalogue::{
    BookDraft, BookRef, Catalogue, CatalogueError, EditedVisual, EditingCommands, EditingQueries, Film, Narration,
    RecordingCommands, Recordings, VisualSet,
};
use editorial::{Editorial, EditorialCommands, EditorialError, PodcastCard, PodcastDraft, Recording};
use jobs::{JobDefinition, JobKind, JobRequest, Jobs, LongJob, Outcome, PayloadError};
use kernel::{BookId, DAY, PodcastId, SaveOutcome, Slug, StoreError, Timestamp, VisualId, text_picture_keys};
use media::{Audience, LIVES_AT_LEAST, Media, SLOT, place_of};
use postgres::{Db, Pg};

/// The job that removes a file. Its payload is the file's key.
pub const REMOVE_FILE: JobKind = JobKind::long("removal").deduplicated();

/// How long a replaced file is kept, in milliseconds. A node that has not yet heard of the replacement may presign a URL of it a
/// moment later; and a backup copies the database first and the files afterwards, which may take this long.
const RETENTION: i64 = DAY;
/// The same for public files, because podcast clients fetch a feed only now and then.
const PUBLIC_RETENTION: i64 = 7 * DAY;

const _: () = assert!(RETENTION >= 2 * (SLOT + LIVES_AT_LEAST), "presigned URLs expire long before");

/// Like [`Recordings::save_narration`], with the removal of replaced files.
pub fn replace_narration(
    pg: &mut Pg<'_>,
    book: BookId,
    made: &Narration,
    instead_of: Option<&str>,
    now: Timestamp,
) -> Result<bool, StoreError> {
    change_files(pg, &[&made.media], now, of_book(BookRef::Id(book)), |pg| pg.save_narration(book, made, instead_of))
}

/// Like [`Recordings::save_film`], with the removal of replaced files.
pub fn replace_film(
    pg: &mut Pg<'_>,
    book: BookId,
    made: &Film,
    instead_of: Option<&str>,
    now: Timestamp,
) -> Result<bool, StoreError> {
    let files = [&*made.media, &*made.poster, &*made.captions];
    change_files(pg, &files, now, of_book(BookRef::Id(book)), |pg| pg.save_film(book, made, instead_of))
}

/// Like [`Editorial::keep_recording`], with the removal of the replaced file.
pub fn replace_episode(pg: &mut Pg<'_>, slug: &Slug, made: &Recording, now: Timestamp) -> Result<bool, StoreError> {
    change_files(pg, &[&made.key], now, of_episode(slug), |pg| pg.keep_recording(slug, made))
}

/// Like [`Catalogue::save_book`], with the removal of replaced recordings.
pub fn save_book(pg: &mut Pg<'_>, draft: &BookDraft, now: Timestamp) -> Result<SaveOutcome<BookId>, CatalogueError> {
    if draft.media.is_none() && draft.video.is_none() {
        // The current recordings stay.
        return pg.save_book(draft, now);
    }
    change_files(pg, &[], now, of_book(BookRef::Subid(draft.subid.clone())), |pg| pg.save_book(draft, now))
}

/// Like [`EditingCommands::delete_book`], with the removal of all its files.
pub fn delete_book(pg: &mut Pg<'_>, book: BookId, now: Timestamp) -> Result<bool, StoreError> {
    change_files(pg, &[], now, all_of_book(book), |pg| pg.delete_book(book))
}

/// Like [`EditingCommands::delete_visual`], with the removal of files: with the last picture, those that show all key ideas too.
pub fn delete_visual(pg: &mut Pg<'_>, visual: VisualId, book: BookId, now: Timestamp) -> Result<(), StoreError> {
    change_files(pg, &[], now, all_of_book(book), |pg| {
        pg.delete_visual(visual)?;
        pg.note_infographic(book, now)
    })
}

/// Like [`EditingCommands::update_visual`], with the removal of replaced files. `before` is the idea's previous book.
pub fn update_visual(pg: &mut Pg<'_>, idea: &EditedVisual, before: BookId, now: Timestamp) -> Result<(), StoreError> {
    change_files(pg, &[], now, all_of_book(before), |pg| {
        pg.update_visual(idea)?;
        pg.note_infographic(before, now)?;
        pg.note_infographic(idea.book, now)
    })
}

/// Like [`EditingCommands::put_visual_set`], with the removal of replaced files. `made` are the files made for the set.
pub fn put_visual_set(pg: &mut Pg<'_>, set: &VisualSet, made: &[&str], now: Timestamp) -> Result<(), StoreError> {
    change_files(pg, made, now, all_of_book(set.book), |pg| pg.put_visual_set(set, now))
}

/// Like [`EditorialCommands::delete_podcast`], with the removal of the episode's recording and picture.
pub fn delete_podcast(pg: &mut Pg<'_>, episode: &PodcastCard, now: Timestamp) -> Result<bool, StoreError> {
    let deleted = change_files(pg, &[], now, of_episode(&episode.slug), |pg| pg.delete_podcast(episode.id))?;
    replaced_upload(pg, episode.image.as_deref(), None, now)?;
    Ok(deleted)
}

/// Like [`Editorial::save_podcast`], with the removal of a recording of another script.
pub fn save_podcast(
    pg: &mut Pg<'_>,
    draft: &PodcastDraft,
    now: Timestamp,
) -> Result<SaveOutcome<PodcastId>, EditorialError> {
    change_files(pg, &[], now, of_episode(&draft.slug), |pg| pg.save_podcast(draft, now))
}

/// Records, after the row has changed, that the upload `after` replaced `before`: queues the removal of `before` unless another
/// row references it, and cancels a removal of `after`.
///
/// # Errors
/// The store is unavailable if `after` is being removed at this moment: it must be uploaded again.
pub fn replaced_upload(
    pg: &mut Pg<'_>,
    before: Option<&str>,
    after: Option<&str>,
    now: Timestamp,
) -> Result<(), StoreError> {
    if let Some(key) = after
        && !pg.cancel_job(REMOVE_FILE, key.as_bytes(), now)?
    {
        return Err(StoreError::unavailable("the file is just being removed"));
    }
    match before.filter(|key| after != Some(*key)) {
        Some(key) if !pg.is_file_named(key)? => queue_removal(pg, key, now),
        _ => Ok(()),
    }
}

/// Cancels the removal of the pictures whose addresses stand in a text that is saved, or that was uploaded again
/// (`catalogue.text-pictures`): one that a text no longer shows is
/// removed by [`SweepFiles`](crate::file_sweep::SweepFiles), and may be shown by another text until then.
///
/// # Errors
/// The store is unavailable if one of them is being removed at this moment: it must be uploaded again.
pub fn keep_text_pictures(pg: &mut Pg<'_>, text: &str, now: Timestamp) -> Result<(), StoreError> {
    text_picture_keys(text).iter().try_for_each(|key| replaced_upload(pg, None, Some(key), now))
}

fn of_book(book: BookRef) -> impl Fn(&mut Pg<'_>) -> Result<Vec<String>, StoreError> {
    move |pg| pg.lock_recording_files(&book)
}

fn all_of_book(book: BookId) -> impl Fn(&mut Pg<'_>) -> Result<Vec<String>, StoreError> {
    move |pg| {
        let recordings = pg.lock_recording_files(&BookRef::Id(book))?;
        Ok(recordings.into_iter().chain(pg.book_files(book)?).collect())
    }
}

fn of_episode(slug: &Slug) -> impl Fn(&mut Pg<'_>) -> Result<Vec<String>, StoreError> {
    move |pg| Ok(pg.episode_file(slug)?.into_iter().collect())
}

/// Runs a change of the files that `files` lists. Queues the removal of files that are no longer in use, and of those in `made`
/// that did not come into use.
///
/// # Errors
/// Those of the change. The store is unavailable if a file is being removed at this moment: it must be put into the object store
/// again.
fn change_files<'c, T, E: From<StoreError>>(
    pg: &mut Pg<'c>,
    made: &[&str],
    now: Timestamp,
    files: impl Fn(&mut Pg<'_>) -> Result<Vec<String>, StoreError>,
    change: impl FnOnce(&mut Pg<'c>) -> Result<T, E>,
) -> Result<T, E> {
    let before = files(pg)?;
    let changed = change(pg)?;
    let after = files(pg)?;
    for key in after.iter().filter(|key| !before.contains(key)) {
        if !pg.cancel_job(REMOVE_FILE, key.as_bytes(), now)? {
            return Err(StoreError::unavailable("a file of the recording is just being removed").into());
        }
    }
    let made = made.iter().map(|key| (*key).to_owned());
    for key in before.into_iter().chain(made).filter(|key| !after.contains(key)) {
        queue_removal(pg, &key, now)?;
    }
    Ok(changed)
}

/// Queues the removal of a file for the time when its last presigned URL has expired.
pub(crate) fn queue_removal(pg: &mut Pg<'_>, key: &str, now: Timestamp) -> Result<(), StoreError> {
    // A key outside the known folders is not a file of the object store.
    let Some((folder, _)) = place_of(key) else { return Ok(()) };
    let retention = match folder.audience {
        Audience::Signed => RETENTION,
        Audience::Public => PUBLIC_RETENTION,
    };
    let work = JobRequest { kind: REMOVE_FILE, about: folder.name, recipient: None, payload: key.as_bytes() };
    pg.queue_job_for(work, now.plus(retention), now)?;
    Ok(())
}

/// The job that removes a replaced file, unless it is in use again. No row can start to reference the file while the job runs.
#[derive(Debug)]
pub struct RemoveFile {
    pub db: Db,
    pub media: Arc<Media>,
}

impl JobDefinition for RemoveFile {
    const KIND: JobKind = REMOVE_FILE;
    /// The file's key.
    type Payload = String;

    fn decode(&self, payload: &[u8]) -> Result<String, PayloadError> {
        String::from_utf8(payload.to_vec()).map_err(|_| PayloadError("Its key can't be read.".to_owned()))
    }
}

impl LongJob for RemoveFile {
    async fn run_long(&self, key: &String) -> Outcome {
        let wanted = key.clone();
        let used = self.db.read::<_, StoreError, _>(move |pg| pg.is_file_named(&wanted)).await;
        let removed = match used {
            Ok(true) => return Outcome::Done,
            Ok(false) => self.media.delete(key).await.map_err(|error| error.to_string()),
            Err(error) => Err(error.to_string()),
        };
        removed.map_or_else(|reason| Outcome::Failed { reason, is_permanent: false }, |()| Outcome::Done)
    }
}
