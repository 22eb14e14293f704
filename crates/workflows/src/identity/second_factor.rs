//! The authenticator app and its recovery codes (`identity.second-factor`). The owner is notified by mail of every change.

use identity::{
    Claims, FactorQueries, FactorUsed, Factors, Identity, IdentityError, IdentityQueries, Purpose, RateLimitBucket,
    RecoveryCode, RefreshKey, Session, TotpSecret, User,
};
use kernel::{Email, StoreError};

use crate::{
    client::ClientContext,
    identity::{
        security::notify_change,
        sign_in::{PASSWORD_TYPED, SignIn, SignInOutcome, sign_in},
    },
    rate_limits::count_attempt,
    tx::Tx,
};

/// Counts an attempt with a code, on the account of the ticket. Known devices of the account have a bucket of their own, so that
/// a stranger who has the password can't lock the owner out.
pub fn count_factor_attempt(
    tx: &mut Tx<'_, '_>,
    key: &RefreshKey,
    client: &ClientContext,
    ticket: &str,
) -> Result<(), IdentityError> {
    let now = tx.now();
    let found = tx.pg.look_up_secret(Purpose::SecondFactor, ticket, now)?.and_then(|found| found.user);
    let user = match found {
        Some(user) => tx.pg.user(user)?,
        None => None,
    };
    let user = user.ok_or(IdentityError::TicketOver)?;
    let is_known = client.mark.as_deref().is_some_and(|mark| key.knows_device(&user, mark));
    let whose = if is_known { format!("{} on a known device", user.id) } else { user.id.to_string() };
    count_attempt(tx, RateLimitBucket::Factor, &whose)
}

/// Signs in by the ticket of a password sign-in and a code of the authenticator app, or a recovery code.
pub fn sign_in_by_second_factor(
    tx: &mut Tx<'_, '_>,
    key: &RefreshKey,
    client: &ClientContext,
    (ticket, code): (&str, &str),
) -> Result<SignInOutcome, IdentityError> {
    let now = tx.now();
    let found = tx.pg.redeem_secret(Purpose::SecondFactor, ticket, now)?.ok_or(IdentityError::TicketOver)?;
    let user = found.user.ok_or(IdentityError::TicketOver)?;
    // A wrong code also rolls back redeeming the ticket, which stays valid for the next attempt.
    let factor = tx.pg.take_factor_code(user, code, tx.seal, now)?;
    if let (FactorUsed::RecoveryCode, Some(owner)) = (factor, tx.pg.user(user)?) {
        let left = tx.pg.protection(user)?.recovery_codes;
        notify_change(tx, &owner, format!("A recovery code was used to log in. {left} are left."))?;
    }
    let password_typed = found.data.as_deref() == Some(PASSWORD_TYPED);
    Ok(sign_in(tx, key, &SignIn { user, client, strong: true, proves_address: false, password_typed, rehashed: None })?)
}

/// Starts setting up an authenticator app; returns its secret and the `otpauth:` URL.
pub fn begin_totp(
    tx: &mut Tx<'_, '_>,
    claims: &Claims,
    typed_password: bool,
) -> Result<(TotpSecret, String), IdentityError> {
    let (user, session) = acting_user(tx, claims)?;
    tx.pg.allow_change_of_factors(user.role, &session, typed_password, tx.now())?;
    let secret = tx.pg.begin_totp(user.id, session.id, tx.seal, tx.env)?;
    let url = secret.address(&tx.settings.site_name, user.email.as_str());
    Ok((secret, url))
}

/// Confirms an authenticator app by its first code; returns the recovery codes.
pub fn confirm_totp(tx: &mut Tx<'_, '_>, claims: &Claims, code: &str) -> Result<Vec<RecoveryCode>, IdentityError> {
    let (user, session) = acting_user(tx, claims)?;
    let codes = tx.pg.confirm_totp(user.id, session.id, code, tx.seal, tx.env)?;
    notify_change(tx, &user, "An authenticator app was set up. Logging in asks for its code from now on.")?;
    Ok(codes)
}

/// Turns off the authenticator app.
pub fn end_totp(tx: &mut Tx<'_, '_>, claims: &Claims, code: Option<&str>) -> Result<(), IdentityError> {
    let (user, session) = acting_user(tx, claims)?;
    tx.pg.allow_by_code(&session, code, tx.seal, tx.now())?;
    tx.pg.end_totp(user.id)?;
    notify_change(tx, &user, "The authenticator app was turned off. Logging in no longer asks for its code.")?;
    Ok(())
}

/// Replaces the recovery codes.
pub fn renew_recovery_codes(
    tx: &mut Tx<'_, '_>,
    claims: &Claims,
    code: Option<&str>,
) -> Result<Vec<RecoveryCode>, IdentityError> {
    let (user, session) = acting_user(tx, claims)?;
    if !tx.pg.protection(user.id)?.totp {
        return Err(IdentityError::NoTotp);
    }
    tx.pg.allow_by_code(&session, code, tx.seal, tx.now())?;
    let codes = tx.pg.renew_recovery_codes(user.id, tx.env)?;
    notify_change(tx, &user, "New recovery codes were created. The old ones no longer work.")?;
    Ok(codes)
}

/// Removes all second factors and passkeys of an account whose owner has lost them; for operators. `None` if the address has no
/// account.
pub fn reset_factors(tx: &mut Tx<'_, '_>, email: &Email) -> Result<Option<User>, StoreError> {
    let Some(user) = tx.pg.reset_factors(email, tx.now())? else { return Ok(None) };
    notify_change(
        tx,
        &user,
        "The authenticator app and all passkeys were removed by our support team. Please set them up again.",
    )?;
    Ok(Some(user))
}

/// The user and the session of an access token; locks the account.
pub(super) fn acting_user(tx: &mut Tx<'_, '_>, claims: &Claims) -> Result<(User, Session), IdentityError> {
    tx.pg.acting(claims.user, claims.session, tx.now())
}
