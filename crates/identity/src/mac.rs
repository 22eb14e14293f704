//! HMAC-SHA256, for deriving keys and authenticating secrets.

use hmac::{Hmac, Mac};
use sha2::Sha256;

/// The authentication code of a message.
pub(crate) fn hmac_sha256(key: &[u8], message: &[u8]) -> [u8; 32] {
    mac(key, message).finalize().into_bytes().into()
}

/// Verifies an authentication code in constant time.
pub(crate) fn is_hmac_sha256(key: &[u8], message: &[u8], code: &[u8]) -> bool {
    mac(key, message).verify_slice(code).is_ok()
}

fn mac(key: &[u8], message: &[u8]) -> Hmac<Sha256> {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).expect("HMAC takes a key of any length");
    mac.update(message);
    mac
}
