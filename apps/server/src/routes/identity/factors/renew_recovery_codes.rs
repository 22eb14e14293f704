//! `POST /api/user/recovery-codes`.

use actix_web::{post, web::Data};

use super::{FactorCode, rate_limits};
use crate::{
    app::App,
    error::ApiError,
    extract::{Member, OptionalBody},
    flows::second_factor,
    openapi::{NotFound, TooManyTries},
    wire::{Answer, security::RecoveryCodes},
};

/// Makes ten new recovery codes; those before them are worth nothing. Needs a code, or a session that was entered with
/// one at most a quarter of an hour ago. Mails the owner.
#[utoipa::path(tag = "identity", request_body = Option<FactorCode>, responses((status = 200, description = "The recovery codes, shown this once.", body = Answer<RecoveryCodes>), NotFound, TooManyTries), security(("token" = [])))]
#[post("/api/user/recovery-codes")]
pub(super) async fn renew_recovery_codes(
    app: Data<App>,
    Member(claims): Member,
    OptionalBody(form): OptionalBody<FactorCode>,
) -> Result<Answer<RecoveryCodes>, ApiError> {
    rate_limits::of_code(&app, claims.user).await?;
    let code = form.map(|form| form.code);
    let codes = app.write_tx(move |tx| second_factor::renew_recovery_codes(tx, &claims, code.as_deref())).await?;
    Ok(Answer::new(RecoveryCodes::new(&codes)))
}
