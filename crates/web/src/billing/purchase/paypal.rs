//! Buying with PayPal: the server creates the order or subscription with its own amount, the payer approves it at PayPal, and
//! the server completes it.

use actix_web::{HttpRequest, HttpResponse, post, web::Data};
use billing::gateway::NextAction;
use identity::RateLimitBucket;
use kernel::network_of;
use workflows::{billing::checkout::purchase::PayBy, rate_limits};

use crate::{
    app::App,
    billing::purchase::{
        checkout::{answer, key_of},
        types::{ChargeResult, PayPalApproved, PayPalOrder, ProcessBody},
    },
    extract::{Body, ClientAddress, Viewer},
    http::{
        error::ApiError,
        openapi::{Conflict, NotFound, PaymentRequired, TooManyTries},
        wire::Answer,
    },
};

/// Makes the order, or the subscription, that the payer approves at PayPal.
#[utoipa::path(tag = "billing", request_body = ProcessBody, responses((status = 200, description = "The approval, with the URL for it.", body = Answer<PayPalOrder>), NotFound, PaymentRequired, Conflict, TooManyTries), security((), ("token" = [])))]
#[post("/api/paypal/order")]
pub(super) async fn order(
    app: Data<App>,
    viewer: Viewer,
    ClientAddress(address): ClientAddress,
    request: HttpRequest,
    Body(body): Body<ProcessBody>,
) -> Result<Answer<PayPalOrder>, ApiError> {
    rate_limits::count(&app.transactions, RateLimitBucket::Checkout, network_of(address)).await?;
    let key = key_of(&app, &request)?;
    let plan = body.plan_id.clone().unwrap_or_default();
    let mut purchase = body.read(plan, key, viewer.0.map(|claims| claims.user), app.env.now())?;
    purchase.pay_by = PayBy::PayPal;
    let outcome = app.payments.purchase(purchase).await?;
    let id = outcome.checkout.provider_id.clone();
    let is_subscription = outcome.checkout.order.renewal.is_some();
    let approve_url = match &outcome.action {
        Some(NextAction::Approve { url }) => url.clone(),
        Some(NextAction::Authenticate { .. }) | None => String::new(),
    };
    Ok(Answer::new(PayPalOrder {
        order_id: id.clone().filter(|_| !is_subscription),
        subscription_id: id.filter(|_| is_subscription),
        approve_url,
    }))
}

/// Finishes what the payer approved at PayPal. A book's purchase answers its PDF.
#[utoipa::path(tag = "billing", request_body = PayPalApproved, responses((status = 200, description = "The state of the purchase; the file (`application/pdf`) of a purchased book.", body = Answer<ChargeResult>), NotFound, PaymentRequired, Conflict), security((), ("token" = [])))]
#[post("/api/paypal")]
pub(super) async fn capture(
    app: Data<App>,
    viewer: Viewer,
    request: HttpRequest,
    Body(body): Body<PayPalApproved>,
) -> Result<HttpResponse, ApiError> {
    let id = body.order_id.or(body.subscription_id).ok_or_else(|| ApiError::not_found("purchase"))?;
    let outcome = app.payments.confirm_approved(id, viewer.0.map(|claims| claims.user)).await?;
    answer(&app, outcome, &request).await
}
