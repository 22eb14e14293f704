//! Sign-in providers and the profiles that they send.

use std::{fmt, str::FromStr};

use kernel::{Email, SessionId, Timestamp, UserId};

use crate::{Registration, registration::is_visible};

/// A sign-in provider.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Provider {
    Google,
    Apple,
    Facebook,
    LinkedIn,
}

/// The text is not the name of a provider.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a provider is one of google, apple, facebook, linkedin")]
pub struct InvalidProvider;

impl Provider {
    /// In the order in which pages show them.
    pub const ALL: [Self; 4] = [Self::Google, Self::Apple, Self::Facebook, Self::LinkedIn];

    /// The name in URLs and in storage.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Google => "google",
            Self::Apple => "apple",
            Self::Facebook => "facebook",
            Self::LinkedIn => "linkedin",
        }
    }

    /// The display name.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Google => "Google",
            Self::Apple => "Apple",
            Self::Facebook => "Facebook",
            Self::LinkedIn => "LinkedIn",
        }
    }
}

impl FromStr for Provider {
    type Err = InvalidProvider;

    fn from_str(text: &str) -> Result<Self, InvalidProvider> {
        Self::ALL.into_iter().find(|provider| provider.as_str() == text).ok_or(InvalidProvider)
    }
}

impl fmt::Display for Provider {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.title())
    }
}

/// What a provider sends about a person who has just signed in there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProviderProfile {
    pub provider: Provider,
    /// The provider's id of the person: never changes and is never reassigned.
    pub subject: String,
    /// `None` if the provider sent none.
    pub email: Option<Email>,
    /// Whether the provider vouches for the address.
    pub email_verified: bool,
    pub first_name: Option<String>,
    pub last_name: Option<String>,
    /// First and last name in one field, if the provider sent it.
    pub full_name: Option<String>,
}

impl ProviderProfile {
    /// The maximum length of a subject, in characters (OpenID Connect Core, section 2).
    pub const MAX_SUBJECT_CHARS: usize = 255;

    /// The placeholder for a first or last name that the provider does not send.
    pub const NAMELESS: &'static str = "Reader";

    /// First and last name for an account: not blank, not too long, and displayable. Members can change a placeholder
    /// in their account.
    pub fn names(&self) -> (String, String) {
        let told = |name: &Option<String>| name.as_deref().and_then(tidy_name);
        let (mut first, mut last) = (told(&self.first_name), told(&self.last_name));
        if first.is_none() || last.is_none() {
            let full = told(&self.full_name).unwrap_or_default();
            let (start, end) = full.split_once(' ').unwrap_or((&full, ""));
            if first.is_none() {
                first = tidy_name(start);
                last = last.or_else(|| tidy_name(end));
            } else {
                // The full name without the first name.
                let rest = first.as_deref().and_then(|first| full.strip_prefix(first)).unwrap_or_default();
                last = tidy_name(rest);
            }
        }
        let nameless = || Self::NAMELESS.to_owned();
        (first.unwrap_or_else(nameless), last.unwrap_or_else(nameless))
    }
}

/// The name on one line, without undisplayable characters and cut to the maximum length; `None` if nothing is left.
fn tidy_name(text: &str) -> Option<String> {
    let visible: String =
        text.chars().map(|c| if c.is_whitespace() { ' ' } else { c }).filter(|c| is_visible(*c)).collect();
    let words: Vec<&str> = visible.split(' ').filter(|word| !word.is_empty()).collect();
    let name: String = words.join(" ").chars().take(Registration::MAX_NAME_CHARS).collect();
    let name = name.trim_end();
    (!name.is_empty()).then(|| name.to_owned())
}

/// The link between an account at a provider and an account here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProviderConnection {
    pub provider: Provider,
    /// The provider's id of the person.
    pub subject: String,
    /// The address that the provider sent last.
    pub email: Option<Email>,
    pub user: UserId,
    pub connected_at: Timestamp,
    /// The session in which it was made, or else the first session that began with it.
    pub session: Option<SessionId>,
}

/// The result of a sign-in with a provider.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProviderArrival {
    /// The provider was connected already.
    Known(UserId),
    /// An account with this address existed, and is connected now.
    Joined(UserId),
    /// A new account was created.
    New {
        user: UserId,
        /// Whether the provider vouches for the address.
        confirmed: bool,
    },
}

impl ProviderArrival {
    pub const fn user(self) -> UserId {
        match self {
            Self::Known(user) | Self::Joined(user) | Self::New { user, .. } => user,
        }
    }
}

/// The sign-in methods of an account.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SignInMethods {
    pub password: bool,
    /// The number of passkeys.
    pub passkeys: u32,
    /// The number of connected providers.
    pub providers: u32,
}

impl SignInMethods {
    /// Whether there is no way to sign in.
    pub const fn is_none(self) -> bool {
        !self.password && self.passkeys == 0 && self.providers == 0
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn names(first: Option<&str>, last: Option<&str>, full: Option<&str>) -> (String, String) {
        let owned = |text: Option<&str>| text.map(str::to_owned);
        ProviderProfile {
            provider: Provider::Google,
            subject: "1".to_owned(),
            email: None,
            email_verified: false,
            first_name: owned(first),
            last_name: owned(last),
            full_name: owned(full),
        }
        .names()
    }

    fn pair(first: &str, last: &str) -> (String, String) {
        (first.to_owned(), last.to_owned())
    }

    #[test]
    fn providers_have_names() {
        for provider in Provider::ALL {
            assert_eq!(provider.as_str().parse(), Ok(provider));
        }
        assert_eq!("Google".parse::<Provider>(), Err(InvalidProvider));
        assert_eq!(Provider::LinkedIn.to_string(), "LinkedIn");
    }

    #[test]
    fn names_are_taken_from_what_was_told() {
        assert_eq!(names(Some("Ada"), Some("Lovelace"), Some("A. L.")), pair("Ada", "Lovelace"));
        assert_eq!(names(None, None, Some("Ada King Lovelace")), pair("Ada", "King Lovelace"));
        assert_eq!(names(Some("Ada King"), None, Some("Ada King Lovelace")), pair("Ada King", "Lovelace"));
        assert_eq!(names(None, Some("Lovelace"), Some("Ada King")), pair("Ada", "Lovelace"));
        assert_eq!(names(None, None, Some("Plato")), pair("Plato", "Reader"));
        assert_eq!(names(None, None, None), pair("Reader", "Reader"));
        assert_eq!(names(Some(" \u{202e}\0 "), Some(""), None), pair("Reader", "Reader"));
        assert_eq!(names(Some("A\nd\u{202e}a"), Some("Love  lace"), None), pair("A da", "Love lace"));
    }

    #[test]
    fn nobody_is_without_a_way_in_who_has_one() {
        assert!(SignInMethods::default().is_none());
        for ways in [
            SignInMethods { password: true, ..SignInMethods::default() },
            SignInMethods { passkeys: 1, ..SignInMethods::default() },
            SignInMethods { providers: 1, ..SignInMethods::default() },
        ] {
            assert!(!ways.is_none());
        }
    }

    proptest! {
        #[test]
        fn any_names_can_be_stored(first in ".{0,130}", last in proptest::option::of(".{0,130}"), full in ".{0,230}") {
            let (first, last) = names(Some(&first), last.as_deref(), Some(&full));
            for name in [first, last] {
                prop_assert!(!name.is_empty() && name.chars().count() <= Registration::MAX_NAME_CHARS);
                prop_assert_eq!(name.trim(), &name);
                prop_assert!(name.chars().all(is_visible));
            }
        }
    }
}
