//! `POST /api/user/second-factor`.

use actix_web::{post, web::Data};
use identity::IdentityError;
use serde::Deserialize;
use utoipa::ToSchema;

use crate::{
    app::App,
    error::ApiError,
    extract::{Body, Client},
    flows::second_factor::{count_attempt, sign_in_by_second_factor},
    openapi::TooManyTries,
    routes::identity::signed_in::SignedIn,
    wire::{Answer, user},
};

/// The step after the password.
#[derive(Deserialize, ToSchema)]
pub(super) struct SecondStep {
    /// What came with `second_factor_required`.
    ticket: String,
    /// A code of the authenticator app, or a recovery code.
    code: String,
}

/// Signs in with a code of the authenticator app, or with a recovery code, which is used up by it. A wrong code leaves
/// the ticket good for another try; `field` tells whether the code or the ticket is to blame.
#[utoipa::path(tag = "identity", request_body = SecondStep, responses((status = 200, description = "Signed in. Sets the refresh cookie.", body = Answer<user::SignedIn>), TooManyTries), security(()))]
#[post("/api/user/second-factor")]
pub(super) async fn second_factor(
    app: Data<App>,
    Client(client): Client,
    Body(form): Body<SecondStep>,
) -> Result<SignedIn, ApiError> {
    let (keys, device, ticket) = (app.keys().await?, client.clone(), form.ticket.clone());
    app.write_tx(move |tx| count_attempt(tx, &keys.refresh, &device, &ticket)).await?;
    let keys = app.keys().await?;
    let outcome = app
        .write_tx(move |tx| sign_in_by_second_factor(tx, &keys.refresh, &client, (&form.ticket, &form.code)))
        .await?;
    SignedIn::of(&app, outcome, || IdentityError::TicketOver.into()).await
}
