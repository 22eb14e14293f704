//! Tests of forged tokens: cutting, splicing, swapping, appending and re-signing the parts of valid tokens never gives
//! another valid one.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use biscuit_auth::{
    BlockBuilder, UnverifiedBiscuit,
    builder::BlockBuilder as Addition,
    format::SerializedBiscuit,
    macros::{biscuit, block},
};
use kernel::{Env, FixedEnv, SessionId, Timestamp, UserId};
use proptest::{prelude::*, sample::Index};

use crate::{Claims, KeyRing, Role, RootKey, Seal, TokenError, token};

const NOW: Timestamp = Timestamp::from_millis(1_795_226_400_250);

/// A key ring with one key. Different seeds give different keys with the same id.
fn ring(seed: usize) -> (KeyRing, RootKey) {
    let (env, seal) = (FixedEnv::at(NOW), Seal::new(&[3; 32]).unwrap());
    env.fill_random(&mut vec![0; seed]);
    let (public_key, sealed_private_key) = KeyRing::generate(&seal, &env);
    let key = RootKey { id: 1, public_key, sealed_private_key, created_at: NOW, retired_at: None };
    (KeyRing::open(std::slice::from_ref(&key), &seal).unwrap().unwrap(), key)
}

/// Valid tokens of two users.
fn two_tokens(ring: &KeyRing) -> (Vec<u8>, Vec<u8>) {
    let env = FixedEnv::at(NOW);
    let issue = |user, session, role| {
        let text = ring.issue(UserId::from_store(user), SessionId::from_store(session), role, &env);
        URL_SAFE_NO_PAD.decode(text).unwrap()
    };
    (issue(7, 9, Role::Member), issue(1, 2, Role::Admin))
}

fn verify(ring: &KeyRing, bytes: &[u8]) -> Result<Claims, TokenError> {
    ring.verify(&URL_SAFE_NO_PAD.encode(bytes), NOW)
}

/// A token, parsed into its parts.
fn parts(ring: &KeyRing, bytes: &[u8]) -> SerializedBiscuit {
    let key = ring.public_key_of(1).unwrap();
    SerializedBiscuit::from_slice(bytes, key).unwrap()
}

/// A block that a holder might append.
fn addition(which: usize) -> Addition {
    let additions: [BlockBuilder; 6] = [
        block!(""),
        block!("check if true;"),
        block!("check if user(7);"),
        block!("role(\"admin\");"),
        block!("user(1); session(2); role(\"admin\"); expires(2099-01-01T00:00:00Z);"),
        block!("expires(2099-01-01T00:00:00Z);"),
    ];
    let count = additions.len();
    additions.into_iter().nth(which % count).unwrap()
}

#[test]
fn the_tokens_that_are_forged_from_are_good() {
    let (ring, _) = ring(0);
    let (mine, other) = two_tokens(&ring);
    assert_eq!(verify(&ring, &mine).unwrap().user, UserId::from_store(7));
    assert_eq!(verify(&ring, &other).unwrap().role, Role::Admin);
    assert_eq!(parts(&ring, &mine).to_vec().unwrap(), mine, "taking apart and putting together changes nothing");
}

#[test]
fn parts_of_two_good_tokens_do_not_make_a_third() {
    let (ring, _) = ring(0);
    let (mine, other) = two_tokens(&ring);
    let (mine, other) = (parts(&ring, &mine), parts(&ring, &other));
    let forge = |change: &dyn Fn(&mut SerializedBiscuit)| {
        let mut forged = mine.clone();
        change(&mut forged);
        forged.to_vec().unwrap()
    };
    let forgeries = [
        ("the other's signature", forge(&|f| f.authority.signature = other.authority.signature.clone())),
        ("the other's proof", forge(&|f| f.proof = other.proof.clone())),
        ("the other's claims under my proof", forge(&|f| f.authority = other.authority.clone())),
        ("the other's claims as a second block", forge(&|f| f.blocks.push(other.authority.clone()))),
        ("my claims twice", forge(&|f| f.blocks.push(mine.authority.clone()))),
        ("no key's number", forge(&|f| f.root_key_id = None)),
        ("another way of signing", forge(&|f| f.authority.version += 1)),
    ];
    for (what, bytes) in forgeries {
        assert_eq!(verify(&ring, &bytes), Err(TokenError::Invalid), "{what}");
    }
    assert_eq!(verify(&ring, &forge(&|f| f.root_key_id = Some(2))), Err(TokenError::UnknownKey));
}

#[test]
fn a_block_of_a_third_party_is_an_addition_too() {
    let (ring, _) = ring(0);
    let (mine, _) = two_tokens(&ring);
    let mine = UnverifiedBiscuit::from(&mine).unwrap();
    let signer = token::key_pair(&[8; 32]).unwrap();
    let theirs =
        mine.third_party_request().unwrap().create_block(&signer.private(), addition(3)).unwrap().serialize().unwrap();
    let forged = mine.append_third_party(&theirs).unwrap().to_vec().unwrap();
    assert_eq!(verify(&ring, &forged), Err(TokenError::Invalid));
}

#[test]
fn any_bit_of_a_token_counts() {
    let (ring, _) = ring(0);
    let (mine, _) = two_tokens(&ring);
    for bit in 0..mine.len() * 8 {
        let mut forged = mine.clone();
        forged[bit / 8] ^= 1 << (bit % 8);
        assert!(verify(&ring, &forged).is_err(), "bit {bit}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn a_token_with_blocks_of_the_holders_own_is_refused(
        blocks in prop::collection::vec(0_usize..6, 1..5), sealed in any::<bool>(),
    ) {
        let (ring, _) = ring(0);
        let (mine, _) = two_tokens(&ring);
        let mut forged = UnverifiedBiscuit::from(&mine).unwrap();
        for block in blocks {
            forged = forged.append(addition(block)).unwrap();
        }
        let bytes = if sealed { forged.seal().unwrap().to_vec() } else { forged.to_vec() }.unwrap();
        prop_assert_eq!(verify(&ring, &bytes), Err(TokenError::Invalid));
    }

    #[test]
    fn a_token_that_says_anything_under_another_key_is_refused(
        seed in 1_usize..200, user in 1_i64.., session in 1_i64.., role in 0_usize..3,
    ) {
        let ((ours, _), (theirs, _)) = (ring(0), ring(seed));
        let env = FixedEnv::at(NOW);
        let forged = theirs.issue(UserId::from_store(user), SessionId::from_store(session), Role::ALL[role], &env);
        prop_assert!(theirs.verify(&forged, NOW).is_ok());
        prop_assert_eq!(ours.verify(&forged, NOW), Err(TokenError::Invalid));
    }

    #[test]
    fn a_token_of_a_key_that_was_removed_is_refused(id in 2_u32.., seed in 0_usize..50) {
        let ((ours, _), (_, key)) = (ring(0), ring(seed));
        let removed = KeyRing::open(&[RootKey { id, ..key }], &Seal::new(&[3; 32]).unwrap()).unwrap().unwrap();
        let token = removed.issue(UserId::from_store(7), SessionId::from_store(9), Role::Member, &FixedEnv::at(NOW));
        prop_assert_eq!(ours.verify(&token, NOW), Err(TokenError::UnknownKey));
    }

    // Bytes are cut out, duplicated, or inserted from another valid token, at any position.
    #[test]
    fn no_splicing_of_bytes_makes_a_token(from in any::<Index>(), to in any::<Index>(), at in any::<Index>(), how in 0..4) {
        let (ring, _) = ring(0);
        let (mine, other) = two_tokens(&ring);
        let (a, b) = (from.index(mine.len() + 1), to.index(mine.len() + 1));
        let piece = a.min(b)..a.max(b);
        let forged = match how {
            0 => [&mine[..piece.start], &mine[piece.end..]].concat(),
            1 => [&mine[..piece.end], &mine[piece.start..]].concat(),
            2 => {
                let end = piece.end.min(other.len());
                let start = piece.start.min(end);
                [&mine[..start], &other[start..end], &mine[piece.end..]].concat()
            }
            _ => [&mine[..a], &other[at.index(other.len() + 1)..]].concat(),
        };
        prop_assume!(forged != mine && forged != other);
        prop_assert!(verify(&ring, &forged).is_err());
    }

    #[test]
    fn several_changed_bytes_are_refused(changes in prop::collection::vec((any::<Index>(), 1_u8..), 1..8)) {
        let (ring, _) = ring(0);
        let (mine, _) = two_tokens(&ring);
        let mut forged = mine.clone();
        for (at, change) in changes {
            let at = at.index(forged.len());
            forged[at] ^= change;
        }
        prop_assume!(forged != mine);
        prop_assert!(verify(&ring, &forged).is_err());
    }
}

#[test]
fn a_token_signed_by_the_holders_own_hand_is_refused() {
    let (ring, _) = ring(0);
    let own = token::key_pair(&[9; 32]).unwrap();
    let claims = biscuit!("user(1); session(2); role(\"admin\"); expires(2099-01-01T00:00:00Z);");
    let forged = claims.root_key_id(1).build(&own).unwrap().to_vec().unwrap();
    assert_eq!(verify(&ring, &forged), Err(TokenError::Invalid));
}
