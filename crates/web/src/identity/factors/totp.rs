//! The authenticator app (TOTP) and its recovery codes.

use actix_web::{delete, post, put, web::Data};
use workflows::identity::second_factor;

use crate::{
    app::App,
    extract::{Body, Member, OptionalBody},
    http::{
        error::ApiError,
        openapi::{Conflict, NotFound, TooManyTries},
        wire::{Answer, Nothing},
    },
    identity::factors::{
        FactorCode, Proof, limit_codes,
        types::{RecoveryCodes, TotpSetup},
    },
};

/// Begins an authenticator app. It protects nothing before its first code has come, within an hour.
#[utoipa::path(tag = "identity", request_body = Option<Proof>, responses((status = 200, description = "The secret for the authenticator app.", body = Answer<TotpSetup>), Conflict, TooManyTries), security(("token" = [])))]
#[post("/api/user/totp")]
pub(super) async fn begin_totp(
    app: Data<App>,
    Member(claims): Member,
    OptionalBody(proof): OptionalBody<Proof>,
) -> Result<Answer<TotpSetup>, ApiError> {
    let password = proof.unwrap_or_default().current_password;
    let was_typed = app.passwords.was_typed(claims.user, password).await?;
    let (secret, url) = app.write_tx(move |tx| second_factor::begin_totp(tx, &claims, was_typed)).await?;
    let qr = artwork::qr_code(&url).map_err(ApiError::internal)?;
    Ok(Answer::new(TotpSetup { secret: secret.encode(), url, qr }))
}

/// Confirms the authenticator app by its first code. The session is strong from now on: the next token that is asked
/// for bears the member's own role. Mails the owner.
#[utoipa::path(tag = "identity", request_body = FactorCode, responses((status = 200, description = "The recovery codes, shown this once.", body = Answer<RecoveryCodes>), NotFound, Conflict, TooManyTries), security(("token" = [])))]
#[put("/api/user/totp")]
pub(super) async fn confirm_totp(
    app: Data<App>,
    Member(claims): Member,
    Body(form): Body<FactorCode>,
) -> Result<Answer<RecoveryCodes>, ApiError> {
    limit_codes(&app, claims.user).await?;
    let codes = app.write_tx(move |tx| second_factor::confirm_totp(tx, &claims, &form.code)).await?;
    Ok(Answer::new(RecoveryCodes::new(&codes)))
}

/// Ends the authenticator app, and the recovery codes with it. Needs a code, or a session that was entered with one at
/// most ten minutes ago. Mails the owner.
#[utoipa::path(tag = "identity", request_body = Option<FactorCode>, responses((status = 200, description = "It is off.", body = Answer<Nothing>), NotFound, TooManyTries), security(("token" = [])))]
#[delete("/api/user/totp")]
pub(super) async fn end_totp(
    app: Data<App>,
    Member(claims): Member,
    OptionalBody(form): OptionalBody<FactorCode>,
) -> Result<Answer<Nothing>, ApiError> {
    limit_codes(&app, claims.user).await?;
    let code = form.map(|form| form.code);
    app.write_tx(move |tx| second_factor::end_totp(tx, &claims, code.as_deref())).await?;
    Ok(Answer::new(Nothing {}))
}

/// Makes ten new recovery codes; those before them are worth nothing. Needs a code, or a session that was entered with
/// one at most ten minutes ago. Mails the owner.
#[utoipa::path(tag = "identity", request_body = Option<FactorCode>, responses((status = 200, description = "The recovery codes, shown this once.", body = Answer<RecoveryCodes>), NotFound, TooManyTries), security(("token" = [])))]
#[post("/api/user/recovery-codes")]
pub(super) async fn renew_recovery_codes(
    app: Data<App>,
    Member(claims): Member,
    OptionalBody(form): OptionalBody<FactorCode>,
) -> Result<Answer<RecoveryCodes>, ApiError> {
    limit_codes(&app, claims.user).await?;
    let code = form.map(|form| form.code);
    let codes = app.write_tx(move |tx| second_factor::renew_recovery_codes(tx, &claims, code.as_deref())).await?;
    Ok(Answer::new(RecoveryCodes::new(&codes)))
}
