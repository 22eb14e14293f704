//! Changes the card of a running plan. If a renewal has failed, it is charged at once.

use billing::{
    Checkout, CheckoutKey,
    gateway::{
        CheckoutReference, GatewayError, IdempotencyKey, Lookup, MethodChange, NextAction, PaymentGateway,
        PaymentSource, PaymentToken, SetupId, SubscriptionId, SubscriptionState,
    },
};
use kernel::UserId;

use crate::billing::membership::renewal::RenewalError;
use crate::billing::{
    checkout::purchase::{ApplyError, CheckoutOutcome, ProviderObject, PurchaseError, checkout_of},
    payments::PaymentFlows,
};

/// Separates the checkout's reference from the setup's id in the text that is confirmed after an authentication. Neither of
/// them contains it.
const BETWEEN: char = '.';

/// A new card that its payer still has to authenticate.
#[derive(Clone)]
pub struct PendingMethod {
    /// The provider's secret for the payer's browser.
    pub client_secret: String,
    /// The argument of [`PaymentFlows::confirm_authenticated`] afterwards.
    pub confirm: String,
}

impl std::fmt::Debug for PendingMethod {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PendingMethod").field("confirm", &self.confirm).finish_non_exhaustive()
    }
}

/// Splits the text into checkout and setup; `None` if it is a checkout alone.
fn read_setup(text: &CheckoutReference) -> Option<(CheckoutReference, SetupId)> {
    let (reference, setup) = text.as_str().split_once(BETWEEN)?;
    Some((CheckoutReference::new(reference), SetupId::new(setup)))
}

impl PaymentFlows {
    /// Stores another card for a member's plan, and charges a failed renewal to it. Returns `Some` if the payer has to
    /// authenticate first.
    pub async fn change_method(
        &self,
        member: UserId,
        card: PaymentToken,
    ) -> Result<Option<PendingMethod>, RenewalError> {
        let (standing, target, gateway) = self.target(member).await?;
        if !standing.can_change_method() {
            return Err(RenewalError::NotNow);
        }
        let reference = CheckoutReference::new(target.purchase().as_str());
        // Storing a card twice does no harm, so each request has a key of its own.
        let request = CheckoutKey::generate(&*self.env);
        let key = IdempotencyKey::new(format!("{reference}:method:{}", request.as_str()));
        let return_url = self.transactions.settings().link("/account");
        let source = PaymentSource::Token(card);
        match gateway.change_payment_method(&key, &target.id, &source, &return_url).await? {
            MethodChange::Changed(_) => {
                self.use_changed_method(gateway, &reference, &target.id, &key).await?;
                Ok(None)
            }
            MethodChange::RequiresAction { setup, action: NextAction::Authenticate { client_secret } } => {
                Ok(Some(PendingMethod { client_secret, confirm: format!("{reference}{BETWEEN}{setup}") }))
            }
            // Only PayPal has approvals, and its payers change their method there.
            MethodChange::RequiresAction { action: NextAction::Approve { .. }, .. } => Err(RenewalError::NotNow),
        }
    }

    /// Continues after the payer authenticated: with a checkout, or with another card.
    pub async fn confirm_authenticated(
        &self,
        reference: CheckoutReference,
        viewer: Option<UserId>,
    ) -> Result<CheckoutOutcome, PurchaseError> {
        match read_setup(&reference) {
            Some((reference, setup)) => self.confirm_method(reference, setup, viewer).await,
            None => self.confirm(reference, viewer).await,
        }
    }

    async fn confirm_method(
        &self,
        reference: CheckoutReference,
        setup: SetupId,
        viewer: Option<UserId>,
    ) -> Result<CheckoutOutcome, PurchaseError> {
        let checkout: Checkout = self.transactions.read(move |tx| checkout_of(tx, &reference, viewer)).await?;
        let gateway = self.gateway(checkout.order.provider).ok_or(PurchaseError::NoProvider)?;
        let id = SubscriptionId::new(checkout.provider_id.clone().unwrap_or_default());
        let key = IdempotencyKey::new(format!("{}:method:{setup}", checkout.reference));
        match gateway.confirm_payment_method(&key, &id, &setup).await? {
            MethodChange::Changed(_) => {
                self.use_changed_method(&**gateway, &checkout.reference, &id, &key).await?;
                self.outcome(checkout, None).await
            }
            MethodChange::RequiresAction { action, .. } => self.outcome(checkout, Some(action)).await,
        }
    }

    /// Charges what a failed renewal owes, and applies the subscription's state with its new card.
    async fn use_changed_method(
        &self,
        gateway: &dyn PaymentGateway,
        reference: &CheckoutReference,
        id: &SubscriptionId,
        key: &IdempotencyKey,
    ) -> Result<(), ApplyError> {
        let Some(found) = gateway.find_subscription(Lookup::Id(id)).await? else { return Ok(()) };
        let collected = match found.state {
            SubscriptionState::PastDue => gateway.collect_overdue(&key.step("overdue"), id).await,
            _ => Ok(found),
        };
        let (after, declined) = match collected {
            Ok(after) => (Some(after), None),
            // Declined, or paid meanwhile: the card is stored, and the subscription's state says which.
            Err(error @ (GatewayError::Declined(_) | GatewayError::Refused(_))) => {
                (gateway.find_subscription(Lookup::Id(id)).await?, Some(error))
            }
            Err(error) => return Err(error.into()),
        };
        let Some(after) = after else { return Ok(()) };
        let is_overdue = after.state == SubscriptionState::PastDue;
        self.apply(reference, ProviderObject::Subscription(after)).await?;
        match declined.filter(|_| is_overdue) {
            Some(error) => Err(error.into()),
            None => Ok(()),
        }
    }
}
