//! What the entries of an archive have in common: moments, days, books, and how one is imported.

use std::collections::{HashMap, HashSet};

use catalogue::{BookTexts, CatalogueQueries};
use identity::{ImportFigure, ImportKind, NamedBook};
use jiff::civil::Date;
use kernel::{BookId, DAY, Day, StoreError, SummaryId, TimeZone, Timestamp, UserId, one_line};
use reading_progress::ProgressError;
use serde::{
    Deserialize, Deserializer,
    de::{DeserializeOwned, Error as _, IgnoredAny},
};
use sha2::{Digest, Sha256};
use study::{Anchor, CardAnswer, HighlightPlace, HighlightSource, LockedMember, Part, SearchableTexts, StudyError};
use summaries::MemberSummaryQueries;

use crate::{
    study::highlights::{texts_of_book, texts_of_summary},
    tx::Tx,
};

/// How many characters are kept of a title, an author's name or a slug.
const NAME_CHARS: usize = 300;

/// Why an entry is not imported.
#[derive(Debug)]
pub(super) enum EntryError {
    /// It breaks a rule, or says something that makes no sense.
    Unreadable,
    Store(StoreError),
}

impl From<StoreError> for EntryError {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl From<StudyError> for EntryError {
    fn from(_: StudyError) -> Self {
        Self::Unreadable
    }
}

impl From<ProgressError> for EntryError {
    fn from(error: ProgressError) -> Self {
        match error {
            ProgressError::Store(error) => Self::Store(error),
            _ => Self::Unreadable,
        }
    }
}

/// A moment, as archives write it: `2026-06-15T12:00:00Z`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Moment(Timestamp);

impl Moment {
    /// The moment, but not after now: a later one would win against all that is done here until then. What is said to be of another
    /// day to come loses against all.
    pub(super) fn until(self, now: Timestamp) -> Timestamp {
        if self.0 > now.plus(DAY) { Timestamp::from_millis(0) } else { self.0.min(now) }
    }
}

impl<'de> Deserialize<'de> for Moment {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let at: jiff::Timestamp = text.parse().map_err(D::Error::custom)?;
        Ok(Self(Timestamp::from_millis(at.as_millisecond().max(0))))
    }
}

/// A day, as archives write it: `2026-06-15`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct CalendarDay(pub(super) Day);

impl<'de> Deserialize<'de> for CalendarDay {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let date: Date = text.parse().map_err(D::Error::custom)?;
        let days = date.since(Date::constant(1970, 1, 1)).map_err(D::Error::custom)?.get_days();
        Ok(Self(Day::from_epoch(days)))
    }
}

impl CalendarDay {
    /// The day, if it can be that of this moment in some time zone.
    pub(super) fn of(self, at: Timestamp) -> Option<Day> {
        let there = TimeZone::UTC.day_of(at);
        (there.plus(-1)..=there.plus(1)).contains(&self.0).then_some(self.0)
    }
}

/// The book of an entry, as the archive names it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub(super) struct BookFields {
    subid: Option<String>,
    title: Option<String>,
    author: Option<String>,
}

impl BookFields {
    /// The title and author of what it is from, a book or an own summary; empty: from nothing.
    pub(super) fn names(&self) -> (String, String) {
        let name = |text: &Option<String>| text.as_deref().and_then(name_from).unwrap_or_default();
        (name(&self.title), name(&self.author))
    }

    /// The book; `None`: the entry is about none, or about an own summary that had been deleted, or the book had been deleted where
    /// the archive was made.
    pub(super) fn named(&self) -> Option<NamedBook> {
        let name = |text: &Option<String>| text.as_deref().and_then(name_from);
        let title = name(&self.title)?;
        let (subid, author) = (name(&self.subid), name(&self.author));
        (subid.is_some() || author.is_some()).then(|| NamedBook { subid, title, author: author.unwrap_or_default() })
    }
}

/// A name on one line, cut; `None`: empty.
pub(super) fn name_from(text: &str) -> Option<String> {
    let name: String = one_line(text).chars().take(NAME_CHARS).collect();
    (!name.is_empty()).then_some(name)
}

/// The key of a kept entry: a hash of what it is besides its book, and of the book, where that makes it one of its kind.
pub(super) fn key_of(own: &str, book: Option<&NamedBook>) -> String {
    let subid = book.and_then(|book| book.subid.as_deref()).unwrap_or_default();
    let (title, author) = book.map_or(("", ""), |book| (&book.title, &book.author));
    hex::encode(Sha256::digest([own, subid, title, author].join("\n")))
}

/// An entry that is read by itself: what makes no sense in it is passed over.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub(super) enum Lenient<T> {
    Read(T),
    Unreadable(IgnoredAny),
}

impl<T> Lenient<T> {
    pub(super) const fn read(&self) -> Option<&T> {
        match self {
            Self::Read(value) => Some(value),
            Self::Unreadable(_) => None,
        }
    }
}

/// An entry of a list of the archive.
pub(super) trait Entry: DeserializeOwned {
    const KIND: ImportKind;

    /// The book that it is about; `None`: of none.
    fn book(&self) -> Option<NamedBook>;

    /// What makes it one of its kind, besides its book; of one that stands alone, without the book.
    fn key(&self) -> String {
        String::new()
    }

    /// The own summary that it is from, in the archive: entries of one are imported in a row.
    fn summary(&self) -> Option<i64> {
        None
    }

    /// Whether it is imported without its book too, and gets that later.
    fn stands_alone(&self) -> bool {
        false
    }

    /// Checks what needs no book, before it is kept for one.
    fn check(&self) -> Result<(), EntryError> {
        Ok(())
    }

    /// Imports it. Without the book, when that is not in the catalogue.
    fn import(&self, importing: &mut Importing<'_, '_, '_>, book: Option<BookId>) -> Result<(), EntryError>;
}

/// Where entries are imported: one transaction.
pub(super) struct Importing<'i, 't, 'c> {
    pub(super) tx: &'i mut Tx<'t, 'c>,
    pub(super) member: UserId,
    pub(super) locked: LockedMember,
    /// The time zone of the member's calendar.
    pub(super) zone: TimeZone,
    pub(super) now: Timestamp,
    /// The ids of own summaries, by those in the archive.
    pub(super) summaries: &'i HashMap<i64, SummaryId>,
    /// The answers of the cards of this batch.
    pub(super) answers: Vec<CardAnswer>,
    books: HashMap<BookId, BookTexts>,
    sources: HashMap<(HighlightSource, Part), SourceTexts>,
}

/// The texts of a part of a source, prepared for finding many anchors.
struct SourceTexts {
    texts: Vec<String>,
    searchable: SearchableTexts,
}

impl<'i, 't, 'c> Importing<'i, 't, 'c> {
    pub(super) fn new(
        tx: &'i mut Tx<'t, 'c>,
        (member, locked): (UserId, LockedMember),
        zone: TimeZone,
        summaries: &'i HashMap<i64, SummaryId>,
    ) -> Self {
        let now = tx.now();
        Self {
            tx,
            member,
            locked,
            zone,
            now,
            summaries,
            answers: Vec::new(),
            books: HashMap::new(),
            sources: HashMap::new(),
        }
    }

    /// The texts of a book, which are read once.
    pub(super) fn book_texts(&mut self, book: BookId) -> Result<&BookTexts, EntryError> {
        if !self.books.contains_key(&book) {
            let texts = self.tx.pg.book_texts(book)?.ok_or(EntryError::Unreadable)?;
            self.books.insert(book, texts);
        }
        self.books.get(&book).ok_or(EntryError::Unreadable)
    }

    /// Where an anchor is in the present text of a source, which is prepared once for entries of it in a row.
    pub(super) fn place_in(
        &mut self,
        source: HighlightSource,
        part: Part,
        anchor: &Anchor,
    ) -> Result<HighlightPlace, EntryError> {
        if self.sources.keys().any(|(prepared, _)| *prepared != source) {
            // Own summaries may be large.
            self.sources.clear();
        }
        if !self.sources.contains_key(&(source, part)) {
            let texts = match source {
                HighlightSource::Book(book) => texts_of_book(self.book_texts(book)?, part)?.to_vec(),
                HighlightSource::Summary(summary) => {
                    let text = self.tx.pg.member_summary_text(self.member, summary)?.ok_or(EntryError::Unreadable)?;
                    texts_of_summary(text, part)?
                }
            };
            let searchable = SearchableTexts::new(&texts);
            self.sources.insert((source, part), SourceTexts { texts, searchable });
        }
        let SourceTexts { texts, searchable } = self.sources.get(&(source, part)).ok_or(EntryError::Unreadable)?;
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        Ok(HighlightPlace::from_found(searchable.find(anchor), &texts))
    }
}

/// What became of the entries so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Figures {
    figures: Vec<ImportFigure>,
    /// What stands alone and was counted: where it is kept too, the archive has it twice.
    counted: HashSet<(ImportKind, String)>,
    /// Whether what is kept is looked for again.
    pub(super) is_retry: bool,
}

impl Figures {
    pub(super) fn new(is_retry: bool) -> Self {
        Self { is_retry, ..Self::default() }
    }

    pub(super) fn of(&mut self, kind: ImportKind) -> &mut ImportFigure {
        let at = self.figures.iter().position(|figure| figure.kind == kind).unwrap_or_else(|| {
            self.figures.push(ImportFigure { kind, imported: 0, kept: 0, unreadable: 0 });
            self.figures.len() - 1
        });
        &mut self.figures[at]
    }

    /// Counts an entry with this key as imported. One that stands alone is counted once.
    pub(super) fn count_imported(&mut self, kind: ImportKind, key: &str, stands_alone: bool) {
        if !stands_alone || self.counted.insert((kind, key.to_owned())) {
            self.of(kind).imported += 1;
        }
    }

    /// By kind, without those of which there were no entries.
    pub(super) fn in_order(mut self) -> Vec<ImportFigure> {
        self.figures.retain(|figure| figure.imported + figure.kept + figure.unreadable > 0);
        self.figures.sort_by_key(|figure| figure.kind);
        self.figures
    }
}
