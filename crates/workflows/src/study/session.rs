//! Sessions: key ideas of several books on a topic, within some minutes (`study.session-ideas`, `study.session-rights`).

use std::{collections::HashMap, ops::Range};

use catalogue::{
    Body, BookCard, BookRef, CatalogueLists, Filters, RankedIdea, Recording, RecordingQueries, SearchQuery, Section,
    reading_millis,
};
use identity::RateLimitBucket;
use kernel::{BookId, Limit, Timestamp, UserId};
use reading_progress::{ProgressQueries, ReaderState};
use study::{
    CompletedIdea, CompletedIdeaCommands, CompletedIdeaQueries, IdeaOffer, NOT_OFFERED_AGAIN, SessionMinutes,
    SessionTopic, build_session,
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
    tx::Tx,
};

/// How many of the books that the member read last are looked through for those that were left open.
const LOOKED_THROUGH: usize = 30;
/// How many books that a search finds give ideas.
const FOUND_BOOKS: usize = 30;
/// An idea that matches less than this share of what the best one does is not about the topic.
const LEAST_SHARE: f64 = 0.2;

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
pub fn reading_session(
    tx: &mut Tx<'_, '_>,
    member: UserId,
    minutes: SessionMinutes,
    topic: &SessionTopic,
) -> Result<ReadingSession, HighlightError> {
    count_attempt(tx, RateLimitBucket::Study, &member.to_string())?;
    let now = tx.now();
    let completed = tx.pg.completed_ideas(member, now.plus(-NOT_OFFERED_AGAIN))?;
    let candidates = candidates(tx, member, topic)?;
    let (mut views, mut offered) = (HashMap::new(), Vec::new());
    for book in &candidates.books {
        // Another one may have been unpublished since it was found.
        let view = match view_book(tx, Some(member), &BookRef::Id(*book)) {
            Err(ViewError::NotFound(_)) => continue,
            found => found?,
        };
        if view.rights.listen.is_ok() {
            let recording = tx.pg.recording(&view.book)?;
            offered.extend(ideas_of(&view, recording.as_ref(), &candidates, &completed));
            views.insert(*book, view);
        }
    }
    let offers: Vec<IdeaOffer> = offered.iter().map(|one| one.offer).collect();
    let chosen = build_session(minutes, &offers, now);
    let mut ideas: HashMap<usize, SessionIdea> = offered.into_iter().map(|one| one.idea).enumerate().collect();
    let ideas: Vec<SessionIdea> = chosen.iter().filter_map(|at| ideas.remove(at)).collect();
    for idea in &ideas {
        if let Some(view) = views.remove(&idea.card.id).filter(BookView::wants_recording) {
            open_book(tx, view, false)?;
        }
    }
    Ok(ReadingSession { ideas, is_near: candidates.is_near })
}

/// The books that were left open, and those about the topic; without a topic those that are recommended to the member.
fn candidates(tx: &mut Tx<'_, '_>, member: UserId, topic: &SessionTopic) -> Result<Candidates, ViewError> {
    let history = tx.pg.history_of(member, None, Limit::clamped(LOOKED_THROUGH))?.items;
    let mut books: Vec<BookId> = history.iter().filter(|entry| !entry.completed).map(|entry| entry.book).collect();
    if topic.as_str().is_empty() {
        let account = account(tx.pg, member, tx.now())?.ok_or(ViewError::SignedOut)?;
        let recommended = recommended_books(tx, &account)?.into_iter().map(|card| card.id);
        books.extend(recommended.filter(|book| history.iter().all(|entry| entry.book != *book)));
        return Ok(Candidates { books, ranks: None, is_near: false });
    }
    let (text, filters) = (topic.as_str().to_owned(), Filters::default());
    let query = SearchQuery { text, filters, after: None, limit: Limit::clamped(FOUND_BOOKS) };
    let found = tx.pg.search(&query, &|_| None)?.items;
    let is_near = !found.is_empty() && found.iter().all(|hit| hit.is_near);
    let hits = found.into_iter().map(|hit| hit.card.id).filter(|book| !books.contains(book)).collect::<Vec<_>>();
    books.extend(hits);
    let ranked = tx.pg.ideas_about(topic.as_str(), &books)?;
    let best = ranked.iter().map(|idea| idea.rank).fold(0.0, f64::max);
    let about = ranked.into_iter().filter(|idea| idea.rank >= best * LEAST_SHARE);
    let ranks = about.map(|RankedIdea { book, section, rank }| ((book, section), rank)).collect();
    Ok(Candidates { books, ranks: Some(ranks), is_near })
}

impl Candidates {
    /// How well an idea matches; `None`: it is not about the topic. Without a topic the earlier book is the better one.
    fn rank(&self, book: BookId, section: usize) -> Option<f64> {
        if let Some(ranks) = &self.ranks {
            return ranks.get(&(book, section)).copied();
        }
        let place = self.books.iter().position(|one| *one == book)?;
        u32::try_from(self.books.len() - place).ok().map(f64::from)
    }
}

/// The ideas of a book that may be in a session.
fn ideas_of(
    view: &BookView,
    recording: Option<&Recording>,
    candidates: &Candidates,
    completed: &[CompletedIdea],
) -> Vec<Offered> {
    let book = view.book.card.id;
    let sections = Body::from_html(&view.book.body).sections;
    let of_book: HashMap<&str, Timestamp> =
        completed.iter().filter(|idea| idea.book == book).map(|idea| (idea.idea.as_str(), idea.at)).collect();
    let place = ReadingPlace::of(view.state.as_ref(), &sections, &of_book);
    let count = sections.len();
    let offered = sections.into_iter().filter(|section| !section.title.is_empty()).filter_map(|section| {
        let rank = candidates.rank(book, section.place)?;
        let part = recording.and_then(|recording| part_of(recording, section.place));
        let millis = part.as_ref().map_or_else(|| reading_millis(&section.text), |part| part.end - part.start);
        let (is_left_open, completed_at) = (place.is_left_open(&section), place.completed_at(&section, &of_book));
        let offer = IdeaOffer { book, section: section.place, rank, millis, may_read: true, is_left_open, completed_at };
        let card = view.book.card.clone();
        Some(Offered { idea: SessionIdea { card, section, sections: count, millis, recording: part, is_left_open }, offer })
    });
    offered.collect()
}

/// Where a member stands in a book.
struct ReadingPlace {
    /// The section where they stopped reading; `None`: they have not begun, have completed it, or came here by a session.
    stopped_at: Option<usize>,
    /// When they were there last, if they have completed the summary.
    completed_at: Option<Timestamp>,
    seen_at: Option<Timestamp>,
}

impl ReadingPlace {
    fn of(state: Option<&ReaderState>, sections: &[Section], completed: &HashMap<&str, Timestamp>) -> Self {
        let place = state.and_then(|state| state.place.as_ref());
        let seen_at = place.map(|place| place.seen_at);
        let completed_at = place.filter(|place| place.completed_at.is_some()).map(|place| place.seen_at);
        let stopped_at = place.filter(|_| completed_at.is_none()).and_then(|place| usize::try_from(place.position()).ok());
        let is_of_session = |at: &usize| sections.get(*at).is_some_and(|one| completed.contains_key(one.title.as_str()));
        Self { stopped_at: stopped_at.filter(|at| !is_of_session(at)), completed_at, seen_at }
    }

    fn is_left_open(&self, section: &Section) -> bool {
        self.stopped_at == Some(section.place)
    }

    /// When the idea was completed last: in a session, with the summary, or on the way to where they stopped.
    fn completed_at(&self, section: &Section, completed: &HashMap<&str, Timestamp>) -> Option<Timestamp> {
        let passed = self.seen_at.filter(|_| self.stopped_at.is_some_and(|at| section.place < at));
        [completed.get(section.title.as_str()).copied(), self.completed_at, passed].into_iter().flatten().max()
    }
}

/// The part of a recording that has a section; `None` if that is not known.
fn part_of(recording: &Recording, section: usize) -> Option<Range<u64>> {
    let at = recording.chapters.iter().position(|chapter| chapter.section == section)?;
    let end = recording.chapters.get(at + 1).map(|next| next.at_ms).or(recording.duration_ms)?;
    let start = recording.chapters[at].at_ms;
    (end > start).then_some(start..end)
}

/// Records ideas that the member has completed in a session.
pub fn complete_ideas(tx: &mut Tx<'_, '_>, member: UserId, ideas: &[CompletedIdea]) -> Result<(), HighlightError> {
    count_attempt(tx, RateLimitBucket::Study, &member.to_string())?;
    Ok(tx.pg.record_completed_ideas(member, ideas)?)
}
