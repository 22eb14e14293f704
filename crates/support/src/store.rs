//! The inbox's queries, its commands that need no rule, and its storage.

use std::collections::BTreeMap;

use kernel::{Email, Limit, MessageId, Page, StoreError, Timestamp};

use crate::{Message, MessageAnswer, MessageFilter, MessageKind, NewMessage};

/// Reads of the inbox, callable with any connection.
pub trait SupportQueries {
    /// A page of the messages that match the filter, latest first, after the one with this id.
    fn inbox(
        &mut self,
        filter: &MessageFilter,
        after: Option<MessageId>,
        limit: Limit,
    ) -> Result<Page<Message, MessageId>, StoreError>;

    /// The message with this id; `None` when there is none.
    fn message(&mut self, message: MessageId) -> Result<Option<Message>, StoreError>;

    /// The answers to a message, oldest first.
    fn answers_to_message(&mut self, message: MessageId) -> Result<Vec<MessageAnswer>, StoreError>;

    /// The different texts of messages of a kind that arrived at `from` or later and before `until`, each with the
    /// number of messages.
    fn count_message_texts(
        &mut self,
        kind: MessageKind,
        from: Timestamp,
        until: Timestamp,
    ) -> Result<Vec<(String, u64)>, StoreError>;

    /// The last answer to each of these messages that has one.
    fn last_answers(&mut self, messages: &[MessageId]) -> Result<BTreeMap<MessageId, MessageAnswer>, StoreError>;

    /// The number of questions that are not done (`support.leaving-reasons`).
    fn count_unread_messages(&mut self) -> Result<u64, StoreError>;
}

/// Writes that need no rule, callable in any transaction.
pub trait SupportCommands: SupportQueries {
    /// Stores a message; it is not done yet.
    fn insert_message(&mut self, message: &NewMessage, now: Timestamp) -> Result<MessageId, StoreError>;

    /// Anonymizes the messages of a sender whose account is deleted: removes name and address, and the answers, which
    /// greet the person by name (`support.leaving-answers`). Returns the number of messages.
    fn anonymise_messages_of(&mut self, sender: &Email) -> Result<u64, StoreError>;
}

/// Storage of the inbox, within one transaction. The rules are in [`crate::Support`].
pub trait SupportStore: SupportCommands {
    /// Deletes the messages that were stored before a moment; returns their number.
    fn delete_messages_before(&mut self, before: Timestamp) -> Result<u64, StoreError>;

    /// Stores an answer to an existing message.
    fn insert_message_answer(&mut self, message: MessageId, answer: &MessageAnswer) -> Result<(), StoreError>;

    /// Sets when the message was done (`None`: not done), and returns the changed message; if it is already done, the
    /// earlier time stays. Locks the message. `None` when there is no such message.
    fn update_message_done(
        &mut self,
        message: MessageId,
        done_at: Option<Timestamp>,
    ) -> Result<Option<Message>, StoreError>;
}
