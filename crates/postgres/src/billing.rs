//! What can be bought and what members have of it, in Postgres.

use billing::{BillingCommands, BillingQueries, Entitlement, Plan, PlanKind};
use chrono::{DateTime, Utc};
use diesel::{BoolExpressionMethods, ExpressionMethods, QueryDsl, RunQueryDsl, delete, insert_into};
use kernel::{Money, StoreError, Timestamp, UserId};

use crate::{
    Change, Pg,
    schema::{entitlements, plans},
    time::{from_db, to_db},
};

/// An entitlement as a row has it.
pub(crate) type EntitlementRow = (String, String, DateTime<Utc>, Option<DateTime<Utc>>);

const ENTITLEMENT: (entitlements::plan_id, entitlements::plan_name, entitlements::starts_at, entitlements::ends_at) =
    (entitlements::plan_id, entitlements::plan_name, entitlements::starts_at, entitlements::ends_at);

impl BillingQueries for Pg<'_> {
    fn plans(&mut self) -> Result<Vec<Plan>, StoreError> {
        let rows: Vec<(String, String, String, i64)> = self.run(|conn| {
            plans::table
                .order((plans::place, plans::id))
                .select((plans::id, plans::name, plans::kind, plans::price_cents))
                .load(conn)
        })?;
        rows.into_iter()
            .map(|(id, name, kind, cents)| {
                let kind: PlanKind = kind.parse().map_err(StoreError::new)?;
                Ok(Plan { id, name, kind, price: Money::from_cents(cents) })
            })
            .collect()
    }

    fn entitlements_of(&mut self, member: UserId, now: Timestamp) -> Result<Vec<Entitlement>, StoreError> {
        let is_not_over = entitlements::ends_at.is_null().or(entitlements::ends_at.gt(to_db(now)));
        let query = entitlements::table
            .filter(entitlements::user_id.eq(member.get()).and(is_not_over))
            .order(entitlements::id)
            .select(ENTITLEMENT);
        let rows: Vec<EntitlementRow> = self.run(|conn| query.load(conn))?;
        Ok(rows.into_iter().map(entitlement_from).collect())
    }

    fn entitlement_history_of(&mut self, member: UserId) -> Result<Vec<Entitlement>, StoreError> {
        let query = entitlements::table
            .filter(entitlements::user_id.eq(member.get()))
            .order((entitlements::starts_at.desc(), entitlements::id.desc()))
            .select(ENTITLEMENT);
        let rows: Vec<EntitlementRow> = self.run(|conn| query.load(conn))?;
        Ok(rows.into_iter().map(entitlement_from).collect())
    }
}

impl BillingCommands for Pg<'_> {
    fn grant_entitlement(&mut self, member: UserId, entitlement: &Entitlement) -> Result<(), StoreError> {
        self.record_change(Change::User(member));
        self.run(|conn| {
            insert_into(entitlements::table)
                .values((
                    entitlements::user_id.eq(member.get()),
                    entitlements::plan_id.eq(&entitlement.plan_id),
                    entitlements::plan_name.eq(&entitlement.plan_name),
                    entitlements::starts_at.eq(to_db(entitlement.starts_at)),
                    entitlements::ends_at.eq(entitlement.ends_at.map(to_db)),
                ))
                .execute(conn)
        })?;
        Ok(())
    }

    fn delete_billing_records(&mut self, member: UserId) -> Result<(), StoreError> {
        self.record_change(Change::User(member));
        self.run(|conn| delete(entitlements::table.filter(entitlements::user_id.eq(member.get()))).execute(conn))?;
        Ok(())
    }
}

/// An entitlement out of its row.
pub(crate) fn entitlement_from((plan_id, plan_name, start, end): EntitlementRow) -> Entitlement {
    Entitlement { plan_id, plan_name, starts_at: from_db(start), ends_at: end.map(from_db) }
}
