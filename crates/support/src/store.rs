//! What the inbox can be asked, what changes it without a rule, and what it needs from storage.

use kernel::{Email, Limit, MessageId, Page, StoreError, Timestamp};

use crate::{Message, MessageAnswer, MessageFilter, MessageKind, NewMessage};

/// Reads of the inbox, callable by everyone who holds a connection.
pub trait SupportQueries {
    /// A page of the messages that the filter admits, latest first, after the one with this id.
    fn inbox(
        &mut self,
        filter: &MessageFilter,
        after: Option<MessageId>,
        limit: Limit,
    ) -> Result<Page<Message, MessageId>, StoreError>;

    /// A message.
    fn message(&mut self, message: MessageId) -> Result<Option<Message>, StoreError>;

    /// What was answered to a message, in order.
    fn answers_to_message(&mut self, message: MessageId) -> Result<Vec<MessageAnswer>, StoreError>;

    /// The texts of the messages of a kind that arrived from one moment until before another, each with its number.
    fn count_message_texts(
        &mut self,
        kind: MessageKind,
        from: Timestamp,
        until: Timestamp,
    ) -> Result<Vec<(String, u64)>, StoreError>;

    /// How many messages are not done.
    fn count_unread_messages(&mut self) -> Result<u64, StoreError>;
}

/// Changes that need no rule, callable by everyone who holds a transaction.
pub trait SupportCommands: SupportQueries {
    /// Stores a message; it is not done yet.
    fn insert_message(&mut self, message: &NewMessage, now: Timestamp) -> Result<MessageId, StoreError>;

    /// Removes name and address from the messages of a sender who leaves, and what was answered to them, which greets
    /// the person by name (`support.leaving-answers`); returns the messages' number.
    fn anonymise_messages_of(&mut self, sender: &Email) -> Result<u64, StoreError>;
}

/// Storage for the inbox, within one transaction. The rules are in [`crate::Support`].
pub trait SupportStore: SupportCommands {
    /// Deletes the messages that were stored before a moment; returns their number.
    fn delete_messages_before(&mut self, before: Timestamp) -> Result<u64, StoreError>;

    /// Stores what was answered to a message that exists.
    fn insert_message_answer(&mut self, message: MessageId, answer: &MessageAnswer) -> Result<(), StoreError>;

    /// Writes when the message was done, and returns the message as it is then; an earlier time stays. Locks the message.
    /// `None` when there is no such message.
    fn update_message_done(
        &mut self,
        message: MessageId,
        done_at: Option<Timestamp>,
    ) -> Result<Option<Message>, StoreError>;
}
