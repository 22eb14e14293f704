//! Refunds by an admin, full or partial (`billing.refund-whole`).
//!
//! The audit log records the admin before the provider is called, and the outcome together with the movement, so that no crash
//! in between loses who it was. The idempotency key contains the request, or is derived from what was refunded before: a double
//! click, or a retry after a crash, refunds once. The provider's result is then recorded, with what follows from it; after a
//! crash its webhook does that.

use admin::{
    Actor, AuditEvent, FieldChange, MoneyQueries, OrderRow, RefundCommands, RefundGrounds, Subject, SubjectKind,
};
use billing::{
    BillingQueries, CheckoutKey, Movement, MovementKind,
    gateway::{GatewayError, IdempotencyKey, RefundRequest, RefundState},
    settlement,
};
use kernel::{Money, StoreError};

use crate::billing::{
    checkout::{error::SettleError, settle::record_refunds},
    payments::PaymentFlows,
};

/// The outcome of a refund.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChargeRefund {
    pub charged: Money,
    /// What was refunded of the charge in all.
    pub refunded: Money,
    /// Whether the provider has not finished the refund: it is recorded once it is finished.
    pub is_pending: bool,
}

/// Why nothing was refunded.
#[derive(Debug, thiserror::Error)]
pub enum RefundError {
    /// There is no such charge, or it was free.
    #[error("There is no such charge.")]
    Unknown,
    /// The amount is not above zero, or exceeds what is left of the charge.
    #[error("Please choose an amount above zero that is no more than what can still be refunded.")]
    Amount,
    #[error("The payment provider refused the refund.")]
    Refused,
    /// The provider can't be reached, or its outcome is unknown: the same refund can be tried again.
    #[error("We could not reach the payment provider. Please try again in a moment.")]
    Unavailable,
    /// It could not be recorded.
    #[error(transparent)]
    Settle(#[from] SettleError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<GatewayError> for RefundError {
    fn from(error: GatewayError) -> Self {
        tracing::warn!(%error, "a payment provider did not give money back");
        if error.is_transient() { Self::Unavailable } else { Self::Refused }
    }
}

impl PaymentFlows {
    /// Refunds a charge, by the key of its movement: `amount`, or all that is left if `None`. The same `request` refunds once.
    /// The grounds are stored first, for the movement that records the refund.
    pub async fn refund_charge(
        &self,
        actor: Actor,
        charge: &str,
        (amount, grounds): (Option<Money>, RefundGrounds),
        request: Option<CheckoutKey>,
    ) -> Result<ChargeRefund, RefundError> {
        let (provider, payment) = settlement::charged_payment(charge).ok_or(RefundError::Unknown)?;
        let key = charge.to_owned();
        let found = self.transactions.read::<_, StoreError, _>(move |tx| {
            let Some((payer, charge)) = tx.pg.find_movement(&key)? else { return Ok(None) };
            let order = tx.pg.order_of_purchase(charge.purchase.as_str())?;
            Ok(Some((payer, charge, order)))
        });
        let found = found.await?.filter(|(_, one, _)| is_refundable(one));
        let (payer, movement, order) = found.ok_or(RefundError::Unknown)?;
        let line = AuditLine::new(&movement, order.as_ref());
        let gateway = self.gateway(provider).ok_or(RefundError::Unavailable)?;
        let before = gateway.find_payment(&payment).await?.ok_or(RefundError::Unknown)?;
        let mut is_pending = false;
        // If everything was refunded already, only the record may be missing.
        if let Some(sum) = settlement::sum_to_refund(&before, amount).map_err(|_| RefundError::Amount)? {
            let noted = settlement::refunded_key(charge, Money::from_cents(before.refunded.cents() + sum.cents()));
            self.note_refund(actor.clone(), line.asked(sum, &grounds), noted, grounds).await?;
            let name = request.map_or_else(|| before.refunded.cents().to_string(), |key| key.as_str().to_owned());
            let key = IdempotencyKey::new(format!("{charge}:refund:{}:{name}", sum.cents()));
            let request = RefundRequest { payment: payment.clone(), amount: Some(sum) };
            let refund = gateway.refund(&key, &request).await?;
            if refund.state == RefundState::Failed {
                return Err(RefundError::Refused);
            }
            is_pending = refund.state == RefundState::Pending;
        }
        let after = gateway.find_payment(&payment).await?.ok_or(RefundError::Unknown)?;
        let (key, refunded) = (charge.to_owned(), after.refunded);
        let came_of_it = line.given_back(before.refunded, refunded);
        let recorded = self.transactions.write_as::<_, SettleError, _>(actor, move |tx, trail| {
            record_refunds(tx, payer, &key, &after)?;
            if let Some(event) = came_of_it {
                trail.record(event);
            }
            Ok(())
        });
        recorded.await?;
        Ok(ChargeRefund { charged: movement.amount, refunded, is_pending })
    }

    async fn note_refund(
        &self,
        actor: Actor,
        event: AuditEvent,
        movement: String,
        grounds: RefundGrounds,
    ) -> Result<(), StoreError> {
        let noted = self.transactions.write_as(actor, move |tx, trail| {
            let now = tx.now();
            tx.pg.save_refund_grounds(&movement, &grounds, now)?;
            trail.record(event);
            Ok::<_, StoreError>(())
        });
        noted.await
    }
}

/// Whose refund the audit log records, and of which order.
struct AuditLine {
    subject: Subject,
    order: String,
}

impl AuditLine {
    /// The audit line of a charge. A guest has no account to name; the order has their address.
    fn new(charge: &Movement, order: Option<&OrderRow>) -> Self {
        let member = order.and_then(|order| order.member.as_ref());
        let subject = match (member, order) {
            (Some(member), _) => Subject::user(member.id),
            (None, Some(order)) if order.guest_email.is_some() => {
                Subject::named(SubjectKind::Charge, order.number, "a guest")
            }
            (None, Some(order)) => Subject::named(SubjectKind::Charge, order.number, "a deleted account"),
            (None, None) => Subject::whole(SubjectKind::Charge),
        };
        let number = order.map(|order| format!("#{} ", order.number)).unwrap_or_default();
        Self { subject, order: format!("{number}{}", charge.plan_name) }
    }

    /// An admin requests a refund of this sum. [`Self::given_back`] records its outcome.
    fn asked(&self, sum: Money, grounds: &RefundGrounds) -> AuditEvent {
        AuditEvent::new("charge.refund", self.subject.clone()).with([
            FieldChange::between("order", None, Some(&self.order)),
            FieldChange::between("amount", None, Some(&sum.to_string())),
            FieldChange::between("reason", None, Some(grounds.reason.label())),
            FieldChange::between("note", None, grounds.note.as_deref()),
        ])
    }

    /// What was refunded of the charge; `None` if nothing has changed, because the provider finishes later, or another refund was
    /// faster.
    fn given_back(&self, before: Money, after: Money) -> Option<AuditEvent> {
        let refunded = FieldChange::between("refunded", Some(&before.to_string()), Some(&after.to_string()))?;
        let order = FieldChange::between("order", None, Some(&self.order));
        Some(AuditEvent::new("charge.refunded", self.subject.clone()).with([order, Some(refunded)]))
    }
}

fn is_refundable(movement: &Movement) -> bool {
    movement.kind == MovementKind::Charged && movement.amount.cents() > 0
}
