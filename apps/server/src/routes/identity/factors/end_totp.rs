//! `DELETE /api/user/totp`.

use actix_web::{delete, web::Data};

use super::{FactorCode, rate_limits};
use crate::{
    app::App,
    error::ApiError,
    extract::{Member, OptionalBody},
    flows::second_factor,
    openapi::{NotFound, TooManyTries},
    wire::{Answer, Nothing},
};

/// Ends the authenticator app, and the recovery codes with it. Needs a code, or a session that was entered with one at
/// most a quarter of an hour ago. Mails the owner.
#[utoipa::path(tag = "identity", request_body = Option<FactorCode>, responses((status = 200, description = "It is off.", body = Answer<Nothing>), NotFound, TooManyTries), security(("token" = [])))]
#[delete("/api/user/totp")]
pub(super) async fn end_totp(
    app: Data<App>,
    Member(claims): Member,
    OptionalBody(form): OptionalBody<FactorCode>,
) -> Result<Answer<Nothing>, ApiError> {
    rate_limits::of_code(&app, claims.user).await?;
    let code = form.map(|form| form.code);
    app.write_tx(move |tx| second_factor::end_totp(tx, &claims, code.as_deref())).await?;
    Ok(Answer::new(Nothing {}))
}
