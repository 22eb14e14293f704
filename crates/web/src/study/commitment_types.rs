//! Commitments on the wire.

use kernel::{BookId, Timestamp};
use serde::Serialize;
use study::{Asking, StoredCommitment};
use utoipa::ToSchema;
use workflows::study::commitments::ShownCommitment;

use crate::study::timed_text::TimedText;

/// What a member wants to do after a book.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Commitment {
    id: i64,
    /// The book; null when it was deleted.
    book_id: Option<i64>,
    /// The book's `subid`.
    subid: Option<String>,
    /// The title of the book, now or when it was there last.
    title: String,
    /// The author of the book.
    author: String,
    /// One paragraph of up to 500 characters.
    text: TimedText,
    /// `open`, `done` or `dropped`.
    outcome: TimedText,
    /// Of the days on which it is asked about, 3 and 14 after it was made, the latest that was answered; null: none.
    answered_day: Option<i32>,
    /// When it was made, in ms since the epoch.
    created_at: i64,
    /// When a part of it was changed last.
    edited_at: i64,
    /// When it was deleted; it is shown again if it was changed later.
    deleted_at: Option<i64>,
    /// Greater than that of all records of the member that were saved before.
    version: u64,
}

impl From<ShownCommitment> for Commitment {
    fn from(ShownCommitment { stored, book }: ShownCommitment) -> Self {
        let StoredCommitment { commitment, version, .. } = stored;
        let (subid, title, author) = match book {
            Some(book) => (Some(book.subid.as_str().to_owned()), book.title, book.author),
            None => (None, commitment.book_title, commitment.book_author),
        };
        let state = commitment.state;
        Self {
            id: commitment.id.get(),
            book_id: commitment.book.map(BookId::get),
            subid,
            title,
            author,
            text: TimedText { value: state.text.value.as_str().to_owned(), at: state.text.at.millis() },
            outcome: TimedText { value: state.outcome.value.as_str().to_owned(), at: state.outcome.at.millis() },
            answered_day: state.answered.map(Asking::day),
            created_at: state.created_at.millis(),
            edited_at: state.edited_at().millis(),
            deleted_at: state.deleted_at.map(Timestamp::millis),
            version,
        }
    }
}

/// A commitment that was saved.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct CommitmentResult {
    /// As it is now.
    pub commitment: Commitment,
}
