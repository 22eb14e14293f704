//! What deliveries need from storage.

use kernel::{DeliveryId, Email, JobId, Limit, Page, StoreError, Timestamp, UserId};

use crate::{Delivery, DeliveryItem, KindleAddress, SyncCommands};

/// Reads, callable with any connection.
pub trait EReaderQueries {
    /// The stored address of the member's e-reader; `None` when it is not set.
    fn find_kindle_address(&mut self, member: UserId) -> Result<Option<Email>, StoreError>;

    /// The member's deliveries, newest first, after `after`: one more than the limit when there are more.
    fn deliveries_of(
        &mut self,
        member: UserId,
        after: Option<DeliveryId>,
        limit: Limit,
    ) -> Result<Vec<Delivery>, StoreError>;

    /// The address of the member's e-reader; `None` when it is not set.
    fn kindle_address(&mut self, member: UserId) -> Result<Option<KindleAddress>, StoreError> {
        Ok(self.find_kindle_address(member)?.map(KindleAddress::from_store))
    }

    /// A page of the member's deliveries, newest first.
    fn deliveries(
        &mut self,
        member: UserId,
        after: Option<DeliveryId>,
        limit: Limit,
    ) -> Result<Page<Delivery, DeliveryId>, StoreError> {
        Ok(Page::from_surplus(self.deliveries_of(member, after, limit)?, limit, |delivery| delivery.id))
    }
}

/// Writes that need no rule, callable in any transaction.
pub trait EReaderCommands {
    /// Assigns a delivery to a job: only this job can end it.
    fn assign_delivery_job(&mut self, id: DeliveryId, job: JobId) -> Result<(), StoreError>;
}

/// Storage of addresses and deliveries, within one transaction. The rules are in [`crate::EReader`].
pub trait EReaderStore: EReaderQueries + EReaderCommands + SyncCommands {
    /// Stores the member's address; replaces an earlier one.
    fn put_kindle_address(&mut self, member: UserId, address: &Email, now: Timestamp) -> Result<(), StoreError>;

    /// Stores a queued delivery; `None` when this item is already queued for this member.
    fn insert_delivery(
        &mut self,
        member: UserId,
        item: DeliveryItem,
        now: Timestamp,
    ) -> Result<Option<DeliveryId>, StoreError>;

    /// The queued delivery of this item to this member.
    fn find_queued_delivery(&mut self, member: UserId, item: DeliveryItem) -> Result<Option<Delivery>, StoreError>;

    /// Returns and locks a delivery; with a member, only one of theirs. `None` when there is none.
    fn lock_delivery(&mut self, member: Option<UserId>, id: DeliveryId) -> Result<Option<Delivery>, StoreError>;

    /// Stores the new state of a locked delivery. `false`, and nothing stored, when it is to be queued while another
    /// delivery of its item is queued already.
    fn update_delivery(&mut self, delivery: &Delivery) -> Result<bool, StoreError>;
}
