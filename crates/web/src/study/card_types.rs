//! Review cards on the wire.

use kernel::{ReviewCardId, Timestamp};
use serde::Serialize;
use study::{Blank, CardKind, HighlightSource, RecallFigure, StoredCard};
use utoipa::ToSchema;
use workflows::study::cards::{AnsweredCards, ShownCard};

use crate::catalogue::types::book::CategoryRef;

/// A range of hidden characters in a highlight's words.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
pub struct HiddenRange {
    start: u32,
    end: u32,
}

impl From<Blank> for HiddenRange {
    fn from(Blank { start, end }: Blank) -> Self {
        Self { start, end }
    }
}

/// What the member decided about a card; empty for an idea.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct CardContentItem {
    /// Of an own card.
    question: String,
    /// Of an own card.
    answer: String,
    /// The hidden words of a highlight.
    blanks: Vec<HiddenRange>,
}

/// The content, and when it was set, in ms since the epoch.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct TimedCardContent {
    value: CardContentItem,
    at: i64,
}

/// A switch, and when it was set, in ms since the epoch.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
pub struct TimedSwitch {
    value: bool,
    at: i64,
}

/// What a card shows, and when it is due.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CardSchedule {
    /// Ready to show: of a highlight, with `_____` in the place of hidden words.
    question: String,
    /// Ready to show; empty when it is locked.
    answer: String,
    /// Whether the answer is that of an idea whose text the member may not read any more.
    is_locked: bool,
    /// `ok`, or `gone`: what it asks for is not there any more.
    state: &'static str,
    /// The index of an idea's section in the present text; null for other cards, and when the idea is gone.
    section: Option<u32>,
    /// The day of the member's calendar on which it is due, such as `2026-11-30`.
    due: String,
    /// The day of the latest answer.
    last: Option<String>,
    /// How many answers it has.
    answers: u32,
    /// How many of them were Again a day or more after the answer before.
    lapses: u32,
    /// In how many days it is due after Again, Hard, Good and Easy today.
    next: [u32; 4],
    /// Whether it waits for a plan: when this was sent, 20 cards that were added before it were in review.
    is_waiting: bool,
}

/// A question with its answer.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReviewCard {
    id: i64,
    /// `idea`, `highlight` or `own`.
    kind: &'static str,
    /// The book that it is from; null without one, and when it was deleted.
    book_id: Option<i64>,
    /// The book's `subid`.
    subid: Option<String>,
    /// The own summary that it is from; null without one, and when it was deleted.
    summary_id: Option<i64>,
    /// The title of the source, now or when it was there last; empty without one.
    title: String,
    /// The author of the book.
    author: String,
    /// The highlight whose words are hidden.
    highlight_id: Option<i64>,
    /// The index of an idea's section when the card was made.
    section: Option<u32>,
    /// The title of the idea when the card was made; empty for other cards.
    idea_title: String,
    /// How the text of the idea began.
    opening: String,
    content: TimedCardContent,
    paused: TimedSwitch,
    /// When it was made, in ms since the epoch.
    created_at: i64,
    /// When a part of it was changed last.
    edited_at: i64,
    /// When it was deleted; it is shown again if it was changed later.
    deleted_at: Option<i64>,
    schedule: CardSchedule,
    /// Greater than that of all records of the member that were saved before.
    version: u64,
}

impl From<ShownCard> for ReviewCard {
    fn from(shown: ShownCard) -> Self {
        let StoredCard { card, idea, schedule, version, .. } = shown.stored;
        let (book_id, summary_id) = match card.source {
            Some(HighlightSource::Book(book)) => (Some(book.get()), None),
            Some(HighlightSource::Summary(summary)) => (None, Some(summary.get())),
            None => (None, None),
        };
        let (subid, title, author) = match shown.book {
            Some(book) => (Some(book.subid.as_str().to_owned()), book.title, book.author),
            None => (None, card.source_title, card.source_author),
        };
        let state = card.state;
        let edited_at = state.edited_at();
        let (kind, highlight_id, section, idea_title, opening) = match state.kind {
            CardKind::Idea { section, title, opening } => ("idea", None, Some(section), title, opening),
            CardKind::Highlight { highlight } => {
                ("highlight", Some(highlight.get()), None, String::new(), String::new())
            }
            CardKind::Own => ("own", None, None, String::new(), String::new()),
        };
        let content = CardContentItem {
            question: state.content.value.question,
            answer: state.content.value.answer,
            blanks: state.content.value.blanks.into_iter().map(Into::into).collect(),
        };
        Self {
            id: card.id.get(),
            kind,
            book_id,
            subid,
            summary_id,
            title,
            author,
            highlight_id,
            section,
            idea_title,
            opening,
            content: TimedCardContent { value: content, at: state.content.at.millis() },
            paused: TimedSwitch { value: state.is_paused.value, at: state.is_paused.at.millis() },
            created_at: state.created_at.millis(),
            edited_at: edited_at.millis(),
            deleted_at: state.deleted_at.map(Timestamp::millis),
            schedule: CardSchedule {
                question: shown.question,
                answer: shown.answer,
                is_locked: shown.is_locked,
                state: if shown.is_gone { "gone" } else { "ok" },
                section: idea.map(|idea| idea.section),
                due: schedule.due.to_string(),
                last: schedule.last.map(|day| day.to_string()),
                answers: schedule.answers,
                lapses: schedule.lapses,
                next: shown.next_days,
                is_waiting: shown.is_waiting,
            },
            version,
        }
    }
}

/// A review card that was saved.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct CardResult {
    /// As it is now.
    pub card: ReviewCard,
}

/// Answers that were recorded.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct AnsweredCardsResult {
    /// The cards that they are of, with their schedules.
    cards: Vec<ReviewCard>,
    /// The ids of cards that the member does not have.
    unknown: Vec<i64>,
}

impl From<AnsweredCards> for AnsweredCardsResult {
    fn from(AnsweredCards { cards, unknown }: AnsweredCards) -> Self {
        let unknown = unknown.into_iter().map(ReviewCardId::get).collect();
        Self { cards: cards.into_iter().map(Into::into).collect(), unknown }
    }
}

/// How much the member remembers of a category.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct CategoryRecall {
    category: CategoryRef,
    /// How many of the answers were Hard, Good or Easy.
    right: u32,
    answers: u32,
}

impl From<&(catalogue::Category, RecallFigure)> for CategoryRecall {
    fn from((category, RecallFigure { right, answers, .. }): &(catalogue::Category, RecallFigure)) -> Self {
        Self { category: category.into(), right: *right, answers: *answers }
    }
}

/// How much the member remembers.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct RecallResult {
    /// The categories with answers, in the order of categories.
    pub categories: Vec<CategoryRecall>,
    /// From how many answers of a category on the share of right ones is shown.
    pub needed: u32,
}
