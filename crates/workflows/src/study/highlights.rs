//! Highlights: what a device reports is merged, or checked, found in the present text, and added.

use std::collections::HashMap;

use billing::BillingQueries;
use catalogue::{BookName, BookRef, CatalogueLists, CatalogueQueries};
use identity::{IdentityError, RateLimitBucket};
use kernel::{BookId, HighlightId, Limit, StoreError, SummaryId, UserId};
use reading_progress::{Member, Refusal, history_condition};
use study::{
    Highlight, HighlightPlace, HighlightSource, HighlightState, Part, StoredHighlight, Study, StudyError, StudyQueries,
    source_text,
};
use summaries::{MemberSummaryQueries, SummaryState};

use crate::{
    catalogue::view_book::view_book,
    error::ViewError,
    rate_limits::count_attempt,
    reading_progress::reading::history_refusal,
    rights::{facts_of, grants_of},
    tx::Tx,
};

/// Why a highlight is not stored.
#[derive(Debug, thiserror::Error)]
pub enum HighlightError {
    /// The source is not there, or the member may not read it.
    #[error(transparent)]
    View(#[from] ViewError),
    /// A rule of highlights refuses it.
    #[error(transparent)]
    Study(#[from] StudyError),
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

/// A highlight, with the present name of its book.
#[derive(Debug)]
pub struct ShownHighlight {
    pub stored: StoredHighlight,
    /// `None`: it is not from a book, or the book was deleted.
    pub book: Option<BookName>,
}

/// The member's highlights that changed after a version.
#[derive(Debug)]
pub struct HighlightChanges {
    /// By version, deleted ones included.
    pub highlights: Vec<ShownHighlight>,
    /// From where to go on; `None`: these were all.
    pub next: Option<u64>,
    /// The member's latest version before the highlights were read.
    pub version: u64,
}

/// Merges what a device reports of a highlight that the member has (`study.highlight-merge`), or adds it, if the member may
/// read its text, or could when it was made (`study.highlight-rights`).
pub fn put_highlight(
    tx: &mut Tx<'_, '_>,
    member: UserId,
    id: HighlightId,
    source: &ReportedSource,
    report: HighlightState,
) -> Result<ShownHighlight, HighlightError> {
    report.check()?;
    count_attempt(tx, RateLimitBucket::Study, &member.to_string())?;
    let mut locked = tx.pg.lock_records(member)?.ok_or(ViewError::SignedOut)?;
    let stored = if let Some(known) = tx.pg.locked_highlight(&locked, id)? {
        tx.pg.merge_highlight(&mut locked, known, report)?
    } else {
        let found = found_source(tx, member, source, &report)?;
        let texts: Vec<&str> = found.texts.iter().map(String::as_str).collect();
        let place = HighlightPlace::of(&report.anchor, &texts);
        let highlight = Highlight {
            id,
            source: Some(found.source),
            source_title: found.title,
            source_author: found.author,
            state: report,
        };
        tx.pg.add_highlight(&mut locked, highlight, place)?
    };
    let mut shown = with_books(tx, vec![stored])?;
    shown.pop().ok_or_else(|| StoreError::new("the highlight was stored").into())
}

/// The member's highlights that changed after a version, a page at a time (`study.change-feed`).
pub fn highlight_changes<A>(
    tx: &mut Tx<'_, '_, A>,
    member: UserId,
    after: u64,
    limit: Limit,
) -> Result<HighlightChanges, StoreError> {
    // Before the highlights: one that changes meanwhile has a greater version, and comes with the next call.
    let version = tx.pg.study_version(member)?;
    let mut stored = tx.pg.highlights_after(member, after, limit)?;
    let has_more = stored.len() > limit.get();
    stored.truncate(limit.get());
    let next = stored.last().map(|last| last.version).filter(|_| has_more);
    Ok(HighlightChanges { highlights: with_books(tx, stored)?, next, version })
}

fn with_books<A>(tx: &mut Tx<'_, '_, A>, stored: Vec<StoredHighlight>) -> Result<Vec<ShownHighlight>, StoreError> {
    let book_of = |stored: &StoredHighlight| match stored.highlight.source {
        Some(HighlightSource::Book(book)) => Some(book),
        Some(HighlightSource::Summary(_)) | None => None,
    };
    let mut books: Vec<BookId> = stored.iter().filter_map(book_of).collect();
    books.sort_unstable();
    books.dedup();
    let names: HashMap<BookId, BookName> = tx.pg.book_names(&books)?;
    let shown = stored.into_iter().map(|stored| {
        let book = book_of(&stored).and_then(|book| names.get(&book).cloned());
        ShownHighlight { stored, book }
    });
    Ok(shown.collect())
}

/// The source of a new highlight, if the member may highlight it.
fn found_source(
    tx: &mut Tx<'_, '_>,
    member: UserId,
    source: &ReportedSource,
    report: &HighlightState,
) -> Result<FoundSource, HighlightError> {
    match source {
        ReportedSource::Book(book) => book_source(tx, member, book, report),
        ReportedSource::Summary(summary) => summary_source(tx, member, *summary, report.part),
    }
}

fn book_source(
    tx: &mut Tx<'_, '_>,
    member: UserId,
    book: &BookRef,
    report: &HighlightState,
) -> Result<FoundSource, HighlightError> {
    let view = view_book(tx, Some(member), book)?;
    let (facts, state) = (facts_of(&view.book), view.state.as_ref().ok_or(ViewError::SignedOut)?);
    // Plans that have ended too: a device that was offline reports late.
    let grants = grants_of(&tx.pg.entitlement_history_of(member)?);
    let reader = Member { grants: &grants, opened: state.opened, allowance: &state.allowance };
    if !history_condition(&facts, report.created_at, tx.now())?.is_met_by(&reader) {
        return Err(history_refusal(tx, member, &facts)?.into());
    }
    let texts = match report.part {
        Part::Text => tx.pg.section_texts(facts.id)?,
        Part::Quote => view.book.quotes.into_iter().map(|quote| quote.text).collect(),
        Part::Source => return Err(StudyError::InvalidPassage.into()),
    };
    let card = view.book.card;
    Ok(FoundSource { source: HighlightSource::Book(facts.id), title: card.title, author: card.author.name, texts })
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
    let texts = match part {
        Part::Text => text.ideas.into_iter().map(|idea| idea.text).collect(),
        Part::Source => vec![source_text(&text.text)],
        Part::Quote => return Err(StudyError::InvalidPassage.into()),
    };
    Ok(FoundSource { source: HighlightSource::Summary(id), title: summary.title, author: String::new(), texts })
}
