//! Passwords: change, forgotten, reset, and the current password that confirms a change.

use actix_web::{put, web::Data};
use identity::{Account, Attempt, Identity, IdentityError, IdentityQueries, Password, RateLimitBucket};
use kernel::{Email, UserId};
use serde::Deserialize;
use utoipa::ToSchema;
use workflows::{
    passwords,
    recovery::{RecoveryRequest, request_recovery},
};

use super::{
    hashing::{self, PasswordCheck},
    read_email,
};
use crate::{
    app::App,
    error::ApiError,
    extract::{Body, Client, Member},
    openapi::TooManyTries,
    wire::{Answer, Nothing},
};

/// The password that is, and the one that is to be.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct ChangePassword {
    /// The current password; not needed by a person who never had one, who has to have logged in a moment ago.
    current_password: Option<String>,
    /// 8 to 256 characters, and none of the most common passwords.
    #[schema(value_type = String, required, min_length = 8, max_length = 256)]
    password1: Option<String>,
    /// The same again.
    #[schema(value_type = String, required, min_length = 8, max_length = 256)]
    password2: Option<String>,
}

/// Sets a new password. All other sessions end.
#[utoipa::path(tag = "identity", request_body = ChangePassword, responses((status = 200, description = "The password is set.", body = Answer<Nothing>), TooManyTries), security(("token" = [])))]
#[put("/api/user/password")]
pub(super) async fn change_password(
    app: Data<App>,
    Member(claims): Member,
    Client(client): Client,
    Body(form): Body<ChangePassword>,
) -> Result<Answer<Nothing>, ApiError> {
    let password = read_new_password(form.password1.as_deref(), form.password2.as_deref())?;
    let account = check_current_password(&app, claims.user, form.current_password).await?;
    let (hash, verified) = (hashing::hash(&app, password).await?, account.password_hash);
    app.write_tx(move |tx| passwords::change_password(tx, &claims, verified.as_ref(), &hash, &client)).await?;
    Ok(Answer::new(Nothing {}))
}

/// Whose password was forgotten.
#[derive(Deserialize, ToSchema)]
pub(super) struct ForgotPassword {
    /// The e-mail address.
    #[schema(value_type = String, required, max_length = 254)]
    email: Option<String>,
}

/// Mails a link to choose a new password, if a person has the address. Whether that is so can't be told from the
/// answer, nor from the time that it takes.
#[utoipa::path(tag = "identity", request_body = ForgotPassword, responses((status = 200, description = "If there is an account with this address, a mail is on its way.", body = Answer<Nothing>), TooManyTries), security(()))]
#[put("/api/user/forgot-password")]
pub(super) async fn forgot_password(
    app: Data<App>,
    Client(client): Client,
    Body(form): Body<ForgotPassword>,
) -> Result<Answer<Nothing>, ApiError> {
    let email = read_email(form.email.as_deref())?;
    let (keys, request) = (app.keys().await?, RecoveryRequest::NewPassword);
    app.write_tx(move |tx| request_recovery(tx, &keys.refresh, &client, &email, &request)).await?;
    Ok(Answer::new(Nothing {}))
}

/// A new password, and the code of the mailed link.
#[derive(Deserialize, ToSchema)]
pub(super) struct ResetPassword {
    /// 8 to 256 characters, and none of the most common passwords.
    #[schema(value_type = String, required, min_length = 8, max_length = 256)]
    password1: Option<String>,
    /// The same again.
    #[schema(value_type = String, required, min_length = 8, max_length = 256)]
    password2: Option<String>,
    /// The code of the link.
    #[schema(value_type = String, required)]
    code: Option<String>,
    /// The address of the link.
    #[schema(value_type = String, required, max_length = 254)]
    email: Option<String>,
}

/// Sets a new password by a mailed link, which is good once and for an hour. All sessions end.
#[utoipa::path(tag = "identity", request_body = ResetPassword, responses((status = 200, description = "The password is set.", body = Answer<Nothing>), TooManyTries), security(()))]
#[put("/api/user/reset-password")]
pub(super) async fn reset_password(
    app: Data<App>,
    Client(client): Client,
    Body(form): Body<ResetPassword>,
) -> Result<Answer<Nothing>, ApiError> {
    let password = read_new_password(form.password1.as_deref(), form.password2.as_deref())?;
    let code = form.code.unwrap_or_default();
    // An address that can't be one came with a link that was cut or changed on its way.
    let email = Email::parse(form.email.as_deref().unwrap_or_default()).map_err(|_| IdentityError::LinkInvalid)?;
    let (address, link) = (client.address, (code.clone(), email.clone()));
    // Only a valid code makes the server hash.
    if !app.write_tx(move |tx| passwords::is_reset_code_valid(tx, address, &link.0, &link.1)).await? {
        return Err(IdentityError::LinkInvalid.into());
    }
    let hash = hashing::hash(&app, password).await?;
    app.write_tx(move |tx| passwords::reset_password(tx, &code, &email, &hash, &client)).await?;
    Ok(Answer::new(Nothing {}))
}

/// Reads `password1` and `password2`.
pub(super) fn read_new_password(password1: Option<&str>, password2: Option<&str>) -> Result<Password, ApiError> {
    Password::choose_twice(password1.unwrap_or_default(), password2.unwrap_or_default()).map_err(|error| {
        let is_about_both = matches!(error, IdentityError::PasswordsDiffer);
        let error = ApiError::from(error);
        if is_about_both { error } else { error.on_field("password1") }
    })
}

/// Checks the current password, and how often it is tried; gives the account. A person who never had a password needs
/// none, but a fresh session: see [`identity::Factors::allow_change_of_ways_in`]. Each try counts, also on a device that is known: it may be a stolen one.
pub(super) async fn check_current_password(
    app: &App,
    user: UserId,
    password: Option<String>,
) -> Result<Account, ApiError> {
    let (limits, now) = (app.config.limits.password.clone(), app.env.now());
    let account = app
        .db
        .write::<_, IdentityError, _>(move |pg| {
            pg.count_attempts(
                &[Attempt { bucket: RateLimitBucket::Password, subject: &user.to_string(), limits: &limits }],
                now,
            )?;
            Ok(match pg.user(user)? {
                Some(user) => pg.account(&user.email)?,
                None => None,
            })
        })
        .await?
        .ok_or_else(ApiError::unauthenticated)?;
    if let Some(hash) = account.password_hash.clone() {
        let checked = hashing::check(app, password.unwrap_or_default(), Some(hash)).await?;
        if matches!(checked, PasswordCheck::Wrong) {
            return Err(IdentityError::CurrentPasswordWrong.into());
        }
    }
    Ok(account)
}

/// Whether the right password was typed; a wrong one is refused. An account without a password has typed none.
pub(super) async fn was_password_typed(app: &App, user: UserId, typed: Option<String>) -> Result<bool, ApiError> {
    match typed {
        None => Ok(false),
        Some(typed) => Ok(check_current_password(app, user, Some(typed)).await?.password_hash.is_some()),
    }
}
