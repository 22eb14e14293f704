//! Encryption of the server's keys, so that they can't be used with the database alone.

use std::fmt;

use chacha20poly1305::{
    Key, KeyInit, XChaCha20Poly1305, XNonce,
    aead::{Aead, Payload},
};
use kernel::Env;

use crate::mac::hmac_sha256;

/// The format version, stored as the first byte.
const VERSION: u8 = 1;
const NONCE_BYTES: usize = 24;

/// Why a key can't be sealed or opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SealError {
    /// The operator's secret has fewer bytes than [`Seal::MIN_SECRET_BYTES`].
    #[error("the secret that seals the server's keys needs at least {} bytes", Seal::MIN_SECRET_BYTES)]
    SecretTooShort,
    /// Decryption failed: the key was sealed with another secret or for another purpose, or was altered.
    #[error("the server's keys in the database were sealed with another secret than the one that is configured now")]
    OtherSecret,
    /// The data does not have the expected format.
    #[error("a key of the server in the database is damaged")]
    Damaged,
}

/// Encrypts with a key that is derived from the operator's secret (XChaCha20-Poly1305). Opens what was sealed with another secret
/// too, while the operator replaces the one by the other.
#[derive(Clone)]
pub struct Seal {
    cipher: XChaCha20Poly1305,
    other: Option<XChaCha20Poly1305>,
}

impl Seal {
    /// The minimum length of the operator's secret, in bytes.
    pub const MIN_SECRET_BYTES: usize = 32;

    /// Derives the key from the operator's secret.
    pub fn new(secret: &[u8]) -> Result<Self, SealError> {
        Ok(Self { cipher: Self::cipher(secret)?, other: None })
    }

    /// Also opens what was sealed with another secret. Nothing is sealed with it.
    pub fn also_opening(self, other: &[u8]) -> Result<Self, SealError> {
        Ok(Self { other: Some(Self::cipher(other)?), ..self })
    }

    fn cipher(secret: &[u8]) -> Result<XChaCha20Poly1305, SealError> {
        if secret.len() < Self::MIN_SECRET_BYTES {
            return Err(SealError::SecretTooShort);
        }
        // The label separates this key from any others that may be derived from the secret.
        let key = hmac_sha256(secret, b"pith: seal of the server's keys, 1");
        Ok(XChaCha20Poly1305::new(Key::from_slice(&key)))
    }

    /// Encrypts a key for a purpose. It can't be opened for another one.
    pub fn close(&self, key: &[u8], purpose: &[u8], env: &dyn Env) -> Vec<u8> {
        let mut nonce = [0; NONCE_BYTES];
        env.fill_random(&mut nonce);
        let payload = Payload { msg: key, aad: purpose };
        let sealed = self
            .cipher
            .encrypt(XNonce::from_slice(&nonce), payload)
            .expect("a key is far shorter than what the cipher can take");
        [&[VERSION], &nonce[..], &sealed].concat()
    }

    /// Decrypts a key that was sealed for the purpose.
    pub fn open(&self, sealed: &[u8], purpose: &[u8]) -> Result<Vec<u8>, SealError> {
        let Some((&VERSION, rest)) = sealed.split_first() else { return Err(SealError::Damaged) };
        let Some((nonce, msg)) = rest.split_at_checked(NONCE_BYTES) else { return Err(SealError::Damaged) };
        let open = |cipher: &XChaCha20Poly1305| {
            cipher.decrypt(XNonce::from_slice(nonce), Payload { msg, aad: purpose }).map_err(|_| SealError::OtherSecret)
        };
        open(&self.cipher).or_else(|error| self.other.as_ref().map_or(Err(error), open))
    }

    /// Seals with the operator's secret what was sealed with the other one; `None` if it was sealed with it already.
    pub fn reseal(&self, sealed: &[u8], purpose: &[u8], env: &dyn Env) -> Result<Option<Vec<u8>>, SealError> {
        let own = Self { cipher: self.cipher.clone(), other: None };
        match own.open(sealed, purpose) {
            Ok(_) => Ok(None),
            Err(SealError::OtherSecret) => Ok(Some(self.close(&self.open(sealed, purpose)?, purpose, env))),
            Err(error) => Err(error),
        }
    }
}

impl fmt::Debug for Seal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Seal(…)")
    }
}

#[cfg(test)]
mod tests {
    use kernel::{FixedEnv, Timestamp};

    use super::*;

    fn seal(byte: u8) -> Seal {
        Seal::new(&[byte; 32]).unwrap()
    }

    #[test]
    fn what_another_secret_has_sealed_is_opened_and_sealed_again() {
        let env = FixedEnv::at(Timestamp::from_millis(0));
        let old = seal(1).close(b"the key", b"refresh", &env);
        let both = seal(2).also_opening(&[1; 32]).unwrap();
        assert_eq!(both.open(&old, b"refresh"), Ok(b"the key".to_vec()));
        assert_eq!(both.open(&old, b"root"), Err(SealError::OtherSecret));
        let new = both.reseal(&old, b"refresh", &env).unwrap().expect("another secret");
        assert_eq!(seal(2).open(&new, b"refresh"), Ok(b"the key".to_vec()));
        assert_eq!(both.reseal(&new, b"refresh", &env), Ok(None));
        assert_eq!(seal(2).reseal(&old, b"refresh", &env), Err(SealError::OtherSecret));
        assert_eq!(seal(2).also_opening(b"short").unwrap_err(), SealError::SecretTooShort);
        // What is sealed is sealed with the first.
        assert_eq!(seal(2).open(&both.close(b"x", b"y", &env), b"y"), Ok(b"x".to_vec()));
    }

    #[test]
    fn what_is_sealed_opens_with_the_same_secret_and_purpose_only() {
        let env = FixedEnv::at(Timestamp::from_millis(0));
        let sealed = seal(1).close(b"the key", b"refresh", &env);
        assert_eq!(seal(1).open(&sealed, b"refresh"), Ok(b"the key".to_vec()));
        assert_eq!(seal(2).open(&sealed, b"refresh"), Err(SealError::OtherSecret));
        assert_eq!(seal(1).open(&sealed, b"root"), Err(SealError::OtherSecret));
        assert!(!sealed.windows(7).any(|part| part == b"the key"));
        assert_ne!(sealed, seal(1).close(b"the key", b"refresh", &env));
    }

    #[test]
    fn what_was_altered_does_not_open() {
        let sealed = seal(1).close(b"the key", b"refresh", &FixedEnv::at(Timestamp::from_millis(0)));
        for at in 0..sealed.len() {
            let mut altered = sealed.clone();
            altered[at] ^= 1;
            assert!(seal(1).open(&altered, b"refresh").is_err(), "byte {at}");
            assert!(seal(1).open(&sealed[..at], b"refresh").is_err(), "cut at {at}");
        }
    }

    #[test]
    fn a_short_secret_is_refused() {
        assert_eq!(Seal::new(&[7; 31]).unwrap_err(), SealError::SecretTooShort);
        assert_eq!(format!("{:?}", seal(1)), "Seal(…)");
    }
}
