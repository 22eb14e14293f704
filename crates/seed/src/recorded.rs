//! Recordings that the product has made, among seed files: `books/<subid>/recordings.toml`, and an episode's recording in its
//! `podcast.toml`. A recording counts only if it was made from the current text; otherwise it is ignored, and the text is
//! recorded again.

use catalogue::{CatalogueQueries, Film, Mark, Narration};
use editorial::Recording;
use kernel::{BookId, Slug, Timestamp};
use postgres::Pg;
use serde::{Deserialize, Serialize};
use workflows::recording_files;

use super::reader::{Reader, date_text};

#[derive(Clone, Debug, Default)]
pub(super) struct Recorded {
    audio: Option<Narration>,
    film: Option<Film>,
}

/// The file `books/<subid>/recordings.toml`.
#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RecordingsFile {
    audio: Option<AudioEntry>,
    film: Option<FilmEntry>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct AudioEntry {
    key: String,
    duration_ms: u64,
    text_hash: String,
    voice: String,
    made: String,
    /// Section, paragraph (-1 for the heading) and milliseconds.
    marks: Vec<(i64, i64, i64)>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct FilmEntry {
    key: String,
    poster: String,
    captions: String,
    duration_ms: u64,
    shown_hash: String,
    made: String,
}

/// An episode's recording, in its `podcast.toml`.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct EpisodeEntry {
    key: String,
    duration_ms: u64,
    bytes: u64,
    text_hash: Option<String>,
}

impl RecordingsFile {
    pub(super) fn of(audio: Option<&Narration>, film: Option<&Film>) -> Self {
        let signed = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
        let place = |place: usize| i64::try_from(place).unwrap_or(i64::MAX);
        Self {
            audio: audio.map(|made| AudioEntry {
                key: made.media.clone(),
                duration_ms: made.duration_ms,
                text_hash: made.text_hash.clone(),
                voice: made.voice.clone(),
                made: date_text(made.made_at),
                marks: made
                    .marks
                    .iter()
                    .map(|mark| (place(mark.section), mark.paragraph.map_or(-1, place), signed(mark.at_ms)))
                    .collect(),
            }),
            film: film.map(|made| FilmEntry {
                key: made.media.clone(),
                poster: made.poster.clone(),
                captions: made.captions.clone(),
                duration_ms: made.duration_ms,
                shown_hash: made.shown_hash.clone(),
                made: date_text(made.made_at),
            }),
        }
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.audio.is_none() && self.film.is_none()
    }

    /// The object store keys that it names.
    pub(super) fn keys(&self) -> impl Iterator<Item = &String> {
        let film = self.film.iter().flat_map(|film| [&film.key, &film.poster, &film.captions]);
        self.audio.iter().map(|audio| &audio.key).chain(film)
    }
}

impl EpisodeEntry {
    pub(super) fn of(recording: &Recording) -> Self {
        let Recording { key, duration_ms, bytes, text_hash } = recording.clone();
        Self { key, duration_ms, bytes, text_hash }
    }

    /// The object store key of the recording.
    pub(super) const fn key(&self) -> &String {
        &self.key
    }
}

impl Reader<'_> {
    /// Reads a book's recordings; empty without a `recordings.toml`.
    pub(super) fn recorded(&mut self, book: &str) -> anyhow::Result<Recorded> {
        let path = format!("books/{book}/recordings.toml");
        let Some(file) = self.toml::<RecordingsFile>(&path)? else { return Ok(Recorded::default()) };
        let mut recorded = Recorded::default();
        if let Some(AudioEntry { key, duration_ms, text_hash, voice, made, marks }) = file.audio {
            let made = self.date(&path, "audio.made", &made);
            let media = self.key(&path, "audio.key", Some(key));
            let marks: Option<Vec<Mark>> = marks.into_iter().map(mark).collect();
            if marks.is_none() {
                self.problem(&path, "audio.marks", "there is no such moment");
            }
            if let (Some(media), Some(made_at), Some(marks)) = (media, made, marks) {
                recorded.audio = Some(Narration { media, duration_ms, marks, text_hash, voice, made_at });
            }
        }
        if let Some(FilmEntry { key, poster, captions, duration_ms, shown_hash, made }) = file.film {
            let made = self.date(&path, "film.made", &made);
            let media = self.key(&path, "film.key", Some(key));
            let poster = self.key(&path, "film.poster", Some(poster));
            let captions = self.key(&path, "film.captions", Some(captions));
            if let (Some(media), Some(poster), Some(captions), Some(made_at)) = (media, poster, captions, made) {
                recorded.film = Some(Film { media, poster, captions, duration_ms, shown_hash, made_at });
            }
        }
        Ok(recorded)
    }

    /// Reads an episode's recording. `None` if it has none or its file is missing, which is recorded as a problem.
    pub(super) fn episode(&mut self, path: &str, entry: Option<EpisodeEntry>) -> Option<Recording> {
        let EpisodeEntry { key, duration_ms, bytes, text_hash } = entry?;
        let key = self.key(path, "recording.key", Some(key))?;
        Some(Recording { key, duration_ms, bytes, text_hash })
    }
}

fn mark((section, paragraph, at): (i64, i64, i64)) -> Option<Mark> {
    let paragraph = if paragraph == -1 { None } else { Some(usize::try_from(paragraph).ok()?) };
    Some(Mark { section: usize::try_from(section).ok()?, paragraph, at_ms: u64::try_from(at).ok()? })
}

/// Gives a book the recordings that were made of it, unless it has another text, or a person's recording.
pub(super) fn save(
    pg: &mut Pg<'_>,
    (book, subid): (BookId, &Slug),
    recorded: &Recorded,
    now: Timestamp,
) -> anyhow::Result<()> {
    let Some((_, there)) = pg.find_book_draft(subid)? else { return Ok(()) };
    if let Some(audio) = recorded.audio.as_ref().filter(|audio| there.media.as_ref() != Some(&audio.media)) {
        recording_files::replace_narration(pg, book, audio, there.media.as_deref(), now)?;
    }
    if let Some(film) = recorded.film.as_ref().filter(|film| there.video.as_ref() != Some(&film.media)) {
        recording_files::replace_film(pg, book, film, there.video.as_deref(), now)?;
    }
    Ok(())
}
