//! What the back office needs from storage.

use kernel::{Email, Limit, MessageId, StoreError, Timestamp};

use crate::{Filter, Message, Written};

/// Storage for the back office, within one transaction. The rules are in [`crate::Admin`].
pub trait AdminStore {
    /// Keeps a message that nobody has seen to yet.
    fn insert_message(&mut self, written: &Written, at: Timestamp) -> Result<MessageId, StoreError>;

    /// Messages that the filter admits, latest first, after the one with this id; one more than the limit when there
    /// are more.
    fn messages_after(
        &mut self,
        filter: &Filter,
        after: Option<MessageId>,
        limit: Limit,
    ) -> Result<Vec<Message>, StoreError>;

    /// Writes when somebody had seen to a message, and gives it as it is then; a moment that stands there stays.
    /// `None` when there is no such message.
    fn update_message_done(
        &mut self,
        message: MessageId,
        done_at: Option<Timestamp>,
    ) -> Result<Option<Message>, StoreError>;

    /// How many messages nobody has seen to.
    fn count_messages_not_done(&mut self) -> Result<u64, StoreError>;

    /// Takes name and address out of the messages from this address; gives their number.
    fn clear_sender_of_messages(&mut self, email: &Email) -> Result<u64, StoreError>;
}
