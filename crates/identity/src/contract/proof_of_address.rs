//! The first proof of an address, in every way to give one.

use std::sync::LazyLock;

use kernel::DAY;

use super::*;
use crate::{
    Factors, NewPasskey, PasskeyName, ProofOfAddress, Protection, Provider, ProviderArrival, ProviderProfile,
    Providers, Recovery, RemovedMethods, SESSION_MAX_LIFETIME,
};

/// See [`super::run`].
pub(super) const CASES: &[Case] = &[
    every_first_proof_outside_of_a_session_removes_what_came_before_it,
    a_proof_in_a_session_keeps_it_and_what_was_made_in_it,
    a_password_of_another_session_goes_also_in_a_session,
    a_password_that_was_typed_in_the_session_of_the_proof_stays,
    a_session_of_another_account_or_an_ended_one_keeps_nothing,
    a_second_proof_removes_nothing,
    the_first_move_of_an_account_ends_its_other_sessions,
    a_provider_that_vouches_for_the_address_later_proves_it,
    a_reset_removes_a_thiefs_ways_in_but_no_second_factor,
    a_session_ends_after_a_year_whatever_is_refreshed,
    a_held_session_is_found_by_its_current_secret,
];

/// Shared by all cases, so that no two secrets are the same.
static ENV: LazyLock<FixedEnv> = LazyLock::new(env);

/// An account that a stranger created with another person's address, with all of the stranger's sign-in methods.
struct Prepared {
    user: User,
    session: SessionId,
    secret: RefreshToken,
    change: String,
}

fn in_session(store: &mut dyn FactorStore, user: UserId, strong: bool) -> (SessionId, RefreshToken) {
    store.begin_session(NewSession { user, device: "Chrome on Windows", place: "", strong }, &*ENV).unwrap()
}

fn profile(provider: Provider, subject: &str, address: &str, email_verified: bool) -> ProviderProfile {
    ProviderProfile {
        provider,
        subject: subject.to_owned(),
        email: Some(email(address)),
        email_verified,
        first_name: None,
        last_name: None,
        full_name: None,
    }
}

/// Adds an authenticator app, a passkey and a provider to an account.
fn add_methods(store: &mut dyn FactorStore, user: UserId, session: SessionId, name: &'static str) {
    let app = store.begin_totp(user, session, &seal(), &*ENV).unwrap();
    store.confirm_totp(user, session, &app.code_at(NOW), &seal(), &*ENV).unwrap();
    add_passkey(store, user, session, name);
    store.connect_provider(user, session, &profile(Provider::Facebook, name, "eve@example.com", true), NOW).unwrap();
}

fn add_passkey(store: &mut dyn FactorStore, user: UserId, session: SessionId, name: &'static str) {
    let called = PasskeyName::parse(name).unwrap();
    let passkey = NewPasskey { name: &called, credential_id: name.as_bytes(), user_handle: &[7; 16], credential: "{}" };
    store.add_passkey(user, session, passkey, NOW).unwrap();
}

fn prepared(store: &mut dyn FactorStore, address: &str) -> Prepared {
    let user = register(store, address);
    let (session, secret) = in_session(store, user.id, false);
    store.update_password_session(user.id, Some(session)).unwrap();
    let name: &'static str = if address.starts_with("ada") { "ada's stranger" } else { "a stranger" };
    add_methods(store, user.id, session, name);
    let change = store.issue_address_change(user.id, &email("eve@example.com"), &*ENV).unwrap().token;
    Prepared { user, session, secret, change }
}

/// Checks that none of the stranger's sign-in methods works any more.
#[track_caller]
fn assert_is_out(store: &mut dyn FactorStore, before: &Prepared) {
    let Prepared { user, session, secret, change } = before;
    assert!(!is_live(store, *session, NOW));
    assert_eq!(refresh(store, secret, NOW), None);
    assert_ne!(store.account(&user.email).unwrap().unwrap().password_hash, Some(hash()));
    assert_eq!(store.protection(user.id).unwrap(), Protection::default());
    assert!(store.passkeys(user.id).unwrap().is_empty());
    assert_eq!(store.provider_connection(Provider::Facebook, "ada's stranger").unwrap(), None);
    assert_eq!(store.redeem_secret(Purpose::ChangeEmail, change, NOW).unwrap(), None);
    let now = store.user(user.id).unwrap().unwrap();
    assert_eq!(now.email_confirmed_at, Some(NOW));
    assert!(now.devices_version > user.devices_version);
}

const ALL: RemovedMethods = RemovedMethods { password: true, totp: true, passkeys: 1, providers: 1 };

/// A way to prove an address outside of a session of the account.
type Proof = fn(&mut dyn FactorStore, &User);

fn every_first_proof_outside_of_a_session_removes_what_came_before_it(store: &mut dyn FactorStore) {
    let proofs: [Proof; 5] = [
        |store, user| {
            let link = store.issue_login_link(&user.email, Some(user.id), &*ENV).unwrap().token;
            let signed_in = store.redeem_login_link(&link, None, NOW).unwrap().unwrap();
            assert_eq!(signed_in.first_proof.unwrap().removed, ALL);
        },
        |store, user| {
            let code = store.issue_login_link(&user.email, Some(user.id), &*ENV).unwrap().code.unwrap();
            let signed_in = store.redeem_login_code(&user.email, &code, None, NOW).unwrap().unwrap();
            assert_eq!(signed_in.first_proof.unwrap().removed, ALL);
        },
        |store, user| {
            let code = store.issue_reset(user.id, &*ENV).unwrap().token;
            let new = PasswordHash::from_store("$argon2id$new".to_owned());
            let reset = store.reset_password(&code, &user.email, &new, NOW).unwrap().unwrap();
            assert_eq!(reset.removed, ALL);
        },
        |store, user| {
            let code = store.issue_confirmation(user, &*ENV).unwrap().token;
            let confirmed = store.confirm_email(&code, None, NOW).unwrap().unwrap();
            assert_eq!(confirmed.first_proof.unwrap().removed, ALL);
        },
        |store, user| {
            let owner = profile(Provider::Google, "ada", user.email.as_str(), true);
            let (arrival, first_proof) = store.arrive_by_provider(&owner, None, NOW).unwrap();
            assert_eq!(arrival, ProviderArrival::Joined(user.id));
            assert_eq!(first_proof.unwrap().removed, ALL);
        },
    ];
    let bystander = prepared(store, "bob@example.com");
    for proof in proofs {
        let before = prepared(store, "ada@example.com");
        proof(store, &before.user);
        assert_is_out(store, &before);
        store.delete_user(before.user.id).unwrap();
        store.disconnect_all_providers(before.user.id).unwrap();
    }
    assert!(is_live(store, bystander.session, NOW));
    assert!(store.protection(bystander.user.id).unwrap().totp);
    assert_eq!(store.passkeys(bystander.user.id).unwrap().len(), 1);
    assert_eq!(store.providers_of(bystander.user.id).unwrap().len(), 1);
    assert!(store.account(&bystander.user.email).unwrap().unwrap().password_hash.is_some());
}

fn a_proof_in_a_session_keeps_it_and_what_was_made_in_it(store: &mut dyn FactorStore) {
    let before = prepared(store, "ada@example.com");
    let (other, _) = in_session(store, before.user.id, true);
    add_passkey(store, before.user.id, other, "of another session");
    let code = store.issue_confirmation(&before.user, &*ENV).unwrap().token;
    let confirmed = store.confirm_email(&code, Some(before.session), NOW).unwrap().unwrap();
    assert_eq!(confirmed.first_proof.unwrap().removed, RemovedMethods { passkeys: 1, ..RemovedMethods::default() });

    assert!(is_live(store, before.session, NOW) && !is_live(store, other, NOW));
    assert!(store.live_session(before.session, NOW).unwrap().unwrap().strong);
    assert_eq!(store.account(&before.user.email).unwrap().unwrap().password_hash, Some(hash()));
    let protection = store.protection(before.user.id).unwrap();
    assert!(protection.totp && protection.recovery_codes > 0);
    let names: Vec<String> =
        store.passkeys(before.user.id).unwrap().iter().map(|stored| stored.passkey.name.as_str().to_owned()).collect();
    assert_eq!(names, ["ada's stranger"]);
    assert_eq!(store.providers_of(before.user.id).unwrap().len(), 1);
}

fn a_password_of_another_session_goes_also_in_a_session(store: &mut dyn FactorStore) {
    let before = prepared(store, "ada@example.com");
    // A session without the password, for example by a passkey.
    let (owners, _) = in_session(store, before.user.id, false);
    let code = store.issue_confirmation(&before.user, &*ENV).unwrap().token;
    let confirmed = store.confirm_email(&code, Some(owners), NOW).unwrap().unwrap();
    assert_eq!(confirmed.first_proof.unwrap().removed, ALL);
    assert!(is_live(store, owners, NOW));
    assert_is_out(store, &before);
}

fn a_password_that_was_typed_in_the_session_of_the_proof_stays(store: &mut dyn FactorStore) {
    let before = prepared(store, "ada@example.com");
    let (owners, _) = in_session(store, before.user.id, false);
    store.prove_by_password(before.user.id, owners, Some(&hash()), NOW).unwrap();
    assert!(store.session_by_id(owners).unwrap().unwrap().password_typed);
    let code = store.issue_confirmation(&before.user, &*ENV).unwrap().token;
    let confirmed = store.confirm_email(&code, Some(owners), NOW).unwrap().unwrap();
    // Everything else that was added in the other session is removed.
    assert_eq!(confirmed.first_proof.unwrap().removed, RemovedMethods { password: false, ..ALL });
    assert_eq!(store.account(&before.user.email).unwrap().unwrap().password_hash, Some(hash()));
    assert!(is_live(store, owners, NOW) && !is_live(store, before.session, NOW));
    assert_eq!(store.protection(before.user.id).unwrap(), Protection::default());
}

fn a_session_of_another_account_or_an_ended_one_keeps_nothing(store: &mut dyn FactorStore) {
    let bob = register(store, "bob@example.com");
    let (bobs, _) = in_session(store, bob.id, false);
    for is_ended in [false, true] {
        let before = prepared(store, "ada@example.com");
        let held = if is_ended { before.session } else { bobs };
        if is_ended {
            store.end_session(before.session, NOW).unwrap();
        }
        let first = store.accept_proof_of_address(before.user.id, Some(held), NOW).unwrap().unwrap();
        assert_eq!(first.removed, ALL);
        assert_is_out(store, &before);
        store.delete_user(before.user.id).unwrap();
        store.disconnect_all_providers(before.user.id).unwrap();
    }
    assert!(is_live(store, bobs, NOW));
}

fn a_second_proof_removes_nothing(store: &mut dyn FactorStore) {
    let before = prepared(store, "ada@example.com");
    store.confirm_user_email(before.user.id, NOW.plus(-DAY)).unwrap();
    let link = store.issue_login_link(&before.user.email, Some(before.user.id), &*ENV).unwrap().token;
    assert_eq!(store.redeem_login_link(&link, None, NOW).unwrap().unwrap().first_proof, None);
    assert!(is_live(store, before.session, NOW) && store.protection(before.user.id).unwrap().totp);
    assert_eq!(store.account(&before.user.email).unwrap().unwrap().password_hash, Some(hash()));
    assert_eq!(store.user(before.user.id).unwrap().unwrap().email_confirmed_at, Some(NOW.plus(-DAY)));
}

fn the_first_move_of_an_account_ends_its_other_sessions(store: &mut dyn FactorStore) {
    let before = prepared(store, "ada@example.com");
    let (other, _) = in_session(store, before.user.id, false);
    let moved = store.confirm_email(&before.change, Some(before.session), NOW).unwrap().unwrap();
    assert_eq!(moved.user.email, email("eve@example.com"));
    assert!(is_live(store, before.session, NOW) && !is_live(store, other, NOW));
    // Once the address is proved, a later change of address ends no session.
    let (other, _) = in_session(store, before.user.id, false);
    let code = store.issue_address_change(before.user.id, &email("later@example.com"), &*ENV).unwrap().token;
    store.confirm_email(&code, Some(before.session), NOW).unwrap().unwrap();
    assert!(is_live(store, other, NOW));
}

fn a_provider_that_vouches_for_the_address_later_proves_it(store: &mut dyn FactorStore) {
    let unsure = profile(Provider::Facebook, "ada", "ada@example.com", false);
    let ada = store.arrive_by_provider(&unsure, None, NOW).unwrap().0.user();
    let (session, _) = in_session(store, ada, false);
    store.record_provider_session(ada, Provider::Facebook, session).unwrap();
    let (other, _) = in_session(store, ada, false);
    store.record_provider_session(ada, Provider::Facebook, other).unwrap();
    add_passkey(store, ada, other, "of another session");
    assert_eq!(store.providers_of(ada).unwrap()[0].session, Some(session));
    // The connection keeps the first session that began with it.
    let mail = store.user(ada).unwrap().unwrap();
    let code = store.issue_confirmation(&mail, &*ENV).unwrap().token;

    let sure = ProviderProfile { email_verified: true, ..unsure };
    let (arrival, first_proof) = store.arrive_by_provider(&sure, None, NOW).unwrap();
    assert_eq!(arrival, ProviderArrival::Known(ada));
    // The connection that gives the proof is not removed.
    let removed = RemovedMethods { password: false, totp: false, passkeys: 1, providers: 0 };
    assert_eq!(first_proof.unwrap().removed, removed);
    assert_eq!(store.arrive_by_provider(&sure, None, NOW).unwrap(), (ProviderArrival::Known(ada), None));
    assert_eq!(store.user(ada).unwrap().unwrap().email_confirmed_at, Some(NOW));
    assert!(!is_live(store, session, NOW) && !is_live(store, other, NOW));
    assert!(store.passkeys(ada).unwrap().is_empty());
    assert_eq!(store.providers_of(ada).unwrap().len(), 1);
    assert_eq!(store.confirm_email(&code, None, NOW).unwrap(), None);
}

fn a_reset_removes_a_thiefs_ways_in_but_no_second_factor(store: &mut dyn FactorStore) {
    let new = PasswordHash::from_store("$argon2id$new".to_owned());
    for (role, has_app, removed) in [
        (Role::Member, false, RemovedMethods { totp: false, ..ALL }),
        (Role::Member, true, RemovedMethods { providers: 1, ..RemovedMethods::default() }),
        (Role::Admin, false, RemovedMethods { providers: 1, ..RemovedMethods::default() }),
    ] {
        let before = prepared(store, "ada@example.com");
        let id = before.user.id;
        store.confirm_user_email(id, NOW).unwrap();
        store.update_user_role(id, role).unwrap();
        if !has_app {
            store.end_totp(id).unwrap();
        }
        let code = store.issue_reset(id, &*ENV).unwrap().token;
        let reset = store.reset_password(&code, &before.user.email, &new, NOW).unwrap().unwrap();
        assert_eq!(reset.removed, removed, "{role} {has_app}");
        let kept_passkeys = usize::from(has_app || role != Role::Member);
        assert_eq!(store.passkeys(id).unwrap().len(), kept_passkeys);
        assert_eq!(store.protection(id).unwrap().totp, has_app);
        assert!(store.providers_of(id).unwrap().is_empty());
        assert_eq!(store.account(&before.user.email).unwrap().unwrap().password_hash, Some(new.clone()));
        store.delete_user(id).unwrap();
        for stored in store.passkeys(id).unwrap() {
            store.delete_passkey(id, stored.passkey.id).unwrap();
        }
    }
}

fn a_session_ends_after_a_year_whatever_is_refreshed(store: &mut dyn FactorStore) {
    let ada = register(store, "ada@example.com");
    let (session, mut secret) = in_session(store, ada.id, false);
    let mut now = NOW;
    while let Some(next) = refresh(store, &secret, now.plus(20 * DAY)) {
        now = now.plus(20 * DAY);
        secret = next;
    }
    assert_eq!(now, NOW.plus(360 * DAY));
    assert_eq!(store.session_by_id(session).unwrap().unwrap().expires_at, NOW.plus(SESSION_MAX_LIFETIME));
}

fn a_held_session_is_found_by_its_current_secret(store: &mut dyn FactorStore) {
    let ada = register(store, "ada@example.com");
    let (session, secret) = in_session(store, ada.id, false);
    let successor = refresh(store, &secret, NOW).unwrap();
    let mut held = |secret: &RefreshToken, now| store.session_held(secret, now).unwrap().map(|session| session.id);
    assert_eq!(held(&successor, NOW.plus(DAY)), Some(session));
    assert_eq!(held(&secret, NOW.plus(REFRESH_GRACE)), Some(session));
    // A token that was replaced long ago counts as stolen. Looking it up does not end the session, because nothing is
    // refreshed.
    assert_eq!(held(&secret, NOW.plus(REFRESH_GRACE + 1)), None);
    assert_eq!(held(&RefreshToken::generate(&*ENV), NOW), None);
    assert_eq!(held(&successor, NOW.plus(SESSION_LIFETIME)), None);
    store.end_session(session, NOW).unwrap();
    assert!(store.session_held(&successor, NOW).unwrap().is_none());
}
