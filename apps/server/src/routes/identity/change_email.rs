//! `PUT /api/user/email` and `DELETE /api/user/pending-email`.

use actix_web::{delete, put, web::Data};
use identity::{IdentityError, Recovery};
use kernel::StoreError;
use serde::Deserialize;
use utoipa::ToSchema;

use super::{current_password, forgot_password::read_email};
use crate::{
    app::App,
    error::ApiError,
    extract::{Body, Member},
    flows::email_address,
    openapi::TooManyTries,
    wire::{Answer, Nothing},
};

/// Where a member wants to be reached from now on.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct ChangeEmail {
    /// The new address.
    #[schema(value_type = String, required, max_length = 254)]
    email: Option<String>,
    /// The current password; not needed by somebody who never had one, who has to have logged in a moment ago.
    current_password: Option<String>,
}

/// Mails a link to a new address, by which the account moves there. Whether somebody else has the address is not told.
#[utoipa::path(tag = "identity", request_body = ChangeEmail, responses((status = 200, description = "A mail is on its way to the new address.", body = Answer<Nothing>), TooManyTries), security(("token" = [])))]
#[put("/api/user/email")]
pub(super) async fn change_email(
    app: Data<App>,
    Member(claims): Member,
    Body(form): Body<ChangeEmail>,
) -> Result<Answer<Nothing>, ApiError> {
    let email = read_email(form.email.as_deref())?;
    let account = current_password::check(&app, claims.user, form.current_password).await?;
    if account.user.email.as_str() == email.as_str() {
        return Err(IdentityError::EmailUnchanged.into());
    }
    let verified = account.password_hash;
    app.write_tx(move |tx| email_address::change_email(tx, &claims, verified.as_ref(), &email)).await?;
    Ok(Answer::new(Nothing {}))
}

/// Stays with the address of the account: the link that was mailed to a new one is worth nothing any more. The same where
/// none waits.
#[utoipa::path(tag = "identity", responses((status = 200, description = "The address stays.", body = Answer<Nothing>)), security(("token" = [])))]
#[delete("/api/user/pending-email")]
pub(super) async fn keep_email(app: Data<App>, Member(claims): Member) -> Result<Answer<Nothing>, ApiError> {
    app.db.write::<_, StoreError, _>(move |pg| pg.withdraw_address_change(claims.user)).await?;
    Ok(Answer::new(Nothing {}))
}
