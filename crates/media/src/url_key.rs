//! The key that signs presigned media URLs (`catalogue.presigned-urls`).

use std::fmt;

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};

use hmac::{Hmac, Mac};
use sha2::Sha256;

/// The server's HMAC-SHA-256 key for presigned URLs. Its bytes can't be read back, and `Debug` hides them.
#[derive(Clone)]
pub struct UrlKey([u8; 32]);

impl UrlKey {
    pub const fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// The signature of a text: 43 characters of URL-safe base64.
    pub fn sign(&self, text: &str) -> String {
        URL_SAFE_NO_PAD.encode(self.mac(text).finalize().into_bytes())
    }

    /// Whether `signature` is the signature of the text. Compares in constant time.
    pub fn is_signed(&self, text: &str, signature: &str) -> bool {
        URL_SAFE_NO_PAD.decode(signature).is_ok_and(|code| self.mac(text).verify_slice(&code).is_ok())
    }

    fn mac(&self, text: &str) -> Hmac<Sha256> {
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.0).expect("HMAC takes a key of any length");
        mac.update(text.as_bytes());
        mac
    }
}

impl fmt::Debug for UrlKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("UrlKey(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signature_fits_one_text_under_one_key() {
        let (one, other) = (UrlKey::new([1; 32]), UrlKey::new([2; 32]));
        let signature = one.sign("audio/walden.mp3");
        assert_eq!(signature.len(), 43);
        assert!(one.is_signed("audio/walden.mp3", &signature));
        assert!(!one.is_signed("audio/walden.mp4", &signature) && !other.is_signed("audio/walden.mp3", &signature));
        assert_eq!(format!("{one:?}"), "UrlKey(…)");
    }

    #[test]
    fn no_character_of_a_signature_can_be_changed_or_left_out() {
        let key = UrlKey::new([1; 32]);
        let signature = key.sign("text");
        for at in 0..signature.len() {
            let mut altered = signature.clone().into_bytes();
            altered[at] = if altered[at] == b'A' { b'B' } else { b'A' };
            assert!(!key.is_signed("text", std::str::from_utf8(&altered).unwrap()), "character {at}");
            assert!(!key.is_signed("text", &signature[..at]), "cut at {at}");
        }
        assert!(!key.is_signed("text", &format!("{signature}A")) && !key.is_signed("text", "not base64"));
    }
}
