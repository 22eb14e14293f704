//! Commitments, in Postgres.

use chrono::{DateTime, NaiveDate, Utc};
use diesel::{
    BoolExpressionMethods, ExpressionMethods, Insertable, OptionalExtension, QueryDsl, Queryable, RunQueryDsl,
    Selectable, SelectableHelper, insert_into, update,
};
use kernel::{BookId, CommitmentId, Limit, StoreError, UserId};
use study::{
    Asking, Commitment, CommitmentQueries, CommitmentState, CommitmentStore, CommitmentText, Outcome, Register,
    StoredCommitment,
};

use crate::{
    Pg,
    schema::{commitments, study_members},
    time::{day_from_db, day_to_db, from_db, to_db},
};

/// The row of a commitment.
#[derive(Queryable, Selectable, Insertable, diesel::AsChangeset)]
#[diesel(table_name = commitments)]
#[diesel(treat_none_as_null = true)]
struct Row {
    user_id: i64,
    id: i64,
    book_id: Option<i64>,
    book_title: String,
    book_author: String,
    text: String,
    text_at: DateTime<Utc>,
    outcome: String,
    outcome_at: DateTime<Utc>,
    answered_day: Option<i16>,
    created_at: DateTime<Utc>,
    edited_at: DateTime<Utc>,
    deleted_at: Option<DateTime<Utc>>,
    first_day: NaiveDate,
    version: i64,
}

impl Row {
    fn new(member: UserId, stored: &StoredCommitment) -> Self {
        let Commitment { id, book, book_title, book_author, state } = &stored.commitment;
        Self {
            user_id: member.get(),
            id: id.get(),
            book_id: book.map(BookId::get),
            book_title: book_title.clone(),
            book_author: book_author.clone(),
            text: state.text.value.as_str().to_owned(),
            text_at: to_db(state.text.at),
            outcome: state.outcome.value.as_str().to_owned(),
            outcome_at: to_db(state.outcome.at),
            answered_day: state.answered.and_then(|asking| asking.day().try_into().ok()),
            created_at: to_db(state.created_at),
            edited_at: to_db(state.edited_at()),
            deleted_at: state.deleted_at.map(to_db),
            first_day: day_to_db(stored.first_day),
            version: stored.version.cast_signed(),
        }
    }
}

impl TryFrom<Row> for StoredCommitment {
    type Error = StoreError;

    fn try_from(row: Row) -> Result<Self, StoreError> {
        let asking = |day: i16| {
            Asking::on_day(day.into()).ok_or_else(|| StoreError::new(format!("nothing is asked about on day {day}")))
        };
        let state = CommitmentState {
            created_at: from_db(row.created_at),
            text: Register::new(CommitmentText::from_store(row.text), from_db(row.text_at)),
            outcome: Register::new(row.outcome.parse().map_err(StoreError::new)?, from_db(row.outcome_at)),
            answered: row.answered_day.map(asking).transpose()?,
            deleted_at: row.deleted_at.map(from_db),
        };
        Ok(Self {
            commitment: Commitment {
                id: CommitmentId::from_store(row.id),
                book: row.book_id.map(BookId::from_store),
                book_title: row.book_title,
                book_author: row.book_author,
                state,
            },
            first_day: day_from_db(row.first_day),
            version: row.version.unsigned_abs(),
        })
    }
}

impl<A> CommitmentQueries for Pg<'_, A> {
    fn find_commitment(&mut self, member: UserId, id: CommitmentId) -> Result<Option<StoredCommitment>, StoreError> {
        let found: Option<Row> = self.run(|conn| {
            commitments::table.find((member.get(), id.get())).select(Row::as_select()).first(conn).optional()
        })?;
        found.map(TryInto::try_into).transpose()
    }

    fn open_commitments(&mut self, member: UserId) -> Result<Vec<StoredCommitment>, StoreError> {
        let is_open = commitments::outcome.eq(Outcome::Open.as_str()).and(commitments::is_shown);
        let rows: Vec<Row> = self.run(|conn| {
            commitments::table
                .filter(commitments::user_id.eq(member.get()).and(is_open))
                .select(Row::as_select())
                .load(conn)
        })?;
        rows.into_iter().map(TryInto::try_into).collect()
    }

    fn commitments_after(
        &mut self,
        member: UserId,
        version: u64,
        limit: Limit,
    ) -> Result<Vec<StoredCommitment>, StoreError> {
        let rows: Vec<Row> = self.run(|conn| {
            commitments::table
                .filter(commitments::user_id.eq(member.get()).and(commitments::version.gt(version.cast_signed())))
                .order(commitments::version)
                .limit(limit.with_surplus())
                .select(Row::as_select())
                .load(conn)
        })?;
        rows.into_iter().map(TryInto::try_into).collect()
    }
}

impl CommitmentStore for Pg<'_> {
    fn put_commitment(&mut self, member: UserId, commitment: &StoredCommitment) -> Result<(), StoreError> {
        let row = Row::new(member, commitment);
        self.run(|conn| {
            update(study_members::table.find(member.get()))
                .set(study_members::version.eq(row.version))
                .execute(conn)?;
            insert_into(commitments::table)
                .values(&row)
                .on_conflict((commitments::user_id, commitments::id))
                .do_update()
                .set(&row)
                .execute(conn)
                .map(|_| ())
        })
    }
}
