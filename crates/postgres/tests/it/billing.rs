//! What can be bought and what members have of it, on Postgres: the contract that memory keeps too.

use billing::{BillingCommands, Entitlement, contract};
use diesel::{QueryableByName, RunQueryDsl, sql_query, sql_types::BigInt};
use kernel::{StoreError, Timestamp, UserId};
use postgres::{Change, Db, DbConfig, Notification, Pg};
use std::{
    sync::{Arc, Mutex},
    time::Duration,
};
use testing::TestDatabase;

#[derive(QueryableByName)]
struct Id {
    #[diesel(sql_type = BigInt)]
    id: i64,
}

fn add_member(database: &TestDatabase, email: &str) -> UserId {
    let insert = format!(
        "INSERT INTO users (email, email_key, first_name, last_name, timezone, created_at)
         VALUES ('{email}', '{email}', 'Ada', 'Member', 'UTC', now()) RETURNING id"
    );
    let row = sql_query(insert).get_result::<Id>(&mut database.connect());
    UserId::from_store(row.expect("the member is inserted").id)
}

#[test]
fn plans_start_as_documented() {
    let database = TestDatabase::new();
    contract::plans_start_as_documented(&mut Pg::new(&mut database.connect()));
}

#[test]
fn entitlements_are_kept_until_their_member_goes() {
    let database = TestDatabase::new();
    let [one, other] = ["one@example.com", "other@example.com"].map(|email| add_member(&database, email));
    contract::entitlements_are_kept_until_their_member_goes(&mut Pg::new(&mut database.connect()), one, other);
}

#[test]
fn an_entitlement_is_a_change_of_its_member() {
    let database = TestDatabase::new();
    let member = add_member(&database, "one@example.com");
    let config = DbConfig {
        url: database.url().to_owned(),
        read_connections: 1,
        write_connections: 1,
        wait: Duration::from_mins(1),
    };
    let db = Db::new(&config, "test");
    let heard: Arc<Mutex<Vec<Change>>> = Arc::default();
    let notes = Arc::clone(&heard);
    db.on_change(move |change| {
        if let Notification::Change(change) = change {
            notes.lock().expect("no panic").push(change);
        }
    });
    let plan = Entitlement {
        plan_id: "yearly".to_owned(),
        plan_name: "Yearly".to_owned(),
        starts_at: Timestamp::from_millis(0),
        ends_at: Some(Timestamp::from_millis(1)),
    };
    db.write_now::<_, StoreError>(|pg| pg.grant_entitlement(member, &plan)).expect("it is granted");
    assert_eq!(*heard.lock().expect("no panic"), [Change::User(member)]);
}
