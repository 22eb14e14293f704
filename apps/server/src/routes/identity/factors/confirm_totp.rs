//! `PUT /api/user/totp`.

use actix_web::{put, web::Data};

use super::{FactorCode, tries};
use crate::{
    app::App,
    error::ApiError,
    extract::{Body, Member},
    flows::protection,
    wire::{Answer, Failures, security::RecoveryCodes},
};

/// Confirms the authenticator app by its first code. The session is strong from now on: the next token that is asked
/// for bears the member's own role. Mails the owner.
#[utoipa::path(tag = "identity", request_body = FactorCode, responses((status = 200, description = "The recovery codes, shown this once.", body = Answer<RecoveryCodes>), Failures), security(("token" = [])))]
#[put("/api/user/totp")]
pub(super) async fn confirm_totp(
    app: Data<App>,
    Member(claims): Member,
    Body(form): Body<FactorCode>,
) -> Result<Answer<RecoveryCodes>, ApiError> {
    tries::of_code(&app, claims.user).await?;
    let within = app.clone();
    let codes = app.db.write(move |pg| protection::confirm_totp(pg, &within, &claims, &form.code)).await?;
    Ok(Answer::new(RecoveryCodes::new(&codes)))
}
