//! The operations on deliveries.

use kernel::{DeliveryId, Email, JobId, StoreError, Timestamp, UserId};

use crate::{Delivery, DeliveryItem, DeliveryOutcome, DeliveryState, EReaderError, EReaderStore, KindleAddress};

/// The result of requesting or retrying a delivery.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DeliveryRequest {
    /// It is queued now, and must be sent to this address.
    Now(DeliveryId, Email),
    /// It was queued before, by this delivery.
    Before(DeliveryId),
}

/// The operations on deliveries, over any store. Everything happens in the store's transaction.
pub trait EReader: EReaderStore {
    /// Sets the address of the member's e-reader. Deliveries that are already queued go to the earlier address.
    fn set_kindle_address(
        &mut self,
        member: UserId,
        address: &KindleAddress,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        self.put_kindle_address(member, address.email(), now)
    }

    /// Requests the delivery of a book or a summary. After [`DeliveryRequest::Now`], the caller starts a job and calls
    /// [`EReader::assign_delivery_job`]. [`EReaderError::NoAddress`] without an e-reader address.
    fn ask_delivery(
        &mut self,
        member: UserId,
        item: DeliveryItem,
        now: Timestamp,
    ) -> Result<DeliveryRequest, EReaderError> {
        let to = self.find_kindle_address(member)?.ok_or(EReaderError::NoAddress)?;
        if let Some(id) = self.insert_delivery(member, item, now)? {
            return Ok(DeliveryRequest::Now(id, to));
        }
        let queued = self.find_queued_delivery(member, item)?;
        // The queued delivery ended between the two queries.
        queued.map(|delivery| DeliveryRequest::Before(delivery.id)).ok_or(EReaderError::NotFailed)
    }

    /// Retries a failed delivery; returns its item and the result. When another delivery of the item is queued, nothing
    /// needs to be done. [`EReaderError::NotFailed`] when this one was sent.
    fn retry_delivery(
        &mut self,
        member: UserId,
        id: DeliveryId,
        now: Timestamp,
    ) -> Result<(DeliveryItem, DeliveryRequest), EReaderError> {
        let to = self.find_kindle_address(member)?.ok_or(EReaderError::NoAddress)?;
        let delivery = self.lock_delivery(Some(member), id)?.ok_or(EReaderError::UnknownDelivery)?;
        match delivery.state {
            DeliveryState::Queued => return Ok((delivery.item, DeliveryRequest::Before(id))),
            DeliveryState::Sent => return Err(EReaderError::NotFailed),
            DeliveryState::Failed => {}
        }
        let item = delivery.item;
        let queued =
            Delivery { state: DeliveryState::Queued, why: None, asked_at: now, ended_at: None, job: None, ..delivery };
        if self.update_delivery(&queued)? {
            return Ok((item, DeliveryRequest::Now(id, to)));
        }
        let other = self.find_queued_delivery(member, item)?.ok_or(EReaderError::NotFailed)?;
        Ok((item, DeliveryRequest::Before(other.id)))
    }

    /// Records the outcome of a delivery. Changes nothing when the delivery is assigned to another job by now, has
    /// already ended, or does not exist.
    fn end_delivery(
        &mut self,
        id: DeliveryId,
        job: JobId,
        ended: DeliveryOutcome,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let Some(mut delivery) = self.lock_delivery(None, id)? else { return Ok(()) };
        if delivery.state != DeliveryState::Queued || delivery.job != Some(job) {
            return Ok(());
        }
        delivery.end(ended, now);
        self.update_delivery(&delivery).map(|_| ())
    }

    /// One of the member's deliveries, locked until the transaction ends.
    fn delivery(&mut self, member: UserId, id: DeliveryId) -> Result<Option<Delivery>, StoreError> {
        self.lock_delivery(Some(member), id)
    }
}

impl<S: EReaderStore + ?Sized> EReader for S {}
