//! Account recovery, and changes of name, password and address, on every store.

use kernel::{DAY, HOUR, MINUTE};

use super::*;
use crate::{MailedSignIn, Profile, ProfileForm, Recovery, RedeemedArrival, RemovedMethods};

/// See [`super::run`].
pub(super) const CASES: &[Case] = &[
    a_reset_sets_the_password_once_and_ends_all_sessions,
    a_reset_code_is_of_its_address_and_its_hour,
    a_new_password_ends_the_other_sessions_and_what_was_under_way,
    six_digits_belong_to_the_address_also_to_one_that_nobody_has,
    a_mailed_link_or_a_token_is_traded_once_in_its_browser,
    an_address_is_confirmed_by_the_link_that_was_mailed_to_it,
    an_account_moves_to_an_address_that_was_confirmed,
    a_change_of_address_can_be_taken_back,
    an_address_that_was_taken_meanwhile_stays_with_who_has_it,
    a_new_address_ends_what_lies_in_the_old_mailbox,
    what_members_say_of_themselves_can_be_changed,
];

fn new_hash() -> PasswordHash {
    PasswordHash::from_store("$argon2id$new".to_owned())
}

fn password_of(store: &mut dyn FactorStore, address: &str) -> Option<PasswordHash> {
    store.account(&email(address)).unwrap().unwrap().password_hash
}

fn a_reset_sets_the_password_once_and_ends_all_sessions(store: &mut dyn FactorStore) {
    let (env, ada, bob) = (env(), register(store, "ada@example.com"), register(store, "bob@example.com"));
    let (one, _) = begin(store, ada.id, &env);
    let (two, _) = begin(store, ada.id, &env);
    let (bobs, _) = begin(store, bob.id, &env);
    let code = store.issue_reset(ada.id, &env).unwrap().token;
    assert_eq!(store.user_of_reset(&code, &email("ADA@example.com"), NOW).unwrap(), Some(ada.clone()));

    let reset = store.reset_password(&code, &ada.email, &new_hash(), NOW).unwrap().unwrap();
    assert_eq!((reset.user.id, reset.removed.password), (ada.id, true));
    assert_eq!(password_of(store, "ada@example.com"), Some(new_hash()));
    assert_eq!(password_of(store, "bob@example.com"), Some(hash()));
    assert!(!is_live(store, one, NOW) && !is_live(store, two, NOW) && is_live(store, bobs, NOW));
    // The code proves the mailbox.
    assert_eq!(store.user(ada.id).unwrap().unwrap().email_confirmed_at, Some(NOW));

    assert_eq!(store.user_of_reset(&code, &ada.email, NOW).unwrap(), None);
    assert_eq!(store.reset_password(&code, &ada.email, &hash(), NOW).unwrap(), None);
    assert_eq!(password_of(store, "ada@example.com"), Some(new_hash()));
    let code = store.issue_reset(ada.id, &env).unwrap().token;
    store.reset_password(&code, &ada.email, &hash(), NOW).unwrap().unwrap();
    // Each reset forgets the devices that the account knew.
    let forgotten = store.user(ada.id).unwrap().unwrap().devices_version;
    assert!(forgotten > ada.devices_version);
    let code = store.issue_reset(ada.id, &env).unwrap().token;
    store.reset_password(&code, &ada.email, &hash(), NOW).unwrap().unwrap();
    assert!(store.user(ada.id).unwrap().unwrap().devices_version > forgotten);
    assert_eq!(store.user(bob.id).unwrap(), Some(bob));
}

fn a_reset_code_is_of_its_address_and_its_hour(store: &mut dyn FactorStore) {
    let (env, ada, bob) = (env(), register(store, "ada@example.com"), register(store, "bob@example.com"));
    let first = store.issue_reset(ada.id, &env).unwrap().token;
    let code = store.issue_reset(ada.id, &env).unwrap().token;
    let end = NOW.plus(60 * MINUTE);
    for (code, email, now) in
        [(&first, &ada.email, NOW), (&code, &bob.email, NOW), (&code, &ada.email, end), (&hash_text(), &ada.email, NOW)]
    {
        assert_eq!(store.user_of_reset(code, email, now).unwrap(), None);
        assert_eq!(store.reset_password(code, email, &new_hash(), now).unwrap(), None);
    }
    assert_eq!(password_of(store, "ada@example.com"), Some(hash()));
    // None of these calls used the token up.
    assert!(store.reset_password(&code, &ada.email, &new_hash(), end.plus(-1)).unwrap().is_some());
}

fn hash_text() -> String {
    "A".repeat(43)
}

fn a_new_password_ends_the_other_sessions_and_what_was_under_way(store: &mut dyn FactorStore) {
    let (env, ada) = (env(), register(store, "ada@example.com"));
    let (mine, secret) = begin(store, ada.id, &env);
    let (other, _) = begin(store, ada.id, &env);
    let reset = store.issue_reset(ada.id, &env).unwrap().token;
    let link = store.issue_login_link(&ada.email, Some(ada.id), &env).unwrap();
    let moves = store.issue_address_change(ada.id, &email("thief@example.com"), &env).unwrap().token;
    let confirms = store.issue_confirmation(&ada, &env).unwrap().token;

    store.change_password(ada.id, mine, &new_hash(), NOW).unwrap();
    assert_eq!(password_of(store, "ada@example.com"), Some(new_hash()));
    assert!(is_live(store, mine, NOW) && !is_live(store, other, NOW));
    assert!(refresh(store, &secret, NOW).is_some());
    assert_eq!(store.reset_password(&reset, &ada.email, &hash(), NOW).unwrap(), None);
    assert_eq!(store.redeem_login_link(&link.token, None, NOW).unwrap(), None);
    assert_eq!(store.confirm_email(&moves, Some(mine), NOW).unwrap(), None);
    assert_eq!(store.pending_email(ada.id, NOW).unwrap(), None);
    assert!(store.confirm_email(&confirms, None, NOW).unwrap().is_some());
}

fn six_digits_belong_to_the_address_also_to_one_that_nobody_has(store: &mut dyn FactorStore) {
    let (env, ada) = (env(), register(store, "ada@example.com"));
    let nobody = email("nobody@example.com");
    let adas = store.issue_login_link(&ada.email, Some(ada.id), &env).unwrap().code.unwrap();
    let nobodys = store.issue_login_link(&nobody, None, &env).unwrap().code.unwrap();
    assert_ne!(adas, nobodys);
    assert_eq!(store.redeem_login_code(&nobody, &adas, None, NOW).unwrap(), None);
    assert_eq!(store.redeem_login_code(&ada.email, &nobodys, None, NOW).unwrap(), None);
    // The right code for an unknown address signs nobody in.
    assert_eq!(store.redeem_login_code(&nobody, &nobodys, None, NOW).unwrap(), None);
    let redeemed = store.redeem_login_code(&email("ADA@example.com"), &adas, None, NOW).unwrap();
    assert_eq!(redeemed.map(|redeemed| redeemed.user), Some(ada.id));
    assert_eq!(store.redeem_login_code(&ada.email, &adas, None, NOW).unwrap(), None);

    let late = store.issue_login_link(&ada.email, Some(ada.id), &env).unwrap();
    assert_eq!(store.redeem_login_code(&ada.email, &late.code.unwrap(), None, NOW.plus(15 * MINUTE)).unwrap(), None);
}

fn a_mailed_link_or_a_token_is_traded_once_in_its_browser(store: &mut dyn FactorStore) {
    let (env, ada) = (env(), register(store, "ada@example.com"));
    let link = store.issue_login_link(&ada.email, Some(ada.id), &env).unwrap();
    // The token of a mailed link is refused in a URL, and stays valid for the button.
    assert_eq!(store.redeem_arrival(&link.token, Some("any"), NOW).unwrap(), None);
    store.confirm_user_email(ada.id, NOW).unwrap();
    let signed_in = MailedSignIn { user: ada.id, first_proof: None };
    assert_eq!(store.redeem_login_link(&link.token, None, NOW).unwrap(), Some(signed_in));
    assert_eq!(store.redeem_login_link(&link.token, None, NOW).unwrap(), None);
    assert_eq!(store.redeem_login_code(&ada.email, &link.code.unwrap(), None, NOW).unwrap(), None);

    let binding = hash_of_text("cookie");
    let bound = Issue { purpose: Purpose::Arrival, user: Some(ada.id), data: None, binding: Some(&binding) };
    let token = store.issue_secret(bound, &env).unwrap().token;
    for held in [None, Some("another")] {
        assert_eq!(store.redeem_arrival(&token, held, NOW).unwrap(), None);
    }
    assert_eq!(store.redeem_arrival(&token, Some("cookie"), NOW.plus(2 * MINUTE)).unwrap(), None);
    assert_eq!(store.redeem_login_link(&token, None, NOW).unwrap(), None);
    assert_eq!(
        store.redeem_arrival(&token, Some("cookie"), NOW).unwrap(),
        Some(RedeemedArrival { user: ada.id, provider: None })
    );
    assert_eq!(store.redeem_arrival(&token, Some("cookie"), NOW).unwrap(), None);
    // A secret with another purpose signs nobody in.
    let reset = store.issue_reset(ada.id, &env).unwrap().token;
    assert_eq!(store.redeem_arrival(&reset, None, NOW).unwrap(), None);
    assert_eq!(store.redeem_login_link(&reset, None, NOW).unwrap(), None);
}

fn an_address_is_confirmed_by_the_link_that_was_mailed_to_it(store: &mut dyn FactorStore) {
    let (env, ada) = (env(), register(store, "ada@example.com"));
    assert_eq!(ada.email_confirmed_at, None);
    let code = store.issue_confirmation(&ada, &env).unwrap().token;
    assert_eq!(store.confirm_email(&code, None, NOW.plus(7 * DAY)).unwrap(), None);
    let code = store.issue_confirmation(&ada, &env).unwrap().token;
    let (session, _) = begin(store, ada.id, &env);
    store.update_password_session(ada.id, Some(session)).unwrap();
    let confirmed = store.confirm_email(&code, Some(session), NOW.plus(HOUR)).unwrap().unwrap();
    let expected = User { email_confirmed_at: Some(NOW.plus(HOUR)), devices_version: 1, ..ada.clone() };
    assert_eq!(confirmed.user, expected);
    assert_eq!(confirmed.first_proof.unwrap().removed, RemovedMethods::default());
    assert_eq!(confirmed.old_email, None);
    assert_eq!(store.confirm_email(&code, None, NOW.plus(HOUR)).unwrap(), None);
    // Confirming again changes nothing.
    let code = store.issue_confirmation(&ada, &env).unwrap().token;
    let again = store.confirm_email(&code, None, NOW.plus(DAY)).unwrap().unwrap();
    assert_eq!((again.user, again.first_proof), (expected, None));
    assert!(is_live(store, session, NOW));
}

fn an_account_moves_to_an_address_that_was_confirmed(store: &mut dyn FactorStore) {
    let (env, ada) = (env(), register(store, "ada@example.com"));
    let (session, _) = begin(store, ada.id, &env);
    let old = store.issue_address_change(ada.id, &email("ada@old.example.com"), &env).unwrap().token;
    let code = store.issue_address_change(ada.id, &email("Ada@new.example.com"), &env).unwrap().token;
    assert_eq!(store.pending_email(ada.id, NOW).unwrap(), Some(email("ada@new.example.com")));
    assert_eq!(store.pending_email(ada.id, NOW.plus(DAY)).unwrap(), None);
    assert_eq!(store.user(ada.id).unwrap(), Some(ada.clone()));
    assert_eq!(store.confirm_email(&old, Some(session), NOW).unwrap(), None);
    // Reading the mail is not enough to change the address of another person's account.
    let bob = register(store, "bob@example.com");
    let (bobs, _) = begin(store, bob.id, &env);
    for elsewhere in [None, Some(bobs)] {
        let refused = store.confirm_email(&code, elsewhere, NOW);
        assert!(matches!(refused, Err(IdentityError::MoveNeedsSession)));
    }

    let moved = store.confirm_email(&code, Some(session), NOW.plus(HOUR)).unwrap().unwrap();
    assert_eq!((moved.user.id, moved.user.email.as_str()), (ada.id, "Ada@new.example.com"));
    assert_eq!(moved.user.email_confirmed_at, Some(NOW.plus(HOUR)));
    assert_eq!(moved.old_email, Some(ada.email));
    assert_eq!(store.pending_email(ada.id, NOW).unwrap(), None);
    assert!(store.account(&email("ada@example.com")).unwrap().is_none());
    assert_eq!(store.account(&email("ADA@NEW.example.com")).unwrap().unwrap().user, moved.user);
    assert_eq!(store.confirm_email(&code, Some(session), NOW).unwrap(), None);
    // The old address can be used again, and another spelling of the own address is not another address.
    register(store, "ada@example.com");
    let code = store.issue_address_change(ada.id, &email("ADA@NEW.example.com"), &env).unwrap().token;
    assert_eq!(
        store.confirm_email(&code, Some(session), NOW).unwrap().unwrap().user.email.as_str(),
        "ADA@NEW.example.com"
    );
}

fn a_change_of_address_can_be_taken_back(store: &mut dyn FactorStore) {
    let (env, ada, bob) = (env(), register(store, "ada@example.com"), register(store, "bob@example.com"));
    let code = store.issue_address_change(ada.id, &email("typo@example.com"), &env).unwrap().token;
    let bobs = store.issue_address_change(bob.id, &email("robert@example.com"), &env).unwrap().token;
    let (session, _) = begin(store, bob.id, &env);
    store.withdraw_address_change(ada.id).unwrap();
    store.withdraw_address_change(ada.id).unwrap();
    assert_eq!(store.pending_email(ada.id, NOW).unwrap(), None);
    assert_eq!(store.confirm_email(&code, None, NOW).unwrap(), None);
    assert_eq!(store.user(ada.id).unwrap(), Some(ada));
    assert!(store.confirm_email(&bobs, Some(session), NOW).unwrap().is_some());
}

fn an_address_that_was_taken_meanwhile_stays_with_who_has_it(store: &mut dyn FactorStore) {
    let (env, ada) = (env(), register(store, "ada@example.com"));
    let code = store.issue_address_change(ada.id, &email("shared@example.com"), &env).unwrap().token;
    let other = register(store, "Shared@example.com");
    let (session, _) = begin(store, ada.id, &env);
    store.confirm_user_email(ada.id, NOW).unwrap();
    let refused = store.confirm_email(&code, Some(session), NOW);
    assert!(matches!(refused, Err(IdentityError::EmailTakenMeanwhile)));
    assert_eq!(store.user(ada.id).unwrap(), Some(User { email_confirmed_at: Some(NOW), ..ada }));
    assert_eq!(store.user(other.id).unwrap(), Some(other));
}

fn a_new_address_ends_what_lies_in_the_old_mailbox(store: &mut dyn FactorStore) {
    let (env, ada) = (env(), register(store, "ada@example.com"));
    let (session, _) = begin(store, ada.id, &env);
    let reset = store.issue_reset(ada.id, &env).unwrap().token;
    let link = store.issue_login_link(&ada.email, Some(ada.id), &env).unwrap();
    let confirms = store.issue_confirmation(&ada, &env).unwrap().token;
    let code = store.issue_address_change(ada.id, &email("new@example.com"), &env).unwrap().token;
    store.confirm_email(&code, Some(session), NOW).unwrap().unwrap();
    for address in [&ada.email, &email("new@example.com")] {
        assert_eq!(store.reset_password(&reset, address, &new_hash(), NOW).unwrap(), None);
        assert_eq!(store.redeem_login_code(address, link.code.as_deref().unwrap(), None, NOW).unwrap(), None);
    }
    assert_eq!(store.redeem_login_link(&link.token, None, NOW).unwrap(), None);
    assert_eq!(store.confirm_email(&confirms, Some(session), NOW).unwrap(), None);
    assert!(is_live(store, session, NOW));
}

fn what_members_say_of_themselves_can_be_changed(store: &mut dyn FactorStore) {
    let (ada, bob) = (register(store, "ada@example.com"), register(store, "bob@example.com"));
    let profile = |timezone| Profile::read(ProfileForm { first_name: "Augusta", last_name: "King", timezone }).unwrap();
    let changed = store.change_profile(ada.id, &profile(Some("Asia/Kolkata"))).unwrap();
    let expected = User {
        first_name: "Augusta".to_owned(),
        last_name: "King".to_owned(),
        timezone: "Asia/Kolkata".to_owned(),
        ..ada.clone()
    };
    assert_eq!(changed, Some(expected.clone()));
    assert_eq!(store.change_profile(ada.id, &profile(None)).unwrap(), Some(expected));
    assert_eq!(store.user(bob.id).unwrap(), Some(bob));
    assert_eq!(store.change_profile(UserId::from_store(i64::MAX), &profile(None)).unwrap(), None);
}
