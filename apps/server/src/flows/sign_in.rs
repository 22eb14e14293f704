//! Signing up and in: a session, and the account that every answer about a person tells of.

use identity::{
    Identity, IdentityError, NewSession, PasswordHash, RefreshKey, RefreshSecret, Refreshed, Registration, Seen,
};
use kernel::{SessionId, StoreError, Timestamp, UserId};
use postgres::Pg;

use super::account::{Account, account};
use crate::{
    app::App,
    extract::Doorway,
    mail::{self, Mail},
};

/// Somebody who is signed in on a device.
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
    /// Whether by more than a password or a mailed link.
    pub strong: bool,
    /// The password's hash, made anew.
    pub renewed: Option<&'a PasswordHash>,
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
    let arrival = Arrival { user: user.id, doorway, strong: false, renewed: None };
    begin(pg, app, &arrival)?.ok_or_else(|| StoreError::new("the account that was just made is not there").into())
}

/// Begins a session; `None` when the account has gone meanwhile. A device that the account does not know is told by
/// mail.
pub fn sign_in(
    pg: &mut Pg<'_>,
    app: &App,
    key: &RefreshKey,
    arrival: &Arrival<'_>,
) -> Result<Option<Entry>, StoreError> {
    let Some(entry) = begin(pg, app, arrival)? else { return Ok(None) };
    let mark = arrival.doorway.mark.as_deref();
    if !mark.is_some_and(|mark| key.knows_device(arrival.user, mark)) {
        let user = &entry.account.user;
        let news = Mail::NewSignIn {
            first_name: user.first_name.clone(),
            device: arrival.doorway.device.clone(),
            place: arrival.doorway.place.clone(),
            at: app.env.now().millis(),
        };
        mail::queue(pg, app, &user.email, &news)?;
    }
    Ok(Some(entry))
}

fn begin(pg: &mut Pg<'_>, app: &App, arrival: &Arrival<'_>) -> Result<Option<Entry>, StoreError> {
    let Arrival { user, doorway, strong, renewed } = *arrival;
    let Some(account) = account(pg, user, app.env.now())? else { return Ok(None) };
    if let Some(hash) = renewed {
        pg.renew_password_hash(user, hash)?;
    }
    let device = NewSession { user, device: &doorway.device, place: &doorway.place, strong };
    let (session, secret) = pg.begin_session(device, &*app.env)?;
    Ok(Some(Entry { account, session, secret }))
}

/// Renews a device's access; `None` when its session is over.
pub fn refresh(
    pg: &mut Pg<'_>,
    secret: &RefreshSecret,
    key: &RefreshKey,
    doorway: &Doorway,
    now: Timestamp,
) -> Result<Option<Entry>, StoreError> {
    let seen = Seen { device: &doorway.device, place: &doorway.place };
    let Some(Refreshed { user, session, secret }) = pg.refresh_session(secret, key, seen, now)? else {
        return Ok(None);
    };
    let account = account(pg, user, now)?;
    Ok(account.map(|account| Entry { account, session, secret }))
}
