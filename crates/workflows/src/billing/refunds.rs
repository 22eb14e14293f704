//! Giving money back, whole or in part, by an admin (`billing.refund-whole`).
//!
//! Who gives back what is recorded before the provider is asked, and what came of it with the movement: no crash between loses
//! who it was. The provider is asked under the key of the request, or one that follows from what was given back before: pressed
//! twice at once, or repeated after a crash, it gives back once. What the provider then says is recorded, and what follows from it;
//! after a crash its webhook brings that.

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

/// What became of a refund.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChargeRefund {
    pub charged: Money,
    /// What of it went back by now.
    pub refunded: Money,
    /// Whether the provider has not finished it: it is recorded when it has.
    pub is_pending: bool,
}

/// Why nothing was given back.
#[derive(Debug, thiserror::Error)]
pub enum RefundError {
    /// There is no such charge, or it cost nothing.
    #[error("There is no such charge.")]
    Unknown,
    /// It is not above zero, or more than is left.
    #[error("Please choose an amount above zero that is no more than what is left of the charge.")]
    Amount,
    /// The provider refused.
    #[error("The payment provider refused the refund.")]
    Refused,
    /// The provider can't be reached, or it is not known what it did: the same can be tried again.
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
    /// Gives back a charge by the key of its movement: a part, or all that is left. The same `request` gives back once. Why it is
    /// given back is noted before, for the movement that will record it.
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
        // Where all went back already, it is recorded if it was not.
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

/// What the audit log names of a refund: whose it is and of which order.
struct AuditLine {
    subject: Subject,
    order: String,
}

impl AuditLine {
    /// The line of a charge. A guest has no account that a name could go with: the order has the address.
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

    /// An admin asks for a refund of this sum. [`Self::given_back`] records its outcome.
    fn asked(&self, sum: Money, grounds: &RefundGrounds) -> AuditEvent {
        AuditEvent::new("charge.refund", self.subject.clone()).with([
            FieldChange::between("order", None, Some(&self.order)),
            FieldChange::between("amount", None, Some(&sum.to_string())),
            FieldChange::between("reason", None, Some(grounds.reason.label())),
            FieldChange::between("note", None, grounds.note.as_deref()),
        ])
    }

    /// What of the charge is given back by now. The provider may have finished it later, or another may have been quicker:
    /// then nothing has changed.
    fn given_back(&self, before: Money, after: Money) -> Option<AuditEvent> {
        let refunded = FieldChange::between("refunded", Some(&before.to_string()), Some(&after.to_string()))?;
        let order = FieldChange::between("order", None, Some(&self.order));
        Some(AuditEvent::new("charge.refunded", self.subject.clone()).with([order, Some(refunded)]))
    }
}

fn is_refundable(movement: &Movement) -> bool {
    movement.kind == MovementKind::Charged && movement.amount.cents() > 0
}
