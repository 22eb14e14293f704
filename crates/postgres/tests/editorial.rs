//! What the house writes on Postgres: the contract that memory keeps too.

use diesel::Connection;
use editorial::contract;
use postgres::Pg;
use testing::TestDatabase;

#[test]
fn postgres_keeps_the_contract() {
    let database = TestDatabase::new();
    contract::run(|case| {
        let mut connection = database.connect();
        connection.begin_test_transaction().unwrap();
        case(&mut Pg::new(&mut connection));
    });
}
