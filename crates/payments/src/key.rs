//! Hashes of keys and of what ids follow from.

use sha2::{Digest, Sha256};

/// The first 128 bits of a hash over texts, each with its length, in hexadecimal.
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
    fn texts_that_are_split_elsewhere_have_another_hash() {
        assert!(digest(&["ab", "c"]) != digest(&["a", "bc"]));
        assert_eq!(digest(&["a"]).len(), 32);
    }
}
