//! Changing how an account is protected: each change is told to its owner by mail.

use identity::{
    Claims, FactorUsed, Factors, Identity, IdentityError, Issue, NewPasskey, Passkey, PasskeyName, Provider, Providers,
    Purpose, Recovery, RecoveryCode, RefreshKey, Role, Session, TotpSecret, User,
};
use kernel::{Email, PasskeyId, StoreError, UserId};
use postgres::Pg;
use serde_json::Value;

use super::sign_in::{Admission, Arrival, sign_in};
use crate::{
    app::App,
    config::Profile,
    extract::Doorway,
    mail::{self, Mail},
    passkeys::{Ceremony, Passkeys},
    wire::security,
};

/// How somebody signs in and what protects their account; `None` when it is gone.
pub fn security(pg: &mut Pg<'_>, app: &App, claims: &Claims) -> Result<Option<security::Security>, StoreError> {
    let Some(user) = pg.user(claims.user)? else { return Ok(None) };
    let now = app.env.now();
    let session = pg.live_session(claims.session, now)?;
    let protection = pg.protection(user.id)?;
    Ok(Some(security::Security {
        email_confirmed: user.email_confirmed_at.is_some(),
        has_password: pg.account(&user.email)?.is_some_and(|account| account.password_hash.is_some()),
        pending_email: pg.pending_email(user.id, now)?.map(|email| email.as_str().to_owned()),
        second_factor: security::SecondFactor {
            totp: protection.totp,
            recovery_codes_left: protection.recovery_codes,
            required: user.role != Role::Member && app.config.profile != Profile::Demo,
            strong: session.is_some_and(|session| session.strong),
        },
        passkeys: pg.passkeys(user.id)?.iter().map(|stored| (&stored.passkey).into()).collect(),
        passkeys_available: app.passkeys.is_some(),
        providers: providers(pg, app, user.id)?,
    }))
}

/// The providers with which somebody may sign in, and those that were, as long as an account is connected.
fn providers(pg: &mut Pg<'_>, app: &App, user: UserId) -> Result<Vec<security::Provider>, StoreError> {
    let connections = pg.providers_of(user)?;
    let found = Provider::ALL.into_iter().filter_map(|provider| {
        let connection = connections.iter().find(|connection| connection.provider == provider);
        let shown = connection.is_some() || app.gateways.to(provider).is_some();
        shown.then(|| security::Provider {
            name: provider.as_str().to_owned(),
            connected: connection.is_some(),
            email: connection.and_then(|connection| connection.email.as_ref()).map(|email| email.as_str().to_owned()),
        })
    });
    Ok(found.collect())
}

/// The step after the password: a code of the authenticator app, or a recovery code.
pub fn second_step(
    pg: &mut Pg<'_>,
    app: &App,
    key: &RefreshKey,
    doorway: &Doorway,
    (ticket, code): (&str, &str),
) -> Result<Admission, IdentityError> {
    let now = app.env.now();
    let found = pg.redeem_secret(Purpose::SecondFactor, ticket, now)?.and_then(|found| found.user);
    let user = found.ok_or(IdentityError::TicketOver)?;
    // A wrong code undoes the redeeming too: the ticket is good for the next try.
    let factor = pg.take_factor_code(user, code, &app.seal, now)?;
    if let (FactorUsed::RecoveryCode, Some(owner)) = (factor, pg.user(user)?) {
        let left = pg.protection(user)?.recovery_codes;
        tell(pg, app, &owner, format!("A recovery code was used to sign in. {left} of them are left."))?;
    }
    Ok(sign_in(pg, app, key, &Arrival { user, doorway, strong: true, renewed: None })?)
}

/// Begins an authenticator app; gives its secret and the `otpauth:` address.
pub fn begin_totp(
    pg: &mut Pg<'_>,
    app: &App,
    claims: &Claims,
    typed_password: bool,
) -> Result<(TotpSecret, String), IdentityError> {
    let (user, session) = who(pg, app, claims)?;
    pg.allow_change_of_factors(user.role, &session, typed_password, app.env.now())?;
    let secret = pg.begin_totp(user.id, &app.seal, &*app.env)?;
    let address = secret.address(&app.config.site.name, user.email.as_str());
    Ok((secret, address))
}

/// Confirms an authenticator app by its first code.
pub fn confirm_totp(
    pg: &mut Pg<'_>,
    app: &App,
    claims: &Claims,
    code: &str,
) -> Result<Vec<RecoveryCode>, IdentityError> {
    let (user, session) = who(pg, app, claims)?;
    let codes = pg.confirm_totp(user.id, session.id, code, &app.seal, &*app.env)?;
    tell(pg, app, &user, "An authenticator app was set up: signing in asks for its code from now on.")?;
    Ok(codes)
}

/// Ends the authenticator app.
pub fn end_totp(pg: &mut Pg<'_>, app: &App, claims: &Claims, code: Option<&str>) -> Result<(), IdentityError> {
    let (user, session) = who(pg, app, claims)?;
    pg.allow_by_code(&session, code, &app.seal, app.env.now())?;
    pg.end_totp(user.id)?;
    tell(pg, app, &user, "The authenticator app was turned off: signing in does not ask for its code any more.")?;
    Ok(())
}

/// Makes the recovery codes anew.
pub fn renew_recovery_codes(
    pg: &mut Pg<'_>,
    app: &App,
    claims: &Claims,
    code: Option<&str>,
) -> Result<Vec<RecoveryCode>, IdentityError> {
    let (user, session) = who(pg, app, claims)?;
    if !pg.protection(user.id)?.totp {
        return Err(IdentityError::NoTotp);
    }
    pg.allow_by_code(&session, code, &app.seal, app.env.now())?;
    let codes = pg.renew_recovery_codes(user.id, &*app.env)?;
    tell(pg, app, &user, "New recovery codes were made: those before them do not work any more.")?;
    Ok(codes)
}

/// Asks a browser to make a passkey; gives the ceremony's token and what the browser is asked.
pub fn begin_passkey(
    pg: &mut Pg<'_>,
    app: &App,
    passkeys: &Passkeys,
    claims: &Claims,
    typed_password: bool,
) -> Result<(String, Value), IdentityError> {
    let (user, session) = who(pg, app, claims)?;
    pg.allow_change_of_factors(user.role, &session, typed_password, app.env.now())?;
    let mut fresh = [0; 16];
    app.env.fill_random(&mut fresh);
    let name = format!("{} {}", user.first_name, user.last_name);
    let owned = pg.passkeys(user.id)?;
    let ceremony = passkeys.to_add(user.email.as_str(), &name, &owned, fresh).map_err(StoreError::new)?;
    Ok(remember(pg, app, ceremony, Purpose::PasskeyRegistration, Some(user.id))?)
}

/// Adds the passkey that a browser has made; `None` when its answer is refused, or the ceremony is over. The ceremony
/// is used up either way.
pub fn add_passkey(
    pg: &mut Pg<'_>,
    app: &App,
    passkeys: &Passkeys,
    claims: &Claims,
    (ceremony, name, answer): (&str, &PasskeyName, Value),
) -> Result<Option<Passkey>, IdentityError> {
    let (user, session) = who(pg, app, claims)?;
    let now = app.env.now();
    let found = pg.redeem_secret(Purpose::PasskeyRegistration, ceremony, now)?;
    let Some(state) = found.filter(|found| found.user == Some(user.id)).and_then(|found| found.data) else {
        return Ok(None);
    };
    let made = match passkeys.added(&state, answer) {
        Ok(made) => made,
        Err(refusal) => {
            tracing::info!(%refusal, "a passkey was not added");
            return Ok(None);
        }
    };
    let new = NewPasskey {
        name,
        credential_id: &made.credential_id,
        user_handle: &made.user_handle,
        credential: &made.credential,
    };
    let passkey = pg.add_passkey(user.id, session.id, new, now)?;
    tell(pg, app, &user, format!("The passkey “{}” was added: it signs in by itself.", name.as_str()))?;
    Ok(Some(passkey))
}

/// Removes a passkey.
pub fn remove_passkey(
    pg: &mut Pg<'_>,
    app: &App,
    claims: &Claims,
    passkey: PasskeyId,
    typed_password: bool,
) -> Result<(), IdentityError> {
    let (user, session) = who(pg, app, claims)?;
    pg.allow_change_of_factors(user.role, &session, typed_password, app.env.now())?;
    let removed = pg.remove_passkey(user.id, passkey)?;
    tell(pg, app, &user, format!("The passkey “{}” was removed.", removed.name.as_str()))?;
    Ok(())
}

/// Asks a browser for any passkey of this site; gives the ceremony's token and what the browser is asked.
pub fn begin_passkey_login(pg: &mut Pg<'_>, app: &App, passkeys: &Passkeys) -> Result<(String, Value), StoreError> {
    let ceremony = passkeys.to_sign_in().map_err(StoreError::new)?;
    remember(pg, app, ceremony, Purpose::PasskeyLogin, None)
}

/// Lets in whoever has a passkey, which is strong by itself; [`Admission::Gone`] when the browser's answer is refused
/// or the ceremony is over. The ceremony is used up either way.
pub fn passkey_login(
    pg: &mut Pg<'_>,
    app: &App,
    passkeys: &Passkeys,
    (key, doorway): (&RefreshKey, &Doorway),
    (ceremony, answer): (&str, Value),
) -> Result<Admission, StoreError> {
    let now = app.env.now();
    let found = pg.redeem_secret(Purpose::PasskeyLogin, ceremony, now)?;
    let (Some(state), Ok(id)) = (found.and_then(|found| found.data), Passkeys::credential_id(&answer)) else {
        return Ok(Admission::Gone);
    };
    let Some(stored) = pg.passkey_for_login(&id)? else { return Ok(Admission::Gone) };
    match passkeys.signed_in(&state, answer, &stored) {
        Ok(credential) => {
            pg.note_passkey_use(stored.passkey.id, &credential, now)?;
            sign_in(pg, app, key, &Arrival { user: stored.user, doorway, strong: true, renewed: None })
        }
        Err(refusal) => {
            tracing::warn!(%refusal, passkey = %stored.passkey.id, "a passkey was refused");
            let owner = if refusal.shows_a_copy() { pg.user(stored.user)? } else { None };
            if let Some(owner) = owner {
                let name = stored.passkey.name.as_str();
                tell(
                    pg,
                    app,
                    &owner,
                    format!(
                        "A sign-in with the passkey “{name}” was refused, because it may have been copied. Please remove it."
                    ),
                )?;
            }
            Ok(Admission::Gone)
        }
    }
}

/// Takes every factor from an account whose owner has lost them; `None` when nobody has the address.
pub fn reset(pg: &mut Pg<'_>, app: &App, email: &Email) -> Result<Option<User>, StoreError> {
    let Some(user) = pg.reset_factors(email, app.env.now())? else { return Ok(None) };
    tell(
        pg,
        app,
        &user,
        "The authenticator app and all passkeys were removed by our support. Please set them up again.",
    )?;
    Ok(Some(user))
}

/// The person and the session of a token; the account is locked.
fn who(pg: &mut Pg<'_>, app: &App, claims: &Claims) -> Result<(User, Session), IdentityError> {
    pg.acting(claims.user, claims.session, app.env.now())
}

/// Keeps a ceremony's state; gives its token and what the browser is asked.
fn remember(
    pg: &mut Pg<'_>,
    app: &App,
    ceremony: Ceremony,
    purpose: Purpose,
    user: Option<UserId>,
) -> Result<(String, Value), StoreError> {
    let issue = Issue { purpose, user, data: Some(&ceremony.state), binding: None };
    Ok((pg.issue_secret(issue, &*app.env)?.token, ceremony.options))
}

fn tell(pg: &mut Pg<'_>, app: &App, user: &User, what: impl Into<String>) -> Result<(), StoreError> {
    let news = Mail::SecondFactorChanged { first_name: user.first_name.clone(), what: what.into() };
    mail::queue(pg, app, &user.email, &news)
}
