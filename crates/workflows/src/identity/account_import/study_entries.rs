//! Entries about what the member keeps of their reading: highlights, review cards, commitments and completed ideas.

use identity::{ImportKind, NamedBook};
use kernel::{AnswerId, BookId, CommitmentId, HighlightId, ReviewCardId, Timestamp};
use serde::Deserialize;
use study::{
    Anchor, Asking, Blank, CardAnswer, CardContent, CardKind, CardState, Commitment, CommitmentState, CommitmentText,
    CompletedIdea, CompletedIdeaCommands, FoundIdea, Highlight, HighlightPlace, HighlightSource, HighlightState, Note,
    OPENING_CHARS, Part, Rating, Register, ReviewCard, Study, StudyQueries, Tag, id_of_highlight, id_of_idea,
    opening_of_idea,
};

use super::entry::{BookFields, CalendarDay, Entry, EntryError, Importing, Moment};
use crate::study::highlights::merge_known;

/// The longest heading of an idea, in characters.
const IDEA_CHARS: usize = 500;
/// The most answers of a card.
const MAX_ANSWERS: usize = 10_000;
/// The most tags that a highlight has or had.
const MAX_TAGS_EVER: usize = 500;

/// A tag of a highlight, or one that it had.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct TagEntry {
    tag: String,
    on: bool,
    at: Moment,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct AnchorEntry {
    section: Option<u32>,
    start: u32,
    end: u32,
    exact: String,
    prefix: String,
    suffix: String,
}

/// A highlight. Where it is, is looked for in the text that is here.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct HighlightEntry {
    id: i64,
    #[serde(flatten)]
    book: BookFields,
    summary_id: Option<i64>,
    part: String,
    anchor: AnchorEntry,
    color: String,
    color_at: Moment,
    note: String,
    note_at: Moment,
    tags: Vec<TagEntry>,
    created_at: Moment,
}

/// The source of an entry: its book, if that is here, or the member's own summary.
fn source_of(importing: &Importing<'_, '_, '_>, summary: Option<i64>, book: Option<BookId>) -> Option<HighlightSource> {
    let summary = || summary.and_then(|id| importing.summaries.get(&id).copied()).map(HighlightSource::Summary);
    book.map(HighlightSource::Book).or_else(summary)
}

/// The book of an entry; of one from an own summary none is looked for.
fn book_of(book: &BookFields, summary: Option<i64>) -> Option<NamedBook> {
    summary.map_or_else(|| book.named(), |_| None)
}

impl HighlightEntry {
    fn state(&self, now: Timestamp) -> Result<HighlightState, EntryError> {
        let AnchorEntry { section, start, end, exact, prefix, suffix } = &self.anchor;
        let [exact, prefix, suffix] = [exact, prefix, suffix].map(String::clone);
        let anchor = Anchor { section: *section, start: *start, end: *end, exact, prefix, suffix };
        let part = self.part.parse().map_err(|_| EntryError::Unreadable)?;
        let is_of_summary = self.summary_id.is_some() || self.book.named().is_none();
        if self.tags.len() > MAX_TAGS_EVER || (part == Part::Source && !is_of_summary) {
            return Err(EntryError::Unreadable);
        }
        let mut state = HighlightState::new(part, anchor, self.created_at.until(now));
        let color = self.color.parse().map_err(|_| EntryError::Unreadable)?;
        state.color = Register::new(color, self.color_at.until(now));
        state.note = Register::new(Note::new(&self.note)?, self.note_at.until(now));
        for TagEntry { tag, on, at } in &self.tags {
            state.set_tag(Tag::new(tag)?, *on, at.until(now));
        }
        state.check()?;
        Ok(state)
    }
}

impl Entry for HighlightEntry {
    const KIND: ImportKind = ImportKind::Highlights;

    fn book(&self) -> Option<NamedBook> {
        book_of(&self.book, self.summary_id)
    }

    fn summary(&self) -> Option<i64> {
        self.summary_id
    }

    fn key(&self) -> String {
        self.id.to_string()
    }

    fn stands_alone(&self) -> bool {
        true
    }

    fn import(&self, importing: &mut Importing<'_, '_, '_>, book: Option<BookId>) -> Result<(), EntryError> {
        let id = HighlightId::new(self.id).map_err(|_| EntryError::Unreadable)?;
        let state = self.state(importing.now)?;
        let source = source_of(importing, self.summary_id, book);
        let place = match source {
            Some(source) => importing.place_in(source, state.part, &state.anchor)?,
            None => HighlightPlace::Gone,
        };
        let Importing { tx, locked, .. } = importing;
        let Some(known) = tx.pg.locked_highlight(locked, id)? else {
            let (source_title, source_author) = self.book.names();
            let highlight = Highlight { id, source, source_title, source_author, state };
            tx.pg.add_highlight(locked, highlight, place)?;
            return Ok(());
        };
        let stored = merge_known(tx, locked, known, state)?;
        let is_without = stored.highlight.source.is_none() && !stored.highlight.state.anchor.exact.is_empty();
        if let Some(source) = source.filter(|_| is_without) {
            tx.pg.attach_highlight(locked, stored, source, place)?;
        }
        Ok(())
    }
}

/// The key idea of a card.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct IdeaFields {
    section: u32,
    title: String,
    opening: String,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct AnswerEntry {
    id: i64,
    rating: i64,
    at: Moment,
    day: CalendarDay,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct BlankEntry {
    start: u32,
    end: u32,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct ScheduleEntry {
    first_day: CalendarDay,
}

/// A review card with its answers. Its schedule follows from them.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct CardEntry {
    id: i64,
    kind: String,
    #[serde(flatten)]
    book: BookFields,
    summary_id: Option<i64>,
    highlight_id: Option<i64>,
    idea: Option<IdeaFields>,
    question: String,
    answer: String,
    blanks: Vec<BlankEntry>,
    content_at: Moment,
    paused: bool,
    paused_at: Moment,
    created_at: Moment,
    schedule: ScheduleEntry,
    answers: Vec<AnswerEntry>,
}

/// A card of an archive, as it is here.
struct ReadCard {
    id: ReviewCardId,
    source: Option<HighlightSource>,
    state: CardState,
    found: Option<FoundIdea>,
    /// Of a highlight: its words.
    words: Option<String>,
}

impl CardEntry {
    fn idea_title(&self) -> &str {
        self.idea.as_ref().map(|idea| idea.title.as_str()).unwrap_or_default()
    }

    fn state(&self, kind: CardKind, content: CardContent, now: Timestamp) -> CardState {
        CardState {
            content: Register::new(content, self.content_at.until(now)),
            is_paused: Register::new(self.paused, self.paused_at.until(now)),
            ..CardState::new(kind, self.created_at.until(now))
        }
    }

    fn read(&self, importing: &mut Importing<'_, '_, '_>, book: Option<BookId>) -> Result<ReadCard, EntryError> {
        let now = importing.now;
        let card = match (self.kind.as_str(), &self.idea, self.highlight_id) {
            ("idea", Some(idea), _) => {
                // Its id follows from its book.
                let book = book.ok_or(EntryError::Unreadable)?;
                let section = i32::try_from(idea.section).map_or(0, i32::unsigned_abs);
                let mut opening: String = idea.opening.chars().take(OPENING_CHARS).collect();
                let kind = |opening| CardKind::Idea { section, title: idea.title.clone(), opening };
                let texts = importing.book_texts(book)?;
                let found = FoundIdea::of(&kind(opening.clone()), &texts.titles, &texts.sections);
                if let Some(place) = found.as_ref().filter(|_| opening.is_empty()) {
                    let text = usize::try_from(place.section).ok().and_then(|at| texts.sections.get(at));
                    opening = text.map(|text| opening_of_idea(text)).unwrap_or_default();
                }
                let kind = kind(opening);
                let id = id_of_idea(book, &idea.title);
                let state = self.state(kind, CardContent::default(), now);
                ReadCard { id, source: Some(HighlightSource::Book(book)), state, found, words: None }
            }
            ("highlight", _, Some(highlight)) => {
                let highlight = HighlightId::new(highlight).map_err(|_| EntryError::Unreadable)?;
                let known = importing.tx.pg.find_highlight(importing.member, highlight)?;
                let known = known.ok_or(EntryError::Unreadable)?.highlight;
                let blanks = self.blanks.iter().map(|blank| Blank { start: blank.start, end: blank.end });
                let content = CardContent::hiding(blanks.collect());
                let state = self.state(CardKind::Highlight { highlight }, content, now);
                let words = Some(known.state.anchor.exact);
                ReadCard { id: id_of_highlight(highlight), source: known.source, state, found: None, words }
            }
            ("own", ..) => {
                let id = ReviewCardId::new(self.id).map_err(|_| EntryError::Unreadable)?;
                let content = CardContent::own(&self.question, &self.answer);
                let source = source_of(importing, self.summary_id, book);
                ReadCard { id, source, state: self.state(CardKind::Own, content, now), found: None, words: None }
            }
            _ => return Err(EntryError::Unreadable),
        };
        card.state.check(card.words.as_deref())?;
        Ok(card)
    }

    fn answers_of(&self, card: ReviewCardId, importing: &Importing<'_, '_, '_>) -> Vec<CardAnswer> {
        let answer = |entry: &AnswerEntry| {
            let at = entry.at.until(importing.now);
            let day = entry.day.of(at).unwrap_or_else(|| importing.zone.day_of(at));
            Some(CardAnswer {
                id: AnswerId::new(entry.id).ok()?,
                card,
                rating: Rating::new(entry.rating).ok()?,
                at,
                day,
            })
        };
        self.answers.iter().take(MAX_ANSWERS).filter_map(answer).collect()
    }
}

impl Entry for CardEntry {
    const KIND: ImportKind = ImportKind::Cards;

    fn book(&self) -> Option<NamedBook> {
        book_of(&self.book, self.summary_id)
    }

    fn summary(&self) -> Option<i64> {
        self.summary_id
    }

    fn key(&self) -> String {
        if self.stands_alone() { self.id.to_string() } else { self.idea_title().to_owned() }
    }

    fn stands_alone(&self) -> bool {
        self.kind != "idea"
    }

    fn check(&self) -> Result<(), EntryError> {
        let is_complete = self.stands_alone() || !self.idea_title().is_empty();
        if is_complete { Ok(()) } else { Err(EntryError::Unreadable) }
    }

    fn import(&self, importing: &mut Importing<'_, '_, '_>, book: Option<BookId>) -> Result<(), EntryError> {
        let ReadCard { id, source, state, found, words } = self.read(importing, book)?;
        let is_idea = matches!(state.kind, CardKind::Idea { .. });
        let first_day = self.schedule.first_day.of(state.created_at);
        let first_day = first_day.unwrap_or_else(|| importing.zone.day_of(state.created_at));
        let answers = self.answers_of(id, importing);
        let Importing { tx, locked, .. } = importing;
        let stored = if let Some(known) = tx.pg.locked_cards(locked, &[id])?.pop() {
            // By what the idea is found is known here: the archive of a member who could not read its text leaves that out.
            let kind = if is_idea { known.card.state.kind.clone() } else { state.kind.clone() };
            let state = CardState { kind, ..state };
            let merged = known.merged(state, words.as_deref())?;
            tx.pg.change_card(locked, known, merged, first_day)?
        } else {
            let (source_title, source_author) = self.book.names();
            let card = ReviewCard { id, source, source_title, source_author, state };
            tx.pg.add_card(locked, card, found, first_day)?
        };
        if let Some(source) = source.filter(|_| stored.card.source.is_none()) {
            tx.pg.attach_card(locked, stored, source)?;
        }
        importing.answers.extend(answers);
        Ok(())
    }
}

/// What the member wanted to do after a book.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct CommitmentEntry {
    id: i64,
    #[serde(flatten)]
    book: BookFields,
    text: String,
    text_at: Moment,
    outcome: String,
    outcome_at: Moment,
    answered_day: Option<i64>,
    first_day: CalendarDay,
    created_at: Moment,
}

impl Entry for CommitmentEntry {
    const KIND: ImportKind = ImportKind::Commitments;

    fn book(&self) -> Option<NamedBook> {
        self.book.named()
    }

    fn key(&self) -> String {
        self.id.to_string()
    }

    fn stands_alone(&self) -> bool {
        true
    }

    fn import(&self, importing: &mut Importing<'_, '_, '_>, book: Option<BookId>) -> Result<(), EntryError> {
        let Importing { tx, locked, now, zone, .. } = importing;
        let id = CommitmentId::new(self.id).map_err(|_| EntryError::Unreadable)?;
        let outcome = self.outcome.parse().map_err(|_| EntryError::Unreadable)?;
        let state = CommitmentState {
            text: Register::new(CommitmentText::new(&self.text)?, self.text_at.until(*now)),
            outcome: Register::new(outcome, self.outcome_at.until(*now)),
            answered: self.answered_day.and_then(Asking::on_day),
            ..CommitmentState::new(self.created_at.until(*now))
        };
        let first_day = self.first_day.of(state.created_at).unwrap_or_else(|| zone.day_of(state.created_at));
        let stored = if let Some(known) = tx.pg.locked_commitment(locked, id)? {
            let merged = known.commitment.state.clone().merged(state);
            tx.pg.change_commitment(locked, known, merged, first_day)?
        } else {
            let (book_title, book_author) = self.book.names();
            tx.pg.add_commitment(locked, Commitment { id, book, book_title, book_author, state }, first_day)?
        };
        if let Some(book) = book.filter(|_| stored.commitment.book.is_none()) {
            tx.pg.attach_commitment(locked, stored, book)?;
        }
        Ok(())
    }
}

/// A key idea that the member has completed in a session.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct IdeaEntry {
    #[serde(flatten)]
    book: BookFields,
    idea: String,
    at: Moment,
}

impl Entry for IdeaEntry {
    const KIND: ImportKind = ImportKind::Ideas;

    fn book(&self) -> Option<NamedBook> {
        self.book.named()
    }

    fn key(&self) -> String {
        self.idea.clone()
    }

    fn check(&self) -> Result<(), EntryError> {
        let fits = (1..=IDEA_CHARS).contains(&self.idea.chars().count());
        if fits { Ok(()) } else { Err(EntryError::Unreadable) }
    }

    fn import(&self, importing: &mut Importing<'_, '_, '_>, book: Option<BookId>) -> Result<(), EntryError> {
        let book = book.ok_or(EntryError::Unreadable)?;
        let completed = CompletedIdea { book, idea: self.idea.clone(), at: self.at.until(importing.now) };
        Ok(importing.tx.pg.record_completed_ideas(importing.member, &[completed])?)
    }
}
