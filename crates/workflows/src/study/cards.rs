//! Review cards: what a device reports is merged, or checked and added; answers are recorded; and what a card shows is put
//! together for the member.

use std::collections::{BTreeSet, HashMap};

use billing::{BillingQueries, Entitlement};
use catalogue::{BookCard, BookName, CatalogueLists, CatalogueQueries, Category};
use identity::RateLimitBucket;
use kernel::{Access, AnswerId, BookId, Day, HighlightId, Limit, ReviewCardId, StoreError, Timestamp, UserId};
use reading_progress::{FullTexts, OpeningRight, ProgressQueries};
use study::{
    CardAnswer, CardHighlight, CardKind, CardState, FREE_CARDS, FoundIdea, HighlightSource, RECALL_DAYS, Rating,
    RecallFigure, ReviewCard, StoredCard, Study, StudyError, StudyQueries, cards_in_review, id_of_highlight,
    id_of_idea, recall,
};
use summaries::MemberSummaryQueries;

use crate::{
    catalogue::book_lists::READABLE,
    error::ViewError,
    rate_limits::count_attempt,
    reading_progress::reading::book_facts,
    rights::{facts_of_card, grants_of},
    study::{
        highlights::{HighlightError, ReportedSource, readable_book},
        settings::time_zone,
    },
    tx::Tx,
};

/// A review card, as its member sees it today.
#[derive(Debug)]
pub struct ShownCard {
    pub stored: StoredCard,
    /// `None`: it is not from a book, or the book was deleted.
    pub book: Option<BookName>,
    pub question: String,
    /// Empty when it is locked.
    pub answer: String,
    /// Whether the answer is from a book that the member may not read any more.
    pub is_locked: bool,
    /// Whether what it asks for is gone.
    pub is_gone: bool,
    /// In how many days it is due after each of the four ratings today.
    pub next_days: [u32; 4],
    /// Whether it waits for a plan (`study.free-cards`).
    pub is_waiting: bool,
}

/// An answer as a device reports it.
#[derive(Clone, Copy, Debug)]
pub struct ReportedAnswer {
    pub id: AnswerId,
    pub card: ReviewCardId,
    pub rating: Rating,
    pub at: Timestamp,
}

/// What became of reported answers.
#[derive(Debug)]
pub struct AnsweredCards {
    /// The cards that they are of, by id.
    pub cards: Vec<ShownCard>,
    /// The cards that the member does not have.
    pub unknown: Vec<ReviewCardId>,
}

/// A new card, and what an idea's asks for.
type NewCard = (ReviewCard, Option<FoundIdea>);

/// Merges what a device reports of a review card that the member has, or adds it (`study.review-cards`): of an idea, if the
/// member may read its text, or could when the card was made (`study.highlight-rights`).
pub fn put_card(
    tx: &mut Tx<'_, '_>,
    member: UserId,
    id: ReviewCardId,
    source: Option<&ReportedSource>,
    report: CardState,
) -> Result<ShownCard, HighlightError> {
    count_attempt(tx, RateLimitBucket::Study, &member.to_string())?;
    let zone = time_zone(tx, member)?;
    let mut locked = tx.pg.lock_records(member)?.ok_or(ViewError::SignedOut)?;
    let stored = if let Some(known) = tx.pg.locked_cards(&locked, &[id])?.pop() {
        let of_card: Vec<HighlightId> = known.highlight().into_iter().collect();
        let highlight = tx.pg.card_highlights(member, &of_card)?.pop();
        let state = known.merged(report, highlight.as_ref().map(|highlight| highlight.words.as_str()))?;
        let first_day = zone.day_of(state.created_at);
        tx.pg.change_card(&mut locked, known, state, first_day)?
    } else {
        let first_day = zone.day_of(report.created_at);
        let (card, idea) = new_card(tx, member, id, source, report)?;
        tx.pg.add_card(&mut locked, card, idea, first_day)?
    };
    let mut shown = shown_cards(tx, member, vec![stored])?;
    shown.pop().ok_or_else(|| StoreError::new("the card was stored").into())
}

fn new_card(
    tx: &mut Tx<'_, '_>,
    member: UserId,
    id: ReviewCardId,
    source: Option<&ReportedSource>,
    report: CardState,
) -> Result<NewCard, HighlightError> {
    match report.kind.clone() {
        CardKind::Idea { title, .. } => idea_card(tx, member, id, source, &title, report),
        CardKind::Highlight { highlight } => highlight_card(tx, member, id, highlight, report),
        CardKind::Own => own_card(tx, member, id, source, report),
    }
}

fn idea_card(
    tx: &mut Tx<'_, '_>,
    member: UserId,
    id: ReviewCardId,
    source: Option<&ReportedSource>,
    title: &str,
    report: CardState,
) -> Result<NewCard, HighlightError> {
    report.check(None)?;
    let Some(ReportedSource::Book(book)) = source else { return Err(ViewError::NotFound("book").into()) };
    let card = readable_book(tx, member, book, report.created_at)?.card;
    if id != id_of_idea(card.id, title) {
        return Err(StudyError::OtherCard.into());
    }
    let texts = tx.pg.book_texts(card.id)?.ok_or(ViewError::NotFound("book"))?;
    let idea = FoundIdea::of(&report.kind, &texts.titles, &texts.sections);
    let source = Some(HighlightSource::Book(card.id));
    Ok((ReviewCard { id, source, source_title: card.title, source_author: card.author.name, state: report }, idea))
}

fn highlight_card(
    tx: &mut Tx<'_, '_>,
    member: UserId,
    id: ReviewCardId,
    highlight: HighlightId,
    report: CardState,
) -> Result<NewCard, HighlightError> {
    if id != id_of_highlight(highlight) {
        return Err(StudyError::OtherCard.into());
    }
    let known = tx.pg.find_highlight(member, highlight)?.ok_or(ViewError::NotFound("highlight"))?.highlight;
    report.check(Some(&known.state.anchor.exact))?;
    let study::Highlight { source, source_title, source_author, .. } = known;
    Ok((ReviewCard { id, source, source_title, source_author, state: report }, None))
}

fn own_card(
    tx: &mut Tx<'_, '_>,
    member: UserId,
    id: ReviewCardId,
    source: Option<&ReportedSource>,
    report: CardState,
) -> Result<NewCard, HighlightError> {
    report.check(None)?;
    let (source, source_title, source_author) = match source {
        None => (None, String::new(), String::new()),
        Some(ReportedSource::Book(book)) => {
            let book = book_facts(tx, book)?.id;
            let name = tx.pg.book_names(&[book])?.remove(&book).ok_or(ViewError::NotFound("book"))?;
            (Some(HighlightSource::Book(book)), name.title, name.author)
        }
        Some(ReportedSource::Summary(summary)) => {
            let found = tx.pg.member_summary(member, *summary)?.ok_or(ViewError::NotFound("summary"))?;
            (Some(HighlightSource::Summary(*summary)), found.title, String::new())
        }
    };
    Ok((ReviewCard { id, source, source_title, source_author, state: report }, None))
}

/// Records answers of the member, and returns the cards with their schedules (`study.answer-merge`).
pub fn record_answers(
    tx: &mut Tx<'_, '_>,
    member: UserId,
    answers: &[ReportedAnswer],
) -> Result<AnsweredCards, HighlightError> {
    count_attempt(tx, RateLimitBucket::Study, &member.to_string())?;
    let zone = time_zone(tx, member)?;
    let mut locked = tx.pg.lock_records(member)?.ok_or(ViewError::SignedOut)?;
    let answers = answers.iter().map(|ReportedAnswer { id, card, rating, at }| CardAnswer {
        id: *id,
        card: *card,
        rating: *rating,
        at: *at,
        day: zone.day_of(*at),
    });
    let recorded = tx.pg.record_answers(&mut locked, &answers.collect::<Vec<_>>())?;
    Ok(AnsweredCards { cards: shown_cards(tx, member, recorded.cards)?, unknown: recorded.unknown })
}

/// The member's review cards that changed after a version, deleted ones included, by version; and from where to go on, `None`
/// when these were all.
pub fn card_changes<A>(
    tx: &mut Tx<'_, '_, A>,
    member: UserId,
    after: u64,
    limit: Limit,
) -> Result<(Vec<ShownCard>, Option<u64>), StoreError> {
    let mut stored = tx.pg.review_cards_after(member, after, limit)?;
    let has_more = stored.len() > limit.get();
    stored.truncate(limit.get());
    let next = stored.last().map(|last| last.version).filter(|_| has_more);
    Ok((shown_cards(tx, member, stored)?, next))
}

/// What the member sees of these cards, in the same order.
pub(super) fn shown_cards<A>(
    tx: &mut Tx<'_, '_, A>,
    member: UserId,
    stored: Vec<StoredCard>,
) -> Result<Vec<ShownCard>, StoreError> {
    if stored.is_empty() {
        return Ok(Vec::new());
    }
    let today = time_zone(tx, member)?.day_of(tx.now());
    let entitlements = tx.pg.entitlements_of(member, tx.now())?;
    let waiting = waiting_cards(tx, member, &entitlements, today)?;
    let highlights: Vec<HighlightId> = stored.iter().filter_map(StoredCard::highlight).collect();
    let highlights = if highlights.is_empty() { Vec::new() } else { tx.pg.card_highlights(member, &highlights)? };
    let highlights: HashMap<HighlightId, CardHighlight> =
        highlights.into_iter().map(|highlight| (highlight.id, highlight)).collect();
    let books: BTreeSet<BookId> = stored.iter().filter_map(StoredCard::book).collect();
    let names = tx.pg.book_names(&books.into_iter().collect::<Vec<_>>())?;
    let readable = readable_ideas(tx, member, &entitlements, &stored)?;
    let shown = stored.into_iter().map(|stored| {
        let highlight = stored.highlight().and_then(|id| highlights.get(&id));
        let book = stored.book();
        let is_idea = matches!(stored.card.state.kind, CardKind::Idea { .. });
        let is_locked = is_idea && book.is_some_and(|book| !readable.contains(&book));
        ShownCard {
            book: book.and_then(|book| names.get(&book).cloned()),
            question: stored.question(highlight),
            answer: if is_locked { String::new() } else { stored.answer(highlight) },
            is_locked,
            is_gone: !stored.is_askable(highlight),
            // On the day on which it is asked.
            next_days: stored.schedule.next_days(today.max(stored.schedule.due)),
            is_waiting: waiting.contains(&stored.card.id),
            stored,
        }
    });
    Ok(shown.collect())
}

/// The cards that wait for a plan; none with one.
fn waiting_cards<A>(
    tx: &mut Tx<'_, '_, A>,
    member: UserId,
    entitlements: &[Entitlement],
    today: Day,
) -> Result<BTreeSet<ReviewCardId>, StoreError> {
    if Entitlement::best(entitlements, tx.now()).is_some() {
        return Ok(BTreeSet::new());
    }
    let facts = tx.pg.card_facts(member, today)?;
    let in_review = cards_in_review(&facts, Some(FREE_CARDS));
    let mut waiting: BTreeSet<ReviewCardId> = cards_in_review(&facts, None).into_iter().collect();
    for card in in_review {
        waiting.remove(&card);
    }
    Ok(waiting)
}

/// The books of these ideas whose text the member may read.
fn readable_ideas<A>(
    tx: &mut Tx<'_, '_, A>,
    member: UserId,
    entitlements: &[Entitlement],
    stored: &[StoredCard],
) -> Result<BTreeSet<BookId>, StoreError> {
    let of_ideas = stored.iter().filter(|stored| matches!(stored.card.state.kind, CardKind::Idea { .. }));
    let books: BTreeSet<BookId> = of_ideas.filter_map(StoredCard::book).collect();
    if books.is_empty() {
        return Ok(BTreeSet::new());
    }
    let opened = tx.pg.books_opened_by(member, &OpeningRight::PERMANENT, Limit::clamped(READABLE))?;
    let readable = FullTexts::of_member(&grants_of(entitlements), opened, tx.now());
    let cards = tx.pg.book_cards(&books.into_iter().collect::<Vec<_>>())?;
    let is_readable = |card: &BookCard| readable.shown(&facts_of_card(card)) == Some(Access::Full);
    Ok(cards.iter().filter(|card| is_readable(card)).map(|card| card.id).collect())
}

/// How much the member remembers of each category in which they answered cards, in the order of categories
/// (`study.recall-figures`).
pub fn recall_figures<A>(tx: &mut Tx<'_, '_, A>, member: UserId) -> Result<Vec<(Category, RecallFigure)>, StoreError> {
    let today = time_zone(tx, member)?.day_of(tx.now());
    let answers = tx.pg.recall_answers(member, today.plus(1 - RECALL_DAYS))?;
    let figures = recall(&answers, today);
    let mut figures: HashMap<_, _> = figures.into_iter().map(|figure| (figure.category, figure)).collect();
    let categories = tx.pg.categories()?.into_iter();
    Ok(categories.filter_map(|category| figures.remove(&category.id).map(|figure| (category, figure))).collect())
}
