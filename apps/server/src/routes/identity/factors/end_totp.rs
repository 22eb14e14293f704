//! `DELETE /api/user/totp`.

use actix_web::{delete, web::Data};

use super::{FactorCode, tries};
use crate::{
    app::App,
    error::ApiError,
    extract::{Member, OptionalBody},
    flows::protection,
    wire::{Answer, Failures, Nothing},
};

/// Ends the authenticator app, and the recovery codes with it. Needs a code, or a session that was entered with one at
/// most a quarter of an hour ago. Mails the owner.
#[utoipa::path(tag = "identity", request_body = Option<FactorCode>, responses((status = 200, description = "It is off.", body = Answer<Nothing>), Failures), security(("token" = [])))]
#[delete("/api/user/totp")]
pub(super) async fn end_totp(
    app: Data<App>,
    Member(claims): Member,
    OptionalBody(form): OptionalBody<FactorCode>,
) -> Result<Answer<Nothing>, ApiError> {
    tries::of_code(&app, claims.user).await?;
    let (within, code) = (app.clone(), form.map(|form| form.code));
    app.db.write(move |pg| protection::end_totp(pg, &within, &claims, code.as_deref())).await?;
    Ok(Answer::new(Nothing {}))
}
