//! Connections with sign-in providers on Postgres: the contract that memory keeps too, and what happens when many come
//! at the same moment.

use identity::{
    Identity, IdentityQueries, NewSession, Provider, ProviderArrival, ProviderError, ProviderProfile, ProviderQueries,
    Providers, providers_contract as contract,
};
use kernel::{Email, FixedEnv, Timestamp};
use postgres::Pg;
use testing::TestDatabase;

use crate::harness::{at_once, on_empty_tables};

const NOW: Timestamp = Timestamp::from_millis(1_795_226_400_000);
const AT_ONCE: usize = 20;

#[test]
fn postgres_keeps_the_contract() {
    let database = TestDatabase::new();
    contract::run(|case| on_empty_tables(&database, |pg| case(pg)));
}

fn profile(provider: Provider, subject: &str) -> ProviderProfile {
    ProviderProfile {
        provider,
        subject: subject.to_owned(),
        email: Some(Email::parse("ada@example.com").unwrap()),
        email_verified: true,
        first_name: Some("Ada".to_owned()),
        last_name: Some("Lovelace".to_owned()),
        full_name: None,
    }
}

#[test]
fn one_person_who_arrives_many_times_at_once_gets_one_account() {
    let database = TestDatabase::new();
    let arrived = at_once::<_, ProviderError>(&database, AT_ONCE, |_, pg| {
        Ok(pg.arrive_by_provider(&profile(Provider::Google, "1"), None, NOW)?.0)
    });
    let arrived: Vec<ProviderArrival> = arrived.into_iter().map(Result::unwrap).collect();
    let made = arrived.iter().filter(|arrival| matches!(arrival, ProviderArrival::New { .. })).count();
    assert_eq!(made, 1);
    assert!(arrived.iter().all(|arrival| arrival.user() == arrived[0].user()));
}

#[test]
fn of_two_ways_in_that_are_taken_away_at_once_one_stays() {
    let database = TestDatabase::new();
    let mut connection = database.connect();
    let mut pg = Pg::new(&mut connection);
    let user = pg.arrive_by_provider(&profile(Provider::Google, "1"), None, NOW).unwrap().0.user();
    let new = NewSession { user, device: "", place: "", strong: false };
    let (session, _) = pg.begin_session(new, &FixedEnv::at(NOW)).unwrap();
    pg.connect_provider(user, session, &profile(Provider::Apple, "1"), NOW).unwrap();
    let done = at_once::<_, ProviderError>(&database, AT_ONCE, |n, pg| {
        pg.disconnect_provider(user, if n % 2 == 0 { Provider::Google } else { Provider::Apple })
    });
    assert!(done.iter().any(|done| matches!(done, Err(ProviderError::LastSignInMethod(_)))));
    assert_eq!(pg.providers_of(user).unwrap().len(), 1);
    assert!(pg.user(user).unwrap().is_some());
}
