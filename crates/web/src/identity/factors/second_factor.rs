//! The second step of a login, and the overview of the account's security settings.

use actix_web::{get, post, web::Data};
use identity::IdentityError;
use kernel::StoreError;
use serde::Deserialize;
use utoipa::ToSchema;
use workflows::identity::{
    second_factor::{count_factor_attempt, sign_in_by_second_factor},
    security::security_overview,
};

use crate::{
    app::App,
    extract::{Body, Client, Member},
    http::{error::ApiError, openapi::TooManyTries, wire::Answer},
    identity::{
        factors::types::Security,
        signed_in::{SignInExtras, SignedIn},
        types,
    },
};

/// The step after the password.
#[derive(Deserialize, ToSchema)]
pub(super) struct SecondStep {
    /// What came with `second_factor_required`.
    ticket: String,
    /// A code of the authenticator app, or a recovery code.
    code: String,
    /// The `chargeId` of a purchase that was made before: it becomes the member's.
    #[serde(rename = "chargeId")]
    charge_id: Option<String>,
}

/// Signs in with a code of the authenticator app, or with a recovery code, which is used up by it. A wrong code leaves
/// the ticket good for another try; `field` tells whether the code or the ticket is to blame.
#[utoipa::path(tag = "identity", request_body = SecondStep, responses((status = 200, description = "Signed in. Sets the refresh cookie.", body = Answer<types::SignedIn>), TooManyTries), security(()))]
#[post("/api/user/second-factor")]
pub(super) async fn second_factor(
    app: Data<App>,
    Client(client): Client,
    Body(form): Body<SecondStep>,
) -> Result<SignedIn, ApiError> {
    let (keys, device, ticket) = (app.keys().await?, client.clone(), form.ticket.clone());
    app.write_tx(move |tx| count_factor_attempt(tx, &keys.refresh, &device, &ticket)).await?;
    let (keys, brought) = (app.keys().await?, SignInExtras { charge_id: form.charge_id, r_id: None });
    let outcome = app
        .write_tx(move |tx| sign_in_by_second_factor(tx, &keys.refresh, &client, (&form.ticket, &form.code)))
        .await?;
    SignedIn::of_with(&app, outcome, brought, || IdentityError::TicketOver.into()).await
}

/// How a person signs in and what protects their account.
#[utoipa::path(tag = "identity", responses((status = 200, description = "How the account is protected.", body = Answer<Security>)), security(("token" = [])))]
#[get("/api/user/security")]
pub(super) async fn security(app: Data<App>, Member(claims): Member) -> Result<Answer<Security>, ApiError> {
    let overview = app.read_tx::<_, StoreError, _>(move |tx| security_overview(tx, &claims)).await?;
    let overview = overview.ok_or_else(ApiError::unauthenticated)?;
    let is_configured = |provider| app.providers.get(provider).is_some();
    Ok(Answer::new(Security::new(&overview, is_configured, app.passkeys.is_some())))
}
