//! Row versions and revisions of what editors change, in Postgres.

use admin::{EditCommands, EditQueries, NewRevision, Revision, RowRef, RowVersion, SubjectKind};
use chrono::{DateTime, Utc};
use diesel::{
    RunQueryDsl,
    sql_types::{BigInt, Nullable, Text, Timestamptz},
};
use kernel::{StoreError, Timestamp, UserId};

use crate::{
    Pg,
    built_statement::{BuiltStatement, Value},
    statement::statement,
    time::{from_db, to_db},
};

type VersionTypes = (BigInt, BigInt, Nullable<Timestamptz>, Nullable<Text>);
type VersionRow = (i64, i64, Option<DateTime<Utc>>, Option<String>);

fn version((row, number, at, by): VersionRow) -> (i64, RowVersion) {
    (row, RowVersion { number, at: at.map(from_db), by })
}

statement! {
    /// Locks a row's version, and inserts version 1 if there is none.
    LockRow { kind: String, row: i64 } -> () = [
        "INSERT INTO row_versions (kind, row_id, version) VALUES (" (kind: Text) ", " (row: BigInt) ", 1)
        ON CONFLICT (kind, row_id) DO UPDATE SET version = row_versions.version"
    ]
}

statement! {
    AdvanceRow { kind: String, row: i64, by: Option<i64>, now: DateTime<Utc> } -> BigInt = [
        "INSERT INTO row_versions (kind, row_id, version, changed_at, changed_by)
        VALUES (" (kind: Text) ", " (row: BigInt) ", 2, " (now: Timestamptz) ", " (by: Nullable<BigInt>) ")
        ON CONFLICT (kind, row_id) DO UPDATE SET version = row_versions.version + 1,
            changed_at = excluded.changed_at, changed_by = excluded.changed_by
        RETURNING version"
    ]
}

statement! {
    InsertRevision { kind: String, row: i64, version: i64, at: DateTime<Utc>, by: Option<i64>, content: String } -> () = [
        "INSERT INTO row_revisions (kind, row_id, version, saved_at, saved_by, content)
        VALUES (" (kind: Text) ", " (row: BigInt) ", " (version: BigInt) ", " (at: Timestamptz) ", "
            (by: Nullable<BigInt>) ", " (content: Text) ")"
    ]
}

statement! {
    ForgetRow { kind: String, row: i64 } -> () = [
        "WITH revisions AS (DELETE FROM row_revisions WHERE kind = " (kind: Text) " AND row_id = " (row: BigInt) ")
        DELETE FROM row_versions WHERE kind = " (kind: Text) " AND row_id = " (row: BigInt)
    ]
}

impl<A> EditQueries for Pg<'_, A> {
    fn row_versions(&mut self, kind: SubjectKind, rows: &[i64]) -> Result<Vec<(i64, RowVersion)>, StoreError> {
        let mut select: BuiltStatement<VersionTypes> = BuiltStatement::new(
            "SELECT v.row_id, v.version, v.changed_at, u.first_name || ' ' || u.last_name
            FROM row_versions v LEFT JOIN users u ON u.id = v.changed_by WHERE v.kind = ",
        );
        select.value(Value::Text(kind.as_str().to_owned())).sql(" AND v.row_id = ANY(");
        select.value(Value::Ints(rows.to_vec())).sql(")");
        let found: Vec<VersionRow> = self.run(|conn| select.load(conn))?;
        Ok(found.into_iter().map(version).collect())
    }

    fn revisions(&mut self, row: RowRef) -> Result<Vec<Revision>, StoreError> {
        type Types = (BigInt, BigInt, Timestamptz, Nullable<Text>, Text);
        type Row = (i64, i64, DateTime<Utc>, Option<String>, String);
        let mut select: BuiltStatement<Types> = BuiltStatement::new(
            "SELECT r.id, r.version, r.saved_at, u.first_name || ' ' || u.last_name, r.content
            FROM row_revisions r LEFT JOIN users u ON u.id = r.saved_by WHERE r.kind = ",
        );
        select.value(Value::Text(row.kind.as_str().to_owned())).sql(" AND r.row_id = ").value(Value::Int(row.id));
        select.sql(" ORDER BY r.id DESC");
        let found: Vec<Row> = self.run(|conn| select.load(conn))?;
        let revision = |(id, version, at, by, content): Row| Revision { id, version, at: from_db(at), by, content };
        Ok(found.into_iter().map(revision).collect())
    }
}

impl EditCommands for Pg<'_> {
    fn lock_row(&mut self, row: RowRef) -> Result<RowVersion, StoreError> {
        let lock = LockRow { kind: row.kind.as_str().to_owned(), row: row.id };
        self.run(|conn| lock.execute(conn))?;
        self.row_version(row)
    }

    fn advance_row(&mut self, row: RowRef, by: Option<UserId>, now: Timestamp) -> Result<i64, StoreError> {
        let kind = row.kind.as_str().to_owned();
        let advance = AdvanceRow { kind, row: row.id, by: by.map(UserId::get), now: to_db(now) };
        self.run(|conn| advance.get_result(conn))
    }

    fn insert_revision(&mut self, new: NewRevision<'_>) -> Result<(), StoreError> {
        let insert = InsertRevision {
            kind: new.row.kind.as_str().to_owned(),
            row: new.row.id,
            version: new.version,
            at: to_db(new.at),
            by: new.by.map(UserId::get),
            content: new.content.to_owned(),
        };
        self.run(|conn| insert.execute(conn).map(|_| ()))
    }

    fn forget_row(&mut self, row: RowRef) -> Result<(), StoreError> {
        let forget = ForgetRow { kind: row.kind.as_str().to_owned(), row: row.id };
        self.run(|conn| forget.execute(conn).map(|_| ()))
    }
}
