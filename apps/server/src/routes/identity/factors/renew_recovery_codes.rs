//! `POST /api/user/recovery-codes`.

use actix_web::{post, web::Data};

use super::{FactorCode, tries};
use crate::{
    app::App,
    error::ApiError,
    extract::{Member, OptionalBody},
    flows::protection,
    wire::{Answer, Failures, security::RecoveryCodes},
};

/// Makes ten new recovery codes; those before them are worth nothing. Needs a code, or a session that was entered with
/// one at most a quarter of an hour ago. Mails the owner.
#[utoipa::path(tag = "identity", request_body = Option<FactorCode>, responses((status = 200, description = "The recovery codes, shown this once.", body = Answer<RecoveryCodes>), Failures), security(("token" = [])))]
#[post("/api/user/recovery-codes")]
pub(super) async fn renew_recovery_codes(
    app: Data<App>,
    Member(claims): Member,
    OptionalBody(form): OptionalBody<FactorCode>,
) -> Result<Answer<RecoveryCodes>, ApiError> {
    tries::of_code(&app, claims.user).await?;
    let (within, code) = (app.clone(), form.map(|form| form.code));
    let codes = app.db.write(move |pg| protection::renew_recovery_codes(pg, &within, &claims, code.as_deref())).await?;
    Ok(Answer::new(RecoveryCodes::new(&codes)))
}
