//! Identity on Postgres: the contract that memory keeps too, and what happens when many come at the same moment.

mod factors;
mod providers;
mod recovery;

use std::sync::{
    Arc, Mutex,
    atomic::{AtomicUsize, Ordering},
};

use diesel::{PgConnection, RunQueryDsl, sql_query};
use identity::{
    Attempt, DeviceDescription, Identity, IdentityCommands, IdentityError, IdentityQueries, Limits, NewSession,
    RateLimitBucket, RefreshKey, RefreshToken, Role, Seal, contract, fixtures,
};
use kernel::{Email, FixedEnv, MINUTE, StoreError, Timestamp, UserId};
use postgres::{Change, Db, DbConfig, Notification, Pg};
use testing::TestDatabase;

use crate::harness::{at_once, on_empty_tables};

fn device_of(user: UserId) -> NewSession<'static> {
    NewSession { user, device: "Firefox on Linux", place: "", strong: false }
}

const NOW: Timestamp = Timestamp::from_millis(1_795_226_400_000);
const AT_ONCE: usize = 20;
const SEEN: DeviceDescription<'static> = DeviceDescription { device: "Firefox on Linux", place: "This network" };
const KEY: RefreshKey = RefreshKey::new([5; 32]);

#[test]
fn postgres_keeps_the_contract() {
    let database = TestDatabase::new();
    contract::run(|case| on_empty_tables(&database, |pg| case(pg)));
}

fn register(pg: &mut Pg<'_>, address: &str) -> Result<UserId, IdentityError> {
    fixtures::try_register(pg, address, NOW).map(|user| user.id)
}

fn count(connection: &mut PgConnection, what: &str) -> i64 {
    #[derive(diesel::QueryableByName)]
    struct Count {
        #[diesel(sql_type = diesel::sql_types::BigInt)]
        count: i64,
    }
    sql_query(format!("SELECT count(*) FROM {what}")).get_result::<Count>(connection).unwrap().count
}

#[test]
fn of_many_sign_ups_with_one_address_one_wins() {
    let database = TestDatabase::new();
    let done = at_once::<_, IdentityError>(&database, AT_ONCE, |n, pg| {
        register(pg, if n % 2 == 0 { "ada@example.com" } else { "Ada@Example.com" })
    });
    let (won, lost): (Vec<_>, Vec<_>) = done.into_iter().partition(Result::is_ok);
    assert_eq!(won.len(), 1);
    assert!(lost.into_iter().all(|lost| matches!(lost, Err(IdentityError::EmailTaken))));
    assert_eq!(count(&mut database.connect(), "users"), 1);
}

#[test]
fn many_refreshes_with_one_secret_get_one_successor() {
    let database = TestDatabase::new();
    let mut connection = database.connect();
    let mut pg = Pg::new(&mut connection);
    let user = register(&mut pg, "ada@example.com").unwrap();
    let (session, secret) = pg.begin_session(device_of(user), &FixedEnv::at(NOW)).unwrap();
    let done = at_once::<_, IdentityError>(&database, AT_ONCE, |_, pg| {
        Ok(pg.refresh_session(&secret, &KEY, SEEN, NOW)?.expect("the session is live").secret)
    });
    for successor in done {
        assert_eq!(successor.unwrap(), secret.successor(&KEY));
    }
    assert!(pg.live_session(session, NOW).unwrap().is_some());
    assert_eq!(count(&mut connection, "refresh_secrets"), 2);
    assert_eq!(count(&mut connection, "refresh_secrets WHERE replaced_at IS NULL"), 1);
}

#[test]
fn no_refresh_survives_a_theft_that_shows_at_the_same_moment() {
    let database = TestDatabase::new();
    let mut connection = database.connect();
    let mut pg = Pg::new(&mut connection);
    let user = register(&mut pg, "ada@example.com").unwrap();
    let (session, first) = pg.begin_session(device_of(user), &FixedEnv::at(NOW)).unwrap();
    let second = pg.refresh_session(&first, &KEY, SEEN, NOW).unwrap().unwrap().secret;
    let late = NOW.plus(MINUTE);
    at_once::<_, IdentityError>(&database, AT_ONCE, |n, pg| {
        let secret: &RefreshToken = if n % 2 == 0 { &first } else { &second };
        Ok(pg.refresh_session(secret, &KEY, SEEN, late)?.is_some())
    });
    assert!(pg.live_session(session, late).unwrap().is_none());
    let third = second.successor(&KEY);
    assert!(pg.refresh_session(&third, &KEY, SEEN, late).unwrap().is_none());
}

#[test]
fn a_burst_of_three_admits_three_of_fifty() {
    let database = TestDatabase::new();
    let limits: Limits = "3/60,100/3600".parse().unwrap();
    let other: Limits = "40/60".parse().unwrap();
    let done = at_once::<_, IdentityError>(&database, 50, |_, pg| {
        let tries = [
            Attempt { bucket: RateLimitBucket::Login, subject: "192.0.2.1", limits: &limits },
            Attempt { bucket: RateLimitBucket::LoginAccount, subject: "x", limits: &other },
        ];
        pg.count_attempts(&tries, NOW)
    });
    let (admitted, refused): (Vec<_>, Vec<_>) = done.into_iter().partition(Result::is_ok);
    assert_eq!(admitted.len(), 3);
    for refusal in refused {
        assert!(matches!(refusal, Err(IdentityError::RateLimited(after)) if after.seconds() == 20));
    }
}

#[test]
fn nodes_that_start_at_once_agree_on_their_keys() {
    let database = TestDatabase::new();
    let seal = Seal::new(&[6; 32]).unwrap();
    let secret = RefreshToken::generate(&FixedEnv::at(NOW));
    let node = AtomicUsize::new(0);
    let done = at_once::<_, IdentityError>(&database, 8, |_, pg| {
        let env = FixedEnv::at(NOW);
        // Each node has random bytes of its own.
        for _ in 0..node.fetch_add(1, Ordering::SeqCst) {
            RefreshToken::generate(&env);
        }
        let ring = pg.key_ring_or_first(&seal, &env)?;
        let refresh = pg.refresh_key(&seal, &env)?;
        let token = ring.issue(UserId::from_store(1), kernel::SessionId::from_store(1), Role::Member, &env);
        Ok((ring, token, secret.successor(&refresh)))
    });
    let nodes: Vec<_> = done.into_iter().map(Result::unwrap).collect();
    for (ring, _, successor) in &nodes {
        assert_eq!(successor, &nodes[0].2);
        for (_, token, _) in &nodes {
            assert!(ring.verify(token, NOW).is_ok());
        }
    }
    assert_eq!(count(&mut database.connect(), "root_keys"), 1);
}

#[test]
fn rotations_at_once_leave_one_current_key() {
    let database = TestDatabase::new();
    let seal = Seal::new(&[6; 32]).unwrap();
    let env = FixedEnv::at(NOW);
    let done = at_once::<_, IdentityError>(&database, 8, |_, pg| pg.rotate_root_key(&seal, &env).map(|_| ()));
    assert!(done.into_iter().all(|done| done.is_ok()));
    let mut connection = database.connect();
    assert_eq!(count(&mut connection, "root_keys WHERE retired_at IS NULL"), 1);
    assert_eq!(count(&mut connection, "root_keys"), 8);
}

#[test]
fn what_nodes_hold_in_memory_is_said_to_have_changed() {
    let database = TestDatabase::new();
    let config = DbConfig {
        url: database.url().to_owned(),
        direct_url: None,
        replica_url: None,
        read_connections: 1,
        write_connections: 1,
        wait: std::time::Duration::from_secs(10),
    };
    let db = Db::new(&config, "node");
    let heard = Arc::new(Mutex::new(Vec::new()));
    let listener = Arc::clone(&heard);
    db.on_change(move |change| {
        if let Notification::Change(change) = change {
            listener.lock().unwrap().push(change);
        }
    });
    let said = || std::mem::take(&mut *heard.lock().unwrap());
    let env = FixedEnv::at(NOW);
    let seal = Seal::new(&[6; 32]).unwrap();

    let (user, [one, two, three]) = db
        .write_now::<_, IdentityError>(|pg| {
            let user = register(pg, "ada@example.com")?;
            let mut session = || pg.begin_session(device_of(user), &env).map(|(session, _)| session);
            Ok((user, [session()?, session()?, session()?]))
        })
        .unwrap();
    assert_eq!(said(), []);
    db.write_now::<_, StoreError>(|pg| pg.end_session(one, NOW)).unwrap();
    assert_eq!(said(), [Change::Session(one)]);
    let email = Email::parse("ada@example.com").unwrap();
    db.write_now::<_, StoreError>(|pg| pg.grant_role(&email, Role::Admin, NOW)).unwrap();
    let mut changes = said();
    changes.sort_by_key(|change| change != &Change::User(user));
    assert_eq!(changes.len(), 3);
    assert_eq!(changes[0], Change::User(user));
    assert!(changes.contains(&Change::Session(two)) && changes.contains(&Change::Session(three)));
    db.write_now(|pg| pg.rotate_root_key(&seal, &env)).unwrap();
    assert_eq!(said(), [Change::Keys]);
}

#[test]
fn a_logout_waits_for_a_refresh_and_ends_what_it_renewed() {
    let database = TestDatabase::new();
    let mut connection = database.connect();
    let mut pg = Pg::new(&mut connection);
    let user = register(&mut pg, "ada@example.com").unwrap();
    let (session, secret) = pg.begin_session(device_of(user), &FixedEnv::at(NOW)).unwrap();
    at_once::<_, IdentityError>(&database, AT_ONCE, |n, pg| {
        if n == 0 {
            pg.end_session_of_secret(&secret, NOW)?;
        } else {
            pg.refresh_session(&secret, &KEY, SEEN, NOW)?;
        }
        Ok(())
    });
    assert!(pg.live_session(session, NOW).unwrap().is_none());
    assert!(pg.session_by_id(session).unwrap().unwrap().revoked_at.is_some());
}
