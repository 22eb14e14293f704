//! Highlights on the wire. Positions are in Unicode characters (code points) of a section's text.

use kernel::{Limit, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::Number;
use study::{
    Anchor, HighlightPlace, HighlightSource, PopularPassage, Register, StoredHighlight, StudyError, StudySettings,
    TagState,
};
use utoipa::{IntoParams, ToSchema};
use workflows::study::{changes::RecordChanges, shown::ShownHighlight};

use crate::{
    http::{error::ApiError, whole::whole, wire::page::limit},
    study::{card_types::ReviewCard, commitment_types::Commitment, list_types::ReadingList, timed_text::TimedText},
};

/// From where to go on.
#[derive(Clone, Copy, Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ChangesParams {
    /// The version up to which the device has everything; at first 0.
    #[serde(default)]
    after: u64,
    /// The page size, 1 to 100. Default: 100.
    #[param(minimum = 1, maximum = 100)]
    limit: Option<usize>,
}

impl ChangesParams {
    /// Parses and validates the parameters.
    pub(super) fn read(self) -> Result<(u64, Limit), ApiError> {
        Ok((self.after, limit(self.limit, Limit::MAX, Limit::MAX)?))
    }
}

/// The quote and the position of a passage, as in W3C's Web Annotation model.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct HighlightAnchor {
    /// The index of the section, of an own summary's key idea or of a book's quote, from 0.
    #[schema(value_type = Option<i64>, minimum = 0, maximum = 2_147_483_647)]
    section: Option<Number>,
    /// Where the words begin in the section's text.
    #[schema(value_type = i64, minimum = 0, maximum = 2_147_483_647)]
    start: Number,
    /// Where they end.
    #[schema(value_type = i64, minimum = 0, maximum = 2_147_483_647)]
    end: Number,
    /// The words, up to 2,000 characters.
    #[schema(min_length = 1)]
    exact: String,
    /// Up to 32 characters before them.
    #[schema(max_length = 32)]
    prefix: String,
    /// Up to 32 characters after them.
    #[schema(max_length = 32)]
    suffix: String,
}

impl HighlightAnchor {
    /// Parses the positions.
    pub(super) fn read(&self) -> Result<Anchor, ApiError> {
        let number = |number: &Number| {
            let number = whole(number).and_then(|number| u32::try_from(number).ok());
            number.ok_or(StudyError::InvalidPassage)
        };
        Ok(Anchor {
            section: self.section.as_ref().map(number).transpose()?,
            start: number(&self.start)?,
            end: number(&self.end)?,
            exact: self.exact.clone(),
            prefix: self.prefix.clone(),
            suffix: self.suffix.clone(),
        })
    }
}

impl From<Anchor> for HighlightAnchor {
    fn from(Anchor { section, start, end, exact, prefix, suffix }: Anchor) -> Self {
        Self { section: section.map(Into::into), start: start.into(), end: end.into(), exact, prefix, suffix }
    }
}

/// Where a highlight is in the present text.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct PlaceOfHighlight {
    /// `same`: its words are there; `changed`: they were edited; `gone`: its passage or its source is not there any more.
    state: &'static str,
    /// The index of the section; null where it is gone.
    section: Option<u32>,
    start: Option<u32>,
    end: Option<u32>,
    /// The words there, if they were edited and the member may read them.
    text: Option<String>,
}

impl From<HighlightPlace> for PlaceOfHighlight {
    fn from(place: HighlightPlace) -> Self {
        let range = place.range();
        let (state, text) = match place {
            HighlightPlace::Same(_) => ("same", None),
            // Without the right to read it there is no text.
            HighlightPlace::Changed { text, .. } => ("changed", Some(text).filter(|text| !text.is_empty())),
            HighlightPlace::Gone => ("gone", None),
        };
        Self {
            state,
            section: range.map(|range| range.section),
            start: range.map(|range| range.start),
            end: range.map(|range| range.end),
            text,
        }
    }
}

/// Whether a highlight has a tag.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct TimedTag {
    tag: String,
    /// Whether it has it; not, after it was removed.
    on: bool,
    /// When that was set, in ms since the epoch.
    at: i64,
}

/// The file format of an export.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ExportFormat {
    /// A zip with one Markdown file for each source.
    Markdown,
    /// One row for each highlight, in the columns that Readwise imports.
    Csv,
    /// W3C's Web Annotation model.
    Json,
    /// The review cards as a package for Anki, with their schedules.
    Anki,
}

/// Query parameters of an export.
#[derive(Clone, Copy, Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ExportParams {
    /// The format.
    #[param(inline)]
    pub format: ExportFormat,
}

/// A passage that the member kept.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Highlight {
    id: i64,
    /// The book that it is from; null for a summary, and when the book was deleted.
    book_id: Option<i64>,
    /// The book's `subid`.
    subid: Option<String>,
    /// The own summary that it is from; null for a book, and when the summary was deleted.
    summary_id: Option<i64>,
    /// The title of the source, now or when it was there last.
    title: String,
    /// The author of the book; empty for a summary.
    author: String,
    /// `text`, `quote` or `source`.
    part: &'static str,
    /// The words are empty once a deleted highlight was emptied.
    anchor: HighlightAnchor,
    place: PlaceOfHighlight,
    /// `honey`, `leaf`, `sky` or `rose`.
    color: TimedText,
    /// Empty: none.
    note: TimedText,
    tags: Vec<TimedTag>,
    /// When it was made, in ms since the epoch.
    created_at: i64,
    /// When a part of it was changed last.
    edited_at: i64,
    /// When it was deleted; it is shown again if it was changed later.
    deleted_at: Option<i64>,
    /// Greater than that of all highlights of the member that were saved before.
    version: u64,
}

impl From<ShownHighlight> for Highlight {
    fn from(ShownHighlight { stored, book }: ShownHighlight) -> Self {
        let StoredHighlight { highlight, place, version } = stored;
        let (book_id, summary_id) = match highlight.source {
            Some(HighlightSource::Book(book)) => (Some(book.get()), None),
            Some(HighlightSource::Summary(summary)) => (None, Some(summary.get())),
            None => (None, None),
        };
        let (subid, title, author) = match book {
            Some(book) => (Some(book.subid.as_str().to_owned()), book.title, book.author),
            None => (None, highlight.source_title, highlight.source_author),
        };
        let state = highlight.state;
        let edited_at = state.edited_at();
        Self {
            id: highlight.id.get(),
            book_id,
            subid,
            summary_id,
            title,
            author,
            part: state.part.as_str(),
            anchor: state.anchor.into(),
            place: place.into(),
            color: TimedText { value: state.color.value.as_str().to_owned(), at: state.color.at.millis() },
            note: TimedText { value: state.note.value.as_str().to_owned(), at: state.note.at.millis() },
            tags: state.tags.into_values().map(TimedTag::from).collect(),
            created_at: state.created_at.millis(),
            edited_at: edited_at.millis(),
            deleted_at: state.deleted_at.map(Timestamp::millis),
            version,
        }
    }
}

impl From<Register<TagState>> for TimedTag {
    fn from(tag: Register<TagState>) -> Self {
        Self { tag: tag.value.tag.as_str().to_owned(), on: tag.value.is_on, at: tag.at.millis() }
    }
}

/// A highlight that was saved.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct HighlightResult {
    /// As it is now.
    pub highlight: Highlight,
}

/// What has changed.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ChangesResult {
    /// In the order of their versions.
    highlights: Vec<Highlight>,
    /// In the order of their versions.
    cards: Vec<ReviewCard>,
    /// In the order of their versions.
    commitments: Vec<Commitment>,
    /// In the order of their versions.
    lists: Vec<ReadingList>,
    /// From where to go on; null: these were all.
    next: Option<u64>,
    /// The latest version of the member's records.
    version: u64,
}

impl From<RecordChanges> for ChangesResult {
    fn from(RecordChanges { highlights, cards, commitments, lists, next, version }: RecordChanges) -> Self {
        let highlights = highlights.into_iter().map(Into::into).collect();
        let commitments = commitments.into_iter().map(Into::into).collect();
        let lists = lists.into_iter().map(Into::into).collect();
        Self { highlights, cards: cards.into_iter().map(Into::into).collect(), commitments, lists, next, version }
    }
}

/// One sentence, or several neighboring ones, that at least ten members have highlighted.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
pub struct PopularPassageItem {
    /// The index of the section, from 0.
    section: u32,
    /// In Unicode characters of the section's text.
    start: u32,
    end: u32,
    /// How many members have highlighted each of its sentences, at least.
    members: u32,
}

impl From<PopularPassage> for PopularPassageItem {
    fn from(PopularPassage { section, range, members }: PopularPassage) -> Self {
        Self { section, start: range.start, end: range.end, members }
    }
}

/// The popular passages of a book.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct PopularResult {
    /// In the order of the text.
    pub passages: Vec<PopularPassageItem>,
}

/// What a member has switched on or off.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
#[serde(rename_all = "camelCase")]
pub struct StudySettingsItem {
    /// Whether the reader offers and shows highlights.
    has_highlights: bool,
    /// Whether the member's highlights count for popular passages.
    counts_in_popular: bool,
    /// Whether popular passages are shown to the member.
    shows_popular: bool,
    /// How many cards a day asks at most.
    daily_max: u32,
    /// Whether a day with an answer counts for the streak.
    counts_for_streak: bool,
    /// How the member is reminded of due cards: `off`, `mail` or `push`.
    reminder: &'static str,
    /// How often the member gets highlights by mail: `off`, `daily` or `weekly`.
    digest: &'static str,
    /// The hour of both, 0 to 23, in the member's time zone.
    notice_hour: u32,
    /// Whether the member is asked for a commitment at the end of a book, and what became of it.
    asks_commitments: bool,
}

impl From<StudySettings> for StudySettingsItem {
    fn from(settings: StudySettings) -> Self {
        Self {
            has_highlights: settings.has_highlights,
            counts_in_popular: settings.counts_in_popular,
            shows_popular: settings.shows_popular,
            daily_max: settings.daily_max,
            counts_for_streak: settings.counts_for_streak,
            reminder: settings.reminder.as_str(),
            digest: settings.digest.as_str(),
            notice_hour: settings.notice_hour,
            asks_commitments: settings.asks_commitments,
        }
    }
}

/// The settings of a member.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
pub struct StudySettingsResult {
    pub settings: StudySettingsItem,
}
