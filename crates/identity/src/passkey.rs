//! Passkeys: keys on people's devices that stand for password and second factor together. What a key says is checked
//! by the server, for this crate knows no browser; here is what is kept of them.

use kernel::{PasskeyId, Timestamp, UserId};

use crate::IdentityError;

/// The most passkeys of one person.
pub const MAX_PASSKEYS: usize = 20;

/// A passkey as its owner sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Passkey {
    pub id: PasskeyId,
    /// What its owner calls it.
    pub name: PasskeyName,
    /// When it was added.
    pub created_at: Timestamp,
    /// When a person last signed in with it.
    pub last_used_at: Option<Timestamp>,
}

/// A passkey with what its signatures are checked against.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredPasskey {
    /// As its owner sees it.
    pub passkey: Passkey,
    /// Whose it is.
    pub user: UserId,
    /// What devices call it.
    pub credential_id: Vec<u8>,
    /// What devices call its owner: random, and the same for all of a person's passkeys.
    pub user_handle: Vec<u8>,
    /// Public key, counter and properties, as the server that checks them writes them. Nothing in it is secret.
    pub credential: String,
}

/// A passkey that is to be added.
#[derive(Clone, Debug)]
pub struct NewPasskey<'a> {
    /// What its owner calls it.
    pub name: &'a PasskeyName,
    /// What devices call it.
    pub credential_id: &'a [u8],
    /// What devices call its owner.
    pub user_handle: &'a [u8],
    /// See [`StoredPasskey::credential`].
    pub credential: &'a str,
}

/// What a person calls a passkey: 1 to 60 visible characters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PasskeyName(String);

impl PasskeyName {
    /// The most characters.
    pub const MAX_CHARS: usize = 60;

    /// Reads a name.
    pub fn parse(text: &str) -> Result<Self, IdentityError> {
        let name = text.trim();
        let fine = !name.is_empty() && name.chars().count() <= Self::MAX_CHARS && !name.chars().any(char::is_control);
        if fine { Ok(Self(name.to_owned())) } else { Err(IdentityError::InvalidPasskeyName) }
    }

    /// Takes a name that was stored.
    pub const fn from_store(text: String) -> Self {
        Self(text)
    }

    /// The name.
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
