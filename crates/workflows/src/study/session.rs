//! Sessions: key ideas of several books on a topic, within some minutes (`study.session-ideas`, `study.session-rights`).

use std::{collections::HashMap, ops::Range};

use billing::{BillingQueries, Entitlement};
use catalogue::{
    Body, BookCard, BookRef, CatalogueLists, CatalogueQueries, Filters, ListQuery, RankedIdea, Recording,
    RecordingQueries, SearchQuery, Section, Sort, reading_millis,
};
use identity::RateLimitBucket;
use kernel::{BookId, Limit, Timestamp, UserId};
use reading_progress::{OpeningRight, ProgressQueries, ReaderState};
use study::{
    CompletedIdea, CompletedIdeaCommands, CompletedIdeaQueries, IdeaOffer, SessionMinutes, SessionTopic, build_session,
};

use crate::{
    account::account,
    catalogue::{
        book_lists::recommended_books,
        view_book::{BookView, open_book, view_book},
    },
    error::ViewError,
    rate_limits::count_attempt,
    study::highlights::HighlightError,
    tx::{Transactions, Tx},
};

/// How many of the books that the member read last are looked through for those that were left open.
const LOOKED_THROUGH: usize = 30;
/// How many books that a search finds, or that are recommended, give ideas.
const FOUND_BOOKS: usize = 30;
/// How many of the books that a member without a plan has opened give ideas.
const OPENED_BOOKS: usize = 30;
/// An idea that was completed this shortly before its book's place was saved, or at any time after, was read in a session, in milliseconds.
const SAME_VISIT: i64 = 60 * 1000;
/// A longer heading is not stored, in bytes: an index has no room for it.
const LONGEST_HEADING: usize = 2_000;

/// A key idea of a session.
#[derive(Debug)]
pub struct SessionIdea {
    pub card: BookCard,
    pub section: Section,
    /// How many sections the book has.
    pub sections: usize,
    /// How long it takes to read, or to hear if there is a recording, in milliseconds.
    pub millis: u64,
    /// The part of the book's recording that has it, in milliseconds; `None`: it can't be heard.
    pub recording: Option<Range<u64>>,
    /// Whether the member stopped reading its book here.
    pub is_left_open: bool,
}

/// What a member reads or hears in one go.
#[derive(Debug)]
pub struct ReadingSession {
    pub ideas: Vec<SessionIdea>,
    /// Whether no book is about the topic, and these are the nearest.
    pub is_near: bool,
}

/// A session, and what is recorded before it is sent.
struct BuiltSession {
    session: ReadingSession,
    /// The books that are opened with it.
    opened: Vec<BookView>,
    /// What the member has read on the way to where they stopped in its books: their place there will be the session's.
    passed: Vec<CompletedIdea>,
}

/// The books whose ideas may be in a session, with how well each idea matches.
struct Candidates {
    /// The best first.
    books: Vec<BookId>,
    /// By book and section; `None` without a topic.
    ranks: Option<HashMap<(BookId, usize), f64>>,
    is_near: bool,
}

/// An idea that may be chosen, with what it is offered as.
struct Offered {
    idea: SessionIdea,
    offer: IdeaOffer,
}

/// Builds a session for a member, and records that they open its books, by their plan if that is needed. It takes nothing from
/// the allowance.
pub async fn reading_session(
    transactions: &Transactions,
    member: UserId,
    minutes: SessionMinutes,
    topic: SessionTopic,
) -> Result<ReadingSession, HighlightError> {
    transactions
        .write::<_, HighlightError, _>(move |tx| Ok(count_attempt(tx, RateLimitBucket::Study, &member.to_string())?))
        .await?;
    let built = transactions.read(move |tx| build(tx, member, minutes, &topic)).await?;
    if built.opened.is_empty() && built.passed.is_empty() {
        return Ok(built.session);
    }
    transactions.write(move |tx| record(tx, member, built)).await
}

fn build<A>(
    tx: &mut Tx<'_, '_, A>,
    member: UserId,
    minutes: SessionMinutes,
    topic: &SessionTopic,
) -> Result<BuiltSession, HighlightError> {
    let completed = tx.pg.completed_ideas(member, Timestamp::from_millis(0))?;
    let candidates = candidates(tx, member, topic)?;
    let (mut views, mut offered) = (HashMap::new(), Vec::new());
    for book in candidates.books.iter().filter(|book| candidates.has(**book)) {
        // Another one may have been unpublished since it was found.
        let view = match view_book(tx, Some(member), &BookRef::Id(*book)) {
            Err(ViewError::NotFound(_)) => continue,
            found => found?,
        };
        let recording = tx.pg.recording(&view.book)?;
        offered.extend(ideas_of(&view, recording.as_ref(), &candidates, &completed));
        views.insert(*book, view);
    }
    let offers: Vec<IdeaOffer> = offered.iter().map(|one| one.offer).collect();
    let chosen = build_session(minutes, &offers, tx.now());
    let mut ideas: HashMap<usize, SessionIdea> = offered.into_iter().map(|one| one.idea).enumerate().collect();
    let ideas: Vec<SessionIdea> = chosen.iter().filter_map(|at| ideas.remove(at)).collect();
    let (mut opened, mut passed) = (Vec::new(), Vec::new());
    for idea in &ideas {
        let Some(view) = views.remove(&idea.card.id) else { continue };
        passed.extend(passed_ideas(&view, &completed));
        if view.wants_recording() {
            opened.push(view);
        }
    }
    Ok(BuiltSession { session: ReadingSession { ideas, is_near: candidates.is_near }, opened, passed })
}

/// Records what comes before a session is sent. A book that may not be read any more is left out.
fn record(tx: &mut Tx<'_, '_>, member: UserId, built: BuiltSession) -> Result<ReadingSession, HighlightError> {
    let BuiltSession { mut session, opened, passed } = built;
    for view in opened {
        let book = view.book.card.id;
        if open_book(tx, view, false)?.rights.listen.is_err() {
            session.ideas.retain(|idea| idea.card.id != book);
        }
    }
    tx.pg.record_completed_ideas(member, &passed)?;
    Ok(session)
}

/// The books that were left open, and those about the topic; without a topic those that are recommended to the member. A member
/// without a plan may read few of these: so what they have opened and what is free are among them.
fn candidates<A>(tx: &mut Tx<'_, '_, A>, member: UserId, topic: &SessionTopic) -> Result<Candidates, ViewError> {
    let now = tx.now();
    let history = tx.pg.history_of(member, None, Limit::clamped(LOOKED_THROUGH))?.items;
    let mut books: Vec<BookId> = history.iter().filter(|entry| !entry.completed).map(|entry| entry.book).collect();
    let has_plan = Entitlement::best(&tx.pg.entitlements_of(member, now)?, now).is_some();
    if !has_plan {
        let opened = tx.pg.books_opened_by(member, &OpeningRight::PERMANENT, Limit::clamped(OPENED_BOOKS))?;
        add(&mut books, opened);
    }
    let limit = Limit::clamped(FOUND_BOOKS);
    let filters = [Filters::default(), Filters { free: true, ..Filters::default() }];
    let filters = filters.into_iter().take(if has_plan { 1 } else { 2 });
    if topic.as_str().is_empty() {
        let account = account(tx.pg, member, now)?.ok_or(ViewError::SignedOut)?;
        add(&mut books, recommended_books(tx, &account)?.into_iter().map(|card| card.id));
        for filters in filters.skip(1) {
            let free = tx.pg.books(&ListQuery { sort: Sort::Trending, filters, after: None, limit })?.items;
            add(&mut books, free.into_iter().map(|card| card.id));
        }
        return Ok(Candidates { books, ranks: None, is_near: false });
    }
    let mut is_near = true;
    for filters in filters {
        let query = SearchQuery { text: topic.as_str().to_owned(), filters, after: None, limit };
        let found = tx.pg.search(&query, &|_| None)?.items;
        is_near &= found.iter().all(|hit| hit.is_near);
        add(&mut books, found.into_iter().map(|hit| hit.card.id));
    }
    let ranked = tx.pg.ideas_about(topic.as_str(), &books)?;
    let ranks = ranked.into_iter().map(|RankedIdea { book, section, rank }| ((book, section), rank)).collect();
    Ok(Candidates { books, ranks: Some(ranks), is_near })
}

/// Adds the books that are not there yet.
fn add(books: &mut Vec<BookId>, more: impl IntoIterator<Item = BookId>) {
    for book in more {
        if !books.contains(&book) {
            books.push(book);
        }
    }
}

impl Candidates {
    /// Whether an idea of the book matches.
    fn has(&self, book: BookId) -> bool {
        self.ranks.as_ref().is_none_or(|ranks| ranks.keys().any(|(of, _)| *of == book))
    }

    /// How well an idea matches; `None`: it is not about the topic. Without a topic the earlier book is a little better.
    fn rank(&self, book: BookId, section: usize) -> Option<f64> {
        if let Some(ranks) = &self.ranks {
            return ranks.get(&(book, section)).copied();
        }
        let place = self.books.iter().position(|one| *one == book)?;
        u32::try_from(place).ok().map(|place| 1.0 + 1.0 / f64::from(place + 1))
    }
}

/// The ideas of a book that match, as they are offered to a session.
fn ideas_of(
    view: &BookView,
    recording: Option<&Recording>,
    candidates: &Candidates,
    completed: &[CompletedIdea],
) -> Vec<Offered> {
    let book = view.book.card.id;
    let sections = Body::from_html(&view.book.body).sections;
    let place = ReadingPlace::of(view, completed);
    let count = sections.len();
    let may_read = view.rights.listen.is_ok();
    let offered = sections.into_iter().filter(|section| !section.title.is_empty()).filter_map(|section| {
        let rank = candidates.rank(book, section.place)?;
        let part = recording.and_then(|recording| part_of(recording, section.place));
        let millis = part.as_ref().map_or_else(|| reading_millis(&section.text), |part| part.end - part.start);
        let is_left_open = place.stopped_at.is_some_and(|(at, _)| at == section.place);
        let completed_at = place.completed_at(section.place, &section.title);
        let offer = IdeaOffer { book, section: section.place, rank, millis, may_read, is_left_open, completed_at };
        let card = view.book.card.clone();
        let idea = SessionIdea { card, section, sections: count, millis, recording: part, is_left_open };
        Some(Offered { idea, offer })
    });
    offered.collect()
}

/// Where a member stands in a book, and what of it they have completed.
struct ReadingPlace<'a> {
    /// The section where they stopped reading, and when; `None`: they have not begun, have completed it, or came here by a session.
    stopped_at: Option<(usize, Timestamp)>,
    /// When they were there last, if they have completed the summary.
    finished_at: Option<Timestamp>,
    /// The ideas that they have completed in sessions, by heading.
    ideas: HashMap<&'a str, Timestamp>,
}

impl<'a> ReadingPlace<'a> {
    fn of(view: &BookView, completed: &'a [CompletedIdea]) -> Self {
        let book = view.book.card.id;
        let of_book = completed.iter().filter(|idea| idea.book == book);
        let ideas: HashMap<&str, Timestamp> = of_book.map(|idea| (idea.idea.as_str(), idea.at)).collect();
        let place = view.state.as_ref().and_then(|state: &ReaderState| state.place.as_ref());
        let finished_at = place.filter(|place| place.completed_at.is_some()).map(|place| place.seen_at);
        let reading = place.filter(|_| finished_at.is_none()).and_then(|place| place.reading.as_ref());
        let stopped_at = reading.and_then(|reading| Some((usize::try_from(reading.position).ok()?, reading.at)));
        let is_of_session = |(section, at): &(usize, Timestamp)| {
            let title = view.book.sections.get(*section).and_then(|title| ideas.get(title.as_str()));
            title.is_some_and(|completed| completed.plus(SAME_VISIT) >= *at)
        };
        let stopped_at = stopped_at.filter(|stopped| !is_of_session(stopped));
        Self { stopped_at, finished_at, ideas }
    }

    /// When an idea was completed last: in a session, with the summary, or on the way to where they stopped.
    fn completed_at(&self, section: usize, title: &str) -> Option<Timestamp> {
        let passed = self.stopped_at.filter(|(stopped, _)| section < *stopped).map(|(_, at)| at);
        [self.ideas.get(title).copied(), self.finished_at, passed].into_iter().flatten().max()
    }
}

/// What the member has read of a book on the way to where they stopped.
fn passed_ideas(view: &BookView, completed: &[CompletedIdea]) -> Vec<CompletedIdea> {
    let Some((stopped, at)) = ReadingPlace::of(view, completed).stopped_at else { return Vec::new() };
    let titles = view.book.sections.iter().take(stopped).filter(|title| is_storable(title));
    titles.map(|title| CompletedIdea { book: view.book.card.id, idea: title.clone(), at }).collect()
}

fn is_storable(heading: &str) -> bool {
    !heading.is_empty() && heading.len() <= LONGEST_HEADING
}

/// The part of a recording that has a section; `None` if that is not known.
fn part_of(recording: &Recording, section: usize) -> Option<Range<u64>> {
    let at = recording.chapters.iter().position(|chapter| chapter.section == section)?;
    let end = recording.chapters.get(at + 1).map(|next| next.at_ms).or(recording.duration_ms)?;
    let start = recording.chapters[at].at_ms;
    (end > start).then_some(start..end)
}

/// Records ideas that the member has completed in a session. What is not the heading of such a book is ignored.
pub fn complete_ideas(
    tx: &mut Tx<'_, '_>,
    member: UserId,
    mut ideas: Vec<CompletedIdea>,
) -> Result<(), HighlightError> {
    count_attempt(tx, RateLimitBucket::Study, &member.to_string())?;
    let books: Vec<BookId> = ideas.iter().map(|idea| idea.book).collect();
    let titles = tx.pg.section_titles(&books)?;
    let is_heading = |idea: &CompletedIdea| titles.get(&idea.book).is_some_and(|titles| titles.contains(&idea.idea));
    ideas.retain(|idea| is_storable(&idea.idea) && is_heading(idea));
    Ok(tx.pg.record_completed_ideas(member, &ideas)?)
}
