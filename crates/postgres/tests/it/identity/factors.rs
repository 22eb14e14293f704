//! What protects accounts, on Postgres: the contract that memory keeps too, and codes that come twice at the same
//! moment.

use diesel::{Connection, PgConnection, connection::SimpleConnection};
use identity::{
    FactorQueries, FactorStore, FactorUsed, Factors, Identity, IdentityError, IdentityQueries, NewPasskey, NewSession,
    PasskeyName, Protection, Seal, TOTP_STEP, factors_contract, fixtures,
};
use kernel::{FixedEnv, SessionId, Timestamp, UserId};
use postgres::Pg;
use testing::TestDatabase;

use crate::harness::{at_once, on_empty_tables};

const NOW: Timestamp = Timestamp::from_millis(1_795_226_400_000);
const AT_ONCE: usize = 20;

#[test]
fn postgres_keeps_the_contract_of_what_protects_accounts() {
    let database = TestDatabase::new();
    factors_contract::run(|case| on_empty_tables(&database, |pg| case(pg)));
}

fn seal() -> Seal {
    Seal::new(&[6; 32]).unwrap()
}

fn person(connection: &mut PgConnection, env: &FixedEnv) -> (UserId, SessionId) {
    let mut pg = Pg::new(connection);
    let user = fixtures::register(&mut pg, "ada@example.com", NOW).id;
    let new = NewSession { user, device: "", place: "", strong: false };
    (user, pg.begin_session(new, env).unwrap().0)
}

/// Runs the work in many transactions at the same moment; gives what those came to that were not refused.
fn allowed<T: Send>(
    database: &TestDatabase,
    work: impl Fn(usize, &mut Pg<'_>) -> Result<T, IdentityError> + Sync,
) -> Vec<T> {
    let done = at_once(database, AT_ONCE, work).into_iter();
    done.filter_map(|done| match done {
        Ok(done) => Some(done),
        Err(IdentityError::Store(error)) => panic!("{error}"),
        Err(_) => None,
    })
    .collect()
}

#[test]
fn of_many_with_one_code_one_gets_in() {
    let database = TestDatabase::new();
    let (mut connection, env, seal) = (database.connect(), FixedEnv::at(NOW), seal());
    let (user, session) = person(&mut connection, &env);
    let mut pg = Pg::new(&mut connection);
    let secret = pg.begin_totp(user, session, &seal, &env).unwrap();
    let codes = pg.confirm_totp(user, session, &secret.code_at(NOW), &seal, &env).unwrap();

    let later = NOW.plus(9 * TOTP_STEP);
    let code = secret.code_at(later);
    assert_eq!(allowed(&database, |_, pg| pg.take_factor_code(user, &code, &seal, later)), [FactorUsed::Totp]);
    let recovery = codes[0].show();
    let taken = allowed(&database, |_, pg| pg.take_factor_code(user, &recovery, &seal, later));
    assert_eq!(taken, [FactorUsed::RecoveryCode]);
    assert_eq!(pg.protection(user).unwrap(), Protection { totp: true, recovery_codes: 9, passkeys: 0 });
}

#[test]
fn an_app_is_confirmed_once() {
    let database = TestDatabase::new();
    let (mut connection, env, seal) = (database.connect(), FixedEnv::at(NOW), seal());
    let (user, session) = person(&mut connection, &env);
    let mut pg = Pg::new(&mut connection);
    let secret = pg.begin_totp(user, session, &seal, &env).unwrap();
    let confirmed = allowed(&database, |_, pg| pg.confirm_totp(user, session, &secret.code_at(NOW), &seal, &env));
    assert_eq!(confirmed.len(), 1);
    assert_eq!(pg.protection(user).unwrap().recovery_codes, 10);
}

#[test]
fn factors_that_are_removed_at_the_same_moment_leave_no_strong_session() {
    let database = TestDatabase::new();
    let (mut connection, env) = (database.connect(), FixedEnv::at(NOW));
    let (user, session) = person(&mut connection, &env);
    let mut pg = Pg::new(&mut connection);
    let name = PasskeyName::parse("Key").unwrap();
    let passkeys: Vec<_> = (0..AT_ONCE)
        .map(|n| {
            let id = n.to_be_bytes();
            let new = NewPasskey { name: &name, credential_id: &id, user_handle: &[7; 16], credential: "{}" };
            pg.add_passkey(user, session, new, NOW).unwrap().id
        })
        .collect();
    assert!(pg.live_session(session, NOW).unwrap().unwrap().strong);
    assert_eq!(allowed(&database, |n, pg| pg.remove_passkey(user, passkeys[n])).len(), AT_ONCE);
    assert!(!pg.live_session(session, NOW).unwrap().unwrap().strong);
}

#[test]
fn a_change_allowed_by_a_code_locks_the_person_before_the_app() {
    let database = TestDatabase::new();
    let (mut connection, env, seal) = (database.connect(), FixedEnv::at(NOW), seal());
    let (user, session) = person(&mut connection, &env);
    let mut pg = Pg::new(&mut connection);
    let secret = pg.begin_totp(user, session, &seal, &env).unwrap();
    pg.confirm_totp(user, session, &secret.code_at(NOW), &seal, &env).unwrap();
    let session = pg.live_session(session, NOW).unwrap().unwrap();
    let later = NOW.plus(9 * TOTP_STEP);

    // Another person has the person: nobody may hold the app meanwhile and wait for the person.
    let mut other = database.connect();
    other.begin_test_transaction().unwrap();
    Pg::new(&mut other).lock_factors(user).unwrap();
    connection.begin_test_transaction().unwrap();
    connection.batch_execute("SET LOCAL lock_timeout = '100ms'").unwrap();
    let mut pg = Pg::new(&mut connection);
    let allowed = pg.allow_by_code(&session, Some(&secret.code_at(later)), &seal, later);
    assert!(matches!(allowed, Err(IdentityError::Store(_))), "{allowed:?}");
    assert!(Pg::new(&mut other).lock_totp(user).unwrap().is_some());
}
