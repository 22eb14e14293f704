//! Single-use secrets with a limited lifetime: in mailed links, in URLs, and between the steps of a sign-in
//! (`identity.single-use-token`, `identity.reset-code`).

use std::fmt;

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use kernel::{DAY, Env, HOUR, MINUTE, Timestamp, UserId};
use sha2::{Digest, Sha256};

use crate::{
    SecretHash,
    mac::{hmac_sha256, is_hmac_sha256},
};

/// The length of a secret, in random bytes.
const TOKEN_BYTES: usize = 32;

/// The number of wrong codes that invalidates a secret and its code.
pub const CODE_TRIES: u32 = 5;

/// What a secret may be used for. It is invalid for any other purpose.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Purpose {
    /// Resetting the password by a mailed link (`identity.reset-code`).
    ResetPassword,
    /// Confirming the address of an account.
    ConfirmEmail,
    /// Changing the account's address; the data is the new address.
    ChangeEmail,
    /// Signing in by a mailed link, or by the six-digit code in the same mail.
    LoginLink,
    /// The `token` parameter of a URL, which is exchanged for a session (`identity.single-use-token`).
    Arrival,
    /// The step after the password: entering the second factor.
    SecondFactor,
    /// Proving one's identity in a session by a mailed six-digit code; the data names the session.
    Proof,
    /// Downloading the archive of a member's data.
    Archive,
    /// Adding a passkey: the data is the ceremony's state.
    PasskeyRegistration,
    /// Signing in with a passkey: the data is the ceremony's state.
    PasskeyLogin,
    /// A started sign-in with a provider; the data is the flow's state.
    ProviderFlow,
}

impl Purpose {
    pub const ALL: [Self; 11] = [
        Self::Proof,
        Self::ResetPassword,
        Self::ConfirmEmail,
        Self::ChangeEmail,
        Self::LoginLink,
        Self::Arrival,
        Self::SecondFactor,
        Self::Archive,
        Self::PasskeyRegistration,
        Self::PasskeyLogin,
        Self::ProviderFlow,
    ];

    /// The stored name.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::ResetPassword => "reset_password",
            Self::ConfirmEmail => "confirm_email",
            Self::ChangeEmail => "change_email",
            Self::LoginLink => "login_link",
            Self::Arrival => "arrival",
            Self::SecondFactor => "second_factor",
            Self::Proof => "proof",
            Self::Archive => "archive",
            Self::PasskeyRegistration => "passkey_registration",
            Self::PasskeyLogin => "passkey_login",
            Self::ProviderFlow => "provider_flow",
        }
    }

    /// The purpose with this stored name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|purpose| purpose.as_str() == name)
    }

    /// The lifetime of a secret, in milliseconds.
    pub const fn lifetime(self) -> i64 {
        match self {
            Self::ResetPassword => HOUR,
            Self::ConfirmEmail => 7 * DAY,
            Self::ChangeEmail | Self::Archive => DAY,
            Self::LoginLink | Self::Proof => 15 * MINUTE,
            Self::Arrival => 2 * MINUTE,
            Self::SecondFactor | Self::PasskeyRegistration | Self::PasskeyLogin => 5 * MINUTE,
            Self::ProviderFlow => 10 * MINUTE,
        }
    }

    /// Whether a six-digit code may be typed instead of following the link.
    pub const fn has_code(self) -> bool {
        matches!(self, Self::LoginLink | Self::Proof)
    }

    /// Whether a new secret invalidates the user's older ones for the same purpose.
    pub const fn replaces(self) -> bool {
        match self {
            Self::ResetPassword
            | Self::ConfirmEmail
            | Self::ChangeEmail
            | Self::LoginLink
            | Self::Proof
            | Self::Archive => true,
            Self::Arrival
            | Self::SecondFactor
            | Self::PasskeyRegistration
            | Self::PasskeyLogin
            | Self::ProviderFlow => false,
        }
    }
}

/// A request for a new secret.
#[derive(Clone, Copy, Debug)]
pub struct Issue<'a> {
    pub purpose: Purpose,
    /// `None` while the user is unknown.
    pub user: Option<UserId>,
    /// For the next step.
    pub data: Option<&'a str>,
    /// The hash of a value that only the starting browser holds, such as a cookie's: the secret works in that browser
    /// only. `None`: in any browser.
    pub binding: Option<&'a SecretHash>,
}

/// A secret to be sent to its user.
#[derive(Clone, PartialEq, Eq)]
pub struct IssuedSecret {
    /// 256 random bits as 43 URL-safe characters.
    pub token: String,
    /// Six digits; `None` unless [`Purpose::has_code`].
    pub code: Option<String>,
}

impl fmt::Debug for IssuedSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("IssuedSecret(…)")
    }
}

/// A stored secret that was found by its token or code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundSecret {
    pub user: Option<UserId>,
    /// For the next step.
    pub data: Option<String>,
    /// The hash of the value that the browser must hold; `None`: any browser may use it.
    pub binding: Option<SecretHash>,
    /// When it expires.
    pub expires_at: Timestamp,
}

impl FoundSecret {
    /// Whether it may be used in a browser that holds this value of a cookie.
    pub fn is_bound_to(&self, held: Option<&str>) -> bool {
        self.binding.is_none_or(|binding| held.is_some_and(|held| hash_of_text(held) == binding))
    }
}

/// The SHA-256 of a token, or of a value that only one browser holds.
pub fn hash_of_text(text: &str) -> SecretHash {
    SecretHash::from_bytes(Sha256::digest(text.as_bytes()).into())
}

/// 256 random bits as URL-safe text.
pub fn generate_token(env: &dyn Env) -> String {
    let mut bytes = [0; TOKEN_BYTES];
    env.fill_random(&mut bytes);
    URL_SAFE_NO_PAD.encode(bytes)
}

/// Six random digits, uniformly distributed.
pub(crate) fn generate_code(env: &dyn Env) -> String {
    const NUMBERS: u32 = 1_000_000;
    loop {
        let mut bytes = [0; 4];
        env.fill_random(&mut bytes);
        let number = u32::from_be_bytes(bytes);
        // Numbers above the last whole million are rejected: they would make small codes more likely.
        if number < u32::MAX - u32::MAX % NUMBERS {
            return format!("{:06}", number % NUMBERS);
        }
    }
}

/// The stored hash of a code. It is keyed with the secret's hash, so that it matches with that secret only.
pub(crate) fn hash_of_code(code: &str, of: &SecretHash) -> SecretHash {
    SecretHash::from_bytes(hmac_sha256(of.as_bytes(), code.as_bytes()))
}

/// Verifies a code in constant time.
pub(crate) fn is_code(code: &str, of: &SecretHash, hash: &SecretHash) -> bool {
    is_hmac_sha256(of.as_bytes(), code.as_bytes(), hash.as_bytes())
}

/// Whether a text has the format of a single-use secret. Access tokens never have it.
pub fn is_single_use_token(text: &str) -> bool {
    URL_SAFE_NO_PAD.decode(text).is_ok_and(|bytes| bytes.len() == TOKEN_BYTES)
}

#[cfg(test)]
mod tests {
    use kernel::FixedEnv;

    use super::*;

    #[test]
    fn lifetimes_are_those_of_the_decisions() {
        assert_eq!(Purpose::ResetPassword.lifetime(), 60 * 60 * 1000);
        assert_eq!(Purpose::Arrival.lifetime(), 2 * 60 * 1000);
        assert_eq!(CODE_TRIES, 5);
    }

    #[test]
    fn purposes_have_names() {
        for purpose in Purpose::ALL {
            assert_eq!(Purpose::from_name(purpose.as_str()), Some(purpose));
        }
        assert_eq!(Purpose::from_name("weather"), None);
    }

    #[test]
    fn codes_are_six_digits_and_secrets_do_not_show() {
        let env = FixedEnv::at(Timestamp::from_millis(0));
        for _ in 0..100 {
            let code = generate_code(&env);
            assert!(code.len() == 6 && code.bytes().all(|b| b.is_ascii_digit()), "{code}");
        }
        let secret = IssuedSecret { token: generate_token(&env), code: Some(generate_code(&env)) };
        assert_eq!((secret.token.len(), format!("{secret:?}")), (43, "IssuedSecret(…)".to_owned()));
    }

    #[test]
    fn a_secret_can_be_told_from_an_access_token() {
        let token = generate_token(&FixedEnv::at(Timestamp::from_millis(0)));
        assert!(is_single_use_token(&token));
        for other in ["", "nonsense", &token[1..], &format!("{token}AAAA"), &token.repeat(5)] {
            assert!(!is_single_use_token(other), "{other}");
        }
    }

    #[test]
    fn a_code_belongs_to_its_secret() {
        let (one, other) = (hash_of_text("one"), hash_of_text("other"));
        assert_eq!(hash_of_code("123456", &one), hash_of_code("123456", &one));
        assert_ne!(hash_of_code("123456", &one), hash_of_code("123456", &other));
        let hash = hash_of_code("123456", &one);
        assert!(is_code("123456", &one, &hash));
        for wrong in ["123457", "", "12345", "1234567", "１２３４５６"] {
            assert!(!is_code(wrong, &one, &hash), "{wrong}");
        }
        assert!(!is_code("123456", &other, &hash));
    }

    #[test]
    fn a_bound_secret_is_good_in_its_browser_only() {
        let expires_at = Timestamp::from_millis(0);
        let found = |binding| FoundSecret { user: None, data: None, binding, expires_at };
        assert!(found(None).is_bound_to(None) && found(None).is_bound_to(Some("x")));
        let bound = found(Some(hash_of_text("x")));
        assert!(bound.is_bound_to(Some("x")) && !bound.is_bound_to(Some("y")) && !bound.is_bound_to(None));
    }
}
