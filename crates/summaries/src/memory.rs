//! The in-memory store, for tests of the rules and of the code above them.

use std::collections::{BTreeMap, HashMap};

use kernel::{Limit, StoreError, SummaryId, Timestamp, UserId};

use crate::{
    FinishedSummary, MemberSummary, MemberSummaryCommands, MemberSummaryQueries, MemberSummaryStore, NewSummary,
    SummaryFailure, SummaryState, SummaryText, WaitingSource, contract::World,
};

#[derive(Debug)]
struct Stored {
    member: UserId,
    key: Option<String>,
    summary: MemberSummary,
    document: Option<Vec<u8>>,
    text: Option<SummaryText>,
}

/// The stored state of members' summaries. It has one caller at a time, so its locks do nothing.
#[derive(Debug, Default)]
pub struct Memory {
    members: i64,
    last: i64,
    summaries: BTreeMap<SummaryId, Stored>,
}

impl World for Memory {
    fn add_member(&mut self) -> UserId {
        self.members += 1;
        UserId::from_store(self.members)
    }

    fn store(&mut self) -> &mut dyn MemberSummaryStore {
        self
    }
}

impl Memory {
    fn of(&self, member: UserId, id: SummaryId) -> Option<&Stored> {
        self.summaries.get(&id).filter(|stored| stored.member == member)
    }

    fn unfinished(&mut self, id: SummaryId) -> Option<&mut Stored> {
        self.summaries.get_mut(&id).filter(|stored| stored.summary.state.is_unfinished())
    }

    fn found<'a>(&'a self, member: UserId, words: &'a [String]) -> impl Iterator<Item = &'a MemberSummary> {
        let newest_first = self.summaries.values().rev().filter(move |stored| stored.member == member);
        let found = newest_first.filter(|stored| {
            let ideas = stored.text.iter().flat_map(|text| &text.ideas);
            let mut all = format!("{} {}", stored.summary.title, stored.summary.source.name);
            for idea in ideas {
                all.extend([" ", &idea.title, " ", &idea.text]);
            }
            let all = all.to_lowercase();
            words.iter().all(|word| all.contains(word))
        });
        found.map(|stored| &stored.summary)
    }
}

impl MemberSummaryQueries for Memory {
    fn member_summary(&mut self, member: UserId, id: SummaryId) -> Result<Option<MemberSummary>, StoreError> {
        Ok(self.of(member, id).map(|stored| stored.summary.clone()))
    }

    fn member_summary_text(&mut self, member: UserId, id: SummaryId) -> Result<Option<SummaryText>, StoreError> {
        Ok(self.of(member, id).and_then(|stored| stored.text.clone()))
    }

    fn summary_titles(&mut self, member: UserId, ids: &[SummaryId]) -> Result<HashMap<SummaryId, String>, StoreError> {
        let found = ids.iter().filter_map(|id| Some((*id, self.of(member, *id)?.summary.title.clone())));
        Ok(found.collect())
    }

    fn member_summaries(
        &mut self,
        member: UserId,
        words: &[String],
        after: Option<SummaryId>,
        limit: Limit,
    ) -> Result<Vec<MemberSummary>, StoreError> {
        let older = self.found(member, words).filter(|summary| after.is_none_or(|after| summary.id < after));
        Ok(older.take(limit.get() + 1).cloned().collect())
    }

    fn count_member_summaries(&mut self, member: UserId, words: &[String]) -> Result<u64, StoreError> {
        Ok(self.found(member, words).count() as u64)
    }

    fn waiting_source(&mut self, id: SummaryId) -> Result<Option<WaitingSource>, StoreError> {
        Ok(self
            .unfinished(id)
            .map(|stored| WaitingSource { source: stored.summary.source.clone(), document: stored.document.clone() }))
    }
}

impl MemberSummaryCommands for Memory {
    fn delete_member_summary(&mut self, member: UserId, id: SummaryId) -> Result<bool, StoreError> {
        let is_there = self.of(member, id).is_some();
        if is_there {
            self.summaries.remove(&id);
        }
        Ok(is_there)
    }

    fn advance_member_summary(&mut self, id: SummaryId, state: SummaryState) -> Result<bool, StoreError> {
        let Some(stored) = self.unfinished(id) else { return Ok(false) };
        stored.summary.state = state;
        Ok(true)
    }
}

impl MemberSummaryStore for Memory {
    fn lock_member_summaries(&mut self, _: UserId) -> Result<(), StoreError> {
        Ok(())
    }

    fn find_summary_of_key(&mut self, member: UserId, key: &str) -> Result<Option<SummaryId>, StoreError> {
        let mut own = self.summaries.values().filter(|stored| stored.member == member);
        Ok(own.find(|stored| stored.key.as_deref() == Some(key)).map(|stored| stored.summary.id))
    }

    fn count_unfinished_summaries(&mut self, member: UserId) -> Result<(u64, u64), StoreError> {
        let unfinished = || self.summaries.values().filter(|stored| stored.summary.state.is_unfinished());
        Ok((unfinished().filter(|stored| stored.member == member).count() as u64, unfinished().count() as u64))
    }

    fn insert_member_summary(
        &mut self,
        member: UserId,
        summary: &NewSummary,
        now: Timestamp,
    ) -> Result<SummaryId, StoreError> {
        self.last += 1;
        let id = SummaryId::from_store(self.last);
        let stored = Stored {
            member,
            key: summary.key.clone(),
            summary: MemberSummary {
                id,
                title: summary.title.clone(),
                source: summary.source.clone(),
                state: SummaryState::Queued,
                engine: None,
                fell_back: false,
                language: None,
                words: None,
                idea_count: None,
                failure: None,
                created_at: now,
                done_at: None,
            },
            document: summary.document.clone(),
            text: None,
        };
        self.summaries.insert(id, stored);
        Ok(id)
    }

    fn put_summary_title(&mut self, member: UserId, id: SummaryId, title: &str) -> Result<bool, StoreError> {
        let found = self.summaries.get_mut(&id).filter(|stored| stored.member == member);
        Ok(found.map(|stored| title.clone_into(&mut stored.summary.title)).is_some())
    }

    fn put_finished_summary(
        &mut self,
        id: SummaryId,
        summary: &FinishedSummary,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let Some(stored) = self.unfinished(id) else { return Ok(()) };
        stored.document = None;
        stored.text = Some(summary.text.clone());
        let row = &mut stored.summary;
        if let Some(title) = &summary.title {
            row.title.clone_from(title);
        }
        row.state = SummaryState::Done;
        row.engine = Some(summary.engine);
        row.fell_back = summary.fell_back;
        row.language.clone_from(&summary.language);
        row.words = Some(summary.words());
        row.idea_count = u32::try_from(summary.text.ideas.len()).ok();
        row.done_at = Some(now);
        Ok(())
    }

    fn put_failed_summary(
        &mut self,
        id: SummaryId,
        failure: &SummaryFailure,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let Some(stored) = self.unfinished(id) else { return Ok(()) };
        stored.document = None;
        stored.summary.state = SummaryState::Failed;
        stored.summary.failure = Some(failure.clone());
        stored.summary.done_at = Some(now);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::Memory;
    use crate::contract;

    #[test]
    fn memory_keeps_the_contract() {
        contract::run(|case| case(&mut Memory::default()));
    }
}
