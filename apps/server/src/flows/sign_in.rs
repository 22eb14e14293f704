//! Signing up and in: the one place where a session begins, and the account that every answer about a person tells of.

use identity::{
    Factors, Identity, IdentityError, Issue, NewSession, PasswordHash, Purpose, RefreshKey, RefreshSecret, Refreshed,
    Registration, Role, Seen,
};
use kernel::{SessionId, StoreError, UserId};
use postgres::Pg;

use super::{
    account::{Account, account},
    recovery,
};
use crate::{
    app::App,
    config::Profile,
    extract::Doorway,
    mail::{self, Mail},
};

/// Somebody who is signed in on a device. The account's role is that which the session may use.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The person, with plan and choices.
    pub account: Account,
    /// The device.
    pub session: SessionId,
    /// What the device keeps.
    pub secret: RefreshSecret,
}

/// Somebody who has shown who they are.
#[derive(Clone, Copy, Debug)]
pub struct Arrival<'a> {
    /// Who.
    pub user: UserId,
    /// On which device.
    pub doorway: &'a Doorway,
    /// Whether by more than a password or a mailed link: nobody is asked for a second factor then.
    pub strong: bool,
    /// The password's hash, made anew.
    pub renewed: Option<&'a PasswordHash>,
}

/// What an arrival comes to.
#[derive(Clone, Debug)]
pub enum Admission {
    /// They are in.
    In(Box<Entry>),
    /// A code of the authenticator app is wanted first; the ticket says whose, for five minutes.
    SecondFactor(String),
    /// The account has gone meanwhile.
    Gone,
}

/// Makes an account and begins a session.
pub fn sign_up(
    pg: &mut Pg<'_>,
    app: &App,
    registration: &Registration,
    hash: &PasswordHash,
    doorway: &Doorway,
) -> Result<Entry, IdentityError> {
    let user = pg.register(registration, hash, app.env.now())?;
    recovery::ask_for_confirmation(pg, app, &user)?;
    let arrival = Arrival { user: user.id, doorway, strong: false, renewed: None };
    begin(pg, app, &arrival)?.ok_or_else(|| StoreError::new("the account that was just made is not there").into())
}

/// Somebody whose password was verified.
#[derive(Clone, Debug)]
pub struct Verified {
    /// Who.
    pub user: UserId,
    /// The hash that it was verified against.
    pub hash: Option<PasswordHash>,
    /// The password's hash, made anew.
    pub renewed: Option<PasswordHash>,
}

/// Lets somebody in by their password, unless another one was set while it was verified: whoever chose that one ended
/// all sessions, and means this one too.
pub fn sign_in_by_password(
    pg: &mut Pg<'_>,
    app: &App,
    key: &RefreshKey,
    doorway: &Doorway,
    verified: &Verified,
) -> Result<Admission, IdentityError> {
    let Verified { user, hash, renewed } = verified;
    if !pg.is_password_still(*user, hash.as_ref())? {
        return Err(IdentityError::InvalidCredentials);
    }
    Ok(sign_in(pg, app, key, &Arrival { user: *user, doorway, strong: false, renewed: renewed.as_ref() })?)
}

/// Lets somebody in, by whichever door: begins a session, or asks for the second factor where there is one. A device
/// that the account does not know is told by mail.
pub fn sign_in(pg: &mut Pg<'_>, app: &App, key: &RefreshKey, arrival: &Arrival<'_>) -> Result<Admission, StoreError> {
    if !arrival.strong && pg.protection(arrival.user)?.totp {
        if let Some(hash) = arrival.renewed {
            pg.renew_password_hash(arrival.user, hash)?;
        }
        let ticket = Issue { purpose: Purpose::SecondFactor, user: Some(arrival.user), data: None, binding: None };
        return Ok(Admission::SecondFactor(pg.issue_secret(ticket, &*app.env)?.token));
    }
    let Some(entry) = begin(pg, app, arrival)? else { return Ok(Admission::Gone) };
    let mark = arrival.doorway.mark.as_deref();
    if !mark.is_some_and(|mark| key.knows_device(arrival.user, mark)) {
        let user = &entry.account.user;
        let news = Mail::NewSignIn {
            first_name: user.first_name.clone(),
            device: arrival.doorway.device.clone(),
            place: arrival.doorway.place.clone(),
            at: app.env.now().millis(),
            timezone: user.timezone.clone(),
        };
        mail::queue(pg, app, &user.email, &news)?;
    }
    Ok(Admission::In(Box::new(entry)))
}

fn begin(pg: &mut Pg<'_>, app: &App, arrival: &Arrival<'_>) -> Result<Option<Entry>, StoreError> {
    let Arrival { user, doorway, strong, renewed } = *arrival;
    let Some(account) = account(pg, user, app.env.now())? else { return Ok(None) };
    if let Some(hash) = renewed {
        pg.renew_password_hash(user, hash)?;
    }
    let device = NewSession { user, device: &doorway.device, place: &doorway.place, strong };
    let (session, secret) = pg.begin_session(device, &*app.env)?;
    Ok(Some(Entry { account: as_allowed(account, strong, app), session, secret }))
}

/// Renews a device's access; `None` when its session is over.
pub fn refresh(
    pg: &mut Pg<'_>,
    app: &App,
    secret: &RefreshSecret,
    key: &RefreshKey,
    doorway: &Doorway,
) -> Result<Option<Entry>, StoreError> {
    let now = app.env.now();
    let seen = Seen { device: &doorway.device, place: &doorway.place };
    let Some(Refreshed { user, session, strong, secret }) = pg.refresh_session(secret, key, seen, now)? else {
        return Ok(None);
    };
    let account = account(pg, user, now)?;
    Ok(account.map(|account| Entry { account: as_allowed(account, strong, app), session, secret }))
}

/// The role that a session may use. Whoever keeps the catalogue or more proves outside of the demo profile that they
/// have a second factor; until then they are members.
pub fn effective_role(role: Role, strong: bool, profile: Profile) -> Role {
    if strong || profile == Profile::Demo { role } else { Role::Member }
}

fn as_allowed(mut account: Account, strong: bool, app: &App) -> Account {
    account.user.role = effective_role(account.user.role, strong, app.config.profile);
    account
}

#[cfg(test)]
mod tests {
    use identity::Role;

    use super::effective_role;
    use crate::config::Profile;

    #[test]
    fn a_role_needs_a_strong_session_outside_of_the_demo() {
        for role in Role::ALL {
            assert_eq!(effective_role(role, true, Profile::Production), role);
            assert_eq!(effective_role(role, false, Profile::Production), Role::Member);
            assert_eq!(effective_role(role, false, Profile::Demo), role);
        }
    }
}
