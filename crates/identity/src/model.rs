//! The values of the domain: users, roles and sessions.

use std::{fmt, str::FromStr};

use kernel::{Email, MINUTE, SessionId, Timestamp, UserId};

use crate::PasswordHash;

/// How long after a sign-in its session may change how the account is protected without proving anything more, in
/// milliseconds.
pub const FRESH_PROOF_LIFETIME: i64 = 10 * MINUTE;

/// What a user may do beyond reading (`identity.role-levels`). Each role includes those before it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// Reads.
    #[default]
    Member,
    /// Edits the catalogue.
    Editor,
    /// Also manages users, money, codes, settings and statistics.
    Admin,
}

/// The text is not the name of a role.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a role is one of member, editor, admin")]
pub struct InvalidRole;

impl Role {
    /// Every role.
    pub const ALL: [Self; 3] = [Self::Member, Self::Editor, Self::Admin];

    /// The role's name.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Member => "member",
            Self::Editor => "editor",
            Self::Admin => "admin",
        }
    }

    /// The role that a session may use (`identity.strong-session`): one above member only in a strong session, which was begun
    /// with a second factor or a passkey, unless the site does not require that.
    #[must_use]
    pub const fn in_session(self, is_strong: bool, requires_strong: bool) -> Self {
        if is_strong || !requires_strong { self } else { Self::Member }
    }
}

impl FromStr for Role {
    type Err = InvalidRole;

    fn from_str(text: &str) -> Result<Self, InvalidRole> {
        Self::ALL.into_iter().find(|role| role.as_str() == text).ok_or(InvalidRole)
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A person with an account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct User {
    pub id: UserId,
    /// Their address, which is also their name at login.
    pub email: Email,
    /// First name: never blank.
    pub first_name: String,
    /// Last name: never blank.
    pub last_name: String,
    /// An IANA time zone; `UTC` when theirs is unknown.
    pub timezone: String,
    /// What they may do.
    pub role: Role,
    /// The friend to whom they have sent an invitation.
    pub friend_email: Option<Email>,
    /// When they signed up.
    pub created_at: Timestamp,
    /// When they showed that mail to the address reaches them.
    pub email_confirmed_at: Option<Timestamp>,
    /// Whether they may log in by a password.
    pub has_password: bool,
    /// How often the account has forgotten the devices that it knew: part of their marks.
    pub devices_version: i32,
}

/// That an admin has suspended a person: nobody signs in to the account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suspension {
    /// Since when.
    pub at: Timestamp,
    /// Why, for other admins.
    pub reason: String,
}

/// A person and what their password is compared with.
#[derive(Clone, Debug)]
pub struct Account {
    /// The person.
    pub user: User,
    /// Absent for a person who never set a password.
    pub password_hash: Option<PasswordHash>,
}

/// A signed-in device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Session {
    pub id: SessionId,
    /// Whose device it is.
    pub user: UserId,
    /// When a person signed in on it.
    pub created_at: Timestamp,
    /// When it last renewed its access.
    pub last_seen_at: Timestamp,
    /// When it ends by itself.
    pub expires_at: Timestamp,
    /// When it was ended before its time.
    pub revoked_at: Option<Timestamp>,
    /// Whether it was entered with more than a password or a mailed link.
    pub strong: bool,
    /// When its holder last showed who they are, after the sign-in itself.
    pub proved_at: Option<Timestamp>,
    /// When its holder last showed that mail to the account's address reaches them: by a mailed link or code, or by a
    /// provider that vouches for the address.
    pub address_proved_at: Option<Timestamp>,
    /// Whether its holder has typed the account's password in it. The password is still the same: a change ends the other
    /// sessions.
    pub password_typed: bool,
}

/// A device on which a person signs in.
#[derive(Clone, Copy, Debug)]
pub struct NewSession<'a> {
    pub user: UserId,
    /// What they recognise the device by.
    pub device: &'a str,
    /// Where it is, as coarsely as the network's address tells.
    pub place: &'a str,
    /// Whether it was entered with more than a password or a mailed link.
    pub strong: bool,
}

impl Session {
    /// Whether the device is still signed in.
    pub fn is_live(&self, now: Timestamp) -> bool {
        self.revoked_at.is_none() && now < self.expires_at
    }

    /// Whether its holder has shown who they are a moment ago, by the sign-in or by a proof since. Every dangerous step asks
    /// for this (`identity.fresh-proof`).
    pub fn is_fresh(&self, now: Timestamp) -> bool {
        now.since(self.proved_at.map_or(self.created_at, |at| at.max(self.created_at))) <= FRESH_PROOF_LIFETIME
    }

    /// Whether its holder has shown a moment ago that mail to the account's address reaches them.
    pub fn has_fresh_proof_of_address(&self, now: Timestamp) -> bool {
        self.address_proved_at.is_some_and(|at| now.since(at) <= FRESH_PROOF_LIFETIME)
    }

    /// Whether its holder has signed in a moment ago. Only that shows what a strong session was entered with.
    pub fn is_fresh_sign_in(&self, now: Timestamp) -> bool {
        now.since(self.created_at) <= FRESH_PROOF_LIFETIME
    }
}

/// What a device tells of itself whenever it comes.
#[derive(Clone, Copy, Debug)]
pub struct DeviceDescription<'a> {
    /// What its owner recognises it by.
    pub device: &'a str,
    /// Where it is, as coarsely as the network's address tells.
    pub place: &'a str,
}

/// A signed-in device as its owner sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Device {
    pub session: Session,
    /// What its owner recognises it by.
    pub device: String,
    /// Where it was when it was last seen, as coarsely as the network's address told.
    pub place: String,
}

#[cfg(test)]
mod tests {
    use super::Role;

    #[test]
    fn a_role_above_member_needs_a_strong_session_where_the_site_requires_one() {
        for role in Role::ALL {
            assert_eq!(role.in_session(true, true), role);
            assert_eq!(role.in_session(false, true), Role::Member);
            assert_eq!(role.in_session(false, false), role);
        }
    }

    #[test]
    fn roles_have_names_and_an_order() {
        for role in Role::ALL {
            assert_eq!(role.to_string().parse(), Ok(role));
        }
        assert!("root".parse::<Role>().is_err() && "Admin".parse::<Role>().is_err());
        assert!(Role::Member < Role::Editor && Role::Editor < Role::Admin);
    }
}
