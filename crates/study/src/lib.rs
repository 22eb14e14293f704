//! What members keep of what they read: highlights with notes and tags, review cards, commitments, and lists of books.
//!
//! # What it owns
//!
//! The rules of highlights (`study.highlight-merge`), how they are found again after a text has changed
//! (`study.anchor-search`), and which passages many members highlight (`study.popular-passages`). The rules of review cards
//! (`study.review-cards`), their schedule (`study.review-schedule`), and the review of a day (`study.daily-maximum`). The
//! rules of commitments (`study.kept-commitments`) and when a member is asked about them (`study.commitment-askings`). Which key
//! ideas make a session (`study.session-ideas`). The rules of lists and of who sees them (`study.list-merge`, `study.list-sharing`). The values of the exports (`study.markdown-files`, `study.csv-columns`, `study.annotation-json`). When a member is reminded
//! (`study.due-reminder`) and gets highlights by mail (`study.highlight-digest`), and how a webhook's messages are signed
//! (`study.webhook-signature`).
//!
//! # What always holds
//!
//! - A record's state depends only on the set of states that were reported, not on their order or number.
//! - A highlight that is found as *same* has the highlight's words at its place.
//! - A member's versions are unique and rise in the order of commits: a device that reads the changes after a version misses none.
//! - A card's schedule is a function of its answers.
//! - An export has of a text the words that its member highlighted; the text around them only if the member may read it.
//! - No count of popular passages depends on fewer than ten members.
//!
//! # Words
//!
//! *Highlight*: a passage that a member kept. *Source*: what a highlight is from. *Anchor*: the quote and the position by
//! which a highlight is found again. *Register*: a value with the moment at which it was set. *Review card*: a question with
//! its answer. *Answer*: one rating of a review card. *Commitment*: what a member wants to do after a book. *Asking*: one of the
//! times at which they are asked what became of it. *List*: books that a member has put together, in their order. *Sharing*: to whom
//! it is shown. *Session*: key ideas of several books, read or heard in one go. *Notice*: what is sent to a member at
//! their hour.

mod anchor;
#[cfg(test)]
mod anchor_properties;
mod asking;
mod card;
mod commitment;
mod commitment_store;
mod completed_idea_store;
#[cfg(any(test, feature = "testing"))]
pub mod contract;
mod error;
mod export;
mod heard;
mod highlight;
mod list;
mod list_store;
#[cfg(any(test, feature = "testing"))]
mod memory;
#[cfg(test)]
mod merge_properties;
mod notice_store;
mod notices;
mod place;
mod popular;
mod push;
mod recall;
mod register;
mod review;
mod schedule;
mod service;
mod session;
mod settings;
mod store;
mod stored_card;
mod text;
mod webhook;
mod words;

pub use anchor::{
    Anchor, CHANGED_CONTEXT_CHARS, CHANGED_LIKENESS, CONTEXT_CHARS, Found, LONE_QUOTE_CHARS, Likeness, SearchableTexts,
    anchor_at, find,
};
pub use asking::{MOST_ASKED, asked_by_reminder, asked_today, due_asking};
pub use card::{
    ANSWER_EXCERPT_CHARS, ANSWER_MAX_CHARS, Blank, CardContent, CardKind, CardState, HIDDEN, OPENING_CHARS,
    QUESTION_MAX_CHARS, ReviewCard, answer_of_idea, id_of_highlight, id_of_idea, idea_place, opening_of_idea,
    question_of_idea,
};
pub use commitment::{
    Asking, COMMITMENT_MAX_CHARS, Commitment, CommitmentState, CommitmentText, Outcome, StoredCommitment,
};
pub use commitment_store::{CommitmentQueries, CommitmentStore};
pub use completed_idea_store::{CompletedIdeaCommands, CompletedIdeaQueries};
pub use error::StudyError;
pub use export::{
    Annotation, AnnotationBody, AnnotationPurpose, AnnotationTarget, CSV_COLUMNS, ExportedHighlight, ExportedSource,
    HighlightContext, PlaceState, TextPositionSelector, TextQuoteSelector, annotations, csv_rows, markdown_files,
    utc_text,
};
pub use heard::{REACTION, TimedPassage, heard_sentence};
pub use highlight::{
    DELETED_KEPT, Highlight, HighlightColor, HighlightSource, HighlightState, MAX_TAGS, NOTE_MAX_CHARS, Note, Part,
    QUOTE_MAX_CHARS, TAG_MAX_CHARS, Tag, TagKey, TagState,
};
pub use list::{
    FOLLOWED_LISTS, INDEXED_FROM, LIST_BOOKS, LIST_NAME_MAX_CHARS, LIST_NOTE_MAX_CHARS, ListName, ListNote, ListSlug,
    ListState, OWN_LISTS, OwnedList, Rank, ReadingList, Sharing, StoredList, slug_of_list,
};
pub use list_store::{ListCommands, ListKey, ListQueries, ListSearch, ListStore, ListedList, SharingChange};
#[cfg(any(test, feature = "testing"))]
pub use memory::Memory;
pub use notice_store::{NoticeCommands, NoticeQueries};
pub use notices::{DueNotice, Notice, NoticeKind, next_notice};
pub use place::{BookHighlights, HighlightPlace, PlaceRange, PlacedHighlight, StoredHighlight};
pub use popular::{HighlightedRange, POPULAR_FROM, PopularPassage, popular_passages};
pub use push::{PushSubscription, PushTarget};
pub use recall::{RECALL_DAYS, RECALL_FROM, RecallAnswer, RecallFigure, recall};
pub use register::Register;
pub use review::{
    CardFacts, DAILY_MAX, DAILY_MAX_RANGE, DayReview, FREE_CARDS, SECONDS_PER_CARD, cards_in_review, review_of_day,
};
pub use schedule::{CardAnswer, CardMemory, DESIRED_RETENTION, LONGEST_INTERVAL, Rating, Schedule};
pub use service::{LockedMember, Study};
pub use session::{
    CompletedIdea, IdeaOffer, NOT_OFFERED_AGAIN, SESSION_MINUTES, SessionMinutes, SessionTopic, TOPIC_MAX_CHARS,
    build_session,
};
pub use settings::{Digest, NOTICE_HOUR, NOTICE_HOURS, Reminder, StudySettings};
pub use store::{StudyCommands, StudyQueries, StudyStore};
pub use stored_card::{CardHighlight, FoundIdea, PlacedIdea, RecordedAnswers, StoredCard};
pub use text::source_text;
pub use webhook::{
    WEBHOOK_SALT_BYTES, WEBHOOK_URL_BYTES, Webhook, WebhookAttempt, WebhookSecret, WebhookUrl, timestamp,
};
pub use words::UnknownWord;
