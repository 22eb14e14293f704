//! What can be bought, in Postgres.

use billing::{BillingStore, Plan, PlanKind};
use diesel::{QueryDsl, RunQueryDsl};
use kernel::{Money, StoreError};

use crate::{Pg, schema::plans};

impl BillingStore for Pg<'_> {
    fn list_plans(&mut self) -> Result<Vec<Plan>, StoreError> {
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
}
