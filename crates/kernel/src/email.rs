//! E-mail addresses: their normalized form and their comparison key.

use std::{borrow::Cow, fmt};

use idna::uts46::{AsciiDenyList, DnsLength, Hyphens, Uts46};
use unicode_normalization::UnicodeNormalization;

/// An e-mail address, kept as it was typed and compared case-insensitively (`identity.email-comparison`).
///
/// Spellings of the same mailbox are equal: compatibility characters such as full-width letters are normalized (NFKC),
/// and a non-ASCII domain is kept in its ASCII form (IDNA, UTS 46).
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

    /// Parses an address; surrounding whitespace is ignored.
    ///
    /// Checks only whether mail could be delivered at all: one `@`, a local part, a domain with a dot, no whitespace or
    /// control characters. Whether the address belongs to a person is shown by a mail, not by a pattern.
    pub fn parse(text: &str) -> Result<Self, InvalidEmail> {
        let normal: String = text.trim().nfkc().collect();
        let typed = normal.trim();
        if typed.len() > Self::MAX_BYTES || typed.chars().any(|c| c.is_whitespace() || c.is_control()) {
            return Err(InvalidEmail);
        }
        let (local, domain) = typed.rsplit_once('@').ok_or(InvalidEmail)?;
        let ascii = ascii_domain(domain).ok_or(InvalidEmail)?;
        let domain = if domain.is_ascii() { domain } else { &ascii };
        let local_is_fine = !local.is_empty()
            && local.len() <= 64
            && !local.starts_with('.')
            && !local.ends_with('.')
            && !local.contains("..")
            && !local.contains(['@', '<', '>', '(', ')', '[', ']', '\\', ',', ';', ':', '"']);
        let fits = local.len() + 1 + domain.len() <= Self::MAX_BYTES;
        let labels: Vec<&str> = domain.split('.').collect();
        let domain_is_fine = labels.len() >= 2
            && labels.iter().all(|label| {
                !label.is_empty()
                    && label.len() <= 63
                    && !label.starts_with('-')
                    && !label.ends_with('-')
                    && label.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
            });
        if local_is_fine && domain_is_fine && fits {
            let key = format!("{}@{ascii}", local.to_lowercase());
            Ok(Self { typed: format!("{local}@{domain}"), key })
        } else {
            Err(InvalidEmail)
        }
    }

    /// The address as it was typed, normalized. Mails are sent to it.
    pub fn as_str(&self) -> &str {
        &self.typed
    }

    /// The comparison key: equal for equal addresses.
    pub fn key(&self) -> &str {
        &self.key
    }

    /// The domain of made-up members, for [`Self::is_made_up`]. It is reserved for examples (RFC 2606), so that nothing
    /// can be delivered to it.
    pub const MADE_UP_DOMAIN: &str = "demo.example.com";

    /// Whether the address is a made-up member's of the demo (`site.made-up-members`). No mail is sent to it.
    pub fn is_made_up(&self) -> bool {
        self.key.rsplit_once('@').is_some_and(|(_, domain)| domain == Self::MADE_UP_DOMAIN)
    }

    /// The mailbox behind the address: without a `+tag`, and without the dots that Gmail ignores. It limits a person to
    /// one trial, and denies them a reward for their own purchase, whichever alias they type (`identity.same-mailbox`).
    pub fn mailbox_key(&self) -> String {
        let (local, domain) = self.key.rsplit_once('@').unwrap_or((&self.key, ""));
        let local = local.split_once('+').map_or(local, |(name, _)| name);
        if matches!(domain, "gmail.com" | "googlemail.com") {
            return format!("{}@gmail.com", local.replace('.', ""));
        }
        format!("{local}@{domain}")
    }
}

/// The domain in lower-case ASCII, as in DNS; `None` if it is not a valid domain.
fn ascii_domain(domain: &str) -> Option<String> {
    let ascii = Uts46::new().to_ascii(
        domain.as_bytes(),
        AsciiDenyList::STD3,
        // Names such as `r3---x.example` exist.
        Hyphens::CheckFirstLast,
        DnsLength::Verify,
    );
    ascii.ok().map(Cow::into_owned)
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
    fn aliases_have_the_key_of_their_mailbox() {
        let key = |text: &str| Email::parse(text).unwrap().mailbox_key();
        for (alias, mailbox) in [
            ("Ada+pith@Example.com", "ada@example.com"),
            ("ada+a+b@example.com", "ada@example.com"),
            ("a.d.a+x@gmail.com", "ada@gmail.com"),
            ("a.da@googlemail.com", "ada@gmail.com"),
            ("a.da@example.com", "a.da@example.com"),
        ] {
            assert_eq!(key(alias), mailbox);
        }
    }

    #[test]
    fn texts_that_name_one_mailbox_are_one_address() {
        for text in [
            "x@ｅxample.org",
            "ｘ@example.org",
            "X＠EXAMPLE。ORG",
            "x@example．org",
            "x@exam\u{00ad}ple.org",
            "x@𝐞𝐱𝐚𝐦𝐩𝐥𝐞.org",
        ] {
            let email = Email::parse(text).unwrap();
            assert_eq!(email.key(), "x@example.org", "{text}");
            assert_eq!(email.as_str().to_lowercase(), "x@example.org", "{text}");
        }
        let (unicode, ascii) = (Email::parse("ada@bücher.example").unwrap(), Email::parse("ada@xn--bcher-kva.example"));
        assert_eq!(unicode.as_str(), "ada@xn--bcher-kva.example");
        assert_eq!(Ok(unicode), ascii);
        // What is typed in ASCII stays as it was typed.
        assert_eq!(Email::parse("Ada@R3---X.Example").unwrap().as_str(), "Ada@R3---X.Example");
        // Letters of another script that look alike are another domain, whose ASCII form shows it.
        assert_ne!(Email::parse("x@еxample.org"), Email::parse("x@example.org"));
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
            "ada@xn--zzzzzzzzz-.example",
            "ada@a\u{ff0f}b.example",
            "ada@exa_mple.com",
            "ａ＠ｂ＠example.com",
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
