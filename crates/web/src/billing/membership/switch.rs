//! Switching an active subscription to another plan or another card.

use actix_web::{post, web::Data};
use billing::gateway::PaymentToken;
use identity::RateLimitBucket;
use kernel::network_of;
use workflows::rate_limits;

use crate::{
    app::App,
    billing::membership::types::{Card, PlanChange, Switch, SwitchPreviewResult, SwitchTarget},
    extract::{Body, ClientAddress, Member},
    http::{
        error::ApiError,
        openapi::{Conflict, NotFound, PaymentRequired, TooManyTries},
        wire::Answer,
    },
};

/// What a switch to another plan costs now: what is charged, and what is left over of the plan that runs.
#[utoipa::path(tag = "billing", request_body = SwitchTarget, responses((status = 200, description = "The price and the date of the switch.", body = Answer<SwitchPreviewResult>), NotFound, PaymentRequired, Conflict), security(("token" = [])))]
#[post("/api/charge/switch/preview")]
pub(super) async fn preview_switch(
    app: Data<App>,
    Member(claims): Member,
    Body(body): Body<SwitchTarget>,
) -> Result<Answer<SwitchPreviewResult>, ApiError> {
    Ok(Answer::new(app.payments.preview_switch(claims.user, body.plan_id).await?.into()))
}

/// Switches the plan as it was shown, with the method that pays for it. The same token acts once, however often it is sent;
/// where it costs another sum by now, nothing is changed.
#[utoipa::path(tag = "billing", request_body = Switch, responses((status = 200, description = "The other plan runs, now or before.", body = Answer<PlanChange>), NotFound, PaymentRequired, Conflict), security(("token" = [])))]
#[post("/api/charge/switch")]
pub(super) async fn switch_plan(
    app: Data<App>,
    Member(claims): Member,
    Body(body): Body<Switch>,
) -> Result<Answer<PlanChange>, ApiError> {
    app.payments.switch_plan(claims.user, &body.plan_id, &body.token).await?;
    app.responses.invalidate_reader(claims.user);
    Ok(Answer::new(PlanChange::new(&app.payments.member_billing(claims.user).await?, None)))
}

/// Stores another card for the plan that runs. A renewal that has failed is charged to it at once.
#[utoipa::path(tag = "billing", request_body = Card, responses((status = 200, description = "The card is stored, or the payer has to authenticate (`requiresAction`).", body = Answer<PlanChange>), NotFound, PaymentRequired, Conflict, TooManyTries), security(("token" = [])))]
#[post("/api/charge/method")]
pub(super) async fn change_method(
    app: Data<App>,
    Member(claims): Member,
    ClientAddress(address): ClientAddress,
    Body(body): Body<Card>,
) -> Result<Answer<PlanChange>, ApiError> {
    rate_limits::count(&app.transactions, RateLimitBucket::Checkout, network_of(address)).await?;
    let pending = app.payments.change_method(claims.user, PaymentToken::new(body.token)).await?;
    app.responses.invalidate_reader(claims.user);
    Ok(Answer::new(PlanChange::new(&app.payments.member_billing(claims.user).await?, pending)))
}
