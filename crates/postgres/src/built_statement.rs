//! Statements whose text depends on the query.

use std::{marker::PhantomData, sync::LazyLock};

use chrono::{DateTime, Utc};
use diesel::{
    PgConnection, QueryResult, RunQueryDsl,
    pg::Pg,
    query_builder::{AstPass, Query, QueryFragment, QueryId},
    sql_types::{Array, BigInt, Bool, Double, Text, Timestamptz},
};
use kernel::{ListTotal, StoreError};

/// A statement built from fixed pieces of SQL and values. Its rows have the SQL types `Row`.
///
/// Only fixed pieces and limits make up the text, so there are few different texts, and each connection prepares each of them once, except
/// for those whose plan must suit the values.
#[derive(Debug)]
pub(crate) struct BuiltStatement<Row> {
    pieces: Vec<Piece>,
    planned_each_time: bool,
    row: PhantomData<Row>,
}

#[derive(Debug)]
enum Piece {
    Sql(&'static str),
    Limit(i64),
    Value(Value),
}

/// A value in a statement, sent as a bind parameter.
#[derive(Debug, PartialEq)]
pub(crate) enum Value {
    Int(i64),
    Ints(Vec<i64>),
    Text(String),
    Texts(Vec<String>),
    Bool(bool),
    Double(f64),
    Time(DateTime<Utc>),
}

/// A pattern of `LIKE` that matches what contains this text.
pub(crate) fn containing(text: &str) -> Value {
    Value::Text(format!("%{}%", escaped(text)))
}

/// A pattern of `LIKE` that matches what begins with this text.
pub(crate) fn beginning(text: &str) -> Value {
    Value::Text(format!("{}%", escaped(text)))
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_")
}

impl<Row> BuiltStatement<Row> {
    /// A statement that begins with this SQL.
    pub(crate) fn new(sql: &'static str) -> Self {
        Self { pieces: vec![Piece::Sql(sql)], planned_each_time: false, row: PhantomData }
    }

    pub(crate) fn sql(&mut self, sql: &'static str) -> &mut Self {
        self.pieces.push(Piece::Sql(sql));
        self
    }

    pub(crate) fn value(&mut self, value: Value) -> &mut Self {
        self.pieces.push(Piece::Value(value));
        self
    }

    /// Ends the statement after so many rows. The number becomes a part of the text, because Postgres plans by it: with a parameter
    /// in its place, it would take the statement for one that reads a tenth of all rows, and plan it at each call to find out that
    /// it does not. For limits that have few values, because each makes a statement of its own on each connection.
    pub(crate) fn limit(&mut self, rows: i64) -> &mut Self {
        self.pieces.push(Piece::Limit(rows));
        self
    }

    /// Makes Postgres plan the statement with its values at each call, because the number of matches varies too much
    /// for one plan.
    pub(crate) fn plan_each_time(&mut self) {
        self.planned_each_time = true;
    }
}

/// Ends a count. The limit is a part of the text, because Postgres plans by it.
static COUNTED: LazyLock<String> = LazyLock::new(|| format!(" LIMIT {}) counted", ListTotal::WITH_SURPLUS));

/// Counts the rows that `from` selects and `restrict` keeps, no further than a total says (`admin.list-totals`). `from` begins with
/// `FROM`.
pub(crate) fn count_rows<A>(
    pg: &mut crate::Pg<'_, A>,
    from: &'static str,
    restrict: impl FnOnce(&mut BuiltStatement<BigInt>),
) -> Result<ListTotal, StoreError> {
    let mut select = BuiltStatement::new("SELECT count(*) FROM (SELECT ");
    select.sql(from);
    restrict(&mut select);
    select.sql(&COUNTED);
    pg.run(|conn| select.get_result::<i64>(conn)).map(|rows| ListTotal::of_counted(rows.unsigned_abs()))
}

impl<Row> QueryFragment<Pg> for BuiltStatement<Row> {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        if self.planned_each_time {
            out.unsafe_to_cache_prepared();
        }
        for piece in &self.pieces {
            match piece {
                Piece::Sql(sql) => out.push_sql(sql),
                Piece::Limit(rows) => out.push_sql(&format!(" LIMIT {rows}")),
                Piece::Value(Value::Int(value)) => out.push_bind_param::<BigInt, _>(value)?,
                Piece::Value(Value::Ints(value)) => out.push_bind_param::<Array<BigInt>, _>(value)?,
                Piece::Value(Value::Text(value)) => out.push_bind_param::<Text, _>(value)?,
                Piece::Value(Value::Texts(value)) => out.push_bind_param::<Array<Text>, _>(value)?,
                Piece::Value(Value::Bool(value)) => out.push_bind_param::<Bool, _>(value)?,
                Piece::Value(Value::Double(value)) => out.push_bind_param::<Double, _>(value)?,
                Piece::Value(Value::Time(value)) => out.push_bind_param::<Timestamptz, _>(value)?,
            }
        }
        Ok(())
    }
}

impl<Row> QueryId for BuiltStatement<Row> {
    type QueryId = ();
    // Diesel looks its prepared statement up by its text.
    const HAS_STATIC_QUERY_ID: bool = false;
}

impl<Row> Query for BuiltStatement<Row> {
    type SqlType = Row;
}

impl<Row> RunQueryDsl<PgConnection> for BuiltStatement<Row> {}

#[cfg(test)]
mod tests {
    use super::{Value, beginning, containing};

    #[test]
    fn what_is_typed_is_no_pattern() {
        assert_eq!(containing(r"100%_\"), Value::Text(r"%100\%\_\\%".to_owned()));
        assert_eq!(beginning(r"100%_\"), Value::Text(r"100\%\_\\%".to_owned()));
    }
}
