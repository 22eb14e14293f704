//! Refunds: `POST /api/admin/charges/{id}/refund`.

use actix_web::{HttpRequest, post, web::Data};
use admin::{InvalidRefundGrounds, RefundGrounds};
use billing::CheckoutKey;
use kernel::Money;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use workflows::billing::refunds::ChargeRefund;

use crate::{
    app::App,
    extract::{ActingAdmin, Body, Path},
    http::{
        error::ApiError,
        openapi::{Conflict, NotFound},
        wire::Answer,
    },
};

/// How much is given back, and why.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct RefundCharge {
    /// In cents; missing or null: all that is left.
    #[schema(minimum = 1)]
    amount: Option<i64>,
    /// Why: it stands in the ledger and in the audit log.
    #[serde(default)]
    #[schema(required, pattern = "^(requested_by_customer|duplicate|fraudulent|other)$")]
    reason: String,
    /// What else there is to say.
    #[schema(max_length = 200)]
    note: Option<String>,
}

fn grounds_of(body: &RefundCharge) -> Result<RefundGrounds, ApiError> {
    RefundGrounds::read(&body.reason, body.note.as_deref()).map_err(|error| match error {
        InvalidRefundGrounds::Reason => ApiError::invalid("reason", error.to_string()),
        InvalidRefundGrounds::Note => ApiError::invalid("note", error.to_string()),
    })
}

/// What became of a refund, in cents.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ChargeRefundResult {
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
    params(("id" = String, Path, description = "The `id` of the charge in the payer's timeline."), ("Idempotency-Key" = Option<String>, Header, description = "An idempotency key, made when the form opens: a repeated request is refunded once.")),
    request_body = RefundCharge,
    responses((status = 200, description = "It is given back, now or before.", body = Answer<ChargeRefundResult>), NotFound, Conflict),
    security(("token" = []))
)]
#[post("/api/admin/charges/{id}/refund")]
pub(crate) async fn refund_charge(
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
    let what = (body.amount.map(Money::from_cents), grounds_of(&body)?);
    let refund = app.payments.refund_charge(acting.actor, &id, what, key).await?;
    Ok(Answer::new(refund.into()))
}
