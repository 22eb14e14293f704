//! The operations on members' summaries.

use kernel::{Limit, Page, StoreError, SummaryId, Timestamp, UserId};

use crate::{
    AT_A_TIME, FinishedSummary, ImportedSummary, KnownSummary, MemberSummaryError, MemberSummaryStore, NewSummary,
    SITE_QUEUE, SummaryFailure, TITLE_MAX, model::shortened,
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
        let title = shortened(&summary.title).unwrap_or_else(untitled);
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

    /// By what the member's summaries are known: read once for all that an archive has ([`Self::import_summary`]).
    fn known_summaries(&mut self, member: UserId) -> Result<Vec<KnownSummary>, StoreError> {
        let mut known = Vec::new();
        let mut after = None;
        loop {
            let page = self.member_summaries(member, &[], after, Limit::clamped(Limit::MAX))?;
            let page = Page::from_surplus(page, Limit::clamped(Limit::MAX), |summary| summary.id);
            known.extend(
                page.items.iter().map(|summary| KnownSummary::new(summary.id, &summary.source, summary.created_at)),
            );
            after = page.next;
            if after.is_none() {
                return Ok(known);
            }
        }
    }

    /// Adds a finished summary of an imported archive, unless it is known: one of the same source that was requested at the same
    /// moment. Returns its id.
    fn import_summary(
        &mut self,
        member: UserId,
        known: &mut Vec<KnownSummary>,
        summary: &ImportedSummary,
    ) -> Result<SummaryId, StoreError> {
        let there = known.iter().find(|known| known.is_of(&summary.source, summary.created_at));
        if let Some(there) = there {
            return Ok(there.id);
        }
        let title = shortened(&summary.title).unwrap_or_else(untitled);
        let new = NewSummary { key: None, title, source: summary.source.clone(), document: None };
        let id = self.insert_member_summary(member, &new, summary.created_at)?;
        let finished = FinishedSummary {
            title: None,
            engine: summary.engine,
            fell_back: summary.fell_back,
            language: summary.language.clone(),
            text: summary.text.clone(),
        };
        self.put_finished_summary(id, &finished, summary.done_at)?;
        known.push(KnownSummary::new(id, &summary.source, summary.created_at));
        Ok(id)
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

fn untitled() -> String {
    "Untitled".to_owned()
}
