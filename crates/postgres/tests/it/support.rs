//! The inbox on Postgres: the contract that memory keeps too.

use diesel::{Connection, RunQueryDsl, sql_query};
use identity::{IdentityStore, NewUser};
use kernel::{Email, Timestamp};
use postgres::Pg;
use support::contract;
use testing::TestDatabase;

#[test]
fn postgres_keeps_the_contract() {
    let database = TestDatabase::new();
    contract::run(|case| {
        let mut connection = database.connect();
        connection.begin_test_transaction().unwrap();
        let first = format!("ALTER TABLE users ALTER COLUMN id RESTART WITH {}", contract::ADMIN.get());
        sql_query(first).execute(&mut connection).unwrap();
        let mut pg = Pg::new(&mut connection);
        let admin = NewUser {
            email: &Email::parse("admin@example.com").unwrap(),
            first_name: "Joan",
            last_name: "",
            timezone: "UTC",
            password_hash: None,
            created_at: Timestamp::from_millis(0),
            email_confirmed_at: None,
        };
        assert_eq!(pg.insert_user(admin).unwrap().unwrap().id, contract::ADMIN);
        case(&mut pg);
        pg.delete_user(contract::ADMIN).unwrap();
    });
}
