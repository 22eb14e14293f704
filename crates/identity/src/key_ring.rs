//! The key ring that signs and verifies access tokens, as a process holds it in memory.

use std::fmt;

use biscuit_auth::{KeyPair, PublicKey};
use kernel::{Env, MINUTE, SessionId, Timestamp, UserId};

use crate::{Claims, Role, RootKey, Seal, SealError, TOKEN_LIFETIME, TokenError, token};

/// How long a retired key verifies, in milliseconds: until its last token has expired. A node may sign with it for up
/// to a minute after the rotation, until it learns of the new key.
pub const TOKEN_KEY_GRACE: i64 = TOKEN_LIFETIME + MINUTE;

/// The current root key pair, and the public keys of all root keys that still verify.
pub struct KeyRing {
    signing_id: u32,
    signing: KeyPair,
    verifying: Vec<VerificationKeys>,
}

struct VerificationKeys {
    id: u32,
    key: PublicKey,
    retired_at: Option<Timestamp>,
}

impl KeyRing {
    /// Decrypts the stored keys; `None` if none of them is current, as before the first start.
    pub fn open(keys: &[RootKey], seal: &Seal) -> Result<Option<Self>, SealError> {
        let Some(current) = keys.iter().find(|key| key.retired_at.is_none()) else { return Ok(None) };
        let private_key = seal.open(&current.sealed_private_key, &root_key_purpose(&current.public_key))?;
        let signing = token::key_pair(&private_key).ok_or(SealError::Damaged)?;
        let verifying = keys
            .iter()
            .map(|key| {
                let public = token::public_key(&key.public_key).ok_or(SealError::Damaged)?;
                Ok(VerificationKeys { id: key.id, key: public, retired_at: key.retired_at })
            })
            .collect::<Result<_, SealError>>()?;
        Ok(Some(Self { signing_id: current.id, signing, verifying }))
    }

    /// Generates a key pair: the public key, and the private key sealed.
    pub(crate) fn generate(seal: &Seal, env: &dyn Env) -> (Vec<u8>, Vec<u8>) {
        let private_key = token::random_key(env);
        let public_key = token::key_pair(&private_key).expect("any 32 bytes are a private key").public().to_bytes();
        let sealed = seal.close(&private_key, &root_key_purpose(&public_key), env);
        (public_key, sealed)
    }

    /// Signs an access token, valid for [`TOKEN_LIFETIME`].
    pub fn issue(&self, user: UserId, session: SessionId, role: Role, env: &dyn Env) -> String {
        let claims = Claims { user, session, role, expires_at: token::end_of_token(env.now()) };
        token::issue(&self.signing, self.signing_id, &claims, env)
    }

    /// Verifies a token: signature, expiry, and that nothing was added or changed. Only the store knows whether the
    /// session has been ended since.
    ///
    /// On [`TokenError::UnknownKey`] the caller may reload the keys, because another node may have made a new one. It
    /// must limit how often: anybody can write an unknown key id into a token.
    pub fn verify(&self, token: &str, now: Timestamp) -> Result<Claims, TokenError> {
        token::verify(token, now, |id| self.key(id, now))
    }

    /// A public key, for tests that take tokens apart.
    #[cfg(test)]
    pub(crate) fn public_key_of(&self, id: u32) -> Option<PublicKey> {
        self.verifying.iter().find(|key| key.id == id).map(|key| key.key)
    }

    fn key(&self, id: u32, now: Timestamp) -> Option<PublicKey> {
        let found = self.verifying.iter().find(|key| key.id == id)?;
        let over = found.retired_at.is_some_and(|at| now.since(at) >= TOKEN_KEY_GRACE);
        (!over).then_some(found.key)
    }
}

/// The purpose that a private root key is sealed for: bound to its public key.
pub fn root_key_purpose(public_key: &[u8]) -> Vec<u8> {
    [b"root key ", public_key].concat()
}

impl fmt::Debug for KeyRing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ids: Vec<u32> = self.verifying.iter().map(|key| key.id).collect();
        f.debug_struct("KeyRing").field("signing", &self.signing_id).field("verifying", &ids).finish()
    }
}

#[cfg(test)]
mod tests {
    use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
    use biscuit_auth::{
        UnverifiedBiscuit,
        macros::{biscuit, block},
    };
    use kernel::{FixedEnv, HOUR};
    use proptest::prelude::*;

    use super::*;

    const NOW: Timestamp = Timestamp::from_millis(1_795_226_400_250);
    const CLAIMS: Claims = Claims {
        user: UserId::from_store(7),
        session: SessionId::from_store(9),
        role: Role::Editor,
        expires_at: Timestamp::from_millis(1_795_230_000_000),
    };

    fn seal() -> Seal {
        Seal::new(&[3; 32]).unwrap()
    }

    fn stored(id: u32, retired_at: Option<Timestamp>, env: &FixedEnv) -> RootKey {
        let (public_key, sealed_private_key) = KeyRing::generate(&seal(), env);
        RootKey { id, public_key, sealed_private_key, created_at: NOW, retired_at }
    }

    fn ring_and_token() -> (KeyRing, String) {
        let env = FixedEnv::at(NOW);
        let ring = KeyRing::open(&[stored(1, None, &env)], &seal()).unwrap().unwrap();
        let token = ring.issue(CLAIMS.user, CLAIMS.session, CLAIMS.role, &env);
        (ring, token)
    }

    #[test]
    fn an_access_token_lives_for_one_hour() {
        assert_eq!(TOKEN_LIFETIME, 3_600_000);
    }

    #[test]
    fn a_token_says_who_on_which_device_with_which_role_for_an_hour() {
        let (ring, token) = ring_and_token();
        assert_eq!(ring.verify(&token, NOW), Ok(CLAIMS));
        assert_eq!(ring.verify(&token, CLAIMS.expires_at.plus(-1)), Ok(CLAIMS));
        assert_eq!(ring.verify(&token, CLAIMS.expires_at), Err(TokenError::Expired));
        assert_eq!(ring.verify(&token, NOW.plus(10 * HOUR)), Err(TokenError::Expired));
        assert!(NOW.plus(TOKEN_LIFETIME).since(CLAIMS.expires_at) < 1_000);
        assert!(token.len() < 400 && token.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_'));
    }

    #[test]
    fn another_key_under_the_same_number_verifies_nothing() {
        let (_, token) = ring_and_token();
        let env = FixedEnv::at(NOW);
        env.fill_random(&mut [0; 100]);
        let other = KeyRing::open(&[stored(1, None, &env)], &seal()).unwrap().unwrap();
        assert_eq!(other.verify(&token, NOW), Err(TokenError::Invalid));
        let elsewhere = KeyRing::open(&[stored(2, None, &env)], &seal()).unwrap().unwrap();
        assert_eq!(elsewhere.verify(&token, NOW), Err(TokenError::UnknownKey));
    }

    #[test]
    fn a_token_to_which_a_block_was_added_is_refused() {
        let (ring, token) = ring_and_token();
        let bytes = URL_SAFE_NO_PAD.decode(&token).unwrap();
        let plain = UnverifiedBiscuit::from(&bytes).unwrap();
        let attenuated = plain.append(block!("check if true;")).unwrap().to_vec().unwrap();
        assert_eq!(ring.verify(&URL_SAFE_NO_PAD.encode(attenuated), NOW), Err(TokenError::Invalid));
        let sealed = plain.seal().unwrap().to_vec().unwrap();
        assert_eq!(ring.verify(&URL_SAFE_NO_PAD.encode(sealed), NOW), Err(TokenError::Invalid));
    }

    #[test]
    fn a_signed_token_that_says_too_little_or_too_much_is_refused() {
        let env = FixedEnv::at(NOW);
        let key = stored(1, None, &env);
        let ring = KeyRing::open(std::slice::from_ref(&key), &seal()).unwrap().unwrap();
        let sign = |builder: biscuit_auth::BiscuitBuilder| {
            URL_SAFE_NO_PAD.encode(builder.root_key_id(1).build(&ring.signing).unwrap().to_vec().unwrap())
        };
        for builder in [
            biscuit!("user(1); session(2); role(\"member\");"),
            biscuit!("user(1); session(2); role(\"owner\"); expires(2030-01-01T00:00:00Z);"),
            biscuit!("user(-1); session(2); role(\"member\"); expires(2030-01-01T00:00:00Z);"),
            biscuit!("user(1); user(2); session(2); role(\"member\"); expires(2030-01-01T00:00:00Z);"),
            biscuit!("user(\"1\"); session(2); role(\"member\"); expires(2030-01-01T00:00:00Z);"),
        ] {
            assert!(ring.verify(&sign(builder), NOW).is_err());
        }
        let nameless = biscuit!("user(1); session(2); role(\"member\"); expires(2030-01-01T00:00:00Z);");
        let nameless = URL_SAFE_NO_PAD.encode(nameless.build(&ring.signing).unwrap().to_vec().unwrap());
        assert_eq!(ring.verify(&nameless, NOW), Err(TokenError::Invalid));
    }

    #[test]
    fn a_retired_key_verifies_until_its_last_token_is_over() {
        let env = FixedEnv::at(NOW);
        let first = stored(1, None, &env);
        let ring = KeyRing::open(std::slice::from_ref(&first), &seal()).unwrap().unwrap();
        // The last token of the key, signed by a node that has not heard of the rotation yet.
        env.advance(30_000);
        let last = ring.issue(CLAIMS.user, CLAIMS.session, CLAIMS.role, &env);
        let rotated = [RootKey { retired_at: Some(NOW), ..first }, stored(2, None, &env)];
        let ring = KeyRing::open(&rotated, &seal()).unwrap().unwrap();
        assert!(ring.verify(&last, NOW.plus(HOUR)).is_ok());
        assert_eq!(ring.verify(&last, NOW.plus(HOUR + 30_000)), Err(TokenError::Expired));
        assert_eq!(ring.verify(&last, NOW.plus(TOKEN_KEY_GRACE)), Err(TokenError::UnknownKey));
        let new = ring.issue(CLAIMS.user, CLAIMS.session, CLAIMS.role, &env);
        assert!(ring.verify(&new, NOW.plus(30_000)).is_ok());
    }

    #[test]
    fn keys_open_with_the_secret_that_sealed_them_only() {
        let env = FixedEnv::at(NOW);
        let key = stored(1, None, &env);
        let other = Seal::new(&[4; 32]).unwrap();
        assert_eq!(KeyRing::open(std::slice::from_ref(&key), &other).unwrap_err(), SealError::OtherSecret);
        // A private key that was stored with another public key does not open either.
        let moved = RootKey { public_key: stored(2, None, &env).public_key, ..key };
        assert_eq!(KeyRing::open(&[moved], &seal()).unwrap_err(), SealError::OtherSecret);
        assert!(KeyRing::open(&[], &seal()).unwrap().is_none());
        assert_eq!(format!("{:?}", ring_and_token().0), "KeyRing { signing: 1, verifying: [1] }");
    }

    #[test]
    fn no_byte_of_a_token_can_be_changed_or_left_out() {
        let (ring, token) = ring_and_token();
        let bytes = URL_SAFE_NO_PAD.decode(&token).unwrap();
        let refused = |bytes: &[u8]| ring.verify(&URL_SAFE_NO_PAD.encode(bytes), NOW).is_err();
        for at in 0..bytes.len() {
            let mut altered = bytes.clone();
            altered[at] ^= 1 << (at % 8);
            assert!(refused(&altered), "byte {at}");
            assert!(refused(&bytes[..at]), "cut at {at}");
        }
        for surplus in [0, 1, 8, 0x0a, 0x12, 0x1a, 0x22, 0x28, 255] {
            assert!(refused(&[&bytes[..], &[surplus]].concat()), "{surplus} added");
        }
        // An additional field, which parsers of the format ignore.
        assert!(refused(&[&bytes[..], &[0x28, 0x01]].concat()));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(128))]

        #[test]
        fn any_mutation_of_a_token_is_refused(at in any::<prop::sample::Index>(), change in 1_u8..) {
            let (ring, token) = ring_and_token();
            let mut bytes = URL_SAFE_NO_PAD.decode(&token).unwrap();
            let at = at.index(bytes.len());
            bytes[at] ^= change;
            prop_assert!(ring.verify(&URL_SAFE_NO_PAD.encode(bytes), NOW).is_err());
        }

        #[test]
        fn any_other_spelling_of_a_token_is_refused(at in any::<prop::sample::Index>(), c in any::<char>()) {
            let (ring, token) = ring_and_token();
            let mut chars: Vec<char> = token.chars().collect();
            let at = at.index(chars.len());
            prop_assume!(chars[at] != c);
            chars[at] = c;
            prop_assert!(ring.verify(&chars.into_iter().collect::<String>(), NOW).is_err());
        }

        #[test]
        fn any_text_and_any_bytes_are_refused_without_a_panic(text in ".{0,300}", bytes in prop::collection::vec(any::<u8>(), 0..400)) {
            let (ring, _) = ring_and_token();
            prop_assert!(ring.verify(&text, NOW).is_err());
            prop_assert!(ring.verify(&URL_SAFE_NO_PAD.encode(bytes), NOW).is_err());
        }
    }
}
