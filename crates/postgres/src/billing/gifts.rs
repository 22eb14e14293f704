//! Gifts in Postgres.

use ::billing::{Code, Gift, StoredCode};
use chrono::{DateTime, Utc};
use diesel::{
    ExpressionMethods, JoinOnDsl, NullableExpressionMethods, OptionalExtension, QueryDsl, Queryable, RunQueryDsl,
    Selectable, SelectableHelper, insert_into, update,
};
use kernel::{Email, StoreError, Timestamp, UserId};

use super::codes::Row as CodeRow;
use crate::{
    Pg,
    schema::{codes, gifts, payers},
    time::{from_db, to_db},
};

#[derive(Queryable, Selectable)]
#[diesel(table_name = gifts)]
struct Row {
    sender_name: String,
    recipient_name: String,
    recipient_email: Option<String>,
    message: String,
    deliver_at: DateTime<Utc>,
    delivered_at: Option<DateTime<Utc>>,
}

impl Row {
    fn into_gift(self) -> Result<Gift, StoreError> {
        Ok(Gift {
            sender_name: self.sender_name,
            recipient_name: self.recipient_name,
            recipient: self.recipient_email.map(|text| Email::parse(&text)).transpose().map_err(StoreError::new)?,
            message: self.message,
            deliver_at: from_db(self.deliver_at),
            delivered_at: self.delivered_at.map(from_db),
        })
    }
}

pub(super) fn find<A>(pg: &mut Pg<'_, A>, code: &Code) -> Result<Option<Gift>, StoreError> {
    let query = gifts::table
        .inner_join(codes::table.on(codes::id.eq(gifts::code_id)))
        .filter(codes::code.eq(code.as_str()))
        .select(Row::as_select());
    pg.run(|conn| query.first(conn).optional())?.map(Row::into_gift).transpose()
}

pub(super) fn given_by<A>(pg: &mut Pg<'_, A>, member: UserId) -> Result<Vec<(StoredCode, Gift)>, StoreError> {
    let theirs = payers::table.filter(payers::user_id.eq(member.get())).select(payers::id.nullable());
    let query = gifts::table
        .inner_join(codes::table.on(codes::id.eq(gifts::code_id)))
        .filter(codes::buyer.eq_any(theirs))
        .order(codes::id)
        .select((CodeRow::as_select(), Row::as_select()));
    let rows: Vec<(CodeRow, Row)> = pg.run(|conn| query.load(conn))?;
    rows.into_iter().map(|(code, gift)| Ok((code.into_code()?, gift.into_gift()?))).collect()
}

pub(super) fn save(pg: &mut Pg<'_>, code: &Code, gift: &Gift) -> Result<(), StoreError> {
    let values = (
        gifts::sender_name.eq(&gift.sender_name),
        gifts::recipient_name.eq(&gift.recipient_name),
        gifts::recipient_email.eq(gift.recipient.as_ref().map(Email::as_str)),
        gifts::message.eq(&gift.message),
        gifts::deliver_at.eq(to_db(gift.deliver_at)),
        gifts::delivered_at.eq(gift.delivered_at.map(to_db)),
    );
    pg.run(|conn| {
        let id: i64 = codes::table.filter(codes::code.eq(code.as_str())).select(codes::id).first(conn)?;
        insert_into(gifts::table)
            .values((gifts::code_id.eq(id), values))
            .on_conflict(gifts::code_id)
            .do_update()
            .set(values)
            .execute(conn)
            .map(|_| ())
    })
}

/// One statement: of two concurrent deliveries, the second waits for the first and finds the gift delivered.
pub(super) fn mark_delivered(pg: &mut Pg<'_>, code: &Code, now: Timestamp) -> Result<bool, StoreError> {
    let id = codes::table.filter(codes::code.eq(code.as_str())).select(codes::id);
    let waiting = gifts::table.filter(gifts::code_id.eq_any(id)).filter(gifts::delivered_at.is_null());
    Ok(pg.run(|conn| update(waiting).set(gifts::delivered_at.eq(to_db(now))).execute(conn))? > 0)
}

/// Erases a member from gifts: name and message of gifts they gave; the recipient of delivered gifts that they gave, redeemed
/// or received at `email`, their proved address. A gift that is yet to be delivered keeps its recipient: it is paid for.
pub(super) fn forget_member(pg: &mut Pg<'_>, member: UserId, email: Option<&Email>) -> Result<(), StoreError> {
    pg.run(|conn| {
        let theirs: Vec<Option<i64>> =
            payers::table.filter(payers::user_id.eq(member.get())).select(payers::id.nullable()).load(conn)?;
        let given: Vec<i64> = codes::table.filter(codes::buyer.eq_any(&theirs)).select(codes::id).load(conn)?;
        let got: Vec<i64> = codes::table.filter(codes::redeemed_by.eq_any(&theirs)).select(codes::id).load(conn)?;
        update(gifts::table.filter(gifts::code_id.eq_any(&given)))
            .set((gifts::sender_name.eq(""), gifts::message.eq("")))
            .execute(conn)?;
        let delivered = gifts::table.filter(gifts::delivered_at.is_not_null());
        let addressed: Vec<(i64, Option<String>)> = delivered
            .filter(gifts::recipient_email.is_not_null())
            .select((gifts::code_id, gifts::recipient_email))
            .load(conn)?;
        let is_theirs = |to: &Option<String>| {
            let to = to.as_deref().and_then(|to| Email::parse(to).ok());
            email.is_some_and(|email| to.is_some_and(|to| to.key() == email.key()))
        };
        let sent = addressed.into_iter().filter(|(_, to)| is_theirs(to)).map(|(id, _)| id);
        let ids: Vec<i64> = given.iter().copied().chain(got).chain(sent).collect();
        let nobody = (gifts::recipient_name.eq(""), gifts::recipient_email.eq(None::<&str>), gifts::message.eq(""));
        update(delivered.filter(gifts::code_id.eq_any(ids))).set(nobody).execute(conn).map(|_| ())
    })
}
