//! Jobs in Postgres.

use ::jobs::{JobStore, NewJob};
use diesel::{ExpressionMethods, RunQueryDsl, insert_into};
use kernel::StoreError;

use crate::{Pg, schema::jobs, time::to_db};

impl JobStore for Pg<'_> {
    fn insert_job(&mut self, job: NewJob<'_>) -> Result<(), StoreError> {
        let row = (
            jobs::kind.eq(job.kind),
            jobs::payload.eq(job.payload),
            jobs::recipient.eq(job.recipient),
            jobs::created_at.eq(to_db(job.created_at)),
            jobs::due_at.eq(to_db(job.due_at)),
        );
        self.run(|conn| insert_into(jobs::table).values(row).execute(conn).map(|_| ()))
    }
}
