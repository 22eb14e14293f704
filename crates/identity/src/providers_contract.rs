//! The contract test suite of [`crate::ProviderStore`], with the rules of [`Providers`] over it. Run against memory and
//! Postgres.

use std::sync::LazyLock;

use kernel::{Email, FixedEnv, HOUR, Timestamp, UserId};

use crate::{
    FactorStore, Factors, FirstProof, Identity, Issue, NewPasskey, NewSession, PasskeyName, PasswordHash, Protection,
    Provider, ProviderArrival, ProviderConnection, ProviderError, ProviderProfile, Providers, Purpose, Role, fixtures,
};

/// A test case, run on an empty store.
pub type Case = fn(&mut dyn FactorStore);

/// Runs all cases; `on_empty_store` gives each one a store of its own.
pub fn run(mut on_empty_store: impl FnMut(Case)) {
    for case in CASES {
        on_empty_store(*case);
    }
}

/// The compiler reports a case that is not listed here as dead code.
const CASES: &[Case] = &[
    a_stranger_gets_an_account,
    an_address_that_is_not_verified_is_not_confirmed,
    a_connected_person_signs_in_again,
    a_verified_address_joins_its_account,
    an_address_that_is_not_verified_joins_nothing,
    the_owner_of_an_address_puts_others_out,
    without_an_address_there_is_no_account,
    a_member_connects_and_disconnects,
    a_connection_is_in_nobodys_way_but_its_own,
    the_last_way_in_is_kept,
    providers_are_forgotten,
];

/// Shared by all sessions, so that no two refresh tokens are the same.
static ENV: LazyLock<FixedEnv> = LazyLock::new(|| FixedEnv::at(NOW));
const NOW: Timestamp = Timestamp::from_millis(1_795_226_400_000);

fn email(text: &str) -> Email {
    Email::parse(text).unwrap()
}

fn profile(provider: Provider, subject: &str, address: &str, verified: bool) -> ProviderProfile {
    ProviderProfile {
        provider,
        subject: subject.to_owned(),
        email: Some(email(address)),
        email_verified: verified,
        first_name: Some("Ada".to_owned()),
        last_name: None,
        full_name: Some("Ada Lovelace".to_owned()),
    }
}

fn google(subject: &str, address: &str) -> ProviderProfile {
    profile(Provider::Google, subject, address, true)
}

/// A user with a password and an unconfirmed address.
fn register(store: &mut dyn FactorStore, address: &str) -> UserId {
    fixtures::register(store, address, NOW).id
}

fn arrive(store: &mut dyn FactorStore, profile: &ProviderProfile) -> Result<ProviderArrival, ProviderError> {
    store.arrive_by_provider(profile, Some("europe/london"), NOW).map(|(arrival, _)| arrival)
}

/// Connects a provider in the account's session, the same each time.
fn connect(
    store: &mut dyn FactorStore,
    user: UserId,
    profile: &ProviderProfile,
    now: Timestamp,
) -> Result<Option<FirstProof>, ProviderError> {
    let there = store.sessions_of(user).unwrap().first().map(|device| device.session.id);
    let session = there.unwrap_or_else(|| {
        let new = NewSession { user, device: "", place: "", strong: false };
        store.begin_session(new, &*ENV).unwrap().0
    });
    store.connect_provider(user, session, profile, now)
}

fn providers(store: &mut dyn FactorStore, user: UserId) -> Vec<Provider> {
    store.providers_of(user).unwrap().iter().map(|connection| connection.provider).collect()
}

fn a_stranger_gets_an_account(store: &mut dyn FactorStore) {
    let ProviderArrival::New { user, confirmed: true } = arrive(store, &google("1", "Ada@Example.com")).unwrap() else {
        panic!("a new account")
    };
    let account = store.account(&email("ada@example.com")).unwrap().unwrap();
    assert_eq!((account.user.id, account.password_hash), (user, None));
    let made = account.user;
    assert_eq!((made.first_name.as_str(), made.last_name.as_str()), ("Ada", "Lovelace"));
    assert_eq!((made.timezone.as_str(), made.role), ("Europe/London", Role::Member));
    assert_eq!((made.created_at, made.email_confirmed_at), (NOW, Some(NOW)));
    let connection = ProviderConnection {
        provider: Provider::Google,
        subject: "1".to_owned(),
        email: Some(email("Ada@Example.com")),
        user,
        connected_at: NOW,
        session: None,
    };
    assert_eq!(store.providers_of(user).unwrap(), [connection]);
}

fn an_address_that_is_not_verified_is_not_confirmed(store: &mut dyn FactorStore) {
    let arrival = arrive(store, &profile(Provider::Facebook, "1", "ada@example.com", false)).unwrap();
    assert!(matches!(arrival, ProviderArrival::New { confirmed: false, .. }));
    assert_eq!(store.user(arrival.user()).unwrap().unwrap().email_confirmed_at, None);
}

fn a_connected_person_signs_in_again(store: &mut dyn FactorStore) {
    let ada = arrive(store, &google("1", "ada@example.com")).unwrap().user();
    let bob = arrive(store, &google("2", "bob@example.com")).unwrap().user();
    assert_ne!(ada, bob);
    assert_eq!(arrive(store, &google("1", "ada@example.com")).unwrap(), ProviderArrival::Known(ada));
    // The provider's id counts, not the address: also if another user here has that address, or none is sent.
    assert_eq!(
        arrive(store, &profile(Provider::Google, "1", "bob@example.com", false)).unwrap(),
        ProviderArrival::Known(ada)
    );
    assert_eq!(store.providers_of(ada).unwrap()[0].email, Some(email("bob@example.com")));
    let silent = ProviderProfile { email: None, ..google("1", "ada@example.com") };
    assert_eq!(arrive(store, &silent).unwrap(), ProviderArrival::Known(ada));
    assert_eq!(store.providers_of(ada).unwrap()[0].email, Some(email("bob@example.com")));
    assert_eq!(store.user(ada).unwrap().unwrap().email, email("ada@example.com"));
    // The same id at another provider is another person.
    let other = arrive(store, &profile(Provider::Apple, "1", "eve@example.com", true)).unwrap();
    assert!(matches!(other, ProviderArrival::New { .. }));
}

fn a_verified_address_joins_its_account(store: &mut dyn FactorStore) {
    let ada = register(store, "ada@example.com");
    store.confirm_user_email(ada, NOW.plus(-HOUR)).unwrap();
    let (session, _) = store
        .begin_session(NewSession { user: ada, device: "", place: "", strong: false }, &FixedEnv::at(NOW))
        .unwrap();
    assert_eq!(arrive(store, &google("1", "ADA@example.com")).unwrap(), ProviderArrival::Joined(ada));
    assert_eq!(arrive(store, &google("1", "ADA@example.com")).unwrap(), ProviderArrival::Known(ada));
    let account = store.account(&email("ada@example.com")).unwrap().unwrap();
    assert!(account.password_hash.is_some());
    assert_eq!(account.user.email_confirmed_at, Some(NOW.plus(-HOUR)));
    assert!(store.live_session(session, NOW).unwrap().is_some());
    // Another account at the same provider can't be connected.
    let refused = arrive(store, &google("2", "ada@example.com"));
    assert!(matches!(refused, Err(ProviderError::AnotherConnected(Provider::Google))));
}

fn an_address_that_is_not_verified_joins_nothing(store: &mut dyn FactorStore) {
    let ada = register(store, "ada@example.com");
    for confirmed in [false, true] {
        if confirmed {
            store.confirm_user_email(ada, NOW).unwrap();
        }
        let refused = arrive(store, &profile(Provider::Facebook, "1", "Ada@example.com", false));
        let Err(error @ ProviderError::ConnectFirst) = refused else { panic!("{refused:?}") };
        assert_eq!(
            error.to_string(),
            "There is already an account with this address: log in with your password first, then connect it in your account."
        );
    }
    assert_eq!(providers(store, ada), []);
    assert!(store.provider_connection(Provider::Facebook, "1").unwrap().is_none());
}

fn the_owner_of_an_address_puts_others_out(store: &mut dyn FactorStore) {
    let env = FixedEnv::at(NOW);
    let account = register(store, "ada@example.com");
    let (session, _) =
        store.begin_session(NewSession { user: account, device: "", place: "", strong: false }, &env).unwrap();
    connect(store, account, &profile(Provider::Facebook, "stranger", "eve@example.com", true), NOW).unwrap();
    let name = PasskeyName::parse("Stranger").unwrap();
    let passkey = NewPasskey { name: &name, credential_id: b"key", user_handle: &[7; 16], credential: "{}" };
    store.add_passkey(account, session, passkey, NOW).unwrap();
    let issue =
        Issue { purpose: Purpose::ChangeEmail, user: Some(account), data: Some("eve@example.com"), binding: None };
    let secret = store.issue_secret(issue, &env).unwrap();

    assert_eq!(arrive(store, &google("ada", "ada@example.com")).unwrap(), ProviderArrival::Joined(account));
    let found = store.account(&email("ada@example.com")).unwrap().unwrap();
    assert_eq!((found.password_hash, found.user.email_confirmed_at), (None, Some(NOW)));
    assert_eq!(store.protection(account).unwrap(), Protection::default());
    assert_eq!(providers(store, account), [Provider::Google]);
    assert!(store.live_session(session, NOW).unwrap().is_none());
    assert_eq!(store.redeem_secret(Purpose::ChangeEmail, &secret.token, NOW).unwrap(), None);
}

fn without_an_address_there_is_no_account(store: &mut dyn FactorStore) {
    let silent = ProviderProfile { email: None, ..google("1", "ada@example.com") };
    let Err(error) = arrive(store, &silent) else { panic!("nobody arrives without an address") };
    assert_eq!(
        error.to_string(),
        "Google did not share your email address with us. Please allow it, or sign up with a password."
    );
    assert!(store.provider_connection(Provider::Google, "1").unwrap().is_none());
}

fn a_member_connects_and_disconnects(store: &mut dyn FactorStore) {
    let ada = register(store, "ada@example.com");
    // A signed-in member may connect any account, whatever its address.
    connect(store, ada, &profile(Provider::LinkedIn, "1", "work@example.com", true), NOW).unwrap();
    connect(store, ada, &profile(Provider::Facebook, "1", "ada@example.com", false), NOW).unwrap();
    assert_eq!(store.user(ada).unwrap().unwrap().email_confirmed_at, None);
    assert_eq!(providers(store, ada), [Provider::Facebook, Provider::LinkedIn]);
    // Connecting twice changes nothing else; the verified address of the account confirms it.
    connect(store, ada, &profile(Provider::LinkedIn, "1", "Ada@example.com", true), NOW).unwrap();
    assert_eq!(store.user(ada).unwrap().unwrap().email_confirmed_at, Some(NOW));
    assert_eq!(arrive(store, &google("9", "ada@example.com")).unwrap(), ProviderArrival::Joined(ada));
    assert_eq!(providers(store, ada), [Provider::Google, Provider::Facebook, Provider::LinkedIn]);

    store.disconnect_provider(ada, Provider::Facebook).unwrap();
    store.disconnect_provider(ada, Provider::Facebook).unwrap();
    store.disconnect_provider(ada, Provider::Apple).unwrap();
    assert_eq!(providers(store, ada), [Provider::Google, Provider::LinkedIn]);
    // After disconnecting, a sign-in with the same provider account creates a new account.
    let back = arrive(store, &profile(Provider::Facebook, "1", "new@example.com", true)).unwrap();
    assert!(matches!(back, ProviderArrival::New { user, .. } if user != ada));
}

fn a_connection_is_in_nobodys_way_but_its_own(store: &mut dyn FactorStore) {
    let (ada, bob) = (register(store, "ada@example.com"), register(store, "bob@example.com"));
    connect(store, ada, &google("1", "x@example.com"), NOW).unwrap();
    let elsewhere = connect(store, bob, &google("1", "x@example.com"), NOW);
    assert!(matches!(elsewhere, Err(ProviderError::ConnectedElsewhere(Provider::Google))));
    let another = connect(store, ada, &google("2", "y@example.com"), NOW);
    assert!(matches!(another, Err(ProviderError::AnotherConnected(Provider::Google))));
    connect(store, bob, &google("2", "y@example.com"), NOW).unwrap();
    let taken = ProviderConnection {
        provider: Provider::Google,
        subject: "2".to_owned(),
        email: None,
        user: ada,
        connected_at: NOW,
        session: None,
    };
    assert!(!store.insert_provider_connection(&taken).unwrap());
    assert!(!store.insert_provider_connection(&ProviderConnection { subject: "3".to_owned(), ..taken }).unwrap());
    assert_eq!((providers(store, ada).len(), providers(store, bob).len()), (1, 1));
}

fn the_last_way_in_is_kept(store: &mut dyn FactorStore) {
    let ada = arrive(store, &google("1", "ada@example.com")).unwrap().user();
    let Err(error) = store.disconnect_provider(ada, Provider::Google) else { panic!("it is the last way in") };
    assert_eq!(error.to_string(), "Google is your only way to log in. Please set a password first.");
    connect(store, ada, &profile(Provider::Apple, "1", "ada@example.com", true), NOW).unwrap();
    store.disconnect_provider(ada, Provider::Google).unwrap();
    assert!(matches!(
        store.disconnect_provider(ada, Provider::Apple),
        Err(ProviderError::LastSignInMethod(Provider::Apple))
    ));
    store.update_password_hash(ada, &PasswordHash::from_store("$argon2id$…".to_owned())).unwrap();
    assert!(store.lock_ways_in(ada).unwrap().password);
    store.disconnect_provider(ada, Provider::Apple).unwrap();
    assert_eq!(providers(store, ada), []);
}

fn providers_are_forgotten(store: &mut dyn FactorStore) {
    let (ada, bob) = (register(store, "ada@example.com"), register(store, "bob@example.com"));
    connect(store, ada, &google("1", "x@example.com"), NOW).unwrap();
    connect(store, ada, &profile(Provider::Apple, "1", "x@example.com", true), NOW).unwrap();
    connect(store, bob, &google("2", "x@example.com"), NOW).unwrap();
    store.disconnect_all_providers(ada).unwrap();
    assert_eq!((providers(store, ada), providers(store, bob)), (vec![], vec![Provider::Google]));
}
