//! Providers, and what they say of people.

use std::{fmt, str::FromStr};

use kernel::{Email, SessionId, Timestamp, UserId};

use crate::{Registration, registration::is_visible};

/// A site where people may have an account already.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Provider {
    Google,
    Apple,
    Facebook,
    /// LinkedIn.
    LinkedIn,
}

/// The text names no provider.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a provider is one of google, apple, facebook, linkedin")]
pub struct InvalidProvider;

impl Provider {
    /// Every provider, in the order in which a page shows them.
    pub const ALL: [Self; 4] = [Self::Google, Self::Apple, Self::Facebook, Self::LinkedIn];

    /// The name in addresses and in storage.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Google => "google",
            Self::Apple => "apple",
            Self::Facebook => "facebook",
            Self::LinkedIn => "linkedin",
        }
    }

    /// The name that people know.
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

/// What a provider says of a person who has just signed in there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProviderProfile {
    /// Who says it.
    pub provider: Provider,
    /// The provider's own name for the person: never changes and is never given to anybody else.
    pub subject: String,
    /// The person's address, when the provider told one.
    pub email: Option<Email>,
    /// Whether the provider says that the address is the person's.
    pub email_verified: bool,
    /// The first name, when the provider told one.
    pub first_name: Option<String>,
    /// The last name, when the provider told one.
    pub last_name: Option<String>,
    /// Both in one, when the provider told it.
    pub full_name: Option<String>,
}

impl ProviderProfile {
    /// The most characters of a subject (OpenID Connect Core, 2).
    pub const MAX_SUBJECT_CHARS: usize = 255;

    /// The first name when the provider sends none.
    pub const NAMELESS: &'static str = "Reader";

    /// First and last name as an account needs them: not blank, not too long, and to be seen. A person changes them in
    /// the account when the provider told less.
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
                // The whole name without the part that is known already.
                let rest = first.as_deref().and_then(|first| full.strip_prefix(first)).unwrap_or_default();
                last = tidy_name(rest);
            }
        }
        let nameless = || Self::NAMELESS.to_owned();
        (first.unwrap_or_else(nameless), last.unwrap_or_else(nameless))
    }
}

/// The name without what can't be seen, in one line and cut to what may be stored; `None` when nothing is left.
fn tidy_name(text: &str) -> Option<String> {
    let visible: String =
        text.chars().map(|c| if c.is_whitespace() { ' ' } else { c }).filter(|c| is_visible(*c)).collect();
    let words: Vec<&str> = visible.split(' ').filter(|word| !word.is_empty()).collect();
    let name: String = words.join(" ").chars().take(Registration::MAX_NAME_CHARS).collect();
    let name = name.trim_end();
    (!name.is_empty()).then(|| name.to_owned())
}

/// That one person at a provider is one account here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProviderConnection {
    pub provider: Provider,
    /// The person there.
    pub subject: String,
    /// The address that the provider told last.
    pub email: Option<Email>,
    /// The account here.
    pub user: UserId,
    /// When they were connected.
    pub connected_at: Timestamp,
    /// The session in which they were connected, or the first one that the provider began.
    pub session: Option<SessionId>,
}

/// How a person came in by a provider.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProviderArrival {
    /// Came this way before.
    Known(UserId),
    /// Had an account with this address, and is connected now.
    Joined(UserId),
    /// Has an account from now on.
    New {
        /// The account.
        user: UserId,
        /// Whether the provider says that the address is theirs.
        confirmed: bool,
    },
}

impl ProviderArrival {
    /// Whose account it is.
    pub const fn user(self) -> UserId {
        match self {
            Self::Known(user) | Self::Joined(user) | Self::New { user, .. } => user,
        }
    }
}

/// By what a person can sign in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SignInMethods {
    pub password: bool,
    /// How many passkeys there are.
    pub passkeys: u32,
    /// How many providers are connected.
    pub providers: u32,
}

impl SignInMethods {
    /// Whether nothing is left.
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
