//! Adding and removing passkeys, and signing in with one (`identity.second-factor`). Each ceremony is started by one call and
//! finished by a second one with the browser's response, which uses it up whatever the outcome.

use identity::{
    Claims, FactorCommands, FactorQueries, Factors, Identity, IdentityError, IdentityQueries, Issue, NewPasskey,
    Passkey, PasskeyName, Purpose, RefreshKey, StoredPasskey,
};
use kernel::{PasskeyId, StoreError, UserId};
use passkeys::{Ceremony, Passkeys};
use serde_json::Value;

use crate::{
    client::ClientContext,
    identity::{
        second_factor::acting_user,
        security::notify_change,
        sign_in::{SignIn, SignInOutcome, sign_in},
    },
    tx::Tx,
};

/// A started passkey ceremony.
#[derive(Debug)]
pub struct StartedCeremony {
    /// The browser sends it back with its response.
    pub token: String,
    /// The options for the browser's passkey API.
    pub options: Value,
}

/// Starts adding a passkey.
pub fn begin_passkey(
    tx: &mut Tx<'_, '_>,
    passkeys: &Passkeys,
    claims: &Claims,
    typed_password: bool,
) -> Result<StartedCeremony, IdentityError> {
    let (user, session) = acting_user(tx, claims)?;
    tx.pg.allow_change_of_factors(user.role, &session, typed_password, tx.now())?;
    let mut handle = [0; 16];
    tx.env.fill_random(&mut handle);
    let name = format!("{} {}", user.first_name, user.last_name);
    let owned = tx.pg.passkeys(user.id)?;
    let ceremony = passkeys.start_registration(user.email.as_str(), &name, &owned, handle).map_err(StoreError::new)?;
    Ok(store_ceremony(tx, ceremony, Purpose::PasskeyRegistration, Some(user.id))?)
}

/// Adds the passkey that a browser has created; `None` if its response is refused, or the ceremony has expired.
pub fn add_passkey(
    tx: &mut Tx<'_, '_>,
    passkeys: &Passkeys,
    claims: &Claims,
    (ceremony, name, answer): (&str, &PasskeyName, Value),
) -> Result<Option<Passkey>, IdentityError> {
    let (user, session) = acting_user(tx, claims)?;
    let now = tx.now();
    let found = tx.pg.redeem_secret(Purpose::PasskeyRegistration, ceremony, now)?;
    let Some(state) = found.filter(|found| found.user == Some(user.id)).and_then(|found| found.data) else {
        return Ok(None);
    };
    let made = match passkeys.finish_registration(&state, answer) {
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
    let passkey = tx.pg.add_passkey(user.id, session.id, new, now)?;
    notify_change(tx, &user, format!("The passkey{} was added. You can log in with it alone.", called(name)))?;
    Ok(Some(passkey))
}

/// Removes a passkey.
pub fn remove_passkey(
    tx: &mut Tx<'_, '_>,
    claims: &Claims,
    passkey: PasskeyId,
    typed_password: bool,
) -> Result<(), IdentityError> {
    let (user, session) = acting_user(tx, claims)?;
    tx.pg.allow_change_of_factors(user.role, &session, typed_password, tx.now())?;
    let removed = tx.pg.remove_passkey(user.id, passkey)?;
    notify_change(tx, &user, format!("The passkey{} was removed.", called(&removed.name)))?;
    Ok(())
}

/// Starts a sign-in: requests any passkey of this site from the browser.
pub fn begin_passkey_sign_in(tx: &mut Tx<'_, '_>, passkeys: &Passkeys) -> Result<StartedCeremony, StoreError> {
    let ceremony = passkeys.start_authentication().map_err(StoreError::new)?;
    store_ceremony(tx, ceremony, Purpose::PasskeyLogin, None)
}

/// Signs in by a passkey, which counts as password and second factor together. Refused if the browser's response is wrong or
/// the ceremony has expired. If the response indicates a copied passkey, the owner is notified by mail.
pub fn sign_in_by_passkey(
    tx: &mut Tx<'_, '_>,
    passkeys: &Passkeys,
    (key, client): (&RefreshKey, &ClientContext),
    (ceremony, answer): (&str, Value),
) -> Result<SignInOutcome, StoreError> {
    match authenticate(tx, passkeys, (ceremony, answer))? {
        Some(stored) => sign_in(
            tx,
            key,
            &SignIn {
                user: stored.user,
                client,
                strong: true,
                proves_address: false,
                password_typed: false,
                rehashed: None,
            },
        ),
        None => Ok(SignInOutcome::Refused),
    }
}

/// Verifies the browser's response in a ceremony, which is used up; returns the passkey. `None` if the response is wrong or
/// the ceremony has expired. If the response indicates a copied passkey, the owner is notified by mail.
pub(super) fn authenticate(
    tx: &mut Tx<'_, '_>,
    passkeys: &Passkeys,
    (ceremony, answer): (&str, Value),
) -> Result<Option<StoredPasskey>, StoreError> {
    let now = tx.now();
    let found = tx.pg.redeem_secret(Purpose::PasskeyLogin, ceremony, now)?;
    let (Some(state), Ok(id)) = (found.and_then(|found| found.data), Passkeys::credential_id(&answer)) else {
        return Ok(None);
    };
    let Some(stored) = tx.pg.lock_passkey(&id)? else { return Ok(None) };
    match passkeys.finish_authentication(&state, answer, &stored) {
        Ok(credential) => {
            tx.pg.record_passkey_use(stored.passkey.id, &credential, now)?;
            Ok(Some(stored))
        }
        Err(refusal) => {
            tracing::warn!(%refusal, passkey = %stored.passkey.id, "a passkey was refused");
            let owner = if refusal.is_possible_copy() { tx.pg.user(stored.user)? } else { None };
            if let Some(owner) = owner {
                let name = called(&stored.passkey.name);
                let what = format!(
                    "A login with the passkey{name} was refused, because it may have been copied. Please remove it."
                );
                notify_change(tx, &owner, what)?;
            }
            Ok(None)
        }
    }
}

/// A passkey's name for a mail, with a leading space; empty if the name looks like a link.
fn called(name: &PasskeyName) -> String {
    mail::display_name(name.as_str()).map(|name| format!(" “{name}”")).unwrap_or_default()
}

/// Stores the state of a ceremony until the browser responds.
fn store_ceremony(
    tx: &mut Tx<'_, '_>,
    ceremony: Ceremony,
    purpose: Purpose,
    user: Option<UserId>,
) -> Result<StartedCeremony, StoreError> {
    let issue = Issue { purpose, user, data: Some(&ceremony.state), binding: None };
    Ok(StartedCeremony { token: tx.pg.issue_secret(issue, tx.env)?.token, options: ceremony.options })
}
