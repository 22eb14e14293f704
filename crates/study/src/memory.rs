//! The in-memory store, for tests of the rules and of the code above them.

use std::collections::BTreeMap;

use kernel::{BookId, HighlightId, Limit, StoreError, SummaryId, UserId};

use crate::{
    BookHighlights, HighlightPlace, HighlightSource, StoredHighlight, StudyCommands, StudyQueries, StudySettings,
    StudyStore, contract::World,
};

/// The stored state. It has one caller at a time, so it needs no locks.
#[derive(Debug, Default)]
pub struct Memory {
    sources: i64,
    versions: BTreeMap<UserId, u64>,
    highlights: BTreeMap<(UserId, HighlightId), StoredHighlight>,
    settings: BTreeMap<UserId, StudySettings>,
}

impl Memory {
    fn of(&self, member: UserId) -> impl Iterator<Item = &StoredHighlight> {
        self.highlights.iter().filter(move |((owner, _), _)| *owner == member).map(|(_, stored)| stored)
    }

    fn delete_source(&mut self, source: HighlightSource) {
        for stored in self.highlights.values_mut().filter(|stored| stored.highlight.source == Some(source)) {
            stored.highlight.source = None;
            stored.place = HighlightPlace::Gone;
        }
    }
}

impl World for Memory {
    fn add_member(&mut self) -> UserId {
        let member = UserId::from_store(i64::try_from(self.versions.len()).unwrap_or(i64::MAX) + 1);
        self.versions.insert(member, 0);
        member
    }

    fn add_book(&mut self) -> BookId {
        self.sources += 1;
        BookId::from_store(self.sources)
    }

    fn add_summary(&mut self, _: UserId) -> SummaryId {
        self.sources += 1;
        SummaryId::from_store(self.sources)
    }

    fn delete_book(&mut self, book: BookId) {
        self.delete_source(HighlightSource::Book(book));
    }

    fn delete_summary(&mut self, summary: SummaryId) {
        self.delete_source(HighlightSource::Summary(summary));
    }

    fn store(&mut self) -> &mut dyn StudyStore {
        self
    }
}

impl StudyQueries for Memory {
    fn find_highlight(&mut self, member: UserId, id: HighlightId) -> Result<Option<StoredHighlight>, StoreError> {
        Ok(self.highlights.get(&(member, id)).cloned())
    }

    fn highlights_after(
        &mut self,
        member: UserId,
        version: u64,
        limit: Limit,
    ) -> Result<Vec<StoredHighlight>, StoreError> {
        let mut later: Vec<_> = self.of(member).filter(|stored| stored.version > version).cloned().collect();
        later.sort_by_key(|stored| stored.version);
        later.truncate(limit.get() + 1);
        Ok(later)
    }

    fn study_version(&mut self, member: UserId) -> Result<u64, StoreError> {
        Ok(self.versions.get(&member).copied().unwrap_or(0))
    }

    fn highlights_in_book(&mut self, member: UserId, book: BookId) -> Result<Option<BookHighlights>, StoreError> {
        let source = Some(HighlightSource::Book(book));
        let all: Vec<_> = self.of(member).filter(|stored| stored.highlight.source == source).collect();
        let shown = all.iter().filter(|stored| stored.highlight.state.is_shown()).count();
        let version = all.iter().map(|stored| stored.version).max();
        Ok(version.map(|version| BookHighlights { count: u32::try_from(shown).unwrap_or(u32::MAX), version }))
    }

    fn find_study_settings(&mut self, member: UserId) -> Result<Option<StudySettings>, StoreError> {
        Ok(self.settings.get(&member).copied())
    }
}

impl StudyCommands for Memory {
    fn put_study_settings(&mut self, member: UserId, settings: StudySettings) -> Result<bool, StoreError> {
        let is_member = self.versions.contains_key(&member);
        if is_member {
            self.settings.insert(member, settings);
        }
        Ok(is_member)
    }
}

impl StudyStore for Memory {
    fn lock_study_member(&mut self, member: UserId) -> Result<Option<u64>, StoreError> {
        Ok(self.versions.get(&member).copied())
    }

    fn put_highlight(&mut self, member: UserId, highlight: &StoredHighlight) -> Result<(), StoreError> {
        self.highlights.insert((member, highlight.highlight.id), highlight.clone());
        self.versions.insert(member, highlight.version);
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
