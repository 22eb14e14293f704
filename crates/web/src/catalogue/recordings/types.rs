//! Audio and video on the wire.

use catalogue::{Book, Film};
use kernel::{Timestamp, UserId};
use media::{UrlSigner, place_of};
use serde::Serialize;
use utoipa::ToSchema;

use crate::catalogue::types::book::BookCard;

/// The audio of a book or the podcast episode about it.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct AudioResult {
    /// The presigned URL of the file, which supports range requests.
    pub url: String,
    /// The media type of the file.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// The length, in seconds; null if unknown.
    pub seconds: Option<f64>,
    /// When the URL expires, in milliseconds since the Unix epoch.
    pub until: i64,
    /// The start of each section; empty if unknown.
    pub chapters: Vec<AudioChapter>,
    /// The start of each heading and paragraph, in order; empty if unknown.
    pub marks: Vec<AudioMark>,
}

/// A section of a recording.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct AudioChapter {
    /// The index of the section, from 0.
    pub section: usize,
    /// The heading of the section.
    pub title: String,
    /// The offset from the start of the recording, in seconds.
    pub at: f64,
}

/// The start of a heading or a paragraph in a recording.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct AudioMark {
    /// The index of the section, from 0.
    pub section: usize,
    /// The index of the paragraph among the elements `p`, `li`, `blockquote` and `h4` of the section's HTML, from 0 in document
    /// order; null for the heading.
    pub paragraph: Option<usize>,
    /// The offset from the start of the recording, in seconds.
    pub at: f64,
}

/// The video of a book.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct VideoResult {
    /// The book.
    pub book: BookCard,
    /// The presigned URL of the file, which supports range requests; null if there is no video.
    pub url: Option<String>,
    /// The media type of the file; null if there is no video.
    #[serde(rename = "type")]
    pub kind: Option<&'static str>,
    /// The presigned URL of the poster image; null if there is none.
    pub poster: Option<String>,
    /// The presigned URL of the English captions (`WebVTT`); null if there are none.
    pub captions: Option<String>,
    /// The length, in seconds; null if unknown.
    pub seconds: Option<f64>,
    /// When the URL of the video expires, in milliseconds since the Unix epoch; null if there is no video.
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
