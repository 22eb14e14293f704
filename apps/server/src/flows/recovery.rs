//! Ways back in: what is asked for is answered by mail, later and out of sight, so that nobody learns from the answer
//! or its time which addresses are known (`decisions.md` 18).

use identity::{Factors, Identity, IdentityError, PasswordHash, Providers, Recovery, RefreshKey, User};
use jobs::{Assignment, Jobs, Kind};
use kernel::{Email, StoreError, UserId};
use postgres::Pg;
use serde::{Deserialize, Serialize};

use super::tries::{TryLimits, admit};
use crate::{
    app::App,
    extract::Doorway,
    mail::{self, Mail},
    wire::own_path::escaped,
};

/// What the payload of the jobs is sealed for that [`ask`] leaves and [`answer`] does.
const PURPOSE: &[u8] = b"recovery";

/// What somebody who can't log in may ask to be mailed.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Wanted {
    /// A link to choose a new password.
    NewPassword,
    /// A link and six digits to log in, and the path to go on to.
    LoginLink {
        /// A path of this site.
        redirect: Option<String>,
    },
}

impl Wanted {
    const fn name(&self) -> &'static str {
        match self {
            Self::NewPassword => "new_password",
            Self::LoginLink { .. } => "login_link",
        }
    }

    fn limits<'a>(&self, app: &'a App) -> TryLimits<'a> {
        let limits = &app.config.limits;
        match self {
            Self::NewPassword => TryLimits {
                network: ("recovery", &limits.recovery),
                account: ("recovery account", &limits.recovery_account),
            },
            Self::LoginLink { .. } => TryLimits {
                network: ("login link", &limits.login_link),
                account: ("login link account", &limits.login_link_account),
            },
        }
    }
}

/// Takes down what somebody asks for. The work is the same for every address: a row that only a worker can read.
pub fn ask(
    pg: &mut Pg<'_>,
    app: &App,
    key: &RefreshKey,
    doorway: &Doorway,
    email: &Email,
    wanted: &Wanted,
) -> Result<(), IdentityError> {
    admit(pg, wanted.limits(app), key, doorway, Some(email), app.env.now())?;
    let text = serde_json::to_vec(&(email.as_str(), wanted)).map_err(StoreError::new)?;
    let sealed = app.seal.close(&text, PURPOSE, &*app.env);
    let work = Assignment { kind: Kind::Recovery, about: wanted.name(), recipient: None, payload: &sealed };
    pg.queue_job(work, app.env.now())?;
    Ok(())
}

/// Does what [`ask`] took down: mails the link when the address is somebody's. Doing it again withdraws the first
/// link.
pub fn answer(pg: &mut Pg<'_>, app: &App, payload: &[u8]) -> Result<(), StoreError> {
    let text = app.seal.open(payload, PURPOSE).map_err(StoreError::new)?;
    let (email, wanted): (String, Wanted) = serde_json::from_slice(&text).map_err(StoreError::new)?;
    let email = Email::parse(&email).map_err(StoreError::new)?;
    let user = pg.account(&email)?.map(|account| account.user);
    match (wanted, user) {
        (Wanted::NewPassword, Some(user)) => mail_reset(pg, app, &user),
        (Wanted::NewPassword, None) => Ok(()),
        (Wanted::LoginLink { redirect }, user) => mail_login_link(pg, app, &email, user, redirect.as_deref()),
    }
}

fn mail_reset(pg: &mut Pg<'_>, app: &App, user: &User) -> Result<(), StoreError> {
    let code = pg.issue_reset(user.id, &*app.env)?.token;
    let link = app.link(&format!("/reset-password/{}/{code}", escaped(user.email.as_str())));
    mail::queue(pg, app, &user.email, &Mail::ResetPassword { first_name: user.first_name.clone(), link })
}

/// The link bears its secret behind `#`: no server, no log and no scanner of mails sees it. An address that nobody has
/// gets a secret too, which is thrown away, so that digits can be tried on it like on any other.
fn mail_login_link(
    pg: &mut Pg<'_>,
    app: &App,
    email: &Email,
    user: Option<User>,
    redirect: Option<&str>,
) -> Result<(), StoreError> {
    let secret = pg.issue_login_link(email, user.as_ref().map(|user| user.id), &*app.env)?;
    let (Some(user), Some(code)) = (user, secret.code) else { return Ok(()) };
    let query = redirect.map(|path| format!("?redirect={}", escaped(path))).unwrap_or_default();
    let link = app.link(&format!("/login-link{query}#{}", secret.token));
    mail::queue(pg, app, &user.email, &Mail::LoginLink { first_name: user.first_name, link, code })
}

/// Sets the password that was chosen by a mailed link, ends all sessions, and tells of it.
pub fn reset_password(
    pg: &mut Pg<'_>,
    app: &App,
    code: &str,
    email: &Email,
    hash: &PasswordHash,
    doorway: &Doorway,
) -> Result<(), IdentityError> {
    let reset = pg.reset_password(code, email, hash, app.env.now())?.ok_or(IdentityError::LinkInvalid)?;
    if reset.is_first_proof {
        forget_ways_in(pg, reset.user.id)?;
    }
    Ok(tell_of_new_password(pg, app, &reset.user, doorway)?)
}

/// Takes away every way in but the password that was just set: nobody had shown before that the mailbox is theirs, so
/// whoever made the account and its other ways in may be a stranger.
fn forget_ways_in(pg: &mut Pg<'_>, user: UserId) -> Result<(), StoreError> {
    pg.forget_providers(user)?;
    pg.forget_factors(user)
}

/// Mails that the password is another one.
pub fn tell_of_new_password(pg: &mut Pg<'_>, app: &App, user: &User, doorway: &Doorway) -> Result<(), StoreError> {
    let news = Mail::PasswordChanged {
        first_name: user.first_name.clone(),
        device: doorway.device.clone(),
        place: doorway.place.clone(),
        at: app.env.now().millis(),
        timezone: user.timezone.clone(),
    };
    mail::queue(pg, app, &user.email, &news)
}

/// Mails the link by which somebody confirms the address of their account.
pub fn ask_for_confirmation(pg: &mut Pg<'_>, app: &App, user: &User) -> Result<(), StoreError> {
    let code = pg.issue_confirmation(user, &*app.env)?.token;
    let link = app.link(&format!("/confirm-email#{code}"));
    mail::queue(pg, app, &user.email, &Mail::ConfirmEmail { first_name: user.first_name.clone(), link })
}

/// Mails the link by which an account moves, to the new address.
pub fn ask_for_new_address(pg: &mut Pg<'_>, app: &App, user: &User, new: &Email) -> Result<(), StoreError> {
    let code = pg.issue_address_change(user.id, new, &*app.env)?.token;
    let link = app.link(&format!("/confirm-email#{code}"));
    mail::queue(pg, app, new, &Mail::ConfirmNewEmail { first_name: user.first_name.clone(), link })
}

/// Confirms an address by a mailed link. When the account moves by it, the old address is told.
pub fn confirm_email(pg: &mut Pg<'_>, app: &App, code: &str) -> Result<(), IdentityError> {
    let confirmed = pg.confirm_email(code, app.env.now())?.ok_or(IdentityError::LinkInvalid)?;
    if let Some(old) = confirmed.old_email {
        let (first_name, new_email) = (confirmed.user.first_name, confirmed.user.email.as_str().to_owned());
        mail::queue(pg, app, &old, &Mail::EmailChanged { first_name, new_email })?;
    }
    Ok(())
}
