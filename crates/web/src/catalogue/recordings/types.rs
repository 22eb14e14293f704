//! Audio and video on the wire.

use catalogue::{Book, Film};
use kernel::{Timestamp, UserId};
use media::{UrlSigner, place_of};
use serde::Serialize;
use utoipa::ToSchema;

use crate::catalogue::types::book::BookCard;

/// A book's audio, or the episode about it, for one who may listen.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct AudioResult {
    /// The address of the file. It takes byte ranges.
    pub url: String,
    /// Its media type.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// How long it is; null where only the file itself knows.
    pub seconds: Option<f64>,
    /// When the address is good no longer, in ms since the epoch: ask again before that.
    pub until: i64,
    /// Where sections begin; empty where that is not known.
    pub chapters: Vec<AudioChapter>,
    /// When headings and paragraphs begin, in order; empty where that is not known.
    pub marks: Vec<AudioMark>,
}

/// A section of an audio.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct AudioChapter {
    /// The section's place, from 0.
    pub section: usize,
    /// Its heading.
    pub title: String,
    /// Seconds from the beginning.
    pub at: f64,
}

/// The beginning of a heading or a paragraph in an audio.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct AudioMark {
    /// The section's place, from 0.
    pub section: usize,
    /// Which of the elements `p`, `li`, `blockquote` and `h4` of the section's HTML, from 0 in the order of the document;
    /// null: its heading.
    pub paragraph: Option<usize>,
    /// Seconds from the beginning.
    pub at: f64,
}

/// A book's video, for one who may watch.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct VideoResult {
    /// The book.
    pub book: BookCard,
    /// The address of the file, which takes byte ranges; null: there is no video yet.
    pub url: Option<String>,
    /// Its media type.
    #[serde(rename = "type")]
    pub kind: Option<&'static str>,
    /// The address of a picture to show before it.
    pub poster: Option<String>,
    /// The address of captions (`WebVTT`, English).
    pub captions: Option<String>,
    /// How long it is; null where only the file itself knows.
    pub seconds: Option<f64>,
    /// When the addresses are good no longer, in ms since the epoch.
    pub until: Option<i64>,
}

/// Converts milliseconds to seconds.
#[expect(clippy::cast_precision_loss, reason = "no recording has 2^52 milliseconds")]
pub(crate) fn seconds(millis: u64) -> f64 {
    millis as f64 / 1000.0
}

/// The media type of a stored file, by its key.
pub(crate) fn type_of(key: &str) -> &'static str {
    place_of(key).map_or("application/octet-stream", |(_, kind)| kind.content_type)
}

impl VideoResult {
    /// A book's video for a reader who may watch it (`None`: a visitor). The URL of a free book's video is not bound to a reader.
    pub fn of(book: &Book, film: Option<&Film>, signer: &UrlSigner, reader: Option<UserId>, now: Timestamp) -> Self {
        let reader = reader.filter(|_| !book.card.free);
        let video = book.card.video.as_deref().map(|key| (type_of(key), signer.presign(key, reader, now)));
        let url = |key: &str| signer.presign(key, reader, now).url;
        Self {
            book: (&book.card).into(),
            url: video.as_ref().map(|(_, signed)| signed.url.clone()),
            kind: video.as_ref().map(|(kind, _)| *kind),
            until: video.as_ref().map(|(_, signed)| signed.expires_at.millis()),
            poster: film.map(|film| url(&film.poster)),
            captions: film.map(|film| url(&film.captions)),
            seconds: film.map(|film| seconds(film.duration_ms)),
        }
    }
}

impl From<&catalogue::Chapter> for AudioChapter {
    fn from(chapter: &catalogue::Chapter) -> Self {
        Self { section: chapter.section, title: chapter.title.clone(), at: seconds(chapter.at_ms) }
    }
}

impl From<&catalogue::Mark> for AudioMark {
    fn from(mark: &catalogue::Mark) -> Self {
        Self { section: mark.section, paragraph: mark.paragraph, at: seconds(mark.at_ms) }
    }
}
