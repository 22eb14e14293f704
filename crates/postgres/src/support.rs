//! The support inbox, in Postgres.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use diesel::{
    ExpressionMethods, OptionalExtension, QueryDsl, Queryable, RunQueryDsl, Selectable, SelectableHelper, delete,
    dsl::count_star,
    insert_into,
    sql_types::{BigInt, Nullable, Text, Timestamptz},
    update,
};
use kernel::{Email, Limit, MessageId, Page, StoreError, Timestamp, UserId};
use support::{
    Message, MessageAnswer, MessageFilter, MessageKind, NewMessage, SupportCommands, SupportQueries, SupportStore,
};

use crate::{
    Pg,
    built_statement::{BuiltStatement, Value, containing},
    schema::{message_answers, messages},
    time::{from_db, to_db},
};

type MessageTypes = (BigInt, Text, Nullable<Text>, Nullable<Text>, Text, Timestamptz, Nullable<Timestamptz>);

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
            kind: self.kind.parse::<MessageKind>().map_err(StoreError::new)?,
            name: self.name,
            email: self.email.as_deref().map(Email::parse).transpose().map_err(StoreError::new)?,
            body: self.body,
            created_at: from_db(self.created_at),
            done_at: self.done_at.map(from_db),
        })
    }
}

type AnswerRow = (String, Option<i64>, DateTime<Utc>);

const ANSWER: (message_answers::body, message_answers::answered_by, message_answers::answered_at) =
    (message_answers::body, message_answers::answered_by, message_answers::answered_at);

fn answer_from((text, by, at): AnswerRow) -> MessageAnswer {
    MessageAnswer { text, by: by.map(UserId::from_store), at: from_db(at) }
}

/// The kinds that are questions, or those that are not.
fn kinds(questions: bool) -> impl Iterator<Item = &'static str> {
    MessageKind::ALL.into_iter().filter(move |kind| kind.is_question() == questions).map(MessageKind::as_str)
}

impl<A> SupportQueries for Pg<'_, A> {
    fn inbox(
        &mut self,
        filter: &MessageFilter,
        after: Option<MessageId>,
        limit: Limit,
    ) -> Result<Page<Message, MessageId>, StoreError> {
        let mut select: BuiltStatement<MessageTypes> =
            BuiltStatement::new("SELECT id, kind, name, email, body, created_at, done_at FROM messages WHERE true");
        if let Some(kind) = filter.kind {
            select.sql(" AND kind = ").value(Value::Text(kind.as_str().to_owned()));
        }
        if let Some(questions) = filter.questions {
            let kinds = kinds(questions).map(str::to_owned).collect();
            select.sql(" AND kind = ANY(").value(Value::Texts(kinds)).sql(")");
        }
        match filter.done {
            Some(true) => select.sql(" AND done_at IS NOT NULL"),
            Some(false) => select.sql(" AND done_at IS NULL"),
            None => &mut select,
        };
        if let Some(text) = &filter.text {
            // How many messages have it decides between its index and the order of the list.
            select.plan_each_time();
            select.sql(" AND lower(coalesce(name, '') || E'\\n' || coalesce(email, '') || E'\\n' || body) LIKE lower(");
            select.value(containing(text)).sql(")");
        }
        if let Some(after) = after {
            select.sql(" AND id < ").value(Value::Int(after.get()));
        }
        select.sql(" ORDER BY id DESC").limit(limit.with_surplus());
        let rows: Vec<MessageRow> = self.run(|conn| select.load(conn))?;
        let found = rows.into_iter().map(MessageRow::into_message).collect::<Result<_, _>>()?;
        Ok(Page::from_surplus(found, limit, |message| message.id))
    }

    fn message(&mut self, message: MessageId) -> Result<Option<Message>, StoreError> {
        let row: Option<MessageRow> = self
            .run(|conn| messages::table.find(message.get()).select(MessageRow::as_select()).first(conn).optional())?;
        row.map(MessageRow::into_message).transpose()
    }

    fn answers_to_message(&mut self, message: MessageId) -> Result<Vec<MessageAnswer>, StoreError> {
        let rows: Vec<AnswerRow> = self.run(|conn| {
            message_answers::table
                .filter(message_answers::message_id.eq(message.get()))
                .order(message_answers::id)
                .select(ANSWER)
                .load(conn)
        })?;
        Ok(rows.into_iter().map(answer_from).collect())
    }

    fn count_message_texts(
        &mut self,
        kind: MessageKind,
        from: Timestamp,
        until: Timestamp,
    ) -> Result<Vec<(String, u64)>, StoreError> {
        let rows: Vec<(String, i64)> = self.run(|conn| {
            messages::table
                .filter(messages::kind.eq(kind.as_str()))
                .filter(messages::created_at.ge(to_db(from)))
                .filter(messages::created_at.lt(to_db(until)))
                .group_by(messages::body)
                .select((messages::body, count_star()))
                .load(conn)
        })?;
        Ok(rows.into_iter().map(|(text, count)| (text, count.unsigned_abs())).collect())
    }

    fn count_unread_messages(&mut self) -> Result<u64, StoreError> {
        let open =
            || messages::table.filter(messages::done_at.is_null()).filter(messages::kind.eq_any(kinds(true))).count();
        let count: i64 = self.run(|conn| open().get_result(conn))?;
        Ok(count.unsigned_abs())
    }

    fn last_answers(&mut self, messages: &[MessageId]) -> Result<BTreeMap<MessageId, MessageAnswer>, StoreError> {
        let ids: Vec<i64> = messages.iter().map(|id| id.get()).collect();
        let rows: Vec<(i64, AnswerRow)> = self.run(|conn| {
            message_answers::table
                .filter(message_answers::message_id.eq_any(&ids))
                .distinct_on(message_answers::message_id)
                .order((message_answers::message_id, message_answers::id.desc()))
                .select((message_answers::message_id, ANSWER))
                .load(conn)
        })?;
        Ok(rows.into_iter().map(|(id, row)| (MessageId::from_store(id), answer_from(row))).collect())
    }
}

impl SupportCommands for Pg<'_> {
    fn insert_message(&mut self, message: &NewMessage, now: Timestamp) -> Result<MessageId, StoreError> {
        let row = (
            messages::kind.eq(message.kind().as_str()),
            messages::name.eq(message.name()),
            messages::email.eq(message.email().map(Email::as_str)),
            messages::email_key.eq(message.email().map(Email::key)),
            messages::body.eq(message.body()),
            messages::created_at.eq(to_db(now)),
        );
        self.run(|conn| insert_into(messages::table).values(row).returning(messages::id).get_result(conn))
            .map(MessageId::from_store)
    }

    fn anonymise_messages_of(&mut self, sender: &Email) -> Result<u64, StoreError> {
        let anonymous = (
            messages::name.eq(None::<String>),
            messages::email.eq(None::<String>),
            messages::email_key.eq(None::<String>),
        );
        let theirs = messages::table.filter(messages::email_key.eq(sender.key()));
        let answered = message_answers::message_id.eq_any(theirs.select(messages::id));
        let count = self.run(|conn| {
            delete(message_answers::table.filter(answered)).execute(conn)?;
            update(theirs).set(anonymous).execute(conn)
        })?;
        Ok(count as u64)
    }
}

impl SupportStore for Pg<'_> {
    fn delete_messages_before(&mut self, before: Timestamp) -> Result<u64, StoreError> {
        let count =
            self.run(|conn| delete(messages::table.filter(messages::created_at.lt(to_db(before)))).execute(conn))?;
        Ok(count as u64)
    }

    fn insert_message_answer(&mut self, message: MessageId, answer: &MessageAnswer) -> Result<(), StoreError> {
        let row = (
            message_answers::message_id.eq(message.get()),
            message_answers::body.eq(&answer.text),
            message_answers::answered_by.eq(answer.by.map(UserId::get)),
            message_answers::answered_at.eq(to_db(answer.at)),
        );
        self.run(|conn| insert_into(message_answers::table).values(row).execute(conn)).map(|_| ())
    }

    fn update_message_done(
        &mut self,
        message: MessageId,
        done_at: Option<Timestamp>,
    ) -> Result<Option<Message>, StoreError> {
        // Locked, so that the earlier of two concurrent marks stays.
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
}
