//! Invitations: the form, its validation, and the inviter.

use kernel::{Email, Timestamp, UserId, one_line};

use crate::{Field, ReferralError};

/// The maximum number of invitations of a member within 24 hours (`referral.invitation-limit`).
pub const INVITATIONS_A_DAY: usize = 20;
/// Replaces the address of a member's first friend when that friend's account is deleted: an address nobody can have.
pub const FORMER_FRIEND: &str = "former-friend@deleted.invalid";
/// The maximum length of a name, in characters.
pub const NAME_MAX_CHARS: usize = 100;

/// The submitted invitation form (`referral.invitation-fields`).
#[derive(Clone, Copy, Debug, Default)]
pub struct InvitationForm<'a> {
    pub your_name: &'a str,
    pub friend_name: &'a str,
    pub friend_email: &'a str,
}

/// A validated invitation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invitation {
    your_name: String,
    friend_name: String,
    friend_email: Email,
}

impl Invitation {
    /// Validates the form. Blank fields are reported before invalid ones.
    pub fn read(form: InvitationForm<'_>) -> Result<Self, ReferralError> {
        let (your_name, friend_name) = (one_line(form.your_name), one_line(form.friend_name));
        let friend_email = form.friend_email.trim();
        for (field, text) in [
            (Field::YourName, your_name.as_str()),
            (Field::FriendName, friend_name.as_str()),
            (Field::FriendEmail, friend_email),
        ] {
            if text.is_empty() {
                return Err(ReferralError::Incomplete(field));
            }
        }
        check_name(Field::YourName, &your_name)?;
        check_name(Field::FriendName, &friend_name)?;
        Ok(Self { your_name, friend_name, friend_email: Email::parse(friend_email)? })
    }

    /// The inviter's name: one line, never blank.
    pub fn your_name(&self) -> &str {
        &self.your_name
    }

    /// The friend's name: one line, never blank.
    pub fn friend_name(&self) -> &str {
        &self.friend_name
    }

    /// The friend's e-mail address.
    pub const fn friend_email(&self) -> &Email {
        &self.friend_email
    }
}

fn check_name(field: Field, name: &str) -> Result<(), ReferralError> {
    if name.chars().count() > NAME_MAX_CHARS {
        return Err(ReferralError::NameTooLong(field));
    }
    // Mail programs turn these into links. Nobody has such a name, but a spammer would put one into our mail.
    let lower = name.to_lowercase();
    if lower.contains("://") || lower.contains("www.") {
        return Err(ReferralError::NameWithLink(field));
    }
    Ok(())
}

/// The member who sends an invitation.
#[derive(Clone, Debug)]
pub struct Inviter {
    pub id: UserId,
    pub email: Email,
    /// Whether the e-mail address is confirmed.
    pub is_confirmed: bool,
}

/// A recorded invitation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SentInvitation {
    pub friend: Email,
    pub at: Timestamp,
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const FORM: InvitationForm<'static> =
        InvitationForm { your_name: " Ada ", friend_name: "Grace\tHopper", friend_email: " Grace@example.com " };

    #[test]
    fn a_good_form_is_read() {
        let read = Invitation::read(FORM).unwrap();
        assert_eq!((read.your_name(), read.friend_name()), ("Ada", "Grace Hopper"));
        assert_eq!(read.friend_email().as_str(), "Grace@example.com");
    }

    #[test]
    fn all_three_are_needed() {
        for (form, field, text) in [
            (InvitationForm { your_name: " ", ..FORM }, Field::YourName, "Please specify your name."),
            (InvitationForm { friend_name: "\n", ..FORM }, Field::FriendName, "Please specify your friend's name."),
            (
                InvitationForm { friend_email: "", ..FORM },
                Field::FriendEmail,
                "Please specify your friend's email address.",
            ),
        ] {
            let error = Invitation::read(form).unwrap_err();
            assert!(matches!(error, ReferralError::Incomplete(blank) if blank == field), "{error:?}");
            assert_eq!(error.to_string(), text);
        }
        let error = Invitation::read(InvitationForm { friend_email: "grace", ..FORM }).unwrap_err();
        assert_eq!(error.to_string(), "Please specify a valid email address.");
    }

    #[test]
    fn a_name_is_short_and_leads_nowhere() {
        let (hundred, more) = ("é".repeat(NAME_MAX_CHARS), "é".repeat(NAME_MAX_CHARS + 1));
        assert!(Invitation::read(InvitationForm { your_name: &hundred, friend_name: &hundred, ..FORM }).is_ok());
        let error = Invitation::read(InvitationForm { friend_name: &more, ..FORM }).unwrap_err();
        assert!(matches!(error, ReferralError::NameTooLong(Field::FriendName)));
        assert_eq!(
            (NAME_MAX_CHARS, error.to_string().as_str()),
            (100, "Please use at most 100 characters for a name.")
        );
        for name in ["Win at https://spam.example", "WWW.spam.example"] {
            let error = Invitation::read(InvitationForm { your_name: name, ..FORM }).unwrap_err();
            assert!(matches!(error, ReferralError::NameWithLink(Field::YourName)), "{name}: {error:?}");
        }
    }

    #[test]
    fn the_documented_number_of_invitations() {
        assert_eq!(INVITATIONS_A_DAY, 20);
    }

    proptest! {
        #[test]
        fn any_form_is_read_or_refused_without_a_panic(
            your_name in ".{0,120}", friend_name in any::<String>(), friend_email in ".{0,40}",
        ) {
            let form = InvitationForm { your_name: &your_name, friend_name: &friend_name, friend_email: &friend_email };
            if let Ok(read) = Invitation::read(form) {
                prop_assert!(!read.friend_name().is_empty() && !read.friend_name().chars().any(char::is_control));
            }
        }
    }
}
