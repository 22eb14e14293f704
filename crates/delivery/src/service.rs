//! What deliveries offer.

use kernel::{DeliveryId, Email, JobId, StoreError, Timestamp, UserId};

use crate::{Delivery, DeliveryItem, DeliveryOutcome, DeliveryState, EReaderError, EReaderStore, KindleAddress};

/// What came of asking for a book or a summary.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DeliveryRequest {
    /// It is to be sent to this address.
    Now(DeliveryId, Email),
    /// It is on its way already.
    Before(DeliveryId),
}

/// Deliveries, over any store of them. Everything happens in the store's transaction.
pub trait EReader: EReaderStore {
    /// Keeps where the member's e-reader takes mail. What is on its way goes where it was meant to.
    fn set_kindle_address(
        &mut self,
        member: UserId,
        address: &KindleAddress,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        self.put_kindle_address(member, address.email(), now)
    }

    /// Takes down that the member wants a book or a summary. When it is to be sent now, [`EReader::assign_delivery_job`] comes
    /// next.
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
        // It ended between the two looks.
        queued.map(|delivery| DeliveryRequest::Before(delivery.id)).ok_or(EReaderError::NotFailed)
    }

    /// Takes down that a member wants a failed delivery to be tried again, and gives what is sent. When that is on its
    /// way by another delivery, nothing is to be done.
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

    /// Writes down how the work of this job on a delivery ended. Changes nothing when another job works on it by now, or
    /// when it is gone.
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

    /// One of the member's deliveries, held until the transaction ends.
    fn delivery(&mut self, member: UserId, id: DeliveryId) -> Result<Option<Delivery>, StoreError> {
        self.lock_delivery(Some(member), id)
    }
}

impl<S: EReaderStore + ?Sized> EReader for S {}
