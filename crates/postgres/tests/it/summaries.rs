//! Members' own summaries on Postgres: the contract that memory keeps too, and many that are asked for at once.

use diesel::{PgConnection, QueryableByName, RunQueryDsl, sql_query, sql_types::BigInt};
use kernel::{Timestamp, UserId};
use postgres::Pg;
use summaries::{
    AT_A_TIME, MemberSummaries, MemberSummaryError, MemberSummaryStore, NewSummary, SourceKind, SummarySource, contract,
};
use testing::TestDatabase;

use crate::harness::at_once;

const NOW: Timestamp = Timestamp::from_millis(1_795_226_400_000);

#[derive(QueryableByName)]
struct Row {
    #[diesel(sql_type = BigInt)]
    id: i64,
}

/// A member as it is stored; the rest of the row is of no concern here.
fn add_member(connection: &mut PgConnection) -> UserId {
    let row: Row = sql_query(
        "INSERT INTO users (email, email_key, first_name, last_name, created_at)
        SELECT name, name, 'Ada', 'Reader', now() FROM (SELECT gen_random_uuid() || '@example.com' AS name) AS new
        RETURNING id",
    )
    .get_result(connection)
    .unwrap();
    UserId::from_store(row.id)
}

/// The store on one connection, and members on others.
struct PgWorld<'c> {
    pg: Pg<'c>,
    beside: &'c TestDatabase,
}

impl contract::World for PgWorld<'_> {
    fn add_member(&mut self) -> UserId {
        add_member(&mut self.beside.connect())
    }

    fn store(&mut self) -> &mut dyn MemberSummaryStore {
        &mut self.pg
    }
}

#[test]
fn postgres_keeps_the_contract() {
    let database = TestDatabase::new();
    contract::run(|case| {
        let mut connection = database.connect();
        case(&mut PgWorld { pg: Pg::new(&mut connection), beside: &database });
        sql_query("DELETE FROM users").execute(&mut database.connect()).unwrap();
    });
}

#[test]
fn twenty_requests_at_once_are_two_summaries() {
    let database = TestDatabase::new();
    let ada = add_member(&mut database.connect());
    let asked = at_once::<_, MemberSummaryError>(&database, 20, |_, pg| {
        let source = SummarySource { kind: SourceKind::Text, name: "Text".to_owned(), url: None };
        pg.ask_summary(ada, &NewSummary { key: None, title: "One".to_owned(), source, document: None }, NOW)
    });
    assert_eq!(asked.iter().filter(|one| one.is_ok()).count() as u64, AT_A_TIME);
}
