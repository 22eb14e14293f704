//! What the inbox can be asked, what changes it without a rule, and what it needs from storage.

use kernel::{Email, Limit, MessageId, Page, StoreError, Timestamp};

use crate::{Message, MessageFilter, NewMessage};

/// Reads of the inbox, callable by everyone who holds a connection.
pub trait InboxQueries {
    /// A page of the messages that the filter admits, latest first, after the one with this id.
    fn inbox(
        &mut self,
        filter: &MessageFilter,
        after: Option<MessageId>,
        limit: Limit,
    ) -> Result<Page<Message, MessageId>, StoreError>;

    /// How many messages are not done.
    fn count_unread_messages(&mut self) -> Result<u64, StoreError>;
}

/// Changes that need no rule, callable by everyone who holds a transaction.
pub trait InboxCommands: InboxQueries {
    /// Stores a message; it is not done yet.
    fn insert_message(&mut self, message: &NewMessage, now: Timestamp) -> Result<MessageId, StoreError>;

    /// Removes name and address from the messages of a sender who leaves (`decisions.md` 21); returns their number.
    fn anonymise_messages_of(&mut self, sender: &Email) -> Result<u64, StoreError>;
}

/// Storage for the inbox, within one transaction. The rules are in [`crate::Inbox`].
pub trait InboxStore: InboxCommands {
    /// Deletes the messages that were stored before a moment; returns their number.
    fn delete_messages_before(&mut self, before: Timestamp) -> Result<u64, StoreError>;

    /// Writes when the message was done, and returns the message as it is then; an earlier time stays.
    /// `None` when there is no such message.
    fn update_message_done(
        &mut self,
        message: MessageId,
        done_at: Option<Timestamp>,
    ) -> Result<Option<Message>, StoreError>;
}
