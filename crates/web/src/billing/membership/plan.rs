//! `GET /api/user/billing`, and changes to the plan: cancel, resume, pause.

use actix_web::{get, post, web::Data};
use kernel::UserId;
use support::CancelReason;
use workflows::billing::membership::billing_page::request_refund;

use crate::{
    app::App,
    billing::membership::types::{BillingResult, Cancel, Pause, PlanResult, RefundRequest},
    extract::{Body, Member},
    http::{
        error::ApiError,
        openapi::{Conflict, NotFound},
        wire::{Answer, Nothing},
    },
};

/// The current plan, as the response to a change.
async fn plan_of(app: &App, member: UserId) -> Result<Answer<PlanResult>, ApiError> {
    Ok(Answer::new((&app.payments.member_billing(member).await?).into()))
}

/// The member's plan, and everything that was charged, is due and is promised.
#[utoipa::path(tag = "billing", responses((status = 200, description = "The plan and its timeline.", body = Answer<BillingResult>)), security(("token" = [])))]
#[get("/api/user/billing")]
pub(super) async fn billing(app: Data<App>, Member(claims): Member) -> Result<Answer<BillingResult>, ApiError> {
    Ok(Answer::new((&app.payments.member_billing(claims.user).await?).into()))
}

/// Stops renewal. The plan stays until its end, and can be turned on again until then.
#[utoipa::path(tag = "billing", request_body = Cancel, responses((status = 200, description = "Your subscription was cancelled.", body = Answer<PlanResult>), NotFound, Conflict), security(("token" = [])))]
#[post("/api/charge/cancel")]
pub(super) async fn cancel(
    app: Data<App>,
    Member(claims): Member,
    Body(body): Body<Cancel>,
) -> Result<Answer<PlanResult>, ApiError> {
    let reason = CancelReason::read(body.reason.as_deref())?;
    app.payments.cancel_renewal(claims.user, reason).await?;
    plan_of(&app, claims.user).await
}

/// Turns renewal on again, or ends the pause.
#[utoipa::path(tag = "billing", responses((status = 200, description = "The plan goes on.", body = Answer<PlanResult>), NotFound, Conflict), security(("token" = [])))]
#[post("/api/charge/resume")]
pub(super) async fn resume(app: Data<App>, Member(claims): Member) -> Result<Answer<PlanResult>, ApiError> {
    app.payments.resume_renewal(claims.user).await?;
    plan_of(&app, claims.user).await
}

/// Pauses the plan for 1 to 3 months, after the period that is paid.
#[utoipa::path(tag = "billing", request_body = Pause, responses((status = 200, description = "The plan is paused.", body = Answer<PlanResult>), NotFound, Conflict), security(("token" = [])))]
#[post("/api/charge/pause")]
pub(super) async fn pause(
    app: Data<App>,
    Member(claims): Member,
    Body(body): Body<Pause>,
) -> Result<Answer<PlanResult>, ApiError> {
    app.payments.pause_renewal(claims.user, body.months).await?;
    plan_of(&app, claims.user).await
}

/// Asks for a refund of a charge, within 14 days. An admin decides.
#[utoipa::path(tag = "billing", request_body = RefundRequest, responses((status = 200, description = "An admin will look at it.", body = Answer<Nothing>), NotFound, Conflict), security(("token" = [])))]
#[post("/api/charge/refund-request")]
pub(super) async fn refund_request(
    app: Data<App>,
    Member(claims): Member,
    Body(body): Body<RefundRequest>,
) -> Result<Answer<Nothing>, ApiError> {
    let reason = body.reason.unwrap_or_default();
    app.write_tx(move |tx| request_refund(tx, claims.user, &body.receipt, &reason)).await?;
    Ok(Answer::new(Nothing {}))
}
