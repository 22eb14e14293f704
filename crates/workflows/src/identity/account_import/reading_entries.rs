//! Entries about reading: places, library, ratings and notices.

use identity::{ImportKind, NamedBook};
use kernel::{BookId, Device, Timestamp};
use reading_progress::{
    AudioPosition, Place, ProgressCommands, ProgressQueries, Rating, ReadingPosition, ReadingProgress,
};
use serde::Deserialize;

use super::entry::{BookFields, Entry, EntryError, Importing, Moment};

/// A place in a book.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct PlaceEntry {
    #[serde(flatten)]
    book: BookFields,
    position: u32,
    #[serde(default)]
    paragraph: Option<u32>,
    /// Not in archives of earlier releases, as are the device and when it was heard.
    #[serde(default)]
    read_at: Option<Moment>,
    #[serde(default)]
    device: Option<String>,
    furthest: u32,
    audio: Option<u64>,
    #[serde(default)]
    heard_at: Option<Moment>,
    completed_at: Option<Moment>,
    at: Moment,
    hidden_at: Option<Moment>,
}

impl PlaceEntry {
    fn place(&self, now: Timestamp) -> Place {
        let is_text_open = self.read_at.is_some() || self.position > 0 || self.furthest > 0;
        let reading = is_text_open.then(|| ReadingPosition {
            at: self.read_at.unwrap_or(self.at).until(now),
            position: self.position,
            paragraph: self.paragraph,
            device: self.device.as_deref().and_then(Device::parse),
        });
        let audio = self.audio.map(|millis| AudioPosition { at: self.heard_at.unwrap_or(self.at).until(now), millis });
        Place {
            reading,
            furthest: self.furthest,
            audio,
            completed_at: self.completed_at.map(|at| at.until(now)),
            seen_at: self.at.until(now),
            hidden_at: self.hidden_at.map(|at| at.until(now)),
        }
    }
}

impl Entry for PlaceEntry {
    const KIND: ImportKind = ImportKind::Places;

    fn book(&self) -> Option<NamedBook> {
        self.book.named()
    }

    fn import(&self, importing: &mut Importing<'_, '_, '_>, book: Option<BookId>) -> Result<(), EntryError> {
        let pg = &mut *importing.tx.pg;
        let facts = pg.book_facts(book.ok_or(EntryError::Unreadable)?)?.ok_or(EntryError::Unreadable)?;
        Ok(pg.import_place(importing.member, &facts, &self.place(importing.now))?)
    }
}

/// A book of the library.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct LibraryBook {
    #[serde(flatten)]
    book: BookFields,
    added_at: Moment,
}

impl Entry for LibraryBook {
    const KIND: ImportKind = ImportKind::Library;

    fn book(&self) -> Option<NamedBook> {
        self.book.named()
    }

    fn import(&self, importing: &mut Importing<'_, '_, '_>, book: Option<BookId>) -> Result<(), EntryError> {
        let book = book.ok_or(EntryError::Unreadable)?;
        Ok(importing.tx.pg.add_to_library(importing.member, book, self.added_at.until(importing.now))?)
    }
}

/// A rating of a book.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct RatingEntry {
    #[serde(flatten)]
    book: BookFields,
    rating: i64,
    feedback: String,
    created_at: Moment,
    updated_at: Moment,
}

impl RatingEntry {
    fn read(&self) -> Result<Rating, EntryError> {
        Ok(Rating::new(Some(self.rating), &self.feedback)?)
    }
}

impl Entry for RatingEntry {
    const KIND: ImportKind = ImportKind::Ratings;

    fn check(&self) -> Result<(), EntryError> {
        self.read().map(|_| ())
    }

    fn book(&self) -> Option<NamedBook> {
        self.book.named()
    }

    fn import(&self, importing: &mut Importing<'_, '_, '_>, book: Option<BookId>) -> Result<(), EntryError> {
        let (book, rating) = (book.ok_or(EntryError::Unreadable)?, self.read()?);
        let moments = (self.created_at.until(importing.now), self.updated_at.until(importing.now));
        Ok(importing.tx.pg.import_rating(importing.member, book, &rating, moments)?)
    }
}

/// A book whose publication the member wants to be notified of.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct NoticeEntry {
    #[serde(flatten)]
    book: BookFields,
    requested_at: Moment,
}

impl Entry for NoticeEntry {
    const KIND: ImportKind = ImportKind::Notices;

    fn book(&self) -> Option<NamedBook> {
        self.book.named()
    }

    /// Of a book that can be read here already, nothing is left to be notified of.
    fn import(&self, importing: &mut Importing<'_, '_, '_>, book: Option<BookId>) -> Result<(), EntryError> {
        let pg = &mut *importing.tx.pg;
        let facts = pg.book_facts(book.ok_or(EntryError::Unreadable)?)?.ok_or(EntryError::Unreadable)?;
        if facts.coming_soon {
            pg.request_notice(importing.member, &facts, self.requested_at.until(importing.now))?;
        }
        Ok(())
    }
}
