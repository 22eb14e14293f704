//! HMAC-SHA256: keys and secrets that are derived from others.

use hmac::{Hmac, Mac};
use sha2::Sha256;

/// The code of a message under a key.
pub(crate) fn hmac_sha256(key: &[u8], message: &[u8]) -> [u8; 32] {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).expect("HMAC takes a key of any length");
    mac.update(message);
    mac.finalize().into_bytes().into()
}
