//! The role that `serve` runs as: what it is given, and that it can't take what it is not.

use diesel::{
    Connection, PgConnection, QueryableByName, RunQueryDsl, connection::SimpleConnection, sql_query, sql_types::Text,
};
use kernel::StoreError;
use postgres::{Pg, RightsOutcome, Snapshot, grant_rights, is_migrated, migrate};
use testing::TestDatabase;

/// A payer with a charge, a member, and an entry of the audit log about them.
const ROWS: &str = "
    INSERT INTO users (email, email_key, first_name, last_name, created_at) VALUES ('ada@example.com', 'ada@example.com', 'Ada', 'L', now());
    INSERT INTO payers (is_guest, created_at) VALUES (true, now());
    INSERT INTO ledger_transactions (payer_id, key, kind, purchase, plan_id, plan_name, amount_cents, fee_cents, infographics, occurred_at)
        SELECT id, 'k', 'charged', 'p', 'monthly', 'Monthly', 999, 0, 0, now() FROM payers;
    INSERT INTO ledger_entries (transaction_id, account, amount_cents)
        SELECT t.id, e.account, e.amount FROM ledger_transactions t, (VALUES ('provider_cash', 999), ('revenue', -999)) AS e (account, amount);
    INSERT INTO audit_entries (at, actor_kind, actor_name, action, subject_kind, changes) VALUES (now(), 'operator', 'x', 'y', 'site', '[]');
    INSERT INTO audit_personal_changes (entry_id, user_id, changes) SELECT e.id, u.id, '[]' FROM audit_entries e, users u;
";

const APPEND_ONLY: [&str; 4] = ["ledger_transactions", "ledger_entries", "audit_entries", "audit_personal_changes"];

fn refused(connection: &mut PgConnection, statement: &str) -> String {
    match connection.batch_execute(statement) {
        Ok(()) => panic!("this was done: {statement}"),
        Err(error) => error.to_string(),
    }
}

#[derive(QueryableByName, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Name {
    #[diesel(sql_type = Text)]
    name: String,
}

fn names(connection: &mut PgConnection, query: &str) -> Vec<String> {
    let mut found: Vec<Name> = sql_query(query).load(connection).unwrap();
    found.sort();
    found.into_iter().map(|row| row.name).collect()
}

/// The address of the test's database with another user, who has no password: the role is not there.
fn url_of(database: &TestDatabase, role: &str) -> String {
    database.application_url().replace("pith_test_application", role)
}

#[test]
fn the_applications_role_can_neither_change_the_ledger_nor_help_itself_to_it() {
    let database = TestDatabase::new();
    let mut owner = database.connect();
    // The database's own rights are no part of the tests' template.
    grant_rights(database.url(), &database.application_url()).unwrap();
    owner.batch_execute(ROWS).unwrap();
    let mut role = PgConnection::establish(&database.application_url()).unwrap();
    assert!(!Pg::new(&mut role).can_change_ledger().unwrap());
    assert!(Pg::new(&mut owner).can_change_ledger().unwrap());

    for table in APPEND_ONLY {
        let me = "pith_test_application";
        for statement in [
            format!("DELETE FROM {table}"),
            format!("TRUNCATE {table}"),
            format!("TRUNCATE {table} CASCADE"),
            format!("ALTER TABLE {table} DISABLE TRIGGER ALL"),
            format!("ALTER TABLE {table} DISABLE TRIGGER {table}_no_truncate"),
            format!("DROP TRIGGER {table}_no_truncate ON {table}"),
            format!("ALTER TABLE {table} RENAME TO gone"),
            format!("ALTER TABLE {table} OWNER TO {me}"),
            format!("ALTER TABLE {table} ADD COLUMN more text"),
            format!(
                "CREATE TRIGGER mine BEFORE INSERT ON {table} FOR EACH ROW EXECUTE FUNCTION refuse_ledger_change()"
            ),
            format!("CREATE INDEX ON {table} ((1))"),
            format!("CREATE RULE quiet AS ON INSERT TO {table} DO INSTEAD NOTHING"),
            format!("ALTER TABLE {table} ENABLE ROW LEVEL SECURITY"),
            format!("DROP TABLE {table} CASCADE"),
            format!("DO 'BEGIN LOCK TABLE {table} IN ACCESS EXCLUSIVE MODE; END'"),
        ] {
            let said = refused(&mut role, &statement);
            let by_right = said.contains("permission denied")
                || said.contains("must be owner")
                || said.contains("must be able to SET ROLE");
            assert!(by_right, "{statement}: {said}");
        }
        // A right that is not held can't be passed on: Postgres says so by a warning or an error, and gives nothing.
        let _ = role.batch_execute(&format!("GRANT ALL ON {table} TO {me}"));
    }
    for statement in [
        "UPDATE ledger_transactions SET amount_cents = 1",
        "UPDATE ledger_transactions SET recorded_at = now()",
        "UPDATE ledger_entries SET amount_cents = 1",
        "UPDATE audit_entries SET action = 'nothing'",
        "UPDATE audit_entries SET device = NULL",
        "UPDATE audit_personal_changes SET changes = '[]'",
        "INSERT INTO ledger_entries SELECT * FROM ledger_entries ON CONFLICT (transaction_id, account) DO UPDATE SET amount_cents = 1",
        "SELECT 1 FROM ledger_transactions FOR UPDATE",
        "SET session_replication_role = 'replica'",
        "SET ROLE postgres",
        "CREATE TABLE mine (n int)",
        "CREATE TEMPORARY TABLE ledger_entries (transaction_id bigint, amount_cents bigint)",
        "CREATE SCHEMA mine",
        "CREATE FUNCTION mine() RETURNS int LANGUAGE sql AS 'SELECT 1'",
        "CREATE EXTENSION hstore",
        "CREATE ROLE mine",
        "CREATE DATABASE mine",
        "ALTER ROLE pith_test_application SUPERUSER",
        "ALTER FUNCTION check_ledger_balance() RENAME TO gone",
        "CREATE OR REPLACE FUNCTION refuse_ledger_change() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN OLD; END $$",
        "DROP FUNCTION check_ledger_balance() CASCADE",
        "ALTER ROLE pith_test_application SET session_replication_role = 'replica'",
        "ALTER SYSTEM SET log_statement = 'all'",
        "DELETE FROM __diesel_schema_migrations",
        "INSERT INTO __diesel_schema_migrations (version) VALUES ('20991231000000')",
        "COPY ledger_entries TO PROGRAM 'cat'",
        "SELECT setval('ledger_transactions_id_seq', 1)",
    ] {
        refused(&mut role, statement);
    }
    // What goes with an account goes by the foreign key, and by no other way.
    refused(&mut role, "DELETE FROM audit_personal_changes WHERE user_id NOT IN (SELECT id FROM users)");
    role.batch_execute("DELETE FROM users").unwrap();
    let counts =
        "SELECT (SELECT count(*) FROM ledger_transactions) || ' ' || (SELECT count(*) FROM ledger_entries) || ' '
        || (SELECT count(*) FROM audit_entries) || ' ' || (SELECT count(*) FROM audit_personal_changes) AS name";
    assert_eq!(names(&mut owner, counts), ["1 2 1 0"]);
    assert!(!Pg::new(&mut role).can_change_ledger().unwrap());
}

#[test]
fn an_entry_that_does_not_balance_is_refused_whatever_the_roles_search_path_is() {
    let database = TestDatabase::new();
    let mut role = PgConnection::establish(&database.application_url()).unwrap();
    // The tests' template leaves temporary tables to everybody: the trigger's own search path holds by itself.
    role.batch_execute(
        "CREATE TEMPORARY TABLE ledger_entries (transaction_id bigint, amount_cents bigint);
         CREATE TEMPORARY TABLE ledger_transactions (id bigint, amount_cents bigint, fee_cents bigint, kind text);
         INSERT INTO public.payers (is_guest, created_at) VALUES (true, now());",
    )
    .unwrap();
    let said = refused(
        &mut role,
        "INSERT INTO public.ledger_transactions
             (payer_id, key, kind, purchase, plan_id, plan_name, amount_cents, fee_cents, infographics, occurred_at)
             SELECT id, 'k', 'charged', 'p', 'monthly', 'Monthly', 999, 0, 0, now() FROM public.payers",
    );
    assert!(said.contains("the ledger does not balance"), "{said}");
}

#[test]
fn every_table_that_is_only_added_to_gives_the_role_no_other_right() {
    let database = TestDatabase::new();
    let mut owner = database.connect();
    // Each of them has a trigger that refuses to empty it.
    let guarded = "SELECT DISTINCT c.relname::text AS name FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
        WHERE NOT t.tgisinternal AND t.tgtype & 32 <> 0";
    let unchangeable = "SELECT c.relname::text AS name FROM pg_class c
        WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace AND c.relname <> '__diesel_schema_migrations'
            AND NOT has_any_column_privilege('pith_test_application', c.oid, 'UPDATE')
            AND NOT has_table_privilege('pith_test_application', c.oid, 'DELETE')";
    let mut expected = APPEND_ONLY.map(str::to_owned);
    expected.sort();
    assert_eq!(names(&mut owner, guarded), expected);
    assert_eq!(names(&mut owner, unchangeable), expected);
    let too_much = "SELECT c.relname::text AS name FROM pg_class c
        WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace
            AND (has_table_privilege('pith_test_application', c.oid, 'TRUNCATE')
                OR has_table_privilege('pith_test_application', c.oid, 'TRIGGER')
                OR has_table_privilege('pith_test_application', c.oid, 'REFERENCES'))";
    assert_eq!(names(&mut owner, too_much), [""; 0]);
}

#[test]
fn rights_are_given_again_without_a_change_and_to_tables_that_come_later() {
    let database = TestDatabase::new();
    let mut owner = database.connect();
    let rights = "SELECT relname || coalesce(relacl::text, '') AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace";
    let granted = || grant_rights(database.url(), &database.application_url()).unwrap();
    let expected = RightsOutcome::Role { name: "pith_test_application".to_owned(), is_new: false };
    assert_eq!(granted(), expected);
    let before = names(&mut owner, rights);
    assert_eq!(granted(), expected);
    assert_eq!(names(&mut owner, rights), before);

    // Between a migration and the rights after it.
    owner.batch_execute("CREATE TABLE later (id bigint GENERATED ALWAYS AS IDENTITY, n int)").unwrap();
    let mut role = PgConnection::establish(&database.application_url()).unwrap();
    role.batch_execute("INSERT INTO later (n) VALUES (1); UPDATE later SET n = 2; DELETE FROM later").unwrap();
    // A mistake of an operator does not stay.
    owner.batch_execute("GRANT ALL ON ledger_entries TO PUBLIC; GRANT UPDATE (amount_cents) ON ledger_entries TO pith_test_application").unwrap();
    assert!(Pg::new(&mut role).can_change_ledger().unwrap());
    granted();
    assert!(!Pg::new(&mut role).can_change_ledger().unwrap());
}

#[test]
fn the_owner_makes_the_role_that_the_address_names() -> Result<(), StoreError> {
    let database = TestDatabase::empty();
    let name = format!("pith_test_made_{}", std::process::id());
    let application = url_of(&database, &name);
    migrate(database.url())?;
    let made = grant_rights(database.url(), &application)?;
    assert_eq!(made, RightsOutcome::Role { name: name.clone(), is_new: true });
    assert!(is_migrated(&application)?);
    // The one user of a small site.
    assert_eq!(grant_rights(database.url(), database.url())?, RightsOutcome::Owner);
    // A backup is made with the rights of `serve`: it reads every table and counter.
    database.connect().batch_execute(ROWS).unwrap();
    let (mut by_owner, mut by_role) = (Snapshot::begin(database.url())?, Snapshot::begin(&application)?);
    assert_eq!(by_role.sequences()?, by_owner.sequences()?);
    assert_eq!(by_role.tables()?, by_owner.tables()?);
    assert_eq!(by_role.migrations()?, by_owner.migrations()?);
    for table in by_role.tables()? {
        by_role.rows::<StoreError>(&table, |_| Ok(()))?;
    }
    drop((by_owner, by_role));
    let mut owner = database.connect();
    owner.batch_execute(&format!("DROP OWNED BY {name}; DROP ROLE {name}")).unwrap();
    Ok(())
}
