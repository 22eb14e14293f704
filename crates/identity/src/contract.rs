//! The contract test suite of [`crate::IdentityStore`], with the rules of [`Identity`] over it. Run against memory and
//! Postgres.

mod api_tokens;
mod devices;
mod leaving;
mod proof_of_address;
mod recovery;

use std::net::IpAddr;

use kernel::{DAY, Email, FixedEnv, HOUR, SECOND, SessionId, Timestamp, UserId, network_of};

use crate::{
    Attempt, CODE_TRIES, DeviceDescription, FactorStore, Identity, IdentityError, Issue, IssuedSecret, Limits,
    NewSession, PasswordHash, Profile, Purpose, REFRESH_GRACE, RateLimitBucket, RefreshKey, RefreshToken, Role,
    SESSION_KEPT, SESSION_LIFETIME, Seal, SealError, Suspension, TOKEN_KEY_GRACE, TokenError, User,
    fixtures::{self, stored_hash as hash},
    hash_of_text,
};

/// A test case, run on an empty store.
pub type Case = fn(&mut dyn FactorStore);

/// Runs all cases; `on_empty_store` gives each one a store of its own.
pub fn run(mut on_empty_store: impl FnMut(Case)) {
    let cases = [CASES, api_tokens::CASES, devices::CASES, leaving::CASES, proof_of_address::CASES, recovery::CASES];
    for case in cases.iter().copied().flatten() {
        on_empty_store(*case);
    }
}

/// The compiler reports a case that is not listed here as dead code.
const CASES: &[Case] = &[
    what_was_registered_is_found,
    an_address_is_taken_once_in_any_case,
    an_added_account_has_no_password_and_no_confirmed_address,
    a_hash_is_renewed,
    a_session_lives_for_thirty_days_from_its_last_refresh,
    a_replaced_secret_gets_the_same_successor_for_ten_seconds,
    a_replaced_secret_that_comes_back_late_ends_the_session,
    a_logout_ends_one_session_and_a_role_ends_all,
    granting_a_role_confirms_the_address,
    one_admin_is_left_and_nobody_changes_their_own_role,
    a_suspended_person_is_signed_out_until_restored,
    an_address_that_an_admin_replaces_is_not_confirmed,
    an_unknown_secret_is_nobodys,
    what_ended_long_ago_is_swept,
    a_secret_is_good_once_for_its_purpose_and_its_time,
    a_new_secret_withdraws_the_older_one,
    the_fifth_wrong_code_burns_the_secret,
    expired_secrets_are_swept,
    the_first_root_key_is_made_once,
    rotation_keeps_tokens_valid_and_drops_dead_keys,
    keys_need_the_secret_that_sealed_them,
    the_refresh_key_is_made_once,
    the_media_url_key_is_made_once_and_is_no_other_key,
    a_burst_is_admitted_and_no_more,
    all_limits_must_admit_and_a_refusal_counts_nothing,
    a_released_attempt_counts_no_more,
    forgiven_limits_are_swept,
];

const NOW: Timestamp = Timestamp::from_millis(1_795_226_400_000);
const SEEN: DeviceDescription<'static> = DeviceDescription { device: "Firefox on Linux", place: "This network" };
const KEY: RefreshKey = RefreshKey::new([5; 32]);

fn env() -> FixedEnv {
    FixedEnv::at(NOW)
}

fn seal() -> Seal {
    Seal::new(&[6; 32]).unwrap()
}

fn email(text: &str) -> Email {
    Email::parse(text).unwrap()
}

fn try_register(store: &mut dyn FactorStore, address: &str) -> Result<User, IdentityError> {
    fixtures::try_register(store, address, NOW)
}

fn register(store: &mut dyn FactorStore, address: &str) -> User {
    fixtures::register(store, address, NOW)
}

fn begin(store: &mut dyn FactorStore, user: UserId, env: &FixedEnv) -> (SessionId, RefreshToken) {
    store.begin_session(NewSession { user, device: "Firefox on Linux", place: "", strong: false }, env).unwrap()
}

/// The new refresh token, or `None` if the session has ended.
fn refresh(store: &mut dyn FactorStore, secret: &RefreshToken, now: Timestamp) -> Option<RefreshToken> {
    store.refresh_session(secret, &KEY, SEEN, now).unwrap().map(|refreshed| refreshed.secret)
}

fn is_live(store: &mut dyn FactorStore, session: SessionId, now: Timestamp) -> bool {
    store.live_session(session, now).unwrap().is_some()
}

fn what_was_registered_is_found(store: &mut dyn FactorStore) {
    let user = register(store, "Ada@example.com");
    assert_eq!(user.email.as_str(), "Ada@example.com");
    assert_eq!((user.first_name.as_str(), user.last_name.as_str()), ("Ada", "Lovelace"));
    assert_eq!((user.timezone.as_str(), user.role, user.created_at), ("Europe/London", Role::Member, NOW));
    assert_eq!(user.friend_email, None);
    assert_eq!(store.user(user.id).unwrap(), Some(user.clone()));
    let account = store.account(&email("ada@EXAMPLE.com")).unwrap().unwrap();
    assert_eq!((account.user, account.password_hash), (user, Some(hash())));
    assert!(store.account(&email("bob@example.com")).unwrap().is_none());
    assert_eq!(store.user(UserId::from_store(i64::MAX)).unwrap(), None);
}

fn an_address_is_taken_once_in_any_case(store: &mut dyn FactorStore) {
    let first = register(store, "ada@example.com");
    for again in ["ada@example.com", "ADA@example.com", " ada@Example.Com "] {
        assert!(matches!(try_register(store, again), Err(IdentityError::EmailTaken)));
    }
    assert_eq!(store.account(&email("ada@example.com")).unwrap().unwrap().user, first);
    assert_ne!(register(store, "bob@example.com").id, first.id);
}

fn an_added_account_has_no_password_and_no_confirmed_address(store: &mut dyn FactorStore) {
    let profile = Profile { first_name: "Ada".to_owned(), last_name: "Lovelace".to_owned(), timezone: None };
    let ada = store.add_account(&email("ada@example.com"), &profile, NOW).unwrap();
    assert_eq!((ada.first_name.as_str(), ada.timezone.as_str(), ada.role), ("Ada", "UTC", Role::Member));
    assert_eq!((ada.has_password, ada.email_confirmed_at), (false, None));
    let again = store.add_account(&email("ADA@example.com"), &profile, NOW);
    assert!(matches!(again, Err(IdentityError::EmailTaken)));
}

fn a_hash_is_renewed(store: &mut dyn FactorStore) {
    let (ada, bob) = (register(store, "ada@example.com"), register(store, "bob@example.com"));
    let new = PasswordHash::from_store("$argon2id$new".to_owned());
    store.update_password_hash(ada.id, &new).unwrap();
    assert_eq!(store.account(&ada.email).unwrap().unwrap().password_hash, Some(new));
    assert_eq!(store.account(&bob.email).unwrap().unwrap().password_hash, Some(hash()));
}

fn issue(store: &mut dyn FactorStore, purpose: Purpose, user: UserId, env: &FixedEnv) -> IssuedSecret {
    let issue = Issue { purpose, user: Some(user), data: Some("data"), binding: Some(&hash_of_text("cookie")) };
    store.issue_secret(issue, env).unwrap()
}

fn a_secret_is_good_once_for_its_purpose_and_its_time(store: &mut dyn FactorStore) {
    let (env, ada) = (env(), register(store, "ada@example.com"));
    for purpose in Purpose::ALL {
        let end = NOW.plus(purpose.lifetime());
        let secret = issue(store, purpose, ada.id, &env);
        assert_eq!(secret.code.is_some(), purpose.has_code());
        let other = Purpose::ALL.into_iter().find(|other| *other != purpose).unwrap();
        assert_eq!(store.redeem_secret(other, &secret.token, NOW).unwrap(), None);
        let found = store.look_up_secret(purpose, &secret.token, end.plus(-1)).unwrap().unwrap();
        assert_eq!((found.user, found.data.as_deref(), found.expires_at), (Some(ada.id), Some("data"), end));
        assert!(found.is_bound_to(Some("cookie")) && !found.is_bound_to(None));
        assert_eq!(store.look_up_secret(purpose, &secret.token, end).unwrap(), None);
        assert_eq!(store.redeem_secret(purpose, &secret.token, end.plus(-1)).unwrap(), Some(found));
        assert_eq!(store.redeem_secret(purpose, &secret.token, NOW).unwrap(), None);

        let late = issue(store, purpose, ada.id, &env);
        assert_eq!(store.redeem_secret(purpose, &late.token, end).unwrap(), None);
    }
    let nobodys = Issue { purpose: Purpose::ProviderFlow, user: None, data: None, binding: None };
    let secret = store.issue_secret(nobodys, &env).unwrap();
    let found = store.redeem_secret(Purpose::ProviderFlow, &secret.token, NOW).unwrap().unwrap();
    assert_eq!((found.user, found.data, found.binding), (None, None, None));
}

fn a_new_secret_withdraws_the_older_one(store: &mut dyn FactorStore) {
    let (env, ada, bob) = (env(), register(store, "ada@example.com"), register(store, "bob@example.com"));
    for purpose in Purpose::ALL {
        let bobs = issue(store, purpose, bob.id, &env);
        let first = issue(store, purpose, ada.id, &env);
        let second = issue(store, purpose, ada.id, &env);
        assert_eq!(store.redeem_secret(purpose, &first.token, NOW).unwrap().is_none(), purpose.replaces());
        assert!(store.redeem_secret(purpose, &second.token, NOW).unwrap().is_some());
        let third = issue(store, purpose, ada.id, &env);
        store.withdraw_secrets(ada.id, purpose).unwrap();
        assert_eq!(store.redeem_secret(purpose, &third.token, NOW).unwrap(), None);
        assert!(store.redeem_secret(purpose, &bobs.token, NOW).unwrap().is_some());
    }
}

fn the_fifth_wrong_code_burns_the_secret(store: &mut dyn FactorStore) {
    let (env, ada) = (env(), register(store, "ada@example.com"));
    let redeem = |store: &mut dyn FactorStore, code: &str, now| {
        store.redeem_code(Purpose::LoginLink, "data", code, now).unwrap()
    };
    assert_eq!(redeem(store, "000000", NOW), None);
    for wrong in 0..CODE_TRIES {
        let secret = issue(store, Purpose::LoginLink, ada.id, &env);
        let code = secret.code.unwrap();
        for _ in 0..wrong {
            assert_eq!(redeem(store, "no code", NOW), None);
        }
        assert!(redeem(store, &code, NOW).is_some(), "after {wrong} wrong ones");
        assert_eq!(redeem(store, &code, NOW), None);
        assert_eq!(store.redeem_secret(Purpose::LoginLink, &secret.token, NOW).unwrap(), None);
    }
    let burnt = issue(store, Purpose::LoginLink, ada.id, &env);
    for _ in 0..CODE_TRIES {
        assert_eq!(redeem(store, "no code", NOW), None);
    }
    assert_eq!(redeem(store, &burnt.code.unwrap(), NOW), None);
    assert_eq!(store.redeem_secret(Purpose::LoginLink, &burnt.token, NOW).unwrap(), None);
    let late = issue(store, Purpose::LoginLink, ada.id, &env);
    assert_eq!(redeem(store, &late.code.unwrap(), NOW.plus(Purpose::LoginLink.lifetime())), None);
}

fn expired_secrets_are_swept(store: &mut dyn FactorStore) {
    let (env, ada) = (env(), register(store, "ada@example.com"));
    let short = issue(store, Purpose::Arrival, ada.id, &env);
    let long = issue(store, Purpose::Archive, ada.id, &env);
    store.sweep_expired_sessions(NOW.plus(HOUR)).unwrap();
    assert_eq!(store.look_up_secret(Purpose::Arrival, &short.token, NOW).unwrap(), None);
    assert!(store.look_up_secret(Purpose::Archive, &long.token, NOW).unwrap().is_some());
}

fn a_session_lives_for_thirty_days_from_its_last_refresh(store: &mut dyn FactorStore) {
    let (env, user) = (env(), register(store, "ada@example.com"));
    let (session, secret) = begin(store, user.id, &env);
    let begun = store.live_session(session, NOW).unwrap().unwrap();
    assert_eq!((begun.user, begun.created_at, begun.expires_at), (user.id, NOW, NOW.plus(SESSION_LIFETIME)));
    assert!(!is_live(store, session, NOW.plus(SESSION_LIFETIME)));

    let later = NOW.plus(29 * DAY);
    let refreshed = store.refresh_session(&secret, &KEY, SEEN, later).unwrap().unwrap();
    let second = refreshed.secret;
    assert_eq!((refreshed.user, refreshed.session), (user.id, session));
    assert_eq!(second, secret.successor(&KEY));
    let renewed = store.live_session(session, later).unwrap().unwrap();
    assert_eq!((renewed.created_at, renewed.last_seen_at), (NOW, later));
    assert_eq!(renewed.expires_at, later.plus(SESSION_LIFETIME));

    let end = later.plus(SESSION_LIFETIME);
    assert!(is_live(store, session, end.plus(-1)));
    assert_eq!(refresh(store, &second, end), None);
    assert!(refresh(store, &second, end.plus(-1)).is_some());
}

fn a_replaced_secret_gets_the_same_successor_for_ten_seconds(store: &mut dyn FactorStore) {
    let (env, user) = (env(), register(store, "ada@example.com"));
    let (session, first) = begin(store, user.id, &env);
    let second = refresh(store, &first, NOW).unwrap();
    for millis in [0, 1, 5 * SECOND, REFRESH_GRACE] {
        assert_eq!(refresh(store, &first, NOW.plus(millis)), Some(second.clone()));
    }
    // The replaced token was not rotated again each time: its one successor is current.
    let third = refresh(store, &second, NOW.plus(HOUR)).unwrap();
    assert_ne!(third, second);
    assert!(is_live(store, session, NOW.plus(HOUR)));
}

fn a_replaced_secret_that_comes_back_late_ends_the_session(store: &mut dyn FactorStore) {
    let (env, user) = (env(), register(store, "ada@example.com"));
    let (session, first) = begin(store, user.id, &env);
    let (other_session, _) = begin(store, user.id, &env);
    let second = refresh(store, &first, NOW).unwrap();
    let late = NOW.plus(REFRESH_GRACE + 1);
    assert!(is_live(store, session, late));
    assert_eq!(refresh(store, &first, late), None);
    assert!(!is_live(store, session, late));
    assert_eq!(refresh(store, &second, late), None);
    assert!(is_live(store, other_session, late));
}

fn a_logout_ends_one_session_and_a_role_ends_all(store: &mut dyn FactorStore) {
    let (env, user) = (env(), register(store, "ada@example.com"));
    let other = register(store, "bob@example.com");
    let (by_token, _) = begin(store, user.id, &env);
    let (by_cookie, secret) = begin(store, user.id, &env);
    let (third, _) = begin(store, user.id, &env);
    let (others, _) = begin(store, other.id, &env);

    store.end_session(by_token, NOW).unwrap();
    assert!(!is_live(store, by_token, NOW) && is_live(store, by_cookie, NOW));
    let successor = refresh(store, &secret, NOW).unwrap();
    // A replaced token still identifies its session.
    store.end_session_of_secret(&secret, NOW).unwrap();
    assert!(!is_live(store, by_cookie, NOW) && is_live(store, third, NOW));
    assert_eq!(refresh(store, &successor, NOW), None);
    let ended = store.session_by_id(by_cookie).unwrap().unwrap();
    store.end_session(by_cookie, NOW.plus(HOUR)).unwrap();
    assert_eq!(store.session_by_id(by_cookie).unwrap(), Some(ended));

    assert_eq!(store.grant_role(&user.email, Role::Member, NOW).unwrap(), Some(user.clone()));
    assert!(is_live(store, third, NOW));
    let granted = store.grant_role(&email("ADA@example.com"), Role::Editor, NOW).unwrap().unwrap();
    assert_eq!(granted, User { role: Role::Editor, email_confirmed_at: Some(NOW), ..user.clone() });
    assert_eq!(store.user(user.id).unwrap(), Some(granted));
    assert!(!is_live(store, third, NOW) && is_live(store, others, NOW));
    assert_eq!(store.grant_role(&email("eve@example.com"), Role::Admin, NOW).unwrap(), None);
}

fn granting_a_role_confirms_the_address(store: &mut dyn FactorStore) {
    let (ada, bob) = (register(store, "ada@example.com"), register(store, "bob@example.com"));
    let granted = store.grant_role(&ada.email, Role::Editor, NOW).unwrap().unwrap();
    assert_eq!((granted.role, granted.email_confirmed_at), (Role::Editor, Some(NOW)));
    let granted = store.grant_role(&ada.email, Role::Admin, NOW.plus(DAY)).unwrap().unwrap();
    assert_eq!((granted.role, granted.email_confirmed_at), (Role::Admin, Some(NOW)));
    // Granting the member role does not confirm the address.
    let member = store.grant_role(&bob.email, Role::Member, NOW).unwrap().unwrap();
    assert_eq!(member.email_confirmed_at, None);
}

fn one_admin_is_left_and_nobody_changes_their_own_role(store: &mut dyn FactorStore) {
    let (ada, bob) = (register(store, "ada@example.com"), register(store, "bob@example.com"));
    store.grant_role(&ada.email, Role::Admin, NOW).unwrap();
    let refused = |result| matches!(result, Err(IdentityError::LastAdmin));
    // The last admin keeps the role, also when another admin acts.
    assert!(refused(store.change_role(bob.id, ada.id, Role::Member, NOW)));
    assert!(refused(store.suspend_user(bob.id, ada.id, "Why?", NOW)));
    assert!(refused(store.change_role(ada.id, ada.id, Role::Member, NOW)));
    let granted = store.change_role(ada.id, bob.id, Role::Admin, NOW).unwrap().unwrap();
    assert_eq!((granted.role, granted.email_confirmed_at), (Role::Admin, Some(NOW)));
    assert!(refused(store.change_role(ada.id, ada.id, Role::Member, NOW)));
    // A suspended admin does not count as one who is left.
    store.suspend_user(ada.id, bob.id, "Why not?", NOW).unwrap().unwrap();
    assert!(refused(store.change_role(bob.id, ada.id, Role::Member, NOW)));
    assert_eq!(store.change_role(ada.id, bob.id, Role::Editor, NOW).unwrap().map(|user| user.role), Some(Role::Editor));
    assert_eq!(store.change_role(ada.id, UserId::from_store(i64::MAX), Role::Editor, NOW).unwrap(), None);
}

fn a_suspended_person_is_signed_out_until_restored(store: &mut dyn FactorStore) {
    let (env, ada, admin) = (env(), register(store, "ada@example.com"), register(store, "admin@example.com"));
    let (session, _) = begin(store, ada.id, &env);
    assert_eq!(store.suspension_of(ada.id).unwrap(), None);
    store.suspend_user(admin.id, ada.id, "Shares the account.", NOW).unwrap().unwrap();
    assert!(!is_live(store, session, NOW));
    // A new reason keeps the time of the suspension.
    store.suspend_user(admin.id, ada.id, "Sells it.", NOW.plus(HOUR)).unwrap().unwrap();
    let suspension = Suspension { at: NOW, reason: "Sells it.".to_owned() };
    assert_eq!(store.suspension_of(ada.id).unwrap(), Some(suspension));
    assert_eq!(store.restore_user(ada.id).unwrap().map(|user| user.id), Some(ada.id));
    assert_eq!(store.suspension_of(ada.id).unwrap(), None);
    let (one, _) = begin(store, ada.id, &env);
    let (other, _) = begin(store, ada.id, &env);
    assert!(store.end_sessions_of(ada.id, Some(one), NOW).unwrap());
    assert!(!is_live(store, one, NOW) && is_live(store, other, NOW));
    assert!(!store.end_sessions_of(ada.id, Some(one), NOW).unwrap());
    assert!(store.end_sessions_of(ada.id, None, NOW).unwrap());
    assert!(!is_live(store, other, NOW));
}

fn an_address_that_an_admin_replaces_is_not_confirmed(store: &mut dyn FactorStore) {
    let (env, ada, bob) = (env(), register(store, "ada@example.com"), register(store, "bob@example.com"));
    let (session, _) = begin(store, ada.id, &env);
    store.confirm_user_email(ada.id, NOW).unwrap();
    let taken = store.replace_email(ada.id, &bob.email, NOW);
    assert!(matches!(taken, Err(IdentityError::EmailTaken)));
    assert!(is_live(store, session, NOW));
    let moved = store.replace_email(ada.id, &email("augusta@example.com"), NOW).unwrap().unwrap();
    assert_eq!((moved.email, moved.email_confirmed_at), (email("augusta@example.com"), None));
    assert!(!is_live(store, session, NOW));
    assert_eq!(store.replace_email(UserId::from_store(i64::MAX), &ada.email, NOW).unwrap(), None);
}

fn an_unknown_secret_is_nobodys(store: &mut dyn FactorStore) {
    let (env, user) = (env(), register(store, "ada@example.com"));
    let (session, _) = begin(store, user.id, &env);
    let stranger = RefreshToken::generate(&env);
    assert_eq!(refresh(store, &stranger, NOW), None);
    store.end_session_of_secret(&stranger, NOW).unwrap();
    assert!(is_live(store, session, NOW));
    assert!(!is_live(store, SessionId::from_store(i64::MAX), NOW));
}

fn what_ended_long_ago_is_swept(store: &mut dyn FactorStore) {
    let (env, user) = (env(), register(store, "ada@example.com"));
    let (old, first) = begin(store, user.id, &env);
    let (kept, kept_secret) = begin(store, user.id, &env);
    let kept_second = refresh(store, &kept_secret, NOW.plus(20 * DAY)).unwrap();

    let end = NOW.plus(SESSION_LIFETIME + SESSION_KEPT);
    assert_eq!(store.sweep_expired_sessions(end).unwrap(), 0);
    assert!(store.session_by_id(old).unwrap().is_some());
    assert_eq!(store.sweep_expired_sessions(end.plus(1)).unwrap(), 1);
    assert_eq!(store.session_by_id(old).unwrap(), None);
    assert_eq!(store.lock_session_of_secret(&first.hash()).unwrap(), None);
    assert_eq!(store.sweep_expired_sessions(end.plus(1)).unwrap(), 0);

    // A replaced token is kept, to detect theft, for as long as its session could be live.
    assert!(store.lock_session_of_secret(&kept_secret.hash()).unwrap().is_some());
    refresh(store, &kept_second, NOW.plus(45 * DAY)).unwrap();
    store.sweep_expired_sessions(NOW.plus(20 * DAY + SESSION_LIFETIME)).unwrap();
    assert!(store.lock_session_of_secret(&kept_secret.hash()).unwrap().is_some());
    store.sweep_expired_sessions(NOW.plus(20 * DAY + SESSION_LIFETIME + 1)).unwrap();
    assert_eq!(store.lock_session_of_secret(&kept_secret.hash()).unwrap(), None);
    assert!(store.lock_session_of_secret(&kept_second.hash()).unwrap().is_some());
    assert!(store.session_by_id(kept).unwrap().is_some());
}

fn the_first_root_key_is_made_once(store: &mut dyn FactorStore) {
    let env = env();
    assert!(store.key_ring(&seal()).unwrap().is_none());
    let made = store.key_ring_or_first(&seal(), &env).unwrap();
    let token = made.issue(UserId::from_store(1), SessionId::from_store(2), Role::Admin, &env);
    let read = store.key_ring(&seal()).unwrap().unwrap();
    assert_eq!(read.verify(&token, NOW).unwrap().role, Role::Admin);
    let again = store.key_ring_or_first(&seal(), &env).unwrap();
    assert_eq!(format!("{again:?}"), format!("{made:?}"));
    assert_eq!(store.root_keys().unwrap().len(), 1);
}

fn rotation_keeps_tokens_valid_and_drops_dead_keys(store: &mut dyn FactorStore) {
    let (env, seal) = (env(), seal());
    let (user, session) = (UserId::from_store(1), SessionId::from_store(2));
    let old = store.key_ring_or_first(&seal, &env).unwrap().issue(user, session, Role::Member, &env);
    let ring = store.rotate_root_key(&seal, &env).unwrap();
    assert!(ring.verify(&old, NOW).is_ok());
    let new = ring.issue(user, session, Role::Member, &env);
    assert!(store.key_ring(&seal).unwrap().unwrap().verify(&new, NOW).is_ok());

    let keys = store.root_keys().unwrap();
    let mut retired: Vec<_> = keys.iter().map(|key| (key.created_at, key.retired_at)).collect();
    retired.sort();
    assert_eq!(retired, [(NOW, None), (NOW, Some(NOW))]);

    // A rotation deletes a retired key once its last token has expired, and not before.
    env.advance(TOKEN_KEY_GRACE);
    store.rotate_root_key(&seal, &env).unwrap();
    assert_eq!(store.root_keys().unwrap().len(), 3);
    env.advance(1);
    let ring = store.rotate_root_key(&seal, &env).unwrap();
    assert_eq!(store.root_keys().unwrap().len(), 3);
    assert_eq!(ring.verify(&old, NOW), Err(TokenError::UnknownKey));
}

fn keys_need_the_secret_that_sealed_them(store: &mut dyn FactorStore) {
    let env = env();
    let other = Seal::new(&[9; 32]).unwrap();
    store.key_ring_or_first(&seal(), &env).unwrap();
    store.refresh_key(&seal(), &env).unwrap();
    let before = store.root_keys().unwrap();
    let is_refused = |error: IdentityError| matches!(error, IdentityError::Seal(SealError::OtherSecret));
    assert!(is_refused(store.key_ring(&other).unwrap_err()));
    assert!(is_refused(store.key_ring_or_first(&other, &env).unwrap_err()));
    assert!(is_refused(store.rotate_root_key(&other, &env).unwrap_err()));
    assert!(is_refused(store.refresh_key(&other, &env).unwrap_err()));
    assert_eq!(store.root_keys().unwrap(), before);
}

fn the_refresh_key_is_made_once(store: &mut dyn FactorStore) {
    let env = env();
    let (first, second) = (store.refresh_key(&seal(), &env).unwrap(), store.refresh_key(&seal(), &env).unwrap());
    let secret = RefreshToken::generate(&env);
    assert_eq!(secret.successor(&first), secret.successor(&second));
    assert_ne!(secret.successor(&first), secret.successor(&RefreshKey::new([0; 32])));
}

fn the_media_url_key_is_made_once_and_is_no_other_key(store: &mut dyn FactorStore) {
    let env = env();
    let first = store.media_url_key(&seal(), &env).unwrap();
    store.refresh_key(&seal(), &env).unwrap();
    let second = store.media_url_key(&seal(), &env).unwrap();
    assert_eq!(first, second);
    let sealed = (store.server_key("media").unwrap(), store.server_key("refresh").unwrap());
    assert!(sealed.0.is_some() && sealed.1.is_some());
    assert_ne!(seal().open(&sealed.0.unwrap(), b"media"), seal().open(&sealed.1.unwrap(), b"refresh"));
    let other = Seal::new(&[9; 32]).unwrap();
    assert!(matches!(store.media_url_key(&other, &env), Err(IdentityError::Seal(SealError::OtherSecret))));
}

/// The seconds to wait, or `None` when the attempt was admitted.
fn attempt(store: &mut dyn FactorStore, attempts: &[(RateLimitBucket, &str)], now: Timestamp) -> Option<u64> {
    let network = network_of(IpAddr::from([192, 0, 2, 1]));
    let limits: Vec<(RateLimitBucket, Limits)> =
        attempts.iter().map(|(bucket, limits)| (*bucket, limits.parse().unwrap())).collect();
    let attempts: Vec<Attempt<'_>> =
        limits.iter().map(|(bucket, limits)| Attempt { bucket: *bucket, subject: &network, limits }).collect();
    match store.count_attempts(&attempts, now) {
        Ok(()) => None,
        Err(IdentityError::RateLimited(after)) => Some(after.seconds()),
        Err(error) => panic!("{error}"),
    }
}

const A: RateLimitBucket = RateLimitBucket::Login;
const B: RateLimitBucket = RateLimitBucket::LoginAccount;
const C: RateLimitBucket = RateLimitBucket::SignUp;
const D: RateLimitBucket = RateLimitBucket::Contact;

fn a_burst_is_admitted_and_no_more(store: &mut dyn FactorStore) {
    let login = [(RateLimitBucket::Login, "3/60")];
    for _ in 0..3 {
        assert_eq!(attempt(store, &login, NOW), None);
    }
    assert_eq!(attempt(store, &login, NOW), Some(20));
    assert_eq!(attempt(store, &[(RateLimitBucket::SignUp, "3/60")], NOW), None);
    assert_eq!(attempt(store, &login, NOW.plus(19 * SECOND)), Some(1));
    assert_eq!(attempt(store, &login, NOW.plus(20 * SECOND)), None);
    assert_eq!(attempt(store, &login, NOW.plus(20 * SECOND)), Some(20));
}

fn all_limits_must_admit_and_a_refusal_counts_nothing(store: &mut dyn FactorStore) {
    assert_eq!(attempt(store, &[(A, "2/60,3/3600"), (B, "1/10")], NOW), None);
    assert_eq!(attempt(store, &[(A, "2/60,3/3600"), (B, "1/10")], NOW), Some(10));
    assert_eq!(attempt(store, &[(A, "2/60,3/3600")], NOW), None);
    assert_eq!(attempt(store, &[(A, "2/60,3/3600")], NOW), Some(30));
    assert_eq!(attempt(store, &[(A, "2/60,3/3600")], NOW.plus(30 * SECOND)), None);
    assert_eq!(attempt(store, &[(A, "2/60,3/3600")], NOW.plus(60 * SECOND)), Some(1_140));
    assert_eq!(attempt(store, &[(B, "1/10")], NOW.plus(10 * SECOND)), None);
    assert_eq!(attempt(store, &[], NOW), None);
    // If several limits refuse, the longest wait counts.
    assert_eq!(attempt(store, &[(C, "1/3600"), (D, "1/10")], NOW), None);
    assert_eq!(attempt(store, &[(C, "1/3600"), (D, "1/10")], NOW), Some(3_600));
}

fn a_released_attempt_counts_no_more(store: &mut dyn FactorStore) {
    let (network, limits) = ("192.0.2.1".to_owned(), "2/60,3/3600".parse::<Limits>().unwrap());
    let tried = [Attempt { bucket: A, subject: &network, limits: &limits }];
    for _ in 0..10 {
        store.count_attempts(&tried, NOW).unwrap();
        store.release_attempts(&tried, NOW).unwrap();
    }
    for _ in 0..2 {
        store.count_attempts(&tried, NOW).unwrap();
    }
    assert!(matches!(store.count_attempts(&tried, NOW), Err(IdentityError::RateLimited(_))));
    // A release in another bucket gives nothing back here.
    store.release_attempts(&[Attempt { bucket: B, ..tried[0] }], NOW).unwrap();
    assert!(matches!(store.count_attempts(&tried, NOW), Err(IdentityError::RateLimited(_))));
}

fn forgiven_limits_are_swept(store: &mut dyn FactorStore) {
    assert_eq!(attempt(store, &[(A, "3/60"), (B, "1/3600")], NOW), None);
    assert_eq!(store.sweep_rate_limits(NOW.plus(20 * SECOND)).unwrap(), 0);
    assert_eq!(store.sweep_rate_limits(NOW.plus(20 * SECOND + 1)).unwrap(), 1);
    assert_eq!(attempt(store, &[(B, "1/3600")], NOW.plus(HOUR - 1)), Some(1));
    assert_eq!(store.sweep_rate_limits(NOW.plus(HOUR + 1)).unwrap(), 1);
}
