//! What the inbox offers beyond its queries and commands.

use kernel::{DAY, MessageId, StoreError, Timestamp};

use crate::{InboxError, InboxStore, Message};

/// The rules of the inbox, over any store of it. Everything happens in the store's transaction.
pub trait Inbox: InboxStore {
    /// Marks a message as done or not; marking it again as what it is changes nothing (`decisions.md` 9).
    fn mark_message(&mut self, message: MessageId, done: bool, now: Timestamp) -> Result<Message, InboxError> {
        self.update_message_done(message, done.then_some(now))?.ok_or(InboxError::UnknownMessage)
    }

    /// Deletes messages that are older than so many days, done or not; returns their number.
    fn sweep_messages(&mut self, kept_days: u32, now: Timestamp) -> Result<u64, StoreError> {
        self.delete_messages_before(now.plus(-i64::from(kept_days) * DAY))
    }
}

impl<S: InboxStore + ?Sized> Inbox for S {}
