//! E-readers on Postgres: the contract that memory keeps too, and a book that is asked for many times at once.

use delivery::{
    DeliveryItem, DeliveryRequest, EReader, EReaderError, EReaderStore, KINDLE_DOMAINS, KindleAddress, contract,
};
use diesel::{PgConnection, QueryableByName, RunQueryDsl, sql_query, sql_types::BigInt};
use kernel::{BookId, SummaryId, Timestamp, UserId};
use postgres::Pg;
use testing::TestDatabase;

use crate::harness::at_once;

const NOW: Timestamp = Timestamp::from_millis(1_795_226_400_000);
const AT_ONCE: usize = 20;

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

fn add_book(connection: &mut PgConnection) -> BookId {
    let row: Row = sql_query(
        "WITH author AS (
            INSERT INTO authors (slug, name, name_key) SELECT 'a' || gen_random_uuid(), 'Author', 'author' RETURNING id
         )
         INSERT INTO books (subid, title, title_key, author_id, upload_date, updated_at)
         SELECT 'b' || gen_random_uuid(), 'Book', 'book', id, now(), now() FROM author RETURNING id",
    )
    .get_result(connection)
    .unwrap();
    BookId::from_store(row.id)
}

fn add_summary(connection: &mut PgConnection, member: UserId) -> SummaryId {
    let row: Row = sql_query(format!(
        "INSERT INTO member_summaries
            (user_id, title, source_kind, source_name, state, search_title, search_source, created_at)
         VALUES ({member}, 'Summary', 'text', 'Text', 'done', 'summary', 'text', now()) RETURNING id"
    ))
    .get_result(connection)
    .unwrap();
    SummaryId::from_store(row.id)
}

/// The store on one connection, and what other domains own on others.
struct PgWorld<'c> {
    pg: Pg<'c>,
    beside: &'c TestDatabase,
}

impl contract::World for PgWorld<'_> {
    fn add_member(&mut self) -> UserId {
        add_member(&mut self.beside.connect())
    }

    fn add_book(&mut self) -> BookId {
        add_book(&mut self.beside.connect())
    }

    fn add_summary(&mut self, member: UserId) -> SummaryId {
        add_summary(&mut self.beside.connect(), member)
    }

    fn store(&mut self) -> &mut dyn EReaderStore {
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
fn a_book_that_is_asked_for_many_times_at_once_is_sent_once() {
    let database = TestDatabase::new();
    let (ada, book) = (add_member(&mut database.connect()), add_book(&mut database.connect()));
    let address = KindleAddress::read("ada", "kindle.com", &KINDLE_DOMAINS.map(str::to_owned)).unwrap();
    Pg::new(&mut database.connect()).set_kindle_address(ada, &address, NOW).unwrap();
    let asked =
        at_once::<_, EReaderError>(&database, AT_ONCE, |_, pg| pg.ask_delivery(ada, DeliveryItem::Book(book), NOW));
    let asked: Vec<DeliveryRequest> = asked.into_iter().map(Result::unwrap).collect();
    assert_eq!(asked.iter().filter(|one| matches!(one, DeliveryRequest::Now(..))).count(), 1, "{asked:?}");
}
