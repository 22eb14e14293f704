//! Highlights: what a device reports is merged, or checked, found in the present text, and added.

use billing::BillingQueries;
use catalogue::{Book, BookRef, BookTexts, CatalogueLists, CatalogueQueries, RecordingQueries};
use identity::{IdentityError, RateLimitBucket};
use kernel::{HighlightId, Limit, StoreError, SummaryId, Timestamp, UserId};
use reading_progress::{Member, Refusal, history_condition};
use study::{
    Highlight, HighlightPlace, HighlightSource, HighlightState, LockedMember, Part, StoredHighlight, Study, StudyError,
    StudyQueries, id_of_highlight, source_text,
};
use summaries::{MemberSummaryQueries, SummaryState, SummaryText};

use crate::{
    catalogue::view_book::view_book,
    error::ViewError,
    rate_limits::count_attempt,
    reading_progress::reading::history_refusal,
    rights::{facts_of, grants_of},
    study::{
        heard::heard_anchor,
        shown::{ReadableSources, ShownHighlight, books_of},
        webhook_queue::queue_highlight,
    },
    tx::Tx,
};

/// Why a highlight, a review card, a commitment or an answer is not stored, or a session not built.
#[derive(Debug, thiserror::Error)]
pub enum HighlightError {
    /// The source is not there, or the member may not read it.
    #[error(transparent)]
    View(#[from] ViewError),
    /// A rule of highlights refuses it.
    #[error(transparent)]
    Study(#[from] StudyError),
    /// A new highlight is from nothing.
    #[error("Please specify a book.")]
    NoSource,
    /// The member saves too many.
    #[error(transparent)]
    Limit(#[from] IdentityError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<Refusal> for HighlightError {
    fn from(refusal: Refusal) -> Self {
        Self::View(refusal.into())
    }
}

/// What a device says a highlight is from.
#[derive(Clone, Debug)]
pub enum ReportedSource {
    Book(BookRef),
    Summary(SummaryId),
}

/// The source of a new highlight.
struct FoundSource {
    source: HighlightSource,
    title: String,
    author: String,
    /// The texts of the part in which the highlight is.
    texts: Vec<String>,
}

/// The member's highlights that changed after a version.
#[derive(Debug)]
pub struct HighlightChanges {
    /// By version, deleted ones included.
    pub highlights: Vec<ShownHighlight>,
    /// From where to go on; `None`: these were all.
    pub next: Option<u64>,
}

/// Merges what a device reports of a highlight that the member has (`study.highlight-merge`), or adds it, if the member may
/// read its text, or could when it was made (`study.highlight-rights`). With `heard_ms`, a moment of the book's recording, the
/// server finds the sentence that was just spoken then; the anchor of the report does not count. Of a highlight that is there the
/// source is not needed: it may have been deleted.
pub fn put_highlight(
    tx: &mut Tx<'_, '_>,
    member: UserId,
    id: HighlightId,
    source: Option<&ReportedSource>,
    heard_ms: Option<u64>,
    mut report: HighlightState,
) -> Result<ShownHighlight, HighlightError> {
    if heard_ms.is_none() {
        report.check()?;
    }
    count_attempt(tx, RateLimitBucket::Study, &member.to_string())?;
    let mut locked = tx.pg.lock_records(member)?.ok_or(ViewError::SignedOut)?;
    let stored = if let Some(known) = tx.pg.locked_highlight(&locked, id)? {
        if heard_ms.is_some() {
            report.anchor = known.highlight.state.anchor.clone();
            report.check()?;
        }
        merge_known(tx, &mut locked, known, report)?
    } else {
        let found = found_source(tx, member, source.ok_or(HighlightError::NoSource)?, heard_ms, &mut report)?;
        report.check()?;
        let texts: Vec<&str> = found.texts.iter().map(String::as_str).collect();
        let place = HighlightPlace::of(&report.anchor, &texts);
        let highlight = Highlight {
            id,
            source: Some(found.source),
            source_title: found.title,
            source_author: found.author,
            state: report,
        };
        let added = tx.pg.add_highlight(&mut locked, highlight, place)?;
        if added.highlight.state.is_shown() {
            queue_highlight(tx, member, id)?;
        }
        added
    };
    let mut shown = shown_to(tx, member, vec![stored])?;
    shown.pop().ok_or_else(|| StoreError::new("the highlight was stored").into())
}

/// Merges a report into a highlight that the member has.
pub(crate) fn merge_known(
    tx: &mut Tx<'_, '_>,
    locked: &mut LockedMember,
    known: StoredHighlight,
    report: HighlightState,
) -> Result<StoredHighlight, StoreError> {
    let (id, was_shown) = (known.highlight.id, known.highlight.state.is_shown());
    let merged = tx.pg.merge_highlight(locked, known, report)?;
    if merged.highlight.state.is_shown() != was_shown {
        renew_card_of(tx, locked, id)?;
    }
    Ok(merged)
}

/// Its card is gone, or back: a change that other devices read.
fn renew_card_of(tx: &mut Tx<'_, '_>, member: &mut LockedMember, highlight: HighlightId) -> Result<(), StoreError> {
    let card = tx.pg.locked_cards(member, &[id_of_highlight(highlight)])?.pop();
    if let Some(card) = card.filter(|card| card.highlight() == Some(highlight)) {
        tx.pg.renew_card(member, card)?;
    }
    Ok(())
}

/// The member's highlights that changed after a version, a page at a time.
pub fn highlight_changes<A>(
    tx: &mut Tx<'_, '_, A>,
    member: UserId,
    after: u64,
    limit: Limit,
) -> Result<HighlightChanges, StoreError> {
    let mut stored = tx.pg.highlights_after(member, after, limit)?;
    let has_more = stored.len() > limit.get();
    stored.truncate(limit.get());
    let next = stored.last().map(|last| last.version).filter(|_| has_more);
    Ok(HighlightChanges { highlights: shown_to(tx, member, stored)?, next })
}

/// Highlights as the member sees them: with the present names of their books, and, of words that were edited, the present ones
/// while the member may read the text (`study.export-texts`).
pub(super) fn shown_to<A>(
    tx: &mut Tx<'_, '_, A>,
    member: UserId,
    stored: Vec<StoredHighlight>,
) -> Result<Vec<ShownHighlight>, StoreError> {
    let mut shown: Vec<_> = stored.into_iter().map(|stored| ShownHighlight { stored, book: None }).collect();
    let names = tx.pg.book_names(&books_of(&shown))?;
    for one in &mut shown {
        one.book = one.book_id().and_then(|book| names.get(&book).cloned());
    }
    if shown.iter().any(|one| matches!(one.stored.place, HighlightPlace::Changed { .. })) {
        let readable = ReadableSources::of(tx, member, &shown)?;
        for one in shown.iter_mut().filter(|one| !readable.has(one)) {
            if let HighlightPlace::Changed { text, .. } = &mut one.stored.place {
                text.clear();
            }
        }
    }
    Ok(shown)
}

/// The source of a new highlight, if the member may highlight it.
fn found_source(
    tx: &mut Tx<'_, '_>,
    member: UserId,
    source: &ReportedSource,
    heard_ms: Option<u64>,
    report: &mut HighlightState,
) -> Result<FoundSource, HighlightError> {
    match (source, heard_ms) {
        (ReportedSource::Book(book), None) => book_source(tx, member, book, report),
        (ReportedSource::Book(book), Some(at_ms)) => heard_source(tx, member, book, at_ms, report),
        (ReportedSource::Summary(summary), None) => summary_source(tx, member, *summary, report.part),
        (ReportedSource::Summary(_), Some(_)) => Err(StudyError::NoSentenceTimes.into()),
    }
}

/// A book whose text the member may read, or could at this moment.
pub(super) fn readable_book(
    tx: &mut Tx<'_, '_>,
    member: UserId,
    book: &BookRef,
    at: Timestamp,
) -> Result<Book, HighlightError> {
    let view = view_book(tx, Some(member), book)?;
    let (facts, state) = (facts_of(&view.book), view.state.as_ref().ok_or(ViewError::SignedOut)?);
    // Plans that have ended too: a device that was offline reports late.
    let grants = grants_of(&tx.pg.entitlement_history_of(member)?);
    let reader = Member { grants: &grants, opened: state.opened, allowance: &state.allowance };
    if !history_condition(&facts, at, tx.now())?.is_met_by(&reader) {
        return Err(history_refusal(tx, member, &facts)?.into());
    }
    Ok(view.book)
}

fn book_source(
    tx: &mut Tx<'_, '_>,
    member: UserId,
    book: &BookRef,
    report: &HighlightState,
) -> Result<FoundSource, HighlightError> {
    let card = readable_book(tx, member, book, report.created_at)?.card;
    let texts = tx.pg.book_texts(card.id)?.ok_or(ViewError::NotFound("book"))?;
    let texts = texts_of_book(&texts, report.part)?.to_vec();
    Ok(FoundSource { source: HighlightSource::Book(card.id), title: card.title, author: card.author.name, texts })
}

/// The book of a recording; the report gets the anchor of the sentence.
fn heard_source(
    tx: &mut Tx<'_, '_>,
    member: UserId,
    book: &BookRef,
    at_ms: u64,
    report: &mut HighlightState,
) -> Result<FoundSource, HighlightError> {
    let book = readable_book(tx, member, book, report.created_at)?;
    let texts = tx.pg.book_texts(book.card.id)?.ok_or(ViewError::NotFound("book"))?;
    let recording = tx.pg.recording(&book)?.ok_or(StudyError::NoSentenceTimes)?;
    report.anchor = heard_anchor(&book.body, &texts, &recording, at_ms)?;
    let (source, author) = (HighlightSource::Book(book.card.id), book.card.author.name);
    Ok(FoundSource { source, title: book.card.title, author, texts: texts.sections })
}

fn summary_source(
    tx: &mut Tx<'_, '_>,
    member: UserId,
    id: SummaryId,
    part: Part,
) -> Result<FoundSource, HighlightError> {
    let summary = tx.pg.member_summary(member, id)?.filter(|summary| summary.state == SummaryState::Done);
    let text = tx.pg.member_summary_text(member, id)?;
    let (summary, text) = summary.zip(text).ok_or(ViewError::NotFound("summary"))?;
    let texts = texts_of_summary(text, part)?;
    Ok(FoundSource { source: HighlightSource::Summary(id), title: summary.title, author: String::new(), texts })
}

/// The texts of a part of a book.
pub(crate) fn texts_of_book(texts: &BookTexts, part: Part) -> Result<&[String], StudyError> {
    match part {
        Part::Text => Ok(&texts.sections),
        Part::Quote => Ok(&texts.quotes),
        Part::Source => Err(StudyError::InvalidPassage),
    }
}

/// The texts of a part of an own summary.
pub(crate) fn texts_of_summary(text: SummaryText, part: Part) -> Result<Vec<String>, StudyError> {
    match part {
        Part::Text => Ok(text.ideas.into_iter().map(|idea| idea.text).collect()),
        Part::Source => Ok(vec![source_text(&text.text)]),
        Part::Quote => Err(StudyError::InvalidPassage),
    }
}
