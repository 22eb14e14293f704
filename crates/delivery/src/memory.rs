//! The in-memory store, for tests of the rules and of the code above them.

use std::collections::BTreeMap;

use kernel::{BookId, DeliveryId, Email, JobId, Limit, StoreError, SummaryId, Timestamp, UserId};

use crate::{
    BookDocument, Delivery, DeliveryItem, DeliveryState, DocumentId, EReaderCommands, EReaderQueries, EReaderStore,
    SYNCED_DOCUMENTS, SyncCommands, SyncQueries, SyncedPlace, contract::World,
};

/// The stored state of deliveries. It has one caller at a time, so it needs no locks.
#[derive(Debug, Default)]
pub struct Memory {
    members: i64,
    books: i64,
    summaries: i64,
    addresses: BTreeMap<UserId, Email>,
    deliveries: BTreeMap<DeliveryId, (UserId, Delivery)>,
    documents: BTreeMap<DocumentId, BookDocument>,
    places: BTreeMap<UserId, Vec<SyncedPlace>>,
}

impl World for Memory {
    fn add_member(&mut self) -> UserId {
        self.members += 1;
        UserId::from_store(self.members)
    }

    fn add_book(&mut self) -> BookId {
        self.books += 1;
        BookId::from_store(self.books)
    }

    fn add_summary(&mut self, _: UserId) -> SummaryId {
        self.summaries += 1;
        SummaryId::from_store(self.summaries)
    }

    fn store(&mut self) -> &mut dyn EReaderStore {
        self
    }
}

impl Memory {
    fn queued(&self, member: UserId, item: DeliveryItem) -> Option<&Delivery> {
        let mut all = self.deliveries.values();
        let found = all.find(|(owner, delivery)| {
            *owner == member && delivery.item == item && delivery.state == DeliveryState::Queued
        });
        found.map(|(_, delivery)| delivery)
    }
}

impl EReaderQueries for Memory {
    fn find_kindle_address(&mut self, member: UserId) -> Result<Option<Email>, StoreError> {
        Ok(self.addresses.get(&member).cloned())
    }

    fn deliveries_of(
        &mut self,
        member: UserId,
        after: Option<DeliveryId>,
        limit: Limit,
    ) -> Result<Vec<Delivery>, StoreError> {
        let all = self.deliveries.values().rev().filter(|(owner, _)| *owner == member).map(|(_, delivery)| delivery);
        let older = all.filter(|delivery| after.is_none_or(|after| delivery.id < after));
        Ok(older.take(limit.get() + 1).cloned().collect())
    }
}

impl SyncQueries for Memory {
    fn book_document(&mut self, document: &DocumentId) -> Result<Option<BookDocument>, StoreError> {
        Ok(self.documents.get(document).copied())
    }

    fn synced_place(&mut self, member: UserId, document: &DocumentId) -> Result<Option<SyncedPlace>, StoreError> {
        Ok(self.synced_places(member)?.into_iter().find(|place| place.document == *document))
    }

    fn synced_places(&mut self, member: UserId) -> Result<Vec<SyncedPlace>, StoreError> {
        Ok(self.places.get(&member).cloned().unwrap_or_default())
    }
}

impl SyncCommands for Memory {
    fn put_book_document(&mut self, document: &DocumentId, of: BookDocument) -> Result<(), StoreError> {
        self.documents.entry(document.clone()).or_insert(of);
        Ok(())
    }

    fn put_synced_place(&mut self, member: UserId, place: &SyncedPlace) -> Result<(), StoreError> {
        let places = self.places.entry(member).or_default();
        places.retain(|known| known.document != place.document);
        places.push(place.clone());
        places.sort_by(|a, b| b.at.cmp(&a.at).then_with(|| a.document.cmp(&b.document)));
        places.truncate(usize::try_from(SYNCED_DOCUMENTS).unwrap_or(usize::MAX));
        Ok(())
    }
}

impl EReaderCommands for Memory {
    fn assign_delivery_job(&mut self, id: DeliveryId, job: JobId) -> Result<(), StoreError> {
        if let Some((_, delivery)) = self.deliveries.get_mut(&id) {
            delivery.job = Some(job);
        }
        Ok(())
    }
}

impl EReaderStore for Memory {
    fn put_kindle_address(&mut self, member: UserId, address: &Email, _: Timestamp) -> Result<(), StoreError> {
        self.addresses.insert(member, address.clone());
        Ok(())
    }

    fn insert_delivery(
        &mut self,
        member: UserId,
        item: DeliveryItem,
        now: Timestamp,
    ) -> Result<Option<DeliveryId>, StoreError> {
        if self.queued(member, item).is_some() {
            return Ok(None);
        }
        let id = DeliveryId::from_store(self.deliveries.keys().last().map_or(1, |last| last.get() + 1));
        let state = DeliveryState::Queued;
        let delivery = Delivery { id, item, job: None, state, why: None, asked_at: now, ended_at: None };
        self.deliveries.insert(id, (member, delivery));
        Ok(Some(id))
    }

    fn find_queued_delivery(&mut self, member: UserId, item: DeliveryItem) -> Result<Option<Delivery>, StoreError> {
        Ok(self.queued(member, item).cloned())
    }

    fn lock_delivery(&mut self, member: Option<UserId>, id: DeliveryId) -> Result<Option<Delivery>, StoreError> {
        let found = self.deliveries.get(&id).filter(|(owner, _)| member.is_none_or(|member| member == *owner));
        Ok(found.map(|(_, delivery)| delivery.clone()))
    }

    fn update_delivery(&mut self, delivery: &Delivery) -> Result<bool, StoreError> {
        let Some(owner) = self.deliveries.get(&delivery.id).map(|(owner, _)| *owner) else { return Ok(true) };
        let other = self.queued(owner, delivery.item).is_some_and(|other| other.id != delivery.id);
        if delivery.state == DeliveryState::Queued && other {
            return Ok(false);
        }
        self.deliveries.insert(delivery.id, (owner, delivery.clone()));
        Ok(true)
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
