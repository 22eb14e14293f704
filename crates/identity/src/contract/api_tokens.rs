//! The contract of API tokens.

use kernel::{ApiTokenId, Day, FixedEnv, UserId};

use crate::{
    ApiScope, ApiTokens, FRESH_PROOF_LIFETIME, FactorStore, Identity, IdentityError, MAX_API_TOKENS, Recovery,
    fixtures::stored_hash, hash_of_text, sync_key,
};

use super::{Case, NOW, begin, env, register};

pub(super) const CASES: &[Case] = &[
    a_token_is_found_by_its_text_and_by_nothing_else,
    a_token_for_positions_is_found_by_its_sync_key_too,
    a_token_has_a_name_and_a_scope,
    a_member_has_at_most_twenty_tokens,
    the_day_of_the_last_use_is_kept,
    a_token_is_deleted_by_its_member_only,
    what_ends_all_sessions_ends_all_tokens,
];

const BOTH: [ApiScope; 2] = [ApiScope::StudyRead, ApiScope::StudyWrite];
const TODAY: Day = Day::from_epoch(20_700);

fn a_token_is_found_by_its_text_and_by_nothing_else(store: &mut dyn FactorStore) {
    let env = env();
    let ada = register(store, "ada@example.com").id;
    let session = begin(store, ada, &env).0;
    let (token, text) = store.create_api_token((ada, session), " My\nreader ", &[ApiScope::StudyWrite], &env).unwrap();
    assert_eq!((token.user, token.name.as_str(), token.created_at), (ada, "My reader", NOW));
    assert_eq!((token.scopes.as_slice(), token.last_used_on), (&[ApiScope::StudyWrite][..], None));
    assert!(text.starts_with("pat_") && text.len() == 47, "{text}");
    assert_eq!(store.api_token(&hash_of_text(&text)).unwrap(), Some(token.clone()));
    assert_eq!(store.api_token(&hash_of_text(&text[..46])).unwrap(), None);
    assert_eq!(store.api_token(&hash_of_text("pat_")).unwrap(), None);
    let (other, another_text) =
        store.create_api_token((ada, session), "Other", &[BOTH[1], BOTH[0], BOTH[1]], &env).unwrap();
    assert_ne!(text, another_text);
    assert_eq!(other.scopes, BOTH);
    assert_eq!(store.api_tokens_of(ada).unwrap(), [other, token]);
    let bob = register(store, "bob@example.com").id;
    assert!(matches!(store.create_api_token((bob, session), "x", &BOTH, &env), Err(IdentityError::SessionEnded)));
    assert_eq!(store.api_tokens_of(bob).unwrap(), []);
}

fn a_token_for_positions_is_found_by_its_sync_key_too(store: &mut dyn FactorStore) {
    let env = env();
    let ada = register(store, "ada@example.com").id;
    let session = begin(store, ada, &env).0;
    let (token, text) = store.create_api_token((ada, session), "KOReader", &[ApiScope::PlacesWrite], &env).unwrap();
    let (_, other) = store.create_api_token((ada, session), "Other", &BOTH, &env).unwrap();
    let mut found = |key: &str| store.api_token_of_sync_key(&hash_of_text(key)).unwrap();
    assert_eq!(found(&sync_key(&text)), Some(token));
    assert_eq!((found(&text), found(&sync_key(&other)), found("")), (None, None, None));
}

fn a_token_has_a_name_and_a_scope(store: &mut dyn FactorStore) {
    let env = env();
    let ada = register(store, "ada@example.com").id;
    let session = begin(store, ada, &env).0;
    for name in ["", " \n\t", &"x".repeat(61)] {
        let refused = store.create_api_token((ada, session), name, &BOTH, &env);
        assert!(matches!(refused, Err(IdentityError::InvalidApiTokenName)), "{name:?}");
    }
    assert!(matches!(store.create_api_token((ada, session), "x", &[], &env), Err(IdentityError::NoApiScope)));
    assert!(store.create_api_token((ada, session), &"é".repeat(60), &BOTH, &env).is_ok());
    let nobody = UserId::from_store(i64::MAX);
    assert!(matches!(store.create_api_token((nobody, session), "x", &BOTH, &env), Err(IdentityError::SessionEnded)));
}

fn a_member_has_at_most_twenty_tokens(store: &mut dyn FactorStore) {
    let env = env();
    let ada = register(store, "ada@example.com").id;
    let session = begin(store, ada, &env).0;
    for _ in 0..MAX_API_TOKENS {
        store.create_api_token((ada, session), "x", &BOTH, &env).unwrap();
    }
    assert!(matches!(store.create_api_token((ada, session), "x", &BOTH, &env), Err(IdentityError::TooManyApiTokens)));
    let first = store.api_tokens_of(ada).unwrap().pop().unwrap();
    assert!(store.delete_api_token(ada, first.id).unwrap());
    assert!(store.create_api_token((ada, session), "x", &BOTH, &env).is_ok());
}

fn the_day_of_the_last_use_is_kept(store: &mut dyn FactorStore) {
    let env = env();
    let ada = register(store, "ada@example.com").id;
    let session = begin(store, ada, &env).0;
    let (_, text) = store.create_api_token((ada, session), "x", &BOTH, &env).unwrap();
    let mut last = |day: Day| {
        let token = store.api_token(&hash_of_text(&text)).unwrap().unwrap();
        store.record_api_token_use(token.id, day).unwrap();
        store.api_tokens_of(ada).unwrap()[0].last_used_on
    };
    assert_eq!(last(TODAY), Some(TODAY));
    // Of a node whose clock is late.
    assert_eq!(last(TODAY.plus(-1)), Some(TODAY));
    assert_eq!(last(TODAY.plus(3)), Some(TODAY.plus(3)));
}

fn a_token_is_deleted_by_its_member_only(store: &mut dyn FactorStore) {
    let env = env();
    let (ada, bob) = (register(store, "ada@example.com").id, register(store, "bob@example.com").id);
    let session = begin(store, ada, &env).0;
    let (token, text) = store.create_api_token((ada, session), "x", &BOTH, &env).unwrap();
    assert!(!store.delete_api_token(bob, token.id).unwrap());
    assert!(!store.delete_api_token(ada, ApiTokenId::from_store(i64::MAX)).unwrap());
    assert!(store.api_token(&hash_of_text(&text)).unwrap().is_some());
    assert!(store.delete_api_token(ada, token.id).unwrap());
    assert_eq!(store.api_token(&hash_of_text(&text)).unwrap(), None);
    assert!(!store.delete_api_token(ada, token.id).unwrap());
}

fn what_ends_all_sessions_ends_all_tokens(store: &mut dyn FactorStore) {
    let env = env();
    let (ada, bob) = (register(store, "ada@example.com").id, register(store, "bob@example.com").id);
    let session = begin(store, ada, &env).0;
    let his_session = begin(store, bob, &env).0;
    let (_, hers) = store.create_api_token((ada, session), "x", &BOTH, &env).unwrap();
    let (_, his) = store.create_api_token((bob, his_session), "x", &BOTH, &env).unwrap();
    store.change_password(ada, session, &stored_hash(), NOW).unwrap();
    assert_eq!(store.api_token(&hash_of_text(&hers)).unwrap(), None);
    assert!(store.api_token(&hash_of_text(&his)).unwrap().is_some());
    let late = FixedEnv::at(NOW.plus(FRESH_PROOF_LIFETIME + 1));
    let refused = store.create_api_token((bob, his_session), "x", &BOTH, &late);
    assert!(matches!(refused, Err(IdentityError::FreshLoginRequired)));
    assert!(store.end_sessions_of(bob, None, NOW).unwrap());
    assert_eq!(store.api_token(&hash_of_text(&his)).unwrap(), None);
    assert!(matches!(store.create_api_token((bob, his_session), "x", &BOTH, &env), Err(IdentityError::SessionEnded)));
}
