//! E-mail addresses as they are typed and as they are compared.

use std::fmt;

/// An e-mail address: kept as it was typed, compared without regard to case (`decisions.md` 19).
#[derive(Clone, Debug)]
pub struct Email {
    typed: String,
    key: String,
}

/// The text is not an e-mail address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("Please specify a valid email address.")]
pub struct InvalidEmail;

impl Email {
    /// The longest address that SMTP can carry, in bytes.
    pub const MAX_BYTES: usize = 254;

    /// Reads an address, without the blanks around it.
    ///
    /// The check is for what can be delivered at all (one `@`, a local part, a domain with a dot, no blanks or
    /// control characters): whether the address is a person's is shown by a mail, not by a pattern.
    pub fn parse(text: &str) -> Result<Self, InvalidEmail> {
        let typed = text.trim();
        if typed.len() > Self::MAX_BYTES || typed.chars().any(|c| c.is_whitespace() || c.is_control()) {
            return Err(InvalidEmail);
        }
        let (local, domain) = typed.rsplit_once('@').ok_or(InvalidEmail)?;
        let local_is_fine = !local.is_empty()
            && local.len() <= 64
            && !local.starts_with('.')
            && !local.ends_with('.')
            && !local.contains("..")
            && !local.contains(['@', '<', '>', '(', ')', '[', ']', '\\', ',', ';', ':', '"']);
        let labels: Vec<&str> = domain.split('.').collect();
        let domain_is_fine = labels.len() >= 2
            && labels.iter().all(|label| {
                !label.is_empty()
                    && label.len() <= 63
                    && !label.starts_with('-')
                    && !label.ends_with('-')
                    && label.chars().all(|c| c.is_alphanumeric() || c == '-')
            });
        if local_is_fine && domain_is_fine {
            Ok(Self { typed: typed.to_owned(), key: typed.to_lowercase() })
        } else {
            Err(InvalidEmail)
        }
    }

    /// The address as it was typed: what mails are sent to.
    pub fn as_str(&self) -> &str {
        &self.typed
    }

    /// The address in the form in which two are compared.
    pub fn key(&self) -> &str {
        &self.key
    }
}

impl PartialEq for Email {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key
    }
}

impl Eq for Email {}

impl fmt::Display for Email {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.typed)
    }
}

#[cfg(test)]
mod tests {
    use super::Email;
    use proptest::prelude::*;

    #[test]
    fn case_and_blanks_around_do_not_make_another_address() {
        assert_eq!(Email::parse(" Ada@Example.com "), Email::parse("ada@EXAMPLE.com"));
        assert_eq!(Email::parse(" Ada@Example.com ").unwrap().as_str(), "Ada@Example.com");
    }

    #[test]
    fn what_cannot_be_delivered_is_refused() {
        for text in [
            "",
            "ada",
            "@example.com",
            "ada@",
            "ada@example",
            "a b@example.com",
            "ada@exa mple.com",
            "ada@@example.com",
            "ada@.com",
            "ada@example..com",
            "ada\r\nbcc:x@example.com",
            ".ada@example.com",
            "a..b@example.com",
            "<ada@example.com>",
        ] {
            assert!(Email::parse(text).is_err(), "{text:?}");
        }
        assert!(Email::parse(&format!("{}@example.com", "a".repeat(65))).is_err());
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused_without_a_panic(text in ".{0,300}") {
            if let Ok(email) = Email::parse(&text) {
                prop_assert_eq!(Email::parse(email.as_str()).unwrap(), email);
            }
        }
    }
}
