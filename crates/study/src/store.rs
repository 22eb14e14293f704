//! What highlights and review cards need from storage.

use std::ops::Range;

use kernel::{AnswerId, BookId, Day, HighlightId, Limit, ReviewCardId, StoreError, Timestamp, UserId};

use crate::{
    BookHighlights, CardAnswer, CardFacts, CardHighlight, CommitmentStore, CompletedIdeaCommands, FoundIdea,
    HighlightPlace, HighlightedRange, ListStore, NoticeCommands, PlacedHighlight, PlacedIdea, PopularPassage,
    RecallAnswer, Schedule, StoredCard, StoredHighlight, StudySettings,
};

/// Reads, callable with any connection.
pub trait StudyQueries {
    /// One of the member's highlights, deleted ones included.
    fn find_highlight(&mut self, member: UserId, id: HighlightId) -> Result<Option<StoredHighlight>, StoreError>;

    /// The member's highlights whose version is greater than `version`, deleted ones included, by version: one more than the
    /// limit when there are more.
    fn highlights_after(
        &mut self,
        member: UserId,
        version: u64,
        limit: Limit,
    ) -> Result<Vec<StoredHighlight>, StoreError>;

    /// The latest version of the member's records; 0 without any.
    fn study_version(&mut self, member: UserId) -> Result<u64, StoreError>;

    /// The member's highlights in a book; `None` when there never was one.
    fn highlights_in_book(&mut self, member: UserId, book: BookId) -> Result<Option<BookHighlights>, StoreError>;

    /// Those of these review cards that the member has, deleted ones included, by id.
    fn review_cards(&mut self, member: UserId, ids: &[ReviewCardId]) -> Result<Vec<StoredCard>, StoreError>;

    /// The member's review cards whose version is greater than `version`, deleted ones included, by version: one more than the
    /// limit when there are more.
    fn review_cards_after(&mut self, member: UserId, version: u64, limit: Limit)
    -> Result<Vec<StoredCard>, StoreError>;

    /// Those of these highlights that the member has, deleted ones included, in any order.
    fn card_highlights(&mut self, member: UserId, ids: &[HighlightId]) -> Result<Vec<CardHighlight>, StoreError>;

    /// The answers of these cards, by moment and id.
    fn card_answers(&mut self, member: UserId, cards: &[ReviewCardId]) -> Result<Vec<CardAnswer>, StoreError>;

    /// What the review of a day depends on of each of the member's cards, deleted ones excepted, in any order.
    fn card_facts(&mut self, member: UserId, today: Day) -> Result<Vec<CardFacts>, StoreError>;

    /// The member's answers since a day to cards from books that have categories, one for each category, in any order.
    fn recall_answers(&mut self, member: UserId, since: Day) -> Result<Vec<RecallAnswer>, StoreError>;

    /// The days on which the member has answered cards, and how many answers there were, ascending, each day once.
    fn answer_days(&mut self, member: UserId) -> Result<Vec<(Day, u32)>, StoreError>;

    /// How many of the member's highlights were made within these moments and are not deleted.
    fn count_highlights(&mut self, member: UserId, made: Range<Timestamp>) -> Result<u32, StoreError>;

    /// The cards of a book's ideas, deleted ones included, with their members, by member and id, after `after`: up to the limit.
    fn placed_ideas(
        &mut self,
        book: BookId,
        after: Option<(UserId, ReviewCardId)>,
        limit: Limit,
    ) -> Result<Vec<PlacedIdea>, StoreError>;

    /// Books whose text has changed since their highlights and the ideas of cards were looked for: up to `limit` of them.
    fn books_to_check(&mut self, limit: usize) -> Result<Vec<BookId>, StoreError>;

    /// The highlights of a book that have words, with their members, by member and id, after `after`: up to the limit.
    fn placed_highlights(
        &mut self,
        book: BookId,
        after: Option<(UserId, HighlightId)>,
        limit: Limit,
    ) -> Result<Vec<PlacedHighlight>, StoreError>;

    /// Highlights that have words, were deleted before `before` and not changed since, with their members: up to `limit` of them.
    fn highlights_to_empty(
        &mut self,
        before: Timestamp,
        limit: usize,
    ) -> Result<Vec<(UserId, HighlightId)>, StoreError>;

    /// Books whose popular passages are to be counted: up to `limit` of them.
    fn books_to_count(&mut self, limit: usize) -> Result<Vec<BookId>, StoreError>;

    /// Where the shown highlights of a book are, of members who are counted: those in its text whose words are the same.
    fn highlighted_ranges(&mut self, book: BookId) -> Result<Vec<HighlightedRange>, StoreError>;

    /// A book's popular passages, in the order of its text.
    fn popular_passages_of(&mut self, book: BookId) -> Result<Vec<PopularPassage>, StoreError>;

    /// The member's settings; `None` before they are stored first.
    fn find_study_settings(&mut self, member: UserId) -> Result<Option<StudySettings>, StoreError>;

    /// The member's settings, or the defaults.
    fn study_settings(&mut self, member: UserId) -> Result<StudySettings, StoreError> {
        Ok(self.find_study_settings(member)?.unwrap_or_default())
    }
}

/// Writes that need no rule, callable in any transaction.
pub trait StudyCommands {
    /// Stores the member's settings; popular passages are to be counted again in the books in which they have highlights. `false`
    /// when there is no such member.
    fn put_study_settings(&mut self, member: UserId, settings: StudySettings) -> Result<bool, StoreError>;

    /// Records that popular passages are to be counted again in the books in which the member has highlights.
    fn recount_books_of(&mut self, member: UserId) -> Result<(), StoreError>;

    /// Records that a book's highlights and ideas were looked for in the text that was saved at this moment. Its popular passages
    /// are to be counted again.
    fn record_checked_book(&mut self, book: BookId, updated_at: Timestamp) -> Result<(), StoreError>;

    /// Records that a book's popular passages are counted in this transaction: what changes after the highlights are read is
    /// counted the next time.
    fn record_counted_book(&mut self, book: BookId) -> Result<(), StoreError>;

    /// Replaces a book's popular passages.
    fn put_popular_passages(&mut self, book: BookId, passages: &[PopularPassage]) -> Result<(), StoreError>;
}

/// Storage of highlights and review cards, within one transaction. The rules are in [`crate::Study`].
pub trait StudyStore:
    StudyQueries + StudyCommands + NoticeCommands + CommitmentStore + CompletedIdeaCommands + ListStore
{
    /// Locks the member's records and returns their latest version. `None` when there is no such member.
    fn lock_study_member(&mut self, member: UserId) -> Result<Option<u64>, StoreError>;

    /// Stores a highlight, new or changed, with its version, which becomes the latest of the member's records. Their records are
    /// locked.
    fn put_highlight(&mut self, member: UserId, highlight: &StoredHighlight) -> Result<(), StoreError>;

    /// Stores where a highlight of a book is now, with its next version, which becomes the latest of the member's records. Their
    /// records are locked.
    fn put_highlight_place(
        &mut self,
        member: UserId,
        id: HighlightId,
        place: &HighlightPlace,
        version: u64,
    ) -> Result<(), StoreError>;

    /// Stores a review card, new or changed, with its version, which becomes the latest of the member's records. Their records
    /// are locked.
    fn put_review_card(&mut self, member: UserId, card: &StoredCard) -> Result<(), StoreError>;

    /// Stores answers of cards that the member has, and returns the ids of those that were not stored yet. Their records are
    /// locked.
    fn insert_card_answers(&mut self, member: UserId, answers: &[CardAnswer]) -> Result<Vec<AnswerId>, StoreError>;

    /// Stores the schedule of a card with its next version, which becomes the latest of the member's records. Their records are
    /// locked.
    fn put_card_schedule(
        &mut self,
        member: UserId,
        id: ReviewCardId,
        schedule: &Schedule,
        version: u64,
    ) -> Result<(), StoreError>;

    /// Stores what the card of an idea asks for now, with its next version, which becomes the latest of the member's records.
    /// Their records are locked.
    fn put_found_idea(
        &mut self,
        member: UserId,
        id: ReviewCardId,
        found: Option<&FoundIdea>,
        version: u64,
    ) -> Result<(), StoreError>;
}
