//! Ways back in on Postgres when many come at the same moment, each in a transaction of its own.

use identity::{
    CODE_TRIES, Factors, Identity, IdentityError, IdentityQueries, NewSession, PasswordHash, ProofOfAddress, Recovery,
    User, fixtures,
};
use kernel::{Email, FixedEnv, SessionId, Timestamp};
use postgres::Pg;
use testing::TestDatabase;

use crate::harness::at_once;

const NOW: Timestamp = Timestamp::from_millis(1_795_226_400_000);
const AT_ONCE: usize = 20;

fn hash(n: usize) -> PasswordHash {
    PasswordHash::from_store(format!("$argon2id${n}"))
}

fn register(pg: &mut Pg<'_>, address: &str) -> User {
    fixtures::register(pg, address, NOW)
}

#[test]
fn of_many_uses_of_a_reset_code_one_sets_the_password() {
    let database = TestDatabase::new();
    let mut connection = database.connect();
    let mut pg = Pg::new(&mut connection);
    let ada = register(&mut pg, "ada@example.com");
    let code = pg.issue_reset(ada.id, &FixedEnv::at(NOW)).unwrap().token;
    let done = at_once::<_, IdentityError>(&database, AT_ONCE, |n, pg| {
        Ok(pg.reset_password(&code, &ada.email, &hash(n + 1), NOW)?.is_some())
    });
    let won: Vec<usize> = (0..AT_ONCE).filter(|n| *done[*n].as_ref().unwrap()).collect();
    assert_eq!(won.len(), 1);
    assert_eq!(pg.account(&ada.email).unwrap().unwrap().password_hash, Some(hash(won[0] + 1)));
}

#[test]
fn of_many_tries_of_six_digits_the_right_one_helps_among_the_first_five_only() {
    let database = TestDatabase::new();
    let mut connection = database.connect();
    let mut pg = Pg::new(&mut connection);
    let ada = register(&mut pg, "ada@example.com");
    let code = pg.issue_login_link(&ada.email, Some(ada.id), &FixedEnv::at(NOW)).unwrap().code.unwrap();
    let done =
        at_once::<_, IdentityError>(
            &database,
            AT_ONCE,
            |_, pg| Ok(pg.redeem_login_code(&ada.email, &code, None, NOW)?),
        );
    assert_eq!(done.into_iter().filter(|done| matches!(done, Ok(Some(_)))).count(), 1, "good once");

    let code = pg.issue_login_link(&ada.email, Some(ada.id), &FixedEnv::at(NOW.plus(1))).unwrap().code.unwrap();
    let tries = at_once::<_, IdentityError>(&database, AT_ONCE, |_, pg| {
        Ok(pg.redeem_login_code(&ada.email, "no code", None, NOW)?)
    });
    assert!(tries.into_iter().all(|tried| matches!(tried, Ok(None))));
    assert!(AT_ONCE > CODE_TRIES as usize);
    assert_eq!(pg.redeem_login_code(&ada.email, &code, None, NOW).unwrap(), None);
}

#[test]
fn of_many_who_move_to_one_address_one_gets_it_and_the_others_stay_as_they_are() {
    let database = TestDatabase::new();
    let mut connection = database.connect();
    let mut pg = Pg::new(&mut connection);
    let env = FixedEnv::at(NOW);
    let wanted = Email::parse("wanted@example.com").unwrap();
    let people: Vec<(User, String, SessionId)> = (0..AT_ONCE)
        .map(|n| {
            let user = register(&mut pg, &format!("member{n}@example.com"));
            let code = pg.issue_address_change(user.id, &wanted, &env).unwrap().token;
            let new = NewSession { user: user.id, device: "", place: "", strong: false };
            let (session, _) = pg.begin_session(new, &env).unwrap();
            (user, code, session)
        })
        .collect();
    let done = at_once::<_, IdentityError>(&database, AT_ONCE, |n, pg| {
        let (_, code, session) = &people[n];
        pg.confirm_email(code, Some(*session), NOW)
    });
    let (won, lost): (Vec<_>, Vec<_>) = done.into_iter().partition(Result::is_ok);
    assert_eq!(won.len(), 1);
    assert!(lost.iter().all(|lost| matches!(lost, Err(IdentityError::EmailTakenMeanwhile))));
    let winner = won.into_iter().next().unwrap().unwrap().unwrap().user.id;
    assert_eq!(pg.account(&wanted).unwrap().unwrap().user.id, winner);
    for (user, ..) in people.iter().filter(|(user, ..)| user.id != winner) {
        assert_eq!(pg.user(user.id).unwrap().as_ref(), Some(user));
    }
}

#[test]
fn a_sign_in_that_is_under_way_at_a_first_proof_leaves_no_session() {
    let database = TestDatabase::new();
    let mut connection = database.connect();
    let mut pg = Pg::new(&mut connection);
    let env = FixedEnv::at(NOW);
    for round in 0..5 {
        let ada = register(&mut pg, &format!("ada{round}@example.com"));
        let password = pg.account(&ada.email).unwrap().unwrap().password_hash;
        let done = at_once::<_, IdentityError>(&database, AT_ONCE, |n, pg| {
            if n == AT_ONCE / 2 {
                return Ok(pg.accept_proof_of_address(ada.id, None, NOW)?.is_some());
            }
            if pg.is_password_still(ada.id, password.as_ref())? {
                let new = NewSession { user: ada.id, device: "", place: "", strong: false };
                pg.begin_session(new, &env)?;
            }
            Ok(false)
        });
        assert_eq!(done.into_iter().filter(|done| *done.as_ref().unwrap()).count(), 1);
        assert_eq!(pg.devices_of(ada.id, NOW).unwrap(), []);
    }
}

#[test]
fn of_many_proofs_at_the_same_moment_one_is_the_first() {
    let database = TestDatabase::new();
    let mut connection = database.connect();
    let mut pg = Pg::new(&mut connection);
    let ada = register(&mut pg, "ada@example.com");
    let first = at_once::<_, IdentityError>(&database, AT_ONCE, |_, pg| {
        Ok(pg.accept_proof_of_address(ada.id, None, NOW)?.is_some())
    });
    assert_eq!(first.into_iter().filter(|first| *first.as_ref().unwrap()).count(), 1);
}
