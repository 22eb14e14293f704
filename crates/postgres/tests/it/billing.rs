//! What can be bought, on Postgres: the plans of a new database are those of the documents.

use billing::contract;
use postgres::Pg;
use testing::TestDatabase;

#[test]
fn plans_start_as_documented() {
    let database = TestDatabase::new();
    contract::plans_start_as_documented(&mut Pg::new(&mut database.connect()));
}
