//! Claiming what a guest bought: `POST /api/user/mark-as-paid`, and at sign-up and login.

use actix_web::{post, web::Data};
use billing::{CheckoutError, ClaimToken};
use kernel::UserId;
use serde::Deserialize;
use utoipa::ToSchema;
use workflows::checkout::claim::claim_purchase;

use http_core::{
    app::App,
    error::ApiError,
    extract::{Body, Member},
    openapi::{Conflict, NotFound},
    wire::{Answer, Nothing},
};

/// What a guest's purchase is claimed with.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Claim {
    /// The `chargeId` of the purchase.
    charge_id: String,
}

/// Gives what was bought without an account to the member, once: possession of the `chargeId` entitles.
#[utoipa::path(tag = "billing", request_body = Claim, responses((status = 200, description = "It is the member's.", body = Answer<Nothing>), NotFound, Conflict), security(("token" = [])))]
#[post("/api/user/mark-as-paid")]
pub(super) async fn mark_as_paid(
    app: Data<App>,
    Member(claims): Member,
    Body(body): Body<Claim>,
) -> Result<Answer<Nothing>, ApiError> {
    claim(&app, claims.user, body.charge_id).await?;
    Ok(Answer::new(Nothing {}))
}

async fn claim(app: &App, member: UserId, charge_id: String) -> Result<(), CheckoutError> {
    let charge_id = ClaimToken::new(charge_id);
    app.write_tx(move |tx| claim_purchase(tx, member, &charge_id).map(|_| ())).await?;
    app.responses.invalidate_reader(member);
    Ok(())
}

/// Claims at a sign-up or login. One that can't be claimed (any more) leaves a plain account (`billing.guest-claim`).
pub async fn claim_quietly(app: &App, member: UserId, charge_id: Option<String>) -> Result<(), ApiError> {
    let Some(charge_id) = charge_id.filter(|text| !text.is_empty()) else { return Ok(()) };
    match claim(app, member, charge_id).await {
        Ok(()) | Err(CheckoutError::Unknown | CheckoutError::NotClaimable) => Ok(()),
        Err(error) => Err(error.into()),
    }
}
