//! Users, roles and sessions.

use std::{fmt, str::FromStr};

use kernel::{Email, MINUTE, SessionId, Timestamp, UserId};

use crate::PasswordHash;

/// How long a sign-in, or a later proof of identity in the session, counts as fresh, in milliseconds. Sensitive changes
/// require a fresh one.
pub const FRESH_PROOF_LIFETIME: i64 = 10 * MINUTE;

/// A user's permissions (`identity.role-levels`). Each role includes those before it.
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
    pub const ALL: [Self; 3] = [Self::Member, Self::Editor, Self::Admin];

    /// The name, as stored and as parsed.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Member => "member",
            Self::Editor => "editor",
            Self::Admin => "admin",
        }
    }

    /// The role that applies in a session (`identity.strong-session`): a role above member requires a strong session,
    /// unless the site does not require that.
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
    /// Also the login name.
    pub email: Email,
    /// Never blank.
    pub first_name: String,
    /// Never blank.
    pub last_name: String,
    /// An IANA time zone; `UTC` if unknown.
    pub timezone: String,
    pub role: Role,
    /// The friend whom they invited.
    pub friend_email: Option<Email>,
    pub created_at: Timestamp,
    /// When the address was confirmed; `None` if it is not.
    pub email_confirmed_at: Option<Timestamp>,
    /// Whether a password is set.
    pub has_password: bool,
    /// How often the account's known devices were forgotten. Part of each device mark, so that older marks become
    /// invalid.
    pub devices_version: i32,
}

/// An admin's suspension of an account: nobody can sign in to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suspension {
    pub at: Timestamp,
    /// For other admins.
    pub reason: String,
}

/// A user with their password hash.
#[derive(Clone, Debug)]
pub struct Account {
    pub user: User,
    /// `None` if no password is set.
    pub password_hash: Option<PasswordHash>,
}

/// A signed-in device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Session {
    pub id: SessionId,
    pub user: UserId,
    /// The time of the sign-in.
    pub created_at: Timestamp,
    /// When it was last refreshed.
    pub last_seen_at: Timestamp,
    /// When it expires, unless it is refreshed before.
    pub expires_at: Timestamp,
    /// When it was ended early, for example by a logout or a new password.
    pub revoked_at: Option<Timestamp>,
    /// Whether it was authenticated with more than a password or a mailed link.
    pub strong: bool,
    /// When its holder last proved their identity after the sign-in; `None` if never.
    pub proved_at: Option<Timestamp>,
    /// When its holder last proved that mail to the account's address reaches them: by a mailed link or code, or by a
    /// provider that vouches for the address. `None` if never.
    pub address_proved_at: Option<Timestamp>,
    /// Whether the account's password was typed in this session. It is still the current one: a password change ends
    /// the other sessions.
    pub password_typed: bool,
}

/// A session to be created.
#[derive(Clone, Copy, Debug)]
pub struct NewSession<'a> {
    pub user: UserId,
    /// The device name, such as `Firefox on Windows`.
    pub device: &'a str,
    /// The approximate location of its IP address, such as a country.
    pub place: &'a str,
    /// Whether it was authenticated with more than a password or a mailed link.
    pub strong: bool,
}

impl Session {
    /// Whether it has neither expired nor been ended.
    pub fn is_live(&self, now: Timestamp) -> bool {
        self.revoked_at.is_none() && now < self.expires_at
    }

    /// Whether its holder has just proved their identity, by the sign-in or a proof since (see
    /// [`FRESH_PROOF_LIFETIME`]). Sensitive changes require this (`identity.fresh-proof`).
    pub fn is_fresh(&self, now: Timestamp) -> bool {
        now.since(self.proved_at.map_or(self.created_at, |at| at.max(self.created_at))) <= FRESH_PROOF_LIFETIME
    }

    /// Whether its holder has just proved that mail to the account's address reaches them.
    pub fn has_fresh_proof_of_address(&self, now: Timestamp) -> bool {
        self.address_proved_at.is_some_and(|at| now.since(at) <= FRESH_PROOF_LIFETIME)
    }

    /// Whether its holder has just signed in. Only the sign-in shows how a strong session was authenticated.
    pub fn is_fresh_sign_in(&self, now: Timestamp) -> bool {
        now.since(self.created_at) <= FRESH_PROOF_LIFETIME
    }
}

/// The device name and location, updated at every refresh.
#[derive(Clone, Copy, Debug)]
pub struct DeviceDescription<'a> {
    /// The device name, such as `Firefox on Windows`.
    pub device: &'a str,
    /// The approximate location of its IP address, such as a country.
    pub place: &'a str,
}

/// A session as its owner sees it in the list of devices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Device {
    pub session: Session,
    /// The device name, such as `Firefox on Windows`.
    pub device: String,
    /// The approximate location when it was last seen, such as a country.
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
