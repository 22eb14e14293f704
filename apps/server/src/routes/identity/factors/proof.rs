//! `POST /api/user/proof` and `POST /api/user/proof/code`: a fresh proof of who acts in a session.

use actix_web::{post, web::Data};
use identity::{IdentityError, RateLimitBucket};
use serde::Deserialize;
use serde_json::Value;
use utoipa::ToSchema;
use workflows::{
    proof::{mail_proof_code, prove_by_code, prove_by_passkey, prove_by_password},
    rate_limits,
};

use super::passkeys as site_passkeys;
use crate::{
    app::App,
    error::{ApiError, Code},
    extract::{Body, Member},
    openapi::{Forbidden, NotFound, TooManyTries},
    routes::identity::passwords::check_current_password,
    wire::{Answer, Nothing},
};

/// One of: the password, the digits of a mail, a passkey.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct FreshProof {
    /// The current password.
    current_password: Option<String>,
    /// Six digits of a mail; blanks between them do not count.
    code: Option<String>,
    /// What came with the options of `POST /api/user/passkey-login/options`.
    ceremony: Option<String>,
    /// `AuthenticationResponseJSON`, of a passkey of the member.
    #[schema(value_type = Option<Object>)]
    credential: Option<Value>,
}

/// Proves who acts in this session, by the password, six digits of a mail, or a passkey. For ten minutes the session may then
/// take the steps that answer `403` with `fresh_login_required`, as after a sign-in.
#[utoipa::path(tag = "identity", request_body = FreshProof, responses((status = 200, description = "Proved.", body = Answer<Nothing>), Forbidden, NotFound, TooManyTries), security(("token" = [])))]
#[post("/api/user/proof")]
pub(super) async fn prove(
    app: Data<App>,
    Member(claims): Member,
    Body(form): Body<FreshProof>,
) -> Result<Answer<Nothing>, ApiError> {
    if let Some(password) = form.current_password {
        let verified = check_current_password(&app, claims.user, Some(password)).await?.password_hash;
        app.write_tx(move |tx| prove_by_password(tx, &claims, verified.as_ref())).await?;
        return Ok(Answer::new(Nothing {}));
    }
    let (whose, limits) = (claims.user.to_string(), &app.config.limits.password);
    rate_limits::count(&app.transactions, RateLimitBucket::Password, whose, limits).await?;
    if let (Some(ceremony), Some(credential)) = (form.ceremony, form.credential) {
        site_passkeys(&app)?;
        let within = app.clone();
        let is_theirs = app
            .write_tx::<_, ApiError, _>(move |tx| {
                Ok(prove_by_passkey(tx, site_passkeys(&within)?, &claims, (&ceremony, credential))?)
            })
            .await?;
        let text = "This passkey is not one of yours. Please try again or use another way.";
        return if is_theirs {
            Ok(Answer::new(Nothing {}))
        } else {
            Err(ApiError::new(Code::InvalidCredentials, text))
        };
    }
    let code: String = form.code.unwrap_or_default().split_whitespace().collect();
    let is_right = app.write_tx(move |tx| prove_by_code(tx, &claims, &code)).await?;
    if is_right {
        Ok(Answer::new(Nothing {}))
    } else {
        Err(ApiError::from(IdentityError::CodeInvalid).on_field("code"))
    }
}

/// Mails six digits to the member, for `POST /api/user/proof`. They are good in this session only.
#[utoipa::path(tag = "identity", responses((status = 200, description = "The mail is on its way.", body = Answer<Nothing>), TooManyTries), security(("token" = [])))]
#[post("/api/user/proof/code")]
pub(super) async fn mail_code(app: Data<App>, Member(claims): Member) -> Result<Answer<Nothing>, ApiError> {
    app.write_tx(move |tx| mail_proof_code(tx, &claims)).await?;
    Ok(Answer::new(Nothing {}))
}
