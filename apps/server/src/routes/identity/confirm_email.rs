//! `POST /api/user/confirm-email` and `POST /api/user/confirm-email/send`.

use actix_web::{post, web::Data};
use identity::network_of;
use serde::Deserialize;
use utoipa::ToSchema;

use crate::{
    app::App,
    error::ApiError,
    extract::{Body, ClientAddress, Member},
    flows::{email_address, rate_limits},
    openapi::{Conflict, TooManyTries},
    wire::{Answer, Nothing},
};

/// The code of a mailed link.
#[derive(Deserialize, ToSchema)]
pub(super) struct ConfirmEmail {
    /// The code.
    #[schema(value_type = String, required)]
    code: Option<String>,
}

/// Confirms the address of an account by a mailed link, or moves the account to the new address to which the link was
/// mailed; the old one is told. `409` when somebody else came to have the new address meanwhile.
#[utoipa::path(tag = "identity", request_body = ConfirmEmail, responses((status = 200, description = "The address is confirmed.", body = Answer<Nothing>), Conflict, TooManyTries), security(()))]
#[post("/api/user/confirm-email")]
pub(super) async fn confirm_email(
    app: Data<App>,
    ClientAddress(address): ClientAddress,
    Body(form): Body<ConfirmEmail>,
) -> Result<Answer<Nothing>, ApiError> {
    rate_limits::count(&app.transactions, "confirm", network_of(address), &app.config.limits.reset).await?;
    let code = form.code.unwrap_or_default();
    app.write_tx(move |tx| email_address::confirm_email(tx, &code)).await?;
    Ok(Answer::new(Nothing {}))
}

/// Mails the link for the confirmation again. Does nothing when the address is confirmed.
#[utoipa::path(tag = "identity", responses((status = 200, description = "A mail is on its way.", body = Answer<Nothing>), TooManyTries), security(("token" = [])))]
#[post("/api/user/confirm-email/send")]
pub(super) async fn send(app: Data<App>, Member(claims): Member) -> Result<Answer<Nothing>, ApiError> {
    app.write_tx(move |tx| email_address::resend_confirmation(tx, claims.user)).await?;
    Ok(Answer::new(Nothing {}))
}
