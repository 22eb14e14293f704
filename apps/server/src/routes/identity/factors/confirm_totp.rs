//! `PUT /api/user/totp`.

use actix_web::{put, web::Data};

use super::{FactorCode, rate_limits};
use crate::{
    app::App,
    error::ApiError,
    extract::{Body, Member},
    flows::second_factor,
    openapi::{Conflict, TooManyTries},
    wire::{Answer, security::RecoveryCodes},
};

/// Confirms the authenticator app by its first code. The session is strong from now on: the next token that is asked
/// for bears the member's own role. Mails the owner.
#[utoipa::path(tag = "identity", request_body = FactorCode, responses((status = 200, description = "The recovery codes, shown this once.", body = Answer<RecoveryCodes>), Conflict, TooManyTries), security(("token" = [])))]
#[put("/api/user/totp")]
pub(super) async fn confirm_totp(
    app: Data<App>,
    Member(claims): Member,
    Body(form): Body<FactorCode>,
) -> Result<Answer<RecoveryCodes>, ApiError> {
    rate_limits::of_code(&app, claims.user).await?;
    let codes = app.write_tx(move |tx| second_factor::confirm_totp(tx, &claims, &form.code)).await?;
    Ok(Answer::new(RecoveryCodes::new(&codes)))
}
