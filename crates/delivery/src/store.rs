//! What deliveries need from storage.

use kernel::{DeliveryId, Email, JobId, Limit, Page, StoreError, Timestamp, UserId};

use crate::{Delivery, DeliveryItem, KindleAddress};

/// Reads, callable by everyone who holds a connection.
pub trait EReaderQueries {
    /// Where the member's e-reader takes mail.
    fn find_kindle_address(&mut self, member: UserId) -> Result<Option<Email>, StoreError>;

    /// The member's deliveries, the newest first, older than `after`: one more than the limit when there are
    /// more.
    fn deliveries_of(
        &mut self,
        member: UserId,
        after: Option<DeliveryId>,
        limit: Limit,
    ) -> Result<Vec<Delivery>, StoreError>;

    /// Where the member's e-reader takes mail, if the member has said so.
    fn kindle_address(&mut self, member: UserId) -> Result<Option<KindleAddress>, StoreError> {
        Ok(self.find_kindle_address(member)?.map(KindleAddress::from_store))
    }

    /// The member's deliveries, the newest first.
    fn deliveries(
        &mut self,
        member: UserId,
        after: Option<DeliveryId>,
        limit: Limit,
    ) -> Result<Page<Delivery, DeliveryId>, StoreError> {
        Ok(Page::from_surplus(self.deliveries_of(member, after, limit)?, limit, |delivery| delivery.id))
    }
}

/// Changes that need no rule, callable by everyone who holds a transaction.
pub trait EReaderCommands {
    /// Notes who works on a delivery.
    fn assign_delivery_job(&mut self, id: DeliveryId, job: JobId) -> Result<(), StoreError>;
}

/// Storage for addresses and deliveries, within one transaction. The rules are in [`crate::EReader`].
pub trait EReaderStore: EReaderQueries + EReaderCommands {
    /// Keeps the address, in the place of another one.
    fn put_kindle_address(&mut self, member: UserId, address: &Email, now: Timestamp) -> Result<(), StoreError>;

    /// Stores a delivery that is queued; `None` when this item is on its way to this member already.
    fn insert_delivery(
        &mut self,
        member: UserId,
        item: DeliveryItem,
        now: Timestamp,
    ) -> Result<Option<DeliveryId>, StoreError>;

    /// The delivery of this item that is on its way to this member.
    fn find_queued_delivery(&mut self, member: UserId, item: DeliveryItem) -> Result<Option<Delivery>, StoreError>;

    /// Locks a delivery, whosever it is when no member is named.
    fn lock_delivery(&mut self, member: Option<UserId>, id: DeliveryId) -> Result<Option<Delivery>, StoreError>;

    /// Stores what has become of a locked delivery; `false` when it is to be queued and its item is on its way already.
    fn update_delivery(&mut self, delivery: &Delivery) -> Result<bool, StoreError>;
}
