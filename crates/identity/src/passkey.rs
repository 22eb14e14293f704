//! Stored passkeys: keys on people's devices that replace both password and second factor. The crate `passkeys`
//! verifies them.

use kernel::{PasskeyId, Timestamp, UserId};

use crate::IdentityError;

/// The maximum number of passkeys of a user.
pub const MAX_PASSKEYS: usize = 20;

/// A passkey as its owner sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Passkey {
    pub id: PasskeyId,
    pub name: PasskeyName,
    pub created_at: Timestamp,
    /// When it was last used to sign in.
    pub last_used_at: Option<Timestamp>,
}

/// A passkey with the credential that its signatures are verified against.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredPasskey {
    pub passkey: Passkey,
    pub user: UserId,
    /// The `WebAuthn` credential id.
    pub credential_id: Vec<u8>,
    /// The `WebAuthn` user handle: random, and the same for all of a user's passkeys.
    pub user_handle: Vec<u8>,
    /// Public key, signature counter and flags, as serialized by the crate `passkeys`. Nothing in it is secret.
    pub credential: String,
}

/// A passkey to be added.
#[derive(Clone, Debug)]
pub struct NewPasskey<'a> {
    pub name: &'a PasskeyName,
    /// The `WebAuthn` credential id.
    pub credential_id: &'a [u8],
    /// The `WebAuthn` user handle.
    pub user_handle: &'a [u8],
    /// See [`StoredPasskey::credential`].
    pub credential: &'a str,
}

/// The name that its owner gives a passkey: 1 to 60 visible characters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PasskeyName(String);

impl PasskeyName {
    /// The maximum length, in characters.
    pub const MAX_CHARS: usize = 60;

    /// Validates and trims a name.
    pub fn parse(text: &str) -> Result<Self, IdentityError> {
        let name = text.trim();
        let fine = !name.is_empty() && name.chars().count() <= Self::MAX_CHARS && !name.chars().any(char::is_control);
        if fine { Ok(Self(name.to_owned())) } else { Err(IdentityError::InvalidPasskeyName) }
    }

    /// A name from the store: not checked.
    pub const fn from_store(text: String) -> Self {
        Self(text)
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::PasskeyName;

    #[test]
    fn a_name_has_1_to_60_visible_characters() {
        assert_eq!(PasskeyName::parse(" My phone ").unwrap().as_str(), "My phone");
        assert!(PasskeyName::parse(&"é".repeat(60)).is_ok());
        for text in ["", " ", &"é".repeat(61), "a\nb", "a\0"] {
            assert!(PasskeyName::parse(text).is_err(), "{text:?}");
        }
    }
}
