//! `POST /api/charge/price` and `/coupon`.

use actix_web::{post, web::Data};
use identity::RateLimitBucket;
use kernel::network_of;
use workflows::{billing::checkout::price::PriceRequest, rate_limits};

use crate::{
    app::App,
    billing::purchase::types::{CouponBody, PriceBody, PriceQuote},
    extract::{Body, ClientAddress, Viewer},
    http::{
        error::ApiError,
        openapi::{Conflict, NotFound, TooManyTries},
        wire::Answer,
    },
};

/// What a purchase costs, and when. What is shown here is what is charged.
#[utoipa::path(tag = "billing", request_body = PriceBody, responses((status = 200, description = "The price.", body = Answer<PriceQuote>), NotFound, Conflict), security((), ("token" = [])))]
#[post("/api/charge/price")]
pub(super) async fn price(
    app: Data<App>,
    viewer: Viewer,
    Body(body): Body<PriceBody>,
) -> Result<Answer<PriceQuote>, ApiError> {
    quote(&app, viewer, body.into()).await
}

/// The same with a coupon, which takes a percentage or an amount off the first charge, or off each.
#[utoipa::path(tag = "billing", request_body = CouponBody, responses((status = 200, description = "The price with the coupon.", body = Answer<PriceQuote>), NotFound, Conflict, TooManyTries), security((), ("token" = [])))]
#[post("/api/charge/coupon")]
pub(super) async fn coupon(
    app: Data<App>,
    viewer: Viewer,
    ClientAddress(address): ClientAddress,
    Body(body): Body<CouponBody>,
) -> Result<Answer<PriceQuote>, ApiError> {
    rate_limits::count(&app.transactions, RateLimitBucket::Coupon, network_of(address)).await?;
    quote(&app, viewer, body.into()).await
}

async fn quote(app: &App, viewer: Viewer, request: PriceRequest) -> Result<Answer<PriceQuote>, ApiError> {
    let offer = app.payments.offer(viewer.0.map(|claims| claims.user), request).await?;
    Ok(Answer::new(PriceQuote::from(&offer)))
}
