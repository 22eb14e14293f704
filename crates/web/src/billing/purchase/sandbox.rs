//! Controls of the payment sandbox for the admin of a demo: open disputes, fail renewals, advance the clock. `404` outside the
//! demo profile, and with real payments.

use actix_web::{post, web::Data};
use billing::{
    gateway::{CheckoutReference, GatewayError, GatewayProvider},
    settlement::charged_payment,
};
use kernel::{HOUR, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    app::App,
    extract::{Admin, Body},
    http::{
        error::ApiError,
        openapi::NotFound,
        wire::{Answer, Nothing},
    },
};

/// The maximum number of hours per step: a leap year and a day.
const HOURS_MAX: i64 = 24 * 367;

/// A dispute of a payment.
#[derive(Deserialize, ToSchema)]
pub(super) struct SandboxDispute {
    /// The `id` of the charge in the payer's timeline: the ledger's key of it.
    charge: String,
    /// What the bank does.
    outcome: DisputeOutcome,
}

/// What the payer's bank does.
#[derive(Clone, Copy, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum DisputeOutcome {
    /// Takes the money back for now.
    Opened,
    /// Gives it to the site again.
    Won,
    /// Leaves it with the payer.
    Lost,
}

/// Renewals that fail.
#[derive(Deserialize, ToSchema)]
pub(super) struct SandboxDecline {
    /// The subscription's purchase: the `checkout` of its charge result, the ledger's `purchase`.
    checkout: String,
}

/// Time that passes.
#[derive(Deserialize, ToSchema)]
pub(super) struct SandboxTime {
    /// How many hours.
    #[schema(minimum = 1, maximum = 8_808)]
    hours: i64,
}

/// What time it is.
#[derive(Serialize, ToSchema)]
pub(super) struct SandboxClockTime {
    /// The server's time by now.
    now: i64,
}

/// Has the payer's bank open, win or lose a dispute of a payment. The provider's event follows at once.
#[utoipa::path(tag = "admin", request_body = SandboxDispute, responses((status = 200, description = "The sandbox has done it.", body = Answer<Nothing>), NotFound), security(("token" = [])))]
#[post("/api/sandbox/disputes")]
pub(super) async fn dispute(
    app: Data<App>,
    _: Admin,
    Body(body): Body<SandboxDispute>,
) -> Result<Answer<Nothing>, ApiError> {
    check_demo(&app)?;
    let sandbox = app.gateways.sandbox().ok_or_else(|| ApiError::not_found("page"))?;
    let payment = charged_payment(&body.charge).filter(|(provider, _)| *provider == GatewayProvider::Sandbox);
    let (_, payment) = payment.ok_or_else(|| ApiError::not_found("charge"))?;
    let (done, refusal) = match body.outcome {
        DisputeOutcome::Opened => (sandbox.open_dispute(&payment), "This payment was disputed before."),
        DisputeOutcome::Won => (sandbox.close_dispute(&payment, true), "This payment has no open dispute."),
        DisputeOutcome::Lost => (sandbox.close_dispute(&payment, false), "This payment has no open dispute."),
    };
    done.map_err(|error| refused("charge", refusal, error))?;
    app.take_sandbox_webhooks().await?;
    Ok(Answer::new(Nothing {}))
}

/// Declines the card of a subscription from now on, until the member gives another: the next renewal fails.
#[utoipa::path(tag = "admin", request_body = SandboxDecline, responses((status = 200, description = "Its renewals are declined.", body = Answer<Nothing>), NotFound), security(("token" = [])))]
#[post("/api/sandbox/declines")]
pub(super) async fn decline(
    app: Data<App>,
    _: Admin,
    Body(body): Body<SandboxDecline>,
) -> Result<Answer<Nothing>, ApiError> {
    check_demo(&app)?;
    let sandbox = app.gateways.sandbox().ok_or_else(|| ApiError::not_found("page"))?;
    let declined = sandbox.decline_renewals(&CheckoutReference::new(body.checkout));
    declined.map_err(|error| refused("checkout", "No subscription of this purchase is running.", error))?;
    Ok(Answer::new(Nothing {}))
}

/// Lets time pass on the server's clock and the sandbox's: trials end, renewals are charged, sessions expire. It does not come back.
#[utoipa::path(tag = "admin", request_body = SandboxTime, responses((status = 200, description = "The time by now.", body = Answer<SandboxClockTime>), NotFound), security(("token" = [])))]
#[post("/api/sandbox/time")]
pub(super) async fn time(
    app: Data<App>,
    _: Admin,
    Body(body): Body<SandboxTime>,
) -> Result<Answer<SandboxClockTime>, ApiError> {
    let clock = check_demo(&app)?;
    if !(1..=HOURS_MAX).contains(&body.hours) {
        return Err(ApiError::invalid("hours", format!("Please choose 1 to {HOURS_MAX} hours.")));
    }
    clock.let_pass(body.hours * HOUR).map_err(ApiError::internal)?;
    app.take_sandbox_webhooks().await?;
    Ok(Answer::new(SandboxClockTime { now: Timestamp::millis(app.env.now()) }))
}

/// The demo's clock; `404` when there is none.
fn check_demo(app: &App) -> Result<&payments::sandbox::SandboxClock, ApiError> {
    app.sandbox_clock.as_deref().ok_or_else(|| ApiError::not_found("page"))
}

/// Maps a refusal by the sandbox to a validation error of this field.
fn refused(field: &'static str, text: &'static str, error: GatewayError) -> ApiError {
    match error {
        GatewayError::Refused(_) => ApiError::invalid(field, text),
        other @ (GatewayError::Declined(_)
        | GatewayError::Unreachable(_)
        | GatewayError::UnknownOutcome(_)
        | GatewayError::RateLimited { .. }
        | GatewayError::KeyReused
        | GatewayError::Malformed(_)
        | GatewayError::Unsupported(_)) => ApiError::internal(other),
    }
}
