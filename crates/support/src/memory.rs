//! The in-memory store, for tests of the rules and of the code above them.

use std::collections::BTreeMap;

use kernel::{Email, Limit, MessageId, Page, StoreError, Timestamp};

use crate::{
    Message, MessageAnswer, MessageFilter, MessageKind, NewMessage, SupportCommands, SupportQueries, SupportStore,
};

/// Everything that the inbox stores, for one caller at a time.
#[derive(Debug, Default)]
pub struct Memory {
    messages: BTreeMap<MessageId, Message>,
    answers: BTreeMap<MessageId, Vec<MessageAnswer>>,
    ids: i64,
}

impl SupportQueries for Memory {
    fn inbox(
        &mut self,
        filter: &MessageFilter,
        after: Option<MessageId>,
        limit: Limit,
    ) -> Result<Page<Message, MessageId>, StoreError> {
        let admitted = self.messages.values().rev().filter(|message| filter.admits(message));
        let found = admitted.filter(|message| after.is_none_or(|after| message.id < after));
        Ok(Page::from_surplus(found.take(limit.get() + 1).cloned().collect(), limit, |message| message.id))
    }

    fn message(&mut self, message: MessageId) -> Result<Option<Message>, StoreError> {
        Ok(self.messages.get(&message).cloned())
    }

    fn answers_to_message(&mut self, message: MessageId) -> Result<Vec<MessageAnswer>, StoreError> {
        Ok(self.answers.get(&message).cloned().unwrap_or_default())
    }

    fn count_message_texts(
        &mut self,
        kind: MessageKind,
        from: Timestamp,
        until: Timestamp,
    ) -> Result<Vec<(String, u64)>, StoreError> {
        let mut counts = BTreeMap::new();
        let wanted = |one: &&Message| one.kind == kind && from <= one.created_at && one.created_at < until;
        for message in self.messages.values().filter(wanted) {
            *counts.entry(message.body.clone()).or_insert(0) += 1;
        }
        Ok(counts.into_iter().collect())
    }

    fn count_unread_messages(&mut self) -> Result<u64, StoreError> {
        let is_open = |message: &&Message| message.kind.is_question() && message.done_at.is_none();
        Ok(self.messages.values().filter(is_open).count() as u64)
    }

    fn last_answers(&mut self, messages: &[MessageId]) -> Result<BTreeMap<MessageId, MessageAnswer>, StoreError> {
        let last = |id: &MessageId| Some((*id, self.answers.get(id)?.last()?.clone()));
        Ok(messages.iter().filter_map(last).collect())
    }
}

impl SupportCommands for Memory {
    fn insert_message(&mut self, message: &NewMessage, now: Timestamp) -> Result<MessageId, StoreError> {
        self.ids += 1;
        let id = MessageId::from_store(self.ids);
        let message = Message {
            id,
            kind: message.kind(),
            name: message.name().map(str::to_owned),
            email: message.email().cloned(),
            body: message.body().to_owned(),
            created_at: now,
            done_at: None,
        };
        self.messages.insert(id, message);
        Ok(id)
    }

    fn anonymise_messages_of(&mut self, sender: &Email) -> Result<u64, StoreError> {
        let mut count = 0;
        for message in self.messages.values_mut().filter(|message| message.email.as_ref() == Some(sender)) {
            (message.name, message.email) = (None, None);
            self.answers.remove(&message.id);
            count += 1;
        }
        Ok(count)
    }
}

impl SupportStore for Memory {
    fn delete_messages_before(&mut self, before: Timestamp) -> Result<u64, StoreError> {
        let all = self.messages.len();
        self.messages.retain(|_, message| message.created_at >= before);
        self.answers.retain(|message, _| self.messages.contains_key(message));
        Ok((all - self.messages.len()) as u64)
    }

    fn insert_message_answer(&mut self, message: MessageId, answer: &MessageAnswer) -> Result<(), StoreError> {
        self.answers.entry(message).or_default().push(answer.clone());
        Ok(())
    }

    fn update_message_done(
        &mut self,
        message: MessageId,
        done_at: Option<Timestamp>,
    ) -> Result<Option<Message>, StoreError> {
        Ok(self.messages.get_mut(&message).map(|message| {
            message.done_at = done_at.map(|at| message.done_at.unwrap_or(at));
            message.clone()
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::Memory;
    use crate::contract;

    #[test]
    fn memory_passes_the_contract() {
        contract::run(|case| case(&mut Memory::default()));
    }
}
