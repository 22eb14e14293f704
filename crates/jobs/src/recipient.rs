//! The recipients of jobs, without storing a readable address.

use kernel::Email;
use sha2::{Digest, Sha256};

/// A hash of an address, by which its jobs are found. The address can't be read from it, only guessed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecipientKey([u8; 32]);

impl RecipientKey {
    /// The key of an address, without regard to case.
    pub fn of(email: &Email) -> Self {
        Self(Sha256::new().chain_update(b"pith: recipient of a job, 1: ").chain_update(email.key()).finalize().into())
    }

    /// The bytes that are stored.
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

/// An address as admins see it, enough to recognize it: the first letter and the domain.
pub fn mask_address(email: &Email) -> String {
    let text = email.as_str();
    let first: String = text.chars().take(1).collect();
    let domain = text.rsplit_once('@').map_or("", |(_, domain)| domain);
    format!("{first}…@{domain}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_hinted_at_and_found_in_any_case() {
        let email = |text| Email::parse(text).unwrap();
        assert_eq!(mask_address(&email("Ada.Lovelace@example.com")), "A…@example.com");
        assert_eq!(mask_address(&email("émile@example.com")), "é…@example.com");
        assert_eq!(RecipientKey::of(&email("Ada@example.com")), RecipientKey::of(&email("ada@EXAMPLE.com")));
        assert_ne!(RecipientKey::of(&email("ada@example.com")), RecipientKey::of(&email("bob@example.com")));
    }
}
