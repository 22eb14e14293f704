//! Claiming a guest purchase: `POST /api/user/mark-as-paid`. A sign-up or login with its `chargeId` does the same.

use actix_web::{post, web::Data};
use billing::{CheckoutError, ClaimToken};
use serde::Deserialize;
use utoipa::ToSchema;
use workflows::billing::checkout::claim::claim_purchase;

use crate::{
    app::App,
    extract::{Body, Member},
    http::{
        error::ApiError,
        openapi::{Conflict, NotFound},
        wire::{Answer, Nothing},
    },
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
    let (member, charge_id) = (claims.user, ClaimToken::new(body.charge_id));
    app.write_tx::<_, CheckoutError, _>(move |tx| claim_purchase(tx, member, &charge_id).map(|_| ())).await?;
    app.responses.invalidate_reader(member);
    Ok(Answer::new(Nothing {}))
}
