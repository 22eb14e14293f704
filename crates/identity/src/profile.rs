//! The profile that members can edit: name and time zone.

use crate::{
    Field, IdentityError,
    registration::{known_timezone, name},
};

/// The profile form as it was filled in, not validated.
#[derive(Clone, Copy, Default)]
pub struct ProfileForm<'a> {
    pub first_name: &'a str,
    pub last_name: &'a str,
    /// `None` leaves it unchanged.
    pub timezone: Option<&'a str>,
}

/// A validated profile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Profile {
    pub first_name: String,
    pub last_name: String,
    /// An IANA time zone; `None` leaves it unchanged.
    pub timezone: Option<String>,
}

impl Profile {
    /// Validates the form. An unknown time zone is an error here, because the member chose it; a sign-up ignores one.
    pub fn read(form: ProfileForm<'_>) -> Result<Self, IdentityError> {
        for (field, text) in [(Field::FirstName, form.first_name), (Field::LastName, form.last_name)] {
            if text.trim().is_empty() {
                return Err(IdentityError::NameMissing(field));
            }
        }
        let timezone = match form.timezone {
            Some(text) => Some(known_timezone(text).ok_or(IdentityError::UnknownTimezone)?),
            None => None,
        };
        Ok(Self {
            first_name: name(Field::FirstName, form.first_name)?,
            last_name: name(Field::LastName, form.last_name)?,
            timezone,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FORM: ProfileForm<'static> =
        ProfileForm { first_name: " Ada ", last_name: "King", timezone: Some("europe/paris") };

    #[test]
    fn a_good_form_is_read() {
        let read = Profile::read(FORM).unwrap();
        assert_eq!((read.first_name.as_str(), read.last_name.as_str()), ("Ada", "King"));
        assert_eq!(read.timezone.as_deref(), Some("Europe/Paris"));
        assert_eq!(Profile::read(ProfileForm { timezone: None, ..FORM }).unwrap().timezone, None);
    }

    #[test]
    fn both_names_and_a_zone_that_there_is_are_wanted() {
        let wrong = |form| Profile::read(form).unwrap_err();
        let first = wrong(ProfileForm { first_name: " ", last_name: "", ..FORM });
        assert!(matches!(first, IdentityError::NameMissing(Field::FirstName)));
        assert_eq!(first.to_string(), "Please specify a first name and a last name.");
        let last = wrong(ProfileForm { last_name: "\t", ..FORM });
        assert!(matches!(last, IdentityError::NameMissing(Field::LastName)));
        for zone in ["", "Mars/Olympus", "../../etc/passwd"] {
            let zone = wrong(ProfileForm { timezone: Some(zone), ..FORM });
            assert!(matches!(zone, IdentityError::UnknownTimezone));
        }
        let long = "é".repeat(101);
        assert!(matches!(
            wrong(ProfileForm { first_name: &long, ..FORM }),
            IdentityError::NameTooLong(Field::FirstName)
        ));
    }
}
