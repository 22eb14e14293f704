//! The back office in Postgres.

use admin::{AdminStore, Filter, Kind, Message, Written};
use chrono::{DateTime, Utc};
use diesel::{
    ExpressionMethods, OptionalExtension, QueryDsl, Queryable, RunQueryDsl, Selectable, SelectableHelper, insert_into,
    update,
};
use kernel::{Email, Limit, MessageId, StoreError, Timestamp};

use crate::{
    Pg,
    schema::messages,
    time::{from_db, to_db},
};

#[derive(Queryable, Selectable)]
#[diesel(table_name = messages)]
struct MessageRow {
    id: i64,
    kind: String,
    name: Option<String>,
    email: Option<String>,
    body: String,
    created_at: DateTime<Utc>,
    done_at: Option<DateTime<Utc>>,
}

impl MessageRow {
    fn into_message(self) -> Result<Message, StoreError> {
        Ok(Message {
            id: MessageId::from_store(self.id),
            kind: self.kind.parse::<Kind>().map_err(StoreError::new)?,
            name: self.name,
            email: self.email.as_deref().map(Email::parse).transpose().map_err(StoreError::new)?,
            body: self.body,
            created_at: from_db(self.created_at),
            done_at: self.done_at.map(from_db),
        })
    }
}

impl AdminStore for Pg<'_> {
    fn insert_message(&mut self, written: &Written, at: Timestamp) -> Result<MessageId, StoreError> {
        let row = (
            messages::kind.eq(written.kind().as_str()),
            messages::name.eq(written.name()),
            messages::email.eq(written.email().map(Email::as_str)),
            messages::email_key.eq(written.email().map(Email::key)),
            messages::body.eq(written.body()),
            messages::created_at.eq(to_db(at)),
        );
        self.run(|conn| insert_into(messages::table).values(row).returning(messages::id).get_result(conn))
            .map(MessageId::from_store)
    }

    fn messages_after(
        &mut self,
        filter: &Filter,
        after: Option<MessageId>,
        limit: Limit,
    ) -> Result<Vec<Message>, StoreError> {
        let mut query = messages::table
            .select(MessageRow::as_select())
            .order(messages::id.desc())
            .limit(limit.with_surplus())
            .into_boxed();
        if let Some(kind) = filter.kind {
            query = query.filter(messages::kind.eq(kind.as_str()));
        }
        match filter.done {
            Some(true) => query = query.filter(messages::done_at.is_not_null()),
            Some(false) => query = query.filter(messages::done_at.is_null()),
            None => {}
        }
        if let Some(after) = after {
            query = query.filter(messages::id.lt(after.get()));
        }
        let rows = self.run(|conn| query.load(conn))?;
        rows.into_iter().map(MessageRow::into_message).collect()
    }

    fn update_message_done(
        &mut self,
        message: MessageId,
        done_at: Option<Timestamp>,
    ) -> Result<Option<Message>, StoreError> {
        // Locked, so that of two who mark it at the same moment the first one's moment stays.
        let found: Option<MessageRow> = self.run(|conn| {
            messages::table.find(message.get()).select(MessageRow::as_select()).for_update().first(conn).optional()
        })?;
        let Some(found) = found else { return Ok(None) };
        let mut found = found.into_message()?;
        let done_at = done_at.map(|at| found.done_at.unwrap_or(at));
        if found.done_at != done_at {
            self.run(|conn| {
                update(messages::table.find(message.get())).set(messages::done_at.eq(done_at.map(to_db))).execute(conn)
            })?;
            found.done_at = done_at;
        }
        Ok(Some(found))
    }

    fn count_messages_not_done(&mut self) -> Result<u64, StoreError> {
        let count: i64 =
            self.run(|conn| messages::table.filter(messages::done_at.is_null()).count().get_result(conn))?;
        Ok(count.unsigned_abs())
    }

    fn clear_sender_of_messages(&mut self, email: &Email) -> Result<u64, StoreError> {
        let nobody = (
            messages::name.eq(None::<String>),
            messages::email.eq(None::<String>),
            messages::email_key.eq(None::<String>),
        );
        let cleared = self.run(|conn| {
            update(messages::table.filter(messages::email_key.eq(email.key()))).set(nobody).execute(conn)
        })?;
        Ok(cleared as u64)
    }
}
