//! Payers, who are members or guests, and their customer ids at the payment providers, in Postgres.

use ::billing::{
    LockedPayer,
    gateway::{CardFingerprint, CustomerId, GatewayProvider},
};
use chrono::{DateTime, Utc};
use diesel::{
    BoolExpressionMethods, ExpressionMethods, OptionalExtension, QueryDsl, RunQueryDsl, delete, insert_into, update,
};
use kernel::{Email, Limit, PayerId, StoreError, Timestamp, UserId};

use crate::billing::count;
use crate::{
    Pg,
    schema::{pause_offers, payer_cards, payers, provider_customers, users},
    time::{from_db, to_db},
};

/// The payer that is the member, not one of a guest purchase that they claimed.
#[diesel::dsl::auto_type(no_type_alias)]
fn own_payer(member: i64) -> _ {
    payers::table.filter(payers::user_id.eq(member).and(payers::is_guest.eq(false))).select(payers::id)
}

pub(super) fn of_member(pg: &mut Pg<'_>, member: UserId, now: Timestamp) -> Result<PayerId, StoreError> {
    let find = |pg: &mut Pg<'_>| -> Result<Option<i64>, StoreError> {
        pg.run(|conn| own_payer(member.get()).first(conn).optional())
    };
    if let Some(found) = find(pg)? {
        return Ok(PayerId::from_store(found));
    }
    // Of two concurrent inserts, the second is not written.
    let row = (payers::user_id.eq(member.get()), payers::is_guest.eq(false), payers::created_at.eq(to_db(now)));
    pg.run(|conn| insert_into(payers::table).values(row).on_conflict_do_nothing().execute(conn))?;
    find(pg)?.map(PayerId::from_store).ok_or_else(|| StoreError::new("a payer that was made is not there"))
}

pub(super) fn insert_guest(pg: &mut Pg<'_>, email: &Email, now: Timestamp) -> Result<PayerId, StoreError> {
    let row = (
        payers::is_guest.eq(true),
        payers::email.eq(email.as_str()),
        payers::email_key.eq(email.key()),
        payers::created_at.eq(to_db(now)),
    );
    pg.run(|conn| insert_into(payers::table).values(row).returning(payers::id).get_result(conn))
        .map(PayerId::from_store)
}

pub(super) fn member_of<A>(pg: &mut Pg<'_, A>, payer: PayerId) -> Result<Option<UserId>, StoreError> {
    let found: Option<Option<i64>> =
        pg.run(|conn| payers::table.find(payer.get()).select(payers::user_id).first(conn).optional())?;
    Ok(found.flatten().map(UserId::from_store))
}

pub(super) fn guest_email<A>(pg: &mut Pg<'_, A>, payer: PayerId) -> Result<Option<Email>, StoreError> {
    let found: Option<Option<String>> =
        pg.run(|conn| payers::table.find(payer.get()).select(payers::email).first(conn).optional())?;
    found.flatten().map(|text| Email::parse(&text).map_err(StoreError::new)).transpose()
}

/// Locks the payer first and then the member; every caller must use this order, to avoid deadlocks.
pub(super) fn lock(pg: &mut Pg<'_>, payer: PayerId) -> Result<Option<LockedPayer>, StoreError> {
    let found: Option<Option<i64>> = pg.run(|conn| {
        payers::table.find(payer.get()).select(payers::user_id).for_no_key_update().first(conn).optional()
    })?;
    let Some(member) = found else { return Ok(None) };
    if let Some(member) = member {
        // A lock that leaves the key alone: rows that refer to the member can be inserted meanwhile.
        let _: Option<i64> =
            pg.run(|conn| users::table.find(member).select(users::id).for_no_key_update().first(conn).optional())?;
    }
    Ok(Some(LockedPayer { member: member.map(UserId::from_store) }))
}

pub(super) fn assign_guest(pg: &mut Pg<'_>, payer: PayerId, member: UserId) -> Result<(), StoreError> {
    let free = payers::table.find(payer.get()).filter(payers::is_guest.eq(true).and(payers::user_id.is_null()));
    pg.run(|conn| update(free).set(payers::user_id.eq(member.get())).execute(conn).map(|_| ()))
}

pub(super) fn after<A>(pg: &mut Pg<'_, A>, after: Option<PayerId>, limit: Limit) -> Result<Vec<PayerId>, StoreError> {
    let query = payers::table
        .filter(payers::id.gt(after.map_or(0, PayerId::get)))
        .order(payers::id)
        .limit(count(limit.get())?)
        .select(payers::id);
    let ids: Vec<i64> = pg.run(|conn| query.load(conn))?;
    Ok(ids.into_iter().map(PayerId::from_store).collect())
}

pub(super) fn pause_offered_at<A>(pg: &mut Pg<'_, A>, member: UserId) -> Result<Option<Timestamp>, StoreError> {
    let found: Option<DateTime<Utc>> =
        pg.run(|conn| pause_offers::table.find(member.get()).select(pause_offers::offered_at).first(conn).optional())?;
    Ok(found.map(from_db))
}

pub(super) fn note_pause_offer(pg: &mut Pg<'_>, member: UserId, now: Timestamp) -> Result<(), StoreError> {
    let row = (pause_offers::user_id.eq(member.get()), pause_offers::offered_at.eq(to_db(now)));
    pg.run(|conn| {
        insert_into(pause_offers::table)
            .values(row)
            .on_conflict(pause_offers::user_id)
            .do_update()
            .set(pause_offers::offered_at.eq(to_db(now)))
            .execute(conn)
            .map(|_| ())
    })
}

pub(super) fn customer_of<A>(
    pg: &mut Pg<'_, A>,
    payer: PayerId,
    provider: GatewayProvider,
) -> Result<Option<CustomerId>, StoreError> {
    let found: Option<String> = pg.run(|conn| {
        provider_customers::table
            .find((payer.get(), provider.as_str()))
            .select(provider_customers::customer)
            .first(conn)
            .optional()
    })?;
    Ok(found.map(CustomerId::new))
}

pub(super) fn save_customer(
    pg: &mut Pg<'_>,
    payer: PayerId,
    provider: GatewayProvider,
    customer: &CustomerId,
) -> Result<(), StoreError> {
    let customer = provider_customers::customer.eq(customer.as_str());
    pg.run(|conn| {
        insert_into(provider_customers::table)
            .values((
                provider_customers::payer_id.eq(payer.get()),
                provider_customers::provider.eq(provider.as_str()),
                customer,
            ))
            .on_conflict((provider_customers::payer_id, provider_customers::provider))
            .do_update()
            .set(customer)
            .execute(conn)
            .map(|_| ())
    })
}

pub(super) fn cards_of<A>(pg: &mut Pg<'_, A>, member: UserId) -> Result<Vec<CardFingerprint>, StoreError> {
    let query = payer_cards::table
        .inner_join(payers::table)
        .filter(payers::user_id.eq(member.get()))
        .order(payer_cards::card)
        .select(payer_cards::card)
        .distinct();
    let cards: Vec<String> = pg.run(|conn| query.load(conn))?;
    Ok(cards.into_iter().map(CardFingerprint::new).collect())
}

pub(super) fn cards_of_payer<A>(pg: &mut Pg<'_, A>, payer: PayerId) -> Result<Vec<CardFingerprint>, StoreError> {
    let query = payer_cards::table.filter(payer_cards::payer_id.eq(payer.get())).select(payer_cards::card);
    let cards: Vec<String> = pg.run(|conn| query.order(payer_cards::card).load(conn))?;
    Ok(cards.into_iter().map(CardFingerprint::new).collect())
}

pub(super) fn note_card(pg: &mut Pg<'_>, payer: PayerId, card: &CardFingerprint) -> Result<(), StoreError> {
    let row = (payer_cards::payer_id.eq(payer.get()), payer_cards::card.eq(card.as_str()));
    pg.run(|conn| insert_into(payer_cards::table).values(row).on_conflict_do_nothing().execute(conn).map(|_| ()))
}

/// Detaches a member from their payers, and erases their address from guests' payers.
pub(super) fn forget_member(pg: &mut Pg<'_>, member: UserId, email: Option<&Email>) -> Result<(), StoreError> {
    let no_email = (payers::email.eq(None::<&str>), payers::email_key.eq(None::<&str>));
    pg.run(|conn| {
        let theirs: Vec<i64> = payers::table.filter(payers::user_id.eq(member.get())).select(payers::id).load(conn)?;
        delete(provider_customers::table.filter(provider_customers::payer_id.eq_any(&theirs))).execute(conn)?;
        delete(payer_cards::table.filter(payer_cards::payer_id.eq_any(&theirs))).execute(conn)?;
        update(payers::table.filter(payers::user_id.eq(member.get())))
            .set((payers::user_id.eq(None::<i64>), no_email))
            .execute(conn)?;
        if let Some(email) = email {
            update(payers::table.filter(payers::email_key.eq(email.key()))).set(no_email).execute(conn)?;
        }
        Ok(())
    })
}
