//! E-reader addresses and deliveries, in Postgres.

use chrono::{DateTime, Utc};
use delivery::{
    BookDocument, Delivery, DeliveryItem, DeliveryState, DocumentId, EReaderCommands, EReaderQueries, EReaderStore,
    SYNCED_DOCUMENTS, SyncCommands, SyncQueries, SyncedPlace,
};
use diesel::{
    Connection, ExpressionMethods, OptionalExtension, PgExpressionMethods, QueryDsl, RunQueryDsl, insert_into,
    result::{DatabaseErrorKind, Error::DatabaseError},
    sql_query,
    sql_types::BigInt,
    update,
};
use kernel::{BookId, DeliveryId, Email, JobId, Limit, StoreError, SummaryId, Timestamp, UserId};

use crate::{
    Pg,
    schema::{book_documents, deliveries, kindle_addresses, synced_places},
    time::{from_db, to_db},
};

/// The row of a delivery.
type Row = (i64, Option<i64>, Option<i64>, Option<i64>, String, Option<String>, DateTime<Utc>, Option<DateTime<Utc>>);

const COLUMNS: (
    deliveries::id,
    deliveries::book_id,
    deliveries::summary_id,
    deliveries::job_id,
    deliveries::state,
    deliveries::why,
    deliveries::asked_at,
    deliveries::ended_at,
) = (
    deliveries::id,
    deliveries::book_id,
    deliveries::summary_id,
    deliveries::job_id,
    deliveries::state,
    deliveries::why,
    deliveries::asked_at,
    deliveries::ended_at,
);

fn delivery((id, book, summary, job, state, why, asked_at, ended_at): Row) -> Result<Delivery, StoreError> {
    let item = match (book, summary) {
        (Some(book), None) => DeliveryItem::Book(BookId::from_store(book)),
        (None, Some(summary)) => DeliveryItem::Summary(SummaryId::from_store(summary)),
        _ => return Err(StoreError::new(format!("delivery {id} is of a book or of a summary"))),
    };
    Ok(Delivery {
        id: DeliveryId::from_store(id),
        item,
        job: job.map(JobId::from_store),
        state: state.parse().map_err(StoreError::new)?,
        why,
        asked_at: from_db(asked_at),
        ended_at: ended_at.map(from_db),
    })
}

impl<A> EReaderQueries for Pg<'_, A> {
    fn find_kindle_address(&mut self, member: UserId) -> Result<Option<Email>, StoreError> {
        let found: Option<String> = self.run(|conn| {
            kindle_addresses::table.find(member.get()).select(kindle_addresses::email).first(conn).optional()
        })?;
        found.map(|text| Email::parse(&text).map_err(StoreError::new)).transpose()
    }

    fn deliveries_of(
        &mut self,
        member: UserId,
        after: Option<DeliveryId>,
        limit: Limit,
    ) -> Result<Vec<Delivery>, StoreError> {
        let after = after.map_or(i64::MAX, DeliveryId::get);
        let rows: Vec<Row> = self.run(|conn| {
            deliveries::table
                .filter(deliveries::user_id.eq(member.get()))
                .filter(deliveries::id.lt(after))
                .order(deliveries::id.desc())
                .limit(limit.with_surplus())
                .select(COLUMNS)
                .load(conn)
        })?;
        rows.into_iter().map(delivery).collect()
    }
}

/// The columns of a synchronized position.
type PlaceColumns = (String, String, f64, String, String, DateTime<Utc>);

const PLACE_COLUMNS: (
    synced_places::document,
    synced_places::progress,
    synced_places::percentage,
    synced_places::device,
    synced_places::device_id,
    synced_places::at,
) = (
    synced_places::document,
    synced_places::progress,
    synced_places::percentage,
    synced_places::device,
    synced_places::device_id,
    synced_places::at,
);

fn place_from((document, progress, percentage, device, device_id, at): PlaceColumns) -> SyncedPlace {
    let document = DocumentId::from_store(document);
    SyncedPlace { document, progress, percentage, device, device_id, at: from_db(at) }
}

impl<A> SyncQueries for Pg<'_, A> {
    fn book_document(&mut self, document: &DocumentId) -> Result<Option<BookDocument>, StoreError> {
        let query = book_documents::table.find(document.as_str());
        let found: Option<(i64, i32)> = self
            .run(|conn| query.select((book_documents::book_id, book_documents::first_page)).first(conn).optional())?;
        Ok(found.map(|(book, page)| BookDocument { book: BookId::from_store(book), first_page: page.unsigned_abs() }))
    }

    fn synced_place(&mut self, member: UserId, document: &DocumentId) -> Result<Option<SyncedPlace>, StoreError> {
        let query = synced_places::table.find((member.get(), document.as_str())).select(PLACE_COLUMNS);
        Ok(self.run(|conn| query.first(conn).optional())?.map(place_from))
    }

    fn synced_places(&mut self, member: UserId) -> Result<Vec<SyncedPlace>, StoreError> {
        let query = synced_places::table
            .filter(synced_places::user_id.eq(member.get()))
            .order((synced_places::at.desc(), synced_places::document))
            .select(PLACE_COLUMNS);
        Ok(self.run(|conn| query.load(conn))?.into_iter().map(place_from).collect())
    }
}

impl SyncCommands for Pg<'_> {
    fn put_book_document(&mut self, document: &DocumentId, of: BookDocument) -> Result<(), StoreError> {
        self.run(|conn| {
            insert_into(book_documents::table)
                .values((
                    book_documents::document.eq(document.as_str()),
                    book_documents::book_id.eq(of.book.get()),
                    book_documents::first_page.eq(i32::try_from(of.first_page).unwrap_or(i32::MAX)),
                ))
                .on_conflict_do_nothing()
                .execute(conn)
                .map(|_| ())
        })
    }

    fn put_synced_place(&mut self, member: UserId, place: &SyncedPlace) -> Result<(), StoreError> {
        let now = (
            synced_places::progress.eq(&place.progress),
            synced_places::percentage.eq(place.percentage),
            synced_places::device.eq(&place.device),
            synced_places::device_id.eq(&place.device_id),
            synced_places::at.eq(to_db(place.at)),
        );
        let remove = sql_query(
            "DELETE FROM synced_places WHERE user_id = $1 AND document IN (
                SELECT document FROM synced_places WHERE user_id = $1 ORDER BY at DESC, document OFFSET $2)",
        );
        self.run(|conn| {
            insert_into(synced_places::table)
                .values((
                    synced_places::user_id.eq(member.get()),
                    synced_places::document.eq(place.document.as_str()),
                    now,
                ))
                .on_conflict((synced_places::user_id, synced_places::document))
                .do_update()
                .set(now)
                .execute(conn)?;
            remove.bind::<BigInt, _>(member.get()).bind::<BigInt, _>(SYNCED_DOCUMENTS).execute(conn).map(|_| ())
        })
    }
}

impl EReaderCommands for Pg<'_> {
    fn assign_delivery_job(&mut self, id: DeliveryId, job: JobId) -> Result<(), StoreError> {
        self.run(|conn| {
            update(deliveries::table.find(id.get())).set(deliveries::job_id.eq(job.get())).execute(conn).map(|_| ())
        })
    }
}

impl EReaderStore for Pg<'_> {
    fn put_kindle_address(&mut self, member: UserId, address: &Email, now: Timestamp) -> Result<(), StoreError> {
        let set = (kindle_addresses::email.eq(address.as_str()), kindle_addresses::set_at.eq(to_db(now)));
        self.run(|conn| {
            insert_into(kindle_addresses::table)
                .values((kindle_addresses::user_id.eq(member.get()), set))
                .on_conflict(kindle_addresses::user_id)
                .do_update()
                .set(set)
                .execute(conn)
                .map(|_| ())
        })
    }

    fn insert_delivery(
        &mut self,
        member: UserId,
        item: DeliveryItem,
        now: Timestamp,
    ) -> Result<Option<DeliveryId>, StoreError> {
        let row = (
            deliveries::user_id.eq(member.get()),
            deliveries::book_id.eq(item.book().map(BookId::get)),
            deliveries::summary_id.eq(item.summary().map(SummaryId::get)),
            deliveries::state.eq(DeliveryState::Queued.as_str()),
            deliveries::asked_at.eq(to_db(now)),
        );
        let id: Option<i64> = self.run(|conn| {
            insert_into(deliveries::table)
                .values(row)
                .on_conflict_do_nothing()
                .returning(deliveries::id)
                .get_result(conn)
                .optional()
        })?;
        Ok(id.map(DeliveryId::from_store))
    }

    fn find_queued_delivery(&mut self, member: UserId, item: DeliveryItem) -> Result<Option<Delivery>, StoreError> {
        let found: Option<Row> = self.run(|conn| {
            deliveries::table
                .filter(deliveries::user_id.eq(member.get()))
                .filter(deliveries::book_id.is_not_distinct_from(item.book().map(BookId::get)))
                .filter(deliveries::summary_id.is_not_distinct_from(item.summary().map(SummaryId::get)))
                .filter(deliveries::state.eq(DeliveryState::Queued.as_str()))
                .select(COLUMNS)
                .first(conn)
                .optional()
        })?;
        found.map(delivery).transpose()
    }

    fn lock_delivery(&mut self, member: Option<UserId>, id: DeliveryId) -> Result<Option<Delivery>, StoreError> {
        let found: Option<(i64, Row)> = self.run(|conn| {
            deliveries::table
                .find(id.get())
                .select((deliveries::user_id, COLUMNS))
                .for_no_key_update()
                .first(conn)
                .optional()
        })?;
        let theirs = found.filter(|(owner, _)| member.is_none_or(|member| member.get() == *owner));
        theirs.map(|(_, row)| delivery(row)).transpose()
    }

    fn update_delivery(&mut self, delivery: &Delivery) -> Result<bool, StoreError> {
        let row = (
            deliveries::job_id.eq(delivery.job.map(JobId::get)),
            deliveries::state.eq(delivery.state.as_str()),
            deliveries::why.eq(delivery.why.as_deref()),
            deliveries::asked_at.eq(to_db(delivery.asked_at)),
            deliveries::ended_at.eq(delivery.ended_at.map(to_db)),
        );
        // A savepoint: a violation of the unique index leaves the outer transaction usable.
        self.run(|conn| {
            let written =
                conn.transaction(|conn| update(deliveries::table.find(delivery.id.get())).set(row).execute(conn));
            match written {
                Ok(_) => Ok(true),
                Err(DatabaseError(DatabaseErrorKind::UniqueViolation, _)) => Ok(false),
                Err(error) => Err(error),
            }
        })
    }
}
