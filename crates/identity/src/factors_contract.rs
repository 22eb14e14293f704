//! The contract test suite of [`crate::FactorStore`], with the rules of [`Factors`] over it. Run against memory and
//! Postgres.

use kernel::{Email, FixedEnv, PasskeyId, SessionId, Timestamp, UserId};

use crate::{
    FRESH_PROOF_LIFETIME, FactorStore, FactorUsed, Factors, Identity, IdentityError, MAX_PASSKEYS, NewPasskey,
    NewSession, Passkey, PasskeyName, PasswordHash, ProofOfAddress, Protection, RecoveryCode, Role, Seal, SealError,
    Session, TOTP_BEGUN, TOTP_STEP, TotpSecret, fixtures,
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
    an_app_protects_from_its_first_code_on,
    an_app_that_was_begun_waits_for_an_hour,
    a_code_is_taken_once,
    a_recovery_code_is_taken_once,
    new_recovery_codes_make_the_old_ones_worthless,
    an_app_needs_the_secret_that_sealed_it,
    the_last_factor_takes_the_strength_of_all_sessions_along,
    passkeys_have_names_and_owners,
    one_device_key_is_one_passkey,
    the_last_way_in_is_kept,
    nobody_has_more_passkeys_than_allowed,
    a_use_is_remembered,
    what_changes_the_protection_needs_proof,
    an_operator_takes_every_factor_away,
    what_was_verified_has_to_be_so_still,
    without_a_password_a_fresh_session_stands_in_for_it,
];

const NOW: Timestamp = Timestamp::from_millis(1_795_226_400_000);

fn env() -> FixedEnv {
    FixedEnv::at(NOW)
}

fn seal() -> Seal {
    Seal::new(&[6; 32]).unwrap()
}

/// A signed-in user.
fn person(store: &mut dyn FactorStore, address: &str, env: &FixedEnv) -> (UserId, SessionId) {
    let user = fixtures::register(store, address, NOW).id;
    (user, sign_in(store, user, false, env))
}

fn sign_in(store: &mut dyn FactorStore, user: UserId, strong: bool, env: &FixedEnv) -> SessionId {
    store.begin_session(NewSession { user, device: "", place: "", strong }, env).unwrap().0
}

fn session(store: &mut dyn FactorStore, session: SessionId) -> Session {
    store.session_by_id(session).unwrap().unwrap()
}

fn is_strong(store: &mut dyn FactorStore, id: SessionId) -> bool {
    session(store, id).strong
}

/// Sets up an authenticator app.
fn with_app(
    store: &mut dyn FactorStore,
    user: UserId,
    session: SessionId,
    env: &FixedEnv,
) -> (TotpSecret, Vec<RecoveryCode>) {
    let secret = store.begin_totp(user, session, &seal(), env).unwrap();
    let codes = store.confirm_totp(user, session, &secret.code_at(env_now(env)), &seal(), env).unwrap();
    (secret, codes)
}

fn env_now(env: &FixedEnv) -> Timestamp {
    kernel::Env::now(env)
}

fn take(store: &mut dyn FactorStore, user: UserId, code: &str, now: Timestamp) -> Option<FactorUsed> {
    match store.take_factor_code(user, code, &seal(), now) {
        Ok(factor) => Some(factor),
        Err(IdentityError::WrongFactorCode) => None,
        Err(error) => panic!("{error}"),
    }
}

fn name(text: &str) -> PasskeyName {
    PasskeyName::parse(text).unwrap()
}

fn add(store: &mut dyn FactorStore, user: UserId, session: SessionId, id: &[u8]) -> Result<Passkey, IdentityError> {
    let new = NewPasskey { name: &name("My phone"), credential_id: id, user_handle: &[7; 16], credential: "{}" };
    store.add_passkey(user, session, new, NOW)
}

fn without_a_password_a_fresh_session_stands_in_for_it(store: &mut dyn FactorStore) {
    let env = env();
    let (user, session) = person(store, "ada@example.com", &env);
    let hash = PasswordHash::from_store("$argon2id$…".to_owned());
    let (fresh, old) = (NOW.plus(FRESH_PROOF_LIFETIME), NOW.plus(FRESH_PROOF_LIFETIME + 1));
    store.allow_change_of_ways_in(user, session, Some(&hash), old).unwrap();
    store.allow_another_way_in(user, session, fresh).unwrap();
    let late = store.allow_another_way_in(user, session, old);
    assert!(matches!(late, Err(IdentityError::FreshLoginRequired)));

    store.remove_password_hash(user).unwrap();
    store.allow_change_of_ways_in(user, session, None, fresh).unwrap();
    let late = store.allow_change_of_ways_in(user, session, None, old);
    assert!(matches!(late, Err(IdentityError::FreshLoginRequired)));
}

fn what_was_verified_has_to_be_so_still(store: &mut dyn FactorStore) {
    let env = env();
    let (user, session) = person(store, "ada@example.com", &env);
    let (other, _) = person(store, "bob@example.com", &env);
    let (old, new) = ["$argon2id$…", "$argon2id$new"].map(|hash| PasswordHash::from_store(hash.to_owned())).into();
    assert_eq!(store.acting(user, session, NOW).unwrap().1.id, session);
    assert!(matches!(store.acting(other, session, NOW), Err(IdentityError::SessionEnded)));
    assert!(store.is_password_still(user, Some(&old)).unwrap());
    assert!(!store.is_password_still(user, None).unwrap());
    assert_eq!(store.allow_change_of_ways_in(user, session, Some(&old), NOW).unwrap().id, user);

    store.update_password_hash(user, &new).unwrap();
    assert!(!store.is_password_still(user, Some(&old)).unwrap());
    let late = store.allow_change_of_ways_in(user, session, Some(&old), NOW);
    assert!(matches!(late, Err(IdentityError::CurrentPasswordWrong)));
    store.end_session(session, NOW).unwrap();
    assert!(matches!(store.acting(user, session, NOW), Err(IdentityError::SessionEnded)));
    let ended = store.allow_change_of_ways_in(user, session, Some(&new), NOW);
    assert!(matches!(ended, Err(IdentityError::SessionEnded)));
}

fn an_app_protects_from_its_first_code_on(store: &mut dyn FactorStore) {
    let (env, seal) = (env(), seal());
    let (ada, one) = person(store, "ada@example.com", &env);
    let other = sign_in(store, ada, false, &env);
    let confirm = |store: &mut dyn FactorStore, code: &str| store.confirm_totp(ada, one, code, &seal, &env);
    assert!(matches!(confirm(store, "123456"), Err(IdentityError::NoTotp)));
    assert!(matches!(store.end_totp(ada), Err(IdentityError::NoTotp)));

    let given_up = store.begin_totp(ada, one, &seal, &env).unwrap();
    let secret = store.begin_totp(ada, one, &seal, &env).unwrap();
    assert_ne!(given_up, secret);
    assert_eq!(store.protection(ada).unwrap(), Protection::default());
    assert_eq!(take(store, ada, &secret.code_at(NOW), NOW), None);
    for wrong in [given_up.code_at(NOW), String::new(), "abc".to_owned()] {
        assert!(matches!(confirm(store, &wrong), Err(IdentityError::WrongFactorCode)));
    }
    assert!(!is_strong(store, one));

    // Apps show a code in two groups.
    let code = secret.code_at(NOW);
    let codes = confirm(store, &format!(" {} {} ", &code[..3], &code[3..])).unwrap();
    assert_eq!(codes.len(), 10);
    assert_eq!(store.protection(ada).unwrap(), Protection { totp: true, recovery_codes: 10, passkeys: 0 });
    assert!(is_strong(store, one) && !is_strong(store, other));
    assert!(matches!(store.begin_totp(ada, one, &seal, &env), Err(IdentityError::TotpAlreadyEnabled)));
    assert!(matches!(confirm(store, &code), Err(IdentityError::TotpAlreadyEnabled)));
    // The code that confirmed it is used up.
    assert_eq!(take(store, ada, &code, NOW), None);
}

fn an_app_that_was_begun_waits_for_an_hour(store: &mut dyn FactorStore) {
    let (env, seal) = (env(), seal());
    let (ada, session) = person(store, "ada@example.com", &env);
    let secret = store.begin_totp(ada, session, &seal, &env).unwrap();
    env.advance(TOTP_BEGUN + 1);
    let late = store.confirm_totp(ada, session, &secret.code_at(env_now(&env)), &seal, &env);
    assert!(matches!(late, Err(IdentityError::NoTotp)));
    env.advance(-1);
    assert!(store.confirm_totp(ada, session, &secret.code_at(env_now(&env)), &seal, &env).is_ok());
}

fn a_code_is_taken_once(store: &mut dyn FactorStore) {
    let env = env();
    let (ada, session) = person(store, "ada@example.com", &env);
    let (bob, bobs) = person(store, "bob@example.com", &env);
    let (secret, _) = with_app(store, ada, session, &env);
    with_app(store, bob, bobs, &env);
    let later = NOW.plus(10 * TOTP_STEP);
    let code = secret.code_at(later);
    assert_eq!(take(store, bob, &code, later), None);
    assert_eq!(take(store, ada, &code, later), Some(FactorUsed::Totp));
    assert_eq!(take(store, ada, &code, later), None);
    assert_eq!(take(store, ada, &code, later.plus(TOTP_STEP)), None);
    assert_eq!(take(store, ada, &secret.code_at(later.plus(-TOTP_STEP)), later), None);
    assert_eq!(take(store, ada, &secret.code_at(later.plus(TOTP_STEP)), later), Some(FactorUsed::Totp));
    assert_eq!(take(store, ada, &secret.code_at(later.plus(3 * TOTP_STEP)), later), None);
}

fn a_recovery_code_is_taken_once(store: &mut dyn FactorStore) {
    let env = env();
    let (ada, session) = person(store, "ada@example.com", &env);
    let (bob, bobs) = person(store, "bob@example.com", &env);
    let (_, codes) = with_app(store, ada, session, &env);
    with_app(store, bob, bobs, &env);
    for (used, code) in codes.iter().enumerate() {
        let shown = if used % 2 == 0 { code.show() } else { code.show().to_lowercase().replace('-', " ") };
        assert_eq!(take(store, bob, &shown, NOW), None);
        assert_eq!(take(store, ada, &shown, NOW), Some(FactorUsed::RecoveryCode));
        assert_eq!(take(store, ada, &shown, NOW), None);
        assert_eq!(store.protection(ada).unwrap().recovery_codes as usize, codes.len() - used - 1);
    }
    assert_eq!(store.protection(bob).unwrap().recovery_codes, 10);
}

fn new_recovery_codes_make_the_old_ones_worthless(store: &mut dyn FactorStore) {
    let env = env();
    let (ada, session) = person(store, "ada@example.com", &env);
    let (_, old) = with_app(store, ada, session, &env);
    assert!(take(store, ada, &old[0].show(), NOW).is_some());
    let new = store.renew_recovery_codes(ada, &env).unwrap();
    assert_eq!(store.protection(ada).unwrap().recovery_codes, 10);
    assert_eq!(take(store, ada, &old[1].show(), NOW), None);
    assert!(take(store, ada, &new[0].show(), NOW).is_some());
    // The recovery codes are deleted with the app.
    store.end_totp(ada).unwrap();
    assert_eq!(take(store, ada, &new[1].show(), NOW), None);
    assert_eq!(store.protection(ada).unwrap(), Protection::default());
}

fn an_app_needs_the_secret_that_sealed_it(store: &mut dyn FactorStore) {
    let env = env();
    let (ada, session) = person(store, "ada@example.com", &env);
    let (secret, codes) = with_app(store, ada, session, &env);
    let (other, later) = (Seal::new(&[9; 32]).unwrap(), NOW.plus(5 * TOTP_STEP));
    let refused = store.take_factor_code(ada, &secret.code_at(later), &other, later);
    assert!(matches!(refused, Err(IdentityError::Seal(SealError::OtherSecret))));
    // Recovery codes work even if the operator has lost the secret of the seal.
    assert_eq!(store.take_factor_code(ada, &codes[0].show(), &other, later).unwrap(), FactorUsed::RecoveryCode);
}

fn the_last_factor_takes_the_strength_of_all_sessions_along(store: &mut dyn FactorStore) {
    let env = env();
    let (ada, one) = person(store, "ada@example.com", &env);
    let two = sign_in(store, ada, true, &env);
    let (_, bobs) = person(store, "bob@example.com", &env);
    store.update_session_strength(bobs, true).unwrap();
    with_app(store, ada, one, &env);
    let passkey = add(store, ada, one, b"key").unwrap();
    store.end_totp(ada).unwrap();
    assert!(is_strong(store, one) && is_strong(store, two));
    store.remove_passkey(ada, passkey.id).unwrap();
    assert!(!is_strong(store, one) && !is_strong(store, two) && is_strong(store, bobs));
    assert!(store.live_session(one, NOW).unwrap().is_some());
}

fn passkeys_have_names_and_owners(store: &mut dyn FactorStore) {
    let env = env();
    let (ada, session) = person(store, "ada@example.com", &env);
    let (bob, bobs) = person(store, "bob@example.com", &env);
    let first = add(store, ada, session, b"first").unwrap();
    let second = add(store, ada, session, b"second").unwrap();
    assert_eq!((first.name.as_str(), first.created_at, first.last_used_at), ("My phone", NOW, None));
    assert!(is_strong(store, session) && !is_strong(store, bobs));
    assert_eq!(store.protection(ada).unwrap(), Protection { totp: false, recovery_codes: 0, passkeys: 2 });

    assert!(matches!(store.rename_passkey(bob, first.id, &name("Mine")), Err(IdentityError::NoPasskey)));
    assert!(matches!(store.remove_passkey(bob, first.id), Err(IdentityError::NoPasskey)));
    let nowhere = PasskeyId::from_store(i64::MAX);
    assert!(matches!(store.rename_passkey(ada, nowhere, &name("Mine")), Err(IdentityError::NoPasskey)));
    assert!(matches!(store.remove_passkey(ada, nowhere), Err(IdentityError::NoPasskey)));

    let renamed = store.rename_passkey(ada, first.id, &name("Old phone")).unwrap();
    assert_eq!(renamed, Passkey { name: name("Old phone"), ..first });
    let listed: Vec<Passkey> = store.passkeys(ada).unwrap().into_iter().map(|stored| stored.passkey).collect();
    assert_eq!(listed, [renamed.clone(), second.clone()]);
    assert_eq!(store.remove_passkey(ada, renamed.id).unwrap(), renamed);
    assert_eq!(store.passkeys(ada).unwrap().len(), 1);
    assert!(is_strong(store, session));
    assert_eq!(store.passkeys(bob).unwrap(), []);
}

fn the_last_way_in_is_kept(store: &mut dyn FactorStore) {
    let env = env();
    let (ada, session) = person(store, "ada@example.com", &env);
    store.remove_password_hash(ada).unwrap();
    let (first, second) = (add(store, ada, session, b"one").unwrap(), add(store, ada, session, b"two").unwrap());
    store.remove_passkey(ada, first.id).unwrap();
    assert!(matches!(store.remove_passkey(ada, second.id), Err(IdentityError::LastSignInMethod)));
}

fn one_device_key_is_one_passkey(store: &mut dyn FactorStore) {
    let env = env();
    let (ada, session) = person(store, "ada@example.com", &env);
    let (bob, bobs) = person(store, "bob@example.com", &env);
    add(store, ada, session, b"key").unwrap();
    assert!(matches!(add(store, ada, session, b"key"), Err(IdentityError::PasskeyAlreadyAdded)));
    assert!(matches!(add(store, bob, bobs, b"key"), Err(IdentityError::PasskeyAlreadyAdded)));
    assert!(!is_strong(store, bobs));
    assert_eq!(store.lock_passkey(b"key").unwrap().unwrap().user, ada);
    assert_eq!(store.lock_passkey(b"ke").unwrap(), None);
}

fn nobody_has_more_passkeys_than_allowed(store: &mut dyn FactorStore) {
    let env = env();
    let (ada, session) = person(store, "ada@example.com", &env);
    for n in 0..MAX_PASSKEYS {
        add(store, ada, session, &n.to_be_bytes()).unwrap();
    }
    assert!(matches!(add(store, ada, session, b"one more"), Err(IdentityError::TooManyPasskeys)));
}

fn a_use_is_remembered(store: &mut dyn FactorStore) {
    let env = env();
    let (ada, session) = person(store, "ada@example.com", &env);
    add(store, ada, session, b"first").unwrap();
    add(store, ada, session, b"second").unwrap();
    let found = store.lock_passkey(b"first").unwrap().unwrap();
    assert_eq!((found.credential.as_str(), found.user_handle.as_slice()), ("{}", [7; 16].as_slice()));
    store.record_passkey_use(found.passkey.id, "{\"counter\":1}", NOW.plus(5)).unwrap();
    let used = store.lock_passkey(b"first").unwrap().unwrap();
    assert_eq!((used.credential.as_str(), used.passkey.last_used_at), ("{\"counter\":1}", Some(NOW.plus(5))));
    assert_eq!(store.lock_passkey(b"second").unwrap().unwrap().passkey.last_used_at, None);
}

fn what_changes_the_protection_needs_proof(store: &mut dyn FactorStore) {
    let env = env();
    let (ada, id) = person(store, "ada@example.com", &env);
    let old = NOW.plus(FRESH_PROOF_LIFETIME + 1);
    let weak = session(store, id);
    let refused = |allowed: Result<(), IdentityError>| match allowed {
        Ok(()) => false,
        Err(IdentityError::FreshLoginRequired) => true,
        Err(error) => panic!("{error}"),
    };
    let change_of = |store: &mut dyn FactorStore, role, session: &Session, typed, now| {
        refused(store.allow_change_of_factors(role, session, typed, now).map(|_| ()))
    };
    let change =
        |store: &mut dyn FactorStore, session: &Session, typed, now| change_of(store, Role::Admin, session, typed, now);
    let by_code = |store: &mut dyn FactorStore, session: &Session, code: Option<&str>, now| {
        refused(store.allow_by_code(session, code, &seal(), now))
    };
    let member = |store: &mut dyn FactorStore, typed, now| change_of(store, Role::Member, &weak, typed, now);
    assert!(!member(store, false, NOW) && member(store, false, old) && !member(store, true, old));
    // The first factor of an account with a role requires a proof by mail, in this session.
    let first = store.allow_change_of_factors(Role::Admin, &weak, true, NOW);
    assert!(matches!(first, Err(IdentityError::MailedCodeRequired)), "{first:?}");
    assert!(store.accept_proof_of_address(ada, Some(id), NOW).unwrap().is_some());
    let weak = session(store, id);
    assert_eq!(weak.address_proved_at, Some(NOW));
    assert!(!change(store, &weak, false, NOW) && !change(store, &weak, true, NOW));
    let late = store.allow_change_of_factors(Role::Admin, &weak, true, old);
    assert!(matches!(late, Err(IdentityError::MailedCodeRequired)), "{late:?}");
    // Another proof of the address renews it, and changes nothing else.
    assert_eq!(store.accept_proof_of_address(ada, Some(id), NOW.plus(1)).unwrap(), None);
    assert_eq!(session(store, id).address_proved_at, Some(NOW.plus(1)));

    let (secret, codes) = with_app(store, ada, id, &env);
    let strong = session(store, id);
    assert!(
        change(store, &weak, true, NOW) && !change(store, &strong, false, NOW) && change(store, &strong, false, old)
    );
    assert!(
        !by_code(store, &strong, None, NOW) && by_code(store, &strong, None, old) && by_code(store, &weak, None, NOW)
    );
    // A code is a sufficient proof at any time, and is used up.
    let code = secret.code_at(old);
    assert!(!by_code(store, &weak, Some(&code), old));
    assert!(matches!(store.allow_by_code(&weak, Some(&code), &seal(), old), Err(IdentityError::WrongFactorCode)));
    assert!(!by_code(store, &weak, Some(&codes[3].show()), old));
    assert_eq!(store.protection(ada).unwrap().recovery_codes, 9);
}

fn an_operator_takes_every_factor_away(store: &mut dyn FactorStore) {
    let env = env();
    let (ada, one) = person(store, "ada@example.com", &env);
    let (bob, bobs) = person(store, "bob@example.com", &env);
    for (user, session, key) in [(ada, one, b"ada"), (bob, bobs, b"bob")] {
        with_app(store, user, session, &env);
        add(store, user, session, key).unwrap();
    }
    let email = |text| Email::parse(text).unwrap();
    assert_eq!(store.reset_factors(&email("eve@example.com"), NOW).unwrap(), None);
    assert_eq!(store.reset_factors(&email("ADA@example.com"), NOW).unwrap().map(|user| user.id), Some(ada));
    assert_eq!(store.protection(ada).unwrap(), Protection::default());
    assert!(store.live_session(one, NOW).unwrap().is_none() && !is_strong(store, one));
    assert_eq!(store.protection(bob).unwrap(), Protection { totp: true, recovery_codes: 10, passkeys: 1 });
    assert!(store.live_session(bobs, NOW).unwrap().is_some() && is_strong(store, bobs));
}
