//! Files of recordings that are replaced: each is removed once nobody can hold an address of it any more.
//!
//! Whoever gives a book or an episode another recording does so here. The removal is a job of the same transaction, so
//! there is none without a replacement and no replacement without one; it looks again whether the file is in use. A key
//! is a hash of its file, so a file that was replaced may be used again: that calls its removal off.

use catalogue::{BookDraft, BookRef, Catalogue, CatalogueError, Film, Narration, Recordings};
use editorial::{Editorial, EditorialError, PodcastDraft, Recording};
use jobs::{Assignment, Jobs, Kind};
use kernel::{BookId, DAY, PodcastId, Saved, Slug, StoreError, Timestamp};
use media::{Audience, LIVES_AT_LEAST, SLOT, place_of};
use postgres::Pg;

/// How long a file stays after it was replaced, in milliseconds. Of what is signed the last address was made a moment
/// later at most, by a node that had not heard of it; and whoever backs up the database and then the files has that long.
const STAYS: i64 = DAY;
/// The same of what anybody may fetch: programs that follow a podcast ask for its feed now and then only.
const STAYS_IN_PUBLIC: i64 = 7 * DAY;

const _: () = assert!(STAYS >= 2 * (SLOT + LIVES_AT_LEAST), "addresses end long before");

/// [`Recordings::save_narration`].
pub fn keep_narration(
    pg: &mut Pg<'_>,
    book: BookId,
    made: &Narration,
    instead_of: Option<&str>,
    now: Timestamp,
) -> Result<bool, StoreError> {
    exchange(pg, &[&made.media], now, of_book(BookRef::Id(book)), |pg| pg.save_narration(book, made, instead_of))
}

/// [`Recordings::save_film`].
pub fn keep_film(
    pg: &mut Pg<'_>,
    book: BookId,
    made: &Film,
    instead_of: Option<&str>,
    now: Timestamp,
) -> Result<bool, StoreError> {
    let files = [&*made.media, &*made.poster, &*made.captions];
    exchange(pg, &files, now, of_book(BookRef::Id(book)), |pg| pg.save_film(book, made, instead_of))
}

/// [`Editorial::keep_recording`].
pub fn keep_episode(pg: &mut Pg<'_>, slug: &Slug, made: &Recording, now: Timestamp) -> Result<bool, StoreError> {
    exchange(pg, &[&made.key], now, of_episode(slug), |pg| pg.keep_recording(slug, made))
}

/// [`Catalogue::save_book`], perhaps with audio or video that somebody recorded.
pub fn save_book(pg: &mut Pg<'_>, draft: &BookDraft, now: Timestamp) -> Result<Saved<BookId>, CatalogueError> {
    if draft.media.is_none() && draft.video.is_none() {
        // Those that it has stay.
        return pg.save_book(draft, now);
    }
    exchange(pg, &[], now, of_book(BookRef::Subid(draft.subid.clone())), |pg| pg.save_book(draft, now))
}

/// [`Editorial::save_podcast`].
pub fn save_podcast(pg: &mut Pg<'_>, draft: &PodcastDraft, now: Timestamp) -> Result<Saved<PodcastId>, EditorialError> {
    exchange(pg, &[], now, of_episode(&draft.slug), |pg| pg.save_podcast(draft, now))
}

/// Whether a file is a recording of anything, or belongs to one.
pub fn is_in_use(pg: &mut Pg<'_>, key: &str) -> Result<bool, StoreError> {
    Ok(pg.is_recording(key)? || pg.is_episode_file(key)?)
}

fn of_book(book: BookRef) -> impl Fn(&mut Pg<'_>) -> Result<Vec<String>, StoreError> {
    move |pg| pg.recording_files(&book)
}

fn of_episode(slug: &Slug) -> impl Fn(&mut Pg<'_>) -> Result<Vec<String>, StoreError> {
    move |pg| Ok(pg.episode_file(slug)?.into_iter().collect())
}

/// Makes a change to what `files` are: those that are none any more are to be removed, and those of `made` that have
/// not become any.
///
/// # Errors
/// Those of the change; and that the store is not available, when one of the files is being removed at this very moment:
/// it has to be put into the object store once more.
fn exchange<'c, T, E: From<StoreError>>(
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
        if !pg.call_off_job(Kind::Removal, key.as_bytes(), now)? {
            return Err(StoreError::unavailable("a file of the recording is just being removed").into());
        }
    }
    let made = made.iter().map(|key| (*key).to_owned());
    for key in before.into_iter().chain(made).filter(|key| !after.contains(key)) {
        remove_later(pg, &key, now)?;
    }
    Ok(changed)
}

fn remove_later(pg: &mut Pg<'_>, key: &str, now: Timestamp) -> Result<(), StoreError> {
    // What is in no folder of ours is not ours to remove.
    let Some((folder, _)) = place_of(key) else { return Ok(()) };
    let stays = match folder.audience {
        Audience::Signed => STAYS,
        Audience::Public => STAYS_IN_PUBLIC,
    };
    let work = Assignment { kind: Kind::Removal, about: folder.name, recipient: None, payload: key.as_bytes() };
    pg.queue_job_for(work, now.plus(stays), now)?;
    Ok(())
}
