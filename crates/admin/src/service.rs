//! What the back office offers.

use kernel::{Email, Limit, MessageId, Page, StoreError, Timestamp};

use crate::{AdminError, AdminStore, Filter, Message, Written};

/// The back office, over any store of it. Everything happens in the store's transaction.
pub trait Admin: AdminStore {
    /// Keeps what somebody wrote.
    fn keep_message(&mut self, written: &Written, now: Timestamp) -> Result<MessageId, StoreError> {
        self.insert_message(written, now)
    }

    /// A page of the inbox, latest first.
    fn inbox(
        &mut self,
        filter: &Filter,
        after: Option<MessageId>,
        limit: Limit,
    ) -> Result<Page<Message, MessageId>, StoreError> {
        Ok(Page::from_surplus(self.messages_after(filter, after, limit)?, limit, |message| message.id))
    }

    /// Marks a message as done or not; marking it again as what it is changes nothing (`decisions.md` 9).
    fn mark_message(&mut self, message: MessageId, done: bool, now: Timestamp) -> Result<Message, AdminError> {
        self.update_message_done(message, done.then_some(now))?.ok_or(AdminError::UnknownMessage)
    }

    /// How many messages wait for somebody.
    fn unread_messages(&mut self) -> Result<u64, StoreError> {
        self.count_messages_not_done()
    }

    /// Keeps what somebody wrote who is to be forgotten (`decisions.md` 21), but not who they were; gives the number of
    /// the messages.
    fn forget_sender(&mut self, email: &Email) -> Result<u64, StoreError> {
        self.clear_sender_of_messages(email)
    }
}

impl<S: AdminStore + ?Sized> Admin for S {}
