//! What can be bought and what members have of it, on Postgres: the contract that memory keeps too, what the database itself
//! refuses, and what happens when many come at the same moment.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use billing::{
    Billing, BillingCommands, BillingError, BillingQueries, BillingStore, Checkout, CheckoutError, CheckoutKey,
    CheckoutOrder, Code, CodeError, CodeKind, CodeTerms, Coupon, CouponCode, CouponError, CouponUseError, Discount,
    Entitlement, Movement, MovementKind, Percent, PurchaseKey, RenewalTerms, TrialIdentity, contract,
    gateway::{CardFingerprint, GatewayProvider, ProviderEvent, ProviderEventId, ProviderEventKind},
};
use diesel::{Connection, PgConnection, QueryableByName, RunQueryDsl, sql_query, sql_types::BigInt};
use kernel::{Email, FixedEnv, Money, PayerId, Period, StoreError, Timestamp, UserId};
use postgres::{Change, Db, DbConfig, Notification, Pg, Restoration, Snapshot};
use testing::TestDatabase;

use crate::harness::at_once;

const NOW: Timestamp = Timestamp::from_millis(1_773_144_000_000);
const AT_ONCE: usize = 20;

#[derive(QueryableByName)]
struct Id {
    #[diesel(sql_type = BigInt)]
    id: i64,
}

fn add_member(connection: &mut PgConnection, email: &str) -> UserId {
    let insert = format!(
        "INSERT INTO users (email, email_key, first_name, last_name, timezone, created_at)
         VALUES ('{email}', '{email}', 'Ada', 'Member', 'UTC', now()) RETURNING id"
    );
    let row = sql_query(insert).get_result::<Id>(connection);
    UserId::from_store(row.expect("the member is inserted").id)
}

/// The store on one connection, and the members, whom another domain owns, on others.
struct PgWorld<'c> {
    pg: Pg<'c>,
    beside: &'c TestDatabase,
}

impl contract::World for PgWorld<'_> {
    fn add_member(&mut self, email: &Email) -> UserId {
        add_member(&mut self.beside.connect(), email.as_str())
    }

    fn store(&mut self) -> &mut dyn BillingStore {
        &mut self.pg
    }
}

#[test]
fn postgres_keeps_the_contract() {
    let database = TestDatabase::new();
    contract::run(|case| {
        let mut connection = database.connect();
        connection.begin_test_transaction().unwrap();
        case(&mut PgWorld { pg: Pg::new(&mut connection), beside: &database });
        // What the ledger checks at a commit, though nothing of the case stays.
        sql_query("SET CONSTRAINTS ALL IMMEDIATE").execute(&mut connection).unwrap();
        drop(connection);
        sql_query("DELETE FROM users").execute(&mut database.connect()).unwrap();
    });
}

fn charge(key: &str) -> Movement {
    Movement {
        plan_id: "monthly".to_owned(),
        plan_name: "Monthly".to_owned(),
        amount: Money::from_cents(999),
        fee: Money::from_cents(59),
        period: Some(Period { starts_at: NOW, ends_at: Some(NOW.plus_months(1)) }),
        renewal: Some(RenewalTerms { price: Money::from_cents(999), months: 1 }),
        ..Movement::new(MovementKind::Charged, key, &PurchaseKey::new("sub"), NOW)
    }
}

fn member_with_payer(database: &TestDatabase) -> (UserId, PayerId) {
    let member = add_member(&mut database.connect(), "ada@example.com");
    let payer = Pg::new(&mut database.connect()).payer_of_member(member, NOW).unwrap();
    (member, payer)
}

/// Records a charge, in a transaction that is committed.
fn record(database: &TestDatabase, payer: PayerId, key: &str) {
    let done = at_once::<_, BillingError>(database, 1, |_, pg| pg.record_movement(payer, &charge(key)));
    assert!(done.into_iter().all(Result::unwrap));
}

/// What the database says to statements in one transaction.
fn refusal(database: &TestDatabase, statements: &[&str]) -> String {
    let mut connection = database.connect();
    let done = connection.transaction(|conn| {
        for statement in statements {
            sql_query(*statement).execute(conn)?;
        }
        Ok::<_, diesel::result::Error>(())
    });
    done.expect_err(statements[0]).to_string()
}

#[test]
fn the_database_refuses_to_change_the_ledger() {
    let database = TestDatabase::new();
    let (member, payer) = member_with_payer(&database);
    record(&database, payer, "stripe:pi_1:charged");
    for statement in [
        "UPDATE ledger_transactions SET amount_cents = 1",
        "UPDATE ledger_transactions SET payer_id = payer_id",
        "DELETE FROM ledger_transactions",
        "TRUNCATE ledger_transactions CASCADE",
        "UPDATE ledger_entries SET amount_cents = 1",
        "DELETE FROM ledger_entries",
        "TRUNCATE ledger_entries",
    ] {
        let error = refusal(&database, &[statement]);
        assert!(error.contains("the ledger is append-only"), "{statement}: {error}");
    }
    let movements = Pg::new(&mut database.connect()).movements_of(member).unwrap();
    assert_eq!(movements, [charge("stripe:pi_1:charged")]);
}

#[test]
fn the_database_refuses_a_transaction_that_does_not_balance() {
    const INSERT: &str = "INSERT INTO ledger_transactions
        (payer_id, key, kind, purchase, plan_id, plan_name, amount_cents, fee_cents, infographics, occurred_at)
        SELECT id, 'new', 'charged', 'new', 'quiz', 'Quiz', 299, 0, 0, now() FROM payers";
    fn entry(key: &str, account: &str, cents: i64) -> String {
        format!(
            "INSERT INTO ledger_entries SELECT id, '{account}', {cents} FROM ledger_transactions WHERE key = '{key}'"
        )
    }
    let database = TestDatabase::new();
    let (_, payer) = member_with_payer(&database);
    record(&database, payer, "old");
    let (cash, revenue) = (entry("new", "provider_cash", 299), entry("new", "revenue", -299));
    let wrong: [&[&str]; 6] = [
        &[INSERT],
        &[INSERT, &cash],
        &[INSERT, &cash, &entry("new", "revenue", -298)],
        &[INSERT, &entry("new", "provider_cash", 300), &entry("new", "revenue", -300)],
        &[&entry("old", "refunds", 5)],
        &[&entry("old", "refunds", 5), &entry("old", "disputes", -5)],
    ];
    for statements in wrong {
        let error = refusal(&database, statements);
        assert!(error.contains("the ledger does not balance"), "{statements:?}: {error}");
    }
    let mut connection = database.connect();
    let right = [INSERT, &cash, &revenue];
    connection
        .transaction(|conn| right.iter().try_for_each(|statement| sql_query(*statement).execute(conn).map(drop)))
        .unwrap();
}

/// A backup of the ledger, restored into an empty database, without the entries of some accounts; says how it ended.
fn restore(source: &TestDatabase, target: &TestDatabase, without: &str) -> Result<(), String> {
    let mut snapshot = Snapshot::begin(source.url()).unwrap();
    let (migrations, tables) = (snapshot.migrations().unwrap(), snapshot.tables().unwrap());
    let mut restoration = Restoration::begin(target.url(), &migrations).unwrap();
    for table in tables {
        let mut rows: Vec<String> = Vec::new();
        snapshot
            .rows(&table, |batch| {
                rows.extend(batch);
                Ok::<_, StoreError>(())
            })
            .unwrap();
        rows.retain(|row| without.is_empty() || !row.contains(without));
        restoration.insert(&table, &rows).map_err(|error| error.to_string())?;
    }
    restoration.finish_rows(&snapshot.sequences().unwrap()).map_err(|error| error.to_string())?;
    restoration.commit().map_err(|error| error.to_string())
}

#[test]
fn a_restored_ledger_balances_or_is_refused() {
    let database = TestDatabase::new();
    let (member, payer) = member_with_payer(&database);
    record(&database, payer, "one");
    let target = TestDatabase::empty();
    restore(&database, &target, "").unwrap();
    assert_eq!(Pg::new(&mut target.connect()).movements_of(member).unwrap(), [charge("one")]);
    assert!(refusal(&target, &["DELETE FROM ledger_entries"]).contains("append-only"), "the triggers are there");
    let error = restore(&database, &TestDatabase::empty(), "revenue").unwrap_err();
    assert!(error.contains("the ledger does not balance"), "{error}");
}

#[test]
fn a_movement_that_is_recorded_many_times_at_once_counts_once() {
    let database = TestDatabase::new();
    let (member, payer) = member_with_payer(&database);
    let done = at_once::<_, BillingError>(&database, AT_ONCE, |_, pg| pg.record_movement(payer, &charge("once")));
    let recorded: Vec<bool> = done.into_iter().map(Result::unwrap).collect();
    assert_eq!(recorded.iter().filter(|one| **one).count(), 1);
    let mut connection = database.connect();
    let mut pg = Pg::new(&mut connection);
    assert_eq!(pg.movements_of(member).unwrap().len(), 1);
    assert_eq!(pg.entitlement_history_of(member).unwrap().len(), 2, "the month and its days of grace");
}

#[test]
fn movements_of_one_member_at_once_all_count() {
    let database = TestDatabase::new();
    let (member, payer) = member_with_payer(&database);
    let done = at_once::<_, BillingError>(&database, AT_ONCE, |n, pg| {
        let purchase = PurchaseKey::new(format!("code-{n}"));
        let kind = MovementKind::CodeRedeemed;
        let code = Movement { months: Some(1), ..Movement::new(kind, format!("code-{n}"), &purchase, NOW) };
        pg.record_movement(payer, &code)
    });
    assert!(done.into_iter().all(Result::unwrap));
    let mut connection = database.connect();
    let mut pg = Pg::new(&mut connection);
    assert!(pg.entitlements_agree(payer).unwrap(), "none was derived without what another had recorded");
    assert_eq!(pg.entitlement_history_of(member).unwrap().len(), AT_ONCE);
}

#[test]
fn a_guests_purchase_that_many_claim_at_once_is_one_members() {
    let database = TestDatabase::new();
    let members: Vec<UserId> =
        (0..AT_ONCE).map(|n| add_member(&mut database.connect(), &format!("member{n}@example.com"))).collect();
    let mut connection = database.connect();
    let mut pg = Pg::new(&mut connection);
    let guest = pg.insert_guest_payer(&Email::parse("guest@example.com").unwrap(), NOW).unwrap();
    record(&database, guest, "guest");
    let done = at_once::<_, StoreError>(&database, AT_ONCE, |n, pg| pg.claim_payer(guest, members[n]));
    let claimed: Vec<bool> = done.into_iter().map(Result::unwrap).collect();
    assert_eq!(claimed.iter().filter(|one| **one).count(), 1);
    for (member, claimed) in members.into_iter().zip(claimed) {
        assert_eq!(pg.entitlements_of(member, NOW).unwrap().is_empty(), !claimed);
    }
}

#[test]
fn a_code_that_many_redeem_at_once_is_redeemed_once() {
    let database = TestDatabase::new();
    let members: Vec<UserId> =
        (0..AT_ONCE).map(|n| add_member(&mut database.connect(), &format!("member{n}@example.com"))).collect();
    let code = Code::parse("ABCDE-FGHJK-LMNPQ-RSTUV").unwrap();
    let terms = CodeTerms {
        kind: CodeKind::Gift,
        plan_id: "gift".to_owned(),
        plan_name: "Gift".to_owned(),
        months: Some(12),
        purchase: None,
        buyer: None,
    };
    let mut connection = database.connect();
    let mut pg = Pg::new(&mut connection);
    assert_eq!(pg.import_codes(std::slice::from_ref(&code), &terms, NOW).unwrap(), 1);
    // Half of them are tabs of one member.
    let member_of = |n: usize| members[if n.is_multiple_of(2) { 0 } else { n }];
    let done = at_once(&database, AT_ONCE, |n, pg| pg.redeem_code(&code, member_of(n), NOW));
    let redeemed: Vec<UserId> = (0..AT_ONCE).filter(|n| done[*n].is_ok()).map(member_of).collect();
    assert_eq!(redeemed.len(), 1);
    assert!(done.iter().filter_map(|one| one.as_ref().err()).all(|error| matches!(error, CodeError::Redeemed)));
    for member in members {
        assert_eq!(pg.entitlements_of(member, NOW).unwrap().len(), usize::from(redeemed[0] == member));
    }
}

#[test]
fn the_last_use_of_a_coupon_that_many_want_at_once_is_one() {
    let database = TestDatabase::new();
    let (code, forty) = (CouponCode::parse("spring").unwrap(), Discount::Percent(Percent::new(40).unwrap()));
    let valid = Period { starts_at: NOW, ends_at: None };
    let coupon = Coupon { max_uses: Some(3), ..Coupon::new(code, forty, valid) };
    let mut connection = database.connect();
    let mut pg = Pg::new(&mut connection);
    pg.save_coupon(&coupon).unwrap();
    let done = at_once(&database, AT_ONCE, |n, pg| {
        // Each purchase presses twice.
        pg.use_coupon(&coupon.code, (&PurchaseKey::new(format!("purchase-{}", n / 2)), "yearly"), NOW)
    });
    assert_eq!(done.iter().filter(|one| one.is_ok()).count(), 6);
    let used_up = |error: &CouponUseError| matches!(error, CouponUseError::Coupon(CouponError::UsedUp));
    assert!(done.iter().filter_map(|one| one.as_ref().err()).all(used_up));
    assert_eq!(pg.find_coupon(&coupon.code).unwrap(), Some((coupon, 3)));
}

#[test]
fn a_trial_that_one_card_wants_many_times_at_once_is_one() {
    let database = TestDatabase::new();
    let done = at_once::<_, StoreError>(&database, AT_ONCE, |n, pg| {
        let email = Email::parse(&format!("guest{n}@example.com")).unwrap();
        let person = TrialIdentity::new(None, &email, Some(CardFingerprint::new("visa")));
        pg.claim_trial(&person, &PurchaseKey::new(format!("purchase-{n}")), NOW)
    });
    assert_eq!(done.into_iter().map(Result::unwrap).filter(|claimed| *claimed).count(), 1);
}

fn order(payer: PayerId) -> CheckoutOrder {
    CheckoutOrder {
        payer,
        provider: GatewayProvider::Sandbox,
        plan_id: "quiz".to_owned(),
        plan_name: "Quiz".to_owned(),
        quantity: 1,
        infographics: 0,
        coupon: None,
        first_charge: Money::from_cents(299),
        trial_ends_at: None,
        renewal: None,
        referral: None,
        sealed_details: None,
    }
}

#[test]
fn a_checkout_that_is_pressed_many_times_at_once_is_one() {
    let database = TestDatabase::new();
    let (_, payer) = member_with_payer(&database);
    let env = FixedEnv::at(NOW);
    let key = CheckoutKey::parse("key").unwrap();
    let done = at_once::<_, CheckoutError>(&database, AT_ONCE, |_, pg| {
        let is_new = pg.insert_checkout(&Checkout::start(key.clone(), [0; 32], order(payer), &env))?;
        Ok((is_new, pg.known_checkout(&key, &[0; 32])?.ok_or(CheckoutError::Unknown)?.reference))
    });
    let references: Vec<_> = done.into_iter().map(Result::unwrap).collect();
    assert_eq!(references.iter().filter(|(is_new, _)| *is_new).count(), 1);
    assert!(references.iter().all(|(_, reference)| *reference == references[0].1));
}

#[test]
fn an_event_that_comes_many_times_at_once_is_stored_once() {
    let database = TestDatabase::new();
    let event = ProviderEvent {
        id: ProviderEventId::new("evt_1"),
        provider: GatewayProvider::Stripe,
        at: NOW,
        kind: ProviderEventKind::Other("ping".to_owned()),
        checkout: None,
    };
    let done = at_once::<_, StoreError>(&database, AT_ONCE, |_, pg| pg.insert_provider_event(&event, NOW));
    assert_eq!(done.into_iter().map(Result::unwrap).filter(|stored| *stored).count(), 1);
}

#[test]
fn an_entitlement_is_a_change_of_its_member() {
    let database = TestDatabase::new();
    let member = add_member(&mut database.connect(), "one@example.com");
    let config = DbConfig {
        url: database.url().to_owned(),
        direct_url: None,
        replica_url: None,
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
