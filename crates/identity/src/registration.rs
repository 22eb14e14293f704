//! Sign-up: the form, and the validated registration.

use jiff::tz::TimeZone;
use kernel::Email;

use crate::{Field, IdentityError, Password};

/// The sign-up form as it was filled in, not validated.
#[derive(Clone, Copy, Default)]
pub struct RegistrationForm<'a> {
    pub email: &'a str,
    pub password: &'a str,
    pub first_name: &'a str,
    pub last_name: &'a str,
    /// The browser's time zone, if it sent one.
    pub timezone: Option<&'a str>,
}

/// A validated sign-up.
#[derive(Clone, Debug)]
pub struct Registration {
    pub email: Email,
    /// Not hashed yet.
    pub password: Password,
    pub first_name: String,
    pub last_name: String,
    /// An IANA time zone.
    pub timezone: String,
}

impl Registration {
    /// The maximum length of a name, in characters.
    pub const MAX_NAME_CHARS: usize = 100;

    /// Validates the form. Missing fields are reported before invalid ones.
    pub fn read(form: RegistrationForm<'_>) -> Result<Self, IdentityError> {
        let fields = [
            (Field::Email, form.email.trim()),
            (Field::Password, form.password),
            (Field::FirstName, form.first_name.trim()),
            (Field::LastName, form.last_name.trim()),
        ];
        if let Some((field, _)) = fields.iter().find(|(_, text)| text.is_empty()) {
            return Err(IdentityError::RegistrationIncomplete(*field));
        }
        Ok(Self {
            email: Email::parse(form.email)?,
            password: Password::choose(form.password)?,
            first_name: name(Field::FirstName, form.first_name)?,
            last_name: name(Field::LastName, form.last_name)?,
            timezone: timezone(form.timezone),
        })
    }
}

/// Validates and trims a name.
pub(crate) fn name(field: Field, text: &str) -> Result<String, IdentityError> {
    let name = text.trim();
    if name.chars().count() > Registration::MAX_NAME_CHARS {
        return Err(IdentityError::NameTooLong(field));
    }
    if !name.chars().all(is_visible) {
        return Err(IdentityError::NameNotVisible(field));
    }
    Ok(name.to_owned())
}

/// Whether a character may be part of a name. Names appear in mails and pages, where line breaks and bidirectional
/// control marks do harm.
pub(crate) fn is_visible(c: char) -> bool {
    let turns = matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    !c.is_control() && !turns
}

/// The IANA spelling of a time zone; `UTC` if it is unknown.
pub(crate) fn timezone(text: Option<&str>) -> String {
    text.and_then(known_timezone).unwrap_or_else(|| "UTC".to_owned())
}

/// The IANA spelling of a time zone; `None` if it is unknown.
pub(crate) fn known_timezone(text: &str) -> Option<String> {
    TimeZone::get(text.trim()).ok()?.iana_name().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const FORM: RegistrationForm<'static> = RegistrationForm {
        email: " Ada@Example.com ",
        password: "correct horse",
        first_name: " Ada ",
        last_name: "Lovelace",
        timezone: Some("europe/london"),
    };

    #[test]
    fn a_good_form_is_read() {
        let read = Registration::read(FORM).unwrap();
        assert_eq!(read.email.as_str(), "Ada@Example.com");
        assert_eq!((read.first_name.as_str(), read.last_name.as_str()), ("Ada", "Lovelace"));
        assert_eq!(read.timezone, "Europe/London");
    }

    #[test]
    fn each_missing_field_has_the_documented_message() {
        let blank = [
            (RegistrationForm { email: " ", ..FORM }, Field::Email),
            (RegistrationForm { password: "", ..FORM }, Field::Password),
            (RegistrationForm { first_name: "\t", ..FORM }, Field::FirstName),
            (RegistrationForm { last_name: "", ..FORM }, Field::LastName),
            (RegistrationForm { email: "nonsense", password: "x", last_name: "", ..FORM }, Field::LastName),
        ];
        for (form, field) in blank {
            let error = Registration::read(form).unwrap_err();
            assert!(matches!(error, IdentityError::RegistrationIncomplete(f) if f == field), "{error:?}");
            assert_eq!(error.to_string(), "Please specify an email or password or first name or last name.");
        }
    }

    #[test]
    fn names_have_100_visible_characters_at_most() {
        let (hundred, more) = ("é".repeat(100), "é".repeat(101));
        assert!(Registration::read(RegistrationForm { first_name: &hundred, ..FORM }).is_ok());
        let error = Registration::read(RegistrationForm { first_name: &more, ..FORM }).unwrap_err();
        assert!(matches!(error, IdentityError::NameTooLong(Field::FirstName)));
        for bad in ["a\nb", "a\0b", "a\u{202e}b"] {
            let error = Registration::read(RegistrationForm { last_name: bad, ..FORM }).unwrap_err();
            assert!(matches!(error, IdentityError::NameNotVisible(Field::LastName)), "{bad:?}");
        }
    }

    #[test]
    fn an_unknown_zone_is_utc() {
        for zone in [None, Some(""), Some("Mars/Olympus"), Some("../../etc/passwd"), Some("+25:00")] {
            assert_eq!(
                Registration::read(RegistrationForm { timezone: zone, ..FORM }).unwrap().timezone,
                "UTC",
                "{zone:?}"
            );
        }
        let kolkata = Registration::read(RegistrationForm { timezone: Some("Asia/Kolkata"), ..FORM }).unwrap();
        assert_eq!(kolkata.timezone, "Asia/Kolkata");
    }

    proptest! {
        #[test]
        fn any_form_is_read_or_refused_without_a_panic(
            email in ".{0,40}", password in ".{0,300}", first in ".{0,120}", last in ".{0,120}", zone in ".{0,40}",
        ) {
            let form = RegistrationForm { email: &email, password: &password, first_name: &first, last_name: &last, timezone: Some(&zone) };
            if let Ok(read) = Registration::read(form) {
                prop_assert!(!read.first_name.is_empty() && read.first_name.chars().count() <= 100);
                prop_assert!(TimeZone::get(&read.timezone).is_ok());
            }
        }
    }
}
