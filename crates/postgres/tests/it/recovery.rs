//! Ways back in on Postgres when many come at the same moment, each in a transaction of its own.

use identity::{
    CODE_TRIES, Identity, IdentityError, IdentityQueries, PasswordHash, Recovery, Registration, RegistrationForm, User,
};
use kernel::{Email, FixedEnv, Timestamp};
use postgres::Pg;
use testing::TestDatabase;

use crate::support::at_once;

const NOW: Timestamp = Timestamp::from_millis(1_795_226_400_000);
const AT_ONCE: usize = 20;

fn hash(n: usize) -> PasswordHash {
    PasswordHash::from_store(format!("$argon2id${n}"))
}

fn register(pg: &mut Pg<'_>, address: &str) -> User {
    let form = RegistrationForm {
        email: address,
        password: "correct horse",
        first_name: "Ada",
        last_name: "Lovelace",
        timezone: None,
    };
    pg.register(&Registration::read(form).unwrap(), &hash(0), NOW).unwrap()
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
        at_once::<_, IdentityError>(&database, AT_ONCE, |_, pg| Ok(pg.redeem_login_code(&ada.email, &code, NOW)?));
    assert_eq!(done.into_iter().filter(|done| matches!(done, Ok(Some(_)))).count(), 1, "good once");

    let code = pg.issue_login_link(&ada.email, Some(ada.id), &FixedEnv::at(NOW.plus(1))).unwrap().code.unwrap();
    let tries =
        at_once::<_, IdentityError>(&database, AT_ONCE, |_, pg| Ok(pg.redeem_login_code(&ada.email, "no code", NOW)?));
    assert!(tries.into_iter().all(|tried| matches!(tried, Ok(None))));
    assert!(AT_ONCE > CODE_TRIES as usize);
    assert_eq!(pg.redeem_login_code(&ada.email, &code, NOW).unwrap(), None);
}

#[test]
fn of_many_who_move_to_one_address_one_gets_it_and_the_others_stay_as_they_are() {
    let database = TestDatabase::new();
    let mut connection = database.connect();
    let mut pg = Pg::new(&mut connection);
    let env = FixedEnv::at(NOW);
    let wanted = Email::parse("wanted@example.com").unwrap();
    let people: Vec<(User, String)> = (0..AT_ONCE)
        .map(|n| {
            let user = register(&mut pg, &format!("member{n}@example.com"));
            let code = pg.issue_address_change(user.id, &wanted, &env).unwrap().token;
            (user, code)
        })
        .collect();
    let done = at_once::<_, IdentityError>(&database, AT_ONCE, |n, pg| pg.confirm_email(&people[n].1, NOW));
    let (won, lost): (Vec<_>, Vec<_>) = done.into_iter().partition(Result::is_ok);
    assert_eq!(won.len(), 1);
    assert!(lost.iter().all(|lost| matches!(lost, Err(IdentityError::EmailTakenMeanwhile))));
    let winner = won.into_iter().next().unwrap().unwrap().unwrap().user.id;
    assert_eq!(pg.account(&wanted).unwrap().unwrap().user.id, winner);
    for (user, _) in people.iter().filter(|(user, _)| user.id != winner) {
        assert_eq!(pg.user(user.id).unwrap().as_ref(), Some(user));
    }
}
