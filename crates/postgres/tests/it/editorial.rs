//! Editorial content on Postgres: the contract that memory keeps too.

use editorial::contract;
use testing::TestDatabase;

use crate::harness::on_empty_tables;

#[test]
fn postgres_keeps_the_contract() {
    let database = TestDatabase::new();
    contract::run(|case| on_empty_tables(&database, |pg| case(pg)));
}
