//! Account deletion: what is deleted, and what others keep.

use kernel::{DAY, UserId};

use super::{Case, NOW, begin, email, env, is_live, refresh, register};
use crate::{Attempt, FactorStore, Identity, Issue, Leaving, Purpose, RateLimitBucket};

pub(super) const CASES: &[Case] = &[
    deleting_an_account_leaves_nothing,
    others_keep_what_is_theirs,
    what_was_tried_at_an_address_is_forgotten_for_its_owner_only,
    the_address_of_a_deleted_account_is_free,
    nobody_leaves_twice,
];

fn leave(store: &mut dyn FactorStore, user: UserId) -> bool {
    let Some(user) = store.begin_leaving(user).unwrap() else { return false };
    store.finish_leaving(&user, NOW).unwrap();
    true
}

fn deleting_an_account_leaves_nothing(store: &mut dyn FactorStore) {
    let (env, user) = (env(), register(store, "Ada@example.com"));
    let (session, secret) = begin(store, user.id, &env);
    let issue = Issue { purpose: Purpose::ConfirmEmail, user: Some(user.id), data: None, binding: None };
    let issued = store.issue_secret(issue, &env).unwrap();
    assert!(leave(store, user.id));
    assert_eq!(store.user(user.id).unwrap(), None);
    assert!(store.account(&user.email).unwrap().is_none());
    assert_eq!(store.session_by_id(session).unwrap(), None);
    assert_eq!(store.lock_session_of_secret(&secret.hash()).unwrap(), None);
    assert_eq!(refresh(store, &secret, NOW), None);
    assert_eq!(store.devices_of(user.id, NOW).unwrap(), []);
    assert_eq!(store.look_up_secret(Purpose::ConfirmEmail, &issued.token, NOW).unwrap(), None);
}

fn others_keep_what_is_theirs(store: &mut dyn FactorStore) {
    let (env, user, other) = (env(), register(store, "ada@example.com"), register(store, "bada@example.com"));
    let (session, _) = begin(store, other.id, &env);
    let issue = Issue { purpose: Purpose::ConfirmEmail, user: Some(other.id), data: None, binding: None };
    let issued = store.issue_secret(issue, &env).unwrap();
    let limits = "1/3600".parse().unwrap();
    let number = user.id.to_string();
    let mut attempt = |subject: &str| {
        store.count_attempts(&[Attempt { bucket: RateLimitBucket::Login, subject, limits: &limits }], NOW).is_ok()
    };
    // Rate limits are keyed by address or id. Keys that only end with the same text, such as `bada@example.com`, belong
    // to others.
    let subjects = ["ada@example.com", &number, "bada@example.com", &format!("{number}1"), "203.0.113.7"];
    assert_eq!(subjects.map(&mut attempt), [true; 5]);
    assert_eq!(subjects.map(&mut attempt), [false; 5]);
    store.confirm_user_email(user.id, NOW).unwrap();
    assert!(leave(store, user.id));
    let mut attempt = |subject: &str| {
        store.count_attempts(&[Attempt { bucket: RateLimitBucket::Login, subject, limits: &limits }], NOW).is_ok()
    };
    assert_eq!(subjects.map(&mut attempt), [true, true, false, false, false]);
    assert_eq!(store.user(other.id).unwrap(), Some(other));
    assert!(is_live(store, session, NOW));
    assert!(store.look_up_secret(Purpose::ConfirmEmail, &issued.token, NOW).unwrap().is_some());
}

fn what_was_tried_at_an_address_is_forgotten_for_its_owner_only(store: &mut dyn FactorStore) {
    let (stranger, limits) = (register(store, "ada@example.com"), "1/3600".parse().unwrap());
    let attempt = |store: &mut dyn FactorStore| {
        store
            .count_attempts(
                &[Attempt { bucket: RateLimitBucket::Login, subject: "ada@example.com", limits: &limits }],
                NOW,
            )
            .is_ok()
    };
    assert!(attempt(store) && !attempt(store));
    assert!(leave(store, stranger.id));
    assert!(!attempt(store));
}

fn the_address_of_a_deleted_account_is_free(store: &mut dyn FactorStore) {
    let first = register(store, "ada@example.com");
    assert!(leave(store, first.id));
    let second = register(store, "ADA@example.com");
    assert_ne!(second.id, first.id);
    assert_eq!(store.account(&email("ada@example.com")).unwrap().unwrap().user, second);
}

fn nobody_leaves_twice(store: &mut dyn FactorStore) {
    let user = register(store, "ada@example.com");
    assert!(leave(store, user.id));
    assert!(!leave(store, user.id));
    assert_eq!(store.sweep_expired_sessions(NOW.plus(100 * DAY)).unwrap(), 0);
}
