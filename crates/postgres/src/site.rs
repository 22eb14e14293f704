//! The site's frame, and the product's own analytics: content and counts without rules, so without a domain.

use chrono::{DateTime, Utc};
use diesel::{ExpressionMethods, OptionalExtension, QueryDsl, RunQueryDsl, delete, insert_into};
use kernel::{StoreError, Timestamp, UserId};
use serde_json::Value;

use crate::{
    Change, Pg,
    schema::{events, site_content},
    time::{from_db, to_db},
};

/// An analytics event: something that a person did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// Later events have greater ids.
    pub id: i64,
    pub name: String,
    pub at: Timestamp,
}

impl<A> Pg<'_, A> {
    /// A part of the site's frame, such as the `banner`; `None` if it was never saved.
    pub fn site_content(&mut self, name: &str) -> Result<Option<Value>, StoreError> {
        self.run(|conn| site_content::table.find(name).select(site_content::value).first(conn).optional())
    }

    /// All parts of the site's frame, ordered by name.
    pub fn site_contents(&mut self) -> Result<Vec<(String, Value)>, StoreError> {
        let mut found: Vec<(String, Value)> =
            self.run(|conn| site_content::table.select((site_content::name, site_content::value)).load(conn))?;
        found.sort_by(|(one, _), (other, _)| one.cmp(other));
        Ok(found)
    }

    /// A member's events with ids greater than `after`, oldest first.
    pub fn events_of(&mut self, user: UserId, after: i64, limit: i64) -> Result<Vec<Event>, StoreError> {
        let rows: Vec<(i64, String, DateTime<Utc>)> = self.run(|conn| {
            events::table
                .filter(events::user_id.eq(user.get()))
                .filter(events::id.gt(after))
                .order(events::id)
                .limit(limit)
                .select((events::id, events::name, events::at))
                .load(conn)
        })?;
        Ok(rows.into_iter().map(|(id, name, at)| Event { id, name, at: from_db(at) }).collect())
    }
}

impl Pg<'_> {
    /// Saves a part of the site's frame.
    pub fn save_site_content(&mut self, name: &str, value: &Value) -> Result<(), StoreError> {
        self.record_change(Change::Catalogue);
        self.run(|conn| {
            insert_into(site_content::table)
                .values((site_content::name.eq(name), site_content::value.eq(value)))
                .on_conflict(site_content::name)
                .do_update()
                .set(site_content::value.eq(value))
                .execute(conn)
                .map(|_| ())
        })
    }

    /// Deletes events that were recorded before a time; returns how many.
    pub fn delete_events_before(&mut self, before: Timestamp) -> Result<u64, StoreError> {
        let count = self.run(|conn| delete(events::table.filter(events::at.lt(to_db(before)))).execute(conn))?;
        Ok(count as u64)
    }

    /// Records an event of visitors at each of these times (`site.own-analytics`).
    pub fn record_visitor_events(&mut self, name: &str, times: &[Timestamp]) -> Result<(), StoreError> {
        let rows: Vec<_> = times.iter().map(|at| (events::name.eq(name), events::at.eq(to_db(*at)))).collect();
        self.run(|conn| insert_into(events::table).values(&rows).execute(conn).map(|_| ()))
    }

    /// Records an event (`site.own-analytics`). `user` is `None` for visitors.
    pub fn record_event(&mut self, name: &str, user: Option<UserId>, at: Timestamp) -> Result<(), StoreError> {
        self.run(|conn| {
            insert_into(events::table)
                .values((events::name.eq(name), events::user_id.eq(user.map(UserId::get)), events::at.eq(to_db(at))))
                .execute(conn)
                .map(|_| ())
        })
    }
}
