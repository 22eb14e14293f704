//! What a demo account has kept of its reading: highlights, review cards with their answers, commitments, and lists, so that these
//! pages have something to show.

use anyhow::Context;
use catalogue::{BookCard, CatalogueQueries};
use kernel::{AnswerId, CommitmentId, DAY, HOUR, HighlightId, ListId, TimeZone, Timestamp, UserId};
use postgres::Pg;
use study::{
    CardAnswer, CardKind, CardState, Commitment, CommitmentState, CommitmentText, FoundIdea, Highlight, HighlightColor,
    HighlightPlace, HighlightSource, HighlightState, ListName, ListNote, ListSlug, ListState, LockedMember, Note,
    Outcome, Part, Rank, Rating, Register, ReviewCard, Sharing, Study, anchor_at, id_of_idea, opening_of_idea,
    slug_of_list,
};

/// How many of the books have something.
const BOOKS: usize = 8;
/// The sections of each that have a highlight.
const IDEAS: [usize; 3] = [1, 3, 4];
const COLORS: [HighlightColor; 4] =
    [HighlightColor::Honey, HighlightColor::Leaf, HighlightColor::Sky, HighlightColor::Rose];
/// How many days after it was added a card is answered, and how.
const ANSWERED: [(i64, Rating); 4] = [(1, Rating::Good), (4, Rating::Hard), (10, Rating::Good), (31, Rating::Good)];

/// The name of each list, its note, and how many of the books lie between two of it.
const LISTS: [(&str, &str, usize); 2] = [
    ("Old books that are still right", "Read them in this order.\nA week for each is enough.", 1),
    ("To read before the holidays", "", 2),
];
/// How many books a list has at most.
const LIST_LENGTH: usize = 5;

/// Keeps something of each of the books, the earlier the longer ago.
pub(super) fn keep(pg: &mut Pg<'_>, member: UserId, books: &[BookCard], now: Timestamp) -> anyhow::Result<()> {
    let mut locked = pg.lock_records(member)?.context("the member is there")?;
    let mut next_id = 1_000;
    for (book, turn) in books.iter().take(BOOKS).zip(1_i64..) {
        let texts = pg.book_texts(book.id)?.context("the book is there")?;
        let at = now.plus(-turn * 11 * DAY - 3 * HOUR);
        let sections: Vec<&str> = texts.sections.iter().map(String::as_str).collect();
        for section in IDEAS.into_iter().filter(|section| *section < sections.len()) {
            next_id += 1;
            highlight(pg, &mut locked, book, (&sections, section), (HighlightId::new(next_id)?, at))?;
        }
        let titles: Vec<&str> = texts.titles.iter().map(String::as_str).collect();
        for section in [1, 2].into_iter().filter(|section| *section < sections.len()) {
            next_id += i64::try_from(ANSWERED.len())?;
            card(pg, &mut locked, book, (&titles, &sections, section), (next_id, at), now)?;
        }
        next_id += 1;
        commitment(pg, &mut locked, book, (CommitmentId::new(next_id)?, turn), now)?;
    }
    lists(pg, &mut locked, books, now)
}

/// Two lists of some of the books: a public one, and a private one.
fn lists(pg: &mut Pg<'_>, locked: &mut LockedMember, books: &[BookCard], now: Timestamp) -> anyhow::Result<()> {
    for (id, (name, note, step)) in (1..).zip(LISTS) {
        let at = now.plus(-id * 9 * DAY);
        let mut state = ListState::new(at);
        state.name = Register::new(ListName::new(name)?, at);
        state.note = Register::new(ListNote::new(note)?, at);
        for (book, number) in books.iter().step_by(step).take(LIST_LENGTH).zip('0'..='9') {
            state.set_book(book.id, Some(Rank::parse(&format!("a{number}"))?), at);
        }
        let list = pg.add_list(locked, ListId::new(id)?, state)?;
        if id == 1 {
            let slug = ListSlug::of_name(&slug_of_list(&list.list.state.name.value)?);
            pg.share_list(locked, list, Some((Sharing::Public, slug)), at)?;
        }
    }
    Ok(())
}

/// A highlight of an idea's first sentence.
fn highlight(
    pg: &mut Pg<'_>,
    locked: &mut LockedMember,
    book: &BookCard,
    (sections, section): (&[&str], usize),
    (id, at): (HighlightId, Timestamp),
) -> anyhow::Result<()> {
    let first = sections[section].split_inclusive(['.', '?', '!']).next().unwrap_or_default().chars().count();
    let Some(anchor) = anchor_at(sections, section, 0..first) else { return Ok(()) };
    let mut state = HighlightState::new(Part::Text, anchor, at);
    state.color = Register::new(COLORS[section % COLORS.len()], at);
    if section == IDEAS[0] {
        state.note = Register::new(Note::new("Worth reading again before the next talk about it.")?, at);
    }
    let place = HighlightPlace::of(&state.anchor, sections);
    let highlight = Highlight {
        id,
        source: Some(HighlightSource::Book(book.id)),
        source_title: book.title.clone(),
        source_author: book.author.name.clone(),
        state,
    };
    pg.add_highlight(locked, highlight, place)?;
    Ok(())
}

/// The review card of an idea, with answers, whose ids count down from `last_id`.
fn card(
    pg: &mut Pg<'_>,
    locked: &mut LockedMember,
    book: &BookCard,
    (titles, sections, section): (&[&str], &[&str], usize),
    (last_id, at): (i64, Timestamp),
    now: Timestamp,
) -> anyhow::Result<()> {
    let title = titles[section].to_owned();
    if title.is_empty() {
        return Ok(());
    }
    let id = id_of_idea(book.id, &title);
    let kind = CardKind::Idea { section: u32::try_from(section)?, opening: opening_of_idea(sections[section]), title };
    let idea = FoundIdea::of(&kind, titles, sections);
    let card = ReviewCard {
        id,
        source: Some(HighlightSource::Book(book.id)),
        source_title: book.title.clone(),
        source_author: book.author.name.clone(),
        state: CardState::new(kind, at),
    };
    pg.add_card(locked, card, idea, TimeZone::UTC.day_of(at))?;
    let mut answers = Vec::new();
    for ((days, rating), number) in ANSWERED.into_iter().zip(0..) {
        let answered = at.plus(days * DAY);
        if answered > now {
            break;
        }
        let day = TimeZone::UTC.day_of(answered);
        answers.push(CardAnswer { id: AnswerId::new(last_id - number)?, card: id, rating, at: answered, day });
    }
    pg.record_answers(locked, &answers)?;
    Ok(())
}

/// What the member wanted to do after a book: kept long ago it is done or dropped, kept lately it is open.
fn commitment(
    pg: &mut Pg<'_>,
    locked: &mut LockedMember,
    book: &BookCard,
    (id, turn): (CommitmentId, i64),
    now: Timestamp,
) -> anyhow::Result<()> {
    let at = now.plus(-turn * 11 * DAY);
    let words = format!("Use one idea of {} this week.", book.title);
    let mut state = CommitmentState::new(at);
    state.text = Register::new(CommitmentText::new(&words)?, at);
    if turn > 2 {
        let outcome = if turn % 4 == 0 { Outcome::Dropped } else { Outcome::Done };
        state.outcome = Register::new(outcome, at.plus(4 * DAY));
    }
    let commitment = Commitment {
        id,
        book: Some(book.id),
        book_title: book.title.clone(),
        book_author: book.author.name.clone(),
        state,
    };
    pg.add_commitment(locked, commitment, TimeZone::UTC.day_of(at))?;
    Ok(())
}
