//! Giving money back, whole or in part, by an admin (`decisions.md` 42).
//!
//! Who gives back what is recorded before the provider is asked, and what came of it with the movement: no crash between loses
//! who it was. The provider is asked under the key of the request, or one that follows from what was given back before: pressed
//! twice at once, or repeated after a crash, it gives back once. What the provider then says is recorded, and what follows from it;
//! after a crash its webhook brings that.

use admin::{Actor, AuditEvent, FieldChange, Subject, SubjectKind};
use billing::{
    BillingQueries, CheckoutKey, Movement, MovementKind,
    gateway::{GatewayError, IdempotencyKey, RefundRequest, RefundState},
};
use kernel::{Money, StoreError};

use crate::{
    checkout::{
        error::SettleError,
        settle::{charged_payment, record_refunds},
    },
    payments::PaymentFlows,
};

/// What became of a refund.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChargeRefund {
    /// What was charged.
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
    #[error("Please choose a sum above zero that is at most what is left of the charge.")]
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
    /// Gives back a charge by the key of its movement: a part, or all that is left. The same `request` gives back once.
    pub async fn refund_charge(
        &self,
        actor: Actor,
        charge: &str,
        amount: Option<Money>,
        request: Option<CheckoutKey>,
    ) -> Result<ChargeRefund, RefundError> {
        let (provider, payment) = charged_payment(charge).ok_or(RefundError::Unknown)?;
        let key = charge.to_owned();
        let found = self.transactions.read(move |tx| tx.pg.find_movement(&key)).await?;
        let (payer, movement) = found.filter(|(_, one)| is_refundable(one)).ok_or(RefundError::Unknown)?;
        let gateway = self.gateway(provider).ok_or(RefundError::Unavailable)?;
        let before = gateway.find_payment(&payment).await?.ok_or(RefundError::Unknown)?;
        let left = before.amount.cents() - before.refunded.cents();
        let mut is_pending = false;
        // Where all went back already, it is recorded if it was not.
        if left > 0 || amount.is_some() {
            let cents = amount.map_or(left, Money::cents);
            if !(1..=left).contains(&cents) {
                return Err(RefundError::Amount);
            }
            self.record_refund_event(actor.clone(), asked(charge, cents)).await?;
            let name = request.map_or_else(|| before.refunded.cents().to_string(), |key| key.as_str().to_owned());
            let key = IdempotencyKey::new(format!("{charge}:refund:{cents}:{name}"));
            let request = RefundRequest { payment: payment.clone(), amount: Some(Money::from_cents(cents)) };
            let refund = gateway.refund(&key, &request).await?;
            if refund.state == RefundState::Failed {
                return Err(RefundError::Refused);
            }
            is_pending = refund.state == RefundState::Pending;
        }
        let after = gateway.find_payment(&payment).await?.ok_or(RefundError::Unknown)?;
        let (key, refunded) = (charge.to_owned(), after.refunded);
        let came_of_it = given_back(charge, before.refunded, refunded);
        let recorded = self.transactions.write_as::<_, SettleError, _>(actor, move |tx, trail| {
            record_refunds(tx, payer, &key, &after)?;
            trail.record_changes(came_of_it);
            Ok(())
        });
        recorded.await?;
        Ok(ChargeRefund { charged: movement.amount, refunded, is_pending })
    }

    async fn record_refund_event(&self, actor: Actor, event: AuditEvent) -> Result<(), StoreError> {
        let recorded = self.transactions.write_as(actor, move |_, trail| {
            trail.record(event);
            Ok::<_, StoreError>(())
        });
        recorded.await
    }
}

fn subject(charge: &str) -> Subject {
    Subject { kind: SubjectKind::Charge, id: None, name: Some(charge.to_owned()) }
}

/// An admin wants to give so much back. What comes of it is told by [`given_back`].
fn asked(charge: &str, cents: i64) -> AuditEvent {
    let amount = cents.to_string();
    AuditEvent::new("charge.refund", subject(charge)).with([FieldChange::between("amount", None, Some(&amount))])
}

/// What of a charge is given back by now. The provider may have finished it later, or another may have been quicker:
/// then nothing has changed.
fn given_back(charge: &str, before: Money, after: Money) -> AuditEvent {
    let [before, after] = [before, after].map(|sum| sum.cents().to_string());
    let refunded = FieldChange::between("refunded", Some(&before), Some(&after));
    AuditEvent::new("charge.refunded", subject(charge)).with([refunded])
}

fn is_refundable(movement: &Movement) -> bool {
    movement.kind == MovementKind::Charged && movement.amount.cents() > 0
}
