//! A store in memory, for tests of rules and of what stands on them.

use std::collections::BTreeMap;

use kernel::{Email, Limit, MessageId, StoreError, Timestamp};

use crate::{AdminStore, Filter, Message, Written};

/// Everything that the back office stores. One caller at a time has it.
#[derive(Debug, Default)]
pub struct Memory {
    messages: BTreeMap<MessageId, Message>,
    ids: i64,
}

impl AdminStore for Memory {
    fn insert_message(&mut self, written: &Written, at: Timestamp) -> Result<MessageId, StoreError> {
        self.ids += 1;
        let id = MessageId::from_store(self.ids);
        let message = Message {
            id,
            kind: written.kind(),
            name: written.name().map(str::to_owned),
            email: written.email().cloned(),
            body: written.body().to_owned(),
            created_at: at,
            done_at: None,
        };
        self.messages.insert(id, message);
        Ok(id)
    }

    fn messages_after(
        &mut self,
        filter: &Filter,
        after: Option<MessageId>,
        limit: Limit,
    ) -> Result<Vec<Message>, StoreError> {
        let wanted = self.messages.values().rev().filter(|message| filter.admits(message));
        Ok(wanted
            .filter(|message| after.is_none_or(|after| message.id < after))
            .take(limit.get() + 1)
            .cloned()
            .collect())
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

    fn count_messages_not_done(&mut self) -> Result<u64, StoreError> {
        Ok(self.messages.values().filter(|message| message.done_at.is_none()).count() as u64)
    }

    fn clear_sender_of_messages(&mut self, email: &Email) -> Result<u64, StoreError> {
        let mut cleared = 0;
        for message in self.messages.values_mut().filter(|message| message.email.as_ref() == Some(email)) {
            (message.name, message.email) = (None, None);
            cleared += 1;
        }
        Ok(cleared)
    }
}

#[cfg(test)]
mod tests {
    use super::Memory;
    use crate::contract;

    #[test]
    fn memory_keeps_the_contract() {
        contract::run(|case| case(&mut Memory::default()));
    }
}
