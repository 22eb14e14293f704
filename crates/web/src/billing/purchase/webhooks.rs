//! Webhooks of payment providers. They take the raw body, because the signature covers its bytes.

use actix_web::{HttpRequest, post, web::Data};
use billing::gateway::{GatewayProvider, WebhookRequest};

use crate::{
    app::App,
    extract::{ClientAddress, RawBody},
    http::{
        error::ApiError,
        openapi::{BadRequest, NotFound, PayloadTooLarge, TooManyTries, TooSlow},
        wire::{Answer, Nothing},
    },
};

/// What Stripe tells: verified, stored once, and applied soon after.
#[utoipa::path(tag = "billing", responses((status = 200, description = "It is stored, now or before.", body = Answer<Nothing>), BadRequest, NotFound, TooSlow, PayloadTooLarge), security(()))]
#[post("/api/stripe/webhook")]
pub(super) async fn stripe(
    app: Data<App>,
    request: HttpRequest,
    address: ClientAddress,
    body: RawBody,
) -> Result<Answer<Nothing>, ApiError> {
    receive(&app, GatewayProvider::Stripe, (&request, address), &body).await
}

/// What PayPal tells: verified, stored once, and applied soon after.
#[utoipa::path(tag = "billing", responses((status = 200, description = "It is stored, now or before.", body = Answer<Nothing>), BadRequest, NotFound, TooSlow, PayloadTooLarge, TooManyTries), security(()))]
#[post("/api/paypal/webhook")]
pub(super) async fn paypal(
    app: Data<App>,
    request: HttpRequest,
    address: ClientAddress,
    body: RawBody,
) -> Result<Answer<Nothing>, ApiError> {
    receive(&app, GatewayProvider::PayPal, (&request, address), &body).await
}

async fn receive(
    app: &App,
    provider: GatewayProvider,
    (request, ClientAddress(address)): (&HttpRequest, ClientAddress),
    RawBody(body): &RawBody,
) -> Result<Answer<Nothing>, ApiError> {
    let text = |value: &actix_web::http::header::HeaderValue| value.to_str().unwrap_or_default().to_owned();
    let headers: Vec<(String, String)> =
        request.headers().iter().map(|(name, value)| (name.as_str().to_owned(), text(value))).collect();
    let request = WebhookRequest { headers: &headers, body };
    let received = app.payments.receive_webhook(provider, request, Some(address)).await;
    app.metrics.count_webhook(provider.as_str(), received.is_ok());
    received?;
    Ok(Answer::new(Nothing {}))
}
