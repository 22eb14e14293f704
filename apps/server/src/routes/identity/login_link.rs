//! `POST /api/user/login-link`.

use actix_web::{post, web::Data};
use identity::redirect_path;
use serde::Deserialize;
use utoipa::ToSchema;

use super::forgot_password::read_email;
use crate::{
    app::App,
    error::ApiError,
    extract::{Body, Client},
    flows::recovery::{RecoveryRequest, request_recovery},
    openapi::TooManyTries,
    wire::{Answer, Nothing},
};

/// Who wants to log in without a password.
#[derive(Deserialize, ToSchema)]
pub(super) struct LoginLink {
    /// The e-mail address.
    #[schema(value_type = String, required, max_length = 254)]
    email: Option<String>,
    /// Where to go on afterwards: a path of this site; anything else is passed over.
    redirect: Option<String>,
}

/// Mails a link and six digits to log in, if somebody has the address. Whether that is so can't be told from the
/// answer, nor from the time that it takes.
#[utoipa::path(tag = "identity", request_body = LoginLink, responses((status = 200, description = "If there is an account with this address, a mail is on its way.", body = Answer<Nothing>), TooManyTries), security(()))]
#[post("/api/user/login-link")]
pub(super) async fn login_link(
    app: Data<App>,
    Client(client): Client,
    Body(form): Body<LoginLink>,
) -> Result<Answer<Nothing>, ApiError> {
    let email = read_email(form.email.as_deref())?;
    let redirect = form.redirect.as_deref().and_then(redirect_path).map(str::to_owned);
    let (keys, request) = (app.keys().await?, RecoveryRequest::LoginLink { redirect });
    app.write_tx(move |tx| request_recovery(tx, &keys.refresh, &client, &email, &request)).await?;
    Ok(Answer::new(Nothing {}))
}
