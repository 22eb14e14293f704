//! What members' summaries need from storage.

use std::collections::HashMap;

use kernel::{Limit, Page, StoreError, SummaryId, Timestamp, UserId};

use crate::{FinishedSummary, MemberSummary, NewSummary, SummaryFailure, SummaryState, SummaryText, WaitingSource};

/// A search has at most so many words.
const WORDS_MAX: usize = 8;

/// Reads, callable by everyone who holds a connection.
pub trait MemberSummaryQueries {
    /// One of the member's summaries.
    fn member_summary(&mut self, member: UserId, id: SummaryId) -> Result<Option<MemberSummary>, StoreError>;

    /// The ideas and the source of one of the member's summaries, once it is made.
    fn member_summary_text(&mut self, member: UserId, id: SummaryId) -> Result<Option<SummaryText>, StoreError>;

    /// The titles of these summaries, as far as they are the member's.
    fn summary_titles(&mut self, member: UserId, ids: &[SummaryId]) -> Result<HashMap<SummaryId, String>, StoreError>;

    /// The member's summaries with all of these words in their title, their source's name or their ideas, the newest first, older
    /// than `after`: one more than the limit when there are more.
    fn member_summaries(
        &mut self,
        member: UserId,
        words: &[String],
        after: Option<SummaryId>,
        limit: Limit,
    ) -> Result<Vec<MemberSummary>, StoreError>;

    /// How many of the member's summaries have all of these words.
    fn count_member_summaries(&mut self, member: UserId, words: &[String]) -> Result<u64, StoreError>;

    /// What is to be read for a summary under way; `None` when it is finished or gone.
    fn waiting_source(&mut self, id: SummaryId) -> Result<Option<WaitingSource>, StoreError>;

    /// A page of the member's summaries that have all words of a search, the newest first, and how many have them.
    fn search_summaries(
        &mut self,
        member: UserId,
        search: &str,
        after: Option<SummaryId>,
        limit: Limit,
    ) -> Result<(Page<MemberSummary, SummaryId>, u64), StoreError> {
        let words: Vec<String> = search.split_whitespace().take(WORDS_MAX).map(str::to_lowercase).collect();
        let found = self.member_summaries(member, &words, after, limit)?;
        let count = self.count_member_summaries(member, &words)?;
        Ok((Page::from_surplus(found, limit, |summary| summary.id), count))
    }
}

/// Changes that need no rule, callable by everyone who holds a transaction.
pub trait MemberSummaryCommands: MemberSummaryQueries {
    /// Deletes one of the member's summaries with all that belongs to it; `false`: there is none.
    fn delete_member_summary(&mut self, member: UserId, id: SummaryId) -> Result<bool, StoreError>;

    /// Notes how far the work on a summary is; `false`: it is finished or gone, and the work may stop.
    fn advance_member_summary(&mut self, id: SummaryId, state: SummaryState) -> Result<bool, StoreError>;
}

/// Storage, within one transaction. The rules are in [`crate::MemberSummaries`].
pub trait MemberSummaryStore: MemberSummaryCommands {
    /// Holds the member's summaries until the transaction ends: none is added meanwhile.
    fn lock_member_summaries(&mut self, member: UserId) -> Result<(), StoreError>;

    /// The member's summary of this key.
    fn find_summary_of_key(&mut self, member: UserId, key: &str) -> Result<Option<SummaryId>, StoreError>;

    /// How many summaries are under way: the member's, and all.
    fn count_unfinished_summaries(&mut self, member: UserId) -> Result<(u64, u64), StoreError>;

    /// Stores a summary that waits.
    fn insert_member_summary(
        &mut self,
        member: UserId,
        summary: &NewSummary,
        now: Timestamp,
    ) -> Result<SummaryId, StoreError>;

    /// Stores a title; `false`: the member has no such summary.
    fn put_summary_title(&mut self, member: UserId, id: SummaryId, title: &str) -> Result<bool, StoreError>;

    /// Stores a summary under way as one that was made, and forgets its bytes; nothing happens when it is finished or gone.
    fn put_finished_summary(
        &mut self,
        id: SummaryId,
        summary: &FinishedSummary,
        now: Timestamp,
    ) -> Result<(), StoreError>;

    /// Stores a summary under way as one that failed, and forgets its bytes; nothing happens when it is finished or gone.
    fn put_failed_summary(&mut self, id: SummaryId, failure: &SummaryFailure, now: Timestamp)
    -> Result<(), StoreError>;
}
