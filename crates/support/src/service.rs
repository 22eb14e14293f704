//! The inbox's operations that have rules.

use kernel::{DAY, MessageId, StoreError, Timestamp, UserId, many_lines};

use crate::{BODY_MAX_CHARS, Field, Message, MessageAnswer, SupportError, SupportStore};

/// The rules of the inbox, over any store of it. Everything happens in the store's transaction.
pub trait Support: SupportStore {
    /// Marks a message as done or not done. Idempotent (`support.message-list`).
    fn mark_message(&mut self, message: MessageId, done: bool, now: Timestamp) -> Result<Message, SupportError> {
        self.update_message_done(message, done.then_some(now))?.ok_or(SupportError::UnknownMessage)
    }

    /// Stores an admin's answer, and marks the message as done. The answer is `None` when the last one has the same
    /// text: a form that is submitted twice gives one answer and one mail (`support.message-answers`).
    fn answer_message(
        &mut self,
        message: MessageId,
        text: &str,
        by: UserId,
        now: Timestamp,
    ) -> Result<(Message, Option<MessageAnswer>), SupportError> {
        let text = many_lines(text.trim());
        if text.trim().is_empty() {
            return Err(SupportError::Unanswered(Field::Answer));
        }
        if text.chars().count() > BODY_MAX_CHARS {
            return Err(SupportError::TooLong(Field::Answer));
        }
        // The lock makes the second of two equal answers see the first.
        let message = self.mark_message(message, true, now)?;
        if message.email.is_none() {
            return Err(SupportError::NoAddress);
        }
        if self.answers_to_message(message.id)?.last().is_some_and(|last| last.text == text) {
            return Ok((message, None));
        }
        let answer = MessageAnswer { text, by: Some(by), at: now };
        self.insert_message_answer(message.id, &answer)?;
        Ok((message, Some(answer)))
    }

    /// Deletes messages that are older than `kept_days`, done or not; returns their number.
    fn sweep_messages(&mut self, kept_days: u32, now: Timestamp) -> Result<u64, StoreError> {
        self.delete_messages_before(now.plus(-i64::from(kept_days) * DAY))
    }
}

impl<S: SupportStore + ?Sized> Support for S {}
