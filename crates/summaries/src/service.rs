//! The operations on members' summaries.

use kernel::{StoreError, SummaryId, Timestamp, UserId};

use crate::{
    AT_A_TIME, FinishedSummary, MemberSummaryError, MemberSummaryStore, NewSummary, SITE_QUEUE, SummaryFailure,
    TITLE_MAX, model::shortened,
};

/// The operations on members' summaries, over any store. Everything happens in the store's transaction.
pub trait MemberSummaries: MemberSummaryStore {
    /// Requests a summary. Returns its id, and whether it is new: then the caller queues the job. A repeated
    /// idempotency key returns the existing summary.
    fn ask_summary(
        &mut self,
        member: UserId,
        summary: &NewSummary,
        now: Timestamp,
    ) -> Result<(SummaryId, bool), MemberSummaryError> {
        self.lock_member_summaries(member)?;
        if let Some(key) = &summary.key
            && let Some(id) = self.find_summary_of_key(member, key)?
        {
            return Ok((id, false));
        }
        let (own, all) = self.count_unfinished_summaries(member)?;
        if own >= AT_A_TIME {
            return Err(MemberSummaryError::TooManyAtOnce);
        }
        if all >= SITE_QUEUE {
            return Err(MemberSummaryError::QueueFull);
        }
        let title = shortened(&summary.title).unwrap_or_else(|| "Untitled".to_owned());
        let id = self.insert_member_summary(member, &NewSummary { title, ..summary.clone() }, now)?;
        Ok((id, true))
    }

    /// Cancels an unfinished summary: deletes it and everything that belongs to it.
    fn cancel_summary(&mut self, member: UserId, id: SummaryId) -> Result<(), MemberSummaryError> {
        self.lock_member_summaries(member)?;
        let summary = self.member_summary(member, id)?.ok_or(MemberSummaryError::UnknownSummary)?;
        if !summary.state.is_unfinished() {
            return Err(MemberSummaryError::Finished);
        }
        self.delete_member_summary(member, id)?;
        Ok(())
    }

    /// Changes a summary's title.
    fn rename_summary(&mut self, member: UserId, id: SummaryId, title: &str) -> Result<(), MemberSummaryError> {
        let title = title.trim();
        if title.is_empty() || title.chars().count() > TITLE_MAX {
            return Err(MemberSummaryError::InvalidTitle);
        }
        if self.put_summary_title(member, id, title)? { Ok(()) } else { Err(MemberSummaryError::UnknownSummary) }
    }

    /// Stores a finished summary, with the title that was found in its source, if any.
    fn finish_summary(&mut self, id: SummaryId, summary: &FinishedSummary, now: Timestamp) -> Result<(), StoreError> {
        let title = summary.title.as_deref().and_then(shortened);
        self.put_finished_summary(id, &FinishedSummary { title, ..summary.clone() }, now)
    }

    /// Stores that a summary failed.
    fn fail_summary(&mut self, id: SummaryId, failure: &SummaryFailure, now: Timestamp) -> Result<(), StoreError> {
        self.put_failed_summary(id, failure, now)
    }
}

impl<S: MemberSummaryStore + ?Sized> MemberSummaries for S {}
