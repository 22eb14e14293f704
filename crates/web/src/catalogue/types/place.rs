//! A reading position on the wire.

use serde::Serialize;
use utoipa::ToSchema;

/// Where a reader is in a book, as all devices together say.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Place {
    /// The section, from 0.
    pub position: u32,
    /// The paragraph at the top of the screen, from 0 in its section; null: the section's beginning.
    pub paragraph: Option<u32>,
    /// When the reader was there, in ms since the epoch.
    pub at: i64,
    /// The random name of the browser that said so; null when it gave none.
    pub device: Option<String>,
    /// The furthest section ever reached, from 0.
    pub furthest: u32,
    /// Where the audio was last, in milliseconds; null when it was never played.
    pub audio: Option<u64>,
}

impl From<&reading_progress::Place> for Place {
    fn from(place: &reading_progress::Place) -> Self {
        let reading = place.reading.as_ref();
        Self {
            position: place.position(),
            paragraph: reading.and_then(|reading| reading.paragraph),
            at: reading.map_or(place.seen_at, |reading| reading.at).millis(),
            device: reading.and_then(|reading| reading.device.as_ref()).map(|device| device.as_str().to_owned()),
            furthest: place.furthest,
            audio: place.audio.map(|audio| audio.millis),
        }
    }
}
