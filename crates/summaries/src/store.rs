//! What members' summaries need from storage.

use std::collections::HashMap;

use kernel::{Limit, Page, StoreError, SummaryId, Timestamp, UserId};

use crate::{FinishedSummary, MemberSummary, NewSummary, SummaryFailure, SummaryState, SummaryText, WaitingSource};

/// The most words of a search; further ones are ignored.
const WORDS_MAX: usize = 8;

/// Reads, callable with any connection.
pub trait MemberSummaryQueries {
    /// The member's summary with this id; `None` when there is none.
    fn member_summary(&mut self, member: UserId, id: SummaryId) -> Result<Option<MemberSummary>, StoreError>;

    /// The key ideas and the source text of one of the member's summaries; `None` until it is finished.
    fn member_summary_text(&mut self, member: UserId, id: SummaryId) -> Result<Option<SummaryText>, StoreError>;

    /// The titles of the ones among these summaries that belong to the member.
    fn summary_titles(&mut self, member: UserId, ids: &[SummaryId]) -> Result<HashMap<SummaryId, String>, StoreError>;

    /// The member's summaries with all of these words in their title, their source's name or their ideas, newest first,
    /// after `after`: one more than the limit when there are more.
    fn member_summaries(
        &mut self,
        member: UserId,
        words: &[String],
        after: Option<SummaryId>,
        limit: Limit,
    ) -> Result<Vec<MemberSummary>, StoreError>;

    /// The number of the member's summaries that have all of these words.
    fn count_member_summaries(&mut self, member: UserId, words: &[String]) -> Result<u64, StoreError>;

    /// The source of an unfinished summary; `None` when it is finished or deleted.
    fn waiting_source(&mut self, id: SummaryId) -> Result<Option<WaitingSource>, StoreError>;

    /// A page of the member's summaries that have all words of a search, newest first, and the total number of matches.
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

/// Writes that need no rule, callable in any transaction.
pub trait MemberSummaryCommands: MemberSummaryQueries {
    /// Deletes one of the member's summaries and everything that belongs to it; `false` when there is none.
    fn delete_member_summary(&mut self, member: UserId, id: SummaryId) -> Result<bool, StoreError>;

    /// Sets the state of an unfinished summary; `false` when it is finished or deleted, and the job can stop.
    fn advance_member_summary(&mut self, id: SummaryId, state: SummaryState) -> Result<bool, StoreError>;
}

/// Storage of members' summaries, within one transaction. The rules are in [`crate::MemberSummaries`].
pub trait MemberSummaryStore: MemberSummaryCommands {
    /// Locks the member's summaries until the transaction ends, so that none is added meanwhile.
    fn lock_member_summaries(&mut self, member: UserId) -> Result<(), StoreError>;

    /// The member's summary with this idempotency key.
    fn find_summary_of_key(&mut self, member: UserId, key: &str) -> Result<Option<SummaryId>, StoreError>;

    /// The number of unfinished summaries: of the member, and of all members.
    fn count_unfinished_summaries(&mut self, member: UserId) -> Result<(u64, u64), StoreError>;

    /// Stores a queued summary.
    fn insert_member_summary(
        &mut self,
        member: UserId,
        summary: &NewSummary,
        now: Timestamp,
    ) -> Result<SummaryId, StoreError>;

    /// Changes the title of a summary; `false` when the member has no such summary.
    fn put_summary_title(&mut self, member: UserId, id: SummaryId, title: &str) -> Result<bool, StoreError>;

    /// Stores an unfinished summary as finished, and deletes its source's bytes. Does nothing when it is already
    /// finished or deleted.
    fn put_finished_summary(
        &mut self,
        id: SummaryId,
        summary: &FinishedSummary,
        now: Timestamp,
    ) -> Result<(), StoreError>;

    /// Stores an unfinished summary as failed, and deletes its source's bytes. Does nothing when it is already finished
    /// or deleted.
    fn put_failed_summary(&mut self, id: SummaryId, failure: &SummaryFailure, now: Timestamp)
    -> Result<(), StoreError>;
}
