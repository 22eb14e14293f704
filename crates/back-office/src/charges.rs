//! Giving money back: `POST /api/admin/charges/{id}/refund`.

use actix_web::{HttpRequest, post, web::Data};
use billing::CheckoutKey;
use kernel::Money;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use workflows::refunds::ChargeRefund;

use super::acting::ActingAdmin;
use http_core::{
    app::App,
    error::ApiError,
    extract::{Body, Path},
    openapi::{Conflict, NotFound},
    wire::Answer,
};

/// How much is given back.
#[derive(Debug, Deserialize, ToSchema)]
pub(super) struct RefundCharge {
    /// In cents; missing or null: all that is left.
    #[schema(minimum = 1)]
    amount: Option<i64>,
}

/// What became of a refund, in cents.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct ChargeRefundResult {
    /// What was charged.
    charged: i64,
    /// What of it went back by now.
    refunded: i64,
    /// Whether the provider has not finished it.
    pending: bool,
}

impl From<ChargeRefund> for ChargeRefundResult {
    fn from(refund: ChargeRefund) -> Self {
        let (charged, refunded) = (refund.charged.cents(), refund.refunded.cents());
        Self { charged, refunded, pending: refund.is_pending }
    }
}

/// Gives back a charge, whole or in part. Whole, it ends the plan that it paid for; the reward of a referral follows what is left.
#[utoipa::path(
    tag = "admin",
    params(("id" = String, Path, description = "The `id` of the charge in the payer's timeline."), ("Idempotency-Key" = Option<String>, Header, description = "Made when the form opens: what is sent twice with it is given back once.")),
    request_body = RefundCharge,
    responses((status = 200, description = "It is given back, now or before.", body = Answer<ChargeRefundResult>), NotFound, Conflict),
    security(("token" = []))
)]
#[post("/api/admin/charges/{id}/refund")]
pub(super) async fn refund_charge(
    app: Data<App>,
    acting: ActingAdmin,
    id: Path<String>,
    request: HttpRequest,
    Body(body): Body<RefundCharge>,
) -> Result<Answer<ChargeRefundResult>, ApiError> {
    let key = match request.headers().get("idempotency-key") {
        Some(value) => Some(CheckoutKey::parse(value.to_str().unwrap_or_default())?),
        None => None,
    };
    let amount = body.amount.map(Money::from_cents);
    let refund = app.payments.refund_charge(acting.actor, &id, amount, key).await?;
    Ok(Answer::new(refund.into()))
}
