//! Refresh tokens and refresh token rotation (`identity.refresh-rotation`).

use std::fmt;

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use kernel::{DAY, Env, SECOND, Timestamp};
use sha2::{Digest, Sha256};

use crate::{
    User,
    mac::{hmac_sha256, is_hmac_sha256},
};

/// The lifetime of a session from its last refresh, in milliseconds.
pub const SESSION_LIFETIME: i64 = 30 * DAY;

/// The maximum lifetime of a session, however often it is refreshed, in milliseconds.
pub const SESSION_MAX_LIFETIME: i64 = 365 * DAY;

/// The expiry of a session that is refreshed `now`.
pub(crate) fn session_end(created_at: Timestamp, now: Timestamp) -> Timestamp {
    now.plus(SESSION_LIFETIME).min(created_at.plus(SESSION_MAX_LIFETIME))
}

/// How long a replaced token still gets its successor, in milliseconds: two tabs may refresh at once, or a response may
/// be lost. A later use means that another person has the token.
pub const REFRESH_GRACE: i64 = 10 * SECOND;

/// 256 random bits that only the device knows.
#[derive(Clone, PartialEq, Eq)]
pub struct RefreshToken([u8; 32]);

/// The stored hash of a secret: SHA-256, or HMAC-SHA256 for six-digit codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SecretHash([u8; 32]);

impl RefreshToken {
    /// A random token.
    pub fn generate(env: &dyn Env) -> Self {
        let mut bytes = [0; 32];
        env.fill_random(&mut bytes);
        Self(bytes)
    }

    /// Parses what [`RefreshToken::encode`] wrote; `None` if it is not a token.
    pub fn decode(text: &str) -> Option<Self> {
        URL_SAFE_NO_PAD.decode(text).ok()?.try_into().ok().map(Self)
    }

    /// The token as 43 characters that are allowed in a cookie.
    pub fn encode(&self) -> String {
        URL_SAFE_NO_PAD.encode(self.0)
    }

    /// The stored hash. A plain hash suffices: nobody can guess 256 random bits.
    pub fn hash(&self) -> SecretHash {
        SecretHash(Sha256::digest(self.0).into())
    }

    /// The token that replaces this one: always the same, and not computable without the server's key.
    #[must_use]
    pub fn successor(&self, key: &RefreshKey) -> Self {
        Self(hmac_sha256(&key.0, &self.0))
    }
}

impl fmt::Debug for RefreshToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RefreshToken(…)")
    }
}

impl SecretHash {
    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

/// The server's key, from which successors of refresh tokens and device marks are derived.
#[derive(Clone)]
pub struct RefreshKey([u8; 32]);

impl RefreshKey {
    pub const fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// The mark that a device keeps after this user has signed in on it, also after a logout, until the account forgets
    /// its devices. It grants no access: it separates the owner's attempts from those of strangers, so that strangers
    /// can't lock the owner out.
    pub fn device_mark(&self, user: &User) -> String {
        URL_SAFE_NO_PAD.encode(hmac_sha256(&self.0, &device_of(user)))
    }

    /// Whether the text is the mark of a device of this user.
    pub fn knows_device(&self, user: &User, mark: &str) -> bool {
        URL_SAFE_NO_PAD.decode(mark).is_ok_and(|mark| is_hmac_sha256(&self.0, &device_of(user), &mark))
    }
}

/// The message whose authentication code is the mark. No token has its length, so that no successor is a mark.
fn device_of(user: &User) -> Vec<u8> {
    let (id, version) = (user.id.get().to_be_bytes(), user.devices_version.to_be_bytes());
    [b"device of user ".as_slice(), &id, &version].concat()
}

impl fmt::Debug for RefreshKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RefreshKey(…)")
    }
}

#[cfg(test)]
mod tests {
    use kernel::{Email, FixedEnv, UserId};
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_terms_are_those_of_the_decisions() {
        assert_eq!((SESSION_LIFETIME, REFRESH_GRACE), (2_592_000_000, 10_000));
        assert_eq!(SESSION_MAX_LIFETIME, 365 * 24 * 60 * 60 * 1000);
    }

    #[test]
    fn a_session_ends_a_year_after_its_sign_in_at_the_latest() {
        let began = Timestamp::from_millis(0);
        assert_eq!(session_end(began, began), began.plus(SESSION_LIFETIME));
        assert_eq!(session_end(began, began.plus(334 * DAY)), began.plus(364 * DAY));
        assert_eq!(session_end(began, began.plus(335 * DAY)), began.plus(SESSION_MAX_LIFETIME));
        assert_eq!(session_end(began, began.plus(364 * DAY)), began.plus(SESSION_MAX_LIFETIME));
    }

    fn user(id: i64, devices_version: i32) -> User {
        User {
            id: UserId::from_store(id),
            email: Email::parse("ada@example.com").unwrap(),
            first_name: "Ada".to_owned(),
            last_name: "Lovelace".to_owned(),
            timezone: "UTC".to_owned(),
            role: crate::Role::Member,
            friend_email: None,
            created_at: Timestamp::from_millis(0),
            email_confirmed_at: None,
            has_password: true,
            devices_version,
        }
    }

    #[test]
    fn a_successor_is_always_the_same_and_needs_the_key() {
        let secret = RefreshToken::generate(&FixedEnv::at(Timestamp::from_millis(0)));
        let (one, other) = (RefreshKey::new([1; 32]), RefreshKey::new([2; 32]));
        assert_eq!(secret.successor(&one), secret.successor(&one));
        assert_ne!(secret.successor(&one), secret.successor(&other));
        assert_ne!(secret.successor(&one), secret);
        assert_ne!(secret.successor(&one).successor(&one), secret.successor(&one));
    }

    #[test]
    fn a_device_is_known_to_one_person_until_it_is_forgotten() {
        let (key, ada, bob) = (RefreshKey::new([1; 32]), user(1, 0), user(2, 0));
        let mark = key.device_mark(&ada);
        assert!(key.knows_device(&ada, &mark) && !key.knows_device(&bob, &mark));
        assert!(!key.knows_device(&user(1, 1), &mark));
        assert!(!RefreshKey::new([2; 32]).knows_device(&ada, &mark));
        assert!(
            !key.knows_device(&ada, "") && !key.knows_device(&ada, &mark[..42]) && !key.knows_device(&ada, "no mark")
        );
        assert_ne!(device_of(&ada).len(), 32);
    }

    #[test]
    fn secrets_differ_and_do_not_show() {
        let env = FixedEnv::at(Timestamp::from_millis(0));
        let (one, other) = (RefreshToken::generate(&env), RefreshToken::generate(&env));
        assert_ne!(one, other);
        assert_eq!(format!("{one:?} {:?}", RefreshKey::new([1; 32])), "RefreshToken(…) RefreshKey(…)");
    }

    proptest! {
        #[test]
        fn a_secret_survives_its_cookie(bytes in any::<[u8; 32]>()) {
            let text = RefreshToken(bytes).encode();
            prop_assert_eq!(text.len(), 43);
            prop_assert_eq!(RefreshToken::decode(&text), Some(RefreshToken(bytes)));
        }

        #[test]
        fn any_other_text_is_no_secret(text in ".{0,60}") {
            if let Some(secret) = RefreshToken::decode(&text) {
                prop_assert_eq!(secret.encode(), text);
            }
        }
    }
}
