//! Idempotency keys as sent to providers.

use billing::gateway::IdempotencyKey;
use sha2::{Digest, Sha256};

/// The hash of our key: 32 hexadecimal digits, a format that every provider accepts.
pub(crate) fn provider_key(key: &IdempotencyKey) -> String {
    digest(&[key.as_str()])
}

/// The first 128 bits of a SHA-256 hash over length-prefixed texts, in hexadecimal.
pub(crate) fn digest(parts: &[&str]) -> String {
    let mut hasher = Sha256::new();
    for part in parts {
        hasher.update(part.len().to_be_bytes());
        hasher.update(part.as_bytes());
    }
    hex::encode(&hasher.finalize()[..16])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_of_any_text_becomes_32_digits_of_its_own() {
        let keys =
            ["k", "k/capture", "schlüssel ".repeat(100).as_str()].map(|text| provider_key(&IdempotencyKey::new(text)));
        assert!(keys.iter().all(|key| key.len() == 32 && key.bytes().all(|b| b.is_ascii_hexdigit())));
        assert!(keys[0] != keys[1] && digest(&["ab", "c"]) != digest(&["a", "bc"]));
    }
}
