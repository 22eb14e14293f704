//! `POST /api/user/login-link/session`.

use actix_web::{post, web::Data};
use identity::IdentityError;
use serde::Deserialize;
use utoipa::ToSchema;

use super::signed_in::SignedIn;
use crate::{
    app::App,
    error::ApiError,
    extract::{Body, Client},
    flows::sign_in::sign_in_by_login_link,
    openapi::TooManyTries,
    wire::{Answer, user},
};

/// What stands behind `#` in a mailed link.
#[derive(Deserialize, ToSchema)]
pub(super) struct MailedLink {
    /// The link's secret.
    #[schema(value_type = String, required)]
    token: Option<String>,
}

/// Trades the secret of a mailed link for a session. It has a call of its own, which only the button of the link's page
/// makes: in the address of any other page the secret signs nobody in.
#[utoipa::path(tag = "identity", request_body = MailedLink, responses((status = 200, description = "Signed in. Sets the refresh cookie.", body = Answer<user::SignedIn>), TooManyTries), security(()))]
#[post("/api/user/login-link/session")]
pub(super) async fn login_link_session(
    app: Data<App>,
    Client(client): Client,
    Body(form): Body<MailedLink>,
) -> Result<SignedIn, ApiError> {
    let (keys, token) = (app.keys().await?, form.token.unwrap_or_default());
    let outcome = app.write_tx(move |tx| sign_in_by_login_link(tx, &keys.refresh, &client, &token)).await?;
    SignedIn::of(&app, outcome, || IdentityError::LinkInvalid.into()).await
}
