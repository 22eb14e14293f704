//! The jobs that find highlights and the ideas of review cards again after a text has changed (`study.anchor-search`,
//! `study.review-cards`), count popular passages (`study.popular-passages`), and remove the words of highlights that were deleted
//! long ago (`study.deleted-highlights`).

use std::collections::BTreeMap;

use catalogue::{BookRef, BookTexts, CatalogueQueries};
use jobs::{JobDefinition, JobKind, LongJob, Outcome, PayloadError};
use kernel::{BookId, HOUR, HighlightId, Limit, MINUTE, ReviewCardId, StoreError, Timestamp, UserId};
use reading_progress::{Action, DenialReason, Refusal};
use study::{
    DELETED_KEPT, FoundIdea, HighlightPlace, Part, PlacedHighlight, PopularPassage, SearchableTexts, Study,
    StudyCommands, StudyQueries, popular_passages,
};

use crate::{
    catalogue::view_book::view_book,
    error::ViewError,
    tx::{Transactions, Tx},
};

/// The books that a run looks through; the next run goes on.
const BOOKS: usize = 50;

/// The job that finds the highlights and ideas of books whose text has changed, by whatever way.
#[derive(Clone, Debug)]
pub struct FindHighlights(
    /// Runs the transactions of the job.
    pub Transactions,
);

impl JobDefinition for FindHighlights {
    const KIND: JobKind = JobKind::long("find_highlights").every(MINUTE);
    type Payload = ();

    fn decode(&self, _: &[u8]) -> Result<(), PayloadError> {
        Ok(())
    }
}

impl LongJob for FindHighlights {
    async fn run_long(&self, (): &()) -> Outcome {
        outcome(self.find_all().await)
    }
}

impl FindHighlights {
    async fn find_all(&self) -> Result<(), StoreError> {
        let books: Vec<BookId> = self.0.read(|tx| tx.pg.books_to_check(BOOKS)).await?;
        for book in books {
            let Some((moved, updated_at)) = self.0.read(move |tx| moved_records(tx, book)).await? else { continue };
            for (member, moved) in moved {
                self.0.write(move |tx| move_records(tx, member, &moved)).await?;
            }
            // A text that was saved meanwhile is another one: the next run looks again.
            self.0.write(move |tx| tx.pg.record_checked_book(book, updated_at)).await?;
        }
        Ok(())
    }
}

/// The job that counts the popular passages of books whose highlights have changed.
#[derive(Clone, Debug)]
pub struct CountPopularPassages(
    /// Runs the transactions of the job.
    pub Transactions,
);

impl JobDefinition for CountPopularPassages {
    const KIND: JobKind = JobKind::long("count_popular_passages").every(HOUR);
    type Payload = ();

    fn decode(&self, _: &[u8]) -> Result<(), PayloadError> {
        Ok(())
    }
}

impl LongJob for CountPopularPassages {
    async fn run_long(&self, (): &()) -> Outcome {
        outcome(self.count_all().await)
    }
}

impl CountPopularPassages {
    async fn count_all(&self) -> Result<(), StoreError> {
        loop {
            let books: Vec<BookId> = self.0.read(|tx| tx.pg.books_to_count(BOOKS)).await?;
            for book in &books {
                let book = *book;
                self.0.write(move |tx| count_passages(tx, book)).await?;
            }
            if books.len() < BOOKS {
                return Ok(());
            }
        }
    }
}

/// The highlights that a transaction empties; the run goes on until none is left.
const EMPTIED_AT_ONCE: usize = 100;

/// The job that removes the words of highlights that were deleted long ago (`study.deleted-highlights`).
#[derive(Clone, Debug)]
pub struct EmptyDeletedHighlights(
    /// Runs the transactions of the job.
    pub Transactions,
);

impl JobDefinition for EmptyDeletedHighlights {
    const KIND: JobKind = JobKind::long("empty_deleted_highlights").every(HOUR);
    type Payload = ();

    fn decode(&self, _: &[u8]) -> Result<(), PayloadError> {
        Ok(())
    }
}

impl LongJob for EmptyDeletedHighlights {
    async fn run_long(&self, (): &()) -> Outcome {
        outcome(self.empty_all().await)
    }
}

impl EmptyDeletedHighlights {
    async fn empty_all(&self) -> Result<(), StoreError> {
        loop {
            let old = self.0.read(|tx| tx.pg.highlights_to_empty(kept_since(tx.now()), EMPTIED_AT_ONCE)).await?;
            let is_last = old.len() < EMPTIED_AT_ONCE;
            for (member, id) in old {
                self.0.write(move |tx| empty_highlight(tx, member, id)).await?;
            }
            if is_last {
                return Ok(());
            }
        }
    }
}

/// From when on deletions are kept with their words.
fn kept_since(now: Timestamp) -> Timestamp {
    now.plus(-DELETED_KEPT)
}

fn empty_highlight(tx: &mut Tx<'_, '_>, member: UserId, id: HighlightId) -> Result<(), StoreError> {
    let Some(mut locked) = tx.pg.lock_records(member)? else { return Ok(()) };
    let Some(known) = tx.pg.locked_highlight(&locked, id)? else { return Ok(()) };
    let state = &known.highlight.state;
    // It may have been brought back meanwhile.
    if state.is_shown() || state.deleted_at.is_none_or(|deleted| deleted >= kept_since(tx.now())) {
        return Ok(());
    }
    tx.pg.empty_highlight(&mut locked, known)
}

fn outcome(done: Result<(), StoreError>) -> Outcome {
    match done {
        Ok(()) => Outcome::Done,
        Err(error) => Outcome::Failed { reason: error.to_string(), is_permanent: false },
    }
}

/// The texts of a part of a book, prepared for finding many anchors.
struct Searched<'t> {
    texts: Vec<&'t str>,
    searchable: SearchableTexts,
}

impl<'t> Searched<'t> {
    fn new(texts: &'t [String]) -> Self {
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        Self { searchable: SearchableTexts::new(&texts), texts }
    }

    fn place_of(&self, placed: &PlacedHighlight) -> HighlightPlace {
        HighlightPlace::from_found(self.searchable.find(&placed.anchor), &self.texts)
    }
}

/// What has moved of a member's records in a book.
#[derive(Default)]
struct MovedRecords {
    highlights: Vec<(HighlightId, HighlightPlace)>,
    ideas: Vec<(ReviewCardId, Option<FoundIdea>)>,
}

/// What has moved in a book, by member, and when the text was saved in which it was looked for.
type MovedInBook = (BTreeMap<UserId, MovedRecords>, Timestamp);

/// Finds the highlights and the ideas of cards of a book in its present text. `None`: there is no such book.
fn moved_records<A>(tx: &mut Tx<'_, '_, A>, book: BookId) -> Result<Option<MovedInBook>, StoreError> {
    let Some(texts) = tx.pg.book_texts(book)? else { return Ok(None) };
    let mut moved: BTreeMap<UserId, MovedRecords> = BTreeMap::new();
    find_passages(tx, book, &texts, &mut moved)?;
    find_ideas(tx, book, &texts, &mut moved)?;
    Ok(Some((moved, texts.updated_at)))
}

/// Stores what has moved of a member's records: in a transaction of its own, so that it waits for no other member's.
fn move_records(tx: &mut Tx<'_, '_>, member: UserId, moved: &MovedRecords) -> Result<(), StoreError> {
    let Some(mut locked) = tx.pg.lock_records(member)? else { return Ok(()) };
    for (id, place) in &moved.highlights {
        tx.pg.move_highlight(&mut locked, *id, place)?;
    }
    for (id, found) in &moved.ideas {
        tx.pg.move_idea(&mut locked, *id, found.as_ref())?;
    }
    Ok(())
}

fn find_ideas<A>(
    tx: &mut Tx<'_, '_, A>,
    book: BookId,
    texts: &BookTexts,
    moved: &mut BTreeMap<UserId, MovedRecords>,
) -> Result<(), StoreError> {
    let (mut after, limit) = (None, Limit::clamped(Limit::MAX));
    loop {
        let page = tx.pg.placed_ideas(book, after, limit)?;
        for placed in &page {
            let found = FoundIdea::of(&placed.kind, &texts.titles, &texts.sections);
            if found != placed.found {
                moved.entry(placed.member).or_default().ideas.push((placed.id, found));
            }
        }
        match page.last() {
            Some(last) => after = Some((last.member, last.id)),
            None => return Ok(()),
        }
    }
}

fn find_passages<A>(
    tx: &mut Tx<'_, '_, A>,
    book: BookId,
    texts: &BookTexts,
    moved: &mut BTreeMap<UserId, MovedRecords>,
) -> Result<(), StoreError> {
    let (sections, quotes) = (Searched::new(&texts.sections), Searched::new(&texts.quotes));
    let (mut after, limit) = (None, Limit::clamped(Limit::MAX));
    loop {
        let page = tx.pg.placed_highlights(book, after, limit)?;
        for placed in &page {
            let place = match placed.part {
                Part::Text => sections.place_of(placed),
                Part::Quote => quotes.place_of(placed),
                Part::Source => HighlightPlace::Gone,
            };
            if place != placed.place {
                moved.entry(placed.member).or_default().highlights.push((placed.id, place));
            }
        }
        match page.last() {
            Some(last) => after = Some((last.member, last.id)),
            None => return Ok(()),
        }
    }
}

/// Counts the popular passages of a book.
fn count_passages(tx: &mut Tx<'_, '_>, book: BookId) -> Result<(), StoreError> {
    // First: a highlight that is added meanwhile waits for the end of this transaction, and is counted the next time.
    tx.pg.record_counted_book(book)?;
    let texts = tx.pg.book_texts(book)?.map(|texts| texts.sections).unwrap_or_default();
    let ranges = tx.pg.highlighted_ranges(book)?;
    tx.pg.put_popular_passages(book, &popular_passages(&texts, &ranges))
}

/// The popular passages of a book for a member who may read its text without using up the allowance; none if the member has
/// switched them off.
pub fn shown_passages<A>(
    tx: &mut Tx<'_, '_, A>,
    member: UserId,
    book: &BookRef,
) -> Result<Vec<PopularPassage>, ViewError> {
    let view = view_book(tx, Some(member), book)?;
    if view.wants_recording() {
        return Err(Refusal { action: Action::Read, reason: DenialReason::NotOpened }.into());
    }
    view.check(Action::Read)?;
    if !tx.pg.study_settings(member)?.shows_popular {
        return Ok(Vec::new());
    }
    Ok(tx.pg.popular_passages_of(view.book.card.id)?)
}
